"""Of a file the verdicts come first; how far wrong answers are from right follows."""

import pytest
from django.test import Client

from curation.problems.models import Problem
from grading.answers import grader
from grading.answers.known import find_wrong
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.answers.tasks import GRADING
from grading.disputes.regrades.actions import adopt, begin
from grading.disputes.regrades.work import grade_left
from grading.submissions.results.progress import measure_progress
from phybench.people.models import User
from phybench.work.leases import carry_out
from phybench.work.models import Priority
from tests.grading.answers.test_known import grade_together
from tests.grading.answers.test_views import read
from tests.grading.conftest import HandIn
from tests.grading.regrades.conftest import rule

pytestmark = pytest.mark.django_db

WRONG = "3 m g h"


@pytest.fixture
def made(problems: list[Problem], hand_in: HandIn) -> Submission:
    """A file of which one answer is right, one can't be read, and two are wrong."""
    answers = ["m g h", r"\frac{", WRONG, "4 m g h"]
    rows = [(problem, answer) for problem, answer in zip(problems, answers, strict=False)]
    return hand_in(*rows)


def judge_first() -> None:
    """Do what a worker does that takes all verdicts there are to find."""
    carry_out(GRADING, GRADING.claim_some(least=Priority.BULK))


def test_a_wrong_answer_has_no_grade_before_its_distance_is_measured(made: Submission) -> None:
    judge_first()
    wrong = made.attempts.filter(wrong_at__isnull=False)
    assert set(wrong.values_list("response", "status", "priority")) == {
        (WRONG, "QUEUED", Priority.IDLE),
        ("4 m g h", "QUEUED", Priority.IDLE),
    }
    graded = Grade.objects.values_list("attempt__response", "verdict")
    assert set(graded) == {("m g h", "CORRECT"), (r"\frac{", "UNREADABLE")}
    grade_together()
    assert set(made.attempts.values_list("status", flat=True)) == {"GRADED"}
    assert Grade.objects.filter(attempt__in=wrong, distance__gt=0).count() == 2


def test_no_distance_is_measured_while_a_verdict_of_any_file_is_to_come(
    made: Submission, problems: list[Problem], hand_in: HandIn
) -> None:
    judge_first()
    later = hand_in((problems[0], "5 m g h"), (problems[1], "6 m g h"), model="Another")
    claimed = GRADING.claim_some()
    assert {one.submission_id for one in claimed[:2]} == {later.pk}


def test_words_that_are_known_to_be_wrong_are_not_judged_for_another_file(
    made: Submission, problems: list[Problem], hand_in: HandIn
) -> None:
    judge_first()
    place = made.attempts.get(response=WRONG).revision.problem
    hand_in((place, WRONG), (problems[0], WRONG), model="Another")
    same, other = Attempt.objects.filter(submission__solver__name="Another").order_by("revision")
    if same.revision.problem != place:
        same, other = other, same
    assert find_wrong([same, other]) == {same.pk}
    grade_together()
    assert set(Attempt.objects.values_list("status", flat=True)) == {"GRADED"}


def test_the_page_says_what_is_known_and_what_is_still_measured(
    made: Submission, client: Client, evaluator: User, problems: list[Problem]
) -> None:
    client.force_login(evaluator)
    judge_first()
    progress = measure_progress(made)
    assert (progress.wrong, progress.not_right, progress.verdicts_to_come) == (2, 3, 0)
    page = read(client, made.get_absolute_url())
    assert "1 of 4 answers are right. How near 2 of the others come is still being measured" in page
    Attempt.objects.filter(response=WRONG).update(wrong_at=None)
    page = read(client, made.get_absolute_url())
    assert "So far 1 of 4 answers are right and 2 are not; 1 are still to be judged." in page


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_no_file_tells_a_verdict_before_its_grade(
    made: Submission, client: Client, evaluator: User, form: str
) -> None:
    client.force_login(evaluator)
    before = client.get(made.get_absolute_url(), {"as": form})
    untold = b"".join(before)
    Attempt.objects.filter(response=WRONG).update(priority=Priority.IDLE, wrong_at="2026-01-01T00Z")
    assert b"".join(client.get(made.get_absolute_url(), {"as": form})) == untold


def test_where_another_run_is_adopted_meanwhile_verdicts_are_found_anew(
    made: Submission, admin: User
) -> None:
    judge_first()
    before = GradingRun.objects.get_adopted(made.benchmark_id)
    held = GRADING.claim_some()
    rule(made.attempts.get(response=r"\frac{"), admin)
    run = begin(benchmark=made.benchmark)
    assert list(grade_left(run, processes=1))
    adopt(run=run)
    # Another worker comes late, with what it found by the run before.
    grader._put_off(before, held)
    wrong = made.attempts.waiting().values_list("status", "wrong_at", "priority")
    assert set(wrong) == {("QUEUED", None, Priority.BULK)}
