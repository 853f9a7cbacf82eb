"""Find problems and read one."""

from collections.abc import Iterator
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Case, Value, When
from django.db.models.expressions import Combinable
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from curation import permissions
from curation.catalogue.forms import FilterForm
from curation.drafts.next_steps import say_next_step, with_next_step
from curation.errors.summary import describe_errors
from curation.exposures import ledger
from curation.exposures.ledger import Reason
from curation.people import interests
from curation.people.models import Credit
from curation.problems.models import Difficulty, Problem, ProblemQuerySet, Revision
from curation.problems.views import list_revisions
from curation.reviewing.discussion.threads import describe_talk
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.stages import list_stages
from curation.reviewing.rounds.summary import show_rounds
from curation.translations import reading
from curation.workflow import Status
from phybench.csv import csv_response
from phybench.http import MemberRequest
from phybench.models import User
from phybench.sorting import Column

A_PAGE = 25

BY_DIFFICULTY = Case(
    *(When(difficulty=level, then=Value(place)) for place, level in enumerate(Difficulty)),
    default=Value(len(Difficulty)),
)
SORTS: dict[str, str | Case] = {
    "id": "pk",
    "title": "title",
    "domain": "domain",
    "difficulty": BY_DIFFICULTY,
    "status": "status",
    "benchmark": "benchmark__name",
    "author": "author__display_name",
    "created": "created_at",
    "accepted": "accepted_at",
}


def list_tabs(user: User) -> dict[str, str]:
    """Return the lists that this viewer may choose from; the first is the one to begin with."""
    tabs = {"accepted": _("Accepted")}
    if permissions.can_list_reviewed(user):
        tabs["review"] = _("In review")
    if permissions.is_contributor(user):
        tabs = {"mine": _("Your own"), **tabs}
    if permissions.is_admin(user):
        tabs["all"] = _("All")
    return tabs


def _choose(user: User, show: str) -> ProblemQuerySet:
    problems = permissions.list_visible(user)
    if show == "mine":
        return problems.of(user)
    if show == "review":
        return problems.filter(status=Status.IN_REVIEW)
    if show == "accepted":
        return problems.accepted()
    return problems


class Listing:
    """What was asked for in the address: which list, filtered and sorted how."""

    def __init__(self, request: MemberRequest) -> None:
        self.tabs = list_tabs(request.user)
        asked = request.GET.get("show", "")
        self.show = asked if asked in self.tabs else next(iter(self.tabs))
        self.form = FilterForm(request.GET)
        self.form.full_clean()
        self.everything = _choose(request.user, self.show)
        if self.show in {"accepted", "review"}:
            # All of these have one status: a choice would only lead to an empty list.
            del self.form.fields["status"]
            self.form.cleaned_data.pop("status", None)
        narrowed = self.form.narrow(self.everything, request.user)
        sort = request.GET.get("sort", "")
        self.sort = sort if sort.removeprefix("-") in SORTS else "id"
        self.problems = narrowed.select_related("author", "benchmark").order_by(
            *self._order(self.sort)
        )
        if self.show == "mine":
            self.problems = with_next_step(self.problems)

    @staticmethod
    def _order(sort: str) -> list[str | Combinable]:
        key = SORTS[sort.removeprefix("-")]
        if sort.startswith("-"):
            return [key.desc() if isinstance(key, Case) else f"-{key}", "-pk"]
        return [key, "pk"]

    def columns(self) -> Iterator[Column]:
        labels = {
            "id": _("Id"),
            "title": _("Title"),
            "domain": _("Domain"),
            "difficulty": _("Difficulty"),
            "status": _("Status"),
            "benchmark": _("Benchmark"),
            "author": _("Author"),
        }
        if self.show in {"accepted", "review"}:
            del labels["status"]
        if self.show == "mine":
            del labels["author"]
        if self.show == "accepted":
            labels["accepted"] = _("Accepted")
        else:
            labels["created"] = _("Begun")
        for name, label in labels.items():
            order = {name: "ascending", f"-{name}": "descending"}.get(self.sort, "")
            yield Column(name, label, order, f"-{name}" if order == "ascending" else name)


def _with_next(problem: Problem, listing: Listing) -> tuple[Problem, str]:
    return problem, say_next_step(problem) if listing.show == "mine" else ""


@require_GET
def problems(request: MemberRequest) -> HttpResponse:
    listing = Listing(request)
    page = Paginator(listing.problems, A_PAGE).get_page(request.GET.get("page"))
    columns = list(listing.columns())
    context = {
        "listing": listing,
        "page": page,
        "rows": [_with_next(problem, listing) for problem in page],
        "columns": columns,
        "shown": {column.name for column in columns},
        "total": listing.everything.count(),
    }
    return render(request, "curation/problems.html", context)


@require_GET
def problems_csv(request: MemberRequest) -> HttpResponse:
    """Write the list as it is filtered and sorted, without statements and keys."""
    header = ["id", "title", "domain", "difficulty", "status", "benchmark", "author", "accepted_at"]
    rows = (
        [
            found.identifier,
            found.title,
            found.domain,
            found.difficulty,
            found.status,
            found.benchmark.name,
            found.author and str(found.author),
            found.accepted_at and found.accepted_at.isoformat(),
        ]
        for found in Listing(request).problems
    )
    return csv_response("problems", header, rows)


@require_GET
def problem(request: MemberRequest, pk: int) -> HttpResponse:
    problem = get_object_or_404(permissions.list_visible(request.user).with_people(), pk=pk)
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
    shows_key = permissions.can_see_key(request.user, problem)
    parts = ledger.ALL if shows_key else ledger.STATEMENT
    ledger.record(request.user, Reason.READ, revision, parts=parts)
    events = problem.events.select_related("actor", "revision").order_by("at", "pk")
    named = [credit for credit in problem.credits.all() if credit.is_current]
    context = {
        "problem": problem,
        "co_authors": [one.person for one in named if one.role == Credit.Role.CO_AUTHOR],
        "suppliers": [one.person for one in named if one.role == Credit.Role.SUPPLIER],
        "translators": [one.person for one in named if one.role == Credit.Role.TRANSLATOR],
        "own_credits": [one for one in named if permissions.is_own_credit(request.user, one)],
        "revision": revision,
        "shown": reading.show(revision, request.user, request.GET.get("language")),
        "sees_translations": permissions.can_see_translations(request.user, problem),
        "revisions": revisions,
        "is_replaced": revision.number < choose_revision(problem, revisions).number,
        "shows_key": shows_key,
        "shows_history": permissions.can_see_notes(request.user, problem),
        "events": events,
        "rounds": show_rounds(request.user, problem),
        **describe_talk(request.user, revision),
        "stages": list_stages(problem) if permissions.can_see_stages(request.user, problem) else [],
        "can_edit": permissions.can_edit(request.user, problem),
        "can_submit": permissions.can_submit(request.user, problem) and not revision.submitted_at,
        "can_withdraw": permissions.can_withdraw(request.user, problem),
        "can_delete": permissions.can_delete(request.user, problem),
        "may_answer": permissions.may_answer(request.user, revision),
        "review_round": find_round_to_review(request.user, problem),
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
    return permissions.list_awaiting(user).filter(revision__problem=problem).first()


def describe_deciding(user: User, problem: Problem) -> dict[str, Any]:
    """Return the open round that this admin may decide instead of its rule, or why they may not."""
    if problem.status != Status.IN_REVIEW or not permissions.is_admin(user):
        return {}
    if found := permissions.list_to_decide(user).filter(revision__problem=problem).first():
        return {"round_to_decide": found}
    rounds = ReviewRound.objects.open().select_related("revision", "version")
    waiting = rounds.filter(revision__problem=problem).first()
    if waiting is None:
        return {}
    waiting.revision.problem = problem
    return {"why_not_decide": interests.say_who_decides(user, waiting.revision.problem)}
