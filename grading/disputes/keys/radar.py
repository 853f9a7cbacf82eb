"""
Signs that the key of a problem is wrong: what its solvers' answers say beside it.

They decide nothing. They put a problem, with the evidence, on a list that people look at.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import mean

FEWEST_SOLVERS = 3
"""Who must have answered before it says anything that nobody did so rightly."""
FEWEST_AGREEING = 2
"""Solvers that must agree on another answer before it can lead."""
FEWEST_IN_HALF = 3
"""Solvers in each half before the strong are compared with the weak."""
CLEAR_DIFFERENCE = 20.0
"""By how much (of 100) the weak must do better: less is chance among a few solvers."""


class Doubt(StrEnum):
    """Why somebody should look at a key."""

    OTHER_LEADS = "OTHER_LEADS"
    NOBODY_RIGHT = "NOBODY_RIGHT"
    STRONG_FAIL = "STRONG_FAIL"
    TWO_READINGS = "TWO_READINGS"


@dataclass(frozen=True, slots=True)
class AnswerGroup:
    """Answers to one problem that are equal."""

    latex: str
    solvers: frozenset[int]
    answers: int
    is_key: bool
    readings: Sequence[str] = ()
    """Of a key: what it may mean, in LaTeX, where that is more than one thing."""


@dataclass(frozen=True, slots=True)
class Solved:
    """How one solver did on a problem and elsewhere, each a mean accuracy from 0 to 100."""

    here: float
    elsewhere: float | None
    """None where they answered nothing else."""


@dataclass(frozen=True, slots=True)
class Halves:
    """The mean accuracy on one problem of the solvers who are strong elsewhere, and of the rest."""

    strong: float
    weak: float
    each: int
    """Solvers in each half; with an odd number the one in the middle is in neither."""


def compare_halves(solved: Iterable[Solved]) -> Halves | None:
    """
    Compare strong with weak solvers; None where there are too few.

    >>> compare_halves([Solved(0, 90), Solved(0, 80), Solved(0, 70), Solved(100, 30),
    ...                 Solved(100, 20), Solved(0, 10)])
    Halves(strong=0, weak=66.66666666666667, each=3)
    """
    placed = sorted(
        (one for one in solved if one.elsewhere is not None),
        key=lambda one: one.elsewhere or 0.0,
    )
    each = len(placed) // 2
    if each < FEWEST_IN_HALF:
        return None
    weak, strong = placed[:each], placed[-each:]
    # Who is as strong as the weakest of the strong is no weak one.
    if weak[-1].elsewhere == strong[0].elsewhere:
        return None
    return Halves(
        strong=mean(one.here for one in strong), weak=mean(one.here for one in weak), each=each
    )


def find_doubts(groups: Sequence[AnswerGroup], solved: Sequence[Solved]) -> list[Doubt]:
    """
    List what speaks against a key.

    >>> key = AnswerGroup("m g", frozenset({1}), 1, is_key=True)
    >>> other = AnswerGroup("m g h", frozenset({2, 3}), 2, is_key=False)
    >>> find_doubts([key, other], [])
    [<Doubt.OTHER_LEADS: 'OTHER_LEADS'>]
    """
    doubts = []
    right = frozenset[int]().union(*(group.solvers for group in groups if group.is_key))
    most = max((len(group.solvers) for group in groups if not group.is_key), default=0)
    if most >= FEWEST_AGREEING and most > len(right):
        doubts.append(Doubt.OTHER_LEADS)
    if not right and len(solved) >= FEWEST_SOLVERS:
        doubts.append(Doubt.NOBODY_RIGHT)
    halves = compare_halves(solved)
    if halves and halves.weak - halves.strong >= CLEAR_DIFFERENCE:
        doubts.append(Doubt.STRONG_FAIL)
    if any(len(group.readings) > 1 for group in groups):
        doubts.append(Doubt.TWO_READINGS)
    return doubts
