"""Saves that came after the end of a session: list them, and count one, with a reason."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypedDict, cast

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Least
from django.utils.translation import gettext as _

from curation.texts.workflow import NotAllowedNow
from grading.answers.actions import replace_answer
from grading.studies.actions import tell_results
from grading.studies.models import Deviation, Study
from grading.studies.permissions import runs_studies
from grading.studies.sessions.models import Save, Session, SessionItem
from phybench.people.models import User

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

LATE_ANSWER = "late_answer"
"""What the deviations of such answers are called."""


class Lateness(TypedDict):
    """What `list_late` adds to a save."""

    late_by: timedelta
    """Since its session took no more."""
    newest: int | None
    """The number of the last answer of its problem, in time or not."""
    counting: int | None
    """The number of the last one in time."""


def list_late(study: Study) -> "QuerySet[WithAnnotations[Save, Lateness]]":
    """List what people of a study saved too late, the newest first."""
    answers = Save.objects.filter(item=OuterRef("item"), kind=Save.Kind.ANSWER).order_by("-number")
    found = (
        Save.objects.filter(is_late=True, item__session__participation__study=study)
        .select_related(
            "item__session__participation", "item__study_item__item__problem", "item__attempt"
        )
        .annotate(
            late_by=F("arrived_at") - Least("item__session__ended_at", "item__session__ends_at"),
            newest=Subquery(answers.values("number")[:1]),
            counting=Subquery(answers.filter(is_late=False).values("number")[:1]),
        )
        .order_by("-pk")
    )
    return cast("QuerySet[WithAnnotations[Save, Lateness]]", found)


def find_obstacle(save: Save, newest: int | None) -> str:
    """
    Say why a late save can't be counted, or "" where it can.

    Args:
        newest: the number of the last answer of its problem, in time or not.
    """
    item, session = save.item, save.item.session
    if save.kind != Save.Kind.ANSWER:
        return _("Notes are not graded.")
    if session.ended_at is None:
        return _("The session has not ended yet.")
    if session.participation.person_id is None:
        return _("This person has withdrawn.")
    if item.outcome == SessionItem.Outcome.SEEN:
        return _("The person had seen this problem before, so it does not count.")
    if item.outcome == SessionItem.Outcome.GAVE_UP:
        return _("The person gave this problem up.")
    if not save.text.strip():
        return _("This save is empty.")
    if save.number != newest:
        return _("A later save took its place.")
    if item.attempt is not None and item.attempt.response == save.text.strip():
        return _("This text counts already.")
    return ""


@transaction.atomic
def count_late(*, save: Save, by: User, why: str) -> Deviation:
    """
    Hand a late answer in as that problem's answer, as a deviation of its study.

    What counted before stays, with its grade, and counts no more.

    Raises:
        PermissionDenied: `by` runs no studies.
        NotAllowedNow: no reason is given, or the save can't be counted.
    """
    if not runs_studies(by):
        raise PermissionDenied(_("Only admins count late answers."))
    if not why.strip():
        raise NotAllowedNow(_("Say why this answer counts: the report shows it."))
    # As those who save and end do: the session first.
    Session.objects.select_for_update(no_key=True).get(pk=save.item.session_id)
    held = list_late(save.item.session.participation.study).get(pk=save.pk)
    if obstacle := find_obstacle(held, held.newest):
        raise NotAllowedNow(obstacle)
    item, session = held.item, held.item.session
    person = session.participation.person
    assert person is not None
    before = _tell(item, held.counting)
    item.attempt = replace_answer(
        revision=item.study_item.item.revision, person=person, response=held.text.strip()
    )
    item.outcome = SessionItem.Outcome.ANSWERED
    item.save(update_fields=["outcome", "attempt"])
    tell_results(session.participation.study)
    after = _tell(item, held.number)
    after |= {
        "arrived_at": _write(held.arrived_at),
        "late_by_seconds": _count_seconds(held.late_by),
    }
    return Deviation.objects.create(
        study=session.participation.study,
        field=LATE_ANSWER,
        before=before,
        after=after,
        why=why.strip()[:500],
        by=by,
    )


def _tell(item: SessionItem, save: int | None) -> dict[str, object]:
    """
    Say what counts of a problem, by numbers: no deviation repeats what people wrote.

    Nor has it the number of the answer, whose page says whose it is.
    """
    return {
        "person": item.session.participation.pseudonym,
        "problem": item.study_item.item.identifier,
        "place": item.place,
        "item": item.pk,
        "outcome": item.outcome,
        "save": save,
    }


def _write(at: datetime) -> str:
    return at.isoformat()


def _count_seconds(late_by: timedelta) -> float:
    return round(late_by.total_seconds(), 1)
