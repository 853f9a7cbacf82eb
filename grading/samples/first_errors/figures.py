"""
What a complete sample tells of the first errors of its solvers, and how far its labellers agree.

As Table 2 of arXiv 2504.16074: of the errors how many are of physical perception and how many of
robust reasoning; of the latter how many semantic and how many symbolic. Answers in which no error
was named are counted beside them.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from grading.samples.first_errors.models import (
    ERRORS,
    FirstErrorItem,
    FirstErrorLabel,
    FirstErrorSample,
    FirstErrorSolver,
    Kind,
)
from grading.samples.labelling.models import LABELS
from phybench_grader.statistics.agreement import (
    Figure,
    Interval,
    bootstrap,
    cohen_kappa,
    krippendorff_alpha,
)
from phybench_grader.statistics.shares import Share, find_clustered_share, find_share

REASONING = (Kind.SEMANTIC, Kind.SYMBOLIC)
RESAMPLES = 500


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One solver's line, or that of all together."""

    name: str
    solver: FirstErrorSolver | None
    """None: all of them together."""
    counts: Mapping[str, int]
    """Answers by outcome."""
    perception: Share
    """Of the errors; these are what both add up to."""
    reasoning: Share
    semantic: Share
    """Of the errors of reasoning."""
    symbolic: Share

    @property
    def labelled(self) -> int:
        return sum(self.counts.values())

    @property
    def errors(self) -> int:
        return self.perception.whole

    @property
    def no_error(self) -> int:
        return self.counts.get(Kind.NO_ERROR, 0)

    @property
    def key_wrong(self) -> int:
        return self.counts.get(Kind.KEY_WRONG, 0)

    @property
    def cant_tell(self) -> int:
        return self.counts.get(Kind.CANT_TELL, 0)

    @property
    def shares(self) -> list[tuple[str, Share]]:
        """Return the shares by the names that files give them."""
        return [
            ("perception", self.perception),
            ("reasoning", self.reasoning),
            ("semantic_of_reasoning", self.semantic),
            ("symbolic_of_reasoning", self.symbolic),
        ]


@dataclass(frozen=True, slots=True)
class ErrorTable:
    rows: list[ErrorRow]
    pooled: ErrorRow


def name_solvers(solvers: Iterable[FirstErrorSolver]) -> dict[int, str]:
    """Name solvers by their models; two organisations may have one of the same name."""
    solvers = list(solvers)
    names = Counter(one.submission.solver.name for one in solvers)
    return {
        one.pk: one.submission.solver.name
        if names[one.submission.solver.name] == 1
        else f"{one.submission.solver.name} ({one.submission.solver.organisation})"
        for one in solvers
    }


def list_solvers(sample: FirstErrorSample) -> list[FirstErrorSolver]:
    return list(sample.solvers.select_related("submission__solver__organisation"))


def make_table(sample: FirstErrorSample, pooled_name: str) -> ErrorTable | None:
    """Count what came of a sample, in two queries; None until it is complete."""
    if sample.state != sample.State.COMPLETE:
        return None
    outcomes: dict[int, Counter[str]] = defaultdict(Counter)
    by_problem: dict[int, Counter[str]] = defaultdict(Counter)
    items = FirstErrorItem.objects.filter(sample=sample).order_by()
    for solver, revision, outcome in items.values_list("solver", "revision", "outcome"):
        outcomes[solver][outcome] += 1
        by_problem[revision][outcome] += 1
    solvers = list_solvers(sample)
    names = name_solvers(solvers)
    rows = [_make_row(names[one.pk], one, outcomes[one.pk]) for one in solvers]
    return ErrorTable(rows, _pool(pooled_name, list(by_problem.values())))


def _make_row(name: str, solver: FirstErrorSolver, counts: Counter[str]) -> ErrorRow:
    errors, reasoning = _count(counts, ERRORS), _count(counts, REASONING)
    return ErrorRow(
        name,
        solver,
        counts,
        perception=find_share(counts[Kind.PERCEPTION], errors),
        reasoning=find_share(reasoning, errors),
        semantic=find_share(counts[Kind.SEMANTIC], reasoning),
        symbolic=find_share(counts[Kind.SYMBOLIC], reasoning),
    )


def _pool(name: str, problems: Sequence[Counter[str]]) -> ErrorRow:
    """Add all up; the intervals are those of answers that come problem by problem."""

    def share(part: Sequence[Kind], whole: Sequence[Kind]) -> Share:
        return find_clustered_share((_count(one, part), _count(one, whole)) for one in problems)

    return ErrorRow(
        name,
        None,
        sum(problems, Counter()),
        perception=share([Kind.PERCEPTION], ERRORS),
        reasoning=share(REASONING, ERRORS),
        semantic=share([Kind.SEMANTIC], REASONING),
        symbolic=share([Kind.SYMBOLIC], REASONING),
    )


def _count(counts: Counter[str], kinds: Iterable[Kind]) -> int:
    return sum(counts[one] for one in kinds)


# --- Agreement ------------------------------------------------------------------------------

Pair = tuple[str, str]
Clusters = tuple[tuple[Pair, ...], ...]
"""By problem, what each two people said of an answer to it."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure of agreement with its interval over problems."""

    figure: Figure
    interval: Interval | None
    """None where all agree: as all samples do then, it would be of no width."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the two labels of each answer agree, over all six choices."""

    percent: Share
    alpha: Measured
    """Krippendorff's, on names: whoever gave which of the two labels."""
    kappa: Measured | None
    """Cohen's: only where the same two people labelled all."""


def measure_agreement(sample: FirstErrorSample) -> Agreement:
    """Compare the two labels of each answer of a complete sample, which never change."""
    given: dict[int, list[tuple[int, str]]] = defaultdict(list)
    problems: dict[int, int] = {}
    labels = FirstErrorLabel.objects.standing().filter(item__sample=sample)
    for item, revision, person, choice in labels.order_by("person").values_list(
        "item", "item__revision", "person", "choice"
    ):
        given[item].append((person, choice))
        problems[item] = revision
    clusters: dict[int, list[Pair]] = defaultdict(list)
    people: set[tuple[int, ...]] = set()
    for item, both in given.items():
        if len(both) == LABELS:
            clusters[problems[item]].append((both[0][1], both[1][1]))
            people.add(tuple(person for person, _choice in both))
    ordered = tuple(tuple(clusters[one]) for one in sorted(clusters))
    return measure(ordered, by_two=len(people) == 1)


@lru_cache(maxsize=64)
def measure(clusters: Clusters, *, by_two: bool) -> Agreement:
    """
    Measure agreement; the intervals are from problems drawn with replacement.

    Args:
        by_two: whether the same two people gave all labels, each in the same place of a pair.
    """

    def find(figure: Callable[[Sequence[Pair]], Figure]) -> Measured:
        interval = bootstrap(
            clusters,
            lambda drawn: figure([pair for one in drawn for pair in one]).value,
            seed=len(clusters),
            samples=RESAMPLES,
        )
        pairs = [pair for one in clusters for pair in one]
        return Measured(figure(pairs), None if agreed.part == agreed.whole else interval)

    agreed = find_clustered_share((sum(a == b for a, b in one), len(one)) for one in clusters)
    return Agreement(
        percent=agreed,
        alpha=find(_find_alpha),
        kappa=find(cohen_kappa) if by_two else None,
    )


def _find_alpha(pairs: Sequence[Pair]) -> Figure:
    numbers = {name: number for number, name in enumerate(Kind.values)}
    return krippendorff_alpha([[numbers[one] for one in pair] for pair in pairs])


# --- For admins -----------------------------------------------------------------------------


def list_leads(sample: FirstErrorSample) -> list[FirstErrorItem]:
    """Return the answers that people found right, or whose problem they found wrong."""
    found = FirstErrorItem.objects.filter(
        sample=sample, outcome__in=[Kind.NO_ERROR, Kind.KEY_WRONG]
    )
    return list(
        found.order_by("place").select_related("revision__problem", "adjudication", "solver")
    )
