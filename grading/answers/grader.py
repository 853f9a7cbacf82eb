"""
Grade attempts: judge them in child processes, keep what the judge said.

Doing it twice changes nothing: a grade is written by who holds the attempt (`phybench.work`).
"""

import dataclasses
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass

import sympy
from django.conf import settings
from django.db import transaction

from curation.exposures import ledger
from curation.exposures.ledger import Reason
from curation.people import contributions
from curation.problems.models import Revision
from curation.references.reference import Reference
from grading.answers.known import find_known
from grading.answers.models import Attempt, Grade
from grading.answers.symbolic import judge
from grading.expressions import (
    GRADER_VERSION,
    GradedAnswer,
    JudgeError,
    Sentence,
    Undeclarable,
    Verdict,
)
from grading.runs.models import GradingRun
from phybench import sandbox
from phybench.work.models import settle_all

JUDGE = "symbolic"
BATCH_SECONDS = 2.0
"""How long a worker goes on beginning to judge what it took together."""


def grade(attempt: Attempt) -> None:
    """Judge a claimed attempt. A failure of ours leaves it ungraded with a reason, never a 0."""
    grade_all([attempt])


def grade_all(attempts: Sequence[Attempt]) -> None:
    """
    Judge claimed attempts, several at a time, and let go of those not begun after `BATCH_SECONDS`.

    So neither who waits for this worker nor another answer waits long behind one that is slow.
    """
    by_benchmark: dict[int, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        by_benchmark[attempt.revision.problem.benchmark_id].append(attempt)
    alike = [
        one
        for benchmark, theirs in by_benchmark.items()
        for one in _prepare(GradingRun.objects.get_adopted(benchmark), theirs)
    ]
    with ThreadPoolExecutor(sandbox.CHILDREN) as threads:
        asked = {threads.submit(one.judge): one for one in alike}
        try:
            done, late = wait(asked, timeout=BATCH_SECONDS)
            begun = {future for future in late if not future.cancel()}
            _let_go([asked[future] for future in late - begun])
            _settle([(asked[future], future.result()) for future in done])
            for future in as_completed(begun):
                _settle([(asked[future], future.result())])
        finally:
            for future in asked:
                future.cancel()


@dataclass(frozen=True, slots=True)
class Judged:
    """What was said of a response, and how long that took."""

    said: GradedAnswer | JudgeError
    seconds: float


@dataclass(frozen=True, slots=True)
class _Alike:
    """Attempts that are one to the judge: the same words, graded by the same key."""

    run: GradingRun
    key: Revision
    attempts: list[Attempt]

    def judge(self) -> Judged:
        return judge_timed(self.key.reference, self.attempts[0].response)


def _prepare(run: GradingRun, attempts: Sequence[Attempt]) -> list[_Alike]:
    """Grade what was graded before, and put together what is still to be judged."""
    keys = run.find_keys({one.revision_id for one in attempts})
    known = find_known(
        run,
        attempts,
        judge=JUDGE,
        judge_version=GRADER_VERSION,
        sympy_version=sympy.__version__,
    )
    if known:
        _keep_all(run, [copy(known[one.pk], one, run) for one in attempts if one.pk in known])
    alike: dict[tuple[int, str], _Alike] = {}
    for one in attempts:
        if one.pk not in known:
            words = one.revision_id, one.response
            alike.setdefault(words, _Alike(run, keys[one.revision_id], [])).attempts.append(one)
    return list(alike.values())


def _let_go(alike: Iterable[_Alike]) -> None:
    settle_all([one for each in alike for one in each.attempts], status=Attempt.Status.QUEUED)


def _settle(judged: Sequence[tuple[_Alike, Judged]]) -> None:
    by_run: dict[GradingRun, list[Grade]] = defaultdict(list)
    for one, outcome in judged:
        first, *others = one.attempts
        if isinstance(outcome.said, JudgeError):
            fail(first, outcome.said.reason, outcome.said.message)
            # It may have been for a reason that passes: each of the others is tried by itself.
            settle_all(others, status=Attempt.Status.QUEUED)
        else:
            made = write(first, one.run, outcome.said, seconds=outcome.seconds)
            by_run[one.run] += [made, *(copy(made, other, one.run) for other in others)]
    for run, grades in by_run.items():
        _keep_all(run, grades)


def judge_timed(reference: Reference, response: str) -> Judged:
    """Judge a response by a key, and say how long it took; what is ours is said, not raised."""
    started = time.monotonic()
    said: GradedAnswer | JudgeError
    try:
        said = judge_by(reference, response)
    except JudgeError as error:
        said = error
    return Judged(said, time.monotonic() - started)


def judge_by(reference: Reference, response: str) -> GradedAnswer:
    """Judge a response by a key. Raises `JudgeError` for what is ours."""
    try:
        declared = reference.question
    except Undeclarable as error:
        raise JudgeError("reference_unreadable", error.message) from None
    return judge(
        response, reference.answer, declared=declared, deadline=settings.GRADING_DEADLINE_SECONDS
    )


def keep(attempt: Attempt, run: GradingRun, judgement: GradedAnswer, *, seconds: float) -> None:
    """Write the grade down, unless another worker has taken the attempt over meanwhile."""
    _keep_all(run, [write(attempt, run, judgement, seconds=seconds)])


@transaction.atomic
def _keep_all(run: GradingRun, grades: Sequence[Grade]) -> None:
    """Write grades down, but not of attempts that another worker has taken over meanwhile."""
    attempts = [one.attempt for one in grades]
    if not run.hold():
        # Another run was adopted meanwhile, which may go by another key.
        settle_all(attempts, status=Attempt.Status.QUEUED)
        return
    ours = {one.pk for one in settle_all(attempts, status=Attempt.Status.GRADED)}
    kept = [one for one in grades if one.attempt.pk in ours]
    # It may have been in the run already, which is of one mind about an answer.
    Grade.objects.bulk_create(kept, ignore_conflicts=True)
    for one in kept:
        credit(one.attempt, one.verdict)


def write(attempt: Attempt, run: GradingRun, judgement: GradedAnswer, *, seconds: float) -> Grade:
    """Make the row that says what the grader of today said."""
    return Grade(
        run=run,
        attempt=attempt,
        judge=JUDGE,
        judge_version=GRADER_VERSION,
        verdict=judgement.verdict.value,
        accuracy=judgement.accuracy,
        eed=judgement.eed,
        distance=judgement.distance,
        size=judgement.size,
        relative=judgement.relative,
        reference_read=judgement.reference_read,
        answer_read=judgement.answer_read,
        reference_typed=judgement.reference_typed,
        answer_typed=judgement.answer_typed,
        notes=[note.write() for note in judgement.notes],
        edits=[dataclasses.asdict(edit) for edit in judgement.edits],
        trees=judgement.trees and judgement.trees.write(),
        answer_start=judgement.answer_start,
        answer_end=judgement.answer_end,
        reason=judgement.reason,
        message=judgement.message,
        sympy_version=sympy.__version__,
        seconds=seconds,
    )


def copy(grade: Grade, attempt: Attempt, run: GradingRun) -> Grade:
    """
    Say of an attempt what was said of another that is the same to the judge.

    Also how long it took: nothing tells that somebody answered the same before.
    """
    own = {"id", "run", "attempt", "created_at"}
    fields = [one.name for one in Grade._meta.concrete_fields if one.name not in own]
    return Grade(run=run, attempt=attempt, **{name: getattr(grade, name) for name in fields})


def credit(attempt: Attempt, verdict: str) -> None:
    """Give a person the solution that their answer is, if it is one; they are told what it is."""
    # A person may also hand in a file; only what they answered themselves is a solution.
    person = attempt.solver.user if attempt.submission_id is None else None
    if not person:
        return
    # Their contributions and the board tell it, whether they open the answer's page or not.
    ledger.write_verdicts(person, Reason.GRADE, [attempt.revision_id])
    if verdict == Verdict.CORRECT:
        contributions.record_solution(person, attempt.revision)


def fail(attempt: Attempt, reason: str, message: Sentence) -> None:
    """Leave the attempt ungraded, and say why."""
    attempt.settle(status=Attempt.Status.FAILED, failure_reason=reason, failure_message=message)


def give_up(attempt: Attempt) -> None:
    """Leave an attempt ungraded that takes worker after worker with it."""
    fail(attempt, "worker_lost", Sentence("grading_lost"))
