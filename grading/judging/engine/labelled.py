"""
Labelled items of one judge: what is said of its panel, and of how sure its verdicts are.

The same for runs over files and over rows: both make their cases here, from what records and
judgements keep alike.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grading.judging.engine.steadiness import Votes, hear, settle
from phybench_grader.judges.kinds import of_verdict
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.panels import PanelCase, PanelWorth, weigh_panel
from phybench_grader.statistics.risk_coverage import RiskCase, RiskCoverage, draw_curve

CURVE_HEADER = (
    "half", "sureness_from", "labels", "covered", "wrong", "coverage", "coverage_low",
    "coverage_high", "risk", "risk_low", "risk_high", "is_chosen",
)  # fmt: skip
"""Of a curve as a table: each threshold on each half of the labels."""


@dataclass(frozen=True, slots=True)
class LabelledItem:
    """What people say of an item, and what a judge kept of it."""

    problem: str
    """What it answers: items of one problem are not independent."""
    truth: bool
    verdict: Mapping[str, Any] | None
    votes: Votes = ()
    is_by_rule: bool = False

    @property
    def said(self) -> bool | None:
        if self.verdict is None:
            return None
        return of_verdict(self.verdict).says_right(self.verdict)


def weigh(items: Iterable[LabelledItem], members: Iterable[str] = ()) -> PanelWorth | None:
    """
    Say what a panel is worth by the items on which its members voted; None of a single judge.

    Items that the rules decided have no votes, and say nothing of the panel.

    Args:
        members: of the panel, where they are known before any has voted.
    """
    cases = []
    names = dict.fromkeys(members)
    for one in items:
        if one.votes:
            settled = settle(hear(one.votes))
            names |= dict.fromkeys(settled)
            sides = {name: found.side is True if found else None for name, found in settled.items()}
            cases.append(PanelCase(one.problem, one.truth, one.said, sides))
    return weigh_panel(cases, list(names)) if len(names) > 1 else None


def draw(items: Iterable[LabelledItem], *, most_risk: float) -> RiskCoverage:
    """Draw a judge's risk against its coverage."""
    cases = [RiskCase(one.problem, one.truth, one.said, measure_sureness(one)) for one in items]
    return draw_curve(cases, most_risk=most_risk)


def list_curve_rows(curve: RiskCoverage) -> Iterator[list[object]]:
    """Write a curve as the rows of a table."""
    for point in curve.points:
        for name, half in (("choosing", point.choosing), ("reporting", point.reporting)):
            yield [
                name,
                point.threshold,
                half.labels,
                half.covered,
                half.wrong,
                *_write_mean(half.coverage),
                *_write_mean(half.risk),
                point is curve.chosen,
            ]


def _write_mean(mean: Mean) -> tuple[float | None, float | None, float | None]:
    return mean.value, mean.low, mean.high


def measure_sureness(item: LabelledItem) -> float | None:
    """
    Measure how sure a verdict is: by itself, where it is a number, else by the votes for it.

    A vote that is missing is none for it, and the rules are as sure as one can be. One judge that
    is asked once and says yes or no does not say how sure it is.

    >>> yes, no = ({"judge": "one", "verdict": {"is_correct": one}} for one in (True, False))
    >>> measure_sureness(LabelledItem("1", True, yes["verdict"], [yes, yes, no, yes]))
    0.75
    """
    if item.verdict is None:
        return None
    if item.is_by_rule:
        return 1.0
    kind = of_verdict(item.verdict)
    own = kind.measure_sureness(item.verdict)
    if own is not None:
        return own
    return _share_votes(item.votes, kind.take_side(item.verdict)) if item.votes else None


def _share_votes(votes: Votes, side: object) -> float:
    given: Sequence[Any] = [vote.get("verdict") for vote in votes]
    agreeing = [one for one in given if one and of_verdict(one).take_side(one) == side]
    return len(agreeing) / len(given)
