"""Of a file the verdicts come first; how far wrong answers are from right follows."""

import pytest
from django.test import Client
from django.utils import timezone

from curation.problems.models import Problem
from curation.versions.permissions import may_answer
from grading.answers import grader
from grading.answers.known import find_wrong
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.answers.tasks import GRADING
from grading.board.scaling.sorting import queue
from grading.disputes.regrades.actions import adopt, begin
from grading.disputes.regrades.work import grade_left
from grading.submissions import cancelling
from grading.submissions.publication import find_ranked
from grading.submissions.results.progress import measure_progress
from phybench.people.models import Role, User
from phybench.work.kinds import Pool, claim_next
from phybench.work.leases import carry_out
from phybench.work.models import Priority
from tests.addresses import client_of
from tests.conftest import make_person
from tests.grading.answers.test_known import grade_together
from tests.grading.answers.test_views import read
from tests.grading.conftest import HandIn
from tests.grading.regrades.conftest import rule
from tests.organisations import organisation_of

pytestmark = pytest.mark.django_db

WRONG = r"3 m g h + \sqrt{a b} x y + \frac{a}{b} \sin(x y) + \frac{v_0^2}{l}"
OTHER = WRONG.replace("3", "4")
"""So long that their distance is not measured at once."""


@pytest.fixture
def made(problems: list[Problem], hand_in: HandIn) -> Submission:
    """A file of which one answer is right, one can't be read, and two are wrong."""
    answers = ["m g h", r"\frac{", WRONG, OTHER]
    rows = [(problem, answer) for problem, answer in zip(problems, answers, strict=False)]
    return hand_in(*rows)


def judge_first() -> None:
    """Do what a worker does that takes all verdicts there are to find."""
    carry_out(GRADING, GRADING.claim_some(least=Priority.BULK))


def test_a_wrong_answer_has_no_grade_before_its_distance_is_measured(made: Submission) -> None:
    judge_first()
    wrong = made.attempts.filter(wrong_at__isnull=False)
    assert set(wrong.values_list("response", "status")) == {
        (WRONG, "QUEUED"),
        (OTHER, "QUEUED"),
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
    later = hand_in(
        (problems[0], WRONG.replace("3", "5")),
        (problems[1], WRONG.replace("3", "6")),
        model="Another",
    )
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
    assert "All verdicts are here: 1 of 4 right. The EED of 2 answers is to come." in page
    Attempt.objects.filter(response=WRONG).update(wrong_at=None)
    page = read(client, made.get_absolute_url())
    assert "Verdicts so far: 1 right, 2 not right; 1 to come." in page


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_no_file_tells_a_verdict_before_its_grade(
    made: Submission, client: Client, evaluator: User, form: str
) -> None:
    client.force_login(evaluator)
    before = client.get(made.get_absolute_url(), {"as": form})
    untold = b"".join(before)
    Attempt.objects.filter(response=WRONG).update(wrong_at="2026-01-01T00Z")
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
    assert set(made.attempts.waiting().values_list("status", "wrong_at")) == {("QUEUED", None)}


def test_a_cancelled_answer_is_no_longer_wrong_by_a_run_that_counts_no_more(
    made: Submission, problems: list[Problem], hand_in: HandIn, evaluator: User, admin: User
) -> None:
    judge_first()
    cancelling.cancel(submission=made, by=evaluator)
    rule(made.attempts.get(response=r"\frac{"), admin)
    run = begin(benchmark=made.benchmark)
    assert list(grade_left(run, processes=1))
    adopt(run=run)
    cancelling.go_on(submission=made, by=evaluator)
    place = made.attempts.get(response=WRONG).revision.problem
    other = hand_in((place, WRONG), model="Another").attempts.get()
    assert find_wrong([other]) == set()


def test_a_distance_waits_for_verdicts_of_the_next_minutes_only(
    made: Submission, problems: list[Problem], hand_in: HandIn
) -> None:
    judge_first()
    hand_in(
        (problems[0], WRONG.replace("3", "5")),
        (problems[1], WRONG.replace("3", "6")),
        model="Later",
    )
    # It is as if that was sent later than `BEHIND` after the verdicts.
    Attempt.objects.filter(submission__solver__name="Later").update(
        queued_at=timezone.now() + 2 * grader.BEHIND
    )
    assert {one.submission_id for one in GRADING.claim_some()[:2]} == {made.pk}


def test_no_comparison_for_a_vote_comes_before_a_distance(made: Submission) -> None:
    judge_first()
    run = GradingRun.objects.get_adopted(made.benchmark_id)
    queue(run, made.attempts.filter(wrong_at=None).values_list("submission", "revision"))
    claimed = claim_next(Pool.GENERAL)
    assert claimed
    assert claimed[0] is GRADING


def test_who_is_told_how_many_are_right_has_seen_their_verdicts(
    problems: list[Problem], hand_in: HandIn
) -> None:
    person = make_person(Role.EVALUATOR, "Eve")
    person.roles = [Role.EVALUATOR, Role.PARTICIPANT]
    person.save()
    organisation_of(person)
    made = hand_in((problems[0], WRONG.replace("3", "2")), (problems[1], WRONG), by=person)
    judge_first()
    assert "0 of 2 right" in client_of(person).get(made.get_absolute_url()).text
    cancelling.cancel(submission=made, by=person)
    assert not any(may_answer(person, one.revisions.get()) for one in problems[:2])


def test_a_bad_file_is_not_taken_back_once_its_verdicts_are_known(
    problems: list[Problem], hand_in: HandIn, evaluator: User
) -> None:
    good = hand_in((problems[0], "m g h"), (problems[1], WRONG))
    grade_together()
    bad = hand_in((problems[0], WRONG.replace("3", "2")), (problems[1], WRONG.replace("3", "5")))
    judge_first()
    cancelling.cancel(submission=bad, by=evaluator)
    assert find_ranked(good) != good


def test_while_verdicts_are_to_come_distances_of_others_are_not_ahead(
    problems: list[Problem], hand_in: HandIn
) -> None:
    hand_in((problems[0], WRONG.replace("3", "2")), (problems[1], WRONG), model="Another")
    judge_first()
    mine = hand_in((problems[0], WRONG.replace("3", "5")), (problems[1], "x"))
    first = mine.attempts.earliest("pk")
    later = timezone.now() + grader.BEHIND
    Attempt.objects.filter(pk=first.pk).update(wrong_at=timezone.now(), queued_at=later)
    progress = measure_progress(mine)
    assert (progress.verdicts_to_come, progress.ahead) == (1, 0)
