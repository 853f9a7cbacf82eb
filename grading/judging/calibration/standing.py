"""
How far a judge agrees with people: one row for each configuration, with what is missing beside it.

Pure but for `collect`, which reads the rulings and the judgement that counts of each ruled answer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from curation.problems.models import Difficulty, PhysicsField
from grading.judges.kinds import KINDS
from grading.judging.engine.calibration import Comparison, compare
from grading.judging.judgements.models import Judgement
from grading.judging.prompts.models import JudgeConfiguration
from grading.judging.rulings.actions import Source, settled
from grading.statistics.agreement import Interval
from grading.statistics.metrics import FULL

SAMPLES = 400
"""Of intervals: a page is waited for."""

LENGTHS = (200, 1000, 5000)
"""Where answers are divided by their length, in characters."""


@dataclass(frozen=True, slots=True)
class RulingCase:
    """One answer that people have ruled on, and what a judge said of it."""

    said: bool | None
    """None where it said nothing."""
    ruled: bool
    domain: str = ""
    difficulty: str = ""
    length: int = 0


@dataclass(frozen=True, slots=True)
class Slice:
    """Those of the answers that are alike in something."""

    by: str
    """`domain`, `difficulty` or `length`."""
    code: str
    label: str
    found: Comparison


@dataclass(frozen=True, slots=True)
class Calibration(Comparison):
    """The whole of it, with the interval of its kappa and the parts that it is made of."""

    kappa_interval: Interval
    slices: list[Slice]

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


def calibrate(cases: Iterable[RulingCase]) -> Calibration:
    """
    Compare what a judge said with what people ruled, in all and by what answers have in common.

    >>> said = [(True, True), (False, True), (None, False), (False, False)]
    >>> found = calibrate(RulingCase(*one) for one in said)
    >>> found.missing_wrong, found.agreement.count, found.bounds
    (1, 3, (50.0, 75.0))
    """
    cases = list(cases)
    found = _compare(cases)
    return Calibration(
        found.pairs,
        found.errors,
        found.missing_right,
        found.missing_wrong,
        kappa_interval=found.find_kappa_interval(samples=SAMPLES),
        slices=list(_slice(cases)),
    )


def _compare(cases: Iterable[RulingCase]) -> Comparison:
    return compare((one.said, one.ruled) for one in cases)


def _slice(cases: Sequence[RulingCase]) -> Iterable[Slice]:
    """Divide the answers by domain, difficulty and length, each into those parts that there are."""
    for domain in PhysicsField:
        if part := [one for one in cases if one.domain == domain]:
            yield Slice("domain", domain, str(domain.label), _compare(part))
    for code, label in [*Difficulty.choices, ("", _("no difficulty"))]:
        part = [one for one in cases if one.difficulty == code]
        # Where nobody gave one there is nothing to divide by.
        if part and (code or len(part) < len(cases)):
            yield Slice("difficulty", code or "NONE", str(label), _compare(part))
    for low, high in zip((0, *LENGTHS), (*LENGTHS, None), strict=True):
        part = [one for one in cases if low < one.length or low == one.length == 0]
        part = [one for one in part if high is None or one.length <= high]
        if part:
            code = f"{low + 1 if low else 0}-{high or ''}"
            yield Slice("length", code, _say_length(low, high), _compare(part))


def _say_length(low: int, high: int | None) -> str:
    if high is None:
        return _("over %(low)s characters") % {"low": f"{low:,}"}
    if not low:
        return _("up to %(high)s characters") % {"high": f"{high:,}"}
    return _("%(low)s to %(high)s characters") % {"low": f"{low + 1:,}", "high": f"{high:,}"}


def collect(
    only: JudgeConfiguration | None = None, source: Source = Source.ALL
) -> list[tuple[JudgeConfiguration, Calibration]]:
    """Compare each configuration with the rulings, in three queries; or one of them in two."""
    ruled = settled(source)
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
    cases: dict[int, list[RulingCase]] = {}
    problem = "attempt__revision__problem"
    for configuration, attempt, is_right, *facts in said.annotate(
        length=Length("attempt__response")
    ).values_list(
        "configuration_id",
        "attempt_id",
        "is_right",
        f"{problem}__domain",
        f"{problem}__difficulty",
        "length",
    ):
        case = RulingCase(is_right, ruled[attempt], *facts)
        cases.setdefault(configuration, []).append(case)
    if only is not None:
        return [(only, calibrate(cases.get(only.pk, [])))]
    # A preference between two answers says of neither whether it is right.
    single = JudgeConfiguration.objects.exclude(
        kind__in=[kind.code for kind in KINDS.values() if kind.compares]
    )
    found = single.filter(runs__isnull=False).distinct().order_by("-pk")
    return [(one, calibrate(cases.get(one.pk, []))) for one in found]
