"""Pages on which admins see who reviews what, and assign rounds by hand."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods

from curation.problems.wording import name_in
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.filters import AdminRoundFilter
from curation.reviewing.assignments.forms import (
    FIELDS_OF_EXPERTISE,
    AssignForm,
    ReasonForm,
)
from curation.reviewing.assignments.loads import count_open, has_as_many_as_may
from curation.reviewing.assignments.models import Assignment
from curation.reviewing.assignments.permissions import Prospects
from curation.reviewing.rounds.models import ReviewRound, ReviewRoundQuerySet
from curation.reviewing.rounds.permissions import Eligibility
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Language, Role, User
from phybench.people.permissions import list_reviewers

MOST_CHOSEN = 100
"""Rounds that can be assigned by hand at once."""
MOST_FOUND = 20


@dataclass(frozen=True, slots=True)
class CandidateReviewer:
    """A reviewer as an admin sees them who looks for one."""

    person: User
    load: int
    is_full: bool
    domains: list[str]
    languages: list[str]
    obstacles: list[tuple[ReviewRound, str]]
    """Rounds that they can't be given, and why."""
    keep_away: list[ReviewRound]
    """Rounds whose problem could not pass if they were shown its answer."""
    can_be_chosen: bool


ROUND_COLUMNS: list[Column[ReviewRound]] = [
    Column("title", gettext_lazy("Title"), by("revision__problem__title")),
    Column("stage", gettext_lazy("Stage"), by("version__name")),
    Column("domain", gettext_lazy("Domain"), by("revision__problem__domain")),
    Column("language", gettext_lazy("Language"), by("revision__problem__language")),
    Column("given", gettext_lazy("Reviews given"), by("given"), is_number=True),
    Column("assigned", gettext_lazy("Assigned to"), by("assigned")),
    Column("free", gettext_lazy("Places left"), by("free"), is_number=True),
    Column("solvers", gettext_lazy("Blind solvers left")),
    Column("waiting", gettext_lazy("Waiting for"), by("opened_at")),
]


@role_required(Role.ADMIN)
@require_GET
def assignments(request: MemberRequest) -> HttpResponse:
    """List open rounds with who is asked for each, to choose some and assign them."""
    held = Assignment.objects.open().select_related("reviewer").order_by("due_at", "pk")
    rounds = (
        ReviewRound.objects.open()
        .with_places()
        .select_related("revision__problem__author", "version__stage")
        .prefetch_related(Prefetch("assignments", held, to_attr="held"))
    )
    filters = AdminRoundFilter(request.GET, rounds)
    listing = Listing(request, filters.qs, ROUND_COLUMNS, default="waiting", filters=filters)
    described = listing.describe()
    shown = described["page"].object_list
    prospects = Prospects(shown)
    context = {**described, "rounds": [(one, prospects.find(one)) for one in shown]}
    return render(request, "curation/assignments.html", context)


def choose_rounds(ticked: list[str], most: int = MOST_CHOSEN) -> ReviewRoundQuerySet:
    """Return the open rounds that were ticked; what can be none is ignored."""
    fitting = [one for one in ticked if one.isascii() and one.isdigit() and len(one) < 19][:most]
    rounds = ReviewRound.objects.open().with_places().filter(pk__in=fitting)
    return rounds.select_related("revision__problem", "version__stage").order_by("opened_at", "pk")


def _find_instead_of(data: QueryDict) -> Assignment | None:
    """
    Return the assignment to be passed on, where one is named.

    Raises:
        NotAllowedNow: it is over meanwhile.
    """
    number = data.get("instead_of", "")
    if not number:
        return None
    found = Assignment.objects.open().select_related(
        "reviewer", "round__revision__problem", "round__version"
    )
    is_number = number.isascii() and number.isdigit() and len(number) < 19
    if not is_number or (assignment := found.filter(pk=number).first()) is None:
        raise NotAllowedNow(_("That assignment is over: it was done, declined or withdrawn."))
    return assignment


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def assign(request: MemberRequest) -> HttpResponse:
    """Find a reviewer for one round or several, or somebody instead of another, and ask them."""
    data = request.POST if request.method == "POST" else request.GET
    try:
        instead_of = _find_instead_of(data)
    except NotAllowedNow as refusal:
        messages.info(request, str(refusal))
        return redirect("curation:assignments")
    chosen = data.getlist("round") if instead_of is None else [str(instead_of.round_id)]
    rounds = list(choose_rounds(chosen))
    if not rounds:
        messages.info(request, _("Tick the open rounds that need reviewers first."))
        return redirect("curation:assignments")
    if len(rounds) < len(set(chosen)) and not request.htmx:
        messages.warning(
            request, _("Some of the rounds you chose have closed in the meantime and are left out.")
        )
    sent = request.POST if request.method == "POST" else None
    form = AssignForm(sent, is_passed_on=bool(instead_of))
    if form.is_valid() and _carry_out(request, rounds, instead_of, form.cleaned_data):
        return redirect("curation:assignments")
    wanted = data.get("q", "").strip()[:60]
    found, is_cut = _find_people(rounds, wanted, data.get("domain", ""))
    context = {
        "rounds": rounds,
        "instead_of": instead_of,
        "form": form,
        "wanted": wanted,
        "domain": data.get("domain", ""),
        "domains": FIELDS_OF_EXPERTISE,
        "found": found,
        "is_cut": is_cut,
        "chosen": data.get("reviewer", ""),
        "cap": assigning.say_cap(),
    }
    return render(request, "curation/assign.html", context)


def _carry_out(
    request: MemberRequest,
    rounds: list[ReviewRound],
    instead_of: Assignment | None,
    wanted: dict[str, Any],
) -> bool:
    """Assign each round, say what could not be; tell whether the page is done with."""
    terms = {
        "reviewer": wanted["reviewer"],
        "admin": request.user,
        "due_at": wanted["due_on"],
        "exceeds": wanted["exceeds"],
    }
    done = 0
    for review_round in rounds:
        try:
            if instead_of:
                assigning.reassign(assignment=instead_of, reason=wanted["reason"], **terms)
            else:
                assigning.assign(review_round=review_round, **terms)
            done += 1
        except assigning.Exceeds as refusal:
            text = _("“%(title)s”: %(why)s To assign it anyway, tick the box below.") % {
                "title": review_round.revision.problem.title,
                "why": refusal,
            }
            messages.warning(request, text)
        except NotAllowedNow as refusal:
            messages.error(request, str(refusal))
    if done:
        text = ngettext(
            "%(name)s is asked for one review.", "%(name)s is asked for %(count)d reviews.", done
        )
        messages.success(request, text % {"name": wanted["reviewer"], "count": done})
    return done == len(rounds)


def _find_people(
    rounds: list[ReviewRound], wanted: str, domain: str
) -> tuple[list[CandidateReviewer], bool]:
    """Return reviewers by name and field, with what each holds and what is in the way."""
    people = list_reviewers()
    if wanted:
        people = people.filter(display_name__icontains=wanted)
    if domain in dict(FIELDS_OF_EXPERTISE):
        people = people.filter(expertise__contains=[domain])
    found = list(people.order_by("display_name", "pk")[: MOST_FOUND + 1])
    loads = count_open(found)
    eligibility = Eligibility(rounds, found)
    prospects = Prospects(rounds)
    candidates = [
        _describe(person, loads[person.pk], rounds, eligibility, prospects)
        for person in found[:MOST_FOUND]
    ]
    # Who can be asked, is not needed for a blind solve and holds the least comes first.
    candidates.sort(key=lambda one: (not one.can_be_chosen, bool(one.keep_away), one.load))
    return candidates, len(found) > MOST_FOUND


def _describe(
    person: User,
    load: int,
    rounds: list[ReviewRound],
    eligibility: Eligibility,
    prospects: Prospects,
) -> CandidateReviewer:
    found = [(one, eligibility.find_obstacle(one, person)) for one in rounds]
    whys = [(one, translate(why)) for one, why in found if why]
    labels = dict(FIELDS_OF_EXPERTISE)
    return CandidateReviewer(
        person,
        load,
        is_full=has_as_many_as_may(load),
        domains=[str(labels[one]) for one in person.expertise if one in labels],
        languages=[str(Language(one).label) for one in person.review_languages],
        obstacles=whys,
        keep_away=[one for one in rounds if prospects.is_needed(one, person)],
        can_be_chosen=len(whys) < len(rounds),
    )


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def revoke(request: MemberRequest, pk: int) -> HttpResponse:
    """Ask why an assignment is taken back, and take it back."""
    found = Assignment.objects.select_related(
        "reviewer", "round__revision__problem", "round__version"
    )
    assignment = get_object_or_404(found, pk=pk)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        try:
            assigning.revoke(assignment=assignment, admin=request.user, reason=reason)
        except NotAllowedNow as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("Withdrawn from %(name)s.") % {"name": assignment.reviewer})
        return redirect("curation:assignments")
    problem, name = assignment.round.revision.problem, assignment.reviewer
    context = {
        "form": form,
        "assignment": assignment,
        "title": name_in(_("Withdraw “%(title)s” from %(name)s"), problem, name=name),
        "text": _("The draft of %(name)s is kept for them. The place is free again.")
        % {"name": name},
        "button": _("Withdraw the assignment"),
        "leave": _("Keep the assignment"),
        "back": reverse("curation:assignments"),
        "list_name": _("Who reviews what"),
    }
    return render(request, "curation/end_assignment.html", context)
