"""The board of one version of a benchmark: a query over rows that never change."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress, count
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypedDict

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import (
    BigIntegerField,
    Case,
    CharField,
    Count,
    Exists,
    F,
    FilteredRelation,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.utils.translation import gettext as _

from curation.problems.models import Benchmark
from curation.versions.models import BenchmarkVersion
from grading.answers.models import Attempt, VerdictChoice, with_grade
from grading.runs.models import GradingRun, Ungraded
from grading.solvers.models import Solver
from grading.statistics.metrics import AlikeAnswers, Mean, Tally, count_lacking, tally_alike
from grading.statistics.provisional import Range
from grading.submissions.models import Submission
from grading.submissions.publication import choose_ranked

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

SortKey = Literal["eed", "accuracy"]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One model's line, or that of all people together."""

    name: str
    tally: Tally
    is_demo: bool = False
    solver: Solver | None = None
    """None: the human baseline."""
    submission: Submission | None = None
    waiting: int = 0
    """Answers still to be graded: then the row has no rank."""
    of: int = 0
    """How many submissions the model has handed in, whatever became of them."""
    people: int = 0
    rank: int | None = None

    def mean(self, key: SortKey) -> Mean:
        return self.tally.eed if key == "eed" else self.tally.accuracy

    def range(self, key: SortKey) -> Range | None:
        return self.tally.eed_range if key == "eed" else self.tally.accuracy_range

    @property
    def is_unranked(self) -> bool:
        """Whether we could not grade so many of a model's answers that a rank would say nothing."""
        found = self.tally.accuracy_range
        return not self.is_human and found is not None and found.is_unranked

    def value(self, key: SortKey) -> float | None:
        """Return what the row is sorted by: its mean, or without a rank the low end of it."""
        found = self.range(key)
        return found.low if self.is_unranked and found else self.mean(key).value

    @property
    def is_human(self) -> bool:
        return self.solver is None


@dataclass(frozen=True, slots=True)
class Scope:
    """What a board is of; `version` is None for what was handed in before there were versions."""

    benchmark: Benchmark
    version: BenchmarkVersion | None = None
    is_as_published: bool = False
    """Whether items that were withdrawn since are counted as before; else they are left out."""
    public: frozenset[int] = frozenset()
    """The problems of the version's public part."""
    withdrawn: frozenset[int] = frozenset()
    """Those of them that were withdrawn."""

    @classmethod
    def of(cls, version: BenchmarkVersion, *, is_as_published: bool = False) -> Self:
        items = dict(version.items.public().values_list("problem", "withdrawal"))
        withdrawn = frozenset(problem for problem, why in items.items() if why is not None)
        return cls(version.benchmark, version, is_as_published, frozenset(items), withdrawn)

    @property
    def left_out(self) -> frozenset[int]:
        return frozenset() if self.is_as_published else self.withdrawn

    @property
    def count(self) -> int:
        """How many problems there are to be answered."""
        return len(self.public) - len(self.left_out)


@dataclass(frozen=True, slots=True)
class Board:
    scope: Scope
    sort: SortKey
    models: list[BoardRow] = field(default_factory=list)
    humans: BoardRow | None = None
    withdrawn: Sequence[Submission] = ()
    """Those that stood here once, newest first."""

    @property
    def benchmark(self) -> Benchmark:
        return self.scope.benchmark

    @property
    def rows(self) -> list[BoardRow]:
        """Models and the human baseline, best first, those without a rank last."""
        rows = [*self.models, *([self.humans] if self.humans else [])]
        return sorted(rows, key=self._order)

    def by(self, sort: SortKey) -> "Board":
        """Return the same board, ranked by another figure."""
        return replace(self, sort=sort, models=_rank(self.models, sort))

    def _order(self, row: BoardRow) -> tuple[bool, float, str]:
        value = row.value(self.sort)
        has_no_rank = row.waiting > 0 or row.is_unranked or value is None
        return has_no_rank, -(value or 0.0), row.name


def boards() -> list[Benchmark]:
    """Return the benchmarks to choose from; the first with any answer of its own is the default."""
    has_answers = Exists(Attempt.objects.filter(revision__problem__benchmark=OuterRef("pk")))
    found = Benchmark.objects.annotate(has_answers=has_answers)
    return list(found.order_by("-has_answers", "is_demo", "-pk"))


@dataclass(frozen=True, slots=True)
class Answers:
    """What is known of a submission's answers, or of people's."""

    outcomes: list[AlikeAnswers] = field(default_factory=list)
    given: Counter[int] = field(default_factory=Counter)
    """How many to each problem, waiting ones included."""
    people: set[int] = field(default_factory=set)
    """Those of whom an answer is graded, or could not be."""


def find_scope(benchmark: Benchmark, *, is_as_published: bool = False) -> Scope:
    """Return what a benchmark's board is of where nothing else is asked for: its newest version."""
    current = BenchmarkVersion.objects.current().filter(benchmark=benchmark)
    version = current.select_related("benchmark").first()
    if version is None:
        return Scope(benchmark)
    return Scope.of(version, is_as_published=is_as_published)


def make_board(
    scope: Scope | Benchmark, sort: SortKey = "eed", *, run: GradingRun | None = None
) -> Board:
    """
    Compute a board, of a benchmark that of its newest version; as many queries for any rows.

    Args:
        run: by whose grades, in place of those that count.
    """
    if isinstance(scope, Benchmark):
        scope = find_scope(scope)
    benchmark = scope.benchmark
    submissions = _list_submissions(scope)
    chosen = _choose(submissions)
    of_submission, of_people = _collect(scope, [one.submission for one in chosen], run)
    names = Counter(one.submission.solver.name for one in chosen)
    models = [
        BoardRow(
            name=_name(submission.solver, is_only=names[submission.solver.name] == 1),
            tally=tally_alike(
                of_submission[submission.pk].outcomes,
                missing=max(
                    0,
                    (scope.count if scope.version else submission.expected)
                    - len(of_submission[submission.pk].given),
                ),
                lacking=count_lacking(of_submission[submission.pk].given),
            ),
            is_demo=submission.solver.is_demo,
            solver=submission.solver,
            submission=submission,
            waiting=waiting,
            of=handed_in,
        )
        for submission, waiting, handed_in in chosen
    ]
    humans = None
    if of_people.people:
        # A person answers a few problems: every answer counts as one, as in the paper's baseline.
        number = count()
        sheets = [
            replace(one, problems=[next(number) for _answer in one.problems])
            for one in of_people.outcomes
        ]
        humans = BoardRow(
            name=_("Human baseline"),
            tally=tally_alike(sheets),
            people=len(of_people.people),
            is_demo=benchmark.is_demo,
        )
    withdrawn = [one for one in submissions if one.published_at and one.withdrawn_at]
    return Board(scope, sort, _rank(models, sort), humans, withdrawn)


def _name(solver: Solver, *, is_only: bool) -> str:
    """Name a model; two organisations may have one of the same name."""
    return solver.name if is_only else f"{solver.name} ({solver.organisation})"


class Waiting(TypedDict):
    of: int
    """How many its model has handed in to this benchmark, to this version or another."""
    waiting: int
    unseen: int
    """Of these, what no worker has taken yet."""


class Chosen(NamedTuple):
    submission: Submission
    waiting: int
    """Its answers that are graded once more."""
    handed_in: int
    """How many submissions its model has."""


def _list_submissions(scope: Scope) -> "list[WithAnnotations[Submission, Waiting]]":
    """Return all, newest first, each with how many of its answers wait."""
    # Joined are only those that wait, which have an index of their own.
    unfinished = FilteredRelation(
        "attempts",
        condition=Q(attempts__status__in=[Attempt.Status.QUEUED, Attempt.Status.GRADING]),
    )
    # None is ever deleted, so the last number says how many there are.
    numbered = Submission.objects.filter(
        solver=OuterRef("solver"), benchmark=OuterRef("benchmark")
    ).order_by("-number")
    return list(
        Submission.objects.filter(benchmark=scope.benchmark, version=scope.version)
        .select_related("solver__organisation")
        .annotate(
            unfinished=unfinished,
            of=Subquery(numbered.values("number")[:1]),
            waiting=Count("unfinished"),
            unseen=Count("unfinished", filter=Q(unfinished__tries=0)),
        )
        # A file may have had very many rows that are no answers.
        .defer("left_out")
        .order_by("-created_at", "-pk")
    )


def _choose(submissions: "Iterable[WithAnnotations[Submission, Waiting]]") -> list[Chosen]:
    """Pick the submission of each model that is ranked, where that is published."""
    waiting = {one.pk: one.waiting for one in submissions}
    of = {one.pk: one.of for one in submissions}
    unseen = [one.pk for one in submissions if one.unseen]
    by_solver: dict[int, list[Submission]] = defaultdict(list)
    for submission in submissions:
        by_solver[submission.solver_id].append(submission)
    chosen = []
    for theirs in by_solver.values():
        ranked = choose_ranked(theirs, waiting=unseen)
        if ranked and ranked.published_at and not ranked.withdrawn_at:
            chosen.append(Chosen(ranked, waiting[ranked.pk], of[ranked.pk]))
    return chosen


def _collect(
    scope: Scope, chosen: Iterable[Submission], run: GradingRun | None
) -> tuple[dict[int, Answers], Answers]:
    """Return what is known of each chosen submission, and of all people together."""
    of_submission: dict[int, Answers] = defaultdict(Answers)
    of_people = Answers()
    nobody = Value(None, BigIntegerField())
    by_models = _add_up(scope, run, nobody, submission__in=chosen)
    in_the_app: dict[str, object] = {"submission": None}
    if scope.version is None:
        in_the_app["revision__problem__benchmark"] = scope.benchmark
    else:
        in_the_app["revision__in"] = scope.version.items.public().values("revision")
    by_people = _add_up(scope, run, F("solver_id"), **in_the_app)
    for submission, person, status, verdict, accuracy, problems, eeds in by_models.union(
        by_people, all=True
    ):
        answers = of_people if submission is None else of_submission[submission]
        kept = [problem not in scope.left_out for problem in problems]
        problems, eeds = list(compress(problems, kept)), list(compress(eeds, kept))
        answers.given.update(problems)
        if status == Attempt.Status.GRADED:
            is_unreadable = verdict == VerdictChoice.UNREADABLE
            answers.outcomes.append(AlikeAnswers(problems, accuracy, eeds, is_unreadable))
        elif status == Attempt.Status.FAILED:
            answers.outcomes.append(AlikeAnswers(problems))
        if person and status in (Attempt.Status.GRADED, Attempt.Status.FAILED):
            answers.people.add(person)
    return of_submission, of_people


def _add_up(
    scope: Scope, run: GradingRun | None, person: Combinable, **which: object
) -> QuerySet[Any, Any]:
    """
    Put answers together that had the same outcome: their problems, and their EEDs.

    One row for each of a hundred thousand answers would cost more than all else on the page. What
    is asked of attempts and grades is in their indexes; sums are left to `tally`, which is exact.
    """
    attempts = with_grade(Attempt.objects.filter(**which), benchmark=scope.benchmark, run=run)
    alike = attempts.order_by().annotate(person=person, ended=_say_status(run))
    return alike.values_list("submission_id", "person", "ended", "verdict", "accuracy").annotate(
        problems=ArrayAgg("revision__problem_id"), eeds=ArrayAgg("eed")
    )


def _say_status(run: GradingRun | None) -> Combinable:
    """Say how far an answer is; by another run than the one that counts, what that says of it."""
    if run is None:
        return F("status")
    told = Ungraded.objects.filter(run=run, attempt=OuterRef("pk"))
    return Case(
        When(verdict__isnull=False, then=Value(Attempt.Status.GRADED.value)),
        When(Exists(told), then=Value(Attempt.Status.FAILED.value)),
        default=Value(Attempt.Status.QUEUED.value),
        output_field=CharField(),
    )


def _rank(rows: list[BoardRow], sort: SortKey) -> list[BoardRow]:
    """Give each finished row 1 + the number of better ones: equal scores share a rank."""
    finished = [
        row
        for row in rows
        if not row.waiting and not row.is_unranked and row.mean(sort).value is not None
    ]
    scores = {row.submission: row.mean(sort).value or 0.0 for row in finished}
    ranks = {
        one: 1 + sum(other > score for other in scores.values()) for one, score in scores.items()
    }
    return [replace(row, rank=ranks.get(row.submission)) for row in rows]
