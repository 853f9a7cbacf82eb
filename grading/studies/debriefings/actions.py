"""Keep what somebody says of a problem, and put together what was said of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Avg, Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.models import Problem
from curation.texts.workflow import NotAllowedNow
from grading.studies.debriefings.models import Debriefing
from grading.studies.sessions.models import SessionItem
from grading.studies.sessions.permissions import may_sit
from phybench.people.models import User


@transaction.atomic
def say(*, item: SessionItem, person: User, said: Mapping[str, Any]) -> None:
    """
    Keep what somebody says of a problem that they sat; what they say later takes its place.

    Raises:
        PermissionDenied: it is of somebody else's session.
        NotAllowedNow: the session goes on.
    """
    if not may_sit(person, item.session):
        raise PermissionDenied(_("This session is somebody else’s."))
    if item.session.ended_at is None:
        raise NotAllowedNow(_("Say this after the session."))
    if any(said.values()) or Debriefing.objects.filter(item=item).exists():
        Debriefing.objects.update_or_create(item=item, defaults={**said, "at": timezone.now()})


@dataclass(frozen=True, slots=True)
class Said:
    """What people said of a problem after they sat it."""

    sat: int
    """Sessions that have ended and had the problem."""
    clarity: float | None
    rigour: float | None
    rated: int
    opinions: dict[str, int]
    """How often the key was called right, wrong, or they were not sure."""
    slips: int
    beliefs: int
    comments: list[tuple[str, str]]
    """What they think of the key, and their words."""


def collect(problem: Problem) -> Said:
    """Put together what was said of a problem, over all studies."""
    items = SessionItem.objects.filter(
        study_item__item__problem=problem, session__ended_at__isnull=False
    )
    found = Debriefing.objects.filter(item__in=items)
    counts = found.aggregate(
        mean_clarity=Avg("clarity"),
        mean_rigour=Avg("rigour"),
        rated=Count("pk", filter=Q(clarity__isnull=False) | Q(rigour__isnull=False)),
        **{
            opinion: Count("pk", filter=Q(key_opinion=opinion))
            for opinion in Debriefing.KeyOpinion.values
        },
        slips=Count("pk", filter=Q(cause=Debriefing.Cause.SLIP)),
        beliefs=Count("pk", filter=Q(cause=Debriefing.Cause.BELIEF)),
    )
    # Not in the order in which they sat: it would tell who said what.
    comments = [
        (one.get_key_opinion_display(), one.comment)
        for one in found.exclude(comment="").order_by("key_opinion", "comment")
    ]
    return Said(
        sat=items.count(),
        clarity=counts["mean_clarity"],
        rigour=counts["mean_rigour"],
        rated=counts["rated"],
        opinions={name: counts[name] for name in Debriefing.KeyOpinion.values},
        slips=counts["slips"],
        beliefs=counts["beliefs"],
        comments=comments,
    )
