"""Figures of agreement: published examples, and what is undefined."""

import pytest

from phybench_grader.statistics.agreement import (
    Errors,
    Figure,
    Interval,
    Scale,
    bootstrap,
    cohen_kappa,
    count_errors,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
    weighted_kappa,
)


def spread(table: list[list[int]]) -> list[tuple[int, int]]:
    """List the pairs that a table of two raters counts."""
    return [
        (a, b) for a, row in enumerate(table) for b, times in enumerate(row) for _ in range(times)
    ]


PARADOX = spread([[118, 5], [2, 0]])
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
# Krippendorff (2011), example C: four observers, twelve units, some of them unseen.
KRIPPENDORFF = list(
    zip(
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
        strict=True,
    )
)


def test_cohen_s_kappa_is_that_of_the_worked_example():
    assert cohen_kappa(spread([[20, 5], [10, 15]])).value == pytest.approx(0.40)


def test_high_agreement_on_a_rare_category_can_be_no_better_than_chance():
    assert percent_agreement(PARADOX).value == pytest.approx(94.4)
    assert cohen_kappa(PARADOX).value == pytest.approx(-0.023, abs=5e-4)


def test_fleiss_kappa_is_that_of_the_worked_example():
    assert fleiss_kappa(FLEISS).value == pytest.approx(0.2099, abs=5e-5)


def test_quadratic_weights_count_a_far_miss_more_than_a_near_one():
    pairs = spread([[5, 1, 0], [1, 4, 1], [0, 1, 5]])

    assert weighted_kappa(pairs).value == pytest.approx(0.8333, abs=5e-5)
    assert weighted_kappa([*pairs, (0, 2)]).value < weighted_kappa([*pairs, (0, 1)]).value


@pytest.mark.parametrize(
    ("scale", "alpha"), [(Scale.NOMINAL, 0.743), (Scale.ORDINAL, 0.815), (Scale.INTERVAL, 0.849)]
)
def test_krippendorff_s_alpha_is_that_of_his_example(scale, alpha):
    found = krippendorff_alpha(KRIPPENDORFF, scale)

    assert found.value == pytest.approx(alpha, abs=5e-4)
    assert found.count == 11  # the last unit has one observer only


def test_where_all_chose_one_category_there_is_no_figure_and_the_count_is_kept():
    assert cohen_kappa([(1, 1)] * 7) == Figure(None, 7)
    assert weighted_kappa([(3, 3)] * 7) == Figure(None, 7)
    assert fleiss_kappa([[3, 0]] * 7) == Figure(None, 7)
    assert krippendorff_alpha([[1, 1]] * 7) == Figure(None, 7)


def test_of_nothing_there_is_no_figure():
    assert percent_agreement([]) == cohen_kappa([]) == fleiss_kappa([]) == Figure(None, 0)
    assert krippendorff_alpha([[1, None], []]) == Figure(None, 0)


def test_two_raters_that_never_agree_are_worse_than_chance():
    assert cohen_kappa([(0, 1), (1, 0)]).value == -1


def test_items_rated_by_fewer_are_refused_by_fleiss_kappa():
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa([[2, 1], [1, 1]])


def test_false_accepts_and_false_rejects_are_counted_apart():
    pairs = [(True, True)] * 6 + [(True, False)] + [(False, False)] * 3 + [(False, True)] * 2

    errors = count_errors(pairs)

    assert errors == Errors(6, 1, 3, 2)
    assert errors.prevalence == pytest.approx(8 / 12)


def test_the_prevalence_of_nothing_is_none():
    assert count_errors([]).prevalence is None


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    def find(seed: int) -> Interval:
        return bootstrap(PARADOX, lambda drawn: percent_agreement(drawn).value, seed=seed)

    assert find(1) == find(1)
    assert find(1) != find(2)
    assert 88 < find(1).low < 94.4 < find(1).high < 99


def test_samples_without_a_figure_are_counted_and_too_many_leave_no_interval():
    rare = bootstrap(PARADOX[-6:], lambda drawn: cohen_kappa(drawn).value, seed=3, samples=200)
    never = bootstrap([(1, 1)] * 5, lambda drawn: cohen_kappa(drawn).value, seed=3, samples=200)

    assert rare.samples + rare.undefined == 200
    assert never == Interval(None, None, 0, 200)
    assert bootstrap([], lambda drawn: 1.0, seed=3) == Interval(None, None, 0, 0)
