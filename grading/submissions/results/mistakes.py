"""
What is wrong with a wrong answer by its problem's text alone: nothing of the reference answer.

A sign, a factor or how far an answer is from the reference answer would each let its solver climb
to it. That a symbol or a unit is not the problem's, everybody sees who reads both.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from django.utils.translation import gettext as _

from curation.problems.models import Revision
from curation.problems.typed_answers import find_told
from curation.texts.references.dimensions import UnknownUnit, read_unit
from grading.runs.sentences import translate
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.numbers.symbols import name_in_latex
from phybench_grader.reading.question import Question
from phybench_grader.reading.rules import KNOWN_CONSTANTS, list_symbols
from phybench_grader.statement.units import is_rescaling
from phybench_grader.statement.unknown import list_known
from phybench_grader.verdict.declarations import Undeclarable

LONGEST = 600
"""Characters of an answer that is looked at."""
MOST_READ = 3
"""Wrong answers to a problem, each read in another way, that are looked at: a page has many."""
MOST_SAID = 3
_CONSTANTS = KNOWN_CONSTANTS | {"e", "i", "pi"}
_SET = re.compile(r"\\(?:text|mathrm|rm|quad|[,;:! ])(?![a-z])|[{}$~]|^\W*[*·]")


def list_mistakes(revision: Revision, wrong: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """
    Say which symbols of wrong answers their problem lacks, and whether a unit is another.

    Args:
        wrong: answers in LaTeX, as they were read, each with what was left out of it as a unit.
    """
    looked_at = islice(dict.fromkeys((read, tuple(units)) for read, units in wrong), MOST_READ)
    known = _list_known(revision)
    found = [
        [*_list_units(revision.unit, units), *_list_strange(read, *known)]
        for read, units in looked_at
    ]
    return list(dict.fromkeys(chain.from_iterable(found)))[:MOST_SAID]


def _list_units(asked: str, units: Sequence[str]) -> Iterator[str]:
    for unit in units:
        if asked and _is_another(plain := _SET.sub(" ", unit).strip(), asked):
            words = {"unit": plain, "asked": asked}
            yield _("The unit is wrong: %(unit)s in place of %(asked)s.") % words


def _is_another(unit: str, asked: str) -> bool:
    try:
        return read_unit(unit) != read_unit(asked) or is_rescaling(unit, asked)
    except UnknownUnit:
        return False


def _list_known(revision: Revision) -> tuple[Question, frozenset[str]]:
    """List the symbols that a solver is told of; none where they can't be read."""
    try:
        question = find_told(revision).question
    except Undeclarable:
        return Question(), frozenset()
    return question, list_known(question)


def _list_strange(read: str, question: Question, known: frozenset[str]) -> Iterator[str]:
    if not known or len(read) > LONGEST:
        return
    named = list_symbols(f"${read}$", declared=question, counts_upright=False)
    for name in sorted(named - _CONSTANTS):
        if name not in known and name.rstrip("'") not in known:
            yield translate(Sentence.of("symbol_unknown", symbol=name_in_latex(name)))
