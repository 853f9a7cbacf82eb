"""
What a row's accuracy would be if people had judged its answers: beside the score, never instead.

From the sample of verdicts that people labelled: of what the grader accepted a share a was right,
of what it rejected a share b. A solver of whose answers it accepted a share p would then have
p a + (1 - p) b. Errors differ by how a model writes, so its own labels count where there are enough
of them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count

from grading.board.figures import RowFigures
from grading.samples.audits.figures import BoardAudit, SampleFigures
from grading.samples.audits.models import AuditItem, Choice, StratumKind
from phybench_grader.statistics.audit import Rate, Stratum, estimate

LEAST_LABELS = 20
"""Labels of a solver's own in each stratum; of fewer those of all count."""


@dataclass(frozen=True, slots=True)
class Sensitivity:
    rate: Rate
    """In per cent. Its interval is that of the labels alone, not of the problems."""
    is_own: bool
    """Whether it goes by labels of this solver's answers alone."""


def find_sensitivities(
    audit: BoardAudit | None, rows: Mapping[int, RowFigures]
) -> dict[int, Sensitivity]:
    """Return the figure of each submission, by its `pk`; nothing where no sample is complete."""
    if audit is None or audit.current is None:
        return {}
    pooled = _pool(audit.current)
    own = _count_own(audit.current, rows)
    found = {}
    for pk, row in rows.items():
        is_own = all(one.labelled >= LEAST_LABELS for one in own[pk].values())
        labels = own[pk] if is_own else pooled
        rate = _estimate(row, labels)
        if rate is not None and rate.value is not None:
            found[pk] = Sensitivity(rate, is_own)
    return found


def _pool(sample: SampleFigures) -> dict[StratumKind, Stratum]:
    return {one.kind: one.told for one in sample.rows}


def _count_own(
    sample: SampleFigures, submissions: Iterable[int]
) -> dict[int, dict[StratumKind, Stratum]]:
    items = AuditItem.objects.filter(sample=sample.sample, attempt__submission__in=submissions)
    counts: dict[int, Counter[tuple[str, str]]] = defaultdict(Counter)
    for submission, stratum, outcome, count in (
        items.order_by()
        .values_list("attempt__submission", "stratum", "outcome")
        .annotate(count=Count("pk"))
    ):
        counts[submission][stratum, outcome] = count
    return {pk: {kind: _read(counts[pk], kind) for kind in StratumKind} for pk in submissions}


def _read(counts: Counter[tuple[str, str]], kind: StratumKind) -> Stratum:
    right, wrong = counts[kind, Choice.RIGHT], counts[kind, Choice.WRONG]
    return Stratum(right + wrong, right + wrong, right)


def _estimate(row: RowFigures, labels: Mapping[StratumKind, Stratum]) -> Rate | None:
    scored = row.tally.scored
    if not scored:
        return None
    weights = {
        StratumKind.ACCEPTED: row.accepted,
        StratumKind.REJECTED: scored - row.accepted,
    }
    accepted, rejected = (
        Stratum(weights[kind], labels[kind].labelled, labels[kind].right) for kind in weights
    )
    truth = estimate(accepted, rejected).truth
    # What is missing is wrong, whoever looks at it.
    share = scored / (scored + row.tally.missing)
    value, low, high = (
        None if one is None else share * one for one in (truth.value, truth.low, truth.high)
    )
    return Rate(value, low, high, truth.why_untold)
