"""What samples tell of the grader: rates for everybody, and what is behind them for admins."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Count, QuerySet

from curation.versions.models import BenchmarkVersion
from grading.answers.runs.models import GradingRun
from grading.samples.audits.models import (
    AuditItem,
    AuditLabel,
    AuditSample,
    AuditStratum,
    Choice,
    StratumKind,
)
from grading.samples.labelling.models import LABELS
from phybench_grader.statistics.agreement import Figure, cohen_kappa, percent_agreement
from phybench_grader.statistics.audit import Errors, Stratum, estimate
from phybench_grader.statistics.metrics import FULL


@dataclass(frozen=True, slots=True)
class StratumRow:
    """One line of the table: what the grader said, beside what people say."""

    kind: StratumKind
    population: int
    right: int
    wrong: int
    cant_tell: int

    @property
    def drawn(self) -> int:
        return self.right + self.wrong + self.cant_tell

    @property
    def told(self) -> Stratum:
        """Leave out those that people could not tell of."""
        return Stratum(self.population, self.right + self.wrong, self.right)


@dataclass(frozen=True, slots=True)
class SampleFigures:
    """A sample, and what came of it once it is complete."""

    sample: AuditSample
    drawn: int | None
    """Answers in it, hidden ones too; None until it is complete, for labellers count the others."""
    rows: list[StratumRow] = field(default_factory=list)
    """Empty until it is complete."""

    @property
    def errors(self) -> Errors | None:
        return estimate(*(one.told for one in self.rows)) if self.rows else None

    @property
    def cant_tell(self) -> int:
        return sum(one.cant_tell for one in self.rows)

    @property
    def accepted_share(self) -> float | None:
        """How many of the answers that it was drawn from the grader had accepted, in per cent."""
        whole = sum(one.population for one in self.rows)
        accepted = sum(one.population for one in self.rows if one.kind == StratumKind.ACCEPTED)
        return FULL * accepted / whole if whole else None


def collect(samples: Sequence[AuditSample]) -> list[SampleFigures]:
    """Count what came of samples, in two queries for any number of them."""
    counts: dict[int, Counter[tuple[str, str]]] = defaultdict(Counter)
    items = AuditItem.objects.filter(sample__in=samples).order_by()
    for sample, stratum, outcome, count in items.values_list(
        "sample", "stratum", "outcome"
    ).annotate(count=Count("pk")):
        counts[sample][stratum, outcome] = count
    strata = AuditStratum.objects.filter(sample__in=samples).order_by()
    populations = {
        (sample, kind): population
        for sample, kind, population in strata.values_list("sample", "kind", "population")
    }
    return [
        SampleFigures(
            sample=one,
            drawn=counts[one.pk].total() if one.state == one.State.COMPLETE else None,
            rows=[
                StratumRow(
                    kind,
                    populations[one.pk, kind],
                    *(counts[one.pk][kind, choice] for choice in Choice),
                )
                for kind in StratumKind
            ]
            if one.state == one.State.COMPLETE
            else [],
        )
        for one in samples
    ]


@dataclass(frozen=True, slots=True)
class BoardAudit:
    """What the board of a version says of its grader's errors."""

    grader_version: str
    current: SampleFigures | None
    """The newest complete sample of the grader that counts."""
    others: list[SampleFigures]
    """All the others, newest first: older, of other graders, being labelled, ended early."""


def find_for_board(
    version: BenchmarkVersion, *, grader_version: str | None = None
) -> BoardAudit | None:
    """
    Find the samples of a version, those of the grader whose grades count first.

    None where nothing is graded yet. As many queries for any number of samples.
    """
    if grader_version is None:
        runs = GradingRun.objects.adopted().filter(benchmark=version.benchmark_id)
        grader_version = runs.values_list("grader_version", flat=True).first()
    if grader_version is None:
        return None
    figures = collect(list(AuditSample.objects.filter(version=version).order_by("-pk")))
    current = next(
        (one for one in figures if one.rows and one.sample.grader_version == grader_version), None
    )
    others = [one for one in figures if one is not current]
    return BoardAudit(grader_version, current, others)


# --- For admins -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the two labels of each answer agree, over right, wrong and can't tell."""

    percent: Figure
    kappa: Figure


def measure_agreement(sample: AuditSample) -> Agreement:
    given: dict[int, list[str]] = defaultdict(list)
    labels = AuditLabel.objects.standing().filter(item__sample=sample).order_by("number")
    for item, choice in labels.values_list("item", "choice"):
        given[item].append(choice)
    pairs = [(both[0], both[1]) for both in given.values() if len(both) == LABELS]
    return Agreement(percent_agreement(pairs), cohen_kappa(pairs))


def list_disagreements(sample: AuditSample) -> QuerySet[AuditItem]:
    """Return the answers of which people and the grader say otherwise."""
    accepted = sample.items.filter(stratum=StratumKind.ACCEPTED, outcome=Choice.WRONG)
    rejected = sample.items.filter(stratum=StratumKind.REJECTED, outcome=Choice.RIGHT)
    found = (accepted | rejected).order_by("place")
    return found.select_related("revision__problem", "adjudication")
