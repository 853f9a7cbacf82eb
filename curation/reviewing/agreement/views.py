"""How far reviewers agree, for admins: a table, a picture and a file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from django.contrib.postgres.aggregates import StringAgg
from django.core.cache import cache
from django.db.models import CharField, Value
from django.db.models.functions import MD5, Cast
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from curation.problems.benchmarks.models import Benchmark
from curation.reviewing.agreement.figures import Agreement, Measured, gather, measure
from curation.reviewing.agreement.filters import EvidenceFilter
from curation.reviewing.rounds.models import Review
from phybench.pages.charts import Layout, Picture
from phybench.pages.csv import csv_response
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

KEPT_SECONDS = 24 * 3600
FORM = 1
"""Of what is kept: raised where `Agreement` gets other fields, or means something else by one."""

FEWEST = 20
"""Rounds with a review from which on figures of agreement are shown."""

LAYOUTS = (
    Layout(
        name="wide",
        width=760,
        left=390,
        right=735,
        low=-1,
        high=1,
        line=26,
        name_x=376,
        name_dy=4,
        longest=50,
    ),
    # Names above their lines: beside them a narrow screen has no room.
    Layout(
        name="narrow",
        width=360,
        left=14,
        right=346,
        low=-1,
        high=1,
        line=46,
        name_x=14,
        name_dy=-11,
        longest=42,
    ),
)


@dataclass(frozen=True, slots=True)
class AgreementMark:
    """One row of the picture: a dot for alpha, a ring for Fleiss' kappa."""

    row: Agreement
    y: int
    name_y: int
    alpha: str
    fleiss: str
    """Empty where there is none."""


def _find(filters: EvidenceFilter) -> list[Agreement]:
    """
    Work the figures out, once for the same reviews.

    A review is never changed, nor what its round asked: which ones they are says all.
    """
    ids = StringAgg(Cast("pk", CharField()), Value(","), order_by="pk")
    which = filters.qs.order_by().aggregate(which=MD5(ids))["which"]
    key = f"agreement-{FORM}-{get_language()}-{which}"
    found = cache.get_or_set(key, lambda: [*map(measure, gather(filters.qs))], KEPT_SECONDS)
    return cast("list[Agreement]", found)


@role_required(Role.ADMIN)
@require_GET
def agreement(request: MemberRequest, slug: str) -> HttpResponse:
    """Show how far reviewers agree, or give it as a file; of fewer rounds it would say little."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    reviews = Review.objects.filter(round__revision__problem__benchmark=benchmark)
    rounds = reviews.order_by().values("round").distinct().count()
    if rounds < FEWEST:
        context = {"benchmark": benchmark, "rounds": rounds, "fewest": FEWEST}
        return render(request, "curation/agreement.html", context)
    filters = EvidenceFilter(request.GET, reviews)
    rows = _find(filters)
    if request.GET.get("as") == "csv":
        return csv_response("agreement", HEADER, _write_rows(rows))
    file = request.GET.copy()
    file["as"] = "csv"
    context = {
        "benchmark": benchmark,
        "filters": filters,
        "file": f"?{file.urlencode()}",
        "compared": [row for row in rows if row.items],
        "single": [row for row in rows if not row.items],
        "pictures": [drawn for layout in LAYOUTS if (drawn := _draw(rows, layout))],
    }
    return render(request, "curation/agreement.html", context)


HEADER = [
    *("stage", "asked", "scale", "rounds_compared", "rounds_with_one_review", "reviews"),
    "people",
    *(
        f"{name}{end}"
        for name in ("percent", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha")
        for end in ("", "_rounds", "_undefined_because")
    ),
    "fleiss_reviews_a_round",
]


def _write_rows(rows: list[Agreement]) -> Iterator[list[object]]:
    """Write each figure with its counts, or why there is none."""
    for row in rows:
        yield [
            row.stage,
            row.text or "recommendation",
            row.scale.lower(),
            *(row.items, row.single, row.reviews, row.people),
            *_write(row.percent, "{:.2f}"),
            *_write(row.cohen),
            *_write(row.fleiss),
            *_write(row.alpha),
            row.fleiss_raters or "",
        ]


def _write(figure: Measured, form: str = "{:.4f}") -> Iterator[object]:
    yield "" if figure.value is None else form.format(figure.value)
    yield figure.items
    yield figure.why


def _draw(rows: list[Agreement], layout: Layout) -> Picture[AgreementMark] | None:
    shown = [row for row in rows if row.alpha.is_defined]
    if not shown:
        return None
    return Picture(
        layout=layout,
        marks=[_mark(row, layout, layout.y(place)) for place, row in enumerate(shown)],
        ticks=layout.ticks((-1, -0.5, 0, 0.5, 1)),
        axis_x=layout.x(0),
    )


def _mark(row: Agreement, layout: Layout, y: int) -> AgreementMark:
    def place(figure: Measured) -> str:
        return "" if figure.value is None else layout.x(max(-1.0, figure.value))

    return AgreementMark(row, y, y + layout.name_dy, place(row.alpha), place(row.fleiss))
