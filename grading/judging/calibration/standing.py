"""
How far a judge agrees with people, with what is missing beside it, and whether it may rank.

Pure: `collecting` reads the rulings and the judgement that counts of each ruled answer.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from curation.problems.models import Difficulty, PhysicsField
from grading.judging.engine.calibration import Comparison, compare
from grading.judging.engine.labelled import LabelledItem, draw, weigh
from grading.judging.engine.steadiness import Votes
from phybench_grader.judges.empty_answers import EmptyTally
from phybench_grader.statistics.agreement import Interval
from phybench_grader.statistics.metrics import FULL
from phybench_grader.statistics.panels import PanelWorth
from phybench_grader.statistics.risk_coverage import RiskCoverage

SAMPLES = 400
"""Of intervals: a page is waited for."""

LENGTHS = (200, 1000, 5000)
"""Where answers are divided by their length, in characters."""


@dataclass(frozen=True, slots=True)
class RulingCase:
    """One answer that people have ruled on, and what a judge said of it."""

    said: bool | None
    """None where it said nothing."""
    ruled: bool
    domain: str = ""
    difficulty: str = ""
    length: int = 0
    problem: str = ""
    """By its identifier the labels are divided in two halves."""
    verdict: Mapping[str, Any] | None = None
    votes: Votes = ()
    stage: str = ""

    def label(self) -> LabelledItem:
        is_by_rule = self.stage == "RULE"
        return LabelledItem(self.problem, self.ruled, self.verdict, self.votes, is_by_rule)


@dataclass(frozen=True, slots=True)
class Slice:
    """Those of the answers that are alike in something."""

    by: str
    """`domain`, `difficulty` or `length`."""
    code: str
    label: str
    found: Comparison


@dataclass(frozen=True, slots=True)
class Calibration(Comparison):
    """The whole of it, with the interval of its kappa and the parts that it is made of."""

    kappa_interval: Interval
    slices: list[Slice]
    empty: EmptyTally
    """How the judge fared with answers that hold nothing."""
    panel: PanelWorth | None
    """None of a single judge."""
    curve: RiskCoverage

    @property
    def may_rank(self) -> bool:
        """
        Tell whether its figures may rank anybody.

        People agree with it, it accepts no empty answer, and a panel beats its best member.
        """
        is_worth_it = self.panel is None or self.panel.may_rank
        return self.agrees_enough and self.empty.may_rank and is_worth_it

    @property
    def agrees_enough(self) -> bool:
        """Tell whether people have looked at enough of it, and it agrees and covers enough."""
        value = self.agreement.value
        return (
            self.errors.count >= settings.JUDGE_LEAST_RULINGS
            and value is not None
            and value >= FULL * settings.JUDGE_LEAST_AGREEMENT
            and (self.coverage or 0.0) >= settings.JUDGE_LEAST_COVERAGE
        )


def calibrate(
    cases: Iterable[RulingCase],
    *,
    empty: EmptyTally | None = None,
    members: Iterable[str] = (),
) -> Calibration:
    """
    Compare what a judge said with what people ruled, in all and by what answers have in common.

    Args:
        empty: how it fared with empty answers; as if it was not tried, where that is left out.
        members: the names of its judges.

    >>> said = [(True, True), (False, True), (None, False), (False, False)]
    >>> found = calibrate(RulingCase(*one) for one in said)
    >>> found.missing_wrong, found.agreement.count, found.bounds
    (1, 3, (50.0, 75.0))
    """
    cases = list(cases)
    found = _compare(cases)
    labelled = [one.label() for one in cases]
    most_risk = round(FULL * (1 - settings.JUDGE_LEAST_AGREEMENT), 6)
    return Calibration(
        found.pairs,
        found.errors,
        found.missing_right,
        found.missing_wrong,
        kappa_interval=found.find_kappa_interval(samples=SAMPLES),
        slices=list(_slice(cases)),
        empty=EmptyTally() if empty is None else empty,
        panel=weigh(labelled, members),
        curve=draw(labelled, most_risk=most_risk),
    )


def _compare(cases: Iterable[RulingCase]) -> Comparison:
    return compare((one.said, one.ruled) for one in cases)


def _slice(cases: Sequence[RulingCase]) -> Iterable[Slice]:
    """Divide the answers by domain, difficulty and length, each into those parts that there are."""
    for domain in PhysicsField:
        if part := [one for one in cases if one.domain == domain]:
            yield Slice("domain", domain, str(domain.label), _compare(part))
    for code, label in [*Difficulty.choices, ("", _("no difficulty"))]:
        part = [one for one in cases if one.difficulty == code]
        # Where nobody gave one there is nothing to divide by.
        if part and (code or len(part) < len(cases)):
            yield Slice("difficulty", code or "NONE", str(label), _compare(part))
    for low, high in zip((0, *LENGTHS), (*LENGTHS, None), strict=True):
        part = [one for one in cases if low < one.length or low == one.length == 0]
        part = [one for one in part if high is None or one.length <= high]
        if part:
            code = f"{low + 1 if low else 0}-{high or ''}"
            yield Slice("length", code, _say_length(low, high), _compare(part))


def _say_length(low: int, high: int | None) -> str:
    if high is None:
        return _("over %(low)s characters") % {"low": f"{low:,}"}
    if not low:
        return _("up to %(high)s characters") % {"high": f"{high:,}"}
    return _("%(low)s to %(high)s characters") % {"low": f"{low + 1:,}", "high": f"{high:,}"}
