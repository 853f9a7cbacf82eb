"""What an author may want to look at again: nothing of it keeps a problem from review."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext as _

from curation.problems.checks import Checked
from curation.texts.formulas import list_formulas
from curation.texts.references.dimensions import UnknownUnit, read_unit
from curation.texts.references.reference import NOTHING_WANTED, SymbolRow, Wanted, find_name
from phybench.people.models import Language
from phybench_grader.verdict.declarations import is_symbol

_SPACES = re.compile(r"\\(?:[,;:! ]|left(?![a-z])|right(?![a-z])|d?frac(?![a-z]))|[\s{}$]")
_SIDES = re.compile(r"=|\\(?:approx|equiv|simeq|to)(?![A-Za-z])")
_WORD = re.compile(r"(?<![\\A-Za-z{])(?!(?:sin|cos|tan|cot|exp|log|ln|max|min|lim)\b)[a-zA-Z]{3,}")
_LONG = 8
"""Signs of an answer from which on it is one also within a longer formula."""


def say_of_statement(statement: str, answer: str, language: str) -> Iterator[str]:
    """Say where a statement gives its answer away, or is written in another language."""
    formulas = list_formulas(statement)
    bare = _strip(answer)
    sides = {_strip(side) for one in formulas for side in _SIDES.split(one.source)}
    is_within = len(bare) >= _LONG and any(bare in _strip(one.source) for one in formulas)
    if len(bare) > 2 and not is_symbol(answer) and (bare in sides or is_within):
        yield _("The statement gives the answer: leave it out there.")
    words = statement
    for formula in reversed(formulas):
        words = words[: formula.start] + words[formula.end :]
    chinese, latin = (
        len(re.findall(r"[\u4e00-\u9fff]", words)),
        len(re.findall(r"[A-Za-z]+", words)),
    )
    if language == Language.EN and chinese > 2 * latin:
        yield _("The statement is written in Chinese, but its language is English. Change one.")
    if language == Language.ZH and latin > 8 and latin > 2 * chinese:
        yield _("The statement is written in English, but its language is Chinese. Change one.")


def say_of_wanted(
    wanted: Wanted, rows: list[SymbolRow], checked: Checked, statement: str, answer: str
) -> Iterator[str]:
    """Say where what is asked is words, in the unit of something else, or mentioned nowhere."""
    if _WORD.search(wanted.quantity):
        yield _("“Find” takes a symbol such as $v$. Say in the statement what it is.")
    named = find_name(wanted.quantity)
    units = [row.unit for row in rows if named and row.name == named and row.unit.strip()]
    if units and wanted.unit and not _is_same_unit(units[0], wanted.unit):
        yield _("%(unit)s is asked for, but the table gives $%(symbol)s$ in %(other)s.") % {
            "unit": wanted.unit,
            "symbol": wanted.quantity,
            "other": units[0],
        }
    terms = [SymbolRow(term) for term in wanted.terms]
    for row in checked.list_unused(terms, statement, answer, NOTHING_WANTED):
        message = _("Neither the statement nor the answer mentions $%(symbol)s$.")
        yield message % {"symbol": row.latex}


def _is_same_unit(one: str, other: str) -> bool:
    try:
        return read_unit(one) == read_unit(other)
    except UnknownUnit:
        # That is said already.
        return True


def _strip(latex: str) -> str:
    return _SPACES.sub("", latex).rstrip(".,;")
