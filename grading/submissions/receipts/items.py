"""What became of each answer of a submission in one run, also in one that counts no more."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import CharField, F, FilteredRelation, Func, Q

from curation.problems.models import Problem
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.submissions.receipts.receipt import ReceiptItem


class Sha256(Func):
    """Hash a text where it lies: responses are long, and only their hashes are wanted."""

    template = "encode(sha256(convert_to(%(expressions)s, 'UTF8')), 'hex')"
    output_field = CharField()


@dataclass(frozen=True, slots=True)
class Asked:
    """A problem that a submission was to answer."""

    problem: int
    identifier: str
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one answer, and which row has it."""

    attempt: int
    revision: int
    problem: int
    judge: str | None
    item: ReceiptItem


def list_asked(submission: Submission) -> dict[int, Asked]:
    """Return what was to be answered, by revision; nothing of what was so before versions."""
    if submission.version is None:
        return {}
    items = submission.version.items.public().order_by("problem")
    return {
        revision: Asked(problem, identifier, withdrawn_at)
        for revision, problem, identifier, withdrawn_at in items.values_list(
            "revision", "problem", "identifier", "withdrawal__at"
        )
    }


def list_outcomes(
    submission: Submission, run: GradingRun | None, asked: dict[int, Asked]
) -> list[Outcome]:
    """List the answers in the order of their names, in one query."""
    found = (
        submission.attempts.order_by()
        .annotate(
            own_grade=FilteredRelation("grades", condition=Q(grades__run=run and run.pk)),
            left_by_run=FilteredRelation(
                "ungraded_in", condition=Q(ungraded_in__run=run and run.pk)
            ),
            sha256=Sha256("response"),
            published_id=F("revision__problem__published_id"),
            problem=F("revision__problem"),
            judge=F("own_grade__judge"),
            judge_version=F("own_grade__judge_version"),
            sympy_version=F("own_grade__sympy_version"),
            verdict=F("own_grade__verdict"),
            accuracy=F("own_grade__accuracy"),
            eed=F("own_grade__eed"),
            reason=F("own_grade__reason"),
            override=F("own_grade__override"),
            automatic_verdict=F("own_grade__automatic_verdict"),
            automatic_eed=F("own_grade__automatic_eed"),
            left_reason=F("left_by_run__reason"),
        )
        .defer("response", "failure_message")
    )
    made = [_make(one, run, asked) for one in found]
    return sorted(made, key=lambda one: one.item.key)


def _make(one: Attempt, run: GradingRun | None, asked: dict[int, Asked]) -> Outcome:
    # The stubs know nothing of what is annotated.
    row = vars(one)
    known = asked.get(one.revision_id)
    name = Problem(pk=row["problem"], published_id=row["published_id"]).identifier
    item = describe_item(
        identifier=known.identifier if known else name,
        sample=one.sample,
        sha256=row["sha256"],
        row=row,
        failed_for=_find_failure(one, run, row["left_reason"]),
    )
    return Outcome(one.pk, one.revision_id, row["problem"], row["judge"], item)


def _find_failure(one: Attempt, run: GradingRun | None, left: str | None) -> str:
    """Say why a run could not grade an answer; of the one that counts, the answer itself says."""
    if run is None or run.is_adopted:
        return one.failure_reason
    return left or ""


def describe_item(
    *, identifier: str, sample: int, sha256: str, row: dict[str, object], failed_for: str
) -> ReceiptItem:
    """Describe an answer; what decided its outcome, and by which versions, is said here alone."""
    is_graded = row["verdict"] is not None
    is_ruled = row["override"] is not None
    return ReceiptItem.model_validate(
        {
            "id": identifier,
            "sample": sample,
            "response_sha256": sha256,
            "status": "GRADED" if is_graded else "NOT_GRADED" if failed_for else "WAITING",
            "verdict": row["verdict"],
            "accuracy": row["accuracy"],
            "eed": row["eed"],
            "reason": (row["reason"] or "") if is_graded else failed_for,
            "judge_version": row["judge_version"],
            "sympy_version": row["sympy_version"],
            "decided_by": ("person" if is_ruled else "grader") if is_graded else None,
            "automatic_verdict": row["automatic_verdict"] or None,
            "automatic_eed": row["automatic_eed"],
        }
    )


def read_responses(pks: list[int]) -> Iterator[tuple[int, str]]:
    """Yield each of these answers, with what was handed in."""
    found = Attempt.objects.filter(pk__in=pks).order_by("pk")
    yield from found.values_list("pk", "response").iterator(chunk_size=100)
