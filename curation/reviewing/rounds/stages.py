"""How far a problem has come: the stages of its newest submitted revision, done and to come."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Count

from curation.problems.models import Problem
from curation.reviewing.pipelines.models import Stage
from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import User

State = Literal["done", "open", "stopped", "ahead"]


@dataclass(frozen=True, slots=True)
class StageShown:
    """One stage of the newest submitted revision."""

    number: int
    name: str
    state: State
    decision: str = ""
    """In words; "" where none is made."""
    given: int = 0
    needed: int = 0
    due_at: datetime | None = None
    carried_from: int | None = None
    """The number of the revision whose passing still holds."""
    is_override: bool = False
    decided_by: User | None = None
    """The person who decided, if no rule did."""


def list_stages(problem: Problem) -> list[StageShown]:
    """Return the stages in order; those to come are as the pipeline has them now. Two queries."""
    rounds = list(
        ReviewRound.objects.filter(revision__problem=problem)
        .select_related("revision", "version__stage", "carried_from__revision")
        .select_related("decided_by", "disagreement")
        .annotate(given=Count("reviews__reviewer", distinct=True))
        .order_by("-revision__number", "number")
    )
    newest = [one for one in rounds if one.revision_id == rounds[0].revision_id]
    shown = [_show(one) for one in newest]
    last = newest[-1] if newest else None
    if last and last.closed_at is None:
        coming = Stage.objects.filter(
            pipeline=last.version.stage.pipeline_id, place__gt=last.number
        )
        for stage in coming.order_by("place"):
            shown.append(StageShown(stage.place, stage.title, "ahead"))
    return shown


def _show(review_round: ReviewRound) -> StageShown:
    state: State = "open"
    if review_round.closed_at:
        state = "done" if review_round.decision in {"PASS", "ACCEPT"} else "stopped"
    carried = review_round.carried_from
    return StageShown(
        review_round.number,
        review_round.version.title,
        state,
        decision=review_round.say_decision(),
        given=review_round.given,  # type: ignore[attr-defined]
        needed=review_round.reviews_needed,
        due_at=review_round.due_at,
        carried_from=carried.revision.number if carried else None,
        is_override=review_round.is_override,
        decided_by=review_round.decided_by,
    )
