"""Whether two answers are equal, without a score."""

from __future__ import annotations

from collections.abc import Collection

from phybench_grader.equality.equality import Equality, compare_readings
from phybench_grader.reading.conditions import read_space
from phybench_grader.reading.question import Question
from phybench_grader.statement.answer import read


def compare(left: str, right: str, *, declared: Collection[str] = ()) -> Equality:
    r"""
    Tell whether two answers have one value wherever both have any, each in its standard reading.

    Args:
        left: an expression in LaTeX, or a statement such as `v = \sqrt{2gh}`.
        right: the other one. Neither is the reference: nothing is scored.
        declared: the problem's symbols in LaTeX, as names, which then are positive, or as a mapping
            to their domains.

    Returns:
        `EQUAL` or `DIFFERENT`, decided by values at random points to 50 digits (docs/grading.md),
        or `UNDECIDED` where the points can't tell.

    Raises:
        Unreadable: for a text that states no single expression.

    >>> compare(r"\sin 2x", r"2 \sin x \cos x"), compare("v = 2gh", "v = gh").value
    (<Equality.EQUAL: 'equal'>, 'different')
    """
    question = Question.of(declared)
    readings = read(left, declared=question), read(right, declared=question)
    return compare_readings(*readings, read_space(question))
