"""
What a panel of judges is worth, beside labels that people gave.

Pure: no Django, no database. Judges err on the same items, so nine of them may carry about two
independent votes (arXiv 2605.29800). And a panel can be worse than its best member, which is found
out on other labels than those by which that member was chosen.

What can't be told is told as such, with the reason: it is no number.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from phybench_grader.statistics.halves import LEAST_OF_A_HALF, split

LEAST_LABELS = 20
"""Labels, on which all members have a verdict, below which no correlation is told."""


@dataclass(frozen=True, slots=True)
class PanelCase:
    """One labelled item: what is so, what the panel said, and what each of its members did."""

    problem: str
    """By it the labels are divided in two halves."""
    truth: bool
    said: bool | None
    """By the panel; None where it said nothing."""
    members: Mapping[str, bool | None]


# --- How many votes it carries --------------------------------------------------------------


class WhyNoVotes(StrEnum):
    """Why the effective number of votes can't be told."""

    TOO_FEW = "TOO_FEW"
    """Too few labels on which all members have a verdict."""
    CONSTANT = "CONSTANT"
    """A member errs on none of the labels, or on all: its errors correlate with nothing."""
    NEGATIVE = "NEGATIVE"
    """The errors are less alike than by chance: the formula would give more votes than members."""


@dataclass(frozen=True, slots=True)
class EffectiveVotes:
    """How many independent votes a panel carries, or why that can't be told."""

    members: int
    labels: int
    """Those on which all members have a verdict."""
    value: float | None = None
    correlation: float | None = None
    """Mean over pairs of members; told where it is negative, too."""
    reason: WhyNoVotes | None = None
    constant: tuple[str, ...] = ()
    """The members that err on none of the labels, or on all."""


def count_effective_votes(errors: Mapping[str, Sequence[bool]]) -> EffectiveVotes:
    """
    Compute n / (1 + (n - 1) r), r the mean correlation of the members' errors (arXiv 2605.29800).

    Args:
        errors: of each member, whether it erred, on the same labelled items in the same order.

    Raises:
        ValueError: there are fewer than two members, or they stand beside different items.

    >>> alike = [True, False] * 10
    >>> count_effective_votes({"a": alike, "b": alike, "c": alike}).value
    1.0
    >>> apart = [True, True, False, False] * 5
    >>> count_effective_votes({"a": alike, "b": apart}).value
    2.0
    >>> count_effective_votes({"a": alike, "b": [False] * 20}).reason.value
    'CONSTANT'
    """
    lengths = {len(row) for row in errors.values()}
    if len(errors) < 2 or len(lengths) != 1:
        raise ValueError("a panel has two members at least, all beside the same items")
    number, labels = len(errors), lengths.pop()
    constant = tuple(name for name, row in errors.items() if len(set(row)) < 2)
    if labels < LEAST_LABELS:
        return EffectiveVotes(number, labels, reason=WhyNoVotes.TOO_FEW)
    if constant:
        return EffectiveVotes(number, labels, reason=WhyNoVotes.CONSTANT, constant=constant)
    pairs = [correlate(a, b) for a, b in combinations(errors.values(), 2)]
    mean = math.fsum(pairs) / len(pairs)
    if mean < 0:
        return EffectiveVotes(number, labels, correlation=mean, reason=WhyNoVotes.NEGATIVE)
    return EffectiveVotes(number, labels, number / (1 + (number - 1) * mean), mean)


def correlate(first: Sequence[bool], second: Sequence[bool]) -> float:
    """
    Correlate two that are true or false (Pearson's, which is phi here); neither is constant.

    >>> correlate([True, False, True, False], [True, False, False, False])
    0.5773502691896258
    """
    count = len(first)
    ours, theirs = sum(first), sum(second)
    both = sum(a and b for a, b in zip(first, second, strict=True))
    spread = ours * (count - ours) * theirs * (count - theirs)
    # In integers up to here: what is exactly uncorrelated is 0, and not a little less.
    return (count * both - ours * theirs) / math.sqrt(spread)


# --- Whether it beats its best member -------------------------------------------------------


class Beats(StrEnum):
    """Whether a panel beats its best member."""

    YES = "YES"
    NO = "NO"
    CANT_TELL = "CANT_TELL"
    """One of the halves has too few labels, or none that is right, or none that is wrong."""


@dataclass(frozen=True, slots=True)
class MemberScore:
    """How often one member agreed with people where it was chosen by that."""

    name: str
    right: int


@dataclass(frozen=True, slots=True)
class BesideBest:
    """A panel beside its best member, who is chosen by one half of the labels."""

    choosing: int
    """Labels of the half by which the best member was chosen, all members having a verdict."""
    scores: tuple[MemberScore, ...]
    """Of the members in that half, in the panel's order."""
    best: str
    """The first of those with the most right; empty where there are too few labels."""
    reporting: int
    """Labels of the other half, panel and best member having a verdict."""
    panel_right: int
    best_right: int
    only_panel: int
    """Labels on which the panel alone is right."""
    only_best: int
    is_mixed: bool
    """Whether labels of that half say right and wrong: else who always says one can't lose."""

    @property
    def outcome(self) -> Beats:
        """Say whether the panel is right more often than its best member, on the other half."""
        if min(self.choosing, self.reporting) < LEAST_OF_A_HALF or not self.is_mixed:
            return Beats.CANT_TELL
        return Beats.YES if self.panel_right > self.best_right else Beats.NO


def compare_with_best(cases: Sequence[PanelCase], members: Sequence[str]) -> BesideBest:
    """
    Choose a panel's best member on one half of the labels, and compare both on the other.

    Of members that are equally good the first is taken. Where one of the two compared has no
    verdict, the label counts for neither.
    """
    choosing, reporting = split(cases, lambda one: one.problem)
    full = [one for one in choosing if all(one.members.get(name) is not None for name in members)]
    scores = tuple(
        MemberScore(name, sum(one.members[name] is one.truth for one in full)) for name in members
    )
    best = max(scores, key=lambda one: one.right).name if len(full) >= LEAST_OF_A_HALF else ""
    counted = [
        one
        for one in reporting
        if best and one.said is not None and one.members.get(best) is not None
    ]
    both = [(one.said is one.truth, one.members[best] is one.truth) for one in counted]
    return BesideBest(
        choosing=len(full),
        scores=scores,
        best=best,
        reporting=len(both),
        panel_right=sum(panel for panel, _best in both),
        best_right=sum(member for _panel, member in both),
        only_panel=sum(panel and not member for panel, member in both),
        only_best=sum(member and not panel for panel, member in both),
        is_mixed=len({one.truth for one in counted}) > 1,
    )


# --- Both -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PanelWorth:
    """What is known of a panel from labels."""

    votes: EffectiveVotes
    beside_best: BesideBest

    @property
    def may_rank(self) -> bool:
        """Tell whether it may rank anybody: only one that is better than its best member."""
        return self.beside_best.outcome is Beats.YES


def weigh_panel(cases: Sequence[PanelCase], members: Sequence[str]) -> PanelWorth:
    """Say what a panel is worth by labelled items on which its members voted."""
    full = [one for one in cases if all(one.members.get(name) is not None for name in members)]
    errors = {name: [one.members[name] is not one.truth for one in full] for name in members}
    return PanelWorth(count_effective_votes(errors), compare_with_best(cases, members))
