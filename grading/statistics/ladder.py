"""
What is told of the hidden part: one figure by the Ladder, and how many of them in a lifetime.

The Ladder is that of Blum and Hardt, arXiv 1502.04585: a new figure is told only where it beats the
last one told by more than a step. The step here is the standard error of the new figure itself, as
with the smaller paired one a change of two items would show.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass

BUDGET = 20
"""Figures that an organisation is told in its life, and those of all that share a member."""
FULL = 100
LEAST_ITEMS = 2
"""So many items more never show."""


@dataclass(frozen=True, slots=True)
class Release:
    """What is told: a batch's own figure, or the last, which it does not beat; whole per cent."""

    figure: int
    is_new: bool


def release(accuracy: float, items: int, *, last: int | None) -> Release:
    """
    Decide what is told of a complete and graded batch.

    Args:
        accuracy: the mean over all hidden items, from 0 to 100.
        items: how many there are, at least 1.
        last: the figure that was told last; None where none was.

    >>> release(50.2, 400, last=None)
    Release(figure=50, is_new=True)
    >>> release(52.0, 400, last=50), release(53.0, 400, last=50)
    (Release(figure=50, is_new=False), Release(figure=53, is_new=True))
    """
    if not 0 <= accuracy <= FULL or items < 1:
        raise ValueError((accuracy, items))
    # All that follows goes by whole percents, so that nothing finer can be found out.
    figure = math.floor(accuracy + 0.5)
    if last is not None and figure <= last + _measure_step(figure, items):
        return Release(last, is_new=False)
    return Release(figure, is_new=True)


def _measure_step(figure: int, items: int) -> float:
    share = figure / FULL
    error = FULL * math.sqrt(share * (1 - share) / items)
    # Where nearly all are right, or wrong, the error is less than one item, which then would show.
    return max(error, LEAST_ITEMS * FULL / items)


def count_left(
    batches: Iterable[tuple[Hashable, Collection[Hashable]]],
    organisation: Hashable,
    members: Collection[Hashable],
) -> int:
    """
    Count how many figures an organisation may still be told.

    A figure counts against the organisation and against every person who is or was its member:
    whoever makes a second organisation brings along what the first has used.

    Args:
        batches: of each figure told the organisation, and who is or was its member.
        members: those who are or were members of `organisation`.

    >>> count_left([("A", {"ann"}), ("B", {"ann", "bob"}), ("C", {"eve"})], "D", {"bob"})
    19
    """
    told = list(batches)
    used = [sum(one == organisation for one, _people in told)]
    used += [sum(person in people for _one, people in told) for person in members]
    return max(0, BUDGET - max(used))
