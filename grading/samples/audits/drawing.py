"""Draw a sample: at random, so many answers of each kind, and reproducible by its seed."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Case, F, Q, Value, When
from django.utils.translation import gettext as _

from curation.versions.models import BenchmarkVersion
from grading.answers.hidden.models import HiddenAnswer
from grading.answers.models import NOT_GRADED, Attempt, Grade, VerdictChoice
from grading.answers.runs.models import GradingRun
from grading.samples.audits.models import AuditItem, AuditSample, AuditStratum, StratumKind
from grading.samples.labelling.actions import CannotDraw, make_seed
from grading.samples.labelling.permissions import draws_samples
from phybench.people.models import User

SIZE = 200
LEAST, MOST = 20, 2_000


@dataclass(frozen=True, slots=True)
class Graded:
    """One answer that may be drawn."""

    pk: int
    verdict: str
    """"" of a hidden answer: that is only accepted or not."""
    is_accepted: bool

    @property
    def is_hidden(self) -> bool:
        return not self.verdict

    @property
    def kind(self) -> StratumKind:
        return StratumKind.ACCEPTED if self.is_accepted else StratumKind.REJECTED


@dataclass(frozen=True, slots=True)
class Frame:
    """The answers that a sample is drawn from, in the order of their numbers, hidden ones last."""

    run: GradingRun
    answers: Sequence[Graded]
    left_out: int
    """Graded by another version of the grader than the run's."""

    def count_verdicts(self) -> Counter[str]:
        """Count public answers by verdict, and hidden ones under ""."""
        return Counter(one.verdict for one in self.answers)


def find_frame(version: BenchmarkVersion) -> Frame | None:
    """
    Find the answers to a version that its board counts, published or not; None without a run.

    Those of submissions that were withdrawn or cancelled are left out, and those to items that were
    withdrawn from the version.
    """
    run = GradingRun.objects.adopted().filter(benchmark=version.benchmark_id).first()
    if run is None:
        return None
    standing = version.items.standing()
    stands = Q(withdrawn_at=None, cancelled_at=None)
    submissions = version.submissions.filter(stands)
    in_time = Q(attempt__submission__in=submissions) | Q(attempt__submission=None)
    grades = Grade.objects.filter(
        in_time,
        run=run,
        attempt__status=Attempt.Status.GRADED,
        attempt__revision__in=standing.public().values("revision"),
    ).order_by("attempt")
    # Where a person ruled, it is still the grader that is measured.
    said = Case(When(override=None, then=F("verdict")), default=F("automatic_verdict"))
    grades = grades.annotate(said=said).exclude(said=NOT_GRADED)
    hidden = HiddenAnswer.objects.filter(
        batch__submission__in=submissions,
        status=HiddenAnswer.Status.GRADED,
        revision__in=standing.hidden().values("revision"),
    ).order_by("pk")
    rows = chain(
        grades.annotate(is_right=Q(said=VerdictChoice.CORRECT)).values_list(
            "attempt", "said", "is_right", "judge_version"
        ),
        hidden.annotate(no=Value(""), is_right=Q(accuracy=100)).values_list(
            "pk", "no", "is_right", "judge_version"
        ),
    )
    found, left_out = [], 0
    for pk, verdict, is_right, grader in rows:
        if grader == run.grader_version:
            found.append(Graded(pk, verdict, is_accepted=is_right))
        else:
            left_out += 1
    return Frame(run, found, left_out)


def pick(frame: Sequence[Graded], size: int, seed: int) -> list[Graded]:
    """
    Pick half of `size` of what was accepted, half of what was rejected, in random order.

    Of fewer all are picked. Among the rejected each verdict has its share: they are shuffled,
    sorted by verdict, and taken at equal steps, so that all are picked as probably.
    """
    source = random.Random(seed)
    picked: list[Graded] = []
    for is_accepted in (True, False):
        stratum = [one for one in frame if one.is_accepted is is_accepted]
        source.shuffle(stratum)
        stratum.sort(key=lambda one: one.verdict)
        picked += _take_at_steps(stratum, size // 2, source)
    source.shuffle(picked)
    return picked


def _take_at_steps(rows: Sequence[Graded], size: int, source: random.Random) -> list[Graded]:
    if len(rows) <= size:
        return list(rows)
    start = source.random()
    return [rows[int((start + place) * len(rows) / size)] for place in range(size)]


def draw(*, version: BenchmarkVersion, by: User, size: int = SIZE, why: str = "") -> AuditSample:
    """
    Draw a sample of a version's graded answers; the seed is the server's.

    Raises:
        CannotDraw: nothing is graded, or a sample of this version and grader is still open.
    """
    if not draws_samples(by):
        raise PermissionDenied(_("Only admins can draw a sample."))
    frame = find_frame(version)
    if frame is None or not frame.answers:
        raise CannotDraw(_("No answer to this version is graded yet, so no sample can be drawn."))
    try:
        with transaction.atomic():
            return _write(frame, version=version, by=by, size=size, why=why)
    except IntegrityError:
        raise CannotDraw(
            _(
                "A sample of this version and grader is being labelled. Complete it, or end it "
                "with a reason, before you draw another."
            )
        ) from None


def _write(
    frame: Frame, *, version: BenchmarkVersion, by: User, size: int, why: str
) -> AuditSample:
    seed = make_seed()
    sample = AuditSample.objects.create(
        version=version,
        run=frame.run,
        grader_version=frame.run.grader_version,
        seed=seed,
        size=size,
        left_out=frame.left_out,
        why=why,
        drawn_by=by,
    )
    for kind in StratumKind:
        of_kind = [one for one in frame.answers if one.kind == kind]
        AuditStratum.objects.create(
            sample=sample,
            kind=kind,
            population=len(of_kind),
            verdicts=dict(Counter(one.verdict or "HIDDEN" for one in of_kind)),
        )
    _write_items(sample, pick(frame.answers, size, seed))
    return sample


def _write_items(sample: AuditSample, picked: Sequence[Graded]) -> None:
    attempts = Attempt.objects.filter(pk__in=[one.pk for one in picked if not one.is_hidden])
    revisions = dict(attempts.values_list("pk", "revision"))
    keys = sample.run.find_keys(set(revisions.values()))
    hidden = HiddenAnswer.objects.filter(pk__in=[one.pk for one in picked if one.is_hidden])
    hidden_revisions = dict(hidden.values_list("pk", "revision"))
    AuditItem.objects.bulk_create(
        AuditItem(
            sample=sample,
            place=place,
            attempt_id=None if one.is_hidden else one.pk,
            hidden_answer_id=one.pk if one.is_hidden else None,
            revision_id=(revision := (hidden_revisions if one.is_hidden else revisions)[one.pk]),
            key_id=revision if one.is_hidden else keys[revision].pk,
            stratum=one.kind,
            verdict=one.verdict,
        )
        for place, one in enumerate(picked, start=1)
    )


def list_counts(frame: Frame) -> list[tuple[str, int]]:
    """Name the verdicts with how many answers have each, and how many answers are hidden."""
    counts = frame.count_verdicts()
    named = [(str(one.label), counts[one]) for one in VerdictChoice]
    return [*named, (_("hidden"), counts[""])] if counts[""] else named
