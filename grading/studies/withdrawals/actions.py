"""Withdraw from a study: what somebody wrote in it is deleted, and they are forgotten."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import pgtrigger
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import PROTECT, Exists, ForeignObjectRel, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from grading.answers.models import Attempt, Grade
from grading.answers.permissions import list_own_answers
from grading.answers.runs.models import Ungraded
from grading.solvers.models import Solver
from grading.studies.actions import tell_results
from grading.studies.debriefings.models import Debriefing
from grading.studies.letters.models import Letter, LettersOff
from grading.studies.models import Participation
from grading.studies.permissions import is_own
from grading.studies.repairs.models import Repair
from grading.studies.sessions.actions import note_sitting
from grading.studies.sessions.models import Exclusion, Extension, Save, Session, SessionItem, Trace
from phybench.people.models import User

OWN = (Grade, Ungraded, SessionItem)
"""What an answer comes with: it goes with the answer."""
APPEND_ONLY = (
    "grading.Grade:grade_is_append_only",
    "grading.Ungraded:reason_of_a_run_that_counted_stays",
    "grading.Attempt:answer_is_frozen",
)
"""Of what is kept for good otherwise; that somebody takes their consent back goes before it."""


def list_work() -> list[ForeignObjectRel]:
    """
    List what rows others made of an answer: it stays for them, without its name.

    Those rooms are above this one, so the rows are asked and not named: all that protect it.
    """
    return [
        one
        for one in Attempt._meta.related_objects
        if one.on_delete is PROTECT and one.related_model not in OWN
    ]


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What became of somebody's answers."""

    deleted: int
    unnamed: int
    """Kept without their name, since others have worked on them."""


@transaction.atomic
def withdraw(
    *, participation: Participation, person: User, at: datetime | None = None
) -> Withdrawn:
    """
    Delete what somebody wrote in a study, and forget who they were.

    What remains: that somebody withdrew and when, which problems they were shown, that they want no
    e-mails about the study, figures that were published, backups until they are overwritten, and
    without their name those answers that others have worked on.

    Args:
        at: when, where that is not now: in a study that is simulated.

    Raises:
        PermissionDenied: it is somebody else who takes part.
    """
    own = Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
    if not is_own(person, own):
        raise PermissionDenied(_("Somebody else takes part here."))
    session = Session.objects.select_for_update(no_key=True).filter(participation=own).first()
    attempts: list[int] = []
    if session is not None:
        items = SessionItem.objects.filter(session=session)
        # With those that a late answer took the place of.
        revisions = items.values("study_item__item__revision")
        found = list_own_answers(person).filter(revision__in=revisions)
        attempts = list(found.values_list("pk", flat=True))
        for rows in (Save, Trace, Debriefing, Repair):
            rows._default_manager.filter(item__in=items).delete()
        items.delete()
        Extension.objects.filter(session=session).delete()
        session.delete()
        if session.ended_at is None:
            tell_results(own.study, at)
        note_sitting(person)
    Exclusion.objects.filter(participation=own).delete()
    own.study.invitations.filter(person=person).delete()
    Letter.objects.filter(study=own.study, person=person).delete()
    # Else who is put on the list again by mistake is written to.
    LettersOff.objects.get_or_create(study=own.study, person=person)
    withdrawn = _delete_answers(attempts)
    Participation.objects.filter(pk=own.pk).update(
        person=None, answers={}, withdrawn_at=at or timezone.now()
    )
    return withdrawn


def _delete_answers(attempts: Iterable[int]) -> Withdrawn:
    held = Attempt.objects.select_for_update(no_key=True).filter(pk__in=attempts)
    worked_on = Q()
    for work in list_work():
        rows = work.field.model._default_manager.filter(**{work.field.name: OuterRef("pk")})
        worked_on |= Q(Exists(rows))
    kept = list(held.filter(worked_on).values_list("pk", flat=True))
    gone = list(held.exclude(pk__in=kept).values_list("pk", flat=True))
    with pgtrigger.ignore(*APPEND_ONLY):
        Grade.objects.filter(attempt__in=gone).delete()
        Ungraded.objects.filter(attempt__in=gone).delete()
        Attempt.objects.filter(pk__in=gone).delete()
        if kept:
            nobody = Solver.objects.create(name=_("somebody who withdrew"), kind=Solver.Kind.HUMAN)
            Attempt.objects.filter(pk__in=kept).update(solver=nobody, told_at=None)
    return Withdrawn(len(gone), len(kept))
