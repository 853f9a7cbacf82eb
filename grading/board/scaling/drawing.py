"""The picture of samples: a curve for each solver, over k on a scale of doubles."""

from collections.abc import Sequence
from enum import StrEnum

from django.utils.translation import gettext as _

from grading.board.scaling.table import Row
from phybench.pages import charts
from phybench_grader.statistics.scaling import Point

SHOWN = len(charts.COLOURS)
"""Solvers, as many as there are colours that can be told apart."""


class Figure(StrEnum):
    """What is drawn."""

    PASS = "pass"
    VOTE = "vote"
    EED = "eed"


def choose(row: Row, figure: Figure) -> list[Point]:
    curves = row.curves
    return {
        Figure.PASS: curves.pass_at,
        Figure.VOTE: curves.vote,
        Figure.EED: curves.best_eed,
    }[figure]


def make_chart(rows: Sequence[Row], figure: Figure) -> charts.Curves:
    shown = [row for row in rows if choose(row, figure)][:SHOWN]
    unit = _("Best EED of k answers") if figure is Figure.EED else _("Accuracy, %")
    axis = _("answers, k") + f" · {unit}"
    lines = []
    for row in shown:
        points = choose(row, figure)
        figures = [charts.Figure(one.mean.value, one.mean.low, one.mean.high) for one in points]
        numbers = [one.samples for one in points]
        lines.append(charts.Line(row.name, list(zip(numbers, figures, strict=True))))
    return charts.Curves(say_title(figure), axis, lines)


def say_title(figure: Figure) -> str:
    return {
        Figure.PASS: _("One of k answers right (pass@k), with 95 % intervals"),
        Figure.VOTE: _("The majority answer of k, with 95 % intervals"),
        Figure.EED: _("Best EED of k answers, with 95 % intervals"),
    }[figure]


def say_in_words(chart: charts.Curves) -> str:
    """Say what the picture shows: of each solver where its curve begins and ends."""
    said = []
    for line in chart.lines:
        (_one, first), (count, last) = line.points[0], line.points[-1]
        if first.value is None or last.value is None:
            continue
        said.append(
            _("%(name)s from %(first)s with one answer to %(last)s with %(count)d")
            % {
                "name": line.name,
                "first": f"{first.value:.1f}",
                "last": f"{last.value:.1f}",
                "count": count,
            }
        )
    return f"{chart.title}. {'; '.join(said)}."
