"""`manage.py regrade`: what it says, what it keeps, and what changes only when it is told to."""

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers.models import Grade
from grading.answers.runs.models import GradingRun, RunKey, Ungraded
from grading.answers.submissions.models import Submission
from grading.board.table import make_board
from grading.disputes.regrades import actions
from grading.disputes.regrades.work import grade_left
from phybench.people.models import User
from tests.grading.conftest import HandIn
from tests.grading.regrades.conftest import Misjudge
from tests.phybench.runaways import SLOW_TO_SIMPLIFY

pytestmark = pytest.mark.django_db

SAID = """\
Test: 2 answers by grader {version}, run {run}.
  correct: 0 → 1
  partial: 0 → 0
  incorrect: 2 → 1
  could not be read: 0 → 0
  not graded: 0 → 0
Changed: 1; another verdict: 1.
  {problem}, A model, 1: incorrect (0.0) → correct (100.0)
Version 1: ranks that would change: 0.
  A model: EED 0.0 (–) → 20.0 (–), accuracy 0.0 (–) → 20.0 (–)
"""


def regrade(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    call_command("regrade", "--processes=1", *arguments)
    return capsys.readouterr().out


def read_accuracy(benchmark: Benchmark) -> float | None:
    [row] = make_board(benchmark).rows
    return row.tally.accuracy.value


def test_it_says_old_against_new_and_changes_the_board_only_when_told_to(
    capsys: pytest.CaptureFixture[str], benchmark: Benchmark, submission: Submission, admin: User
) -> None:
    said = regrade(capsys, f"--by={admin.email}", "--why=A better grader.")
    run = GradingRun.objects.get(adopted_at=None)
    found = SAID.format(
        version=actions.GRADER_VERSION,
        run=run.pk,
        problem=submission.attempts.earliest("pk").revision.problem.identifier,
    )
    assert said == f"{found}The board has not changed. Add --adopt to make Test use this run.\n"
    assert (run.why, run.made_by) == ("A better grader.", admin)
    assert read_accuracy(benchmark) == 0
    # What is graded already is not graded again: it only adopts.
    assert regrade(capsys, "--adopt") == f"{found}Adopted: the board uses this run.\n"
    assert (read_accuracy(benchmark), Grade.objects.count()) == (20, 4)
    again = regrade(capsys, "--benchmark=test")
    assert "Changed: 0; another verdict: 0.\n" in again


def test_a_dry_run_says_the_same_and_keeps_nothing(
    capsys: pytest.CaptureFixture[str], benchmark: Benchmark, submission: Submission
) -> None:
    said = regrade(capsys, "--dry-run")
    assert "incorrect: 2 → 1\n" in said
    assert said.endswith("Nothing was saved: this was a dry run.\n")
    assert "ranks that would change: " in said
    assert "Before versions" not in said
    assert (GradingRun.objects.count(), Grade.objects.count()) == (1, 2)
    assert not RunKey.objects.exists()


def test_interrupted_it_goes_on_where_it_stopped(
    capsys: pytest.CaptureFixture[str], benchmark: Benchmark, submission: Submission
) -> None:
    run = actions.begin(benchmark=benchmark)
    grading = grade_left(run, processes=1)
    assert next(grading) == 1
    grading.close()
    kept = run.grades.get()
    regrade(capsys)
    assert benchmark.grading_runs.filter(adopted_at=None).get() == run
    assert run.grades.count() == 2
    assert run.grades.get(attempt=kept.attempt) == kept


def test_a_run_of_another_grader_is_not_gone_on_with(
    capsys: pytest.CaptureFixture[str], benchmark: Benchmark, submission: Submission
) -> None:
    other = benchmark.grading_runs.create(grader_version="0.8", why="Long ago.")
    regrade(capsys)
    assert not other.grades.exists()
    assert benchmark.grading_runs.filter(adopted_at=None).count() == 2


@pytest.fixture
def slow_to_grade(problems: list[Problem], hand_in: HandIn, misjudge: Misjudge) -> Submission:
    return misjudge(hand_in((problems[0], "m g h"), (problems[1], SLOW_TO_SIMPLIFY)))


def test_grades_are_not_given_up_for_none_unless_that_is_allowed(
    capsys: pytest.CaptureFixture[str], benchmark: Benchmark, slow_to_grade: Submission, settings
) -> None:
    settings.GRADING_DEADLINE_SECONDS = 0.5
    with pytest.raises(
        CommandError, match="1 answer that has a grade now could not be graded anew"
    ):
        regrade(capsys, "--adopt")
    # What is the key word for word needs no time.
    assert GradingRun.objects.get(adopted_at=None).grades.get().verdict == "CORRECT"
    said = regrade(capsys, "--adopt", "--allow-ungraded")
    assert "incorrect: 2 → 0\n" in said
    assert "not graded: 0 → 1\n" in said
    assert "1: incorrect (0.0) → not graded (–)\n" in said
    [row] = make_board(benchmark).rows
    assert (row.tally.scored, row.tally.ungraded) == (1, 1)


def test_what_could_not_be_graded_is_tried_again_with_the_next_call(
    capsys: pytest.CaptureFixture[str], benchmark: Benchmark, slow_to_grade: Submission
) -> None:
    with override_settings(GRADING_DEADLINE_SECONDS=0.5):
        assert "not graded: 0 → 1\n" in regrade(capsys)
    assert "not graded: 0 → 0\n" in regrade(capsys, "--adopt")
    assert not Ungraded.objects.exists()
    assert read_accuracy(benchmark) == 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--benchmark=none"], "There is no benchmark “none”. There are: "),
        (["--benchmark=test"], "No answer of test is graded yet."),
        (["--by=nobody@test.example"], "No user here has the address nobody@test.example."),
        (["--adopt", "--dry-run"], "not allowed with argument"),
    ],
)
def test_what_it_can_not_do_it_says(
    benchmark: Benchmark, arguments: list[str], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("regrade", *arguments)
