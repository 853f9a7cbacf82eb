"""Whether the members of a benchmark can staff a plan of review, and what is missing."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.problems.people.models import Conflict, find_institutions
from curation.reviewing.assignments.permissions import count_invited
from curation.reviewing.pipelines.models import Pipeline, ReviewSettings, Stage
from curation.reviewing.pipelines.shipped import find_settings, make_pipeline
from curation.reviewing.rounds.permissions import Standing
from curation.texts.prospects import Demand, Outlook, Supply, forecast
from curation.texts.stage_texts import PLANS, STAGES, say
from curation.texts.workflow import CLOSED, Status
from phybench.pages.templatetags.typography import gap
from phybench.people.models import User
from phybench.people.permissions import is_admin, is_reviewer, list_contributors, list_reviewers


@dataclass(frozen=True, slots=True)
class Staffing:
    """How a plan goes with the people there are; by the author for whom it goes worst."""

    plan: str
    """Its name, as rows keep it."""
    outlook: Outlook
    fresh: int
    """Reviewers who have not seen the answer, before anybody reviews."""
    is_blind: bool
    """Whether anybody solves it at all."""
    missing: int
    """So many more reviewers have to be invited."""
    invited: int
    """So many of those who are missing are invited, and have not joined yet."""
    author: str
    """Whose problems it is about, where those of others go better; else ""."""

    @property
    def works(self) -> bool:
        return self.outlook.supply is not Supply.SHORT

    @property
    def name(self) -> str:
        return say(self.plan)

    @property
    def takes(self) -> str:
        """Say in one sentence whom the plan takes; "" for a plan of one's own."""
        return str(PLANS.get(self.plan, ""))

    def __str__(self) -> str:
        """Say what it needs, what there is, and what is missing."""
        said = [self._say_needed()]
        if self.author:
            said[:0] = [_("For problems by %(name)s:") % {"name": self.author}]
        if self.invited:
            more = ngettext(
                "%(count)d more is invited and has not joined yet.",
                "%(count)d more are invited and have not joined yet.",
                self.invited,
            )
            said.append(more % {"count": self.invited})
        if self.missing:
            more = ngettext(
                "Invite %(count)d more reviewer.", "Invite %(count)d more reviewers.", self.missing
            )
            said.append(more % {"count": self.missing})
        return gap().join(said)

    def _say_needed(self) -> str:
        needed, possible = self.outlook.needed, self.outlook.possible
        if not self.is_blind:
            text = ngettext(
                "Needs %(needed)d reviewer; you have %(possible)d.",
                "Needs %(needed)d reviewers; you have %(possible)d.",
                needed,
            )
        elif possible < self.fresh:
            text = ngettext(
                "Needs %(needed)d person who solves blind. Earlier stages show some reviewers the "
                "answer: %(possible)d of %(fresh)d can still solve blind.",
                "Needs %(needed)d people who solve blind. Earlier stages show some reviewers the "
                "answer: %(possible)d of %(fresh)d can still solve blind.",
                needed,
            )
        else:
            text = ngettext(
                "Needs %(needed)d person who solves blind; you have %(possible)d.",
                "Needs %(needed)d people who solve blind; you have %(possible)d.",
                needed,
            )
        return text % {"needed": needed, "possible": possible, "fresh": self.fresh}


class Members:
    """Who reviews for a benchmark, in a fixed number of queries."""

    def __init__(self, benchmark: Benchmark) -> None:
        self.benchmark = benchmark
        self.people = list(list_reviewers())
        conflicts = Conflict.objects.current().filter(author__isnull=False)
        self.conflicts = set(conflicts.values_list("person", "author"))
        self.places: dict[int, set[str]] = defaultdict(set)
        if find_settings(benchmark).institutions_conflict:
            for person, place in find_institutions(User.objects.get_queryset()):
                self.places[person].add(place)

    @cached_property
    def invited(self) -> int:
        return count_invited(self.benchmark)

    @cached_property
    def authors(self) -> Sequence[User | None]:
        """Whose problems are still to be reviewed; before there are any, all who may write some."""
        unfinished = Problem.objects.filter(benchmark=self.benchmark).exclude(
            status__in=[*CLOSED, Status.ACCEPTED]
        )
        writing = User.objects.filter(pk__in=unfinished.values("author")).order_by("pk")
        able = list_contributors().filter(is_demo=self.benchmark.is_demo).order_by("pk")
        return list(writing) or list(able) or [None]

    def staff(self, plan: str, demands: Sequence[Demand]) -> Staffing:
        """Say how a plan goes with these people, by the author for whom it goes worst."""
        found = [(*self._count(author), author) for author in self.authors]
        outlooks = [(_forecast(demands, fresh, informed), fresh) for fresh, informed, _by in found]
        missing = [_count_missing(demands, fresh, informed) for fresh, informed, _by in found]
        worst = missing.index(max(missing))
        author = found[worst][2] if min(missing) < max(missing) else None
        is_blind = any(one.is_blind for one in demands)
        invited = min(missing[worst], self.invited)
        to_invite = missing[worst] - invited
        return Staffing(
            plan, *outlooks[worst], is_blind, to_invite, invited, author=str(author or "")
        )

    def _count(self, author: User | None) -> tuple[int, int]:
        """Count who could review an author's next problem blind, and who else could review it."""
        stands = [self._stand(person, author) for person in self.people]
        counted = [one.is_fresh for one in stands if one.is_counted_on]
        return sum(counted), len(counted) - sum(counted)

    def _stand(self, person: User, author: User | None) -> Standing:
        """Return how somebody would stand to a new problem of an author."""
        by = author.pk if author else None
        return Standing(
            is_reviewer=is_reviewer(person),
            is_admin=is_admin(person),
            had_part=person.pk == by,
            of_institution=by is not None and bool(self.places[person.pk] & self.places[by]),
            in_conflict=(person.pk, by) in self.conflicts,
            across_demo=person.is_demo is not self.benchmark.is_demo,
        )


def _forecast(demands: Sequence[Demand], fresh: int, informed: int) -> Outlook:
    outlook = forecast(demands, fresh=fresh, informed=informed)
    if outlook is not None:
        return outlook
    # Nobody solves it blind: then whoever may review it will do.
    needed = max((one.people for one in demands), default=1)
    there = fresh + informed
    return Outlook(there, needed, Supply.ENOUGH if there >= needed else Supply.SHORT)


def _count_missing(demands: Sequence[Demand], fresh: int, informed: int) -> int:
    more = 0
    while _forecast(demands, fresh + more, informed).supply is Supply.SHORT:
        more += 1
    return more


def list_plans(benchmark: Benchmark) -> list[Staffing]:
    """Return the ready plans with how each goes with the members there are, the smallest first."""
    members = Members(benchmark)
    rows = {one.name: one for one in Pipeline.objects.filter(name__in=PLANS)}
    return [members.staff(name, list_demands(rows.get(name), name)) for name in PLANS]


def find_staffing(benchmark: Benchmark) -> Staffing:
    """Return how the plan goes that a benchmark goes by now, or would."""
    pipeline = find_settings(benchmark).pipeline
    if pipeline is None:
        return choose_plan(list_plans(benchmark))
    return Members(benchmark).staff(pipeline.name, list_demands(pipeline, pipeline.name))


def list_demands(pipeline: Pipeline | None, name: str) -> list[Demand]:
    """Return what a pipeline asks for: as its rows say, or as we ship it."""
    if pipeline is not None:
        return [stage.demand for stage in pipeline.stages.order_by("place")]
    terms = [{k: v for k, v in one.items() if k != "questions"} for one in STAGES[name]]
    return [Stage(**one).demand for one in terms]


def choose_plan(plans: Sequence[Staffing]) -> Staffing:
    """Return the largest plan that can be staffed; the smallest where none can."""
    working = [one for one in plans if one.works]
    return working[-1] if working else plans[0]


@transaction.atomic
def settle_pipeline(benchmark: Benchmark) -> Pipeline:
    """
    Return what the problems of a benchmark go through; chosen where nobody has said so yet.

    It then stays: when people join, a larger plan is offered and not imposed.
    """
    if chosen := find_settings(benchmark).pipeline:
        return chosen
    chosen = make_pipeline(choose_plan(list_plans(benchmark)).plan)
    # Of two at once, the choice of the first stays.
    ReviewSettings.objects.get_or_create(benchmark=benchmark)
    ReviewSettings.objects.filter(benchmark=benchmark, pipeline=None).update(pipeline=chosen)
    return find_settings(benchmark).pipeline or chosen


def find_larger(benchmark: Benchmark) -> Staffing | None:
    """Return a ready plan that is larger than the benchmark's own and that could be staffed now."""
    pipeline = find_settings(benchmark).pipeline
    names = list(PLANS)
    if pipeline is None or pipeline.name not in names:
        return None
    best = choose_plan(list_plans(benchmark))
    return best if names.index(best.plan) > names.index(pipeline.name) else None
