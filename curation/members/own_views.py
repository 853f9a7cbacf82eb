"""One's own profile, roles, institution and credits: ask, accept what is offered."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.members import requests
from curation.members.forms import AskForm, InstitutionForm
from curation.members.models import Request
from curation.problems.benchmarks.models import Benchmark
from curation.problems.benchmarks.places import find_place
from curation.problems.people.models import Credit
from curation.problems.permissions import list_visible
from curation.texts.workflow import NotAllowedNow
from phybench.pages.listing import Listing
from phybench.people.forms import ProfileForm, form_says_why_not
from phybench.people.http import MemberRequest, read_number, saying_why_not
from phybench.people.models import Role


@require_http_methods(["GET", "POST"])
def profile(request: MemberRequest) -> HttpResponse:
    if request.method == "POST":
        form = ProfileForm(request.POST, instance=request.user)
        if form.is_valid():
            form.save()
            messages.success(request, _("Saved: others now see you as %s.") % request.user)
            return redirect("profile")
        # The form wrote into it what was refused; the header goes on showing what is stored.
        request.user.refresh_from_db()
    else:
        form = ProfileForm(instance=request.user)
    context = {"form": form, "tokens": request.user.tokens.filter(revoked_at=None)}
    return render(request, "phybench/profile.html", context)


def _go_to(tab: str) -> HttpResponse:
    return redirect(f"{reverse('profile')}?tab={tab}")


@require_GET
def my_roles(request: MemberRequest) -> HttpResponse:
    return render(request, "curation/my_roles.html")


@require_POST
def ask_for_role(request: MemberRequest) -> HttpResponse:
    form = AskForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose one of the roles below."))
        return _go_to("roles")
    role = form.cleaned_data["role"]
    with saying_why_not(request, NotAllowedNow):
        place = find_place(request)
        requests.ask(
            person=request.user,
            role=role,
            note=form.cleaned_data["note"],
            benchmark=Benchmark.objects.filter(slug=place.slug).first() if place else None,
        )
        text = _("You asked for the role %(role)s. An admin decides.")
        messages.success(request, text % {"role": Role(role).label})
    return _go_to("roles")


@require_POST
def take_back_request(request: MemberRequest) -> HttpResponse:
    own = get_object_or_404(request.user.requests, pk=read_number(request, "request"))
    requests.take_back(request=own, person=request.user)
    messages.success(request, _("Your request is withdrawn."))
    if own.credit_id:
        return _go_to("credits")
    return _go_to("roles" if own.role else "institution")


@require_http_methods(["GET", "POST"])
def my_institution(request: MemberRequest) -> HttpResponse:
    first = {"institution": request.user.institution}
    form = InstitutionForm(request.POST if request.method == "POST" else None, initial=first)
    if form.is_valid():
        name = form.cleaned_data["institution"]
        with form_says_why_not(form, NotAllowedNow):
            made = requests.change_institution(person=request.user, name=name)
            if isinstance(made, Request):
                messages.success(request, _("An admin decides: until then nothing changes."))
                return _go_to("institution")
            messages.success(request, _("Saved."))
            return redirect("profile")
    context = {
        "form": form,
        "waiting": request.user.requests.open().exclude(institution="").first(),
        "declined": request.user.requests.exclude(institution="")
        .exclude(outcome__in=[Request.Outcome.TAKEN_BACK, ""])
        .last(),
    }
    status = 400 if form.errors else 200
    return render(request, "curation/my_institution.html", context, status=status)


@require_GET
def offers(request: MemberRequest) -> HttpResponse:
    """List what somebody may accept to be named as, without a word of the problem."""
    found = request.user.credits.offered().select_related("given_by", "problem__benchmark")
    listing: Listing[Credit] = Listing(request, found.order_by("given_at", "pk"))
    described = listing.describe()
    of_page = request.user.requests.filter(credit__in=described["page"]).order_by("pk")
    asked = {one.credit_id: one for one in of_page}
    rows = [(credit, asked.get(credit.pk)) for credit in described["page"]]
    return render(request, "curation/offers.html", {**described, "rows": rows})


@require_POST
def accept_offer(request: MemberRequest) -> HttpResponse:
    """Accept a credit; the page that opens then is the first to show the problem."""
    credit = _find_offer(request)
    with saying_why_not(request, NotAllowedNow):
        made = requests.accept_offer(credit=credit, person=request.user)
        if isinstance(made, Request):
            messages.success(request, _("The problem is in review, so an admin decides."))
            return _go_to("credits")
        role = credit.get_role_display()
        messages.success(request, _("You are credited: %(role)s.") % {"role": role})
        if list_visible(request.user).filter(pk=credit.problem_id).exists():
            return redirect(credit.problem)
    return _go_to("credits")


@require_POST
def decline_offer(request: MemberRequest) -> HttpResponse:
    with saying_why_not(request, NotAllowedNow):
        requests.decline_offer(credit=_find_offer(request), person=request.user)
        messages.success(request, _("Declined. You can review and answer the problem as before."))
    return _go_to("credits")


def _find_offer(request: MemberRequest) -> Credit:
    own = request.user.credits.select_related("problem")
    return get_object_or_404(own, pk=read_number(request, "credit"))
