"""Ranks as ranges: small boards by hand, and how often the truth is held on boards at random."""

import tracemalloc

import numpy as np
import pytest
from numpy.typing import NDArray

from grader_tests.statistics.boards import compare_by_holm, draw_boards, measure_width
from phybench_grader.statistics.ranks import (
    DRAWS,
    LEAST_FOR_RANK,
    SEED,
    RankRange,
    find_better,
    find_rank_ranges,
    read_ranges,
)

Matrix = NDArray[np.float64]


def draw_board(solvers: int, problems: int, spread: float = 2.0, samples: int = 1) -> Matrix:
    source = np.random.default_rng([solvers, problems])
    abilities = np.linspace(-spread, spread, solvers)
    chances = 1 / (1 + np.exp(-(abilities[:, None] - source.normal(0, 1, problems))))
    return 100.0 * source.binomial(samples, chances) / samples


def find_better_slowly(scores: Matrix) -> NDArray[np.bool_]:
    """Step down as it is written, without chunks, each standard error from turned differences."""
    solvers, problems = scores.shape
    first, second = np.triu_indices(solvers, 1)
    differences = scores[first] - scores[second]

    def study(turned: Matrix) -> Matrix:
        errors = turned.std(axis=1, ddof=1) / np.sqrt(problems)
        return np.divide(turned.mean(axis=1), errors, out=np.zeros(len(turned)), where=errors > 0)

    observed = study(differences)
    signs = 2 * np.random.default_rng(SEED).integers(0, 2, (problems, DRAWS)) - 1
    drawn = np.array([np.abs(study(differences * column)) for column in signs.T])
    left = np.ones(len(first), dtype=np.bool_)
    better = np.zeros((solvers, solvers), dtype=np.bool_)
    while left.any():
        # The 1,901st of 2,000 and the observed one.
        critical = np.sort(drawn[:, left].max(axis=1))[1_900]
        found = left & (np.abs(observed) > critical)
        if not found.any():
            break
        for pair in np.flatnonzero(found):
            one, other = first[pair], second[pair]
            better[(one, other) if observed[pair] > 0 else (other, one)] = True
        left &= ~found
    return better


def test_the_steps_are_those_of_the_plain_way_to_do_it() -> None:
    # 30 solvers make 435 pairs, which are two chunks.
    scores = draw_board(30, 80)
    found = find_better(scores, scores)
    assert 100 < found.sum() < 435
    assert (found == find_better_slowly(scores)).all()


def test_a_problem_that_none_has_changes_nothing() -> None:
    scores = draw_board(20, 80)
    more = np.column_stack([scores, np.full(20, np.nan)])
    assert (find_better(more, more) == find_better(scores, scores)).all()


def test_one_seed_gives_one_answer() -> None:
    scores = draw_board(12, 60)
    again = find_better(scores.copy(), scores.copy())
    assert (find_better(scores, scores) == again).all()


def test_the_order_of_the_solvers_changes_nothing() -> None:
    scores = draw_board(12, 60)
    order = np.random.default_rng(3).permutation(12)
    ranges = find_rank_ranges(scores, scores)
    assert find_rank_ranges(scores[order], scores[order]) == [ranges[one] for one in order]


def test_who_is_better_bounds_the_ranks() -> None:
    # 0 beats 2 and 3, 1 beats 3; nothing else is known.
    better = np.zeros((4, 4), dtype=np.bool_)
    better[[0, 0, 1], [2, 3, 3]] = True
    assert read_ranges(better) == [
        RankRange(1, 2), RankRange(1, 3), RankRange(2, 4), RankRange(3, 4)
    ]  # fmt: skip


def test_equal_scores_have_equal_ranges() -> None:
    scores = draw_board(9, 100)
    scores[4] = scores[2]
    ranges = find_rank_ranges(scores, scores)
    assert ranges[4] == ranges[2]


def test_all_right_is_better_than_all_wrong_and_all_alike_are_tied() -> None:
    scores = np.array([[100.0], [100.0], [0.0]]).repeat(40, axis=1)
    ranges = find_rank_ranges(scores, scores)
    assert ranges == [RankRange(1, 2), RankRange(1, 2), RankRange(3, 3)]


def test_what_rounding_leaves_is_a_tie() -> None:
    thirds = np.full((2, 40), 100 / 3)
    thirds[1] += 1e-13
    assert find_rank_ranges(thirds, thirds) == [RankRange(1, 2), RankRange(1, 2)]


@pytest.mark.parametrize(("common", "is_decided"), [(LEAST_FOR_RANK, True), (29, False)])
def test_two_with_few_problems_in_common_decide_nothing(common: int, is_decided: bool) -> None:
    scores = np.array([[100.0], [0.0]]).repeat(60, axis=1)
    scores[1, common:] = np.nan
    assert find_better(scores, scores)[0, 1] == is_decided


def test_two_are_compared_by_the_problems_that_both_have() -> None:
    """The second has only the easy half: its mean is higher, and it is the worse one."""
    scores = np.zeros((2, 100))
    scores[0, :50] = 100.0
    scores[1, :50] = [100.0, 0.0, 100.0, 100.0, 100.0] * 10
    scores[1, 50:] = np.nan
    better = find_better(scores, scores)
    assert np.nanmean(scores[1]) > np.nanmean(scores[0])
    assert (better[0, 1], better[1, 0]) == (True, False)


def test_who_has_nothing_can_have_any_rank() -> None:
    scores = draw_board(5, 60)
    scores[2] = np.nan
    assert find_rank_ranges(scores, scores)[2] == RankRange(1, 5)


def test_of_none_and_of_one_there_is_nothing_to_compare() -> None:
    nothing, one = np.empty((0, 60)), np.full((1, 60), 100.0)
    assert find_rank_ranges(nothing, nothing) == []
    assert find_rank_ranges(one, one) == [RankRange(1, 1)]


# --- What we could not grade ------------------------------------------------------------------


def test_a_solver_is_better_only_if_what_we_could_not_grade_cannot_matter() -> None:
    low = np.zeros((2, 100))
    low[0, :13], low[1, 6:8] = 100.0, 100.0
    assert find_better(low, low)[0, 1], "11 of 100 ahead, without a doubt"
    high = low.copy()
    high[1, :6] = 100.0
    # 5 of 100, if all that is ungraded is right: so five heads of five tosses, p = 0.06.
    assert not find_better(low, high).any()
    # The other way round it would help the better one, and changes nothing.
    high = low.copy()
    high[0, 90:96] = 100.0
    assert find_better(low, high)[0, 1]


def test_an_ungraded_answer_never_adds_a_claim() -> None:
    low = draw_board(10, 120)
    high = low.copy()
    source = np.random.default_rng(5)
    left = source.random(low.shape) < 0.02
    low[left], high[left] = 0.0, 100.0
    whole = np.where(left, 100.0 * source.integers(0, 2, low.shape), low)
    claimed, known = find_better(low, high), find_better(whole, whole)
    assert not (claimed & ~known).any()
    assert 0 < claimed.sum() < known.sum()


def test_two_with_ungraded_answers_are_never_each_better_than_the_other() -> None:
    low = draw_board(10, 120)
    high = low.copy()
    low[:, :3], high[:, :3] = 0.0, 100.0
    better = find_better(low, high)
    assert better.any()
    assert not (better & better.T).any()


# --- How often the truth is held --------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "problems", "samples", "kind"), [(100, 19, 1, "equal"), (25, 150, 4, "apart")]
)
def test_nineteen_of_twenty_boards_hold_all_true_ranks(
    times: int, problems: int, samples: int, kind: str
) -> None:
    check_boards(times, 20, problems, samples, kind)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["equal", "near", "apart"])
@pytest.mark.parametrize("samples", [1, 4])
@pytest.mark.parametrize("problems", [19, 50, 150, 575])
@pytest.mark.parametrize("solvers", [20, 60])
def test_all_true_ranks_are_held_on_boards_of_each_kind(
    solvers: int, problems: int, samples: int, kind: str
) -> None:
    check_boards(400, solvers, problems, samples, kind)


def check_boards(times: int, solvers: int, problems: int, samples: int, kind: str) -> None:
    """A range that holds the truth because it says 1 to 60 is useless: Holm's is no narrower."""
    held = width = of_holm = 0.0
    for board in draw_boards(times, solvers=solvers, problems=problems, samples=samples, kind=kind):
        ranges = find_rank_ranges(board.scores, board.scores, least=19)
        held += board.covers(ranges)
        width += measure_width(ranges)
        of_holm += measure_width(read_ranges(compare_by_holm(board.scores)))
    assert held / times >= 0.91
    if problems >= 150:
        assert width <= of_holm


def test_a_board_of_two_hundred_solvers_takes_little_memory() -> None:
    """19,900 pairs times 2,000 draws would be 318 MB: never more than a chunk of it is held."""
    scores = draw_board(200, 40)
    tracemalloc.start()
    find_better(scores, scores)
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 60e6
