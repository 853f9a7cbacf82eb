"""Find problems and read one."""

from typing import Any

from django.core.paginator import Page
from django.db.models import Case, Count, Q, Value, When
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET

from curation.authoring.catalogue.filters import ProblemFilter
from curation.authoring.catalogue.next_steps import say_next_step, with_next_step
from curation.problems import wording
from curation.problems.benchmarks.models import Benchmark
from curation.problems.benchmarks.places import get_placed
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
    list_translations_to_check,
    list_visible,
)
from curation.problems.views import list_revisions
from curation.reports.summary import describe_errors
from curation.reviewing.decisions import interests
from curation.reviewing.decisions.permissions import can_override
from curation.reviewing.discussion.threads import describe_talk
from curation.reviewing.reviews.summary import show_rounds
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import (
    can_see_notes,
    can_see_stages,
    find_split,
    list_awaiting,
)
from curation.reviewing.rounds.stages import StageShown, list_stages
from curation.texts.workflow import EDITABLE, Status, Step
from curation.versions.permissions import may_answer
from phybench.pages.listing import Column, Listing, ListPage, Order, by_index, make_tabs
from phybench.people.http import MemberRequest
from phybench.people.models import User
from phybench.people.permissions import begins_to_write, is_admin, is_contributor

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
    Column("benchmark", value=lambda one: one.benchmark.name),
    Column(
        "author",
        gettext_lazy("Author"),
        by_index("author__display_name", "pk"),
        lambda one: one.author and str(one.author),
    ),
    Column("accepted", gettext_lazy("Accepted"), by_index("accepted_at", "pk")),
    Column("accepted_at", value=lambda one: one.accepted_at and one.accepted_at.isoformat()),
    Column("created", gettext_lazy("Started"), by_index("created_at", "pk")),
]


def list_tabs(user: User) -> dict[str, str]:
    """Return the lists that this viewer may choose from; the first is the one to begin with."""
    tabs = {"accepted": _("Accepted")}
    if can_list_reviewed(user):
        tabs["review"] = _("In review")
    if begins_to_write(user):
        tabs = {"mine": _("Your own"), **tabs}
    if is_contributor(user):
        tabs["translations"] = _("Translations to check")
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
    if show == "translations":
        return problems & list_translations_to_check(user)
    return problems


def list_problems(request: MemberRequest, slug: str) -> Listing[Problem]:
    user = request.user
    benchmark = get_object_or_404(Benchmark, slug=slug)
    names = list_tabs(user)
    asked = request.GET.get("show", "")
    show = asked if asked in names else next(iter(names))
    everything = _choose(user, show).filter(benchmark=benchmark)
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

    def describe(page: Page[Problem]) -> dict[str, Any]:
        of_page = [(one, say_next_step(one) if show == "mine" else "") for one in page]
        return {
            "show": show,
            "rows": of_page,
            "says": say_counts(user, benchmark),
            "writes": begins_to_write(user),
            "total": everything.count(),
            "closed": list_closed(user).filter(benchmark=benchmark).count(),
        }

    return Listing(
        request,
        filters.qs,
        COLUMNS,
        default="id",
        filters=filters,
        tabs=make_tabs(names.items(), show),
        hides=hides,
        keeps={"show": show},
        more=describe,
    )


def say_counts(user: User, benchmark: Benchmark) -> str:
    """Say how many problems somebody sees of a benchmark, and how many of them need that person."""
    own = Q(pk__in=Problem.objects.of(user).values("pk"))
    counts = (
        list_visible(user)
        .filter(benchmark=benchmark)
        .aggregate(
            accepted=Count("pk", filter=Q(status=Status.ACCEPTED)),
            reviewed=Count("pk", filter=Q(status=Status.IN_REVIEW)),
            yours=Count("pk", filter=own & Q(status__in=EDITABLE)),
        )
    )
    said = [_("%(count)d accepted") % {"count": counts["accepted"]}]
    if can_list_reviewed(user) or counts["reviewed"]:
        said.append(_("%(count)d in review") % {"count": counts["reviewed"]})
    if begins_to_write(user):
        needs = ngettext("%(count)d needs you", "%(count)d need you", counts["yours"])
        said.append(needs % {"count": counts["yours"]})
    return _("%(clauses)s.") % {"clauses": _(", ").join(said)}


problems = ListPage(list_problems, "curation/problems.html", file="problems")
"""Its file is without statements and keys."""


@require_GET
def problem(request: MemberRequest, pk: int) -> HttpResponse:
    problem = get_placed(request, list_visible(request.user).with_people(), pk)
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
    stages = list_stages(problem) if can_see_stages(request.user, problem) else []
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
        "stages": stages,
        "says": say_status(problem, stages),
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


def say_status(problem: Problem, stages: list[StageShown]) -> str:
    """Say in a sentence how far a problem is, as who sees its stages may know."""
    current = next((one for one in stages if one.state == "open"), None)
    if problem.status != Status.IN_REVIEW or current is None:
        return _("%(clauses)s.") % {"clauses": capfirst(problem.get_status_display())}
    missing = max(0, current.needed - current.given)
    text = ngettext(
        "In review, stage %(number)d of %(total)d: %(count)d more review.",
        "In review, stage %(number)d of %(total)d: %(count)d more reviews.",
        missing,
    )
    if not missing:
        text = _("In review, stage %(number)d of %(total)d: all reviews are in.")
    return text % {"number": current.number, "total": len(stages), "count": missing}


def choose_revision(problem: Problem, revisions: list[Revision]) -> Revision:
    """Return the text to begin with: the accepted one, while nothing newer is worked on."""
    accepted = [one for one in revisions if one.pk == problem.accepted_revision_id]
    return accepted[0] if accepted and not problem.is_in_correction else revisions[-1]


def find_round_to_review(user: User, problem: Problem) -> ReviewRound | None:
    if problem.status != Status.IN_REVIEW:
        return None
    return list_awaiting(user, ReviewRound.objects.filter(revision__problem=problem)).first()


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
    rounds = ReviewRound.objects.open().filter(revision__problem=problem)
    found = rounds.select_related("revision", "disagreement").first()
    if found and can_override(user, found):
        return {"round_to_decide": found}
    if not rounds.split().exists():
        # Its rule decides, so nobody is missed.
        return {}
    return {"why_not_decide": interests.say_who_decides(user, problem)}
