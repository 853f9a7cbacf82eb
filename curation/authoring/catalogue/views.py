"""Find problems and read one."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Value, When
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from curation.authoring.catalogue.filters import ProblemFilter
from curation.authoring.catalogue.next_steps import say_next_step, with_next_step
from curation.problems import wording
from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.models import Difficulty, Problem, ProblemQuerySet, Revision
from curation.problems.people.models import Credit
from curation.problems.permissions import (
    can_delete,
    can_edit,
    can_list_reviewed,
    can_reopen,
    can_see_key,
    can_see_translations,
    can_start_again,
    can_submit,
    can_withdraw,
    is_own_credit,
    list_closed,
    list_visible,
)
from curation.problems.views import list_revisions
from curation.reports.summary import describe_errors
from curation.reviewing.decisions import interests
from curation.reviewing.decisions.permissions import list_to_decide
from curation.reviewing.discussion.threads import describe_talk
from curation.reviewing.reviews.summary import show_rounds
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import (
    can_see_notes,
    can_see_stages,
    find_split,
    list_awaiting,
)
from curation.reviewing.rounds.stages import list_stages
from curation.texts.workflow import Status, Step
from curation.versions.permissions import may_answer
from phybench.pages.listing import Column, Listing, Order, by_index, make_tabs
from phybench.people.http import MemberRequest
from phybench.people.models import User
from phybench.people.permissions import is_admin, is_contributor

BY_DIFFICULTY = Case(
    *(When(difficulty=level, then=Value(place)) for place, level in enumerate(Difficulty)),
    default=Value(len(Difficulty)),
)
COLUMNS: list[Column[Problem]] = [
    Column("id", gettext_lazy("Id"), by_index("pk"), lambda one: one.identifier),
    Column("title", gettext_lazy("Title"), by_index("title", "pk"), lambda one: one.title),
    Column("domain", gettext_lazy("Domain"), by_index("domain", "pk"), lambda one: one.domain),
    Column(
        "difficulty",
        gettext_lazy("Difficulty"),
        Order([BY_DIFFICULTY, "pk"], [BY_DIFFICULTY.desc(), "-pk"]),
        lambda one: one.difficulty,
    ),
    Column("status", gettext_lazy("Status"), by_index("status", "pk"), lambda one: one.status),
    Column(
        "benchmark",
        gettext_lazy("Benchmark"),
        by_index("benchmark__name", "pk"),
        lambda one: one.benchmark.name,
    ),
    Column(
        "author",
        gettext_lazy("Author"),
        by_index("author__display_name", "pk"),
        lambda one: one.author and str(one.author),
    ),
    Column("accepted", gettext_lazy("Accepted"), by_index("accepted_at", "pk")),
    Column("accepted_at", value=lambda one: one.accepted_at and one.accepted_at.isoformat()),
    Column("created", gettext_lazy("Begun"), by_index("created_at", "pk")),
]


def list_tabs(user: User) -> dict[str, str]:
    """Return the lists that this viewer may choose from; the first is the one to begin with."""
    tabs = {"accepted": _("Accepted")}
    if can_list_reviewed(user):
        tabs["review"] = _("In review")
    if is_contributor(user):
        tabs = {"mine": _("Your own"), **tabs}
    if is_admin(user):
        tabs["all"] = _("All")
    return tabs


def _choose(user: User, show: str) -> ProblemQuerySet:
    problems = list_visible(user)
    if show == "mine":
        return problems.of(user)
    if show == "review":
        return problems.filter(status=Status.IN_REVIEW)
    if show == "accepted":
        return problems.accepted()
    return problems


@dataclass(frozen=True, slots=True)
class ChosenList:
    """The list that was asked for, of all that the viewer may choose from."""

    show: str
    name: str
    everything: ProblemQuerySet
    listing: Listing[Problem]


def list_problems(request: MemberRequest) -> ChosenList:
    names = list_tabs(request.user)
    asked = request.GET.get("show", "")
    show = asked if asked in names else next(iter(names))
    everything = _choose(request.user, show)
    rows = everything.select_related("author", "benchmark")
    filters = ProblemFilter(
        request.GET, with_next_step(rows) if show == "mine" else rows, request=request
    )
    hides = {"created" if show == "accepted" else "accepted"}
    if show in {"accepted", "review"}:
        # All of these have one status: a choice would only lead to an empty list.
        del filters.filters["status"]
        hides.add("status")
    if show == "mine":
        hides.add("author")
    listing = Listing(
        request,
        filters.qs,
        COLUMNS,
        default="id",
        filters=filters,
        tabs=make_tabs(names.items(), show),
        hides=hides,
        keeps={"show": show},
    )
    return ChosenList(show, names[show], everything, listing)


@require_GET
def problems(request: MemberRequest) -> HttpResponse:
    chosen = list_problems(request)
    context = chosen.listing.describe()
    context |= {
        "show": chosen.show,
        "rows": [
            (problem, say_next_step(problem) if chosen.show == "mine" else "")
            for problem in context["page"]
        ],
        "total": chosen.everything.count(),
        "closed": list_closed(request.user).count(),
    }
    return render(request, "curation/problems.html", context)


@require_GET
def problems_csv(request: MemberRequest) -> HttpResponse:
    """Write the list as it is filtered and sorted, without statements and keys."""
    return list_problems(request).listing.write("problems")


@require_GET
def problem(request: MemberRequest, pk: int) -> HttpResponse:
    problem = get_object_or_404(list_visible(request.user).with_people(), pk=pk)
    revisions = list_revisions(request.user, problem)
    if not revisions:
        raise Http404
    for one in revisions:
        one.problem = problem
    revision = choose_revision(problem, revisions)
    if number := request.GET.get("revision"):
        chosen = [one for one in revisions if str(one.number) == number]
        if not chosen:
            raise Http404
        [revision] = chosen
    shows_key = can_see_key(request.user, problem)
    parts = ledger.ALL if shows_key else ledger.STATEMENT
    ledger.record(request.user, Reason.READ, revision, parts=parts)
    events = problem.events.select_related("actor", "revision").order_by("at", "pk")
    named = [credit for credit in problem.credits.all() if credit.is_current]
    context = {
        "problem": problem,
        "co_authors": [one.person for one in named if one.role == Credit.Role.CO_AUTHOR],
        "suppliers": [one.person for one in named if one.role == Credit.Role.SUPPLIER],
        "translators": [one.person for one in named if one.role == Credit.Role.TRANSLATOR],
        "own_credits": [one for one in named if is_own_credit(request.user, one)],
        "revision": revision,
        "shown": wording.show(revision, request.user, request.GET.get("language")),
        "sees_translations": can_see_translations(request.user, problem),
        "revisions": revisions,
        "is_replaced": revision.number < choose_revision(problem, revisions).number,
        "shows_key": shows_key,
        "shows_history": can_see_notes(request.user, problem),
        "events": events,
        "rounds": show_rounds(request.user, problem),
        **describe_talk(request.user, revision),
        "stages": list_stages(problem) if can_see_stages(request.user, problem) else [],
        "can_edit": can_edit(request.user, problem),
        "can_submit": can_submit(request.user, problem) and not revision.submitted_at,
        "can_withdraw": can_withdraw(request.user, problem),
        "can_delete": can_delete(request.user, problem),
        "may_answer": may_answer(request.user, revision),
        "review_round": find_round_to_review(request.user, problem),
        "split": find_split(request.user, problem),
        "can_reopen": can_reopen(request.user, problem),
        "can_start_again": can_start_again(request.user, problem),
        "rejected_why": find_why_rejected(request.user, problem),
        "reopened_why": find_why_reopened(request.user, problem),
        **describe_deciding(request.user, problem),
        **describe_errors(request.user, problem),
    }
    return render(request, "curation/problem.html", context)


def choose_revision(problem: Problem, revisions: list[Revision]) -> Revision:
    """Return the text to begin with: the accepted one, while nothing newer is worked on."""
    accepted = [one for one in revisions if one.pk == problem.accepted_revision_id]
    return accepted[0] if accepted and not problem.is_in_correction else revisions[-1]


def find_round_to_review(user: User, problem: Problem) -> ReviewRound | None:
    if problem.status != Status.IN_REVIEW:
        return None
    return list_awaiting(user).filter(revision__problem=problem).first()


def find_why_rejected(user: User, problem: Problem) -> str:
    """Return the reason of who rejected it, for who may read it; "" where there is none."""
    if problem.status != Status.REJECTED or not can_see_notes(user, problem):
        return ""
    last = problem.events.filter(kind=Step.REJECT).order_by("at", "pk").last()
    return last.note if last else ""


def find_why_reopened(user: User, problem: Problem) -> str:
    """Return why what was rejected is open again, for who may read it; "" where it is not."""
    if problem.status != Status.RETURNED or not can_see_notes(user, problem):
        return ""
    last = problem.events.filter(to_status=Status.RETURNED).order_by("at", "pk").last()
    return last.note if last and last.from_status == Status.REJECTED else ""


def describe_deciding(user: User, problem: Problem) -> dict[str, Any]:
    """Return the open round that this admin may decide instead of its rule, or why they may not."""
    if problem.status != Status.IN_REVIEW or not is_admin(user):
        return {}
    rounds = list_to_decide(user).filter(revision__problem=problem)
    if found := rounds.select_related("disagreement").first():
        return {"round_to_decide": found}
    if not ReviewRound.objects.split().filter(revision__problem=problem).exists():
        # Its rule decides, so nobody is missed.
        return {}
    return {"why_not_decide": interests.say_who_decides(user, problem)}
