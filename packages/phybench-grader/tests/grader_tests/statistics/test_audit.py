"""Rates of a grader's errors: worked examples, and how often they hold the truth."""

import doctest
from collections import Counter
from itertools import product

import numpy as np
import pytest

from phybench_grader.statistics import audit
from phybench_grader.statistics.audit import Errors, Rate, Stratum, Untold, estimate

BOARDS = 20_000
ANSWERS = 10_000
SAMPLED = 100
SEED = 15
MOST_BIAS = 0.5
LEAST_COVERAGE = 0.93

SETTINGS = list(product((0.9, 0.97), (0.995, 1.0), (0.2, 0.6)))
"""Sensitivity and specificity of the grader, and how many of the answers are right."""
AT_AN_EDGE = [(0.8975, 0.995, 0.2), (0.8975, 1.0, 0.2)]
"""Rejected answers are right so often that Jeffreys' own interval of none in 100 just misses it."""


def test_examples_in_the_docstrings_hold():
    assert doctest.testmod(audit).failed == 0


def simulate(sensitivity: float, specificity: float, truth: float) -> Counter[tuple[int, int]]:
    """Count boards by how many of the sampled answers are right: accepted and rejected ones."""
    source = np.random.default_rng(SEED)
    [(right_kept, wrong_kept), (right_lost, wrong_lost)] = split(sensitivity, specificity, truth)
    accepted = source.hypergeometric(right_kept, wrong_kept, SAMPLED, BOARDS)
    rejected = source.hypergeometric(right_lost, wrong_lost, SAMPLED, BOARDS)
    return Counter(zip(accepted.tolist(), rejected.tolist(), strict=True))


def split(
    sensitivity: float, specificity: float, truth: float
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return how many right and wrong answers the grader accepted, and rejected."""
    right = round(ANSWERS * truth)
    wrong = ANSWERS - right
    kept, let_in = round(right * sensitivity), round(wrong * (1 - specificity))
    return (kept, let_in), (right - kept, wrong - let_in)


def list_rates(errors: Errors) -> dict[str, Rate]:
    names = ("truth", "false_rejection", "false_acceptance")
    return {name: getattr(errors, name) for name in names}


@pytest.mark.parametrize(("sensitivity", "specificity", "truth"), [*SETTINGS, *AT_AN_EDGE])
def test_bias_is_under_half_a_point_and_intervals_hold_the_truth(sensitivity, specificity, truth):
    (kept, let_in), (lost, kept_out) = split(sensitivity, specificity, truth)
    is_so = {
        "truth": 100 * (kept + lost) / ANSWERS,
        "false_rejection": 100 * lost / (kept + lost),
        "false_acceptance": 100 * let_in / (let_in + kept_out),
    }
    sums: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for (a, b), boards in simulate(sensitivity, specificity, truth).items():
        found = estimate(Stratum(kept + let_in, SAMPLED, a), Stratum(lost + kept_out, SAMPLED, b))
        for name, rate in list_rates(found).items():
            sums[name] += boards * rate.value
            held[name] += boards * (rate.low - 1e-9 <= is_so[name] <= rate.high + 1e-9)
    for name, wanted in is_so.items():
        assert abs(sums[name] / BOARDS - wanted) < MOST_BIAS, name
        assert held[name] / BOARDS >= LEAST_COVERAGE, name


def test_intervals_say_something():
    """They could hold the truth by being as wide as can be."""
    found = estimate(Stratum(1_840, 100, 98), Stratum(8_160, 100, 2))
    assert found.false_rejection.high - found.false_rejection.low < 22
    assert found.false_acceptance.high < 2
    assert found.truth.high - found.truth.low < 8


def test_a_worked_example_is_weighted_by_stratum():
    # 2,000 × 0.98 = 1,960 and 8,000 × 0.05 = 400 are right: 400 of 2,360 were rejected, and
    # 40 of 7,640 wrong ones accepted. Unweighted it would be 5 of 103.
    found = estimate(Stratum(2_000, 100, 98), Stratum(8_000, 100, 5))
    assert found.truth.value == pytest.approx(23.6)
    assert found.false_rejection.value == pytest.approx(100 * 400 / 2_360)
    assert found.false_acceptance.value == pytest.approx(100 * 40 / 7_640)


def test_an_interval_begins_at_0_where_no_error_was_found_and_does_not_end_there():
    found = estimate(Stratum(2_000, 100, 100), Stratum(8_000, 100, 0))
    assert (found.false_rejection.value, found.false_rejection.low) == (0.0, 0.0)
    # 3.6 % of the rejected answers may be right (0.975 = 1 - 0.964^100): 288 of 2,288.
    assert found.false_rejection.high == pytest.approx(12.6, abs=0.3)
    assert (found.false_acceptance.value, found.false_acceptance.low) == (0.0, 0.0)
    assert 0.5 < found.false_acceptance.high < 1.5


def test_the_same_labels_give_the_same_figures():
    strata = Stratum(2_000, 97, 95), Stratum(8_000, 99, 4)
    assert estimate(*strata) == estimate(*strata)


def test_two_strata_are_drawn_apart():
    """With the same numbers in both, the same draws would make a quotient that never varies."""
    found = estimate(Stratum(1_000, 100, 50), Stratum(1_000, 100, 50))
    assert found.false_rejection.high - found.false_rejection.low > 5


@pytest.mark.parametrize(
    ("accepted", "rejected", "expected"),
    [
        (Stratum(5, 0, 0), Stratum(9, 9, 1), [Untold.UNLABELLED] * 3),
        (Stratum(5, 5, 5), Stratum(9, 0, 0), [Untold.UNLABELLED] * 3),
        (Stratum(0, 0, 0), Stratum(0, 0, 0), [Untold.UNLABELLED] * 3),
        (Stratum(0, 0, 0), Stratum(9, 9, 1), [None, *[Untold.ONE_VERDICT] * 2]),
        (Stratum(5, 5, 4), Stratum(0, 0, 0), [None, *[Untold.ONE_VERDICT] * 2]),
        (Stratum(5, 5, 0), Stratum(9, 9, 0), [None, Untold.NONE_RIGHT, None]),
        (Stratum(5, 5, 5), Stratum(9, 9, 9), [None, None, Untold.NONE_WRONG]),
    ],
)
def test_what_cannot_be_told_is_said_with_its_reason(accepted, rejected, expected):
    rates = list_rates(estimate(accepted, rejected)).values()
    assert [rate.why_untold for rate in rates] == expected
    assert [rate.value is None for rate in rates] == [why is not None for why in expected]
