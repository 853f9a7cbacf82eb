"""Charts: a figure that is missing draws nothing, whatever else there is."""

import re
from itertools import product

import pytest
from django.template.loader import render_to_string

from phybench.pages.charts import (
    Band,
    BarRow,
    Bars,
    Chart,
    Curves,
    Figure,
    Line,
    PointRow,
    Points,
)

FIGURES = [Figure(*ends) for ends in product((None, 40.0), (None, 30.0), (None, 50.0))]
"""Each with another of its numbers missing, one with none and one with all."""
NOTHING = Figure()


def draw(chart: Chart, *, is_narrow: bool = False) -> str:
    drawn = render_to_string(chart.template, dict(chart.draw(is_narrow=is_narrow)))
    assert not re.search(r"None|nan|inf\b|\{", re.sub(r"(?s)<style>.*</style>", "", drawn))
    return drawn


def make_points(*figures: Figure, band: Band | None = None) -> Points:
    rows = [PointRow(f"Solver {place}", one, "1") for place, one in enumerate(figures)]
    return Points("Means", "Accuracy", rows, notes="Rank", band=band)


def make_bars(*figures: Figure) -> Bars:
    rows = [BarRow("Solver", [one.value, one.low, None, one.high], one) for one in figures]
    return Bars("Kinds", "Share", ["a", "b", "c", "d"], rows)


def make_curves(*figures: Figure) -> Curves:
    return Curves("Samples", "k", [Line("Solver", list(enumerate(figures, start=1)))])


@pytest.mark.parametrize("is_narrow", [False, True])
@pytest.mark.parametrize("make", [make_points, make_bars, make_curves])
@pytest.mark.parametrize("others", [(), (Figure(60.0, 55.0, 70.0),)], ids=["alone", "beside"])
@pytest.mark.parametrize("figure", FIGURES)
def test_every_chart_can_do_without_any_of_its_figures(make, figure, others, is_narrow):
    for chart in (make(figure, *others), make(*others, figure)):
        drawn = draw(chart, is_narrow=is_narrow)
        if figure == NOTHING:
            without = draw(make(*others), is_narrow=is_narrow)
            assert drawn.count("<circle") == without.count("<circle")
            assert drawn.count("<rect") == without.count("<rect")
            assert drawn.count("Solver") == without.count("Solver") == len(others)


@pytest.mark.parametrize("is_narrow", [False, True])
@pytest.mark.parametrize(
    "chart",
    [
        make_points(),
        make_points(NOTHING, NOTHING),
        make_points(band=Band("People", NOTHING)),
        make_bars(),
        make_bars(NOTHING, NOTHING),
        make_curves(),
        make_curves(NOTHING, NOTHING),
        Curves("Samples", "k", []),
        Bars("Kinds", "Share", [], []),
    ],
)
def test_a_chart_of_nothing_says_so(chart, is_narrow):
    assert "Nothing to show yet." in draw(chart, is_narrow=is_narrow)


@pytest.mark.parametrize("figure", FIGURES)
def test_a_band_that_lacks_an_end_is_not_drawn(figure):
    drawn = draw(make_points(Figure(50.0), band=Band("People", figure)))
    assert ("People" in drawn) is (figure.low is not None and figure.high is not None)


def test_a_figure_lies_where_its_number_says():
    drawn = draw(make_points(Figure(50.0, 25.0, 100.0)))
    ticks = dict(re.findall(r'<text class="muted small middle" x="([\d.]+)" y="\d+">(\d+)<', drawn))
    place = {number: float(x) for x, number in ticks.items()}
    width = place["100"] - place["0"]
    [x] = re.findall(r'cx="([\d.]+)"', drawn)
    [ends] = re.findall(r'whisker" x1="([\d.]+)" x2="([\d.]+)"', drawn)
    shares = [(float(one) - place["0"]) / width for one in (x, *ends)]
    assert shares == pytest.approx([0.5, 0.25, 1.0], abs=0.001)


def test_the_parts_of_a_bar_fill_it_and_a_curve_passes_over_what_is_missing():
    drawn = draw(Bars("Kinds", "Share", ["a", "b"], [BarRow("Solver", [1, 3], NOTHING)]))
    bar = re.findall(r'<rect class="\w+" x="[\d.]+" y="\d+" width="([\d.]+)" height="14"', drawn)
    assert float(bar[1]) / float(bar[0]) == pytest.approx(3, abs=0.02)
    assert "axis whisker" not in drawn
    [path] = re.findall(r' d="(M[^"]+)"', draw(make_curves(Figure(1.0), NOTHING, Figure(3.0))))
    assert path.count("L") == 1
