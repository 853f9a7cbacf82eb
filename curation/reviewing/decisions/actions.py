"""Give a rejected problem back to its author."""

from django.db import transaction
from django.utils.translation import gettext as _

from curation.problems.models import Problem
from curation.problems.permissions import can_reopen
from curation.reviewing.decisions import interests
from curation.texts.workflow import NotAllowedNow, Step
from phybench.people.models import User


@transaction.atomic
def reopen(*, problem: Problem, admin: User, reason: str) -> None:
    """
    Give a rejected problem back to its author, who revises and submits it again.

    Raises:
        NotAllowedNow: it is not rejected, not theirs to reopen, or there is no reason.
    """
    problem = problem.locked()
    if not can_reopen(admin, problem):
        raise NotAllowedNow(
            interests.say_who_decides(admin, problem)
            or _("This problem is not rejected, or you may not reopen it.")
        )
    if not reason.strip():
        raise NotAllowedNow(_("Say why."))
    last = problem.revisions.submitted().latest("number")
    problem.take_step(Step.REOPEN, revision=last, actor=admin, note=reason.strip())
