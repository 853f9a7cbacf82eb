"""The list of submissions: what each scored, by the same definitions as its own page."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from curation.problems.models import Problem
from grading.answers.submissions.models import Submission
from grading.submissions.lists import list_scored, with_state
from grading.submissions.results.progress import measure_progress
from phybench.people.models import User
from tests.grading.answers.test_views import count_queries, read
from tests.grading.submissions.samples import HandInSamples, fail, grade_all
from tests.organisations import publish
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db

ADDRESS = "/submissions/"


def test_scores_are_those_of_the_page_whatever_the_samples(
    problems: list[Problem], hand_in_samples: HandInSamples
) -> None:
    made = [
        hand_in_samples({problems[0]: ["m g h", "0"], problems[1]: ["0"]}, model="uneven"),
        hand_in_samples({problems[0]: ["m g h"]}, model="one of five"),
        hand_in_samples({one: ["m g h"] for one in problems}, model="all"),
    ]
    listed = list_scored(with_state(Submission.objects.order_by("pk")))
    for row in listed:
        tally = measure_progress(row.submission).tally
        assert (row.tally.accuracy, row.tally.eed) == (tally.accuracy, tally.eed)
    scores = {row.submission: row.tally.accuracy.value for row in listed}
    # Half of one problem, one of five, one of five.
    assert [scores[one] for one in made] == [10, 20, 20]


def test_it_takes_as_many_queries_for_many_submissions_as_for_one(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    client.force_login(evaluator)
    addresses = [reverse(name) for name in ("grading:submissions", "grading:submissions_csv")]
    publish(hand_in_samples({problems[0]: ["m g h"]}, model="first"))
    of_one = [count_queries(client, one) for one in addresses]
    for number in range(3):
        publish(hand_in_samples({one: ["0", "1"] for one in problems[:3]}, model=f"No. {number}"))
    assert [count_queries(client, one) for one in addresses] == of_one


def test_what_waits_or_is_not_graded_makes_the_score_a_range(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    client.force_login(evaluator)
    made = hand_in_samples({one: ["0"] for one in problems}, is_graded=False)
    assert "5 to go" in read(client, ADDRESS)
    assert "0.0" not in read(client, ADDRESS), "of nothing graded there is no mean"
    grade_attempt(made.attempts.latest("pk").pk)
    assert "4 to go" in read(client, ADDRESS)
    assert read(client, ADDRESS).count("0.0–80.0") == 2
    [row] = csv.DictReader(io.StringIO(read(client, "/submissions.csv")))
    assert (row["eed"], row["eed_from"], row["eed_to"], row["waiting"]) == ("", "0.0", "80.0", "4")
    fail(made.attempts.earliest("pk"))
    grade_all(made)
    assert read(client, ADDRESS).count("0.0–20.0") == 2
    [row] = csv.DictReader(io.StringIO(read(client, "/submissions.csv")))
    assert (row["eed_from"], row["eed_to"], row["not_graded"]) == ("0.0", "20.0", "1")


def test_it_says_which_is_on_the_board(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    client.force_login(evaluator)
    hand_in_samples({problems[0]: ["0"]})
    second = hand_in_samples({problems[0]: ["m g h"]})
    publish(second)
    rows = list(csv.DictReader(io.StringIO(read(client, "/submissions.csv"))))
    assert [(row["number"], row["on_the_board"]) for row in rows] == [("2", "yes"), ("1", "no")]
    assert read(client, ADDRESS).count("on the board") == 1
