"""How far reviewers agree, for admins: a table, a picture and a file."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from curation.agreeing import Agreement, Measured, gather, measure_all
from curation.evidence_forms import AgreementFilter
from curation.models import Review
from phybench.csv import csv_response
from phybench.http import MemberRequest, role_required
from phybench.models import Role


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things lie in the picture, in its own units."""

    name: str
    width: int
    left: int
    """Of -1 on the axis."""
    right: int
    """Of 1."""
    line: int
    name_x: int
    name_dy: int
    longest: int
    """Characters of a name that there is room for."""

    def x(self, value: float) -> str:
        # A string, so that no locale writes a coordinate with a comma.
        return f"{self.left + (self.right - self.left) * (value + 1) / 2:.1f}"


LAYOUTS = (
    Layout("wide", width=760, left=390, right=735, line=26, name_x=376, name_dy=4, longest=50),
    # Names above their lines: beside them a narrow screen has no room.
    Layout("narrow", width=360, left=14, right=346, line=46, name_x=14, name_dy=-11, longest=42),
)


@dataclass(frozen=True, slots=True)
class Mark:
    """One row of the picture: a dot for alpha, a ring for Fleiss' kappa."""

    row: Agreement
    y: int
    name_y: int
    alpha: str
    fleiss: str
    """Empty where there is none."""


@dataclass(frozen=True, slots=True)
class Picture:
    layout: Layout
    marks: list[Mark]
    ticks: list[tuple[str, str]]
    zero: str
    bottom: int

    @property
    def height(self) -> int:
        return self.bottom + 40

    @property
    def tick_y(self) -> int:
        return self.bottom + 15

    @property
    def axis_y(self) -> int:
        return self.bottom + 33


def _find(form: AgreementFilter) -> list[Agreement]:
    return measure_all(gather(form.narrow(Review.objects.all())))


@role_required(Role.ADMIN)
@require_GET
def agreement(request: MemberRequest) -> HttpResponse:
    form = AgreementFilter(request.GET)
    rows = _find(form)
    context = {
        "form": form,
        "rows": rows,
        "pictures": [drawn for layout in LAYOUTS if (drawn := _draw(rows, layout))],
    }
    return render(request, "curation/agreement.html", context)


@role_required(Role.ADMIN)
@require_GET
def agreement_csv(request: MemberRequest) -> HttpResponse:
    """Write each figure with its counts, or why there is none."""
    header = ["stage", "asked", "scale", "rounds_compared", "rounds_with_one_review", "reviews"]
    header += ["people"]
    for name in ("percent", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha"):
        header += [name, f"{name}_rounds", f"{name}_undefined_because"]
    header += ["fleiss_reviews_a_round"]
    rows = (
        [
            row.stage,
            row.text or "recommendation",
            "ordinal" if row.is_scale else "nominal",
            *(row.items, row.single, row.reviews, row.people),
            *_write(row.percent, "{:.2f}"),
            *_write(row.cohen),
            *_write(row.fleiss),
            *_write(row.alpha),
            row.fleiss_raters or "",
        ]
        for row in _find(AgreementFilter(request.GET))
    )
    return csv_response("agreement", header, rows)


def _write(figure: Measured, form: str = "{:.4f}") -> Iterator[object]:
    yield "" if figure.value is None else form.format(figure.value)
    yield figure.items
    yield figure.why


def _draw(rows: list[Agreement], layout: Layout) -> Picture | None:
    shown = [row for row in rows if row.alpha.is_defined]
    if not shown:
        return None
    marks = [_mark(row, layout, 8 + layout.line * (n + 1) - 13) for n, row in enumerate(shown)]
    return Picture(
        layout=layout,
        marks=marks,
        ticks=[(f"{value:g}", layout.x(value)) for value in (-1, -0.5, 0, 0.5, 1)],
        zero=layout.x(0),
        bottom=marks[-1].y + 14,
    )


def _mark(row: Agreement, layout: Layout, y: int) -> Mark:
    def place(figure: Measured) -> str:
        return "" if figure.value is None else layout.x(max(-1.0, figure.value))

    return Mark(row, y, y + layout.name_dy, place(row.alpha), place(row.fleiss))
