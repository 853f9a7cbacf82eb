"""Which answers of two submissions are compared, and what a judge's preferences come to."""

import json

import pytest
from django.utils import timezone

from curation.problems.models import Problem, Revision
from grading.judging.pairs.matching import LeftOut, match_submissions
from grading.judging.pairs.preferences import Graded, JudgedPair, SaidOfPair, compare
from tests.organisations import organisation_of
from tests.versions import hand_in

pytestmark = pytest.mark.django_db


def hand_in_samples(by, benchmark, model, *rows):
    """Hand in answers to problems by their number of the sample, counted from 1."""
    content = [
        {"id": problem.identifier, "model": model, "repeat_index": sample - 1, "model_answer": "x"}
        for problem, sample in rows
    ]
    [made] = hand_in(
        organisation=organisation_of(by),
        benchmark=benchmark,
        uploaded_by=by,
        file_name="answers.json",
        content=json.dumps(content).encode(),
    )
    return made


def test_the_same_sample_of_the_same_text_is_a_pair_and_the_rest_says_why_not(
    problems, evaluator, benchmark
):
    one, two, three = problems[:3]
    first = hand_in_samples(evaluator, benchmark, "A", (one, 1), (one, 2), (two, 1))
    second = hand_in_samples(evaluator, benchmark, "B", (one, 1), (two, 1), (two, 2), (three, 1))
    found = match_submissions(first, second)
    assert [(a.revision.problem, a.sample, b.sample) for a, b in found.pairs] == [
        (one, 1, 1),
        (two, 1, 1),
    ]
    assert all(a.submission_id == first.pk and b.submission_id == second.pk for a, b in found.pairs)
    assert [(one.revision.problem, one.sample, why) for one, why in found.left_out] == [
        (one, 2, LeftOut.ONLY_FIRST),
        (two, 2, LeftOut.ONLY_SECOND),
        (three, 1, LeftOut.ONLY_SECOND),
    ]


def test_answers_to_two_revisions_are_no_pair_and_left_out_once(problems, evaluator, benchmark):
    first = hand_in_samples(evaluator, benchmark, "A", (problems[0], 1), (problems[1], 1))
    old = problems[0].revisions.get()
    newer = Revision.objects.create(
        problem=old.problem,
        number=old.number + 1,
        statement=old.statement,
        answer=old.answer,
        solution=old.solution,
        submitted_at=timezone.now(),
    )
    Problem.objects.filter(pk=old.problem_id).update(accepted_revision=newer)
    problems[0].refresh_from_db()
    second = hand_in_samples(evaluator, benchmark, "B", (problems[0], 1), (problems[1], 1))
    found = match_submissions(first, second)
    assert len(found.pairs) == 1
    assert found.reasons == [(LeftOut.ANOTHER_REVISION, 1)]


# --- What they come to ----------------------------------------------------------------------


def test_a_win_is_one_a_tie_half_and_several_samples_of_a_problem_are_one():
    found = compare(
        [
            JudgedPair(1, 1.0),
            JudgedPair(1, 0.0),
            JudgedPair(2, 1.0),
            JudgedPair(3, 0.5),
            JudgedPair(4, 0.0),
        ]
    )
    assert (found.first, found.second, found.ties, found.judged) == (2, 2, 1, 5)
    assert (found.win_rate.value, found.win_rate.count) == (50.0, 4)
    assert found.bounds == (50.0, 50.0)


def test_what_has_no_verdict_is_no_tie_but_widens_the_bounds():
    moved = JudgedPair(3, None, "position_inconsistent")
    found = compare([JudgedPair(1, 1.0), JudgedPair(2, 0.0), moved, JudgedPair(4, None, "refusal")])
    assert (found.win_rate.value, found.win_rate.count) == (50.0, 2)
    assert found.bounds == (25.0, 75.0)
    assert (found.moved, found.count(SaidOfPair.NOTHING)) == (1, 2)


def test_nothing_judged_has_no_rate_and_leads_nobody():
    found = compare([])
    assert (found.win_rate.value, found.bounds, found.coverage) == (None, None, None)
    assert found.leads is SaidOfPair.NOTHING
    assert compare([JudgedPair(1, None, "empty")]).bounds == (0.0, 100.0)


def test_pairs_that_wait_are_missing_like_those_without_a_verdict():
    found = compare([JudgedPair(1, 1.0)], waiting=[2, 2, 3], left_out=1)
    assert (found.win_rate.value, found.judged, found.all) == (100.0, 1, 5)
    assert found.bounds == (pytest.approx(100 / 3), 100.0)
    assert found.coverage == 0.2
    assert compare([], waiting=[1]).bounds == (0.0, 100.0)
    assert found.count(SaidOfPair.NOTHING) == 0, "of what waits nothing is known yet"


WINS = [JudgedPair(number, 1.0) for number in range(60)]
LOSSES = [JudgedPair(number, 0.0) for number in range(60)]


@pytest.mark.parametrize(
    ("said", "left_out", "leads"),
    [
        (WINS, 0, SaidOfPair.FIRST),
        (LOSSES, 1, SaidOfPair.SECOND),
        # 60 of 62 are less than 98 %: neither what failed nor what only one answered is passed by.
        (WINS, 2, SaidOfPair.NOTHING),
        (
            [*WINS, JudgedPair(60, None, "refusal"), JudgedPair(61, None, "refusal")],
            0,
            SaidOfPair.NOTHING,
        ),
        (WINS[:30] + LOSSES[30:], 0, SaidOfPair.TIE),
        ([JudgedPair(number, 0.5) for number in range(60)], 0, SaidOfPair.TIE),
        # Three wins are little: Wilson's interval reaches down to 44.
        (WINS[:3], 0, SaidOfPair.TIE),
    ],
)
def test_it_ranks_only_where_enough_has_a_verdict_and_the_interval_tells(said, left_out, leads):
    assert compare(said, left_out=left_out).leads is leads


def test_preferences_are_set_beside_what_the_grader_says():
    found = compare(
        [
            JudgedPair(1, 1.0, graded=Graded.ONLY_FIRST),
            JudgedPair(2, 0.0, graded=Graded.ONLY_FIRST),
            JudgedPair(3, 0.0, graded=Graded.ONLY_SECOND),
            JudgedPair(4, 0.5, graded=Graded.ONLY_SECOND),
            JudgedPair(5, None, "refusal", graded=Graded.ONLY_FIRST),
            JudgedPair(6, 1.0, graded=Graded.BOTH),
            JudgedPair(7, 1.0),
        ]
    )
    counts = {said: dict(numbers) for said, numbers in found.beside_grader}
    assert counts[SaidOfPair.FIRST] == {
        Graded.ONLY_FIRST: 1,
        Graded.ONLY_SECOND: 0,
        Graded.BOTH: 1,
        Graded.NEITHER: 0,
        Graded.UNTOLD: 1,
    }
    assert counts[SaidOfPair.NOTHING][Graded.ONLY_FIRST] == 1
    assert sum(number for numbers in counts.values() for number in numbers.values()) == 7
    assert (found.sides_with_grader.value, found.sides_with_grader.count) == (50.0, 4)
