"""A submission's tally says at any time what the rows of its answers say."""

from concurrent.futures import ThreadPoolExecutor
from itertools import chain, zip_longest

import pgtrigger
import pytest
from django.db import connection, transaction

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers import grader
from grading.answers.actions import try_again
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.answers.tallies.keeping import find_wrong_tallies, read_scores, recount
from grading.answers.tallies.models import SubmissionTally
from grading.answers.tasks import GRADING
from grading.disputes.regrades import actions as regrades
from grading.disputes.regrades import work
from grading.submissions import cancelling, publication
from phybench.people.models import User
from phybench.work.models import settle_all
from tests.boards import make_scored_board
from tests.grading.conftest import HandIn
from tests.grading.regrades.conftest import rule
from tests.memory import remembered
from tests.work import grade_attempt, grade_together

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def submission(problems: list[Problem], hand_in: HandIn) -> Submission:
    """A right answer, a wrong one, and one that nobody can read."""
    return hand_in((problems[0], "m g h"), (problems[1], "0"), (problems[3], "x + "))


def read_counts(submission: Submission) -> tuple[int, int, int, int]:
    """Return how many wait, are graded, failed and are cancelled; all tallies are right."""
    assert list(find_wrong_tallies()) == []
    tally = SubmissionTally.objects.get(pk=submission.pk)
    return tally.waiting, tally.graded, tally.failed, tally.cancelled


def is_summed(submission: Submission) -> bool:
    return SubmissionTally.objects.filter(pk=submission.pk, scores__isnull=False).exists()


def fail(attempt: Attempt) -> None:
    claimed = GRADING.claim(attempt.pk)
    assert claimed is not None
    grader.give_up(claimed)


def test_it_follows_grading_answer_by_answer_and_keeps_what_they_come_to_with_the_last(
    submission: Submission,
) -> None:
    one, other, last = submission.attempts.order_by("pk")
    assert read_counts(submission) == (3, 0, 0, 0)
    GRADING.claim(one.pk)
    assert read_counts(submission) == (3, 0, 0, 0), "who is graded still waits"
    settle_all([Attempt.objects.get(pk=one.pk)], status="QUEUED")
    grade_attempt(one.pk)
    assert read_counts(submission) == (2, 1, 0, 0)
    fail(other)
    assert (read_counts(submission), is_summed(submission)) == ((1, 1, 1, 0), False)
    grade_attempt(last.pk)
    assert (read_counts(submission), is_summed(submission)) == ((0, 2, 1, 0), True)
    scores = read_scores([submission])[submission.pk]
    assert (scores.ungraded, scores.unreadable, scores.scored) == (1, 1, 2)


def test_it_follows_what_is_tried_again(submission: Submission) -> None:
    one, *others = submission.attempts.order_by("pk")
    fail(one)
    for other in others:
        grade_attempt(other.pk)
    assert (read_counts(submission), is_summed(submission)) == ((0, 2, 1, 0), True)
    try_again(attempts=submission.attempts.filter(status="FAILED"))
    assert (read_counts(submission), is_summed(submission)) == ((1, 2, 0, 0), False)
    grade_attempt(one.pk)
    assert (read_counts(submission), is_summed(submission)) == ((0, 3, 0, 0), True)


def test_what_a_batch_settles_is_counted_with_it(submission: Submission) -> None:
    grade_together(submission.attempts.all())
    assert (read_counts(submission), is_summed(submission)) == ((0, 3, 0, 0), True)


def test_it_follows_cancelling_and_going_on(submission: Submission, evaluator: User) -> None:
    first = submission.attempts.earliest("pk")
    grade_attempt(first.pk)
    cancelling.cancel(submission=submission, by=evaluator)
    assert (read_counts(submission), is_summed(submission)) == ((0, 1, 0, 2), False)
    cancelling.go_on(submission=submission, by=evaluator)
    assert read_counts(submission) == (2, 1, 0, 0)
    publication.withdraw(submission=submission, by=evaluator)
    grade_together(submission.attempts.all())
    assert (read_counts(submission), is_summed(submission)) == ((0, 3, 0, 0), True)


def test_it_follows_a_ruling_that_an_adopted_run_takes_up(
    submission: Submission, benchmark: Benchmark, admin: User
) -> None:
    grade_together(submission.attempts.all())
    before = SubmissionTally.objects.get(pk=submission.pk)
    assert read_scores([submission])[submission.pk].accuracy.value == 20, "one of five"
    rule(submission.attempts.order_by("pk")[1], admin)
    run = regrades.begin(benchmark=benchmark)
    for _done in work.grade_left(run, processes=1):
        pass
    assert read_counts(submission) == (0, 3, 0, 0)
    assert read_scores([submission])[submission.pk].accuracy.value == 20, "it counts nothing yet"
    regrades.adopt(run=run)
    assert (read_counts(submission), is_summed(submission)) == ((0, 3, 0, 0), True)
    assert read_scores([submission])[submission.pk].accuracy.value == 40
    assert SubmissionTally.objects.get(pk=submission.pk).graded_at > before.graded_at


def test_it_follows_answers_that_are_deleted(submission: Submission) -> None:
    with pgtrigger.ignore("grading.Grade:grade_is_append_only"):
        submission.attempts.latest("pk").delete()
    assert read_counts(submission) == (2, 0, 0, 0)


def test_a_tally_that_is_wrong_in_its_counts_or_its_scores_or_missing_is_found(
    submission: Submission,
) -> None:
    grade_together(submission.attempts.all())
    tally = SubmissionTally.objects.filter(pk=submission.pk)
    kept = tally.values_list("scores", flat=True).get()
    tally.update(failed=1, scores=kept | {"scored": 7})
    assert list(find_wrong_tallies()) == [submission.pk]
    tally.update(failed=0)
    assert list(find_wrong_tallies()) == [submission.pk]
    tally.update(scores=kept)
    assert list(find_wrong_tallies()) == []
    tally.delete()
    assert list(find_wrong_tallies()) == [submission.pk]
    recount()
    assert (read_counts(submission), tally.get().scores) == ((0, 3, 0, 0), kept)


@pytest.mark.django_db(transaction=True)
def test_answers_of_two_submissions_are_counted_that_many_settle_at_once() -> None:
    made = make_scored_board({"One": [[100.0, None]] * 20, "Other": [[0.0, None]] * 20})
    pks = [
        list(one.attempts.filter(status="FAILED").values_list("pk", flat=True))
        for one in made.submissions.values()
    ]
    try_again(attempts=Attempt.objects.filter(status="FAILED"))
    # Of each submission one, in one order and in the other.
    pairs = list(zip_longest(*pks))
    claimed = [
        [row for pk in (pair if place % 2 else reversed(pair)) if (row := GRADING.claim(pk))]
        for place, pair in enumerate(pairs)
    ]

    def settle(rows: list[Attempt]) -> int:
        try:
            with transaction.atomic():
                return len(settle_all(rows, status="FAILED", failure_reason="timeout"))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(settle, claimed)) == len(list(chain(*pks)))
    for one in made.submissions.values():
        assert read_counts(one) == (0, 20, 20, 0)
