"""Report an error from a benchmark's board, and see what became of it, without an account."""

from allauth.core.ratelimit import consume
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from curation.problems.benchmarks.models import Benchmark
from curation.reports import actions
from curation.reports.models import ErrorReport
from curation.reports.permissions import list_reports
from curation.texts.workflow import NotAllowedNow
from grading.board import visitors
from grading.board.visitor_forms import BoardReportForm, VisitorReportForm
from phybench.people.models import User


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def board_report(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a report on a problem or a row: somebody's who is signed in, or a visitor's."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    if isinstance(request.user, User):
        return _take_members(request, benchmark, request.user)
    return _take_visitors(request, benchmark)


def _read_address(request: HttpRequest) -> dict[str, str]:
    """Return what the link that led here says of the error: `?problem=…` or `?row=…`."""
    if row := request.GET.get("row"):
        return {"kind": ErrorReport.Kind.ROW, "subject": row[:200]}
    return {"subject": request.GET.get("problem", "")[:200]}


def _take_members(request: HttpRequest, benchmark: Benchmark, person: User) -> HttpResponse:
    if request.method != "POST":
        form = BoardReportForm(benchmark=benchmark, initial=_read_address(request))
        return _show(request, form)
    form = BoardReportForm(request.POST, benchmark=benchmark)
    if form.is_valid():
        said = form.said
        try:
            if said.problem is None:
                report = visitors.report_row(said=said, reporter=person)
            else:
                report = actions.report_error(
                    problem=said.problem, reporter=person, kind=said.kind, text=said.text
                )
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Reported. This page will show the outcome."))
            return redirect(report)
    return _show(request, form)


def _take_visitors(request: HttpRequest, benchmark: Benchmark) -> HttpResponse:
    if request.method != "POST":
        first = {**_read_address(request), "ticket": visitors.write_ticket()}
        return _show(request, VisitorReportForm(benchmark=benchmark, initial=first))
    sent = request.POST.copy()
    form = VisitorReportForm(sent, benchmark=benchmark)
    status = 400
    if form.is_valid():
        given = form.cleaned_data
        try:
            secret = visitors.read_ticket(given["ticket"])
            if not consume(request, action="visitor_report"):
                status = 429
                raise visitors.Refused(
                    _("Too many reports came from your address. Send this one in an hour.")
                )
            report = visitors.report_as_visitor(
                said=form.said, secret=secret, name=given["name"], email=given["email"]
            )
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("curation:sent_report", report.pk, secret)
    # What was sent with the old ticket is looked at again, and so is another report.
    sent["ticket"] = visitors.write_ticket()
    return _show(request, form, status=status)


def _show(request: HttpRequest, form: BoardReportForm, *, status: int = 400) -> HttpResponse:
    context = {"form": form, "benchmark": form.benchmark}
    status = status if form.is_bound else 200
    return render(request, "curation/board_report.html", context, status=status)


@login_not_required
@never_cache
@require_GET
def sent_report(request: HttpRequest, pk: int, secret: str) -> HttpResponse:
    """Say what became of a visitor's report; without its secret there is no such page."""
    reports = ErrorReport.objects.select_related(
        "revision__problem__benchmark", "benchmark", "erratum"
    )
    found = get_object_or_404(
        reports.exclude(Q(secret_sha256="")), pk=pk, secret_sha256=visitors.hash_secret(secret)
    )
    benchmark = found.revision.problem.benchmark if found.revision else found.benchmark
    viewer = request.user
    reads_it = isinstance(viewer, User) and (list_reports(viewer).filter(pk=found.pk).exists())
    context = {
        "report": found,
        "benchmark": benchmark,
        "fate": visitors.say_fate(found),
        "erratum": getattr(found, "erratum", None),
        "link": settings.SITE_URL + reverse("curation:sent_report", args=[pk, secret]),
        "reads_it": reads_it,
    }
    response = render(request, "curation/sent_report.html", context)
    response["X-Robots-Tag"] = "noindex"
    return response
