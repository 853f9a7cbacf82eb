"""
How far a judge agrees with people: one row for each configuration, with what is missing beside it.

Pure but for `collect`, which reads the rulings and the judgement that counts of each ruled answer.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db.models import OuterRef, Subquery

from grading.agreement import Errors, Figure, Interval, bootstrap, cohen_kappa, count_errors
from grading.metrics import FULL, Mean
from grading.models import JudgeConfiguration, Judgement
from grading.ruling import settled

SEED = 20251121
"""Of the intervals: one seed, so that a page says the same each time."""
SAMPLES = 400


@dataclass(frozen=True, slots=True)
class Calibration:
    """What one judge said of answers that people have ruled on."""

    errors: Errors
    missing_right: int
    """Answers that people call right, of which the judge said nothing."""
    missing_wrong: int
    kappa: Figure
    kappa_interval: Interval

    @property
    def missing(self) -> int:
        return self.missing_right + self.missing_wrong

    @property
    def ruled(self) -> int:
        return self.errors.count + self.missing

    @property
    def coverage(self) -> float | None:
        """Share of the ruled answers with a verdict, 0 to 1; None of nothing."""
        return self.errors.count / self.ruled if self.ruled else None

    @property
    def agreement(self) -> Mean:
        """Share of verdicts that are as people ruled, in per cent."""
        right = self.errors.true_accepts + self.errors.true_rejects
        return _share(right, self.errors.count)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Where it would lie if all that is missing were against people, or with them."""
        if not self.ruled:
            return None
        right = self.errors.true_accepts + self.errors.true_rejects
        return FULL * right / self.ruled, FULL * (right + self.missing) / self.ruled

    @property
    def sensitivity(self) -> Mean:
        """Share of what is right that the judge calls right."""
        return _share(
            self.errors.true_accepts, self.errors.true_accepts + self.errors.false_rejects
        )

    @property
    def specificity(self) -> Mean:
        """Share of what is wrong that the judge calls wrong."""
        return _share(
            self.errors.true_rejects, self.errors.true_rejects + self.errors.false_accepts
        )

    @property
    def may_rank(self) -> bool:
        """Tell whether people have looked at enough of it, and it agrees and covers enough."""
        value = self.agreement.value
        return (
            self.errors.count >= settings.JUDGE_LEAST_RULINGS
            and value is not None
            and value >= FULL * settings.JUDGE_LEAST_AGREEMENT
            and (self.coverage or 0.0) >= settings.JUDGE_LEAST_COVERAGE
        )


def _share(part: int, whole: int) -> Mean:
    return Mean.of_right_or_wrong([FULL] * part + [0.0] * (whole - part))


def calibrate(pairs: Iterable[tuple[bool | None, bool]]) -> Calibration:
    """
    Compare what a judge said, None where it said nothing, with what people ruled.

    >>> found = calibrate([(True, True), (False, True), (None, False), (False, False)])
    >>> found.missing_wrong, found.agreement.count, found.bounds
    (1, 3, (50.0, 75.0))
    """
    pairs = list(pairs)
    both = [(said, ruled) for said, ruled in pairs if said is not None]
    return Calibration(
        errors=count_errors(both),
        missing_right=sum(said is None and ruled for said, ruled in pairs),
        missing_wrong=sum(said is None and not ruled for said, ruled in pairs),
        kappa=cohen_kappa(both),
        kappa_interval=bootstrap(
            both, lambda drawn: cohen_kappa(drawn).value, seed=SEED, samples=SAMPLES
        ),
    )


def collect(
    only: JudgeConfiguration | None = None,
) -> list[tuple[JudgeConfiguration, Calibration]]:
    """Compare each configuration with the rulings, in three queries; or one of them in two."""
    ruled = settled()
    standing = (
        Judgement.objects.filter(
            attempt=OuterRef("attempt"), configuration=OuterRef("configuration")
        )
        .standing_first()
        .values("pk")[:1]
    )
    said = Judgement.objects.filter(attempt__in=ruled, pk=Subquery(standing))
    if only is not None:
        said = said.filter(configuration=only)
    pairs: dict[int, list[tuple[bool | None, bool]]] = {}
    for configuration, attempt, is_right in said.values_list(
        "configuration_id", "attempt_id", "is_right"
    ):
        pairs.setdefault(configuration, []).append((is_right, ruled[attempt]))
    if only is not None:
        return [(only, calibrate(pairs.get(only.pk, [])))]
    found = JudgeConfiguration.objects.filter(runs__isnull=False).distinct().order_by("-pk")
    return [(one, calibrate(pairs.get(one.pk, []))) for one in found]
