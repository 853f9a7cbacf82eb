"""What people do in a round of review: solve blind, review, change a review."""

import logging
from collections.abc import Iterable, Mapping
from concurrent.futures import CancelledError
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.models import Revision
from curation.problems.people import contributions
from curation.problems.people.models import ContributionKind
from curation.problems.typed_answers import show_reading
from curation.reviewing.assignments.models import Assignment
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.pipelines.models import VersionQuestion
from curation.reviewing.rounds.lifecycle import weigh
from curation.reviewing.rounds.models import BlindSolve, Review, ReviewDraft, ReviewRound, SolveKind
from curation.reviewing.rounds.permissions import can_review, must_solve
from curation.texts.review_kinds import Answer, find_kind
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


class Incomplete(NotAllowedNow):
    """A review without an answer to a question that needs one."""


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


@transaction.atomic
def submit_review(
    *,
    review_round: ReviewRound,
    reviewer: User,
    recommendation: str,
    comment: str,
    answers: Mapping[str, Any] | None = None,
    replaces: int = 0,
    note: str = "",
) -> Review:
    """
    Record a review, or a change of one; where the rule then decides, it closes the round.

    Args:
        answers: to the round's questions, by their ids: 1 to 5, or True and False.
        replaces: the number of the reviewer's own review that this one changes; 0 for a first.
        note: to the admins alone.

    Raises:
        Incomplete: a question that needs an answer has none.
        NotAllowedNow: the round is closed or not theirs to review, is to be solved blind first,
            or the review was changed in another window.
    """
    # Two reviewers may submit at once: the lock lets exactly one of them be last.
    review_round = review_round.locked()
    if not can_review(reviewer, review_round):
        raise NotAllowedNow(_("This stage is closed, or you may not review it."))
    if must_solve(reviewer, review_round):
        raise NotAllowedNow(_("Solve it first: you review it after your own answer."))
    said = {
        "recommendation": recommendation,
        "comment": comment,
        "answers": check_answers(review_round.questions, answers or {}),
    }
    last = review_round.reviews.filter(reviewer=reviewer).order_by("number").last()
    begun = review_round.drafts.filter(reviewer=reviewer, kind=ReviewDraft.Kind.REVIEW)
    if note.strip():
        commenting.write_note(review_round=review_round, writer=reviewer, text=note)
    if last and all(getattr(last, name) == value for name, value in said.items()):
        begun.delete()
        return last  # the same form, sent twice
    if (last.number if last else 0) != replaces:
        raise NotAllowedNow(
            _(
                "You have already reviewed this, or changed your review in another window. "
                "Reload the page."
            )
        )
    review = review_round.reviews.create(reviewer=reviewer, number=replaces + 1, **said)
    asked = review_round.assignments.filter(reviewer=reviewer)
    asked.end(Assignment.State.DONE, by=reviewer)
    if review_round.version.shows_key:
        show_key(review_round.revision, reviewer)
    begun.delete()
    contributions.record(ContributionKind.REVIEWED, [reviewer], review_round.revision)
    weigh(review_round)
    return review


def find_given(
    *,
    review_round: ReviewRound,
    reviewer: User,
    recommendation: str,
    comment: str,
    answers: Mapping[str, Any],
    **_rest: object,
) -> Review | None:
    """Return the review that the same form has given, though it closed the round."""
    last = review_round.reviews.filter(reviewer=reviewer).order_by("number").last()
    if last is None or (last.recommendation, last.comment) != (recommendation, comment):
        return None
    try:
        asked = check_answers(review_round.questions, answers)
    except Incomplete:
        return None
    return last if last.answers == asked else None


def check_answers(
    questions: Iterable[VersionQuestion], answers: Mapping[str, Any]
) -> dict[str, Answer]:
    """
    Return the answers that belong to these questions.

    Raises:
        Incomplete: one that is needed is missing, or is none of those that can be given.
    """
    kept: dict[str, Any] = {}
    for question in questions:
        given = answers.get(question.key)
        if given is None and not question.is_required:
            continue
        if not find_kind(question.kind).takes(given):
            raise Incomplete(_("Answer this question too: %(question)s") % {"question": question})
        kept[question.key] = given
    return kept
