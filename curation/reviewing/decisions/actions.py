"""Decide a round instead of its rule, or give a rejected problem back to its author."""

from django.db import transaction
from django.utils.translation import gettext as _

from curation.problems.models import Problem
from curation.problems.permissions import can_reopen
from curation.reviewing.assignments.permissions import Prospects
from curation.reviewing.decisions import interests
from curation.reviewing.decisions.permissions import can_override, can_skip_stages
from curation.reviewing.rounds.lifecycle import ask_one_more, close, shrink
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import OVERRIDES, STAYING, NotAllowedNow, Step
from phybench.people.models import User


@transaction.atomic
def override(*, review_round: ReviewRound, admin: User, step: str, reason: str) -> None:
    """
    Decide a round instead of its rule.

    Args:
        admin: or, of a split that no admin may decide, a reviewer without a part in it.
        step: `PASS` this stage, `ACCEPT` the problem whatever stages are to come (an admin alone
            may), `RETURN` it to its author, `REJECT` it, `ASK` one more person of a split, or have
            what nobody can finish do with fewer (`SHRINK`).
        reason: kept, and shown as that of an override.

    Raises:
        NotAllowedNow: it is closed meanwhile, not theirs to decide, or no reason is given.
    """
    review_round = review_round.locked()
    if not can_override(admin, review_round):
        raise NotAllowedNow(
            interests.say_who_decides(admin, review_round.revision.problem)
            or _("This stage is closed, or you may not decide it.")
        )
    if step not in (*OVERRIDES, *STAYING):
        raise NotAllowedNow(_("Choose an outcome."))
    if step == Step.ACCEPT and not can_skip_stages(admin):
        raise NotAllowedNow(_("Only an admin skips the remaining stages."))
    if not reason.strip():
        raise NotAllowedNow(_("Say why you decide instead of the reviewers."))
    if step in OVERRIDES:
        close(review_round, Step(step), decided_by=admin, reason=reason.strip())
    elif step == Step.SHRINK:
        _shrink(review_round, admin, reason.strip())
    elif review_round.was_split:
        ask_one_more(review_round, admin, reason.strip())
    else:
        raise NotAllowedNow(_("It still waits for a review: no one else has to be asked."))


def _shrink(review_round: ReviewRound, admin: User, reason: str) -> None:
    smaller = Prospects([review_round]).find_smaller(review_round)
    if smaller is None:
        raise NotAllowedNow(_("No smaller plan helps here: decide it, or invite somebody."))
    reviews, solves = smaller
    if not reviews:
        close(review_round, Step.PASS, decided_by=admin, reason=reason)
        return
    shrink(review_round, admin, reason, reviews=reviews, solves=solves)


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
