"""
Look at the keys of accepted problems beside the answers they got, and keep what speaks up.

The answers are those of models, of participants, and of reviewers who solved a problem blind.
"""

from collections import defaultdict
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from statistics import mean

from django.conf import settings
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem, Revision, RevisionQuerySet
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.workflow import SolveOutcome
from grading.answers.models import Attempt, VerdictChoice, with_grade
from grading.answers.runs.models import GradingRun, RunKey
from grading.disputes.keys.models import KeyCheck
from grading.disputes.keys.radar import AnswerGroup, Solved, compare_halves, find_doubts
from grading.disputes.regrades.models import RegradedSolve
from phybench.work import sandbox
from phybench_grader.verdict.clusters import group_answers
from phybench_grader.verdict.declarations import Undeclarable
from phybench_grader.verdict.references import list_readings_of


@dataclass(slots=True)
class Answered:
    """What one revision was answered, as far as it is graded."""

    names: dict[int, str] = field(default_factory=dict)
    accuracies: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Of each solver, those of their answers."""
    right: list[int] = field(default_factory=list)
    """The solver of each right answer."""
    other: list[tuple[int, str]] = field(default_factory=list)
    """Solver and response of each that could be read and is not right."""
    unread: int = 0
    last_grade: int = 0
    blind_solves: int = 0
    """Those of reviewers, which are among the answers above. See `_as_solver`."""


def scan_all() -> int:
    """Check every key that got answers since it was last checked; return how many were."""
    return sum(scan(benchmark) for benchmark in Benchmark.objects.all())


def scan(benchmark: Benchmark) -> int:
    """Check the keys of one benchmark that got answers since; return how many were checked."""
    answered = _load(benchmark)
    _add_blind_solves(answered, benchmark)
    checked = KeyCheck.objects.filter(revision__in=answered)
    if adopted := GradingRun.objects.adopted().filter(benchmark=benchmark).first():
        # Another run says something else of blind solves, too, which have no grades.
        checked = checked.filter(computed_at__gte=adopted.adopted_at)
    known = {
        pk: (last_grade, blind_solves)
        for pk, last_grade, blind_solves in checked.values_list(
            "revision", "last_grade", "blind_solves"
        )
    }
    changed = [
        pk for pk, one in answered.items() if known.get(pk) != (one.last_grade, one.blind_solves)
    ]
    for revision in Revision.objects.filter(pk__in=changed):
        _check(revision, answered)
    return len(changed)


def _list_asked(benchmark: Benchmark) -> RevisionQuerySet:
    """Return the revisions that are answered now."""
    return Revision.objects.current().filter(
        problem__in=Problem.objects.accepted().filter(benchmark=benchmark)
    )


def _load(benchmark: Benchmark) -> dict[int, Answered]:
    """Fetch all graded answers to what is asked now, in one query."""
    asked = _list_asked(benchmark)
    counts = Q(submission=None) | Q(submission__withdrawn_at=None)
    # Of a key with two readings an answer is left to a person that equals the other one.
    says = Q(status=Attempt.Status.GRADED) | Q(failure_reason="reference_ambiguous")
    attempts = with_grade(Attempt.objects.filter(counts, says, revision__in=asked))
    answered: dict[int, Answered] = defaultdict(Answered)
    for attempt in attempts.annotate(grade=F("current_grade")).select_related("solver"):
        one = answered[attempt.revision_id]
        if attempt.status != Attempt.Status.GRADED:
            continue
        one.names[attempt.solver_id] = attempt.solver.name
        one.accuracies[attempt.solver_id].append(attempt.accuracy or 0.0)
        one.last_grade = max(one.last_grade, attempt.grade)
        if attempt.verdict == VerdictChoice.CORRECT:
            one.right.append(attempt.solver_id)
        elif attempt.verdict == VerdictChoice.UNREADABLE:
            one.unread += 1
        else:
            one.other.append((attempt.solver_id, attempt.response))
    return answered


def _add_blind_solves(answered: dict[int, Answered], benchmark: Benchmark) -> None:
    """
    Add what reviewers answered before they saw the key, where it is still the key.

    That is over the revision that is asked now and over earlier ones, in whichever round. What
    could not be told, and where no answer was given, says nothing. Where the run that counts has
    graded them anew, what it says counts.
    """
    told = [SolveOutcome.AGREES, SolveOutcome.DISAGREES]
    adopted = GradingRun.objects.adopted()
    regraded = RegradedSolve.objects.filter(solve=OuterRef("pk"), run__in=adopted)
    keys = RunKey.objects.in_use().filter(revision=OuterRef("round__revision"))
    solves = list(
        BlindSolve.objects.annotate(
            anew=Subquery(regraded.values("outcome")[:1]),
            now=Coalesce("anew", "outcome"),
            by_key=Subquery(keys.values("key")[:1]),
        )
        .filter(now__in=told, round__revision__problem__in=_list_asked(benchmark).values("problem"))
        .select_related("round__revision")
        .order_by("pk")
    )
    if not solves:
        return
    problems = {solve.round.revision.problem_id for solve in solves}
    current = {one.problem_id: one for one in _list_asked(benchmark).filter(problem__in=problems)}
    for solve in solves:
        revision = current[solve.round.revision.problem_id]
        is_by_its_key = solve.anew is not None and solve.by_key == revision.pk
        if not is_by_its_key and not _have_one_key(revision, solve.round.revision):
            continue
        one, solver = answered[revision.pk], _as_solver(solve)
        one.blind_solves += 1
        is_right = solve.now == SolveOutcome.AGREES
        one.accuracies[solver].append(100.0 if is_right else 0.0)
        if is_right:
            one.right.append(solver)
        else:
            one.other.append((solver, solve.answer))


def _have_one_key(one: Revision, other: Revision) -> bool:
    """Whether answers to one are answers to the other: key and declared symbols are equal."""
    return one.pk == other.pk or (
        one.answer == other.answer and one.reference.question == other.reference.question
    )


def _as_solver(solve: BlindSolve) -> int:
    """Give a reviewer who solved blind a number of their own: those of models are above 0."""
    return -solve.reviewer_id


def _check(revision: Revision, answered: dict[int, Answered]) -> None:
    one = answered[revision.pk]
    groups, left_out = _group(revision, one)
    solved = [
        Solved(here=mean(accuracies), elsewhere=_measure_elsewhere(solver, revision.pk, answered))
        for solver, accuracies in one.accuracies.items()
    ]
    halves = compare_halves(solved)
    KeyCheck.objects.update_or_create(
        revision=revision,
        defaults={
            "doubts": [doubt.value for doubt in find_doubts(groups, solved)],
            "groups": [_describe(group, one.names) for group in groups],
            "strong": halves.strong if halves else None,
            "weak": halves.weak if halves else None,
            "in_half": halves.each if halves else 0,
            "solvers": len(solved),
            "unread": one.unread + left_out,
            "last_grade": one.last_grade,
            "blind_solves": one.blind_solves,
            "computed_at": timezone.now(),
        },
    )


def _measure_elsewhere(solver: int, revision: int, answered: dict[int, Answered]) -> float | None:
    """Average a solver's accuracy over the other revisions they answered."""
    others = [
        mean(one.accuracies[solver])
        for pk, one in answered.items()
        if pk != revision and solver in one.accuracies
    ]
    return mean(others) if others else None


def _group(revision: Revision, one: Answered) -> tuple[list[AnswerGroup], int]:
    """Group the answers; those that are right are one group. Return how many are in none, too."""
    readings = _read_key(revision)
    right = frozenset(one.right)
    groups = [AnswerGroup(revision.answer, right, len(one.right), True, readings)]
    responses = [response for _, response in one.other]
    try:
        found = sandbox.run(
            group_answers,
            responses,
            declared=revision.reference.question,
            deadline=settings.KEY_CHECK_DEADLINE_SECONDS,
        )
    except (sandbox.Stopped, Undeclarable):
        return groups, len(responses)
    except CancelledError:
        raise
    for group in found:
        solvers = frozenset(one.other[member][0] for member in group.members)
        groups.append(AnswerGroup(group.latex, solvers, len(group.members), is_key=False))
    grouped = sum(len(group.members) for group in found)
    return sorted(groups, key=lambda group: -len(group.solvers)), len(responses) - grouped


def _read_key(revision: Revision) -> tuple[str, ...]:
    """List what a key may mean; nothing where that can't be told."""
    try:
        found = sandbox.run(
            list_readings_of,
            "",
            revision.answer,
            declared=revision.reference.question,
            deadline=settings.KEY_CHECK_DEADLINE_SECONDS,
        )
    except (sandbox.Stopped, Undeclarable):
        return ()
    return found.reference


def _describe(group: AnswerGroup, names: dict[int, str]) -> dict[str, object]:
    """Describe a group for the evidence; who solved blind is counted there without a name."""
    named = [names[solver] for solver in group.solvers if solver in names]
    return {
        "latex": group.latex,
        "solvers": sorted(named),
        "blind_solves": len(group.solvers) - len(named),
        "answers": group.answers,
        "is_key": group.is_key,
        **({"readings": group.readings} if len(group.readings) > 1 else {}),
    }
