"""Say how sound a part of a problem is."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _

from curation.problems import interests
from curation.problems.models import Revision
from curation.texts.workflow import NotAllowedNow
from grading.board.items.models import ItemAssessment, Soundness
from grading.board.permissions import assesses_items
from phybench.people.models import User


@transaction.atomic
def assess(
    *, revision: Revision, part: str, soundness: str, reason: str, by: User
) -> ItemAssessment:
    """
    Write down what somebody says of a part of a problem. Sent twice, it is one.

    Raises:
        PermissionDenied: they are neither an admin nor a reviewer of it.
        NotAllowedNow: they have a part in it, and would clear it.
    """
    # The second of two waits for the first, and finds what was said.
    problem = revision.problem.locked()
    if not assesses_items(by, problem):
        raise PermissionDenied(
            _("Only admins and reviewers of the problem can assess how sound it is.")
        )
    if soundness != Soundness.UNCERTAIN and (why_not := interests.say_who_decides(by, problem)):
        raise NotAllowedNow(why_not)
    said = {"part": part, "soundness": soundness, "reason": reason, "by": by}
    last = revision.assessments.filter(part=part).first()
    if last and (last.soundness, last.reason, last.by_id) == (soundness, reason, by.pk):
        return last
    return ItemAssessment.objects.create(revision=revision, **said)
