"""
Grade attempts: judge them in child processes, keep what the judge said.

Doing it twice changes nothing: a grade is written by who holds the attempt (`phybench.work`).
"""

import dataclasses
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import sympy
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.models import Revision
from curation.problems.people.models import Contribution, ContributionKind
from curation.texts.references.reference import Reference
from grading.answers.known import find_known, find_wrong
from grading.answers.models import NOT_GRADED, Attempt, Grade
from grading.answers.overriding import find_overrides, overrule
from grading.answers.runs.models import GradingRun, Override
from grading.answers.symbolic import judge, judge_if_quick
from grading.answers.tallies.keeping import keep_scores
from phybench.work import budgets, sandbox
from phybench.work.models import Priority, settle_all
from phybench_grader import GRADER_VERSION, JudgeError, Verdict
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.verdict.declarations import Undeclarable
from phybench_grader.verdict.grade import GradedAnswer

Result = TypeVar("Result")

JUDGE = "symbolic"
BEHIND = timedelta(minutes=10)
"""Verdicts of what is sent meanwhile come before a distance; so none waits for ever."""
BATCH_SECONDS = 2.0
"""How long a worker goes on beginning to judge what it took together."""


def grade(attempt: Attempt) -> None:
    """Judge a claimed attempt. A failure of ours leaves it ungraded with a reason, never a 0."""
    _grade([attempt])


def grade_all(attempts: Sequence[Attempt]) -> None:
    """
    Judge claimed attempts, several at a time, and let go of those not begun after `BATCH_SECONDS`.

    So neither who waits for this worker nor another answer waits long behind one that is slow. Of
    a long one in a file that is wrong only this verdict is found at first: its EED takes ten times
    as long, and is measured when no verdict is waited for any more, or `BEHIND` is over.
    """
    _grade(attempts, verdicts_first=True)


def _grade(attempts: Sequence[Attempt], *, verdicts_first: bool = False) -> None:
    by_benchmark: dict[int, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        by_benchmark[attempt.revision.problem.benchmark_id].append(attempt)
    alike = [
        one
        for benchmark, theirs in by_benchmark.items()
        for one in _prepare(
            GradingRun.objects.get_adopted(benchmark), theirs, verdicts_first=verdicts_first
        )
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
    """What counts of a response, and how long that took."""

    said: GradedAnswer | JudgeError
    seconds: float
    override: Override | None = None
    """A person's ruling, where it is otherwise than what the grader says."""
    automatic: GradedAnswer | JudgeError | None = None
    """What the grader says, beside a ruling."""


@dataclass(frozen=True, slots=True)
class _Alike:
    """Attempts that are one to the judge: the same words, graded by the same key."""

    run: GradingRun
    key: Revision
    attempts: list[Attempt]
    override: Override | None
    verdict_first: bool
    """Whether a wrong one waits again, for its distance to be measured."""

    def judge(self) -> Judged | None:
        """Judge it; None where it is wrong, and its distance is to be measured later."""
        response = self.attempts[0].response
        if not self.verdict_first:
            return judge_timed(self.key.reference, response, self.override)
        started = time.monotonic()
        said = _judge(judge_if_quick, self.key.reference, response)
        return None if said is None else Judged(said, time.monotonic() - started)


def _prepare(run: GradingRun, attempts: Sequence[Attempt], *, verdicts_first: bool) -> list[_Alike]:
    """Grade what was graded before, and put together what is still to be judged."""
    keys = run.find_keys({one.revision_id for one in attempts})
    overrides = find_overrides(run, attempts, keys)
    known = find_known_today(run, [one for one in attempts if one.pk not in overrides])
    if known:
        _keep_all(run, [copy(known[one.pk], one, run) for one in attempts if one.pk in known])
    alike: dict[tuple[int, str, bool], _Alike] = {}
    first = {
        one.pk
        for one in attempts
        if verdicts_first and one.submission_id and not one.wrong_at and one.pk not in overrides
    }
    wrong = find_wrong(one for one in attempts if one.pk in first and one.pk not in known)
    _put_off(run, [one for one in attempts if one.pk in wrong])
    for one in attempts:
        if one.pk not in known and one.pk not in wrong:
            is_first = one.pk in first
            words = one.revision_id, one.response, is_first
            empty = _Alike(run, keys[one.revision_id], [], overrides.get(one.pk), is_first)
            alike.setdefault(words, empty).attempts.append(one)
    return list(alike.values())


def find_known_today(run: GradingRun, attempts: Sequence[Attempt]) -> dict[int, Grade]:
    """Find what the grader of today said before, of the same answers by the same keys."""
    versions = {"judge_version": GRADER_VERSION, "sympy_version": sympy.__version__}
    return find_known(run, attempts, judge=JUDGE, **versions)


def _let_go(alike: Iterable[_Alike]) -> None:
    settle_all([one for each in alike for one in each.attempts], status=Attempt.Status.QUEUED)


def _settle(judged: Sequence[tuple[_Alike, Judged | None]]) -> None:
    by_run: dict[GradingRun, list[Grade]] = defaultdict(list)
    wrong: dict[GradingRun, list[Attempt]] = defaultdict(list)
    failed: dict[GradingRun, list[tuple[Attempt, JudgeError]]] = defaultdict(list)
    for one, outcome in judged:
        if outcome is None:
            wrong[one.run] += one.attempts
            continue
        first, *others = one.attempts
        if first.priority == Priority.NOW and first.solver.user_id:
            # Who answers a problem waits for it; files have limits of their own.
            person = budgets.name_person(first.solver.user_id)
            budgets.spend(person, seconds=outcome.seconds)
        if isinstance(outcome.said, JudgeError):
            failed[one.run].append((first, outcome.said))
            # It may have been for a reason that passes: each of the others is tried by itself.
            settle_all(others, status=Attempt.Status.QUEUED)
        else:
            made = write(first, one.run, outcome)
            by_run[one.run] += [made, *(copy(made, other, one.run) for other in others)]
    for run, grades in by_run.items():
        _keep_all(run, grades)
    for run, attempts in wrong.items():
        _put_off(run, attempts)
    for run, failures in failed.items():
        _fail_all(run, failures)


def judge_timed(reference: Reference, response: str, override: Override | None = None) -> Judged:
    """
    Judge a response by a key, and say how long it took; what is ours is said, not raised.

    A person's ruling counts in place of what the grader says, where that is something else.
    """
    started = time.monotonic()
    automatic = _judge(judge, reference, response)
    said = automatic
    if override is not None:
        reread = _judge(judge, reference, override.read_as) if override.read_as else automatic
        said = overrule(override, automatic, reread)
    seconds = time.monotonic() - started
    if said is automatic:
        return Judged(said, seconds)
    return Judged(said, seconds, override, automatic)


def _judge(by: Callable[..., Result], reference: Reference, response: str) -> Result | JudgeError:
    try:
        return _judge_by(by, reference, response)
    except JudgeError as error:
        return error


def judge_by(reference: Reference, response: str) -> GradedAnswer:
    """Judge a response by a key. Raises `JudgeError` for what is ours."""
    return _judge_by(judge, reference, response)


def _judge_by(by: Callable[..., Result], reference: Reference, response: str) -> Result:
    try:
        declared = reference.question
    except Undeclarable as error:
        raise JudgeError("reference_unreadable", error.message) from None
    seconds = settings.GRADING_DEADLINE_SECONDS
    return by(response, reference.answer, declared=declared, deadline=seconds)


def keep(attempt: Attempt, run: GradingRun, judgement: GradedAnswer, *, seconds: float) -> None:
    """Write the grade down, unless another worker has taken the attempt over meanwhile."""
    _keep_all(run, [write(attempt, run, Judged(judgement, seconds))])


@transaction.atomic
def _put_off(run: GradingRun, attempts: Sequence[Attempt]) -> None:
    """Have wrong answers wait for their distance as if they had been sent `BEHIND` from now."""
    if attempts:
        found = {"wrong_at": Now(), "queued_at": Now() + BEHIND} if run.hold() else {}
        settle_all(attempts, status=Attempt.Status.QUEUED, **found)


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
    _keep_scores([one.attempt for one in kept])


def _keep_scores(settled: Iterable[Attempt]) -> None:
    keep_scores({one.submission_id for one in settled if one.submission_id is not None})


def write(attempt: Attempt, run: GradingRun, judged: Judged) -> Grade:
    """Make the row that says what the grader of today said, and what a person ruled."""
    judgement = judged.said
    assert isinstance(judgement, GradedAnswer)
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
        seconds=judged.seconds,
        override=judged.override,
        **_describe_automatic(judged.automatic),
    )


def _describe_automatic(automatic: GradedAnswer | JudgeError | None) -> dict[str, Any]:
    if automatic is None:
        return {}
    if isinstance(automatic, JudgeError):
        return {"automatic_verdict": NOT_GRADED}
    return {"automatic_verdict": automatic.verdict.value, "automatic_eed": automatic.eed}


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
    # A person may also hand in a file; only what they answered themselves is a solution. What was
    # answered in a study counts under a pseudonym, and its page tells what came of it.
    person = attempt.solver.user if attempt.origin == Attempt.Origin.OUTSIDE else None
    if not person:
        return
    # Their contributions and the board tell it, whether they open the answer's page or not.
    ledger.write_verdicts(person, Reason.GRADE, [attempt.revision_id])
    if verdict == Verdict.CORRECT:
        Contribution.objects.record(ContributionKind.SOLVED, [person], attempt.revision)


def fail(attempt: Attempt, reason: str, message: Sentence, run: GradingRun | None = None) -> None:
    """Leave the attempt ungraded, and say why."""
    run = run or GradingRun.objects.get_adopted(attempt.revision.problem.benchmark_id)
    _fail_all(run, [(attempt, JudgeError(reason, message))])


@transaction.atomic
def _fail_all(run: GradingRun, failures: Sequence[tuple[Attempt, JudgeError]]) -> None:
    """
    Leave attempts ungraded, each for its reason.

    Where another run was adopted meanwhile, what it says counts: it is asked again, or has a grade.
    """
    attempts = [attempt for attempt, _error in failures]
    if not run.hold():
        settle_all(attempts, status=Attempt.Status.QUEUED)
        return
    of_run = Grade.objects.filter(run=run, attempt__in=attempts)
    graded = set(of_run.values_list("attempt", flat=True))
    settle_all([one for one in attempts if one.pk in graded], status=Attempt.Status.GRADED)
    alike: dict[tuple[str, Sentence], list[Attempt]] = defaultdict(list)
    for attempt, error in failures:
        if attempt.pk not in graded:
            alike[error.reason, error.message].append(attempt)
    for (reason, message), some in alike.items():
        failed = {"failure_reason": reason, "failure_message": message}
        settle_all(some, status=Attempt.Status.FAILED, **failed)
    _keep_scores(attempts)


def give_up(attempt: Attempt) -> None:
    """Leave an attempt ungraded that takes worker after worker with it."""
    fail(attempt, "worker_lost", Sentence("grading_lost"))
