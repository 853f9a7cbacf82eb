"""A published row of a right answer, an unreadable one, a similar one, one not graded."""

from pathlib import Path

import pytest

from curation.problems.models import Problem
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.submissions.receipts.making import make_receipt
from tests.grading.board.test_board import PARTLY, UNREADABLE, publish_all, set_failed
from tests.grading.conftest import HandIn, make_file
from tests.memory import remembered

ANSWERS = ("m g h", UNREADABLE, PARTLY, "x + y")


@pytest.fixture
@remembered
def row(problems: list[Problem], hand_in: HandIn) -> Submission:
    submission = hand_in(*zip(problems[:4], ANSWERS, strict=True))
    set_failed(submission.attempts.get(revision__problem=problems[3]))
    publish_all()
    return Submission.objects.get(pk=submission.pk)


@pytest.fixture
@remembered
def graded(problems: list[Problem], hand_in: HandIn) -> Submission:
    """Return a published row of which all is graded."""
    submission = hand_in((problems[0], "m g h"), (problems[1], "0"))
    publish_all()
    return Submission.objects.get(pk=submission.pk)


@pytest.fixture
def answers(tmp_path: Path, problems: list[Problem]) -> Path:
    """Return the file that `graded` was handed in as."""
    path = tmp_path / "answers.json"
    path.write_bytes(make_file((problems[0], "m g h"), (problems[1], "0")))
    return path


def keep(submission: Submission, path: Path, *, is_full: bool = False) -> Path:
    """Write its receipt to a file."""
    # As it stands now: who publishes it holds another.
    now = Submission.objects.get(pk=submission.pk)
    made = make_receipt(now, kind="full" if is_full else "public")
    path.write_text(made.write())
    return path


def of(submission: Submission, problem: Problem) -> Attempt:
    return submission.attempts.get(revision__problem=problem)
