"""Which grade counts: that of the run which the benchmark adopted, whatever else there is."""

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from curation.authoring.drafts import actions as curating
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.problems.people.models import Contribution
from curation.reviewing.rounds.lifecycle import submit_review
from grading.answers import actions as answering
from grading.answers import grader
from grading.answers.models import Attempt, Grade, with_grade
from grading.answers.runs.models import GradingRun, Ungraded
from grading.answers.submissions.models import Submission
from grading.answers.tasks import GRADING
from grading.board.table import make_board
from grading.disputes.keys.scan import scan
from grading.disputes.regrades import actions, work
from phybench.people.models import User
from phybench_grader import grade as judge
from phybench_grader.numbers.sentences import Sentence
from tests.addresses import reverse_asked
from tests.certificates import give_certificate
from tests.conftest import submit
from tests.curation.errors.reports import accept_correction, decide, report_error
from tests.grading.concurrency import hold, meanwhile
from tests.grading.conftest import HandIn
from tests.grading.regrades.conftest import write_grade
from tests.memory import remembered
from tests.organisations import publish
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db


def count_right(benchmark: Benchmark) -> float | None:
    """Return the only row's accuracy on the board."""
    [row] = make_board(benchmark).rows
    return row.tally.accuracy.value


def regrade(benchmark: Benchmark) -> GradingRun:
    run = actions.begin(benchmark=benchmark)
    for _done in work.grade_left(run, processes=1):
        pass
    return run


def outcomes(submission: Submission) -> list[tuple[str, str | None, str]]:
    rows = with_grade(submission.attempts.all()).order_by("pk")
    return list(rows.values_list("status", "verdict", "failure_reason"))


# --- What was wrong -------------------------------------------------------------------------


def test_a_run_that_is_stored_and_not_adopted_is_not_the_score(
    client: Client, benchmark: Benchmark, submission: Submission, evaluator: User
) -> None:
    scan(benchmark)
    client.force_login(evaluator)
    attempt = submission.attempts.earliest("pk")
    addresses = [
        reverse("board_csv", args=[benchmark.slug]),
        reverse_asked("grading:submission?as=csv", args=[submission.pk]),
    ]
    before = [client.get(address).getvalue() for address in addresses]
    run = regrade(benchmark)
    newest = run.grades.get(attempt=attempt)
    assert (newest.verdict, attempt.grades.latest("pk")) == ("CORRECT", newest)
    assert [client.get(address).getvalue() for address in addresses] == before
    page = client.get(attempt.get_absolute_url()).context
    assert (page["grade"].verdict, page["earlier"]) == ("INCORRECT", [])
    assert scan(benchmark) == 0, "nothing new speaks for or against a key"


def test_a_second_judge_s_grades_are_not_the_score(
    benchmark: Benchmark, submission: Submission
) -> None:
    other = benchmark.grading_runs.create(grader_version="2", why="Another judge.")
    for attempt in submission.attempts.all():
        grade = write_grade(other, attempt, "CORRECT")
        assert grade.pk > attempt.grades.earliest("pk").pk
    assert count_right(benchmark) == 0
    assert set(Grade.objects.current().values_list("verdict", flat=True)) == {"INCORRECT"}


@pytest.fixture
@remembered
def corrected(
    problems: list[Problem], hand_in: HandIn, participant: User, contributor: User,
    reviewer: User, admin: User,
) -> Submission:  # fmt: skip
    """An answer that is wrong by the key that it was graded by, and right by the corrected one."""
    submission = hand_in((problems[0], "2 m g h"))
    grade_attempt(submission.attempts.get().pk)
    publish(submission)
    decide(report_error(problems[0], participant), admin, "KEY_FIXED")
    accept_correction(problems[0], contributor, reviewer)
    return submission


def test_after_a_key_was_corrected_answers_can_be_graded_by_it_beside_the_old_grades(
    client: Client, benchmark: Benchmark, corrected: Submission, evaluator: User
) -> None:
    [attempt] = with_grade(corrected.attempts.all())
    assert (attempt.verdict, attempt.is_key_corrected) == ("PARTIAL", True)
    run = regrade(benchmark)
    assert [(one.revision.number, one.key.number) for one in run.keys.all()] == [(1, 2)]
    first, second = attempt.grades.order_by("pk")
    assert first.judge_version == second.judge_version
    assert (first.verdict, second.verdict) == ("PARTIAL", "CORRECT")
    actions.adopt(run=run)
    [attempt] = with_grade(corrected.attempts.all())
    assert (attempt.verdict, attempt.is_key_corrected) == ("CORRECT", False)
    assert count_right(benchmark) == 20, "one of five"
    client.force_login(evaluator)
    page = client.get(attempt.get_absolute_url()).context
    assert (page["grade"], page["earlier"], list(page["errata"])) == (second, [first], [])


def test_who_answered_another_question_is_not_graded_by_its_key(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn, participant: User,
    contributor: User, reviewer: User, admin: User,
) -> None:  # fmt: skip
    submission = hand_in((problems[0], "2 m g h"))
    grade_attempt(submission.attempts.get().pk)
    decide(report_error(problems[0], participant), admin, "KEY_FIXED")
    problems[0].refresh_from_db()
    texts = {"answer": "2 m g h", "statement": problems[0].revisions.get(number=1).statement}
    texts["statement"] += " Take twice the height."
    curating.save_draft(
        problem=problems[0], author=contributor, saved_at="", reason="It was wrong.", **texts
    )
    give_certificate(problems[0])
    submit_review(
        review_round=submit(problems[0], contributor),
        reviewer=reviewer,
        recommendation="ACCEPT",
        comment="",
    )
    run = regrade(benchmark)
    assert [(one.revision.number, one.key.number) for one in run.keys.all()] == [(1, 1)]
    actions.adopt(run=run)
    [attempt] = with_grade(submission.attempts.all())
    assert (attempt.verdict, attempt.is_key_corrected) == ("PARTIAL", True)


# --- What the database keeps ----------------------------------------------------------------


def test_a_run_has_one_grade_of_an_attempt(submission: Submission) -> None:
    grade = Grade.objects.earliest("pk")
    with pytest.raises(IntegrityError, match="one_grade_a_run"), transaction.atomic():
        write_grade(grade.run, grade.attempt, "CORRECT")


def test_a_run_grades_answers_to_its_own_benchmark(submission: Submission) -> None:
    other = Benchmark.objects.create(name="Other", slug="other")
    run = GradingRun.objects.get_adopted(other.pk)
    with pytest.raises(DatabaseError, match="grade_is_of_its_runs_benchmark"), transaction.atomic():
        write_grade(run, submission.attempts.earliest("pk"))
    revision = submission.attempts.earliest("pk").revision
    with pytest.raises(DatabaseError, match="run_key_is_of_its_problem"), transaction.atomic():
        run.find_keys([revision.pk])


def test_a_benchmark_goes_by_one_run_and_what_it_went_by_is_frozen(
    benchmark: Benchmark, submission: Submission
) -> None:
    first = GradingRun.objects.get_adopted(benchmark.pk)
    run = regrade(benchmark)
    with pytest.raises(IntegrityError, match="one_adopted_run_a_benchmark"), transaction.atomic():
        GradingRun.objects.filter(pk=run.pk).update(adopted_at=run.created_at)
    actions.adopt(run=run)
    for statement in (
        lambda: GradingRun.objects.filter(pk=first.pk).update(set_aside_at=None),
        lambda: GradingRun.objects.filter(pk=run.pk).update(grader_version="2"),
        lambda: GradingRun.objects.filter(pk=first.pk)._raw_delete("default"),
        lambda: run.keys.update(sha256="0"),
    ):
        with pytest.raises(DatabaseError, match="pgtrigger"), transaction.atomic():
            statement()
    with pytest.raises(actions.AdoptedBefore):
        actions.adopt(run=first)
    with pytest.raises(actions.AdoptedBefore):
        actions.adopt(run=run)


def test_a_run_says_by_which_key_it_grades(benchmark: Benchmark, problems: list[Problem], hand_in):
    grade_attempt(hand_in((problems[0], "m g h")).attempts.get().pk)
    run = GradingRun.objects.get_adopted(benchmark.pk)
    [entry] = run.keys.all()
    assert (entry.revision, entry.key) == (problems[0].accepted_revision,) * 2
    assert entry.sha256 == problems[0].accepted_revision.reference.sha256
    assert (run.why, run.grader_version) == (
        "Answers are graded as they come in.",
        grader.GRADER_VERSION,
    )


# --- At once --------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_grade_first_answers_at_once_begin_one_run(benchmark: Benchmark) -> None:
    def begin() -> GradingRun:
        return GradingRun.objects.get_adopted(benchmark.pk)

    with (
        hold("lock table grading_gradingrun in share mode") as release,
        meanwhile(begin) as one,
        meanwhile(begin) as other,
    ):
        # Both have found none, and neither could make one yet.
        release()
        assert one.result() == other.result() == GradingRun.objects.get()


def test_a_grade_by_a_run_that_was_set_aside_meanwhile_is_given_up_and_the_answer_graded_anew(
    benchmark: Benchmark, submission: Submission, problems: list[Problem], hand_in: HandIn
) -> None:
    attempt = hand_in((problems[0], "m g h"), model="Another").attempts.get()
    old = GradingRun.objects.get_adopted(benchmark.pk)
    claimed = GRADING.claim(attempt.pk)
    assert claimed is not None
    new = regrade(benchmark)
    actions.adopt(run=new)
    grader.keep(claimed, old, judge("0", "m g h"), seconds=1.0)
    attempt.refresh_from_db()
    assert (attempt.status, attempt.grades.count()) == (Attempt.Status.QUEUED, 0)
    grade_attempt(attempt.pk)
    assert (attempt.grades.get().run, attempt.grades.get().verdict) == (new, "CORRECT")


@pytest.mark.django_db(transaction=True)
def test_adopting_waits_for_a_grade_that_is_being_kept(
    benchmark: Benchmark, submission: Submission
) -> None:
    new, old = regrade(benchmark), GradingRun.objects.get_adopted(benchmark.pk)
    with (
        hold("select 1 from grading_gradingrun where id = %s for share", old.pk) as release,
        meanwhile(lambda: actions.adopt(run=new)) as adopted,
    ):
        assert not adopted.done()
        release()
        assert adopted.result() == 0
    assert GradingRun.objects.get_adopted(benchmark.pk) == new


# --- Adopting -------------------------------------------------------------------------------


def test_what_the_run_could_not_grade_is_not_graded_and_what_it_could_is(
    benchmark: Benchmark, submission: Submission
) -> None:
    one, other = submission.attempts.order_by("pk")
    Attempt.objects.filter(pk=one.pk).update(status="FAILED", failure_reason="timeout")
    old, run = GradingRun.objects.get_adopted(benchmark.pk), actions.begin(benchmark=benchmark)
    Ungraded.objects.create(
        run=run, attempt=other, reason="memory", message=Sentence("grading_lost")
    )
    assert list(work.grade_left(run, processes=1)) == [1]
    actions.adopt(run=run)
    assert outcomes(submission) == [("GRADED", "CORRECT", ""), ("FAILED", None, "memory")]
    [row] = make_board(benchmark).rows
    assert (row.tally.scored, row.tally.ungraded, row.tally.missing) == (1, 1, 3)
    kept = old.ungraded.get()
    assert (kept.attempt, kept.reason) == (one, "timeout"), "nothing of the run before is lost"


def test_what_was_graded_since_the_run_was_made_is_graded_into_it(
    benchmark: Benchmark, submission: Submission, problems: list[Problem], hand_in: HandIn
) -> None:
    run = regrade(benchmark)
    late = hand_in((problems[2], "x"), model="Late")
    grade_attempt(late.attempts.get().pk)
    assert actions.adopt(run=run) == 1
    assert outcomes(late) == [("QUEUED", None, "")]
    grade_attempt(late.attempts.get().pk)
    assert late.attempts.get().grades.filter(run=run).count() == 1


def test_a_person_whose_answer_turns_out_right_is_credited(
    benchmark: Benchmark, problems: list[Problem], participant: User
) -> None:
    attempt = answering.answer(
        revision=problems[0].accepted_revision, person=participant, response="m g h"
    )
    write_grade(GradingRun.objects.get_adopted(benchmark.pk), attempt)
    Attempt.objects.update(status=Attempt.Status.GRADED)
    solved = Contribution.objects.filter(kind="SOLVED", person=participant)
    run = regrade(benchmark)
    assert not solved.exists()
    actions.adopt(run=run)
    assert solved.get().revision == attempt.revision
