"""What waits for a ruling, and what was ruled: two tables, and a file of each."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from grading.answers.models import Attempt
from grading.answers.permissions import list_receipted
from grading.judging.rulings.filters import GivenFilter, WaitingFilter
from grading.judging.rulings.waiting import list_waiting
from grading.samples.labels.models import Ruling
from grading.samples.labels.permissions import list_rulings
from grading.solvers.models import Solver
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

A_PAGE = 50


def _name_models(request: MemberRequest, attempts: Iterable[Attempt]) -> dict[int | None, Solver]:
    """Return who gave these answers, by their submission, where the viewer may know of that."""
    wanted = {one.submission_id for one in attempts}
    known = list_receipted(request.user).filter(pk__in=wanted)
    return {one.pk: one.solver for one in known}


# --- Those that wait ------------------------------------------------------------------------

# Of any rows: what `list_waiting` adds, no type knows.
WAITING: list[Column[Any]] = [
    Column("problem", _("Answer to"), by("revision__problem_id")),
    Column("sample", _("Sample"), by("sample"), lambda one: one.sample, is_number=True),
    Column("model", _("Model")),
    Column("attempt", value=lambda one: one.pk),
    Column("id", value=lambda one: one.revision.problem.identifier),
    Column(
        "domain",
        _("Domain"),
        by("revision__problem__domain"),
        lambda one: one.revision.problem.domain,
    ),
    Column("since", _("Waits since"), by("waits_since")),
    Column("waits_since", value=lambda one: one.waits_since.isoformat()),
    # With these two filled in it can be brought back as a file.
    Column("label", value=lambda one: ""),
    Column("labeller", value=lambda one: ""),
]


def _list_waiting(request: MemberRequest) -> Listing[Any]:
    filters = WaitingFilter(request.GET, list_waiting(request.user))
    return Listing(request, filters.qs, WAITING, default="since", filters=filters, a_page=A_PAGE)


@role_required(Role.EVALUATOR)
@require_GET
def rulings(request: MemberRequest) -> HttpResponse:
    given = request.user.rulings.filter(label_file=None).count()
    described = _list_waiting(request).describe()
    shown = list(described["page"])
    models = _name_models(request, shown)
    rows = [(one, models.get(one.submission_id)) for one in shown]
    context = {**described, "rows": rows, "given": given}
    return render(request, "grading/rulings.html", context)


@role_required(Role.EVALUATOR)
@require_GET
def rulings_csv(request: MemberRequest) -> HttpResponse:
    return _list_waiting(request).write("to-be-ruled-on")


# --- Those that were given ------------------------------------------------------------------

GIVEN: list[Column[Ruling]] = [
    Column("problem", _("Answer to"), by("attempt__revision__problem_id")),
    Column(
        "sample",
        _("Sample"),
        by("attempt__sample"),
        lambda one: one.attempt.sample,
        is_number=True,
    ),
    Column("model", _("Model")),
    Column("ruling", _("Ruling"), by("choice")),
    Column("by", _("By"), by("ruled_by__display_name")),
    Column("when", _("Given"), by("created_at")),
    Column("attempt", value=lambda one: one.attempt_id),
    Column("id", value=lambda one: one.attempt.revision.problem.identifier),
    Column("label", value=lambda one: one.choice),
    Column("reason", _("Why"), value=lambda one: one.reason),
    Column("labeller", value=lambda one: one.labeller),
    Column("file", value=lambda one: one.label_file and one.label_file.file_name),
    Column("file_sha256", value=lambda one: one.label_file and one.label_file.sha256),
    Column("ruled_by", value=lambda one: str(one.ruled_by)),
    Column("given_at", value=lambda one: one.created_at.isoformat()),
]


def _list_given(request: MemberRequest) -> Listing[Ruling]:
    filters = GivenFilter(request.GET, list_rulings(request.user))
    return Listing(request, filters.qs, GIVEN, default="-when", filters=filters, a_page=A_PAGE)


@role_required(Role.EVALUATOR)
@require_GET
def rulings_given(request: MemberRequest) -> HttpResponse:
    listing = _list_given(request)
    context = listing.describe()
    shown = list(context["page"])
    models = _name_models(request, [one.attempt for one in shown])
    context["rows"] = [(one, models.get(one.attempt.submission_id)) for one in shown]
    _record_told(request, shown)
    return render(request, "grading/rulings_given.html", context)


@role_required(Role.EVALUATOR)
@require_GET
def rulings_given_csv(request: MemberRequest) -> HttpResponse:
    listing = _list_given(request)
    _record_told(request, listing.rows)
    return listing.write("rulings")


def _record_told(request: MemberRequest, rulings: Iterable[Ruling]) -> None:
    told = (ruling.attempt.revision_id for ruling in rulings)
    ledger.write_verdicts(request.user, Reason.RULE, told)
