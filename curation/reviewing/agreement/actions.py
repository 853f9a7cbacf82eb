"""Decide a round in place of its rule, or note what was learned from it; kept for good."""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from curation.reviewing.agreement.models import Adjudication
from curation.reviewing.assignments.permissions import Prospects
from curation.reviewing.decisions import interests
from curation.reviewing.decisions.permissions import can_adjudicate, can_skip_stages
from curation.reviewing.rounds.lifecycle import ask_one_more, close, shrink
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import OVERRIDES, STAYING, NotAllowedNow, Step
from phybench.people.models import User


@transaction.atomic
def adjudicate(
    *,
    review_round: ReviewRound,
    admin: User,
    step: str,
    reason: str,
    known: int,
    heard: int,
) -> Adjudication:
    """
    Record what somebody made of a round, and do to it what that says.

    Sent twice, it is one adjudication.

    Args:
        admin: or, where no admin may, a reviewer without a part in it.
        step: `PASS` this stage, `ACCEPT` the problem whatever stages are to come (an admin alone
            may), `RETURN` it to its author, `REJECT` it, `ASK` one more person of a split, have
            what nobody can finish do with fewer (`SHRINK`); or "" for a note that leaves it as it
            stands.
        reason: kept, and shown as that of an override.
        known: how many adjudications of the round they had before them.
        heard: how many reviews and solves, as `count_heard` counts them.

    Raises:
        NotAllowedNow: it is not theirs, says nothing, another admin was there meanwhile, a
            reviewer has said something else since, or the round is closed and so can't be decided.
    """
    review_round = review_round.locked()
    if not can_adjudicate(admin, review_round):
        raise NotAllowedNow(
            interests.say_who_decides(admin, review_round.revision.problem)
            or _("This stage is closed, or you may not decide it.")
        )
    said = {"step": step, "reason": reason.strip()}
    if not said["reason"]:
        raise NotAllowedNow(_("Say why."))
    last = review_round.adjudications.order_by("number").last()
    if last and last.by_id == admin.pk and all(getattr(last, n) == v for n, v in said.items()):
        return last  # the same form, sent twice
    if (last.number if last else 0) != known:
        raise NotAllowedNow(_("Someone wrote here in the meantime. Read it, then decide."))
    if step and review_round.closed_at is None and count_heard(review_round) != heard:
        raise NotAllowedNow(
            _("A reviewer has said something in the meantime. Read it, then decide.")
        )
    if step:
        _decide(review_round, admin, **said)
    return review_round.adjudications.create(number=known + 1, by=admin, **said)


def _decide(review_round: ReviewRound, admin: User, *, step: str, reason: str) -> None:
    if review_round.closed_at is not None:
        raise NotAllowedNow(_("This stage is closed, or you may not decide it."))
    if step not in (*OVERRIDES, *STAYING):
        raise NotAllowedNow(_("Choose an outcome."))
    if step == Step.ACCEPT and not can_skip_stages(admin):
        raise NotAllowedNow(_("Only an admin skips the remaining stages."))
    if step in OVERRIDES:
        close(review_round, Step(step), decided_by=admin, reason=reason)
    elif step == Step.SHRINK:
        smaller = Prospects([review_round]).find_smaller(review_round)
        if smaller is None:
            raise NotAllowedNow(_("Fewer reviews do not help here: decide it, or invite somebody."))
        reviews, solves = smaller
        if reviews:
            shrink(review_round, admin, reason, reviews=reviews, solves=solves)
        else:
            close(review_round, Step.PASS, decided_by=admin, reason=reason)
    elif review_round.was_split:
        ask_one_more(review_round, admin, reason)
    else:
        raise NotAllowedNow(_("It still waits for a review: no one else has to be asked."))


def count_heard(review_round: ReviewRound) -> int:
    """Count what was said in a round: each change of a review is one more."""
    return review_round.reviews.count() + review_round.solves.count()


def reject_all(*, rounds: Collection[ReviewRound], admin: User, reason: str) -> list[ReviewRound]:
    """
    Reject what all its reviewers reject, one after the other; return what was rejected.

    Left out is what somebody else decided, or a reviewer thought better of, since they were chosen.
    """
    done = []
    for one in rounds:
        with transaction.atomic():
            review_round = one.locked()
            if not ReviewRound.objects.rejected_by_all().filter(pk=one.pk).exists():
                continue
            adjudicate(
                review_round=review_round,
                admin=admin,
                step=Step.REJECT,
                reason=reason,
                known=review_round.adjudications.count(),
                heard=count_heard(review_round),
            )
            done.append(review_round)
    return done
