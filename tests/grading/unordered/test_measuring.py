"""What is graded and shown is measured without order, in the background and once."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from grading.answers.models import Grade
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.answers.unordered import tasks, work
from grading.answers.unordered.models import UnorderedPart, UnorderedScore
from phybench.work import sandbox
from phybench.work.kinds import Pool, claim_next
from phybench.work.leases import carry_out
from phybench.work.models import Lost, Priority
from phybench_grader.eed.unordered import UNORDERED_VERSION
from tests.grading.regrades.conftest import rule
from tests.grading.unordered.measuring import grade, grade_and_publish, measure
from tests.organisations import publish
from tests.phybench import runaways
from tests.work import do

pytestmark = pytest.mark.django_db
RENAMED = r"2\pi g + 4\pi\frac{v_0^2}{l}"
"""The third problem’s reference with π in place of its mass."""


@pytest.fixture
def grade_all(hand_in):
    def run(*rows, is_published=True, **options):
        submission = hand_in(*rows, **options)
        return grade_and_publish(submission) if is_published else grade(submission)

    return run


def scores() -> list[float | None]:
    found = UnorderedScore.objects.order_by("grade__attempt__revision")
    return [None if one is None else round(one, 1) for one in found.values_list("score", flat=True)]


def test_only_what_has_trees_is_measured_and_the_parts_are_gone_then(problems, grade_all):
    grade_all(
        (problems[0], "m g h"), (problems[1], "???"), (problems[2], RENAMED), (problems[4], "0")
    )

    measure()

    assert scores() == [53.3, 0]
    assert not UnorderedPart.objects.exists()


def test_nothing_is_measured_before_it_is_published(problems, grade_all):
    submission = grade_all((problems[0], "m g"), is_published=False)
    measure()
    assert scores() == []

    publish(submission)
    measure()
    assert len(scores()) == 1


def test_what_was_withdrawn_is_not_measured(problems, grade_all):
    grade_all((problems[0], "m g"))
    Submission.objects.update(withdrawn_at=timezone.now())

    measure()

    assert scores() == []


def test_what_is_measured_is_not_queued_again(problems, grade_all):
    grade_all((problems[0], "m g"))
    measure()

    assert tasks.queue_new() == 0


def test_what_an_earlier_version_of_the_metric_said_is_measured_again_and_kept(problems, grade_all):
    grade_all((problems[0], "m g"))
    said = Grade.objects.get()
    said.unordered.create(version="0.9", distance=0, score=60)

    measure()

    assert set(said.unordered.values_list("version", flat=True)) == {"0.9", UNORDERED_VERSION}


def test_two_clocks_leave_the_same_work_once(problems, grade_all):
    grade_all((problems[0], "m g"), (problems[2], "m"))

    assert [tasks.queue_new(), tasks.queue_new()] == [1, 0]


def test_it_waits_until_there_is_nothing_else_to_do(problems, grade_all, hand_in):
    grade_all((problems[0], "m g"))
    work.queue_new()
    assert {part.priority for part in UnorderedPart.objects.all()} == {Priority.IDLE}
    hand_in((problems[1], "a"), model="Another")

    claimed = claim_next(Pool.GENERAL)

    assert claimed is not None
    assert claimed[0].name != tasks.MEASURING.name


def test_a_part_that_takes_long_lets_go_for_what_is_more_urgent_and_goes_on_later(
    problems, grade_all, monkeypatch
):
    monkeypatch.setattr(work, "AT_ONCE", 1)
    monkeypatch.setattr(work, "PART_SECONDS", 0.0)
    grade_all((problems[0], "m g"), (problems[2], "m"))
    work.queue_new()
    part = UnorderedPart.objects.get()

    do(tasks.MEASURING, part.pk)
    assert UnorderedScore.objects.count() == 1
    assert UnorderedPart.objects.get().lease_until is None

    for _time in range(2):
        do(tasks.MEASURING, part.pk)
    assert UnorderedScore.objects.count() == 2
    assert not UnorderedPart.objects.exists()


def test_a_worker_that_lost_its_part_stops_and_what_it_found_stays(
    problems, grade_all, monkeypatch
):
    monkeypatch.setattr(work, "AT_ONCE", 1)
    grade_all((problems[0], "m g"), (problems[2], "m"))
    work.queue_new()
    part = tasks.MEASURING.claim()
    assert part is not None
    # Another claimed it since.
    UnorderedPart.objects.update(tries=part.tries + 1)

    with pytest.raises(Lost):
        work.measure_part(part)

    assert UnorderedScore.objects.count() == 1
    assert UnorderedPart.objects.count() == 1


def test_a_part_that_takes_worker_after_worker_with_it_leaves_a_reason_and_no_score(
    problems, grade_all, settings
):
    grade_all((problems[0], "m g"), (problems[2], "m"))
    work.queue_new()
    UnorderedPart.objects.update(lost=settings.WORK_TRIES)

    carry_out(tasks.MEASURING, [tasks.MEASURING.claim()])

    assert set(UnorderedScore.objects.values_list("score", "reason")) == {(None, "worker_lost")}
    assert not UnorderedPart.objects.exists()

    assert work.try_again(GradingRun.objects.get()) == 2
    measure()
    assert None not in scores()


@pytest.fixture
def new_children():
    """Children that can import what the tests alone have."""
    sandbox.close()
    yield
    sandbox.close()


@pytest.mark.parametrize(
    ("runaway", "reason"),
    [
        (runaways.spin, "timeout"),
        (runaways.eat_memory, "memory"),
        (runaways.die, "crashed"),
        (runaways.refuse, "error"),
    ],
)
def test_trees_that_come_to_no_end_have_a_reason_and_are_no_zero(
    problems, grade_all, settings, monkeypatch, new_children, runaway, reason
):
    grade_all((problems[0], "m g"))
    # No trees are known that bring the metric to this.
    monkeypatch.setattr(work, "measure_written", runaway)
    settings.GRADING_DEADLINE_SECONDS = 5.0 if reason != "timeout" else 0.5

    measure()

    [said] = UnorderedScore.objects.all()
    assert (said.score, said.distance, said.reason) == (None, None, reason)


def test_a_ruling_that_an_answer_is_right_leaves_nothing_to_measure(problems, grade_all, admin):
    submission = grade_all((problems[0], "m g"))
    attempt = submission.attempts.get()
    ruling = rule(attempt, admin)
    # As the run that took it up says it.
    run = GradingRun.objects.create(
        benchmark=submission.benchmark, grader_version="2.0", base=GradingRun.objects.get()
    )
    GradingRun.objects.filter(adopted_at__isnull=False).update(set_aside_at=timezone.now())
    GradingRun.objects.filter(pk=run.pk).update(adopted_at=timezone.now())
    Grade.objects.create(
        run=run, attempt=attempt, judge="symbolic", judge_version="2.0", verdict="CORRECT",
        accuracy=100, eed=100, sympy_version="-", seconds=0.1, override=ruling,
        automatic_verdict="PARTIAL", automatic_eed=43.0,
    )  # fmt: skip

    assert tasks.queue_new() == 0


def test_queueing_asks_as_often_for_three_answers_as_for_one(problems, grade_all):
    grade_all((problems[0], "m g"))
    with CaptureQueriesContext(connection) as for_one:
        work.queue_new()
    UnorderedPart.objects.all().delete()
    grade_all((problems[0], "m"), (problems[2], "m"), (problems[4], "m"), model="Another")
    with CaptureQueriesContext(connection) as for_three:
        work.queue_new()

    assert len(for_three) == len(for_one)


def test_a_score_is_never_changed_and_taken_away_only_where_there_is_none(problems, grade_all):
    grade_all((problems[0], "m g"))
    measure()

    for change in (
        lambda: UnorderedScore.objects.update(score=1),
        lambda: UnorderedScore.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="pgtrigger"), transaction.atomic():
            change()


def test_a_grade_without_trees_has_no_score(problems, grade_all):
    grade_all((problems[0], "m g h"))

    with pytest.raises(DatabaseError, match="unordered_score_is_of_a_measured_grade"):
        UnorderedScore.objects.create(
            grade=Grade.objects.get(), version=UNORDERED_VERSION, distance=0, score=60
        )
