"""
Whether enough people are left who can solve a problem blind, in the stages that it has yet to pass.

Who was shown the answer solves it blind no more, so each reviewer whom a stage shows it to is one
fewer for a blind stage after it. No database here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Demand:
    """What a stage still asks for."""

    people: int
    """Different people, each of whom has yet to review in it."""
    is_blind: bool = False
    shows_key: bool = True
    done: int = 0
    """People who know the answer and can't review in it: they have already."""


class Supply(Enum):
    """Whether the people there are suffice."""

    ENOUGH = "enough"
    """Whoever reviews which stage."""
    TIGHT = "tight"
    """If those who know the answer review the stages that show it, and others keep away."""
    SHORT = "short"
    """Whoever reviews: some blind stage can't be passed."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """How many people could solve it blind when it comes to that, at best, and how many must."""

    possible: int
    needed: int
    supply: Supply


def forecast(demands: Sequence[Demand], *, fresh: int, informed: int) -> Outlook | None:
    """
    Say how a problem stands with the blind stages it has yet to pass; None where there is none.

    Where one can't be passed, the figures are of the first such stage, else of the last one.

    Args:
        demands: of the stages to come, in order.
        fresh: people who may review it and have not been shown the answer.
        informed: people who may review it and have.

    >>> screening, solving = Demand(1), Demand(2, is_blind=True)
    >>> forecast([screening, solving], fresh=2, informed=0)
    Outlook(possible=1, needed=2, supply=<Supply.SHORT: 'short'>)
    >>> forecast([screening, solving], fresh=2, informed=1)
    Outlook(possible=2, needed=2, supply=<Supply.TIGHT: 'tight'>)
    """
    outlook = None
    at_worst = fresh
    supply = Supply.ENOUGH
    for demand in demands:
        if demand.is_blind:
            if at_worst < demand.people:
                supply = Supply.TIGHT
            if fresh < demand.people:
                return Outlook(max(0, fresh), demand.people, Supply.SHORT)
            outlook = Outlook(fresh, demand.people, supply)
            fresh -= demand.people
            at_worst -= demand.people
            informed += demand.people
        elif demand.shows_key:
            # At best by those who know the answer already.
            spent = max(0, demand.people - max(0, informed - demand.done))
            fresh -= spent
            informed += spent
            at_worst -= demand.people
    return outlook
