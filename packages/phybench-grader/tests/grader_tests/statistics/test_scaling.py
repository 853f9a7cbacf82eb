"""The best and the vote of k answers: beside every way in which k can be drawn."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

import numpy as np
import pytest

from phybench_grader.statistics.intervals import Method
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.scaling import average, find_best, find_vote

RIGHT, WRONG, NOT_GRADED = 100.0, 0.0, math.nan


@pytest.mark.parametrize(("right", "count"), [(0, 5), (1, 5), (3, 16), (16, 16), (1, 1), (5, 64)])
def test_the_best_of_right_and_wrong_answers_is_pass_at_k(right: int, count: int) -> None:
    found = find_best([WRONG] * (count - right) + [RIGHT] * right)
    assert found.tolist() == pytest.approx(
        [100 * (1 - math.comb(count - right, k) / math.comb(count, k)) for k in range(1, count + 1)]
    )


def test_the_best_is_that_of_all_ways_to_draw() -> None:
    scores = [35.0, 0.0, 100.0, 46.7, 0.0, 12.5]
    expected = [fmean(max(drawn) for drawn in combinations(scores, k)) for k in range(1, 7)]
    assert find_best(scores).tolist() == pytest.approx(expected)


def vote_slowly(labels: Sequence[str | None], scores: Sequence[float], k: int) -> float:
    means: dict[str | None, list[float]] = defaultdict(list)
    for label, score in zip(labels, scores, strict=True):
        means[label].append(score)
    outcomes = []
    for drawn in combinations(labels, k):
        votes = Counter(label for label in drawn if label is not None)
        most = max(votes.values(), default=0)
        chosen = [label for label, count in votes.items() if count == most]
        outcomes.append(fmean(fmean(means[label]) for label in chosen) if chosen else 0.0)
    return fmean(outcomes)


@pytest.mark.parametrize(
    ("labels", "scores"),
    [
        ("aabbc", [RIGHT, RIGHT, WRONG, WRONG, 20.0]),
        ("aaabbcd", [WRONG, WRONG, WRONG, RIGHT, RIGHT, 35.0, 0.0]),
        ("abcdef", [RIGHT, 0.0, 10.0, 20.0, 30.0, 40.0]),
        ("aabb----", [RIGHT, RIGHT, WRONG, WRONG, 0.0, 0.0, 0.0, 0.0]),
        ("aaaabbbbcc-", [RIGHT] * 4 + [30.0, 32.0, 34.0, 36.0] + [0.0] * 3),
        ("----", [0.0] * 4),
        ("a", [RIGHT]),
    ],
)
def test_the_vote_is_that_of_all_ways_to_draw(labels: str, scores: list[float]) -> None:
    named = [None if label == "-" else label for label in labels]
    found = find_vote(named, scores)
    assert found.tolist() == pytest.approx(
        [vote_slowly(named, scores, k) for k in range(1, len(named) + 1)]
    )


def test_equal_clusters_share_the_vote_in_expectation() -> None:
    assert find_vote(["x", "y"], [RIGHT, WRONG]).tolist() == [50, 50]
    assert find_vote(["x", "y", "z"], [RIGHT, WRONG, WRONG])[-1] == pytest.approx(100 / 3)


def test_the_right_answer_can_lose_by_more_votes() -> None:
    found = find_vote(["x", "x", "x", "y", "y"], [WRONG] * 3 + [RIGHT] * 2)
    assert (found[0], found[-1]) == (40, 0)
    assert find_best([WRONG] * 3 + [RIGHT] * 2)[-1] == 100


def test_an_answer_that_abstains_has_no_vote_and_one_alone_wins() -> None:
    found = find_vote([None, None, "x"], [0.0, 0.0, RIGHT])
    # One in three draws of one, two in three of two.
    assert found.tolist() == pytest.approx([100 / 3, 200 / 3, 100])


def test_an_answer_that_we_could_not_grade_is_neither_right_nor_wrong() -> None:
    graded = [RIGHT, WRONG, WRONG]
    assert find_best([*graded, NOT_GRADED]).tolist() == find_best(graded).tolist()
    voted = find_vote(["x", "y", "y", "x"], [*graded, NOT_GRADED])
    assert voted.tolist() == find_vote(["x", "y", "y"], graded).tolist()
    assert len(find_best([NOT_GRADED])) == len(find_vote(["x"], [NOT_GRADED])) == 0


def test_a_problem_with_too_few_graded_answers_is_left_out_and_said() -> None:
    problems = [find_best([RIGHT, WRONG])] * 10 + [find_best([WRONG, WRONG])] * 10
    problems += [find_best([RIGHT, NOT_GRADED])] * 3
    once, twice = average(problems, 1), average(problems, 2)
    assert (once.mean.count, once.left_out) == (23, 0)
    assert (twice.samples, twice.mean.value, twice.mean.count) == (2, 50, 20)
    assert (twice.left_out, twice.mean.method) == (3, Method.BETA)
    values = [100.0] * 10 + [0.0] * 10
    assert twice.mean == Mean.of(values), "all answers are drawn: each is one score"
    assert once.mean == Mean.of([50.0] * 10 + [0.0] * 10 + [100.0] * 3, is_averaged=True)


def test_many_samples_of_many_kinds_are_voted_on_at_once() -> None:
    source = np.random.default_rng(64)
    labels = source.zipf(1.6, 64).tolist()
    shares = [
        find_vote(labels, [RIGHT * (label == one) for label in labels]) for one in set(labels)
    ]
    assert np.sum(shares, axis=0).tolist() == pytest.approx([100.0] * 64), "one of them is chosen"
