"""What more samples bring: the page, its picture, and its file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from grading.board.analyses.asking import Asked, answer_later, look_up
from grading.board.scaling.drawing import SHOWN, Figure, choose, make_chart, say_in_words
from grading.board.scaling.figures import KEPT, SCALING, ScalingFigures
from grading.board.scaling.table import Row, make_rows
from grading.board.scores.collecting import find_field
from grading.board.scores.pages import describe, find_scope_of
from grading.board.scores.scope import Scope
from phybench.pages.charts import chart_response
from phybench.pages.csv import csv_response
from phybench.pages.kept import for_everybody
from phybench.pages.pictures import ShownPicture
from phybench_grader.statistics.metrics import Mean

HEADER = ["solver", "organisation", "submission", "k", "problems", "left_out"]
HEADER += [f"{name}{end}" for name in ("pass", "vote", "best_eed") for end in ("", "_low", "_high")]
HEADER += ["not_graded", "wrong_answers", "not_compared"]


@dataclass(frozen=True, slots=True)
class Shown:
    scope: Scope
    asked: Asked
    figures: ScalingFigures | None
    rows: list[Row]
    figure: Figure

    @property
    def query(self) -> dict[str, str]:
        said = dict(self.scope.query)
        if self.figure is not Figure.PASS:
            said["figure"] = self.figure.value
        return said


def _read(request: HttpRequest, slug: str) -> Shown:
    scope = find_scope_of(request, slug)
    field = find_field(scope)
    asked = look_up(SCALING, scope, field=field)
    figures = KEPT.validate_python(asked.result) if asked.result else None
    rows = make_rows(figures, field) if figures else []
    asked_for = request.GET.get("figure", "")
    figure = Figure(asked_for) if asked_for in [*Figure] else Figure.PASS
    return Shown(scope, asked, figures, rows, figure)


@for_everybody
def scaling(request: HttpRequest, slug: str) -> HttpResponse:
    shown = _read(request, slug)
    csv = f"{reverse('scaling_csv', args=[slug])}?{urlencode(shown.query)}"
    context: dict[str, Any] = {
        **describe(shown.scope),
        "also_kept": {} if shown.figure is Figure.PASS else {"figure": shown.figure.value},
        "asked": shown.asked,
        "figures": shown.figures,
        "rows": shown.rows,
        "tabs": [(one, label, one is shown.figure) for one, label in _list_figures()],
        "permalink": urlencode(shown.query),
        "csv": csv,
    }
    with_points = [row for row in shown.rows if choose(row, shown.figure)]
    if with_points:
        context["picture"] = ShownPicture(
            name=f"samples-{slug}",
            path=reverse("scaling_picture", args=[slug]),
            text=say_in_words(make_chart(with_points, shown.figure)),
            query=shown.query,
            caption=_("The %(count)d best solvers with one answer.") % {"count": SHOWN}
            if len(with_points) > SHOWN
            else "",
            csv=csv,
        )
    return render(request, "grading/scaling.html", context)


def _list_figures() -> list[tuple[Figure, str]]:
    return [
        (Figure.PASS, _("One of k right")),
        (Figure.VOTE, _("Vote of k")),
        (Figure.EED, _("Best EED of k")),
    ]


@for_everybody
def scaling_picture(request: HttpRequest, slug: str) -> HttpResponse:
    shown = _read(request, slug)
    if shown.figures is None:
        return answer_later(shown.asked.failure)
    return chart_response(request, make_chart(shown.rows, shown.figure), name=f"samples-{slug}")


@for_everybody
def scaling_csv(request: HttpRequest, slug: str) -> HttpResponse:
    shown = _read(request, slug)
    if shown.figures is None:
        return answer_later(shown.asked.failure)
    return csv_response(f"samples-{slug}", HEADER, _list_rows(shown.rows))


def _list_rows(rows: list[Row]) -> Iterator[list[object]]:
    for row in rows:
        curves = row.curves
        for line in row.lines:
            yield [
                *(row.name, row.submission.solver.organisation, row.submission.number),
                *(line.samples, line.pass_at.count, line.left_out),
                *_write(line.pass_at),
                *_write(line.vote),
                *_write(line.best_eed),
                *(curves.ungraded, curves.compared, curves.not_compared),
            ]


def _write(mean: Mean | None) -> list[str]:
    ends = [mean.value, mean.low, mean.high] if mean else [None] * 3
    return ["" if one is None else f"{one:.2f}" for one in ends]
