"""What a file of labels says of a panel, and of how sure a judge's verdicts are."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from grading.judging.engine.labelled import LabelledItem
from grading.judging.files.calibration import Ruled
from phybench_grader.statistics.panels import PanelWorth
from phybench_grader.statistics.risk_coverage import CurvePoint, HalfPoint, RiskCoverage

MOST_RISK = 10.0
"""Per cent of verdicts that may be wrong at the threshold that is chosen."""


def list_labelled(ruled: Sequence[Ruled]) -> list[LabelledItem]:
    """List the items that people call right or wrong, with what the judge kept of each."""
    return [
        LabelledItem(
            one.problem,
            truth,
            one.record.verdict if one.record else None,
            one.record.votes if one.record else (),
            is_by_rule=one.record is not None and one.record.stage == "rule",
        )
        for one in ruled
        if (truth := one.label.is_right) is not None
    ]


def write_panel(found: PanelWorth | None) -> dict[str, Any] | None:
    """Write what a panel is worth as JSON has it; null of a single judge."""
    if found is None:
        return None
    votes = asdict(found.votes)
    votes["reason"] = found.votes.reason.lower() if found.votes.reason else None
    beside = {**asdict(found.beside_best), "outcome": found.beside_best.outcome.lower()}
    return {"effective_votes": votes, "beside_best": beside, "may_rank": found.may_rank}


def write_curve(found: RiskCoverage) -> dict[str, Any]:
    """Write a curve as JSON has it."""
    return {
        "most_risk": found.most_risk,
        "reason": found.reason.lower() if found.reason else None,
        "threshold": found.chosen.threshold if found.chosen else None,
        "points": [_write_point(one) for one in found.points],
    }


def _write_point(point: CurvePoint) -> dict[str, Any]:
    return {
        "threshold": point.threshold,
        "choosing": _write_half(point.choosing),
        "reporting": _write_half(point.reporting),
    }


def _write_half(half: HalfPoint) -> dict[str, Any]:
    return {**asdict(half), "coverage": half.coverage.value, "risk": half.risk.value}
