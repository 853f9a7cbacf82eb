"""What a sample is drawn from, and how: at random, by its seed, with the weights kept."""

from collections import Counter

import pgtrigger
import pytest
from django.core.exceptions import PermissionDenied

from curation.versions import actions as versioning
from grading.answers.models import Grade
from grading.disputes.regrades import actions as regrades
from grading.disputes.regrades.work import grade_left
from grading.samples.audits import actions
from grading.samples.audits.drawing import Graded, draw, find_frame, pick
from grading.samples.audits.models import AuditSample
from grading.samples.labelling.actions import CannotDraw
from grading.submissions import publication
from tests.grading.audits.conftest import RIGHT
from tests.grading.regrades.conftest import rule

FRAME = [
    *(Graded(pk, "CORRECT", True) for pk in range(900)),
    *(Graded(pk, "", True) for pk in range(100)),
    *(Graded(pk, "PARTIAL", False) for pk in range(1_000, 2_200)),
    *(Graded(pk, "INCORRECT", False) for pk in range(2_200, 4_000)),
    *(Graded(pk, "", False) for pk in range(4_000, 5_000)),
]


def test_half_of_each_stratum_is_picked_and_each_verdict_has_its_share():
    picked = pick(FRAME, 200, seed=1)
    assert Counter((one.is_accepted, one.verdict) for one in picked) == {
        (True, "CORRECT"): 90,
        (True, ""): 10,
        (False, "PARTIAL"): 30,
        (False, "INCORRECT"): 45,
        (False, ""): 25,
    }
    assert len(set(picked)) == 200


def test_one_seed_picks_the_same_and_another_others():
    assert pick(FRAME, 50, seed=1) == pick(FRAME, 50, seed=1)
    assert set(pick(FRAME, 50, seed=1)) != set(pick(FRAME, 50, seed=2))


def test_the_order_says_nothing_of_the_verdict():
    firsts = [pick(FRAME, 10, seed=seed)[0].is_accepted for seed in range(400)]
    assert 160 < sum(firsts) < 240


def test_each_answer_of_a_stratum_is_picked_as_probably():
    frame = [Graded(pk, "PARTIAL" if pk < 3 else "INCORRECT", False) for pk in range(10)]
    times = Counter(one.pk for seed in range(4_000) for one in pick(frame, 8, seed))
    # 4 of 10: 1,600 times, with a standard deviation of 31.
    assert set(times) == set(range(10))
    assert all(1_470 < count < 1_730 for count in times.values())


def test_of_fewer_than_asked_all_are_picked():
    assert len(pick(FRAME[:30] + FRAME[-5:], 200, seed=1)) == 35


@pytest.mark.django_db
def test_the_frame_holds_what_is_graded_public_answers_and_hidden_ones(with_hidden, version):
    frame = find_frame(version)
    assert frame.count_verdicts() == {
        "CORRECT": 5,
        "PARTIAL": 1,
        "INCORRECT": 2,
        "UNREADABLE": 1,
        "": 2,
    }
    assert [one.is_accepted for one in frame.answers if one.is_hidden] == [True, False]


@pytest.mark.django_db
def test_what_was_withdrawn_or_cancelled_is_not_in_the_frame(
    answer, problems, version, submission, evaluator, admin
):
    withdrawn = answer({problems[0]: [RIGHT], problems[3]: [RIGHT]}, model="Withdrawn")
    publication.withdraw(submission=withdrawn, by=evaluator)
    cancelled = answer({problems[0]: [RIGHT]}, model="Cancelled")
    type(cancelled).objects.filter(pk=cancelled.pk).update(
        cancelled_at=cancelled.created_at, cancelled_by=evaluator
    )
    versioning.withdraw_item(
        item=version.items.get(problem=problems[1]), reason="Two answers.", by=admin
    )
    assert find_frame(version).count_verdicts() == {"CORRECT": 4}


@pytest.mark.django_db
def test_what_another_grader_graded_is_left_out_and_counted(version, submission, admin):
    with pgtrigger.ignore("grading.Grade:grade_is_append_only"):
        Grade.objects.filter(verdict="PARTIAL").update(judge_version="1.0")
    made = draw(version=version, by=admin)
    assert (made.items.count(), made.left_out) == (7, 1)


@pytest.mark.django_db
def test_where_a_person_ruled_the_frame_has_what_the_grader_said(version, submission, admin):
    before = find_frame(version)
    similar = submission.attempts.get(grades__verdict="PARTIAL")
    rule(similar, admin)
    run = regrades.begin(benchmark=version.benchmark)
    assert list(grade_left(run, processes=1))
    regrades.adopt(run=run)
    assert run.grades.get(attempt=similar).verdict == "CORRECT"
    after = find_frame(version)
    assert (after.run, after.answers) == (run, before.answers)


@pytest.mark.django_db
def test_a_drawn_sample_keeps_its_weights_and_its_seed(with_hidden, version, admin):
    made = draw(version=version, by=admin, size=4, why="To see.")
    assert {one.kind: (one.population, one.verdicts) for one in made.strata.all()} == {
        "ACCEPTED": (6, {"CORRECT": 5, "HIDDEN": 1}),
        "REJECTED": (5, {"PARTIAL": 1, "INCORRECT": 2, "UNREADABLE": 1, "HIDDEN": 1}),
    }
    picked = pick(find_frame(version).answers, 4, made.seed)
    items = [(one.attempt_id or one.hidden_answer_id, one.stratum) for one in made.items.all()]
    assert items == [(one.pk, one.kind) for one in picked]
    assert Counter(stratum for _pk, stratum in items) == {"ACCEPTED": 2, "REJECTED": 2}
    # Numbers of rows are in the order of places: they tell nothing else.
    pks = list(made.items.order_by("place").values_list("pk", flat=True))
    assert pks == sorted(pks)


@pytest.mark.django_db
def test_no_other_is_drawn_while_one_is_open_and_what_was_ended_stays_listed(
    version, sample, admin
):
    with pytest.raises(CannotDraw, match="being labelled"):
        draw(version=version, by=admin)
    actions.end(sample=sample, by=admin, why="The wrong version.")
    draw(version=version, by=admin)
    assert [one.state for one in AuditSample.objects.order_by("pk")] == ["ENDED", "OPEN"]


@pytest.mark.django_db
def test_nothing_is_drawn_where_nothing_is_graded(version, admin):
    with pytest.raises(CannotDraw, match="no sample can be drawn"):
        draw(version=version, by=admin)
    assert not AuditSample.objects.exists()


@pytest.mark.django_db
def test_only_admins_draw(version, submission, evaluator, reviewer):
    for person in (evaluator, reviewer):
        with pytest.raises(PermissionDenied):
            draw(version=version, by=person)
