"""Say how a text is read, or why and where it is not. Needs no database."""

import json
import re
import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from phybench.files import json_list
from phybench.pages.excerpt import point_at, show
from phybench_grader.authoring.examination import check_reference, list_different_readings
from phybench_grader.reading.conditions import list_faults
from phybench_grader.reading.names import Declared
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Reading, Unreadable
from phybench_grader.reading.rules import BrokenRule
from phybench_grader.statement.response import find_answer
from phybench_grader.statement.unknown import UnknownSymbol, list_unknown

LARGEST_INPUT = 16 * 1024**2
"""Bytes on standard input: a model's whole response and more."""
COMMAS = re.compile(r",(?![^{}]*\})")
"""Those between symbols, not those in `v_{x,y}`."""


class Command(BaseCommand):
    help = (
        "Read an answer, or a whole response with a boxed one, as the grader does: its LaTeX, its"
        " SymPy, its symbols, what was decided on the way. Exit status 1: it is unreadable."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("text", metavar="LATEX", help="“-” reads it from standard input")
        parser.add_argument(
            "--symbols", default="", metavar="A,B", help="the symbols that the problem declares"
        )
        parser.add_argument(
            "--json", action="store_true", dest="in_json", help="print one JSON object"
        )
        parser.add_argument(
            "--reference",
            action="store_true",
            help="check the rules for references too; exit status 1: it breaks one",
        )
        parser.add_argument(
            "--statement",
            default="",
            metavar="TEXT",
            help="the problem’s text: its formulas say how their letters are used",
        )
        parser.add_argument(
            "--find", default="", metavar="QUANTITY", help="what is asked for, such as v_0"
        )
        parser.add_argument(
            "--where",
            action="append",
            default=[],
            metavar="CONDITION",
            help="a condition between symbols, such as “a < b”; it may be given several times",
        )

    def run_from_argv(self, argv: list[str]) -> None:
        super().run_from_argv([*argv[:2], *put_text_last(argv[2:])])

    def handle(
        self,
        *,
        text: str,
        symbols: str,
        in_json: bool,
        reference: bool,
        statement: str,
        find: str,
        where: Sequence[str],
        **options: Any,
    ) -> None:
        given = read_standard_input() if text == "-" else text
        answer = find_answer(json_list.storable(given))
        question = replace(
            Question.of(split_symbols(symbols)),
            asked=find,
            conditions=tuple(where),
            statement=statement,
        )
        for fault in list_faults(question):
            raise CommandError(f"--where: {fault}", returncode=2)
        try:
            readings = list_different_readings(answer, declared=question)
        except Unreadable as unreadable:
            say = refuse_in_json if in_json else refuse
            self.stdout.write(say(answer, unreadable))
            sys.exit(1)
        broken = None
        if reference or statement:
            broken = check_reference(answer, statement=statement, declared=question)
        unknown = list_unknown(answer, readings[0], question)
        say_how = describe_in_json if in_json else describe
        self.stdout.write(say_how(answer, readings, unknown, broken))
        if broken:
            sys.exit(1)


def put_text_last(arguments: Sequence[str]) -> list[str]:
    """
    Let a text begin with a minus: of what begins with one dash only `-h` is an option.

    >>> put_text_last(["-mgh", "--json"])
    ['--json', '--', '-mgh']
    """
    texts = [one for one in arguments if re.match(r"-[^-]", one) and one != "-h"]
    if not texts or "--" in arguments:
        return list(arguments)
    return [*(one for one in arguments if one not in texts), "--", *texts]


def read_standard_input() -> str:
    content = sys.stdin.buffer.read(LARGEST_INPUT + 1)
    if len(content) > LARGEST_INPUT:
        raise CommandError(
            _("The input is larger than %(size)d MB.") % {"size": LARGEST_INPUT // 1024**2},
            returncode=2,
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(_("The input is not text in UTF-8."), returncode=2) from None


def split_symbols(written: str) -> list[str]:
    symbols = [one.strip() for one in COMMAS.split(written) if one.strip()]
    for symbol in symbols:
        try:
            Declared([symbol])
        except Unreadable as unreadable:
            raise CommandError(f"--symbols: {show(symbol)}: {unreadable}", returncode=2) from None
    return symbols


def describe(
    text: str,
    readings: Sequence[Reading],
    unknown: Sequence[UnknownSymbol] = (),
    broken: Sequence[BrokenRule] | None = None,
) -> str:
    """Say how a text is read, and which rules it breaks (None: that was not asked)."""
    standard, *others = readings
    lines = [
        ("Read as", standard.bracketed),
        ("LaTeX", standard.latex),
        ("SymPy", str(standard.expression)),
        ("Symbols", ", ".join(standard.symbols) or _("none")),
        *(("Note", str(note)) for note in standard.notes),
        *(("Note", str(one.message)) for one in unknown),
        *(("Or", f"{other.bracketed}   ({other.expression})") for other in others),
        *(("Breaks", f"{rule.code}: {rule.message}") for rule in broken or ()),
    ]
    if broken == []:
        lines.append(("Breaks", _("no rule")))
    return "\n".join(f"{label + ':':<9}{show(value)}" for label, value in lines)


def describe_in_json(
    text: str,
    readings: Sequence[Reading],
    unknown: Sequence[UnknownSymbol] = (),
    broken: Sequence[BrokenRule] | None = None,
) -> str:
    standard, *others = readings
    rules = (
        {}
        if broken is None
        else {"broken_rules": [{**asdict(rule), "message": str(rule.message)} for rule in broken]}
    )
    return write_json(
        text=text,
        is_read=True,
        as_typed=standard.bracketed,
        latex=standard.latex,
        sympy=str(standard.expression),
        symbols=standard.symbols,
        notes=[str(note) for note in standard.notes],
        unknown_symbols=[{"latex": one.latex, "meant": one.meant} for one in unknown],
        other_readings=[
            {
                "as_typed": other.bracketed,
                "latex": other.latex,
                "sympy": str(other.expression),
            }
            for other in others
        ],
        **rules,
    )


def refuse(text: str, unreadable: Unreadable) -> str:
    sentence = f"{unreadable.reason}: {show(str(unreadable))}"
    if not text:
        return sentence
    columns = shutil.get_terminal_size().columns
    line, carets = point_at(text, unreadable.start, unreadable.end, columns=columns)
    return f"{sentence}\n{line}\n{carets}"


def refuse_in_json(text: str, unreadable: Unreadable) -> str:
    return write_json(
        text=text,
        is_read=False,
        reason=unreadable.reason,
        message=str(unreadable),
        start=unreadable.start,
        end=unreadable.end,
    )


def write_json(**fields: object) -> str:
    return json.dumps(fields, ensure_ascii=False, indent=2)
