"""The list of submissions: what each scored, by the same definitions as its own page."""

import csv
import io
import random
from dataclasses import astuple

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
        assert (row.figures.accuracy, row.figures.eed) == (tally.accuracy, tally.eed)
    scores = {row.submission: row.figures.accuracy.value for row in listed}
    # Half of one problem, one of five, one of five.
    assert [scores[one] for one in made] == [10, 20, 20]


def test_ranges_are_those_of_the_page_whatever_waits_failed_or_is_missing(
    problems: list[Problem], hand_in_samples: HandInSamples
) -> None:
    chance = random.Random(5)
    for number in range(8):
        given = {
            one: ["m g h"] * chance.randrange(1, 4)
            for one in chance.sample(problems, chance.randrange(1, len(problems) + 1))
        }
        made = hand_in_samples(given, model=f"No. {number}", is_graded=False)
        for attempt in made.attempts.all()[: chance.randrange(made.attempts.count())]:
            if chance.random() < 0.3:
                fail(attempt)
            else:
                grade_attempt(attempt.pk)
    listed = list_scored(with_state(Submission.objects.order_by("pk")))
    assert len(listed) == 8
    for row in listed:
        tally = measure_progress(row.submission).tally
        for told, known in (
            (row.figures.accuracy_range, tally.accuracy_range),
            (row.figures.eed_range, tally.eed_range),
        ):
            assert (told is None) == (known is None)
            if told and known:
                assert astuple(told) == pytest.approx(astuple(known))
            assert row.figures.eed.quote(told).value == tally.eed.quote(known).value
    ranges = [row.figures.eed_range for row in listed]
    assert {found is None or found.is_provisional for found in ranges} == {True}


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
