"""Take part in a study: find it, consent, practise, start."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.texts.workflow import NotAllowedNow
from grading.studies.models import Participation, Study
from grading.studies.permissions import list_own_participations, may_join
from grading.studies.sessions import actions, practice
from grading.studies.sessions.forms import JoinForm, PracticeForm
from grading.studies.sessions.permissions import has_models_graded, list_studies_to_join
from phybench.people.http import MemberRequest, few_at_once, role_required
from phybench.people.models import Role


@role_required(Role.PARTICIPANT)
@require_GET
def sittings(request: MemberRequest) -> HttpResponse:
    """List the studies that somebody takes part in, and those that they may join."""
    own = list_own_participations(request.user).order_by("-pk")
    joined = {one.study_id for one in own}
    to_join = [one for one in list_studies_to_join(request.user) if one.pk not in joined]
    return render(request, "grading/sittings.html", {"own": own, "to_join": to_join})


@role_required(Role.PARTICIPANT)
@require_http_methods(["GET", "POST"])
def join(request: MemberRequest, pk: int) -> HttpResponse:
    study = get_object_or_404(Study.objects.filter(opened_at__isnull=False), pk=pk)
    secret = request.GET.get("link", "")
    there = list_own_participations(request.user).filter(study=study).first()
    if there and (there.agrees_to(study) or hasattr(there, "session")):
        return _go_to(there)
    if not there and not may_join(request.user, study, secret):
        # Whether there is such a study is told to those alone whom it asks.
        raise Http404
    form = JoinForm(study, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            made = actions.join(
                study=study,
                person=request.user,
                consents=form.cleaned_data["consents"],
                attests=form.cleaned_data.get("attests", False),
                answers=form.list_answers(),
                secret=secret,
            )
        except NotAllowedNow as refused:
            form.add_error(None, str(refused))
        else:
            return _go_to(made)
    return render(request, "grading/join.html", {"study": study, "form": form, "own": there})


def _go_to(participation: Participation) -> HttpResponse:
    session = getattr(participation, "session", None)
    if session is not None:
        return redirect(session)
    name = "grading:start" if participation.practised_at else "grading:practise"
    return redirect(name, participation.study_id)


def _find_own(request: MemberRequest, pk: int) -> Participation:
    return get_object_or_404(list_own_participations(request.user), study=pk)


@role_required(Role.PARTICIPANT)
@require_http_methods(["GET", "POST"])
def practise(request: MemberRequest, pk: int) -> HttpResponse:
    own = _find_own(request, pk)
    form = PracticeForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        actions.practise(participation=own)
        return redirect("grading:start", pk)
    context = {
        "study": own.study,
        "form": form,
        "practice": practice,
        "statement": str(practice.STATEMENT),
    }
    if form.is_bound:
        context |= practice.show(form.data.get("response", "")[:2000])
    return render(request, "grading/practise.html", context)


@role_required(Role.PARTICIPANT)
@require_POST
@few_at_once
def read_practice(request: MemberRequest, pk: int) -> HttpResponse:
    """Show how what is typed for practice is read: the same for every study."""
    context = practice.show(request.POST.get("response", "")[:2000])
    return render(request, "_read_as.html", context)


@role_required(Role.PARTICIPANT)
@require_http_methods(["GET", "POST"])
def start(request: MemberRequest, pk: int) -> HttpResponse:
    own = _find_own(request, pk)
    if hasattr(own, "session"):
        return redirect(own.session)
    if not own.agrees_to(own.study):
        return redirect("grading:join", pk)
    if own.practised_at is None:
        return redirect("grading:practise", pk)
    if request.method == "POST":
        try:
            return redirect(actions.start(participation=own))
        except NotAllowedNow as refused:
            messages.error(request, str(refused))
            return redirect("grading:start", pk)
    context = {
        "study": own.study,
        "own": own,
        "is_evaluator": has_models_graded(request.user),
    }
    return render(request, "grading/start.html", context)
