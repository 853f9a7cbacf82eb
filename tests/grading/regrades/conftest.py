"""Answers whose grades count although the grader of today says something else."""

from collections.abc import Callable

import pytest

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun, Override, hash_key
from grading.answers.submissions.models import Submission
from grading.disputes.contests.models import Contest
from phybench.people.models import User
from tests.grading.conftest import HandIn
from tests.memory import remembered
from tests.organisations import publish


def write_grade(run: GradingRun, attempt: Attempt, verdict: str = "INCORRECT") -> Grade:
    """Write down what some judge said, as if it were so."""
    grade = make_grade(run, attempt, verdict)
    grade.save()
    return grade


def make_grade(run: GradingRun, attempt: Attempt, verdict: str = "INCORRECT") -> Grade:
    score = {"CORRECT": 100.0, "INCORRECT": 0.0}[verdict]
    return Grade(
        run=run,
        attempt=attempt,
        judge="symbolic",
        judge_version="0.9",
        verdict=verdict,
        accuracy=score,
        eed=score,
        sympy_version="-",
        seconds=1.0,
    )


def rule(attempt: Attempt, ruler: User, kind: str = "RIGHT", read_as: str = "") -> Override:
    """Rule that an answer is something else than the grader says, as if it had been contested."""
    contest = Contest.objects.create(
        attempt=attempt,
        grade=attempt.grades.latest("pk"),
        reason="MISREAD",
        text="It is right.",
        contested_by=attempt.submission.uploaded_by if attempt.submission else ruler,
    )
    now = contest.contested_at
    override = Override.objects.create(
        revision=attempt.revision,
        response=attempt.response,
        kind=kind,
        read_as=read_as,
        key_sha256=hash_key(attempt.revision),
        why="So it is.",
        ruled_by=ruler,
    )
    Contest.objects.filter(pk=contest.pk).update(
        fault="GRADER", why="So it is.", ruled_by=ruler, ruled_at=now, override=override
    )
    return override


Misjudge = Callable[[Submission], Submission]


@pytest.fixture
def misjudge(benchmark: Benchmark) -> Misjudge:
    """Have all answers counted as wrong, by an earlier grader, and published so."""

    def run(submission: Submission) -> Submission:
        adopted = GradingRun.objects.get_adopted(benchmark.pk)
        for attempt in submission.attempts.all():
            write_grade(adopted, attempt)
        submission.attempts.update(status=Attempt.Status.GRADED)
        publish(submission)
        return submission

    return run


@pytest.fixture
@remembered
def submission(problems: list[Problem], hand_in: HandIn, misjudge: Misjudge) -> Submission:
    """A right answer and a wrong one, both counted as wrong."""
    return misjudge(hand_in((problems[0], "m g h"), (problems[1], "0")))
