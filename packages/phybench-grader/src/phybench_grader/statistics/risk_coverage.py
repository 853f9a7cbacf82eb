"""
Risk and coverage: how often a judge errs, if only its surer verdicts are taken.

Pure: no Django, no database. After R. El-Yaniv and Y. Wiener, J. Mach. Learn. Res. 11, 1605 (2010).
The threshold is chosen on one half of the labels and reported on the other: on the half by which it
was chosen it looks better than it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from phybench_grader.statistics.halves import LEAST_OF_A_HALF, split
from phybench_grader.statistics.metrics import FULL, Mean


@dataclass(frozen=True, slots=True)
class RiskCase:
    """One labelled item, with what a judge said and how sure it was."""

    problem: str
    """By it the labels are divided in two halves."""
    truth: bool
    said: bool | None
    sureness: float | None
    """0 to 1; None where it said nothing, or not how sure it is."""


class WhyNoCurve(StrEnum):
    """Why no threshold can be chosen."""

    ALL_ALIKE = "ALL_ALIKE"
    """All verdicts are equally sure, or nothing says how sure they are."""
    TOO_FEW = "TOO_FEW"
    """One of the halves has too few labels with a verdict."""


@dataclass(frozen=True, slots=True)
class HalfPoint:
    """What one half of the labels says of one threshold."""

    labels: int
    """Of the half, those without a verdict among them."""
    covered: int
    wrong: int

    @property
    def coverage(self) -> Mean:
        """Share of the labels with a verdict that is sure enough, in per cent."""
        return _share(self.covered, self.labels)

    @property
    def risk(self) -> Mean:
        """Share of those verdicts that people contradict, in per cent."""
        return _share(self.wrong, self.covered)


def _share(part: int, whole: int) -> Mean:
    return Mean.of_shares([FULL] * part + [0.0] * (whole - part))


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One threshold: verdicts at least so sure are taken."""

    threshold: float
    choosing: HalfPoint
    reporting: HalfPoint


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """A judge's curve on both halves, and the threshold that was chosen on one of them."""

    points: tuple[CurvePoint, ...]
    """The surest first."""
    most_risk: float
    """Per cent that the chosen threshold may err, on the half where it is chosen."""
    chosen: CurvePoint | None = None
    """The one that covers most within that risk; None where none does."""
    reason: WhyNoCurve | None = None
    """Why none is chosen, where that is not for its risk."""


def draw_curve(cases: Sequence[RiskCase], *, most_risk: float) -> RiskCoverage:
    """
    Follow risk and coverage over all thresholds, and choose one on a half of the labels.

    >>> cases = [RiskCase(str(n), True, n % 4 > 0, 0.5 if n % 4 == 0 else 1.0) for n in range(80)]
    >>> found = draw_curve(cases, most_risk=10.0)
    >>> found.chosen.threshold, found.chosen.reporting.risk.value
    (1.0, 0.0)
    """
    choosing, reporting = split(cases, lambda one: one.problem)
    sure = {one.sureness for one in cases if one.said is not None}
    levels = sorted((one for one in sure if one is not None), reverse=True)
    points = tuple(
        CurvePoint(level, _count(choosing, level), _count(reporting, level)) for level in levels
    )
    if len(points) < 2:
        return RiskCoverage(points, most_risk, reason=WhyNoCurve.ALL_ALIKE)
    least = points[-1]
    if min(least.choosing.covered, least.reporting.covered) < LEAST_OF_A_HALF:
        return RiskCoverage(points, most_risk, reason=WhyNoCurve.TOO_FEW)
    allowed = [
        one
        for one in points
        if one.choosing.risk.value is not None and one.choosing.risk.value <= most_risk
    ]
    return RiskCoverage(points, most_risk, max(allowed, key=_find_covered, default=None))


def _find_covered(point: CurvePoint) -> int:
    return point.choosing.covered


def _count(half: Sequence[RiskCase], level: float) -> HalfPoint:
    taken = [
        one
        for one in half
        if one.said is not None and one.sureness is not None and one.sureness >= level
    ]
    return HalfPoint(len(half), len(taken), sum(one.said is not one.truth for one in taken))
