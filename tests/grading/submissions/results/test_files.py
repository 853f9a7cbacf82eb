"""Everything about a submission as files: each answer, what is missing, and never the key."""

import csv
import io
import json

import pytest
from django.test import Client

from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from grading.answers.submissions.models import Submission
from phybench.people.models import User
from phybench_grader import GRADER_VERSION
from tests.addresses import reverse_asked
from tests.conftest import make_person
from tests.grading.answers.test_views import count_queries
from tests.grading.submissions.samples import HandInSamples, fail, grade_all
from tests.memory import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def submission(problems: list[Problem], hand_in_samples: HandInSamples) -> Submission:
    made = hand_in_samples(
        {
            problems[0]: [r"So \boxed{m g h}", "-m g"],
            problems[1]: ["=1+2", r"\frac{b}{a}"],
            problems[2]: ["x, y"],
        },
        is_graded=False,
    )
    fail(made.attempts.get(revision__problem=problems[1], sample=1))
    grade_all(made)
    return made


def read_csv(client: Client, submission: Submission) -> list[dict[str, str]]:
    answer = client.get(reverse_asked("grading:submission?as=csv", args=[submission.pk]))
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode())))


def read_jsonl(client: Client, submission: Submission) -> list[dict[str, object]]:
    answer = client.get(reverse_asked("grading:submission?as=jsonl", args=[submission.pk]))
    return [json.loads(line) for line in answer.getvalue().decode().splitlines()]


def test_each_answer_is_a_row_and_so_is_what_is_missing(
    client: Client, submission: Submission, problems: list[Problem], evaluator: User
) -> None:
    client.force_login(evaluator)
    ids = [one.identifier for one in problems]
    expected = [
        (ids[0], "1", "GRADED", "CORRECT"),
        (ids[0], "2", "GRADED", "PARTIAL"),
        (ids[1], "1", "FAILED", ""),
        (ids[1], "2", "GRADED", "PARTIAL"),
        (ids[2], "1", "GRADED", "UNREADABLE"),
        (ids[2], "2", "MISSING", ""),
        (ids[3], "", "MISSING", ""),
        (ids[4], "", "MISSING", ""),
    ]
    rows = read_csv(client, submission)
    assert [(r["id"], r["sample"], r["status"], r["verdict"]) for r in rows] == expected
    lines = read_jsonl(client, submission)
    found = [
        tuple(str(one[key] or "") for key in ("id", "sample", "status", "verdict")) for one in lines
    ]
    assert found == expected


def test_a_row_says_all_that_is_known_of_an_answer(
    client: Client, submission: Submission, evaluator: User
) -> None:
    client.force_login(evaluator)
    right, near, failed, _other, unread, *_missing = read_jsonl(client, submission)
    assert right["response"] == r"So \boxed{m g h}"
    assert (right["accuracy"], right["eed"], right["answer_read"]) == (100, 100, "g h m")
    assert (right["grader_version"], right["domain"]) == (GRADER_VERSION, "MECHANICS")
    assert right["seconds"] is not None
    assert right["sympy_version"]
    assert near["distance"]
    assert near["size"]
    assert (failed["reason"], failed["eed"]) == ("timeout", None)
    assert (unread["reason"], unread["answer_read"]) == ("several", "")
    assert "Write one answer" in str(unread["message"])


def test_the_table_has_no_responses_and_nothing_that_a_spreadsheet_runs(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    client.force_login(evaluator)
    made = hand_in_samples({problems[0]: ["-m g"]}, model="=HYPERLINK(1)")
    row = read_csv(client, made)[0]
    assert "response" not in row
    assert row["model"] == "'=HYPERLINK(1)"
    assert row["answer_read"].startswith("'-")


def test_the_files_hold_no_reference(
    client: Client, submission: Submission, evaluator: User
) -> None:
    client.force_login(evaluator)
    for line in read_jsonl(client, submission):
        assert not {"reference_read", "reference_typed", "edits"} & line.keys()
        assert "Reference:" not in json.dumps(line)


def test_the_first_byte_leaves_once_the_verdicts_are_written_down(
    client: Client, submission: Submission, evaluator: User
) -> None:
    client.force_login(evaluator)
    for name in ("grading:submission?as=csv", "grading:submission?as=jsonl"):
        answer = client.get(reverse_asked(name, args=[submission.pk]))
        assert answer.streaming
        told = Exposure.objects.filter(person=evaluator, part="VERDICT")
        assert told.count() == 3
        assert answer.getvalue()


def test_a_file_takes_as_many_queries_for_many_answers_as_for_one(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    client.force_login(evaluator)
    few = hand_in_samples({problems[0]: ["m g h"]}, model="few")
    many = hand_in_samples({one: ["m g h", "0"] for one in problems[:3]}, model="many")
    for name in ("grading:submission?as=csv", "grading:submission?as=jsonl"):
        one, three = (
            count_queries(client, reverse_asked(name, args=[each.pk])) for each in (few, many)
        )
        assert one == three


def test_a_stranger_finds_no_file(client: Client, submission: Submission) -> None:
    client.force_login(make_person("EVALUATOR", "stranger"))
    for name in ("grading:submission?as=csv", "grading:submission?as=jsonl"):
        assert client.get(reverse_asked(name, args=[submission.pk])).status_code == 404
