"""What is worked out of each solver that gave several answers to each problem."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Q
from pydantic import TypeAdapter

from curation.problems.benchmarks.models import Benchmark
from grading.answers.models import Attempt, VerdictChoice, with_grade
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.board.analyses.kinds import AnalysisKind, Result, register_analysis
from grading.board.scaling.models import AnswerSorting
from grading.board.scaling.sorting import queue
from grading.board.scores.collecting import BoardScores, Field
from grading.board.scores.scope import Scope
from grading.submissions.results.rows import WRONG
from phybench_grader.statistics.scaling import Point, Values, average, find_best, find_vote

LEAST_SHARE = 0.9
"""Of the problems; there is a point at k only where more have at least k answers."""
ALL_UP_TO = 8
"""Samples, from which on only doubles have a point, and the largest number."""


@dataclass(frozen=True, slots=True)
class Curves:
    """What k of a solver's answers come to, for some k."""

    samples: int
    """Answers to the problem that has most of them."""
    most: int
    """The largest k that there is a point at."""
    ungraded: int = 0
    """Answers that we could not grade: left out."""
    pass_at: list[Point] = field(default_factory=list)
    best_eed: list[Point] = field(default_factory=list)
    vote: list[Point] = field(default_factory=list)
    """Empty until all wrong answers are sorted."""
    sorted_problems: int = 0
    to_sort: int = 0
    """Problems whose wrong answers have to be sorted before there is a vote."""
    compared: int = 0
    """Wrong answers that could be read."""
    not_compared: int = 0
    """Of these, those of which it stays open whether they equal others."""


@dataclass(frozen=True, slots=True)
class ScalingFigures:
    rows: dict[int, Curves] = field(default_factory=dict)
    """By submission; those with one answer a problem are in none."""
    single: int = 0
    """Solvers with one answer a problem."""
    waiting: int = 0
    """Solvers of which answers are still being graded."""


KEPT = TypeAdapter(ScalingFigures)


@dataclass(slots=True)
class Given:
    """The answers to one problem."""

    accuracy: list[float] = field(default_factory=list)
    eed: list[float] = field(default_factory=list)
    labels: list[int | None] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)
    """Those that could be read and are not right, by number."""
    revision: int = 0

    def add(self, pk: int, verdict: str | None, accuracy: float | None, eed: float | None) -> None:
        self.accuracy.append(math.nan if accuracy is None else accuracy)
        self.eed.append(math.nan if eed is None else eed)
        is_wrong = verdict in WRONG
        # Those that are right are one group, and no answer has the number 0.
        self.labels.append(pk if is_wrong else (0 if verdict == VerdictChoice.CORRECT else None))
        if is_wrong:
            self.wrong.append(pk)

    def fill(self, samples: int) -> None:
        """Add what the solver did not give: it is 0, and says nothing in a vote."""
        lacking = samples - len(self.accuracy)
        self.accuracy += [0.0] * lacking
        self.eed += [0.0] * lacking
        self.labels += [None] * lacking


def work_out(board: BoardScores) -> Result:
    result: Result = KEPT.dump_python(_work_out(board), mode="json")
    return result


def _work_out(board: BoardScores) -> ScalingFigures:
    several = [one for one in board.field.standing if board.of[one.submission.pk].samples > 1]
    single = len(board.of) - len(several)
    finished = [one.submission.pk for one in several if not one.waiting]
    if not board.scope.is_told or not finished:
        return ScalingFigures(single=single, waiting=len(several) - len(finished))
    given = _collect(finished, board.scope.problems, board.scope.benchmark)
    sortings = _have_sorted(board.scope.benchmark, given)
    rows = {pk: _describe(given[pk], sortings[pk]) for pk in finished}
    return ScalingFigures(rows, single, len(several) - len(finished))


def describe_one(submission: Submission, problems: Sequence[int]) -> Curves:
    """
    Say what more samples of one submission come to, on a board or not.

    Problems without any answer count 0 at once, so with one sample it is the submission's figure.
    What its wrong answers say is sorted by a worker, when there is nothing else to do.
    """
    given = _collect([submission.pk], problems, submission.benchmark)
    sortings = _have_sorted(submission.benchmark, given)
    return _describe(given[submission.pk], sortings[submission.pk], least=0.0)


def _have_sorted(
    benchmark: Benchmark, given: Mapping[int, Mapping[int, Given]]
) -> Mapping[int, dict[int, AnswerSorting]]:
    """Return what wrong answers say by submission and revision; what is not known is queued."""
    run = GradingRun.objects.get_adopted(benchmark.pk)
    sortings = _find_sortings(run, given)
    wanted = {
        (pk, one.revision)
        for pk, problems in given.items()
        for one in problems.values()
        if len(one.wrong) > 1
    }
    if missing := wanted - sortings.keys():
        # Nobody is woken for it: the clock finds it, when there is nothing else to do.
        queue(run, sorted(missing))
    by_submission: dict[int, dict[int, AnswerSorting]] = defaultdict(dict)
    for (pk, revision), one in sortings.items():
        by_submission[pk][revision] = one
    return by_submission


def _collect(
    submissions: Iterable[int], problems: Sequence[int], benchmark: Benchmark
) -> dict[int, dict[int, Given]]:
    found = {pk: {problem: Given() for problem in problems} for pk in submissions}
    attempts = Attempt.objects.filter(submission__in=found)
    rows = with_grade(attempts, benchmark=benchmark).order_by("pk")
    for pk, submission, revision, problem, verdict, accuracy, eed in rows.values_list(
        *("pk", "submission_id", "revision_id", "revision__problem_id"),
        *("verdict", "accuracy", "eed"),
    ).iterator():
        if one := found[submission].get(problem):
            one.revision = revision
            one.add(pk, verdict, accuracy, eed)
    return found


def _find_sortings(
    run: GradingRun, submissions: Iterable[int]
) -> dict[tuple[int, int], AnswerSorting]:
    rows = AnswerSorting.objects.filter(run=run, submission__in=list(submissions))
    return {(one.submission_id, one.revision_id): one for one in rows}


def _describe(
    given: dict[int, Given], sortings: dict[int, AnswerSorting], *, least: float = LEAST_SHARE
) -> Curves:
    counts = [len(one.accuracy) for one in given.values()]
    samples = max(counts, default=0)
    few = least * len(counts)
    enough = [k for k in range(1, samples + 1) if sum(n >= k for n in counts) > few]
    most = max(enough, default=0)
    numbers = _choose_numbers(most)
    to_sort = [one for one in given.values() if len(one.wrong) > 1]
    done = [one for one in to_sort if (row := sortings.get(one.revision)) and row.done_at]
    not_compared = sum(_label(one, sortings[one.revision]) for one in done)
    ungraded = sum(math.isnan(value) for one in given.values() for value in one.accuracy)
    compared = sum(len(one.wrong) for one in given.values())
    for one in given.values():
        one.fill(samples)
    best = [find_best(one.accuracy) for one in given.values()]
    eed = [find_best(one.eed) for one in given.values()]
    vote = [find_vote(one.labels, one.accuracy) for one in given.values()]
    return Curves(
        samples=samples,
        most=most,
        ungraded=ungraded,
        pass_at=_average(best, numbers),
        best_eed=_average(eed, numbers),
        vote=_average(vote, numbers) if len(done) == len(to_sort) else [],
        sorted_problems=len(done),
        to_sort=len(to_sort),
        compared=compared,
        not_compared=not_compared,
    )


def _choose_numbers(most: int) -> list[int]:
    """
    Choose the numbers of samples that have a point.

    >>> _choose_numbers(20)
    [1, 2, 3, 4, 5, 6, 7, 8, 16, 20]
    """
    doubles = {2**power for power in range(most.bit_length())}
    return sorted(k for k in {*range(1, ALL_UP_TO + 1), *doubles, most} if 1 <= k <= most)


def _label(given: Given, sorting: AnswerSorting) -> int:
    """Give equal answers one label; return how many are not known to differ from the others."""
    label = {pk: group[0] for group in sorting.groups for pk in group}
    apart = [pk for pk in given.wrong if pk not in label]
    given.labels = [label.get(one, one) if one else one for one in given.labels]
    # Those that came to be wrong since are apart, too.
    return sorting.not_compared + len(apart)


def _average(problems: Iterable[Values], numbers: Iterable[int]) -> list[Point]:
    values = list(problems)
    return [average(values, k) for k in numbers]


def _find_more(scope: Scope, field: Field) -> object:
    """Say of which submissions all wrong answers are sorted, and on how many problems."""
    sortings = AnswerSorting.objects.filter(
        submission__in=field.submissions, run__in=GradingRun.objects.adopted()
    )
    counted = (
        sortings.order_by()
        .values("submission")
        .annotate(left=Count("pk", filter=Q(done_at=None)), problems=Count("pk"))
    )
    return sorted(counted.filter(left=0).values_list("submission", "problems"))


def _is_whole(result: Result) -> bool:
    """Whether each solver has its vote."""
    rows = KEPT.validate_python(result).rows.values()
    return all(one.sorted_problems == one.to_sort for one in rows)


SCALING = register_analysis(
    AnalysisKind("scaling", work_out, version=2, find_more=_find_more, is_whole=_is_whole)
)
