"""Pages on which admins ask people, by hand or many by a rule, and say who must not be asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from curation.problems.benchmarks.models import Benchmark
from curation.problems.fields import ReasonForm
from curation.problems.people.models import Conflict
from curation.problems.wording import name_in
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments import distribution
from curation.reviewing.assignments.forms import (
    FIELDS_OF_EXPERTISE,
    AssignForm,
    ConflictForm,
    SpreadForm,
)
from curation.reviewing.assignments.lists import narrow_rounds
from curation.reviewing.assignments.loads import count_open, has_as_many_as_may
from curation.reviewing.assignments.permissions import Prospects
from curation.reviewing.assignments.tasks import SPREADING
from curation.reviewing.rounds.models import Assignment, ReviewRound, ReviewRoundQuerySet
from curation.reviewing.rounds.permissions import Eligibility
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow
from phybench.news.jobs import actions as jobs
from phybench.pages.listing import Listing, make_tabs
from phybench.people.forms import form_says_why_not
from phybench.people.http import (
    MemberRequest,
    read_numbers,
    role_required,
    saying_why_not,
)
from phybench.people.models import Language, Role, User
from phybench.people.permissions import list_reviewers

MOST_CHOSEN = 100
"""
Rounds that are looked at at once, those that wait longest first: their proposal is made while
somebody waits.
"""
MOST_IN_A_REQUEST = 20
"""Reviews that are asked for while somebody waits; of more a worker sees to all."""
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


def choose_rounds(ticked: list[str], slug: str) -> ReviewRoundQuerySet:
    """Return the open rounds that were ticked; what can be none is ignored."""
    rounds = ReviewRound.objects.open().with_places().of_benchmark(slug)
    found = rounds.filter(pk__in=read_numbers(ticked, MOST_CHOSEN))
    return found.select_related("revision__problem", "version__stage").order_by("opened_at", "pk")


# --- By hand ----------------------------------------------------------------------------------


def _find_instead_of(data: QueryDict, slug: str) -> Assignment | None:
    """
    Return the assignment to be passed on, where one is named.

    Raises:
        NotAllowedNow: it is over meanwhile.
    """
    number = data.get("instead_of", "")
    if not number:
        return None
    found = Assignment.objects.open().filter(
        pk__in=read_numbers([number]), round__revision__problem__benchmark__slug=slug
    )
    related = ("reviewer", "round__revision__problem", "round__version")
    if (assignment := found.select_related(*related).first()) is None:
        raise NotAllowedNow(_("That request is over: it was done, declined or withdrawn."))
    return assignment


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def assign(request: MemberRequest, slug: str) -> HttpResponse:
    """Find a reviewer for one round or several, or somebody instead of another, and ask them."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    data = request.POST if request.method == "POST" else request.GET
    try:
        instead_of = _find_instead_of(data, slug)
    except NotAllowedNow as refusal:
        messages.info(request, str(refusal))
        return redirect("curation:assignments", slug)
    chosen = data.getlist("round") if instead_of is None else [str(instead_of.round_id)]
    rounds = list(choose_rounds(chosen, slug))
    if not rounds:
        messages.info(request, _("Tick the open problems that need reviewers first."))
        return redirect("curation:assignments", slug)
    if len(rounds) < len(set(chosen)) and not request.htmx:
        messages.warning(
            request, _("Some of those you chose have closed in the meantime and are left out.")
        )
    sent = request.POST if request.method == "POST" else None
    form = AssignForm(sent, is_passed_on=bool(instead_of))
    if form.is_valid() and _carry_out(request, rounds, instead_of, form.read()):
        return redirect("curation:assignments", slug)
    wanted = data.get("q", "").strip()[:60]
    found, is_cut = _find_people(rounds, wanted, data.get("domain", ""))
    context = {
        "benchmark": benchmark,
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
    done = 0
    for review_round in rounds:
        try:
            assigning.assign(
                review_round=review_round, admin=request.user, instead_of=instead_of, **wanted
            )
            done += 1
        except assigning.Exceeds as refusal:
            text = _("“%(title)s”: %(why)s To ask anyway, tick the box below.") % {
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
@require_POST
def revoke(request: MemberRequest, slug: str) -> HttpResponse:
    """Ask why somebody is not to review it after all, and take it back."""
    found = Assignment.objects.filter(
        round__revision__problem__benchmark__slug=slug,
        pk__in=read_numbers([request.POST.get("assignment", "")]),
    )
    assignment = get_object_or_404(
        found.select_related("reviewer", "round__revision__problem", "round__version")
    )
    problem, name = assignment.round.revision.problem, assignment.reviewer
    text = _("The draft of %(name)s is kept for them. Another reviewer can be asked.")
    return ask_why(
        request,
        lambda why: assigning.revoke(assignment=assignment, admin=request.user, reason=why),
        done=_("Withdrawn from %(name)s.") % {"name": name},
        back=reverse("curation:assignments", args=[slug]),
        sent={"do": "revoke", "assignment": assignment.pk},
        title=name_in(_("Withdraw “%(title)s” from %(name)s"), problem, name=name),
        text=text % {"name": name},
        button=_("Withdraw it"),
        leave=_("Let them review it"),
        list_name=_("Who reviews what"),
    )


def ask_why(
    request: MemberRequest, end: Callable[[str], None], *, done: str, back: str, **texts: object
) -> HttpResponse:
    """Ask why an assignment is to end, and then end it."""
    form = ReasonForm(request)
    if form.is_valid():
        with saying_why_not(request, NotAllowedNow):
            end(form.cleaned_data["reason"])
            messages.success(request, done)
        return redirect(back)
    context = {**texts, "form": form, "back": back}
    return render(request, "curation/confirm.html", context)


# --- Spread over reviewers --------------------------------------------------------------------


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def spread(request: MemberRequest, slug: str) -> HttpResponse:
    """
    Show who would get what, and ask exactly those who are shown; nothing is kept in between.

    What is chosen stands in the address, so that the list is made anew after some are asked.
    """
    benchmark = get_object_or_404(Benchmark, slug=slug)
    form = SpreadForm(request.GET)
    filters = narrow_rounds(request.GET, slug)
    ticked = request.GET.getlist("round")
    narrowed = choose_rounds(ticked, slug) if ticked else filters.qs
    chosen = list(narrowed.order_by("opened_at", "pk").values_list("pk", flat=True)[:MOST_CHOSEN])
    proposed: list[distribution.Proposal] = []
    if form.is_valid():
        if request.method == "POST":
            return _ask_all(request, slug, form.read())
        rounds = ReviewRound.objects.filter(pk__in=chosen)
        people = list(form.cleaned_data["people"])
        proposed = distribution.propose(rounds=rounds, rule=form.read(), people=people)
    context = {
        "benchmark": benchmark,
        "form": form,
        "filters": filters,
        "ticked": chosen if ticked else [],
        "most": MOST_CHOSEN if len(chosen) == MOST_CHOSEN else 0,
        "planned": [row for row in proposed if row.reviewer],
        "nobody": [row for row in proposed if not row.reviewer],
        "cap": assigning.say_cap(),
    }
    return render(request, "curation/spread.html", context)


def _read_pairs(sent: Sequence[str], slug: str) -> list[distribution.Pair]:
    """Return rounds of the benchmark, with who was shown for each; what is no pair is ignored."""
    numbers = [read_numbers(one.split("-"), 2) for one in sent]
    pairs = [(one[0], one[1]) for one in numbers if len(one) == 2]
    rounds = ReviewRound.objects.of_benchmark(slug).filter(pk__in=[one for one, _other in pairs])
    ours = set(rounds.values_list("pk", flat=True))
    return [one for one in pairs if one[0] in ours]


def _ask_all(
    request: MemberRequest, slug: str, rule: distribution.DistributionRule
) -> HttpResponse:
    """Ask all who were shown, or have a worker do so; say what changed since it was shown."""
    here = request.get_full_path()
    pairs = _read_pairs(request.POST.getlist("pair"), slug)
    if len(pairs) > MOST_IN_A_REQUEST:
        job = jobs.begin(
            SPREADING,
            by=request.user,
            title=_("Ask reviewers"),
            back=reverse("curation:assignments", args=[slug]) + "?show=spread",
            **distribution.describe(pairs, rule, reverse("curation:assignments", args=[slug])),
        )
        return jobs.lead_to(request, job)
    with saying_why_not(request, NotAllowedNow):
        outcome = distribution.carry_out(pairs=pairs, rule=rule, admin=request.user)
        tell = messages.warning if outcome.refused else messages.success
        tell(request, str(outcome))
    return redirect(here)


# --- Conflicts of interest --------------------------------------------------------------------


def _lead_to_conflicts(slug: str) -> HttpResponse:
    return redirect(reverse("curation:review_settings", args=[slug]) + "?show=conflicts")


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def conflicts(request: MemberRequest, slug: str) -> HttpResponse:
    """List who must not judge what, and take another."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    form = ConflictForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with form_says_why_not(form, NotAllowedNow):
            assigning.mark_conflict(admin=request.user, **form.cleaned_data)
            messages.success(request, _("Marked. What they were asked for is withdrawn."))
            return _lead_to_conflicts(slug)
    found = Conflict.objects.select_related("person", "problem", "author", "marked_by", "lifted_by")
    of = "all" if request.GET.get("of") == "all" else ""
    tabs = make_tabs(
        [("", _("current")), ("all", _("all, including lifted ones"))], of, "show=conflicts&of"
    )
    listing: Listing[Conflict] = Listing(request, found if of else found.current(), tabs=tabs)
    context = {**listing.describe(), "benchmark": benchmark, "form": form}
    return render(request, "curation/conflicts.html", context)


@role_required(Role.ADMIN)
@require_POST
def lift_conflict(request: MemberRequest, slug: str) -> HttpResponse:
    numbers = read_numbers([request.POST.get("conflict", "")])
    conflict = get_object_or_404(Conflict.objects.select_related("person"), pk__in=numbers)
    with saying_why_not(request, NotAllowedNow):
        assigning.lift_conflict(conflict=conflict, admin=request.user)
        messages.success(
            request, _("Lifted: %(name)s may review it again.") % {"name": conflict.person}
        )
    return _lead_to_conflicts(slug)
