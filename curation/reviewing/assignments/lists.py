"""The lists of who reviews what, for admins, and what narrows those of open rounds."""

from operator import attrgetter
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q
from django.http import QueryDict
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import PhysicsField
from curation.problems.translations.models import Translation
from curation.reviewing.assignments.permissions import Prospects
from curation.reviewing.rounds.models import Assignment, ReviewRound, ReviewRoundQuerySet
from curation.texts.sentences import translate
from curation.texts.stage_texts import say
from phybench.pages.listing import Column, ListFilter, Listing, ListPage, by, choice, make_tabs
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Language, Role


class RoundFilter(ListFilter):
    domain = choice(gettext_lazy("Domain"), PhysicsField.choices, "revision__problem__domain")
    stage = choice(gettext_lazy("Stage"), field_name="version__name")
    language = choice(gettext_lazy("Language"), Language.choices, method="find_language")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        rounds = ReviewRound.objects.open().order_by("version__name")
        names = rounds.values_list("version__name", flat=True)
        self.offer("stage", ((name, say(name)) for name in names.distinct()))

    def find_language(
        self, found: ReviewRoundQuerySet, name: str, language: str
    ) -> ReviewRoundQuerySet:
        checked = Translation.objects.checked().filter(
            revision=OuterRef("revision"), language=language
        )
        return found.filter(Q(revision__problem__language=language) | Q(Exists(checked)))


class AdminRoundFilter(RoundFilter):
    lacks = choice(
        gettext_lazy("Reviewers"),
        [("some", gettext_lazy("more needed")), ("time", gettext_lazy("overdue"))],
        method="find_lacking",
    )

    def find_lacking(
        self, found: ReviewRoundQuerySet, name: str, lacks: str
    ) -> ReviewRoundQuerySet:
        if lacks == "some":
            return found.filter(pk__in=ReviewRound.objects.open().with_free_places())
        return found.filter(pk__in=Assignment.objects.overdue().values("round"))


def _column(name: str, label: Any, path: str, *, is_number: bool = False) -> Column[Any]:
    """Sort by what the file says of a row, which lies at the end of a path of fields."""
    return Column(name, label, by(path), attrgetter(path.replace("__", ".")), is_number)


PROBLEM = "revision__problem__"
ROUND_COLUMNS: list[Column[ReviewRound]] = [
    Column("problem", value=attrgetter("revision.problem.identifier")),
    _column("title", gettext_lazy("Title"), f"{PROBLEM}title"),
    _column("stage", gettext_lazy("Stage"), "version__name"),
    _column("domain", gettext_lazy("Domain"), f"{PROBLEM}domain"),
    _column("language", gettext_lazy("Language"), f"{PROBLEM}language"),
    _column("given", gettext_lazy("Reviews given"), "given", is_number=True),
    _column("assigned", gettext_lazy("Asked"), "assigned"),
    _column("free", gettext_lazy("Still needed"), "free", is_number=True),
    Column("solvers", gettext_lazy("Blind solvers left")),
    _column("waiting", gettext_lazy("Waiting for"), "opened_at"),
]


class Rounds(Listing[ReviewRound]):
    """The open rounds, with who is asked for each."""

    def describe(self) -> dict[str, Any]:
        described = super().describe()
        shown = described["page"].object_list
        prospects = Prospects(shown)
        return {**described, "rounds": [(one, prospects.find(one)) for one in shown]}


def narrow_rounds(data: QueryDict, slug: str) -> AdminRoundFilter:
    get_object_or_404(Benchmark, slug=slug)
    rounds = ReviewRound.objects.open().with_places().of_benchmark(slug)
    return AdminRoundFilter(data, rounds)


def _write_reason(one: Assignment) -> str:
    return " ".join(part for part in (translate(one.message), one.reason) if part)


ASKED_COLUMNS: list[Column[Assignment]] = [
    Column("problem", value=attrgetter("round.revision.problem.identifier")),
    _column("title", gettext_lazy("Title"), f"round__{PROBLEM}title"),
    Column(
        "stage",
        gettext_lazy("Stage"),
        by("round__version__name"),
        attrgetter("round.version.title"),
    ),
    Column("revision", value=attrgetter("round.revision.number")),
    Column(
        "reviewer",
        gettext_lazy("Reviewer"),
        by("reviewer__display_name"),
        lambda one: str(one.reviewer),
    ),
    Column("assigned", gettext_lazy("Asked on"), by("assigned_at")),
    Column("how", value=attrgetter("how")),
    Column("assigned_by", value=lambda one: str(one.assigned_by)),
    Column("assigned_at", value=lambda one: one.assigned_at.isoformat()),
    Column("due", gettext_lazy("Due"), by("due_at")),
    Column("due_at", value=lambda one: one.due_at and one.due_at.isoformat()),
    _column("state", gettext_lazy("State"), "state"),
    Column("is_overdue", value=attrgetter("is_overdue")),
    Column("ended_at", value=lambda one: one.ended_at and one.ended_at.isoformat()),
    Column("ended_by", value=lambda one: one.ended_by and str(one.ended_by)),
    Column("reason", value=_write_reason),
]


def list_rounds(request: MemberRequest, slug: str) -> Rounds:
    """List open rounds with who is asked for each, to choose some and ask people for them."""
    held = Assignment.objects.open().select_related("reviewer").order_by("due_at", "pk")
    filters = narrow_rounds(request.GET, slug)
    rounds = filters.qs.select_related(
        "revision__problem__author", "version__stage"
    ).prefetch_related(Prefetch("assignments", held, to_attr="held"))
    return Rounds(request, rounds, ROUND_COLUMNS, default="waiting", filters=filters)


def list_asked(request: MemberRequest, slug: str) -> Listing[Assignment]:
    """List all who were ever asked, or those in the state that is named: what came of it."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    found = Assignment.objects.filter(round__revision__problem__benchmark=benchmark).select_related(
        "round__revision__problem", "round__version", "reviewer", "assigned_by", "ended_by"
    )
    state = request.GET.get("state", "")
    if state == "overdue":
        found = found.overdue()
    elif state in Assignment.State.values:
        found = found.filter(state=state)
    states: dict[str, Any] = {
        "": _("all"),
        "overdue": _("overdue"),
        **{one.value: one.label for one in Assignment.State},
    }
    tabs = make_tabs(states.items(), state, "show=asked&state")
    return Listing(
        request, found, ASKED_COLUMNS, default="-assigned", tabs=tabs, keeps={"show": "asked"}
    )


rounds = role_required(Role.ADMIN)(
    ListPage(list_rounds, "curation/assignments.html", file="open-reviews")
)
asked = role_required(Role.ADMIN)(
    ListPage(list_asked, "curation/assignment_list.html", file="assignments")
)
