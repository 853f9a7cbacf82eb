"""Grade what a run has not graded yet, as a worker does it, or a command."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from curation.problems.models import Revision
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.workflow import SolveOutcome
from grading.answers import grader
from grading.answers.grader import Judged
from grading.answers.models import Attempt, Grade
from grading.answers.overriding import find_overrides
from grading.answers.runs.models import GradingRun, Override, Ungraded
from grading.disputes.regrades.actions import list_left, queue
from grading.disputes.regrades.models import RegradedSolve, RegradePart
from grading.disputes.regrades.today import list_solves
from phybench.work import sandbox
from phybench.work.models import Lost
from phybench_grader import GRADER_VERSION, JudgeError, Verdict
from phybench_grader.numbers.sentences import Sentence

AT_ONCE = 50
"""Answers that are graded between two looks at whether the part is still ours."""

Judge = Callable[[Attempt], Judged]
JudgeAll = Callable[[Judge, Sequence[Attempt]], Iterable[Judged]]


def grade_part(part: RegradePart) -> None:
    """
    Grade a claimed part, and have what was answered meanwhile graded after the last one.

    Raises:
        Lost: another worker has it, or the run was decided on.
    """
    if part.is_of_solves:
        _grade_solves(part)
    else:
        # The answers may be another's by now, and kept by it: so nothing is done twice.
        left = list_left(part.run).filter(pk__range=(part.first, part.last))
        take = partial(_take, left, AT_ONCE)
        for _some in _grade(part.run, take, _judge_beside, kept_at_once=AT_ONCE):
            _check_ours(part)
    _end(part)


def give_up(part: RegradePart) -> None:
    """Leave what is left of a part ungraded that takes worker after worker with it."""
    left = list_left(part.run).filter(pk__range=(part.first, part.last))
    if not part.is_of_solves:
        lost = {"reason": "worker_lost", "message": Sentence("grading_lost")}
        rows = [Ungraded(run=part.run, attempt=one, **lost) for one in left.defer("response")]
        Ungraded.objects.bulk_create(rows, ignore_conflicts=True)
    _end(part)


def _check_ours(part: RegradePart) -> None:
    if not part.ours().filter(run__in=GradingRun.objects.proposed()).exists():
        raise Lost(part.pk)


@transaction.atomic
def _end(part: RegradePart) -> None:
    # One after the other: of the last two one finds that none is left.
    GradingRun.objects.select_for_update(no_key=True).get(pk=part.run_id)
    if part.settle(done_at=timezone.now()):
        queue(part.run)


def grade_left(run: GradingRun, *, processes: int) -> Iterator[int]:
    """Grade what is left here and now, and yield how much is done."""

    def judge_beside(judge: Judge, some: Sequence[Attempt]) -> Iterable[Judged]:
        return sandbox.gather(judge, some, children=processes)

    left = list_left(run).filter(revision__in=run.keys.values("revision"))
    done = 0
    # What was answered meanwhile has a key by `begin` only: it waits for the next time.
    # Each is kept as soon as it is there: somebody may stop this.
    for some in _grade(run, partial(_take, left, AT_ONCE * 10), judge_beside, kept_at_once=1):
        done += some
        yield done
    for solve in _list_solves_left(run):
        _keep_solve(run, solve)


def _judge_beside(judge: Judge, some: Sequence[Attempt]) -> Iterable[Judged]:
    with ThreadPoolExecutor(sandbox.CHILDREN) as threads:
        return list(threads.map(judge, some))


def _take(left: QuerySet[Attempt], most: int) -> list[Attempt]:
    return list(left.order_by("pk")[:most])


def _grade(
    run: GradingRun,
    take: Callable[[], list[Attempt]],
    judge_all: JudgeAll,
    *,
    kept_at_once: int,
) -> Iterator[int]:
    """Grade some after some, as `take` returns them; yield how many each time."""
    while some := take():
        # Of answers that came in while the run was graded, too.
        keys = run.find_keys({one.revision_id for one in some})
        overrides = find_overrides(run, some, keys)
        known = grader.find_known_today(run, [one for one in some if one.pk not in overrides])
        copies = [grader.copy(known[one.pk], one, run) for one in some if one.pk in known]
        if copies:
            with transaction.atomic():
                _hold(run)
                Grade.objects.bulk_create(copies, ignore_conflicts=True)
            yield len(copies)
        new = [one for one in some if one.pk not in known]
        judged = zip(new, judge_all(_make_judge(keys, overrides), new), strict=True)
        while pairs := list(islice(judged, kept_at_once)):
            _keep(run, pairs)
            yield len(pairs)


def _hold(run: GradingRun) -> None:
    """See that nobody has decided on a run, nor does until this transaction ends."""
    proposed = GradingRun.objects.proposed().filter(pk=run.pk)
    if not proposed.select_for_update(no_key=True).exists():
        raise Lost(run.pk)


def _make_judge(keys: Mapping[int, Revision], overrides: Mapping[int, Override]) -> Judge:
    references = {pk: key.reference for pk, key in keys.items()}

    def judge(attempt: Attempt) -> Judged:
        override = overrides.get(attempt.pk)
        return grader.judge_timed(references[attempt.revision_id], attempt.response, override)

    return judge


@transaction.atomic
def _keep(run: GradingRun, pairs: Iterable[tuple[Attempt, Judged]]) -> None:
    _hold(run)
    # Somebody else may be at the same run: what is there first stays.
    grades, ungraded = [], []
    for attempt, judged in pairs:
        if isinstance(judged.said, JudgeError):
            why = {"reason": judged.said.reason, "message": judged.said.message}
            ungraded.append(Ungraded(run=run, attempt=attempt, **why))
        else:
            grades.append(grader.write(attempt, run, judged))
    Grade.objects.bulk_create(grades, ignore_conflicts=True)
    Ungraded.objects.bulk_create(ungraded, ignore_conflicts=True)


# --- Reviewers who solved blind ---------------------------------------------------------------


def _list_solves_left(run: GradingRun) -> list[BlindSolve]:
    told = RegradedSolve.objects.filter(run=run).values("solve")
    solves = list_solves(run.benchmark).filter(round__revision__in=run.keys.values("revision"))
    return list(solves.exclude(pk__in=told).select_related("round").order_by("pk"))


def _grade_solves(part: RegradePart) -> None:
    for solve in _list_solves_left(part.run):
        if part.first <= solve.pk <= part.last:
            _keep_solve(part.run, solve)
            _check_ours(part)


def _keep_solve(run: GradingRun, solve: BlindSolve) -> None:
    revision = solve.round.revision_id
    judged = grader.judge_timed(run.find_keys({revision})[revision].reference, solve.answer)
    made = RegradedSolve(run=run, solve=solve, grader_version=GRADER_VERSION)
    if isinstance(judged.said, JudgeError) or judged.said.verdict is Verdict.UNREADABLE:
        made.outcome, made.not_told_reason = SolveOutcome.NOT_TOLD, judged.said.reason
    else:
        is_right = judged.said.verdict is Verdict.CORRECT
        made.outcome = SolveOutcome.AGREES if is_right else SolveOutcome.DISAGREES
        made.eed = judged.said.eed
    RegradedSolve.objects.bulk_create([made], ignore_conflicts=True)
