"""A model that answers: what is said of it, its submissions, and describing it."""

from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from grading import permissions
from grading.solvers import actions
from grading.solvers.forms import DescriptionForm
from grading.solvers.models import Description, Solver
from grading.solvers.standing import StandingSubmission, list_standing
from grading.statistics.metrics import Mean
from phybench.http import MemberRequest, role_required
from phybench.listing import Column, Listing
from phybench.models import Role, User


def _write_time(at: datetime | None) -> str:
    return at.isoformat() if at else ""


def _write_figure(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _write_mean(name: str) -> list[Column[StandingSubmission]]:
    """Write a mean and the ends of its interval, where its submission shows its score."""

    def write(end: str) -> Column[StandingSubmission]:
        def value(one: StandingSubmission) -> str:
            mean: Mean = getattr(one.tally, name)
            return _write_figure(getattr(mean, end)) if one.shows_score else ""

        return Column(name if end == "value" else f"{name}_{end}", value=value)

    return [write(end) for end in ("value", "low", "high")]


def _write_said(name: str) -> Column[StandingSubmission]:
    """Write what was said of the model when the submission was published."""
    return Column(
        f"described_{name}", value=lambda one: one.description and getattr(one.description, name)
    )


def _write_count(name: str) -> Column[StandingSubmission]:
    return Column(name, value=lambda one: getattr(one.tally, name) if one.shows_score else "")


COLUMNS: list[Column[StandingSubmission]] = [
    Column("benchmark", gettext_lazy("Benchmark"), value=lambda one: one.submission.benchmark.slug),
    Column("number", value=lambda one: one.submission.number),
    Column("of", value=lambda one: one.of),
    Column(
        "published_at",
        gettext_lazy("Published"),
        value=lambda one: _write_time(one.submission.published_at),
    ),
    Column("eed_shown", gettext_lazy("Mean EED"), is_number=True),
    Column("accuracy_shown", gettext_lazy("Accuracy, %"), is_number=True),
    *_write_mean("eed"),
    *_write_mean("accuracy"),
    *(_write_count(name) for name in ("scored", "unreadable", "missing", "ungraded")),
    Column("waiting", value=lambda one: one.waiting),
    Column("then", gettext_lazy("Description then")),
    Column("status", gettext_lazy("Status")),
    Column("on_the_board", value=lambda one: "yes" if one.is_ranked else "no"),
    Column("withdrawn_at", value=lambda one: _write_time(one.submission.withdrawn_at)),
    Column(
        "described_at",
        value=lambda one: _write_time(one.description.described_at if one.description else None),
    ),
    *(_write_said(name) for name in Description.SAID),
]


@login_not_required
@require_GET
def solver(request: HttpRequest, pk: int) -> HttpResponse:
    viewer = _find_viewer(request)
    found = _get(viewer, pk)
    descriptions = list(permissions.list_descriptions(found, viewer).select_related("described_by"))
    context = {
        **_list(request, found, viewer, descriptions).describe(),
        "solver": found,
        "descriptions": descriptions,
        "sees_all": permissions.sees_all_of(viewer, found),
        "can_describe": viewer and permissions.can_describe(viewer, found),
    }
    return render(request, "grading/solver.html", context)


@login_not_required
@require_GET
def solver_csv(request: HttpRequest, pk: int) -> HttpResponse:
    viewer = _find_viewer(request)
    found = _get(viewer, pk)
    descriptions = list(permissions.list_descriptions(found, viewer))
    return _list(request, found, viewer, descriptions).write(f"solver-{found.pk}")


def _find_viewer(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _get(viewer: User | None, pk: int) -> Solver:
    return get_object_or_404(permissions.list_solvers(viewer), pk=pk)


def _list(
    request: HttpRequest, found: Solver, viewer: User | None, descriptions: list[Description]
) -> Listing[StandingSubmission]:
    return Listing(request, list_standing(found, viewer, descriptions), COLUMNS)


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def describe_solver(request: MemberRequest, pk: int) -> HttpResponse:
    found = _get(request.user, pk)
    if not permissions.can_describe(request.user, found):
        raise PermissionDenied(_("Only members of its organisation and admins describe a model."))
    if request.method == "POST":
        form = DescriptionForm(request.POST)
        if form.is_valid() and _describe(request, found, form):
            messages.success(request, _("Saved: this is the description from now on."))
            return redirect(found)
    else:
        said = found.descriptions.values(*Description.SAID).first()
        form = DescriptionForm(initial=said or {})
    # Also of one that another wrote meanwhile: it is shown, and so is read now.
    context = {"solver": found, "form": form, "last": found.descriptions.first()}
    return render(
        request, "grading/describe_solver.html", context, status=400 if form.errors else 200
    )


def _describe(request: MemberRequest, found: Solver, form: DescriptionForm) -> bool:
    try:
        actions.describe(
            solver=found, by=request.user, read=form.cleaned_data["read"], **form.list_said()
        )
    except actions.CannotChange as refused:
        form.add_error(None, str(refused))
        return False
    return True
