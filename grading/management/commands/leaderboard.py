"""Print the board of a benchmark, with ranks worked out here and now."""

import csv
import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.management.benchmarks import find_benchmark
from curation.problems.benchmarks.models import Benchmark
from grading.board.columns import (
    Shown,
    choose_columns,
    describe,
    draw_up,
    list_headings,
    list_peoples_cells,
    list_peoples_values,
    list_values,
)
from grading.board.figures import SORTS
from grading.board.scores.requests import read_scope
from grading.board.scores.scope import Scope
from grading.board.sensitivity import find_sensitivities
from grading.board.table import Board, BoardRow, boards, rank_board
from grading.samples.audits.figures import find_for_board
from grading.studies.models import Study
from phybench.files.cells import defuse
from phybench.pages.excerpt import show


def refuse(name: str, value: str) -> CommandError:
    said = {"name": name, "value": show(value)}
    return CommandError(_("No %(name)s %(value)s exists.") % said)


class Command(BaseCommand):
    help = "Print the board of a benchmark version, as its page shows it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--benchmark", metavar="NAME", help="or slug; else the first on the page"
        )
        parser.add_argument(
            "--number", metavar="N", default="", help="the version; else the newest"
        )
        parser.add_argument("--sort", choices=SORTS, default="eed")
        parser.add_argument("--domain", default="", help="only its problems, such as OPTICS")
        parser.add_argument("--difficulty", default="", help="only such problems, as OLYMPIAD")
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--csv", action="store_true", help="all columns as CSV")
        form.add_argument("--json", action="store_true", help="all columns as JSON, a row a line")

    def handle(self, *args: Any, **options: Any) -> None:
        scope = self.find_scope(options)
        board = rank_board(scope, options["sort"])
        audit = find_for_board(scope.version) if scope.version else None
        rows = describe(board, find_sensitivities(audit, board.figures))
        lines = [*map(list_values, rows), *map(list_peoples_values, board.peoples)]
        if options["csv"]:
            writer = csv.writer(self.stdout)
            writer.writerow(list_headings())
            writer.writerows(map(defuse, line) for line in lines)
        elif options["json"]:
            for line in lines:
                told = dict(zip(list_headings(), map(_as_text, line), strict=True))
                self.stdout.write(json.dumps(told, ensure_ascii=False))
        else:
            self.print_table(board, rows)

    def find_scope(self, options: dict[str, Any]) -> Scope:
        named = options["benchmark"]
        chosen = find_benchmark(named) if named else None
        benchmark: Benchmark | None = next((one for one in boards() if chosen in (None, one)), None)
        if benchmark is None:
            raise CommandError(_("Benchmark not found."))
        asked = {"version": options["number"], **{name: options[name] for name in NARROWING}}
        try:
            scope = read_scope(benchmark, asked)
        except Http404:
            raise refuse("version", options["number"]) from None
        for name in NARROWING:
            if asked[name] and scope.query.get(name) != asked[name]:
                raise refuse(name, asked[name])
        return scope

    def print_table(self, board: Board, rows: list[Shown]) -> None:
        title = str(board.scope.version or board.benchmark)
        problems = ngettext(
            "%(count)d problem",
            "%(count)d problems",
            board.scope.count,
        ) % {"count": board.scope.count}
        self.stdout.write(f"{title}, {problems}")
        if board.is_empty:
            self.stdout.write(say_why_empty(board))
            return
        columns = choose_columns(rows)
        named = [
            *((name_row(line.row, board.scope), line.cells) for line in draw_up(rows, columns)),
            *((one.who.label, list_peoples_cells(one, columns)) for one in board.peoples),
        ]
        table = [[_("Solver"), *(str(column.label) for column in columns)]]
        for name, line in named:
            cells = (
                f"{cell.value} ({cell.interval})" if cell.interval else cell.value
                for _column, cell in line
            )
            table.append([show(name), *cells])
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for written in table:
            padded = (one.ljust(width) for one, width in zip(written, widths, strict=True))
            self.stdout.write("  ".join(padded).rstrip())


def name_row(row: BoardRow, scope: Scope) -> str:
    """Name a model, and say why its means may be ranges: answers wait, or are to other problems."""
    name = row.name
    if row.carried_from and scope.version:
        number = {"number": scope.version.number}
        name = f"{name} ({_('answered before version %(number)s') % number})"
    if not row.waiting:
        return name
    words = {"name": name, "waiting": row.waiting}
    return _("%(name)s (%(waiting)d still being graded)") % words


def say_why_empty(board: Board) -> str:
    """Say what there is in place of rows: people's answers may be there and not be shown here."""
    if board.few_people:
        return ngettext(
            "One person has answered. Figures for people are shown from 5 people.",
            "%(counter)s people have answered. Figures for people are shown from 5 people.",
            board.few_people,
        ) % {"counter": board.few_people}
    ended = Study.objects.filter(version__benchmark=board.benchmark, ended_at__isnull=False)
    numbers = sorted(set(ended.values_list("version__number", flat=True)))
    if numbers:
        return _(
            "No answer to this version is shown yet. People who took part in a study are on the"
            " board of its version: --number %(numbers)s."
        ) % {"numbers": _(", ").join(map(str, numbers))}
    return _("This board has no answers yet.")


NARROWING = ("domain", "difficulty")


def _as_text(value: object) -> object:
    return value if value is None or isinstance(value, int | float | str) else str(value)
