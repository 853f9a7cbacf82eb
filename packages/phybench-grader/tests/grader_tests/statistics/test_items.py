"""How hard problems are, and whether they tell good solvers from others."""

import numpy as np
import pytest

from phybench_grader.statistics.items import LEAST_FOR_CORRELATION, Item, find_items


def draw_board(solvers: int = 30, problems: int = 40) -> np.ndarray:
    source = np.random.default_rng(30)
    abilities = source.normal(0, 1.5, solvers)[:, None]
    chances = 1 / (1 + np.exp(source.normal(0, 1, problems) - abilities))
    return 25.0 * source.binomial(4, chances)


def test_the_correlation_is_with_the_means_of_the_other_problems() -> None:
    board = draw_board()
    for place, item in enumerate(find_items(board)):
        rest = np.delete(board, place, axis=1).mean(axis=1)
        assert item.discrimination == pytest.approx(np.corrcoef(board[:, place], rest)[0, 1])
        assert (item.solvers, item.right) == (30, pytest.approx(board[:, place].mean()))


def test_a_problem_is_not_among_its_own_rest() -> None:
    """One on which solvers are right by chance alone correlates with a mean that holds it."""
    source = np.random.default_rng(4)
    board = 100.0 * source.integers(0, 2, (400, 3))
    whole = np.corrcoef(board[:, 0], board.mean(axis=1))[0, 1]
    found = find_items(board)[0].discrimination
    assert whole > 0.5
    assert found is not None
    assert abs(found) < 0.15


def test_a_wrong_key_shows_as_a_negative_one() -> None:
    board = draw_board()
    board[:, 7] = 100 - board[:, 7]
    items = find_items(board)
    assert (items[7].discrimination or 0) < -0.3
    assert all((one.discrimination or 0) > 0 for place, one in enumerate(items) if place != 7)


def test_who_has_nothing_of_a_problem_counts_nothing_to_it() -> None:
    board = draw_board()
    board[:12, 5] = np.nan
    board[3, 9] = np.nan
    item = find_items(board)[5]
    kept = board[12:]
    assert (item.solvers, item.right) == (18, pytest.approx(kept[:, 5].mean()))
    rest = np.delete(kept, 5, axis=1).mean(axis=1)
    assert item.discrimination == pytest.approx(np.corrcoef(kept[:, 5], rest)[0, 1])


@pytest.mark.parametrize(
    ("solvers", "is_told"), [(LEAST_FOR_CORRELATION, True), (LEAST_FOR_CORRELATION - 1, False)]
)
def test_few_solvers_tell_no_correlation(solvers: int, is_told: bool) -> None:
    assert (find_items(draw_board(solvers))[0].discrimination is not None) == is_told


def test_a_problem_that_all_have_right_discriminates_nothing() -> None:
    board = draw_board()
    board[:, 0] = 100.0
    assert find_items(board)[0] == Item(30, 100.0, None)
    alone = board[:, 1:2]
    assert find_items(alone)[0].discrimination is None, "there is no rest"


def test_a_problem_that_no_solver_has_has_no_figure() -> None:
    assert find_items(np.full((12, 2), np.nan)) == [Item(0, None, None)] * 2
