"""Make the receipt of a submission, from rows that do not change."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.submissions.carrying import list_carried
from grading.submissions.receipts.items import Asked, Outcome, list_asked, list_outcomes
from grading.submissions.receipts.receipt import (
    Kind,
    Receipt,
    ReceiptBenchmark,
    ReceiptCarried,
    ReceiptGrader,
    ReceiptMean,
    ReceiptRun,
    ReceiptScores,
    ReceiptSubmission,
    hash_items,
    hash_keys,
)
from phybench.work import sandbox
from phybench_grader.numbers import limits
from phybench_grader.reading.reading import TELLING
from phybench_grader.statistics.metrics import AnswerOutcome, Mean, count_lacking, tally
from phybench_grader.statistics.provisional import Range

FEWEST_TOLD = 20
"""Problems answered before others are told why answers have no verdict, or none that counts."""
LEFT_TO_A_PERSON = "left_to_a_person"
"""What others are told in place of the reasons that tell the key's value."""


def make_receipt(
    submission: Submission,
    *,
    kind: Kind,
    run: GradingRun | None = None,
    at: datetime | None = None,
) -> Receipt:
    """
    Say what a submission's row rests on.

    Args:
        run: by whose grades; the one that its benchmark goes by where none is said.
        at: as of when other submissions and withdrawals are told of; now where nothing is said.
    """
    run = run or find_run(submission)
    asked = list_asked(submission)
    outcomes = list_outcomes(submission, run, asked)
    items = [one.item for one in outcomes]
    salt = find_salt(submission)
    made_at = at or timezone.now()
    return Receipt(
        kind=kind,
        made_at=made_at,
        benchmark=_describe_benchmark(submission),
        submission=_describe_submission(submission, made_at, kind),
        run=_describe_run(run, submission, outcomes, kind) if run else None,
        graders=_count_graders(outcomes),
        settings=list_settings(),
        as_published=_add_up(submission, outcomes, asked.values(), kind),
        corrected=_correct(submission, outcomes, asked.values(), made_at, kind),
        carried=_list_carried(submission, made_at),
        items_sha256=hash_items(items, salt),
        items_salt=salt if kind == "full" else None,
        items=items if kind == "full" else None,
    )


def find_run(submission: Submission) -> GradingRun | None:
    adopted = GradingRun.objects.adopted()
    return adopted.filter(benchmark=submission.benchmark_id).first()


def find_salt(submission: Submission) -> str:
    """Return what hides a submission's items; it is kept nowhere: it follows from the settings."""
    return _derive("grading.receipts", submission)


def _find_keys_salt(submission: Submission) -> str:
    # Not that of the items: full receipts give it away, and keys could be guessed by it.
    if submission.version:
        return submission.version.salt
    return _derive("grading.receipts.keys", submission)


def _derive(name: str, submission: Submission) -> str:
    return salted_hmac(name, str(submission.pk), algorithm="sha256").hexdigest()


def list_settings() -> dict[str, int | float]:
    """List what can leave an answer without a grade, or say that it is over a limit."""
    named = {name.lower(): value for name, value in vars(limits).items() if isinstance(value, int)}
    return {
        **named,
        "grading_deadline_seconds": settings.GRADING_DEADLINE_SECONDS,
        "memory_bytes": sandbox.MEMORY,
    }


def _describe_benchmark(submission: Submission) -> ReceiptBenchmark:
    version, benchmark = submission.version, submission.benchmark
    return ReceiptBenchmark(
        slug=benchmark.slug,
        name=benchmark.name,
        version=version.number if version else None,
        version_sha256=version.sha256 if version else "",
    )


def _describe_submission(submission: Submission, at: datetime, kind: Kind) -> ReceiptSubmission:
    solver = submission.solver
    alike = solver.submissions.filter(benchmark=submission.benchmark_id, created_at__lte=at)
    address = reverse("grading:receipt", args=[submission.pk])
    return ReceiptSubmission(
        id=submission.pk,
        address=f"{settings.SITE_URL}{address}",
        solver=solver.name,
        organisation=str(solver.organisation or ""),
        number=submission.number,
        of=alike.count(),
        file_sha256=submission.file_sha256,
        handed_in_at=submission.created_at,
        published_at=_if_by(submission.published_at, at),
        withdrawn_at=_if_by(submission.withdrawn_at, at),
        file_name=submission.file_name if kind == "full" else None,
    )


def _if_by(happened_at: datetime | None, at: datetime) -> datetime | None:
    return happened_at if happened_at and happened_at <= at else None


def _list_carried(submission: Submission, at: datetime) -> list[ReceiptCarried]:
    """Say to which later versions its answers count while its model has no submission to them."""
    if not _if_by(submission.published_at, at) or _if_by(submission.withdrawn_at, at):
        return []
    return [
        ReceiptCarried(
            version=one.version.number,
            version_sha256=one.version.sha256,
            problems=one.problems,
            unchanged=one.unchanged,
        )
        for one in list_carried(submission, at=at)
    ]


def _describe_run(
    run: GradingRun, submission: Submission, outcomes: Sequence[Outcome], kind: Kind
) -> ReceiptRun:
    names = {one.revision: one.item.id for one in outcomes}
    keys = run.keys.filter(revision__in=names).values_list("revision", "sha256")
    salt = _find_keys_salt(submission)
    return ReceiptRun(
        number=run.pk,
        grader_version=run.grader_version,
        adopted_at=run.adopted_at,
        keys_sha256=hash_keys({names[revision]: sha256 for revision, sha256 in keys}, salt),
        why=run.why if kind == "full" else None,
    )


def _count_graders(outcomes: Iterable[Outcome]) -> list[ReceiptGrader]:
    counts = Counter(
        (_name_judge(one), one.item.judge_version or "", one.item.sympy_version or "")
        for one in outcomes
        if one.judge is not None
    )
    return [
        ReceiptGrader(judge=judge, judge_version=version, sympy_version=sympy, answers=count)
        for (judge, version, sympy), count in sorted(counts.items())
    ]


def _name_judge(one: Outcome) -> str:
    """Name who decided: where a person ruled, that is told by its number, not by which answer."""
    return "person, beside symbolic" if one.item.decided_by == "person" else one.judge or ""


def _correct(
    submission: Submission,
    outcomes: Sequence[Outcome],
    asked: Iterable[Asked],
    at: datetime,
    kind: Kind,
) -> ReceiptScores | None:
    """Leave out what was withdrawn of the version; None where nothing was."""
    asked = list(asked)
    standing = [one for one in asked if one.withdrawn_at is None or one.withdrawn_at > at]
    if len(standing) == len(asked):
        return None
    problems = {one.problem for one in standing}
    kept = [one for one in outcomes if one.problem in problems]
    found = _add_up(submission, kept, standing, kind)
    if kind == "full":
        return found
    # Beside those of all problems, they would be those of the few that were withdrawn.
    return found.model_copy(update={"unreadable_by_reason": None, "not_graded_by_reason": None})


def _add_up(
    submission: Submission, outcomes: Sequence[Outcome], asked: Iterable[Asked], kind: Kind
) -> ReceiptScores:
    """Count and average as the board does."""
    given = Counter(one.problem for one in outcomes)
    ended = [one for one in outcomes if one.item.status != "WAITING"]
    expected = len(list(asked)) if submission.version else submission.expected
    found = tally(
        [
            AnswerOutcome(
                one.problem, one.item.accuracy, one.item.eed, one.item.verdict == "UNREADABLE"
            )
            for one in ended
        ],
        missing=max(0, expected - len(given)),
        lacking=count_lacking(given),
    )
    is_over = len(ended) == len(outcomes)
    verdicts = Counter(one.item.verdict for one in ended)
    tells = kind == "full" or len(given) >= FEWEST_TOLD
    unreadable = Counter(one.item.reason for one in ended if one.item.verdict == "UNREADABLE")
    failed = Counter(
        LEFT_TO_A_PERSON if kind == "public" and one.item.reason in TELLING else one.item.reason
        for one in ended
        if one.item.verdict is None
    )
    return ReceiptScores(
        problems=expected,
        answers=len(outcomes),
        samples=max(given.values(), default=0),
        correct=verdicts["CORRECT"],
        similar=verdicts["PARTIAL"],
        incorrect=verdicts["INCORRECT"],
        unreadable=found.unreadable,
        unreadable_by_reason=dict(sorted(unreadable.items())) if tells else None,
        not_graded=found.ungraded,
        not_graded_by_reason=dict(sorted(failed.items())) if tells else None,
        missing=found.missing,
        waiting=len(outcomes) - len(ended),
        accuracy=_describe_mean(found.accuracy, found.accuracy_range, is_over=is_over),
        eed=_describe_mean(found.eed, found.eed_range, is_over=is_over),
    )


def _describe_mean(mean: Mean, ends: Range | None, *, is_over: bool) -> ReceiptMean:
    """Say a mean, where it may be quoted, and its ends; neither while answers wait."""
    quoted = mean.quote(ends) if is_over else Mean(None, mean.count)
    return ReceiptMean(
        value=quoted.value,
        low=quoted.low,
        high=quoted.high,
        count=mean.count,
        least=ends.low if ends and is_over else None,
        most=ends.high if ends and is_over else None,
    )
