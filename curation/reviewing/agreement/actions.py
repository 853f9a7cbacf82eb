"""Decide where reviews disagree, or note what was learned from it; kept for good."""

from django.db import transaction
from django.utils.translation import gettext as _

from curation import permissions
from curation.people import interests
from curation.reviewing.agreement.models import Adjudication
from curation.reviewing.rounds import actions as reviewing
from curation.reviewing.rounds.models import ReviewRound
from curation.workflow import NotAllowedNow
from phybench.models import User


@transaction.atomic
def adjudicate(
    *, review_round: ReviewRound, admin: User, step: str, finding: str, reason: str, known: int
) -> Adjudication:
    """
    Record what an admin made of a disagreement; with a step it decides the round as well.

    Sent twice, it is one adjudication.

    Args:
        step: as `reviewing.override` takes it, or "" to leave the round as it stands.
        known: how many adjudications of the round the admin had before them.

    Raises:
        NotAllowedNow: it is not theirs, says nothing, another admin was there meanwhile, or the
            round is closed and so can't be decided.
    """
    review_round = review_round.locked()
    if not permissions.can_adjudicate(admin, review_round):
        raise NotAllowedNow(
            interests.say_who_decides(admin, review_round.revision.problem)
            or _("Only an admin adjudicates.")
        )
    said = {"step": step, "finding": finding.strip(), "reason": reason.strip()}
    if not said["finding"] or not said["reason"]:
        raise NotAllowedNow(_("Say what you decide or found, and why."))
    last = review_round.adjudications.order_by("number").last()
    if last and last.by_id == admin.pk and all(getattr(last, n) == v for n, v in said.items()):
        return last  # the same form, sent twice
    if (last.number if last else 0) != known:
        raise NotAllowedNow(
            _("Someone adjudicated this in the meantime. Read their finding, then add yours.")
        )
    if step:
        reviewing.override(review_round=review_round, admin=admin, step=step, reason=said["reason"])
    return review_round.adjudications.create(number=known + 1, by=admin, **said)
