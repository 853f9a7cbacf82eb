"""The same problems for every solver, evenly over the fields, by the server's seed."""

import pytest
from django.core.exceptions import PermissionDenied

from grading.board.first_errors.drawing import draw, find_frame, pick
from grading.samples.first_errors import actions
from grading.samples.labelling.actions import CannotDraw
from tests.grading.first_errors.conftest import RIGHT, UNREADABLE, WRONG

pytestmark = pytest.mark.django_db


def test_every_solver_is_asked_about_the_same_problems_that_all_got_wrong(
    sample, submissions, problems
):
    asked = {
        one.pk: set(
            sample.items.filter(solver__submission=one).values_list("revision__problem", flat=True)
        )
        for one in submissions
    }
    expected = {one.pk for one in problems[:3]}
    assert asked == {one.pk: expected for one in submissions}
    assert {one.attempt.response for one in sample.items.all()} == {WRONG}
    assert sorted(one.place for one in sample.items.all()) == [1, 2, 3, 4, 5, 6]


def test_what_there_was_and_what_was_lacking_is_written_down(sample):
    found = {one.domain: (one.problems, one.eligible, one.drawn) for one in sample.domains.all()}
    assert found == {"MECHANICS": (2, 2, 2), "OPTICS": (1, 1, 1), "MODERN": (1, 0, 0)}
    assert sum(one.asked for one in sample.domains.all()) == sample.size == 5
    assert sample.domains.get(domain="MODERN").short >= 1
    assert sample.grader_version == sample.run.grader_version
    alpha, beta = sample.solvers.order_by("place")
    assert (alpha.accuracy, alpha.problems, alpha.wrong) == (25.0, 4, 3)
    assert (beta.accuracy, beta.problems, beta.wrong) == (0.0, 4, 4)


def test_few_problems_are_taken_evenly_from_the_fields(submissions, version, admin):
    """Else most would be of mechanics, as most problems are."""
    for _again in range(5):
        sample = draw(version=version, by=admin, submissions=[submissions[1].pk], size=3)
        drawn = {one.domain: one.drawn for one in sample.domains.all()}
        assert drawn == {"MECHANICS": 1, "OPTICS": 1, "MODERN": 1}
        actions.end(sample=sample, by=admin, why="To draw another.")


def test_the_seed_alone_decides(submissions, version, sample):
    numbers = [one.pk for one in submissions]
    frame = find_frame(version, numbers)
    once, again = (pick(frame, order, 2, seed=7) for order in (numbers, numbers[::-1]))
    assert once == again
    assert len({tuple(pick(frame, numbers, 2, seed=seed).answers) for seed in range(20)}) > 1
    drawn = pick(frame, numbers, sample.size, sample.seed)
    assert [one.attempt_id for one in sample.items.order_by("place")] == [
        attempt for _submission, _problem, attempt in drawn.answers
    ]


def test_of_several_answers_one_wrong_one_is_drawn(answer, evaluator, version, admin):
    submission = answer(
        evaluator, "Sampled", [[RIGHT, WRONG], [RIGHT] * 2, [UNREADABLE] * 2, [RIGHT] * 2]
    )
    sample = draw(version=version, by=admin, submissions=[submission.pk], size=5)
    [item] = sample.items.all()
    assert (item.attempt.response, item.attempt.sample) == (WRONG, 2)


def test_nothing_is_drawn_where_no_problem_was_answered_wrongly_by_all(
    answer, evaluator, rival, version, admin
):
    first = answer(evaluator, "One", [WRONG, RIGHT, RIGHT, RIGHT])
    second = answer(rival, "Other", [RIGHT, WRONG, RIGHT, RIGHT])
    with pytest.raises(CannotDraw, match="Choose fewer"):
        draw(version=version, by=admin, submissions=[first.pk, second.pk], size=5)
    with pytest.raises(CannotDraw, match="at least one"):
        draw(version=version, by=admin, submissions=[], size=5)


def test_one_sample_of_a_version_is_labelled_at_a_time(sample, submissions, version, admin):
    with pytest.raises(CannotDraw, match="being labelled"):
        draw(version=version, by=admin, submissions=[submissions[0].pk], size=5)


def test_admins_alone_draw(submissions, version, evaluator):
    with pytest.raises(PermissionDenied):
        draw(version=version, by=evaluator, submissions=[submissions[0].pk], size=5)
