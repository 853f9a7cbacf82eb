"""A model's page: what is said of it, and how its submissions stand over versions."""

from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from grading.answers.permissions import list_descriptions, list_solvers
from grading.board.histories.drawing import draw, list_drawn, name
from grading.board.histories.standing import StandingSubmission, list_standing
from grading.solvers.models import Description, Solver
from grading.solvers.permissions import can_describe, sees_all_of
from phybench.pages.kept import for_everybody
from phybench.pages.listing import Column, Listing
from phybench.pages.pictures import ShownPicture, is_narrow, svg_response
from phybench.people.models import User
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.provisional import Range


def _write_time(at: datetime | None) -> str:
    return at.isoformat() if at else ""


def _write_figure(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


ENDS = {"from": "low", "to": "high"}
"""Columns for where a mean can lie; it is quoted where both are the same."""


def _write_mean(name: str) -> list[Column[StandingSubmission]]:
    """Write a mean and the ends of its interval, where its submission shows its score."""

    def write(end: str) -> Column[StandingSubmission]:
        def value(one: StandingSubmission) -> str:
            mean: Mean = getattr(one.tally, name)
            found: Range | None = getattr(one.tally, f"{name}_range")
            told = found if end in ENDS else mean.quote(found)
            return _write_figure(getattr(told, ENDS.get(end, end), None)) if one.shows_score else ""

        return Column(name if end == "value" else f"{name}_{end}", value=value)

    return [write(end) for end in ("value", "low", "high", *ENDS)]


def _write_said(name: str) -> Column[StandingSubmission]:
    """Write what was said of the model when the submission was published."""
    return Column(
        f"described_{name}", value=lambda one: one.description and getattr(one.description, name)
    )


def _write_count(name: str) -> Column[StandingSubmission]:
    return Column(name, value=lambda one: getattr(one.tally, name) if one.shows_score else "")


COLUMNS: list[Column[StandingSubmission]] = [
    Column("benchmark", gettext_lazy("Benchmark"), value=lambda one: one.submission.benchmark.slug),
    Column("version", value=lambda one: one.submission.version and one.submission.version.number),
    Column("number", value=lambda one: one.submission.number),
    Column("of", value=lambda one: one.of),
    Column(
        "published_at",
        gettext_lazy("Published"),
        value=lambda one: _write_time(one.submission.published_at),
    ),
    Column("rank", gettext_lazy("Rank"), value=lambda one: one.eed_rank or "", is_number=True),
    Column("eed_shown", gettext_lazy("Mean EED"), is_number=True),
    Column("accuracy_shown", gettext_lazy("Accuracy, %"), is_number=True),
    *_write_mean("eed"),
    *_write_mean("accuracy"),
    Column("problems", gettext_lazy("Problems"), value=lambda one: one.problems, is_number=True),
    Column("samples", gettext_lazy("Samples"), value=lambda one: one.samples, is_number=True),
    *(_write_count(name) for name in ("scored", "unreadable", "missing", "ungraded")),
    Column("waiting", value=lambda one: one.waiting),
    Column("then", gettext_lazy("Description at the time")),
    Column("status", gettext_lazy("Status")),
    Column("on_the_board", value=lambda one: "yes" if one.is_ranked else "no"),
    Column("withdrawn_at", value=lambda one: _write_time(one.submission.withdrawn_at)),
    Column(
        "described_at",
        value=lambda one: _write_time(one.description.described_at if one.description else None),
    ),
    *(_write_said(name) for name in Description.SAID),
]


@for_everybody
def solver(request: HttpRequest, pk: int) -> HttpResponse:
    viewer = _find_viewer(request)
    found = _get(viewer, pk)
    descriptions = list(list_descriptions(found, viewer).select_related("described_by"))
    standing = list_standing(found, viewer, descriptions)
    context = {
        **Listing(request, standing, COLUMNS).describe(),
        "pictures": _show(found, standing),
        "solver": found,
        "descriptions": descriptions,
        "sees_all": sees_all_of(viewer, found),
        "can_describe": viewer and can_describe(viewer, found),
    }
    return render(request, "grading/solver.html", context)


@for_everybody
def solver_csv(request: HttpRequest, pk: int) -> HttpResponse:
    viewer = _find_viewer(request)
    found = _get(viewer, pk)
    descriptions = list(list_descriptions(found, viewer))
    standing = list_standing(found, viewer, descriptions)
    return Listing(request, standing, COLUMNS).write(f"solver-{found.pk}")


@for_everybody
def solver_picture(request: HttpRequest, pk: int) -> HttpResponse:
    viewer = _find_viewer(request)
    found = _get(viewer, pk)
    drawn = draw(list_standing(found, viewer, []), is_narrow=is_narrow(request))
    if not drawn.marks:
        raise Http404(_("This model has no published submission."))
    context = {
        "title": _("Mean EED of %(name)s by version, with 95 %% intervals") % {"name": found},
        "width": drawn.layout.width,
        "height": drawn.height,
        "picture": drawn,
        "is_narrow": is_narrow(request),
    }
    return svg_response(request, "pictures/history.svg", context, name=f"solver-{found.pk}")


def _show(found: Solver, standing: list[StandingSubmission]) -> list[ShownPicture]:
    """Show the picture where there are two points to look from one to the other."""
    drawn = list_drawn(standing)
    if len(drawn) < 2:
        return []
    said = _("; ").join(
        _("%(version)s: %(value)s")
        % {"version": name(one), "value": one.tally.eed.say(one.tally.eed_range)}
        for one in reversed(drawn)
    )
    return [
        ShownPicture(
            name=f"solver-{found.pk}",
            path=reverse("grading:solver_picture", args=[found.pk]),
            text=_("Mean EED by version, oldest first: %(said)s") % {"said": said},
            query={},
            caption=_(
                "Version and number of the submission. Filled: on the board. Lines: 95 % intervals."
            ),
        )
    ]


def _find_viewer(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _get(viewer: User | None, pk: int) -> Solver:
    return get_object_or_404(list_solvers(viewer), pk=pk)
