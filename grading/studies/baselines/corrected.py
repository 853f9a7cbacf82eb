"""
The headline of a study beside two other ways to count.

Repaired: an unreadable answer counts as somebody blind to the key takes it to be meant. Without
slips: a wrong answer that its person calls a slip does not count, as GPQA (Rein and others, arXiv
2311.12022) reports both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import Any

from django.db.models import Exists, OuterRef

from grading.answers.models import Grade, VerdictChoice
from grading.studies.debriefings.models import Debriefing
from grading.studies.models import Study
from grading.studies.repairs.models import Repair
from grading.studies.sessions.models import SessionItem
from phybench_grader.statistics.studies import Came, SatProblem, StudyFigures, summarise


@dataclass(frozen=True, slots=True)
class Corrected:
    """Figures of those whom the study's rules keep, counted otherwise."""

    repaired: StudyFigures
    unreadable: int
    """Answers that could not be read; each is one of the following, or counts 0 as it is."""
    mended: int
    hopeless: int
    not_graded: int
    """Repaired, and not graded yet, or we could not."""
    without_slips: StudyFigures
    wrong: int
    slips: int
    beliefs: int

    @property
    def to_repair(self) -> int:
        return self.unreadable - self.mended - self.hopeless - self.not_graded


def correct(study: Study, kept: Sequence[SatProblem]) -> Corrected:
    """Count the answers of these people once more, with what was said afterwards."""
    said = _find_said(study)
    repaired = [_repair(row, said.get((row.person, row.problem))) for row in kept]
    own = [one for row in kept if (one := said.get((row.person, row.problem)))]
    states = [one["repair__state"] for one in own if one["is_unreadable"]]
    causes = [one["debriefing__cause"] for one in own]
    wrong = [row for row in kept if row.came == Came.WRONG]
    slips = {
        (one["person"], one["problem"])
        for one in own
        if one["debriefing__cause"] == Debriefing.Cause.SLIP
    }
    discounted = [row for row in wrong if (row.person, row.problem) in slips]
    gone = {(row.person, row.problem) for row in discounted}
    return Corrected(
        repaired=summarise(repaired),
        unreadable=len(states),
        mended=states.count(Repair.State.GRADED),
        hopeless=states.count(Repair.State.HOPELESS),
        not_graded=states.count(Repair.State.QUEUED) + states.count(Repair.State.FAILED),
        without_slips=summarise([row for row in kept if (row.person, row.problem) not in gone]),
        wrong=len(wrong),
        slips=len(discounted),
        beliefs=causes.count(Debriefing.Cause.BELIEF),
    )


def _find_said(study: Study) -> dict[tuple[int, int], dict[str, Any]]:
    """Find what was said of each problem of a session: by whom it was sat, and which it is."""
    unreadable = Grade.objects.current().filter(
        attempt=OuterRef("attempt"), verdict=VerdictChoice.UNREADABLE
    )
    items = SessionItem.objects.filter(session__participation__study=study).annotate(
        is_unreadable=Exists(unreadable)
    )
    rows = items.order_by().values(
        *("session__participation", "study_item__item__problem", "is_unreadable"),
        *("repair__state", "repair__accuracy", "repair__eed", "debriefing__cause"),
    )
    found = {}
    for row in rows:
        key = row.pop("session__participation"), row.pop("study_item__item__problem")
        found[key] = {**row, "person": key[0], "problem": key[1]}
    return found


def _repair(row: SatProblem, said: dict[str, Any] | None) -> SatProblem:
    if said is None or not said["is_unreadable"]:
        return row
    match said["repair__state"]:
        case Repair.State.GRADED:
            return replace(row, accuracy=said["repair__accuracy"], eed=said["repair__eed"])
        case Repair.State.QUEUED | Repair.State.FAILED:
            return replace(row, accuracy=nan, eed=nan)
    return row
