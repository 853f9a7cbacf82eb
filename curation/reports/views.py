"""Report errors in accepted problems, discuss them, decide on them."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from curation.problems import interests, wording
from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from curation.problems.fields import ReasonForm
from curation.problems.models import Problem, Revision
from curation.problems.permissions import can_see_key, is_writer, list_visible
from curation.reports import actions as reporting
from curation.reports.forms import DecisionForm, ReportForm, ReportReplyForm
from curation.reports.models import ErrorReport
from curation.reports.permissions import can_give_up, can_report, decides_reports, list_reports
from curation.texts.workflow import NotAllowedNow
from phybench.people.forms import form_says_why_not
from phybench.people.http import MemberRequest, role_required, saying_why_not
from phybench.people.models import Role, User
from phybench.people.permissions import can_see_names, is_admin


def _find_problem(request: MemberRequest, pk: int) -> Problem:
    return get_object_or_404(
        list_visible(request.user).with_people().select_related("accepted_revision"),
        pk=pk,
    )


@require_http_methods(["GET", "POST"])
def new_report(request: MemberRequest, pk: int) -> HttpResponse:
    """Show what is reported already, and take another report."""
    problem = _find_problem(request, pk)
    if not problem.is_published:
        raise Http404
    if not can_report(request.user, problem):
        messages.info(request, _("This problem is retired, so errors in it can’t be reported."))
        return redirect(problem)
    form = ReportForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with form_says_why_not(form, NotAllowedNow):
            report = reporting.report_error(
                problem=problem, reporter=request.user, **form.cleaned_data
            )
            messages.success(request, _("Reported. This page will show the outcome."))
            return redirect(report)
    reports = ErrorReport.objects.open().filter(revision__problem=problem)
    readable = set(list_reports(request.user).filter(pk__in=reports).values_list("pk"))
    context = {
        "problem": problem,
        "form": form,
        # What others wrote of the answer is not for who may come to answer it.
        "open_reports": [
            (one, (one.pk,) in readable) for one in reports.select_related("revision")
        ],
    }
    status = 400 if form.is_bound else 200
    return render(request, "curation/new_report.html", context, status=status)


def _find(request: MemberRequest, pk: int) -> ErrorReport:
    reports = (
        list_reports(request.user)
        .select_related(
            "revision__problem__author",
            "benchmark",
            "reporter",
            "decided_by",
            "erratum__corrected_by",
            "contact",
        )
        .prefetch_related("revision__problem__credits")
    )
    return get_object_or_404(reports, pk=pk)


@require_http_methods(["GET", "POST"])
def report(request: MemberRequest, pk: int) -> HttpResponse:
    """Show a report and what was said of it; take a reply."""
    found = _find(request, pk)
    form = ReportReplyForm(request.POST if request.method == "POST" else None, report=found)
    if form.is_valid():
        reporting.reply(report=found, person=request.user, text=form.cleaned_data["text"])
        return redirect(found)
    return _show(request, found, form)


def _show(
    request: MemberRequest,
    found: ErrorReport,
    reply: ReportReplyForm,
    decision: DecisionForm | None = None,
) -> HttpResponse:
    can_decide = decides_reports(request.user) and not found.outcome
    if can_decide and decision is None:
        decision = _ask_to_decide(request, found)
    context = {
        "report": found,
        **(_describe_revision(request, found, found.revision) if found.revision else {}),
        "names": {
            "reporter": _name(found.reporter, found, request.user),
            "decided_by": found.decided_by and _name(found.decided_by, found, request.user),
        },
        "shows_contact": can_see_names(request.user) and hasattr(found, "contact"),
        "replies": [
            (one, _name(one.person, found, request.user))
            for one in found.replies.select_related("person")
        ],
        "form": reply,
        "decision": decision,
        "can_decide": can_decide,
    }
    status = 400 if reply.is_bound or (decision and decision.is_bound) else 200
    return render(request, "curation/report.html", context, status=status)


def _describe_revision(
    request: MemberRequest, found: ErrorReport, revision: Revision
) -> dict[str, Any]:
    """Return what the page says of the problem, and write down that it was shown."""
    problem = revision.problem
    shows_key = can_see_key(request.user, problem)
    parts = (Part.STATEMENT, Part.ANSWER) if shows_key else ledger.STATEMENT
    ledger.record(request.user, Reason.REPORT, revision, parts=parts)
    return {
        "problem": problem,
        "revision": revision,
        "shown": wording.show(revision, request.user, request.GET.get("language")),
        "shows_key": shows_key,
        "can_keep": found.awaits_correction and can_give_up(request.user, problem),
    }


def _ask_to_decide(
    request: MemberRequest, found: ErrorReport, data: QueryDict | None = None
) -> DecisionForm:
    problem = found.revision.problem if found.revision else None
    why_not = interests.say_who_decides(request.user, problem) if problem else ""
    return DecisionForm(data, report=found, why_not_dismiss=why_not)


def _name(person: User | None, report: ErrorReport, viewer: User) -> str:
    """Name somebody to a viewer: by what they are, since reviewers have no names but for admins."""
    if person is None:
        return _("a visitor")
    if can_see_names(viewer):
        return str(person)
    if person == viewer:
        return _("you")
    if person == report.reporter:
        return _("the reporter")
    if report.revision and is_writer(person, report.revision.problem):
        return _("an author")
    return _("an admin") if is_admin(person) else _("a reviewer")


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def decide_report(request: MemberRequest, pk: int) -> HttpResponse:
    """Take an admin's decision; the form is on the report's own page."""
    found = _find(request, pk)
    if request.method == "GET":
        return redirect(found)
    form = _ask_to_decide(request, found, request.POST)
    if not form.is_valid():
        return _show(request, found, ReportReplyForm(report=found), form)
    with saying_why_not(request, NotAllowedNow):
        decided = reporting.decide(report=found, admin=request.user, **form.cleaned_data)
        messages.success(request, _say_decided(decided))
    return redirect(found)


def _say_decided(report: ErrorReport) -> str:
    if report.awaits_correction:
        return _(
            "Decided. The problem is reopened. Answers are graded against its accepted "
            "revision until the next one is accepted, which closes this report."
        )
    return _("Decided and closed: %(outcome)s.") % {"outcome": report.get_outcome_display()}


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def keep(request: MemberRequest, pk: int) -> HttpResponse:
    """Give a correction up, after asking why."""
    problem = _find_problem(request, pk)
    form = ReasonForm(request, label=_("Why there is no correction"))
    if not can_give_up(request.user, problem):
        messages.info(request, _("This problem is not being corrected now, or that is in review."))
        return redirect(problem)
    if form.is_valid():
        with saying_why_not(request, NotAllowedNow):
            reporting.keep(problem=problem, admin=request.user, **form.cleaned_data)
            messages.success(
                request, _("The accepted revision stays in use. Its reports are open again.")
            )
        return redirect(problem)
    text = _(
        "Revision %(number)s stays accepted. The error reports awaiting a correction must be "
        "decided again. The draft of the next revision is kept for its authors and admins."
    )
    accepted = problem.accepted_revision
    context = {
        "problem": problem,
        "title": wording.name_in(_("Abandon the correction of “%(title)s”"), problem),
        "text": text % {"number": accepted.number if accepted else ""},
        "button": _("Abandon the correction"),
        "form": form,
    }
    status = 400 if form.is_bound else 200
    return render(request, "curation/confirm.html", context, status=status)
