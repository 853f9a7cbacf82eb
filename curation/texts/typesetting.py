"""
Whether a text can be set as it is meant: its formulas by KaTeX, and no LaTeX outside of them.

What a formula is says the renderer, so that is tried here what stands on the page.
"""

import re
from collections.abc import Iterator, Sequence

from django.conf import settings
from markdown_it.token import Token

from curation.texts.formulas import Formula, list_formulas
from curation.texts.katex import Complaint, set_each
from curation.texts.rendering import MAX_CHARACTERS, parse
from phybench.work import sandbox
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.rules import BrokenRule

SHOWN = 20
"""Places of one text that are listed: who has more wrong has one thing wrong."""

_CODE = re.compile(r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)", re.S)
_COMMAND = re.compile(r"(?<!\\)(?:\\\\)*(?P<command>\\(?P<name>[A-Za-z]+)\*?)")
_WORDS = re.compile(
    r"(?<![\\A-Za-z{])[A-Za-z]{3,}\s+[A-Za-z]{2,}"
    r"|^\s+(?:and|or|at|is|the|of|with|to|in|if|for|from|by|where|on)\s+$"
)
"""Of a sentence, in a formula: it stands between two, and one of the dollar signs is missing."""
_ENVIRONMENT = re.compile(r"\{\s*(?P<name>[A-Za-z]+\*?)\s*\}")


def check_typesetting(*texts: str, deadline: float) -> list[list[BrokenRule]]:
    r"""
    List for each text what can't be displayed of it: rules `formula` and `bare_latex`.

    Args:
        deadline: seconds until `formula_not_tried` is said instead.
    """
    texts = tuple(text[:MAX_CHARACTERS] for text in texts)  # what is shown of them
    formulas = [list_formulas(text) for text in texts]
    complaints = iter(_try([one for found in formulas for one in found], deadline))
    listed = []
    for text, found in zip(texts, formulas, strict=True):
        broken = [
            _describe(text, formula, complaint)
            for formula, complaint in zip(found, complaints, strict=False)
            if complaint
        ]
        broken += _find_bare(text, found)
        listed.append(sorted(broken, key=lambda rule: rule.start)[:SHOWN])
    return listed


def keep_displayed(text: str, broken: Sequence[BrokenRule]) -> str:
    r"""
    Return a text without what is no formula that a reader sees as one.

    That is what can't be displayed, words that a missing dollar sign makes a formula of, and lone
    dollar signs.

    >>> broken = BrokenRule("formula", Sentence("formula"), 4, 8)
    >>> keep_displayed(r"Let $\frac{mass$ move at $v$.", [broken])
    'Let   move at $v$.'
    """
    faults = [rule for rule in broken if rule.code == "formula"]
    formulas = list_formulas(text)
    if not all(one.delimiter for one in formulas):
        return text  # the place of one is not known
    parts, place = [], 0
    for one in formulas:
        parts.append(text[place : one.start].replace("$", " "))
        inside = text[one.start + one.delimiter : one.end - one.delimiter]
        is_broken = _WORDS.search(inside) is not None or any(
            rule.start < one.end and one.start < rule.end for rule in faults
        )
        parts.append(" " if is_broken else text[one.start : one.end])
        place = one.end
    return "".join([*parts, text[place:].replace("$", " ")])


def _try(formulas: Sequence[Formula], deadline: float) -> list[Complaint | None]:
    if not formulas:
        return []
    asked = [(one.source, one.is_display) for one in formulas]
    try:
        return sandbox.run(set_each, asked, scripts=_list_scripts(), deadline=deadline)
    except sandbox.Stopped:
        # Which of them took so long is not known: it is said of the first.
        first = Complaint("formula_not_tried", (), 0, len(formulas[0].source))
        return [first, *[None] * (len(formulas) - 1)]


def _list_scripts() -> tuple[str, ...]:
    return tuple(str(script) for script in settings.TYPESETTING_SCRIPTS)


def _describe(text: str, formula: Formula, complaint: Complaint) -> BrokenRule:
    start = formula.find(text, complaint.start)
    end = formula.find(text, complaint.end - 1) + 1
    if not formula.delimiter or start >= end:
        start, end = formula.start, formula.end
    code = complaint.code if complaint.code == "formula_not_tried" else "formula"
    return BrokenRule(code, Sentence(complaint.code, complaint.filled), start, end)


def _find_bare(text: str, formulas: Sequence[Formula]) -> Iterator[BrokenRule]:
    """Find LaTeX that stands outside of formulas and of code: readers see its source."""
    commands = _leave_out(list(_COMMAND.finditer(text)), [(one.start, one.end) for one in formulas])
    if commands:  # as a rule there are none
        commands = _leave_out(commands, sorted(_list_code(text, parse(text))))
    covered = 0
    for found in commands:
        start, end = found.span("command")
        if start < covered:
            continue
        name, code = found["name"], "tex_outside"
        if name == "begin" and (environment := _ENVIRONMENT.match(text, end)):
            code = "environment_outside"
            closing = text.find(rf"\end{{{environment['name']}}}", environment.end())
            # All of it is one mistake; what is marked is where it begins.
            end = environment.end()
            covered = closing + len(rf"\end{{{environment['name']}}}") if closing >= 0 else end
        message = Sentence.of(code, what=text[start:end])
        yield BrokenRule("bare_latex", message, start, end)


def _leave_out(
    commands: Sequence[re.Match[str]], places: Sequence[tuple[int, int]]
) -> list[re.Match[str]]:
    """Leave out what lies in one of `places`, which are in order, as the commands are."""
    kept, coming = [], iter(places)
    first, last = next(coming, (0, 0))
    for command in commands:
        start = command.start("command")
        while last and last <= start:
            first, last = next(coming, (0, 0))
        if not last or start < first:
            kept.append(command)
    return kept


def _list_code(text: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """List where code stands: blocks by their lines, and what is between backticks."""
    begins = [0]
    for line in text.split("\n"):
        begins.append(begins[-1] + len(line) + 1)
    for token in tokens:
        if token.type in {"fence", "code_block"} and token.map:
            first, last = token.map
            yield begins[first], begins[min(last, len(begins) - 1)]
        elif token.type == "inline" and any(
            one.type == "code_inline" for one in token.children or ()
        ):
            first, last = token.map or (0, len(begins) - 1)
            here, there = begins[first], begins[min(last, len(begins) - 1)]
            yield from (found.span() for found in _CODE.finditer(text, here, there))
