"""Risk against coverage of each judge: drawn, and as a file."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from grading.judging.calibration.collecting import collect
from grading.judging.calibration.source import read_source
from grading.judging.engine.labelled import CURVE_HEADER, list_curve_rows
from grading.samples.labels.rulings import Source
from phybench.pages.csv import csv_response
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench_grader.statistics.risk_coverage import CurvePoint, HalfPoint, RiskCoverage

TOP, TALL = 34, 220
"""Where a picture's field begins, and how tall it is."""
BELOW = 52
"""For what is written under the field."""
STEP = 20
"""Per cent from one line of the grid to the next."""


@dataclass(frozen=True, slots=True)
class CurveLayout:
    """One width of the picture, in its own units."""

    name: str
    width: int
    left: int
    right: int
    key_x: int
    """Where the second key begins."""


LAYOUTS = (CurveLayout("wide", 640, 54, 620, 320), CurveLayout("narrow", 360, 40, 345, 180))


@dataclass(frozen=True, slots=True)
class HalfCurve:
    """The curve of one half of the labels, as a path, with the chosen threshold on it."""

    code: str
    name: str
    key_x: int
    path: str
    dots: list[tuple[str, str]]
    chosen: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class CurvePicture:
    layout: CurveLayout
    halves: list[HalfCurve]
    ticks: list[tuple[str, str]]
    levels: list[tuple[str, str]]
    """What is written at the left, and where."""
    top: int = TOP
    bottom: int = TOP + TALL
    height: int = TOP + TALL + BELOW

    @property
    def axis_x(self) -> str:
        return f"{(self.layout.left + self.layout.right) / 2:.1f}"


def draw_pictures(curve: RiskCoverage) -> list[CurvePicture]:
    """Draw a curve in both widths; nothing where no threshold could be chosen on it."""
    return [_draw(curve, one) for one in LAYOUTS] if curve.reason is None else []


def _draw(curve: RiskCoverage, layout: CurveLayout) -> CurvePicture:
    def place(half: HalfPoint) -> tuple[str, str]:
        coverage, risk = half.coverage.value or 0.0, half.risk.value or 0.0
        x = layout.left + (layout.right - layout.left) * coverage / 100
        return f"{x:.1f}", f"{TOP + TALL * (1 - risk / 100):.1f}"

    values = range(0, 101, STEP)
    return CurvePicture(
        layout,
        [
            _follow(curve, "choosing", _("choosing half"), 14, place),
            _follow(curve, "reporting", _("reporting half"), layout.key_x, place),
        ],
        ticks=[
            (str(value), f"{layout.left + (layout.right - layout.left) * value / 100:.1f}")
            for value in values
        ],
        levels=[(str(value), f"{TOP + TALL * (1 - value / 100):.1f}") for value in values],
    )


def _follow(
    curve: RiskCoverage,
    code: str,
    name: str,
    key_x: int,
    place: Callable[[HalfPoint], tuple[str, str]],
) -> HalfCurve:
    def find(point: CurvePoint) -> HalfPoint:
        return point.choosing if code == "choosing" else point.reporting

    # Of nothing there is no risk.
    dots = [place(find(one)) for one in curve.points if find(one).covered]
    has_chosen = curve.chosen is not None and find(curve.chosen).covered > 0
    return HalfCurve(
        code,
        name,
        key_x,
        "M" + "L".join(f"{x} {y}" for x, y in dots) if dots else "",
        dots,
        place(find(curve.chosen)) if has_chosen and curve.chosen else None,
    )


@role_required(Role.EVALUATOR)
@require_GET
def calibration_curves_csv(request: MemberRequest) -> HttpResponse:
    """Write risk and coverage of each judge at each threshold, on both halves of the labels."""
    header = ["configuration", "sha256", *CURVE_HEADER]
    return csv_response("risk-coverage", header, _write(read_source(request)))


def _write(source: Source) -> Iterator[list[object]]:
    for configuration, found in collect(source=source):
        for row in list_curve_rows(found.curve):
            yield [configuration.name, configuration.sha256, *row]
