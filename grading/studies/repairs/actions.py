"""Say what an unreadable answer was meant to say."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _

from curation.texts.workflow import NotAllowedNow
from grading.studies.models import Study
from grading.studies.permissions import runs_studies
from grading.studies.repairs.models import Repair
from grading.studies.repairs.permissions import list_to_repair
from grading.studies.repairs.tasks import GRADING
from grading.studies.sessions.models import SessionItem
from phybench.people.models import User
from phybench.work.models import Priority
from phybench.work.tasks import wake

LONGEST = 4_000


@transaction.atomic
def repair(*, item: SessionItem, by: User, meant: str) -> Repair:
    """
    Keep what an answer was meant to say; empty where that can't be made out. It is said once.

    Raises:
        PermissionDenied: it is not unreadable, or `by` has seen the key or written the answer.
        NotAllowedNow: somebody has said it meanwhile.
    """
    SessionItem.objects.select_for_update(no_key=True).get(pk=item.pk)
    if Repair.objects.filter(item=item).exists():
        raise NotAllowedNow(_("Somebody has repaired this answer meanwhile."))
    if not list_to_repair(by).filter(pk=item.pk).exists():
        raise PermissionDenied(
            _(
                "You can’t repair this answer: you know the reference answer, or the answer is "
                "yours."
            )
        )
    text = meant.strip()[:LONGEST]
    state = Repair.State.QUEUED if text else Repair.State.HOPELESS
    made = Repair.objects.create(item=item, meant=text, by=by, state=state, priority=Priority.SOON)
    if text:
        wake(GRADING, [made])
    return made


@transaction.atomic
def grade_again(*, study: Study, by: User) -> int:
    """
    Queue the repaired answers of a study anew that could not be graded.

    Raises:
        PermissionDenied: `by` runs no studies.
    """
    if not runs_studies(by):
        raise PermissionDenied(_("Only admins run studies."))
    failed = Repair.objects.filter(
        item__session__participation__study=study, state=Repair.State.FAILED
    )
    rows = list(failed.select_for_update(no_key=True))
    Repair.objects.filter(pk__in=[one.pk for one in rows]).update(
        state=Repair.State.QUEUED, failure_reason="", failure_message=None, lost=0
    )
    wake(GRADING, rows)
    return len(rows)
