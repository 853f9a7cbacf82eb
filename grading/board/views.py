"""The public board."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Difficulty, PhysicsField
from curation.versions.citing import cite_board
from curation.versions.models import BenchmarkVersion
from grading.answers.permissions import publishes_columns
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.board import picture
from grading.board.columns import (
    Column,
    Line,
    Shown,
    choose_columns,
    describe,
    draw_up,
    list_headings,
    list_peoples_values,
    list_values,
    sort_rows,
)
from grading.board.figures import SORTS, PeoplesFigures, SortKey
from grading.board.filters import BoardFilter, Kind
from grading.board.groups import group
from grading.board.judge_column import (
    BoardColumn,
    list_judges,
    make_column,
    publish_column,
    take_off_column,
)
from grading.board.rank_changes import compare_boards
from grading.board.reported.actions import list_reported
from grading.board.scores.requests import read_scope
from grading.board.scores.scope import Scope
from grading.board.sensitivity import find_sensitivities
from grading.board.table import Board, boards, show_board
from grading.samples.audits.figures import BoardAudit, find_for_board
from phybench.pages.charts import chart_response
from phybench.pages.csv import csv_response
from phybench.pages.kept import for_everybody
from phybench.pages.listing import Heading
from phybench.pages.pictures import ShownPicture, is_narrow
from phybench.people.accounts import is_without_admin
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User


@dataclass(frozen=True, slots=True)
class Page:
    """A board as an address asks for it."""

    board: Board
    audit: BoardAudit | None
    filters: BoardFilter
    rows: list[Shown]
    """The models that are shown, sorted."""
    columns: list[Column]

    @property
    def ranked(self) -> list[Shown]:
        return [one for one in self.rows if not one.row.stands_apart]

    @property
    def apart(self) -> list[Shown]:
        return [one for one in self.rows if one.row.stands_apart]

    @property
    def groups(self) -> list[tuple[str, list[Line]]]:
        """Return the rows under headings: those asked for, or one for those without a rank."""
        if by := self.filters.cleaned_data.get("group"):
            found = group(self.rows, by, lambda one: one.row.traits)
        else:
            found = [("", self.ranked), (_("Without a rank"), self.apart)]
        return [(name, draw_up(rows, self.columns)) for name, rows in found if rows]

    headings: list[Heading]

    @property
    def name_place(self) -> int:
        """Return before which of the columns the solver's name stands: behind the rank, if any."""
        return 2 if self.columns[0].name == "rank" else 1

    @property
    def narrowed_to(self) -> str:
        """Name the domain and the difficulty that are asked for."""
        scope = self.board.scope
        labels = dict(PhysicsField.choices), dict(Difficulty.choices)
        asked = scope.domain, scope.difficulty
        return _(", ").join(str(of[one]) for of, one in zip(labels, asked, strict=True) if one)

    @property
    def has_sensitivity(self) -> bool:
        return any(one.sensitivity for one in self.rows)

    @property
    def has_carried(self) -> bool:
        return any(one.row.carried_from for one in self.rows)

    @property
    def peoples(self) -> list[tuple[PeoplesFigures, list[dict[str, object]]]]:
        """Return the people of each study, and those without one, with lines of figures."""
        labels = {"eed": _("EED"), "accuracy": _("Accuracy, %")}
        return [
            (
                people,
                [
                    {"label": labels[key], "mean": mean, "spread": people.of_a_person.get(key)}
                    for key in SORTS
                    if (mean := people.means[key]).range or mean.value is not None
                ],
            )
            for people in self.board.peoples
        ]

    @property
    def has_baseline(self) -> bool:
        return any(one.who.is_baseline for one in self.board.peoples)

    @property
    def shows_people(self) -> bool:
        return bool(self.board.peoples) and self.filters.shows(Kind.PEOPLE)


@dataclass(frozen=True, slots=True)
class Card:
    """What the first page says of one of several benchmarks."""

    benchmark: Benchmark
    version: BenchmarkVersion | None
    problems: int
    models: int
    """On its board."""


def list_cards(benchmarks: Sequence[Benchmark]) -> list[Card]:
    """Count what each benchmark has, in two queries."""
    current = BenchmarkVersion.objects.current().annotate(count=Count("items"))
    versions = {one.benchmark_id: one for one in current}
    published = Submission.objects.filter(withdrawn_at=None).exclude(published_at=None)
    counted = published.order_by().values_list("benchmark").annotate(Count("solver", distinct=True))
    models = dict(counted)
    return [
        Card(
            one,
            version := versions.get(one.pk),
            version.count if version else 0,  # type: ignore[attr-defined]  # annotated above
            models.get(one.pk, 0),
        )
        for one in benchmarks
    ]


@for_everybody
def board(request: HttpRequest, slug: str | None = None) -> HttpResponse:
    choices = boards()
    if slug is None and len(choices) > 1:
        return render(request, "grading/boards.html", {"cards": list_cards(choices)})
    benchmark = _find(choices, slug)
    if benchmark is None:
        return render(request, "grading/board.html", {"is_without_admin": is_without_admin()})
    scope = read_scope(benchmark, request.GET)
    page = _read_page(request, scope)
    is_admin = _is_admin(request)
    judges = list_judges(benchmark, also_unpublished=is_admin)
    chosen = next((one for one in judges if str(one.pk) == request.GET.get("judge")), None)
    context = {
        "publishes_columns": is_admin,
        "judges": judges,
        "column": make_column(page.board, chosen) if chosen else None,
        "board": page.board,
        "page": page,
        "picture": _show_picture(request, page),
        **_describe_scope(scope, is_asked="version" in request.GET),
        "audit": page.audit,
        "reported": list_reported(benchmark) if page.filters.shows(Kind.REPORTED) else [],
        "citation": cite_board(scope.version, timezone.localdate()) if scope.version else None,
    }
    return render(request, "grading/board.html", context)


def _read_page(request: HttpRequest, scope: Scope) -> Page:
    made = show_board(scope, _sort(request))
    audit = find_for_board(scope.version) if scope.version else None
    every = describe(made, find_sensitivities(audit, made.figures))
    filters = BoardFilter(request.GET, scope, every)
    rows = sort_rows(filters.keep(every), request.GET.get("order", ""))
    columns = choose_columns(every)
    return Page(made, audit, filters, rows, columns, _list_headings(request, columns))


def _list_headings(request: HttpRequest, columns: Sequence[Column]) -> list[Heading]:
    """Return the tops of the columns; before the first figures that of the solvers' names."""
    found = [_head(request, one) for one in columns]
    name = Heading(_("Solver"), *_find_way(request, "solver", begins_high=False), is_number=False)
    return [*found[:1], name, *found[1:]] if columns[0].name == "rank" else [name, *found]


def _head(request: HttpRequest, column: Column) -> Heading:
    if column.name in SORTS:
        # The figure that one sorts by is also the one that ranks are by.
        is_asked = _sort(request) == column.name and not request.GET.get("order")
        query = request.GET.copy()
        query["sort"] = column.name
        query.pop("order", None)
        direction = "descending" if is_asked else ""
        return Heading(column.label, direction, f"?{query.urlencode()}", column.is_number)
    if column.key is None:
        return Heading(column.label, "", "", column.is_number)
    way = _find_way(request, column.name, begins_high=column.begins_high)
    return Heading(column.label, *way, column.is_number)


def _find_way(request: HttpRequest, name: str, *, begins_high: bool) -> tuple[str, str]:
    """Say which way the table is sorted by a column, and the address that the next click asks."""
    ways = [f"-{name}", name] if begins_high else [name, f"-{name}"]
    asked = request.GET.get("order", "")
    query = request.GET.copy()
    query["order"] = ways[1] if asked == ways[0] else ways[0]
    direction = {name: "ascending", f"-{name}": "descending"}.get(asked, "")
    return direction, f"?{query.urlencode()}"


def _show_picture(request: HttpRequest, page: Page) -> ShownPicture | None:
    drawn = _list_drawn(page)
    if not drawn:
        return None
    slug = page.board.benchmark.slug
    query = {name: str(value) for name, value in request.GET.items() if name != "judge"}
    return ShownPicture(
        name=f"board-{slug}",
        path=reverse("board_picture", args=[slug]),
        text=picture.say_in_words(picture.make_chart(drawn, None, page.board.sort)),
        query=query,
    )


def _list_drawn(page: Page) -> list[Shown]:
    """Return the rows that a picture has, those without a rank last."""
    return [one for one in (*page.ranked, *page.apart) if one.row.mean(one.sort).value is not None]


@for_everybody
def board_picture(request: HttpRequest, slug: str) -> HttpResponse:
    benchmark = _find(boards(), slug)
    assert benchmark is not None
    page = _read_page(request, read_scope(benchmark, request.GET))
    # One band is enough to look at: that of the human baseline, or of the first study.
    people = next(iter(page.board.peoples), None) if page.shows_people else None
    drawn = _list_drawn(page)
    chart = picture.make_chart(drawn, people, page.board.sort, is_narrow=is_narrow(request))
    return chart_response(request, chart, name=f"board-{slug}")


@for_everybody
def board_csv(request: HttpRequest, slug: str) -> HttpResponse:
    benchmark = _find(boards(), slug)
    assert benchmark is not None
    scope = read_scope(benchmark, request.GET)
    judges = list_judges(benchmark, also_unpublished=_is_admin(request))
    chosen = next((one for one in judges if str(one.pk) == request.GET.get("judge")), None)
    if chosen:
        return _judge_csv(make_column(show_board(scope), chosen), benchmark)
    page = _read_page(request, scope)
    lines: list[Sequence[object]] = [list_values(one) for one in page.rows]
    if page.shows_people:
        lines += [list_peoples_values(one) for one in page.board.peoples]
    return csv_response(f"board-{benchmark.slug}", list_headings(), lines)


@role_required(Role.ADMIN)
@require_POST
def publish_judge(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    """Put a judge's column on the board, or take it off, as the button says."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    judges = list_judges(benchmark, also_unpublished=True)
    configuration = next((one for one in judges if one.pk == pk), None)
    if configuration is None:
        raise Http404(_("Judge not found."))
    match request.POST.get("is_published"):
        case "yes":
            publish_column(benchmark=benchmark, configuration=configuration, by=request.user)
            messages.success(request, _("Published. Everyone can see this judge’s figures."))
        case "no":
            take_off_column(benchmark=benchmark, configuration=configuration, by=request.user)
            messages.success(request, _("Hidden. Only admins see this judge’s figures now."))
        case _nothing:
            return HttpResponseBadRequest()
    return redirect(f"{reverse('board_of', args=[slug])}?judge={pk}")


@role_required(Role.ADMIN)
@require_GET
def rank_changes(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    """Show what a grading run would change on the boards, or has changed."""
    runs = GradingRun.objects.select_related("benchmark", "base")
    run = get_object_or_404(runs, pk=pk, benchmark__slug=slug)
    is_graded = not run.parts.filter(done_at=None).exists() if run.is_proposed else run.base
    if not is_graded:
        return redirect(run)
    boards = compare_boards(run)
    context = {"run": run, "boards": boards, "is_coming": any(one.is_coming for one in boards)}
    return render(request, "grading/rank_changes.html", context)


def _is_admin(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and publishes_columns(request.user)


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
    raise Http404(_("Benchmark not found."))


def _describe_scope(scope: Scope, *, is_asked: bool) -> dict[str, object]:
    """Return what the page says of the version, and of others that have a board."""
    before = Submission.objects.filter(benchmark=scope.benchmark, version=None)
    published = list(BenchmarkVersion.objects.published().filter(benchmark=scope.benchmark))
    return {
        "version": scope.version,
        "versions": published,
        "is_held_back": not is_asked and scope.version not in (None, *published[:1]),
        "has_before": scope.version is not None and before.exclude(published_at=None).exists(),
    }


def _sort(request: HttpRequest) -> SortKey:
    return "accuracy" if request.GET.get("sort") == "accuracy" else "eed"


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
