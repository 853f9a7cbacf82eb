"""
What is told of a batch of answers to a benchmark's hidden part.

Pure: no Django, no database. Whoever may ask often enough learns hidden answers from means alone,
so a figure is told only where it beats the last by more than chance would: the Ladder of A. Blum
and M. Hardt (arXiv 1502.04585), one an organisation, and no more than `BUDGET` batches in its life.
Nothing else is ever told: nothing of an item, a sample or a field of physics.

A batch is known here by its counts, and all work on one takes as long as on another. When it is
told is with the caller, who must let that not depend on the counts either.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

Name = TypeVar("Name")

BUDGET = 20
"""Batches in the life of an organisation, and of all who ever were in one organisation with it."""
PERCENT = 100
HALF_ERRORS = 3
"""
Half standard errors by which a new figure has to be ahead of the last.

By one whole error those who flip 100 answers at a time settle 54.6 % of choices between two, by one
and a half 53.7 % at most. The price is that a solver learns of no step below 3.7 points of 50.
"""


class Told(StrEnum):
    """What is told of a batch."""

    NEW = "NEW"
    """A figure above the last."""
    NO_BETTER = "NO_BETTER"
    """No better than the last: whether equal, a little better or far worse is not told."""
    WAITING = "WAITING"
    """Nothing yet: answers are left that we could not grade."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """The figure that the next batch has to beat."""

    figure: int = 0
    """Accuracy in percent; 0 before anything was told."""
    is_own: bool = True
    """False where only another organisation was told the figure."""


@dataclass(frozen=True, slots=True)
class Batch:
    """
    A complete batch in counts; `is_complete` says whether it is one.

    Raises:
        ValueError: no batch has such counts.
    """

    items: int
    """Hidden items, all of them."""
    samples: int
    """Answers to each."""
    right: int
    """Answers that are right, of all; one that is unreadable or partly right is not."""
    ungraded: int = 0
    """Answers that could not be graded, for a reason of ours."""

    def __post_init__(self) -> None:
        if self.items < 1 or self.samples < 1 or self.right < 0 or self.ungraded < 0:
            raise ValueError("a batch has items and answers, and counts are not negative")
        if self.right + self.ungraded > self.count:
            raise ValueError("more answers are right or ungraded than there are")

    @property
    def count(self) -> int:
        """Number of answers."""
        return self.items * self.samples


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is told of a batch, and the ladder that the organisation has after it."""

    told: Told
    figure: int | None
    """
    Percent: the new figure, or the one that the batch is no better than. None where the batch
    waits, and where that one is another organisation's, which is not ours to tell.
    """
    ladder: Ladder


@dataclass(frozen=True, slots=True)
class PastBatch:
    """A batch that was taken in earlier, waiting or told of, as far as others depend on it."""

    organisation: int
    members_ever: frozenset[int]
    """Who is or ever was a member of the organisation, as known now and not only back then."""
    figure: int | None = None
    """Percent, where a new figure was told."""

    def concerns(self, organisation: int, people: frozenset[int]) -> bool:
        """Say whether it was the organisation's, or of another with one of these people."""
        return self.organisation == organisation or not self.members_ever.isdisjoint(people)


def is_complete(answers: Mapping[Name, int], hidden: Collection[Name]) -> bool:
    """
    Say whether a batch answers every hidden item, no other, and each equally often.

    An incomplete batch is refused before anything is graded: it costs nothing and tells nothing.
    One with some of the items would ask about those items.

    Args:
        answers: of each item answered the number of answers.
        hidden: the items of the hidden part.

    >>> is_complete({1: 2, 2: 2}, hidden=[1, 2])
    True
    >>> is_complete({1: 2, 2: 1}, hidden=[1, 2]), is_complete({1: 2}, hidden=[1, 2])
    (False, False)
    """
    numbers = set(answers.values())
    return answers.keys() == set(hidden) and len(numbers) == 1 and min(numbers) > 0


def climb(ladder: Ladder, batch: Batch) -> Outcome:
    """
    Decide what is told of a complete batch.

    A new figure beats the ladder's by more than one and a half of its own standard errors,
    √(p(1 − p)/n) over n items (arXiv 1502.04585, with the error of the figure in place of the
    paired one, which a change of two items passes). While an answer is ungraded nothing is told: to
    count it as wrong, or not at all, would be a figure of something else.

    >>> first = climb(Ladder(), Batch(items=400, samples=1, right=200))
    >>> first.told.value, first.figure
    ('NEW', 50)
    >>> second = climb(first.ladder, Batch(items=400, samples=1, right=212))
    >>> second.told.value, second.figure
    ('NO_BETTER', 50)
    """
    if batch.ungraded:
        return Outcome(Told.WAITING, None, ladder)
    figure = _round(batch)
    if _beats(figure, ladder.figure, batch.items):
        return Outcome(Told.NEW, figure, Ladder(figure))
    return Outcome(Told.NO_BETTER, ladder.figure if ladder.is_own else None, ladder)


def _round(batch: Batch) -> int:
    """
    Round a batch's accuracy to whole percent, halves up.

    All that follows goes by the rounded figure, so that nothing finer than it can be found out by
    anybody. Coarser steps were tried on 400 items: they stop few attackers more, and 2.5 points,
    the standard error itself, lets those who flip 100 answers at a time settle more.
    """
    return (2 * PERCENT * batch.right + batch.count) // (2 * batch.count)


def _beats(figure: int, last: int, items: int) -> bool:
    """Say whether a figure is above the last by more than chance would be; a tie is not."""
    # All right is not certain: without a floor its error would be 0, and any last figure beaten.
    # There p is taken by Laplace's rule, (n + 1)/(n + 2), which for few items is far from 1.
    # At 0 there is nothing to beat. Squares of whole numbers are compared, so that a tie is one.
    ahead = max(0, figure - last)
    rest = (items + 2) ** 2
    variance = max(figure * (PERCENT - figure) * rest, PERCENT**2 * (items + 1))
    return (2 * ahead) ** 2 * items * rest > HALF_ERRORS**2 * variance


def find_ladder(
    past: Iterable[PastBatch],
    organisation: int,
    people: frozenset[int],
    start: Ladder = Ladder(),
) -> Ladder:
    """
    Find what an organisation's next batch has to beat.

    It is the highest figure told to it or to one of these people's organisations: else twenty
    organisations of one person would be told twenty bare means.

    Args:
        past: batches of any organisations to the same hidden items.
        people: who pools what they were told, present or former: all who ever were in one
            organisation with a member. Ten people of one organisation can have one each besides.
        start: what a first batch has to beat. From 0 whoever adds wrong answers on purpose has
            more steps to climb than others, and so more to ask; a higher start leaves fewer.

    >>> past = [PastBatch(1, frozenset({7}), 40), PastBatch(2, frozenset({7, 8}), 55)]
    >>> find_ladder(past, organisation=1, people=frozenset({7}))
    Ladder(figure=55, is_own=False)
    >>> find_ladder(past, organisation=3, people=frozenset({9}))
    Ladder(figure=0, is_own=True)
    """
    own, any_of_them = start.figure, start.figure
    for batch in past:
        if batch.figure is not None and batch.concerns(organisation, people):
            any_of_them = max(any_of_them, batch.figure)
            if batch.organisation == organisation:
                own = max(own, batch.figure)
    return Ladder(any_of_them, is_own=own == any_of_them)


def count_left(
    past: Iterable[PastBatch], organisation: int, people: frozenset[int], budget: int = BUDGET
) -> int:
    """
    Count the batches that an organisation may still submit, from 0 to `budget`.

    All that any of these people's organisations was told counts, added up: they can put it
    together. So a new organisation of the same people brings none.

    Args:
        past: batches of any organisations to the same hidden items, waiting ones among them.
        people: as for `find_ladder`.

    >>> past = [PastBatch(1, frozenset({7}))] * 15 + [PastBatch(2, frozenset({7, 8}))] * 3
    >>> count_left(past, organisation=2, people=frozenset({7, 8}))
    2
    >>> count_left(past, organisation=3, people=frozenset({8}))
    17
    """
    return max(0, budget - sum(batch.concerns(organisation, people) for batch in past))
