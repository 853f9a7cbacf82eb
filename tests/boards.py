"""Boards of given scores, written straight into the tables: hundreds of answers in a second."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem, Revision
from curation.versions.models import BenchmarkVersion
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.solvers.models import Solver
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.organisations import organisation_of
from tests.versions import publish_version

UNREADABLE, NOT_GRADED, MISSING = "unreadable", None, "missing"
Score = float | str | None
"""EED of an answer, 0 to 100, or what became of it."""
DOMAINS = ("MECHANICS", "ELECTRICITY", "THERMODYNAMICS", "OPTICS", "MODERN", "ADVANCED")


class MadeBoard(NamedTuple):
    benchmark: Benchmark
    version: BenchmarkVersion
    problems: list[Problem]
    submissions: dict[str, Submission]


def make_problems(benchmark: Benchmark, count: int) -> list[Problem]:
    """Make accepted problems; their domains take turns."""
    now = timezone.now()
    problems = Problem.objects.bulk_create(
        Problem(
            benchmark=benchmark,
            title=f"Problem {number}",
            domain=DOMAINS[number % len(DOMAINS)],
            difficulty="OLYMPIAD" if number % 2 else "UNDERGRADUATE",
        )
        for number in range(count)
    )
    # As long as real ones: what a page needn't read is to be there.
    revisions = Revision.objects.bulk_create(
        Revision(
            problem=one,
            number=1,
            statement="What comes of it? " * 60,
            answer="m g h",
            solution="It follows. " * 150,
            submitted_at=now,
        )
        for one in problems
    )
    for problem, revision in zip(problems, revisions, strict=True):
        problem.accepted_revision, problem.accepted_at, problem.status = revision, now, "ACCEPTED"
    Problem.objects.bulk_update(problems, ["accepted_revision", "accepted_at", "status"])
    return problems


def make_scored_board(
    solvers: Mapping[str, Sequence[Sequence[Score]]],
    people: Mapping[str, Mapping[int, Score]] | None = None,
    *,
    slug: str = "scored",
    uploader: User | None = None,
) -> MadeBoard:
    """
    Make a version with a published submission of each solver.

    Args:
        solvers: by name, of each problem the scores of the samples.
        people: by name, the score of the answer to each problem, by its place from 0.
    """
    benchmark = Benchmark.objects.create(name=slug.capitalize(), slug=slug)
    problems = make_problems(benchmark, max(len(rows) for rows in solvers.values()))
    version = publish_version(benchmark)
    uploader = uploader or make_person(Role.EVALUATOR, f"evaluator-of-{slug}")
    run = GradingRun.objects.get_adopted(benchmark.pk)
    submissions = {
        name: _hand_in(name, rows, version, uploader, problems, run)
        for name, rows in solvers.items()
    }
    for name, given in (people or {}).items():
        person = make_person(Role.PARTICIPANT, name)
        solver = Solver.objects.create(name=str(person), kind="HUMAN", user=person)
        answers = [
            (_answer(solver, problems[place], score), score) for place, score in given.items()
        ]
        store(run, answers)
    return MadeBoard(benchmark, version, problems, submissions)


def add_model(
    made: MadeBoard, name: str, rows: Sequence[Sequence[Score]], *, is_published: bool = True
) -> Submission:
    """Have one more model stand on a board, or one of before answer once more."""
    uploader = next(iter(made.submissions.values())).uploaded_by
    run = GradingRun.objects.get_adopted(made.benchmark.pk)
    return _hand_in(
        name, rows, made.version, uploader, made.problems, run, is_published=is_published
    )


def _hand_in(
    name: str,
    rows: Sequence[Sequence[Score]],
    version: BenchmarkVersion,
    uploader: User,
    problems: Sequence[Problem],
    run: GradingRun,
    *,
    is_published: bool = True,
) -> Submission:
    now = timezone.now()
    solver, _is_new = Solver.objects.get_or_create(
        name=name, kind="MODEL", organisation=organisation_of(uploader)
    )
    submission = Submission.objects.create(
        solver=solver,
        benchmark=version.benchmark,
        version=version,
        number=solver.submissions.count() + 1,
        uploaded_by=uploader,
        published_by=uploader if is_published else None,
        published_at=now if is_published else None,
        file_name="answers.json",
        file_sha256="0" * 64,
        expected=len(problems),
    )
    store(
        run,
        (
            (_answer(solver, problem, score, sample, submission), score)
            for problem, scores in zip(problems, rows, strict=True)
            for sample, score in enumerate(scores, 1)
            if score != MISSING
        ),
    )
    return submission


def _answer(
    solver: Solver,
    problem: Problem,
    score: Score,
    sample: int = 1,
    submission: Submission | None = None,
) -> Attempt:
    is_graded = score is not NOT_GRADED
    return Attempt(
        solver=solver,
        submission=submission,
        revision_id=problem.accepted_revision_id,
        origin=Attempt.Origin.FILE if submission else Attempt.Origin.OUTSIDE,
        sample=sample,
        response=r"\boxed{m g h}",
        status="GRADED" if is_graded else "FAILED",
        failure_reason="" if is_graded else "timeout",
    )


@transaction.atomic  # an answer that counts as graded has a grade
def store(run: GradingRun, answers: Iterable[tuple[Attempt, Score]]) -> None:
    """Keep answers and the grades that go with their scores."""
    some = list(answers)
    made = Attempt.objects.bulk_create((attempt for attempt, _score in some), batch_size=5000)
    Grade.objects.bulk_create(
        (
            grade(run, attempt, score)
            for attempt, (_made, score) in zip(made, some, strict=True)
            if score is not NOT_GRADED
        ),
        batch_size=5000,
    )


@transaction.atomic  # an answer that counts as graded has a grade
def store_grade(run: GradingRun, attempt: Attempt, score: Score) -> None:
    """Have an answer graded that waits."""
    grade(run, attempt, score).save()
    Attempt.objects.filter(pk=attempt.pk).update(status="GRADED")


def grade(run: GradingRun, attempt: Attempt, score: Score) -> Grade:
    eed = 0.0 if score in (UNREADABLE, None) else float(score or 0)
    verdict = "CORRECT" if eed == 100 else "PARTIAL" if eed else "INCORRECT"
    return Grade(
        run=run,
        attempt=attempt,
        judge="symbolic",
        judge_version=run.grader_version,
        verdict="UNREADABLE" if score == UNREADABLE else verdict,
        accuracy=100 if eed == 100 else 0,
        eed=eed,
        reason="brackets" if score == UNREADABLE else "",
        reference_read="m g h " * 5,
        answer_read="m g h " * 5,
        edits=[{"kind": "delete", "before": "x", "after": ""}] * 3,
        sympy_version="-",
        seconds=0.1,
    )
