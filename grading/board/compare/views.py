"""Two on a board compared: the page, its picture, and its file."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Difficulty, PhysicsField
from grading.board.compare.drawing import draw
from grading.board.compare.effort import measure
from grading.board.compare.pairing import METRICS, Paired, Span, pair
from grading.board.compare.parts import LEAST_BESIDE_PEOPLE, Part, list_parts
from grading.board.compare.sides import Choice, Side, list_sides, read_choice
from grading.board.scores.collecting import Field, arrange, find_field
from grading.board.scores.peoples import PeoplesGroup, collect_peoples
from grading.board.scores.requests import read_scope
from grading.board.scores.scope import Scope
from grading.submissions.comparison.matching import Comparison
from phybench.pages.csv import csv_response
from phybench.pages.kept import for_everybody
from phybench.pages.pictures import ShownPicture, is_narrow, svg_response
from phybench_grader.statistics.paired import Between, RightAndWrong

LEAST_COMPARED = 15
"""Problems of a domain or difficulty before two models are compared on those alone."""
HEADER = [
    "metric", "part", "value", "problems", "people", "first", "second", "first_mean", "second_mean",
    "difference", "low", "high", "method", "detectable", "probability", "stands_out", "not_graded",
    "first_from", "first_to", "second_from", "second_to", "difference_from", "difference_to",
    "higher",
]  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What an address asks for."""

    scope: Scope
    field: Field
    choice: Choice
    metric: str

    @property
    def query(self) -> dict[str, str]:
        """Return what leads back to the same: of this version, whatever is published later."""
        said = dict(self.scope.query)
        if self.metric != METRICS[0]:
            said["metric"] = self.metric
        if self.choice.first and self.choice.second:
            said |= {"a": self.choice.first.value, "b": self.choice.second.value}
        return said

    @property
    def sides(self) -> tuple[Side, Side] | None:
        """Return the two where there is something to say of both."""
        both = self.choice.pair
        return both if both and self.is_told and not self.waiting else None

    @property
    def is_told(self) -> bool:
        """
        Whether figures of the two may be told.

        On how many of few problems each pair of models is right, and how many models are on each,
        tells nearly all single verdicts. So does a model's mean over people's answers: how many
        people answered a problem is told, and differs from one to the next.
        """
        if people := self.people:
            answered = people.scores.problems[~np.isnan(people.scores.accuracy)]
            # Narrowed, the whole less this would tell of the rest; parts by domain are told there.
            enough = len(set(answered.tolist())) >= LEAST_BESIDE_PEOPLE
            return enough and not self.scope.is_narrowed
        if self.scope.is_narrowed:
            return self.scope.is_told and self.scope.count >= LEAST_COMPARED
        return self.scope.is_told

    @property
    def people(self) -> PeoplesGroup | None:
        """Return the group of people that is one of the two."""
        return next((one.group for one in self.choice.pair or () if one.group), None)

    @property
    def waiting(self) -> list[Side]:
        """Those of which answers are graded once more."""
        return [one for one in self.choice.pair or () if one.waiting]

    @cached_property
    def paired(self) -> Paired | None:
        """The two side by side; None where that would tell of single problems, or people."""
        if self.sides is None:
            return None
        standing = [one.standing for one in self.sides if one.standing]
        scores = arrange(self.scope, field=Field(standing, ()))
        found = pair(scores, *self.sides)
        return found if found.is_told else None

    def list_parts(self, metric: str) -> list[Part]:
        return list_parts(self.scope, self.paired, metric) if self.paired else []


def read(request: HttpRequest, slug: str) -> Asked:
    """Read an address."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    scope = read_scope(benchmark, request.GET)
    found = find_field(scope)
    choice = read_choice(request.GET, list_sides(found, collect_peoples(scope)))
    metric = request.GET.get("metric", "")
    return Asked(scope, found, choice, metric if metric in METRICS else METRICS[0])


@for_everybody
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    asked = read(request, slug)
    context: dict[str, Any] = {
        "asked": asked,
        "benchmark": asked.scope.benchmark,
        "scope": asked.scope,
        "choice": asked.choice,
        "domains": [(v, label) for v, label in PhysicsField.choices if (v, "") in asked.scope.told],
        "difficulties": [
            (v, label) for v, label in Difficulty.choices if ("", v) in asked.scope.told
        ],
        "query": urlencode(asked.query),
    }
    if asked.sides and asked.paired:
        context |= _describe(asked, asked.sides, asked.paired)
    return render(request, "grading/compare.html", context)


def _describe(asked: Asked, sides: tuple[Side, Side], paired: Paired) -> dict[str, Any]:
    """Return what the page says of two."""
    parts = asked.list_parts(asked.metric)
    names = [one.name for one in sides]
    found = paired.of(asked.metric)
    efforts = measure(asked.scope, sides)
    return {
        "names": names,
        "sides": sides,
        "comparison": paired,
        "with_people": asked.people is not None,
        "tables": _list_tables(paired),
        "parts": parts,
        "withheld": [one for one in parts if one.difference is None],
        "tested": sum(one.probability is not None for one in parts),
        "stands_out": [one for one in parts if one.stands_out],
        "swapped": urlencode({**asked.query, "a": sides[1].value, "b": sides[0].value}),
        "metrics": [
            (urlencode({**asked.query, "metric": one}), label, one == asked.metric)
            for one, label in zip(METRICS, (_("EED"), _("Accuracy")), strict=True)
        ],
        "efforts": list(zip(names, sides, efforts, strict=True)),
        "knows_effort": any(one.is_known for one in efforts),
        "pictures": [_show(asked, names, found)] if any(one.difference for one in parts) else [],
    }


def _list_tables(paired: Paired) -> list[RightAndWrong]:
    """List the tables of two models' right and wrong: of both ends where they differ."""
    ends = [one.table for one in (paired.lower, paired.upper) if isinstance(one, Comparison)]
    return ends if paired.accuracy.is_provisional else ends[:1]


def _show(asked: Asked, names: list[str], whole: Between) -> ShownPicture:
    # Where the whole is known its parts are.
    is_barred = whole.is_provisional
    slug = asked.scope.benchmark.slug
    first, second = names
    low, high = whole.ends or (0.0, 0.0)
    points = f"{low:+.1f}"
    if whole.is_provisional:
        points = _("%(low)s to %(high)s") % {"low": points, "high": f"{high:+.1f}"}
    words = {"first": first, "second": second, "points": points}
    if asked.metric == "eed":
        text = _(
            "Difference in mean EED, %(first)s minus %(second)s: %(points)s over all problems."
        )
    else:
        text = _(
            "Difference in accuracy, %(first)s minus %(second)s: %(points)s over all problems."
        )
    return ShownPicture(
        name=f"compare-{slug}",
        path=reverse("compare_svg", args=[slug]),
        text=text % words + " " + _("The table below has the figures for each part."),
        query=asked.query,
        caption=_("Points to the right of 0: %(first)s is better. Lines: 95 %% intervals.") % words
        + (
            " " + _("Bars: the range of a difference where we could not grade every answer.")
            if is_barred
            else ""
        ),
    )


@for_everybody
def compare_svg(request: HttpRequest, slug: str) -> HttpResponse:
    asked = read(request, slug)
    if not asked.sides or not asked.paired:
        raise Http404(_("There is nothing to compare."))
    whole = asked.paired.of(asked.metric)
    narrow = is_narrow(request)
    picture = draw(whole, asked.list_parts(asked.metric), is_narrow=narrow)
    first, second = (one.name for one in asked.sides)
    context = {
        "title": _("%(first)s minus %(second)s") % {"first": first, "second": second},
        "width": picture.layout.width,
        "height": picture.height,
        "picture": picture,
        "metric": asked.metric,
        "first": first,
        "second": second,
        "is_narrow": narrow,
        "stands_out": any(one.stands_out for one in picture.marks),
    }
    return svg_response(request, "pictures/compare.svg", context, name=f"compare-{slug}")


@for_everybody
def compare_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Write both metrics, over all problems and over each part of them."""
    asked = read(request, slug)
    rows: list[list[object]] = []
    if asked.sides and asked.paired:
        for metric in METRICS:
            rows += _write(asked, asked.sides, asked.paired, metric)
    return csv_response(f"compare-{slug}", HEADER, rows)


def _write(
    asked: Asked, sides: tuple[Side, Side], paired: Paired, metric: str
) -> list[list[object]]:
    names = [one.name for one in sides]
    rows: list[list[object]] = [
        [
            *(metric, "ALL", "", paired.count, paired.people or "", *names),
            *_write_figures(
                *(paired.means.get(metric), paired.of(metric), paired.find_probability(metric)),
                *("", paired.left_open),
            ),
        ]
    ]
    for part in asked.list_parts(metric):
        marks = "yes" if part.stands_out else "no", part.left_open if part.difference else ""
        rows.append(
            [
                *(metric, part.kind.value, part.value, part.problems, part.people or "", *names),
                *_write_figures(part.means, part.difference, part.probability, *marks),
            ]
        )
    return rows


def _write_figures(
    means: tuple[Span, Span] | None,
    found: Between | None,
    probability: float | None,
    stands_out: str,
    not_graded: object,
) -> list[object]:
    if means is None or found is None or found.ends is None:
        return [*("", "", "", "", "", "WITHHELD", "", "", stands_out, not_graded), *[""] * 7]
    known = [_figure(low) if low == high else "" for low, high in means]
    figures = [_figure(one) for one in (found.value, found.low, found.high)]
    chance = "" if probability is None else f"{probability:.4g}"
    spans = [_figure(end) for span in (*means, found.ends) for end in span]
    return [
        *(*known, *figures, found.method.value, _figure(found.detectable), chance),
        *(stands_out, not_graded, *spans, found.higher.value),
    ]


def _figure(value: float | None) -> float | None:
    # A number: as text, one below 0 would be taken for a formula.
    return None if value is None else round(value, 2)
