"""The grading of a submission is stopped, and gone on with; what it looks like meanwhile."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from curation.problems.models import Problem
from grading.answers import actions
from grading.answers.submissions.models import Submission
from grading.answers.tasks import GRADING
from grading.submissions import cancelling
from grading.submissions.cancelling import CannotCancel
from grading.submissions.publication import CannotPublish, find_ranked
from grading.submissions.quota import measure_quota
from grading.submissions.results.progress import measure_progress
from grading.submissions.states import SubmissionState
from phybench.people.models import Role, User
from phybench.work.leases import carry_out
from tests.addresses import client_of, reverse_asked
from tests.conftest import make_person
from tests.grading.conftest import HandIn
from tests.memory import remembered
from tests.organisations import publish as publish_as_confirmed
from tests.work import carry_out_jobs, grade_attempt

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def submission(problems: list[Problem], hand_in: HandIn) -> Submission:
    """Three answers, of which the first is graded."""
    made = hand_in((problems[0], "m g h"), (problems[1], "0"), (problems[2], "0"))
    grade_attempt(made.attempts.earliest("pk").pk)
    return made


def list_statuses(submission: Submission) -> list[str]:
    return list(submission.attempts.order_by("pk").values_list("status", flat=True))


def find_state(submission: Submission) -> SubmissionState:
    return measure_progress(submission).state


# --- Cancelling -----------------------------------------------------------------------------


def test_what_waits_is_not_graded_once_it_is_cancelled(submission, evaluator: User) -> None:
    assert cancelling.cancel(submission=submission, by=evaluator) == 2
    assert list_statuses(submission) == ["GRADED", "CANCELLED", "CANCELLED"]
    assert GRADING.claim() is None


def test_what_a_worker_is_judging_just_then_is_not_kept(submission, evaluator: User) -> None:
    held = GRADING.claim_some()
    cancelling.cancel(submission=submission, by=evaluator)
    carry_out(GRADING, held)
    assert list_statuses(submission) == ["GRADED", "CANCELLED", "CANCELLED"]
    assert not submission.attempts.filter(status="CANCELLED", grades__isnull=False).exists()


def test_a_submission_cancelled_before_anything_was_told_takes_no_place(
    problems: list[Problem], hand_in: HandIn, evaluator: User
) -> None:
    untold = hand_in((problems[0], "m g h"))
    cancelling.cancel(submission=untold, by=evaluator)
    assert find_ranked(untold) is None


def test_a_submission_cancelled_after_a_peek_keeps_its_place_and_counts_in_the_quota(
    submission, evaluator: User, problems: list[Problem], hand_in: HandIn
) -> None:
    cancelling.cancel(submission=submission, by=evaluator)
    submission.refresh_from_db()
    with pytest.raises(CannotPublish, match="cancelled"):
        publish_as_confirmed(submission)
    assert find_ranked(submission) == submission, "else the better one before would return"
    organisation = submission.solver.organisation
    assert organisation
    assert measure_quota(organisation, evaluator).submissions.used == 1
    assert hand_in((problems[0], "m g h")).number == 2


def test_the_rest_is_graded_once_it_goes_on(submission, evaluator: User) -> None:
    cancelling.cancel(submission=submission, by=evaluator)
    assert cancelling.go_on(submission=submission, by=evaluator) == 2
    assert cancelling.go_on(submission=submission, by=evaluator) == 0
    for attempt in submission.attempts.waiting():
        grade_attempt(attempt.pk)
    assert list_statuses(submission) == ["GRADED"] * 3
    publish_as_confirmed(submission)


def test_nothing_is_cancelled_twice_nor_after_it_was_graded_or_withdrawn(
    submission, evaluator: User
) -> None:
    cancelling.cancel(submission=submission, by=evaluator)
    with pytest.raises(CannotCancel, match="already"):
        cancelling.cancel(submission=submission, by=evaluator)
    cancelling.go_on(submission=submission, by=evaluator)
    for attempt in submission.attempts.waiting():
        grade_attempt(attempt.pk)
    with pytest.raises(CannotCancel, match="graded"):
        cancelling.cancel(submission=submission, by=evaluator)
    publish_as_confirmed(submission)
    with pytest.raises(CannotCancel, match="published"):
        cancelling.cancel(submission=submission, by=evaluator)


def test_only_its_organisation_cancels_and_goes_on(submission) -> None:
    stranger = make_person(Role.EVALUATOR, "stranger")
    for do in (cancelling.cancel, cancelling.go_on):
        with pytest.raises(PermissionDenied):
            do(submission=submission, by=stranger)


def test_the_database_keeps_what_is_published_from_being_cancelled(
    submission, evaluator: User
) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        Submission.objects.update(
            cancelled_at=timezone.now(),
            cancelled_by=evaluator,
            published_at=timezone.now(),
            published_by=evaluator,
        )


def test_the_page_asks_before_it_cancels_and_says_what_waits(submission, evaluator: User) -> None:
    client = client_of(evaluator)
    address = reverse_asked("grading:submission?do=cancel", args=[submission.pk])
    assert "2 answers are waiting" in client.get(address).content.decode()
    client.post(address)
    assert [job.said for job in carry_out_jobs()] == ["Cancelled: 2 answers are not graded."]
    submission.refresh_from_db()
    assert find_state(submission) is SubmissionState.CANCELLED
    assert "already cancelled" in client.get(address).content.decode()
    client.post(reverse_asked("grading:submission?do=go_on", args=[submission.pk]))
    assert [job.said for job in carry_out_jobs()] == ["2 answers are queued."]
    submission.refresh_from_db()
    assert find_state(submission) is SubmissionState.GRADING


# --- State and progress ---------------------------------------------------------------------


def test_a_submission_is_queued_graded_published_and_withdrawn(
    problems: list[Problem], hand_in: HandIn, evaluator: User, client: Client
) -> None:
    submission = hand_in((problems[0], "m g h"), (problems[1], "0"))
    states = [find_state(submission)]
    for attempt in submission.attempts.order_by("pk"):
        grade_attempt(attempt.pk)
        states.append(find_state(submission))
    publish_as_confirmed(submission)
    submission.refresh_from_db()
    states.append(find_state(submission))
    client_of(evaluator).post(reverse_asked("grading:submission?do=withdraw", args=[submission.pk]))
    submission.refresh_from_db()
    states.append(find_state(submission))
    assert states == ["QUEUED", "GRADING", "GRADED", "PUBLISHED", "WITHDRAWN"]


def test_what_could_not_be_graded_is_a_state_of_its_own(submission) -> None:
    submission.attempts.waiting().update(status="FAILED", failure_reason="timeout")
    assert find_state(submission) is SubmissionState.FAILED
    actions.try_again(attempts=submission.attempts.all())
    assert find_state(submission) is SubmissionState.GRADING


def test_of_others_those_are_ahead_that_are_graded_before_the_last_of_ones_own(
    submission, problems: list[Problem], hand_in: HandIn, participant: User
) -> None:
    later = hand_in((problems[3], "0"), model="Another model")
    persons = actions.answer(revision=problems[4].revisions.get(), person=participant, response="0")
    first, last = measure_progress(submission), measure_progress(later)
    assert (first.waiting, first.ahead) == (2, 1), "a person's comes first"
    assert (last.waiting, last.ahead) == (1, 3)
    grade_attempt(persons.pk)
    assert measure_progress(later).ahead == 2
