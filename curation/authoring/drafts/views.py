"""Write a problem: new, edit, certify, submit, withdraw, delete."""

import secrets
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from curation.authoring.drafts import actions, submitting
from curation.authoring.drafts.autosave import find_begun
from curation.authoring.drafts.example import fill_in
from curation.authoring.drafts.forms import ProblemForm
from curation.authoring.drafts.models import SubmitRequest
from curation.authoring.drafts.preview import (
    Conversion,
    Preview,
    convert_field,
    is_converting,
    make_preview,
)
from curation.authoring.drafts.tasks import SUBMITTING
from curation.problems.benchmarks.models import Benchmark
from curation.problems.benchmarks.places import get_placed
from curation.problems.certificates import actions as certifying
from curation.problems.certificates.description import describe
from curation.problems.credits.views import describe_people
from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.models import Problem, Revision
from curation.problems.permissions import (
    can_delete,
    can_edit,
    can_start_again,
    can_submit,
    can_withdraw,
    list_authored,
    list_to_write,
)
from curation.problems.similarity import list_similar
from curation.problems.wording import name_in
from curation.reviewing.reviews.remarks import list_remarks
from curation.texts.origin import begin_again
from curation.texts.titles import make_title
from curation.texts.workflow import NotAllowedNow, Status
from phybench.people.http import (
    MemberRequest,
    few_editors_at_once,
    role_required,
    saying_why_not,
)
from phybench.people.models import Language, Role
from phybench.work.tasks import wake


@require_http_methods(["GET", "POST"])
@few_editors_at_once
def new(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = get_object_or_404(Benchmark, slug=slug)
    if request.method == "POST":
        if is_converting(request.POST):
            return _show_converted(request)
        form = ProblemForm(request.POST)
        if form.is_valid() and (made := form.cleaned_data["problem"]):
            # It was saved while it was typed.
            return _save(request, get_object_or_404(list_to_write(request.user), pk=made))
        if form.is_valid():
            key = form.cleaned_data["form_key"]
            if begun := find_begun(request.user, key):
                # Sent twice, or saved while it was typed without this page's hearing of it.
                return _save(request, begun)
            problem = actions.create_draft(
                author=request.user, form_key=key, **form.fields_to_save()
            )
            return _go_on(request, problem)
        preview = make_preview(request.POST)
    else:
        began = {"benchmark": benchmark.pk, **_begin(request)}
        form = ProblemForm(initial={**began, "form_key": secrets.token_urlsafe(16)})
        preview = make_preview(began)
    return _show_editor(request, form=form, preview=preview)


def _begin(request: MemberRequest) -> dict[str, Any]:
    """Return what the form of a new problem begins with: nothing, the example, a rejected text."""
    if "example" in request.GET:
        return fill_in()
    if "from" not in request.GET:
        return {"language": Language.of_pages()}
    own = list_authored(request.user).select_related("author")
    number = request.GET["from"]
    rejected = get_object_or_404(own, pk=number if number.isdecimal() else 0)
    if not can_start_again(request.user, rejected):
        raise Http404
    revision = rejected.revisions.latest("number")
    ledger.record(request.user, Reason.EDIT, revision, parts=ledger.ALL)
    return begin_again(ProblemForm.describe(rejected, revision), rejected.identifier)


@require_http_methods(["GET", "POST"])
@few_editors_at_once
def edit(request: MemberRequest, pk: int) -> HttpResponse:
    problem = get_placed(request, list_to_write(request.user).select_related("author"), pk)
    if request.method == "POST":
        if is_converting(request.POST):
            return _show_converted(request, problem)
        return _save(request, problem)
    if not can_edit(request.user, problem):
        messages.warning(request, _say_why_not(problem))
        return redirect(problem)
    revision = problem.revisions.latest("number")
    ledger.record(request.user, Reason.EDIT, revision, parts=ledger.ALL)
    stored = ProblemForm.describe(problem, revision)
    if stored["title"] == make_title(revision.statement):
        # Nobody typed it, so it follows the statement.
        stored["title"] = ""
    preview = make_preview(stored)
    if "refused" in request.GET:
        # A submission was refused: say at each field why, as of the text that is stored.
        form = ProblemForm(stored)
        form.add_broken_rules(preview.checked)
        form.add_missing(revision, problem)
    else:
        form = ProblemForm(initial=stored)
    return _show_editor(request, form=form, preview=preview, problem=problem, revision=revision)


def _show_converted(request: MemberRequest, problem: Problem | None = None) -> HttpResponse:
    """Show the form with a text converted, where no script does that in its place."""
    data, conversion = convert_field(request.POST)
    return _show_editor(
        request,
        form=ProblemForm(data),
        preview=make_preview(data),
        problem=problem,
        conversion=conversion,
        is_unsaved=True,
    )


def _say_why_not(problem: Problem) -> str:
    if problem.status == Status.IN_REVIEW:
        return _("This problem is in review. Withdraw it to edit it.")
    return _("This problem is %(status)s, so it can’t be edited now.") % {
        "status": problem.get_status_display()
    }


def _save(request: MemberRequest, problem: Problem) -> HttpResponse:
    form = ProblemForm(request.POST)
    stored = None
    if form.is_valid():
        if submitting.is_submitted_so(problem, request.user, form.fields_to_save()):
            return _say_submitted(request, problem)
        try:
            actions.save_draft(
                problem=problem,
                author=request.user,
                saved_at=form.cleaned_data["saved_at"],
                **form.fields_to_save(),
            )
        except NotAllowedNow as refusal:
            problem.refresh_from_db()
            messages.error(request, str(refusal))
            stored = problem.revisions.latest("number")
            # Saving once more then replaces what is shown as stored.
            typed = request.POST.copy()
            typed["saved_at"] = ProblemForm.describe(problem, stored)["saved_at"]
            form.data = typed
        else:
            return _go_on(request, problem)
    preview = make_preview(request.POST)
    return _show_editor(
        request, form=form, preview=preview, problem=problem, conflicting=stored, is_unsaved=True
    )


def _go_on(request: MemberRequest, problem: Problem) -> HttpResponse:
    """After saving: submit or certify where that was the button, or go on writing."""
    if request.POST.get("then") == "submit":
        return _submit(request, problem)
    if request.POST.get("then") == "certify":
        return _certify(request, problem)
    messages.success(request, _("The draft is saved."))
    return redirect("curation:edit", problem.pk)


@role_required(Role.CONTRIBUTOR)
@require_POST
@few_editors_at_once
def submit(request: MemberRequest, pk: int) -> HttpResponse:
    return _submit(request, get_placed(request, list_to_write(request.user), pk))


def _submit(request: MemberRequest, problem: Problem) -> HttpResponse:
    """Submit it, or have the grader try it and then submit it: one click in any case."""
    confirmed = _read_numbers(request.POST.getlist("confirmed"))
    try:
        asked = submitting.ask_to_submit(
            problem=problem,
            author=request.user,
            confirmed=next(iter(confirmed), None),
            different_from=_read_numbers(request.POST.getlist("different_from")),
        )
    except actions.NotCertified as refusal:
        messages.warning(request, str(refusal))
        return redirect(_address_of_certificate(problem))
    except actions.Alike as refusal:
        messages.warning(request, str(refusal))
        return redirect(reverse("curation:edit", args=[problem.pk]) + "?alike=1#alike")
    except (actions.RulesBroken, NotAllowedNow) as refusal:
        return _refuse(request, problem, refusal)
    if isinstance(asked, SubmitRequest):
        wake(SUBMITTING, [asked])
        return redirect(reverse("curation:edit", args=[problem.pk]) + "#submitting")
    return _say_submitted(request, problem)


def _say_submitted(request: MemberRequest, problem: Problem) -> HttpResponse:
    """Lead to what was submitted; from a page that only asks how far it is, by htmx."""
    text = _("“%(title)s” is submitted. You can follow its review here; the text is frozen now.")
    messages.success(request, text % {"title": problem.title})
    if request.htmx:
        return HttpResponseClientRedirect(problem.get_absolute_url())
    return redirect(problem)


@require_GET
def submission(request: MemberRequest, pk: int) -> HttpResponse:
    """Say how far it is with what the author asked to submit; once it is done, lead there."""
    problem = get_placed(request, list_to_write(request.user), pk)
    if submitting.was_submitted(problem):
        return _say_submitted(request, problem)
    if not request.htmx or not can_edit(request.user, problem):
        return redirect(reverse("curation:edit", args=[problem.pk]) + "#submitting")
    revision = problem.revisions.latest("number")
    ledger.record(request.user, Reason.EDIT, revision, parts=[ledger.Part.ANSWER])
    context = {
        "problem": problem,
        "is_answer": True,
        "progress": submitting.find_progress(problem, revision),
        **describe(certifying.find(problem, revision.reference)),
    }
    return render(request, "curation/editor.html#submitting", context)


def _read_numbers(values: list[str]) -> list[int]:
    return [int(value) for value in values if value.isdecimal() and len(value) < 19]


def _certify(request: MemberRequest, problem: Problem) -> HttpResponse:
    """Have the grader try the answer; the page shows how far it is."""
    try:
        actions.certify_draft(problem=problem, author=request.user, again=True)
    except (actions.RulesBroken, NotAllowedNow) as refusal:
        return _refuse(request, problem, refusal)
    text = _("The draft is saved, and the grader tries its answer.")
    messages.info(request, text)
    return redirect(_address_of_certificate(problem))


def _address_of_certificate(problem: Problem) -> str:
    return reverse("curation:edit", args=[problem.pk]) + "#certificate"


def _refuse(
    request: MemberRequest, problem: Problem, refusal: actions.RulesBroken | NotAllowedNow
) -> HttpResponse:
    """Go back to where it can be fixed, and say what there is to fix."""
    if isinstance(refusal, actions.RulesBroken | actions.Incomplete):
        messages.warning(request, _("The draft is saved, but not submitted yet."))
        return redirect(reverse("curation:edit", args=[problem.pk]) + "?refused=1")
    messages.error(request, str(refusal))
    problem.refresh_from_db()
    if can_edit(request.user, problem):
        return redirect("curation:edit", problem.pk)
    return redirect(problem)


@require_GET
def certificate(request: MemberRequest, pk: int) -> HttpResponse:
    """Show how far the certificate of the stored draft is: what the editor asks for, again."""
    problem = get_placed(request, list_to_write(request.user), pk)
    if not can_edit(request.user, problem):
        raise Http404
    revision = problem.revisions.latest("number")
    # Its cases are variants of the answer.
    ledger.record(request.user, Reason.EDIT, revision, parts=[ledger.Part.ANSWER])
    context = {
        "problem": problem,
        **describe(certifying.find(problem, revision.reference)),
    }
    return render(request, "curation/editor.html#certificate", context)


@role_required(Role.CONTRIBUTOR)
@require_http_methods(["GET", "POST"])
def withdraw(request: MemberRequest, pk: int) -> HttpResponse:
    problem = get_placed(request, list_authored(request.user), pk)
    if request.method == "POST":
        with saying_why_not(request, NotAllowedNow):
            actions.withdraw(problem=problem, author=request.user)
            messages.success(request, _("Withdrawn. You can edit it and submit it again."))
            return redirect("curation:edit", problem.pk)
        return redirect(problem)
    if not can_withdraw(request.user, problem):
        messages.warning(request, _("This problem is not in review, so it can’t be withdrawn."))
        return redirect(problem)
    return _confirm(
        request,
        problem,
        title=_("Withdraw “%(title)s” from review"),
        text=_(
            "Its review ends without a decision, and you can edit the problem again. When "
            "you submit it again, its review starts anew."
        ),
        button=_("Withdraw it"),
    )


@require_http_methods(["GET", "POST"])
def delete(request: MemberRequest, pk: int) -> HttpResponse:
    problem = get_placed(request, list_authored(request.user), pk)
    if request.method == "POST":
        with saying_why_not(request, NotAllowedNow):
            actions.delete_draft(problem=problem, author=request.user)
            text = _("The draft “%(title)s” is deleted.")
            messages.success(request, text % {"title": problem.title})
            own = reverse("curation:problems", args=[problem.benchmark.slug])
            return redirect(f"{own}?show=mine")
        return redirect(problem)
    if not can_delete(request.user, problem):
        messages.warning(request, _("Only a draft that was never submitted can be deleted."))
        return redirect(problem)
    return _confirm(
        request,
        problem,
        title=_("Delete the draft “%(title)s”"),
        text=_("This deletes the statement, answer and solution. It can’t be undone."),
        button=_("Delete this draft"),
    )


def _confirm(
    request: MemberRequest, problem: Problem, *, title: str, text: str, button: str
) -> HttpResponse:
    context = {
        "problem": problem,
        "title": name_in(title, problem),
        "text": text,
        "button": button,
    }
    return render(request, "curation/confirm.html", context)


def _show_editor(
    request: MemberRequest,
    *,
    form: ProblemForm,
    preview: Preview,
    problem: Problem | None = None,
    revision: Revision | None = None,
    conflicting: Revision | None = None,
    conversion: Conversion | None = None,
    is_unsaved: bool = False,
) -> HttpResponse:
    context: dict[str, Any] = {
        "conversion": conversion,
        "form": form,
        "preview": preview,
        "problem": problem,
        "revision": revision,
        "conflicting": conflicting,
        "is_unsaved": is_unsaved,
        "is_first": problem is None and not list_authored(request.user).exists(),
        "is_example": "example" in request.GET,
        "can_submit": problem is None or can_submit(request.user, problem),
        "needs_reason": problem is not None and _follows_another(problem, revision),
    }
    if problem and revision:
        context |= describe(certifying.find(problem, revision.reference))
        context["progress"] = submitting.find_progress(problem, revision)
        if "alike" in request.GET:
            alike = list_similar(problem, revision.statement, seen_by=request.user)
            ledger.record(request.user, Reason.COMPARE, *alike)
            context["alike"] = alike
    if problem:
        context["remarks"] = list_remarks(request.user, problem)
        context |= describe_people(request.user, problem)
    return render(request, "curation/editor.html", context)


def _follows_another(problem: Problem, shown: Revision | None) -> bool:
    """Whether what is written now follows a revision that was submitted."""
    newest = shown or problem.revisions.latest("number")
    return newest.number > 1 or newest.submitted_at is not None
