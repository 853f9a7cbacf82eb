"""What people do in a round of review: solve blind, review, change a review."""

import logging
from concurrent.futures import CancelledError

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.models import Revision
from curation.problems.typed_answers import show_reading
from curation.reviewing.rounds.lifecycle import weigh
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import can_review
from curation.reviewing.rounds.solves.models import BlindSolve, ReviewDraft, SolveKind
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow, SolveOutcome
from phybench.pages.sentences import chain
from phybench.people.models import User
from phybench.work import sandbox
from phybench_grader import GRADER_VERSION, JudgeError, Verdict, grade
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.verdict.declarations import Undeclarable

logger = logging.getLogger(__name__)


class UnreadableSolve(NotAllowedNow):
    """A blind answer that can't be read: it is not taken, so that it can be put right."""


def show_key(revision: Revision, person: User) -> None:
    """Write down that a reviewer is shown answer and solution, from now on."""
    ledger.record(person, Reason.REVIEW, revision, parts=ledger.KEY)


def solve_blind(
    *, review_round: ReviewRound, reviewer: User, kind: str, answer: str = "", reason: str = ""
) -> BlindSolve:
    """
    Take a reviewer's own answer, or why there is none, grade it at once and show them the key.

    Sent twice, the first one stays.

    Raises:
        UnreadableSolve: the answer can't be read; nothing is kept.
        NotAllowedNow: it is not theirs to solve, or they have seen the key.
    """
    _check_may_solve(review_round, reviewer)
    solve = BlindSolve(reviewer=reviewer, kind=kind, reason=reason, grader_version=GRADER_VERSION)
    solve.outcome = SolveOutcome.NO_ANSWER
    # Grading takes its time: nobody waits for the problem's row meanwhile.
    if kind == SolveKind.ANSWER:
        solve.answer = answer
        _grade(solve, review_round.revision)
    return _keep_solve(review_round, solve)


@transaction.atomic
def _keep_solve(review_round: ReviewRound, solve: BlindSolve) -> BlindSolve:
    reviewer = solve.reviewer
    review_round = review_round.locked()
    if given := review_round.solves.filter(reviewer=reviewer).first():
        return given
    _check_may_solve(review_round, reviewer)
    solve.round = review_round
    # While it was graded others may have spoken; by this the letters of reviewers are dealt.
    solve.solved_at = timezone.now()
    solve.save()
    show_key(review_round.revision, reviewer)
    weigh(review_round)
    review_round.drafts.filter(reviewer=reviewer, kind=ReviewDraft.Kind.SOLVE).delete()
    return solve


def _check_may_solve(review_round: ReviewRound, reviewer: User) -> None:
    if not review_round.version.is_blind or not can_review(reviewer, review_round):
        raise NotAllowedNow(
            _("You can’t solve this blind: the stage is closed, or you have seen the answer.")
        )


def _grade(solve: BlindSolve, revision: Revision) -> None:
    """Grade an answer in a child process; what is no fault of the answer's could not be told."""
    reference = revision.reference
    solve.outcome = SolveOutcome.NOT_TOLD
    try:
        judgement = sandbox.run(
            grade,
            solve.answer,
            reference.answer,
            declared=reference.question,
            deadline=settings.GRADING_DEADLINE_SECONDS,
        )
    except Undeclarable as error:
        solve.not_told_reason, solve.message = "reference_unreadable", error.message
        return
    except JudgeError as error:
        solve.answer_read, solve.answer_typed = error.answer_read, error.answer_typed
        solve.not_told_reason, solve.message = error.reason, error.message
        return
    except sandbox.Stopped as stopped:
        solve.not_told_reason, solve.message = stopped.reason, Sentence("solving_stopped")
        return
    except CancelledError:
        raise
    except Exception:
        logger.exception("grading %.200r against revision %d", solve.answer, revision.pk)
        solve.not_told_reason, solve.message = "grader_error", Sentence("grader_failed")
        return
    if judgement.verdict is Verdict.UNREADABLE:
        raise UnreadableSolve(
            _("This answer can’t be read, so it is not submitted yet: %(why)s")
            % {"why": translate(judgement.message)}
        )
    agrees = judgement.verdict is Verdict.CORRECT
    solve.outcome = SolveOutcome.AGREES if agrees else SolveOutcome.DISAGREES
    if not agrees:
        unknown = show_reading(solve.answer, revision).get("unknown", ())
        solve.message = chain("followed", [one.message for one in unknown]) if unknown else None
    solve.eed = judgement.eed
    solve.answer_read, solve.answer_typed = judgement.answer_read, judgement.answer_typed
