"""What is the same to the judge is judged once, together with others or after them."""

from typing import Any

import pytest
import sympy

from curation.problems.models import Problem
from grading.answers import grader
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun, RunKey
from grading.answers.submissions.models import Submission
from phybench.work.kinds import Pool, claim_next
from phybench.work.leases import carry_out
from phybench_grader import GRADER_VERSION
from tests.grading.conftest import HandIn

pytestmark = pytest.mark.django_db


def grade_together() -> None:
    """Do what a worker does that finds so much to do."""
    while (claimed := claim_next(Pool.GENERAL)) is not None:
        carry_out(*claimed)


def list_grades(problem: Problem) -> list[Grade]:
    return list(Grade.objects.filter(attempt__revision__problem=problem).order_by("attempt"))


def count_judged(*problems: Problem) -> int:
    """Count by the time that each took, which is never the same twice."""
    return len({one.seconds for problem in problems for one in list_grades(problem)})


def test_equal_answers_of_one_batch_are_judged_once_and_each_has_its_grade(
    problems: list[Problem], hand_in: HandIn
) -> None:
    for model in "ABC":
        hand_in((problems[0], "m g h"), (problems[1], "m g h"), model=model)
    hand_in((problems[0], "m g h + 0"), model="D")
    grade_together()
    assert [one.verdict for one in list_grades(problems[0])] == ["CORRECT"] * 4
    assert (count_judged(problems[0]), count_judged(problems[1])) == (2, 1)
    assert set(Attempt.objects.values_list("status", "tries")) == {("GRADED", 1)}


def test_what_was_graded_before_is_not_judged_again(
    problems: list[Problem], hand_in: HandIn
) -> None:
    for model in "AB":
        hand_in((problems[2], r"2mg + 2m\frac{v_0^2}{l}"), model=model)
        grade_together()
    assert count_judged(problems[2]) == 1
    first, second = list_grades(problems[2])
    own = {"id", "attempt_id", "created_at"}
    fields = [one.attname for one in Grade._meta.concrete_fields if one.attname not in own]
    assert [getattr(first, name) for name in fields] == [getattr(second, name) for name in fields]


def pretend(submission: Submission, run: GradingRun, **fields: Any) -> None:
    """Have a right answer graded as wrong, so that a copy of it can be told."""
    attempt = submission.attempts.get()
    Grade.objects.create(
        run=run,
        attempt=attempt,
        verdict="INCORRECT",
        accuracy=0,
        eed=0,
        seconds=1,
        **{
            "judge": grader.JUDGE,
            "judge_version": GRADER_VERSION,
            "sympy_version": sympy.__version__,
            **fields,
        },
    )


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        ({}, "INCORRECT"),
        ({"judge_version": "0"}, "CORRECT"),
        ({"sympy_version": "0"}, "CORRECT"),
        ({"judge": "another"}, "CORRECT"),
    ],
)
def test_a_grade_is_shared_by_the_same_judge_of_the_same_versions_only(
    problems: list[Problem], hand_in: HandIn, fields: dict[str, str], verdict: str
) -> None:
    first = hand_in((problems[0], "m g h"))
    run = GradingRun.objects.get_adopted(first.benchmark_id)
    run.find_keys({problems[0].revisions.get().pk})
    pretend(first, run, **fields)
    first.attempts.update(status=Attempt.Status.GRADED)
    second = hand_in((problems[0], "m g h"), model="B")
    grade_together()
    assert second.attempts.get().grades.get().verdict == verdict


def test_a_grade_by_another_key_is_not_shared(problems: list[Problem], hand_in: HandIn) -> None:
    first, revision = hand_in((problems[0], "m g h")), problems[0].revisions.get()
    other = GradingRun.objects.create(benchmark=first.benchmark, grader_version="1", why="A key")
    RunKey.objects.create(run=other, revision=revision, key=revision, sha256="0" * 64)
    pretend(first, other)
    grade_together()
    assert first.attempts.get().grades.get(run__adopted_at__isnull=False).verdict == "CORRECT"


def test_what_could_not_be_graded_says_nothing_of_another(
    problems: list[Problem], hand_in: HandIn
) -> None:
    first = hand_in((problems[0], "m g h"))
    first.attempts.update(status=Attempt.Status.FAILED, failure_reason="timeout")
    second = hand_in((problems[0], "m g h"), model="B")
    grade_together()
    assert second.attempts.get().status == Attempt.Status.GRADED


def test_what_can_not_begin_in_time_is_let_go_of_and_graded_later(
    problems: list[Problem], hand_in: HandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grader, "BATCH_SECONDS", 0.0)
    submission = hand_in(*((one, f"{number}") for number, one in enumerate(problems, start=2)))
    claimed = claim_next(Pool.GENERAL)
    assert claimed
    carry_out(*claimed)
    assert set(submission.attempts.values_list("status", "lost")) == {("GRADED", 0), ("QUEUED", 0)}
    grade_together()
    assert set(submission.attempts.values_list("status", "lost")) == {("GRADED", 0)}
