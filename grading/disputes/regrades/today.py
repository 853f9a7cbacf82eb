"""What answers would be graded by today: which keys, and what is new since the run that counts."""

from dataclasses import dataclass
from typing import Any

import sympy
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Revision
from curation.reports.models import Erratum
from curation.reviewing.rounds.solves.models import BlindSolve, SolveKind
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun, Override, RunKey
from phybench_grader import GRADER_VERSION


def list_settled(benchmark: Benchmark) -> QuerySet[Attempt]:
    """Return the answers that have a grade, or that could not be graded."""
    ended = [Attempt.Status.GRADED, Attempt.Status.FAILED]
    return Attempt.objects.filter(revision__problem__benchmark=benchmark, status__in=ended)


def list_solves(benchmark: Benchmark) -> QuerySet[BlindSolve]:
    """Return what reviewers answered who solved a problem blind."""
    return BlindSolve.objects.filter(
        kind=SolveKind.ANSWER, round__revision__problem__benchmark=benchmark
    )


def list_overrides(benchmark: Benchmark) -> QuerySet[Override]:
    """Return what people ruled of a benchmark's answers."""
    return Override.objects.filter(revision__problem__benchmark=benchmark)


def find_keys(benchmark: Benchmark) -> dict[int, Revision]:
    """
    Find the key of today for the answers to each revision.

    That is its own. Where it was found to be wrong and the question stayed word for word, it is
    the corrected one; who answered another question is not graded by the key of this one.
    """
    corrections = {
        erratum.revision_id: erratum.corrected_by
        for erratum in Erratum.objects.filter(
            is_of_key=True, revision__problem__benchmark=benchmark
        )
        .select_related("corrected_by")
        .order_by("pk")
    }
    solved = list_solves(benchmark).filter(round__revision=OuterRef("pk"))
    answered = Revision.objects.filter(
        Exists(Attempt.objects.filter(revision=OuterRef("pk"))) | Exists(solved),
        problem__benchmark=benchmark,
    )
    return {one.pk: _follow(one, corrections) for one in answered.defer("solution")}


def _follow(revision: Revision, corrections: dict[int, Revision]) -> Revision:
    key = revision
    # Later revisions correct earlier ones: it comes to an end.
    while (
        (better := corrections.get(key.pk))
        and better.number > key.number
        and better.statement == revision.statement
    ):
        key = better
    return key


@dataclass(frozen=True, slots=True)
class News:
    """What has come since the run that counts was made, and would be taken up by another."""

    run: GradingRun
    grader: str
    """The version of today, where it is another one."""
    sympy: str
    """Likewise."""
    corrected: int
    """Keys that were corrected."""
    rulings: int
    """Answers of which people ruled something else."""

    def __bool__(self) -> bool:
        return bool(self.grader or self.sympy or self.corrected or self.rulings)


def list_news() -> list[News]:
    """Say of each benchmark of which anything was graded what is new; by their names."""
    newest = Grade.objects.filter(run=OuterRef("pk")).order_by("-pk").values("sympy_version")
    adopted: QuerySet[Any] = GradingRun.objects.adopted().annotate(sympy=Subquery(newest[:1]))
    corrected = dict(_list_corrected().order_by().values_list("run").annotate(Count("pk")))
    rulings = dict(
        _list_new_rulings()
        .order_by()
        .values_list("revision__problem__benchmark")
        .annotate(Count("pk"))
    )
    return [
        News(
            run,
            grader="" if run.grader_version == GRADER_VERSION else GRADER_VERSION,
            sympy="" if run.sympy in (None, sympy.__version__) else sympy.__version__,
            corrected=corrected.get(run.pk, 0),
            rulings=rulings.get(run.benchmark_id, 0),
        )
        for run in adopted.select_related("benchmark", "adopted_by").order_by("benchmark__name")
    ]


def count_waiting() -> int:
    """Count corrected keys and rulings, of all benchmarks, that no run that counts has taken up."""
    return _list_corrected().count() + _list_new_rulings().count()


def _list_new_rulings() -> QuerySet[Override]:
    taken_up = GradingRun.objects.adopted().filter(overrides=OuterRef("pk"))
    return Override.objects.filter(~Exists(taken_up))


def _list_corrected() -> QuerySet[RunKey]:
    """Return the keys that grades go by now, and that were corrected since."""
    corrected = Erratum.objects.filter(
        is_of_key=True,
        revision=OuterRef("key"),
        # Where it asks in other words, its key is not theirs.
        corrected_by__statement=OuterRef("revision__statement"),
        corrected_by__number__gt=OuterRef("key__number"),
    )
    return RunKey.objects.in_use().filter(Exists(corrected))
