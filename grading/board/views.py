"""The public board."""

import re
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from curation.problems.models import Benchmark
from curation.versions.models import BenchmarkVersion
from grading import permissions
from grading.audits.figures import find_for_board
from grading.board.column import (
    BoardColumn,
    list_judges,
    make_column,
    publish_column,
    take_off_column,
)
from grading.board.table import Board, BoardRow, Scope, SortKey, boards, find_scope, make_board
from grading.statistics.provisional import Range
from grading.submissions.models import Submission
from phybench.csv import csv_response
from phybench.http import MemberRequest, role_required
from phybench.models import Role, User
from phybench.pictures import PERCENT_LAYOUTS, Layout, Picture

BEFORE_VERSIONS = "0"
"""The number in the address of what was handed in before there were versions."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One row of the picture: a dot for the mean, whiskers for its 95 % interval."""

    row: BoardRow
    y: int
    name_y: int
    x: str
    low: str
    high: str
    breadth: str


@dataclass(frozen=True, slots=True)
class BoardPicture(Picture[Mark]):
    band: Mark | None
    """The human baseline, behind the models."""


@login_not_required
@require_GET
def board(request: HttpRequest, slug: str | None = None) -> HttpResponse:
    choices = boards()
    benchmark = _find(choices, slug)
    scope = _find_scope(request, benchmark) if benchmark else None
    made = make_board(scope, _sort(request)) if scope else None
    is_admin = _is_admin(request)
    judges = list_judges(benchmark, also_unpublished=is_admin) if benchmark else []
    chosen = next((one for one in judges if str(one.pk) == request.GET.get("judge")), None)
    context = {
        "publishes_columns": is_admin,
        "judges": judges,
        "column": make_column(made, chosen) if made and chosen else None,
        "benchmarks": choices,
        "board": made,
        "pictures": [
            drawn for layout in PERCENT_LAYOUTS if made and (drawn := _draw(made, layout))
        ],
        **(_describe_scope(scope) if scope else {}),
        "audit": find_for_board(scope.version) if scope and scope.version else None,
    }
    return render(request, "grading/board.html", context)


@login_not_required
@require_GET
def board_csv(request: HttpRequest, slug: str) -> HttpResponse:
    benchmark = _find(boards(), slug)
    assert benchmark is not None
    scope = _find_scope(request, benchmark)
    judges = list_judges(benchmark, also_unpublished=_is_admin(request))
    chosen = next((one for one in judges if str(one.pk) == request.GET.get("judge")), None)
    if chosen:
        return _judge_csv(make_column(make_board(scope), chosen), benchmark)
    header = ["rank", "solver", "organisation", "kind", "accuracy", "accuracy_low", "accuracy_high"]
    header += ["eed", "eed_low", "eed_high", "scored", "unreadable", "missing", "not_graded"]
    header += ["waiting", "people", "number", "of", "handed_in_at"]
    # Where a mean lies with what we could not grade at 0, and at 100; else it is no more than that.
    header += ["provisional", "accuracy_from", "accuracy_to", "eed_from", "eed_to"]
    rows = [
        [
            row.rank,
            row.name,
            row.solver.organisation if row.solver else "",
            "people" if row.is_human else "model",
            *(_figure(v) for v in (row.tally.accuracy.value, row.tally.accuracy.low)),
            *(_figure(v) for v in (row.tally.accuracy.high, row.tally.eed.value)),
            *(_figure(v) for v in (row.tally.eed.low, row.tally.eed.high)),
            row.tally.scored,
            row.tally.unreadable,
            "" if row.is_human else row.tally.missing,
            row.tally.ungraded,
            row.waiting,
            row.people or "",
            row.submission.number if row.submission else "",
            row.of or "",
            row.submission.created_at.isoformat() if row.submission else "",
            "yes" if row.tally.is_provisional else "no",
            *_ends(row.tally.accuracy_range),
            *_ends(row.tally.eed_range),
        ]
        for row in make_board(scope, _sort(request)).rows
    ]
    return csv_response(f"board-{benchmark.slug}", header, rows)


@role_required(Role.ADMIN)
@require_POST
def publish_judge(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    """Put a judge's column on the board, or take it off, as the button says."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    judges = list_judges(benchmark, also_unpublished=True)
    configuration = next((one for one in judges if one.pk == pk), None)
    if configuration is None:
        raise Http404(_("There is no such judge."))
    if request.POST.get("is_published") == "no":
        take_off_column(benchmark=benchmark, configuration=configuration, by=request.user)
        messages.success(request, _("Only admins see this judge’s figures now."))
    else:
        publish_column(benchmark=benchmark, configuration=configuration, by=request.user)
        messages.success(request, _("Published: everybody sees this judge’s figures."))
    return redirect(f"{reverse('board_of', args=[slug])}?judge={pk}")


def _is_admin(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and permissions.publishes_columns(request.user)


def _judge_csv(column: BoardColumn, benchmark: Benchmark) -> HttpResponse:
    header = ["rank", "solver", "percent_of_scale", "low", "high", "answers", "judged"]
    header += ["without_verdict", "not_asked", "missing", "coverage", "symbolic_accuracy"]
    header += ["configuration", "configuration_sha256"]
    rows = [
        [
            row.rank,
            row.name,
            *(_figure(value) for value in (row.mean.value, row.mean.low, row.mean.high)),
            row.answers,
            row.judged,
            " ".join(f"{reason}:{count}" for reason, count in row.reasons),
            row.not_asked,
            row.tally.missing,
            f"{row.coverage:.4f}",
            _figure(row.symbolic.value),
            column.configuration.name,
            column.configuration.sha256,
        ]
        for row in column.rows
    ]
    return csv_response(f"board-{benchmark.slug}-judge", header, rows)


def _find(choices: list[Benchmark], slug: str | None) -> Benchmark | None:
    if slug is None:
        return choices[0] if choices else None
    for benchmark in choices:
        if benchmark.slug == slug:
            return benchmark
    raise Http404(_("There is no such benchmark."))


def _find_scope(request: HttpRequest, benchmark: Benchmark) -> Scope:
    """Read which version is asked for, and whether as published; what is not there is ignored."""
    published = BenchmarkVersion.objects.published().filter(benchmark=benchmark)
    asked = request.GET.get("version", "")
    is_as_published = request.GET.get("as") == "published"
    if asked == BEFORE_VERSIONS:
        return Scope(benchmark)
    is_number = re.fullmatch("[0-9]{1,6}", asked)
    found = published.select_related("benchmark").filter(number=int(asked)) if is_number else None
    if found and (version := found.first()):
        return Scope.of(version, is_as_published=is_as_published)
    return find_scope(benchmark, is_as_published=is_as_published)


def _describe_scope(scope: Scope) -> dict[str, object]:
    """Return what the page says of the version, and of others that have a board."""
    before = Submission.objects.filter(benchmark=scope.benchmark, version=None)
    published = BenchmarkVersion.objects.published().filter(benchmark=scope.benchmark)
    return {
        "version": scope.version,
        "versions": list(published),
        "has_before": scope.version is not None and before.exclude(published_at=None).exists(),
    }


def _sort(request: HttpRequest) -> SortKey:
    return "accuracy" if request.GET.get("sort") == "accuracy" else "eed"


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _ends(found: Range | None) -> tuple[str, str]:
    return (_figure(found.low), _figure(found.high)) if found else ("", "")


def _draw(board: Board, layout: Layout) -> BoardPicture | None:
    rows = [row for row in board.rows if row.mean(board.sort).value is not None]
    if not rows:
        return None
    marks = [_mark(row, board.sort, layout, layout.y(place)) for place, row in enumerate(rows)]
    return BoardPicture(
        layout=layout,
        marks=marks,
        ticks=layout.ticks(range(0, 101, 20)),
        axis_x=layout.x(50),
        band=next((mark for mark in marks if mark.row.is_human), None),
    )


def _mark(row: BoardRow, sort: SortKey, layout: Layout, y: int) -> Mark:
    mean = row.mean(sort)
    value = mean.value or 0.0
    low = value if mean.low is None else mean.low
    high = value if mean.high is None else mean.high
    if (ends := row.range(sort)) and ends.is_provisional:
        # It may lie anywhere between, for reasons of ours besides chance.
        low, high = min(low, ends.low), max(high, ends.high)
    return Mark(
        row=row,
        y=y,
        name_y=y + layout.name_dy,
        x=layout.x(value),
        low=layout.x(low),
        high=layout.x(high),
        breadth=f"{float(layout.x(high)) - float(layout.x(low)):.1f}",
    )
