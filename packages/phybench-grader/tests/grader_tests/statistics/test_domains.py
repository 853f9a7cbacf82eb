"""Means by field, and the table derived of what PHYBench published for 19 models."""

import math
from statistics import fmean

import numpy as np
import pytest

from grader_tests.statistics.published import ADVANTAGES, DOMAINS, EED_BY_DOMAIN, PANEL, SIZES
from phybench_grader.statistics.domains import (
    Advantage,
    Panel,
    average,
    find_advantages,
    find_domain_means,
)
from phybench_grader.statistics.intervals import Method
from phybench_grader.statistics.metrics import Mean

COLUMNS = ("ALL", *DOMAINS)
SOLVERS = {name: dict(zip(COLUMNS, row, strict=True)) for name, row in EED_BY_DOMAIN.items()}


def test_the_panel_s_means_are_those_of_the_derived_table() -> None:
    panel = Panel.of("May 2025", SOLVERS)
    assert len(panel.solvers) == 19
    assert [panel.means[name] for name in COLUMNS] == pytest.approx(list(PANEL), abs=0.005)


@pytest.mark.parametrize("solver", EED_BY_DOMAIN)
def test_the_relative_advantages_are_those_of_the_derived_table(solver: str) -> None:
    panel = Panel.of("May 2025", SOLVERS)
    found = find_advantages(SOLVERS[solver], panel)
    assert [found[name].relative for name in COLUMNS] == pytest.approx(
        list(ADVANTAGES[solver]), abs=0.0011
    )
    assert found["ALL"].absolute == pytest.approx(EED_BY_DOMAIN[solver][0] - PANEL[0], abs=0.005)


def test_a_board_s_mean_is_the_micro_mean_over_the_problems_of_each_field() -> None:
    """By the sizes of the fields the published means of fields give the published mean."""
    for whole, *fields in list(EED_BY_DOMAIN.values())[:8]:
        micro = sum(size * mean for size, mean in zip(SIZES, fields, strict=True)) / sum(SIZES)
        assert micro == pytest.approx(whole, abs=0.02)
        assert fmean(fields) != pytest.approx(whole, abs=0.02), "the macro mean is another"


def test_a_panel_lacks_no_field_of_a_solver() -> None:
    with pytest.raises(ValueError, match="in each field"):
        Panel.of("uneven", {"A": {"OPTICS": 20.0}, "B": {"MODERN": 60.0}})
    with pytest.raises(ValueError, match="has solvers"):
        Panel.of("empty", {})


def test_where_the_panel_has_nothing_there_is_no_relative_advantage() -> None:
    panel = Panel.of("weak", {"A": {"OPTICS": 0.0}})
    assert find_advantages({"OPTICS": 5.0}, panel) == {"OPTICS": Advantage(5.0, None)}


def test_each_field_has_its_mean_and_the_macro_mean_counts_them_alike() -> None:
    samples = np.array([[100.0], [0.0], [100.0], [100.0], [0.0], [0.0]])
    fields = ["OPTICS", "MODERN", "MODERN", "MODERN", "MODERN", "MODERN"]
    found = find_domain_means(samples, fields)
    assert found.by_domain == {
        "MODERN": Mean.of([0.0, 100.0, 100.0, 0.0, 0.0]),
        "OPTICS": Mean.of([100.0]),
    }
    assert (found.micro.value, found.macro) == (50, 70)


def test_a_field_of_which_we_could_grade_nothing_leaves_no_macro_mean() -> None:
    samples = np.array([[100.0], [math.nan]])
    found = find_domain_means(samples, ["OPTICS", "MODERN"])
    assert (found.by_domain["MODERN"].value, found.macro, found.micro.value) == (None, None, 100)


def test_samples_are_averaged_within_problems_first_and_what_is_ungraded_is_out() -> None:
    samples = np.array([[100.0, math.nan], [0.0, 0.0], [0.0, 100.0], [math.nan, math.nan]] * 10)
    by_problem = [100.0, 0.0, 50.0] * 10
    found = average(samples)
    assert (found.value, found.count, found.method) == (50, 30, Method.BETA)
    assert found == Mean.of(by_problem, is_averaged=True)
    assert average(samples[:, :1]) == Mean.of([100.0, 0.0, 0.0] * 10)
    assert average(np.empty((0, 2))) == Mean.of([])
