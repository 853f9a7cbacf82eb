"""What a sample tells: weighted rates on the board, with every other sample beside them."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from grading.answers.runs.models import GradingRun
from grading.samples.audits import actions
from grading.samples.audits.drawing import draw
from grading.samples.audits.figures import (
    collect,
    find_for_board,
    list_disagreements,
    measure_agreement,
)
from phybench_grader.statistics.audit import Stratum, estimate
from tests.grading.audits.conftest import RIGHT, WRONG, agree_with_grader, label, label_all
from tests.organisations import publish
from tests.tokens import Program, make_secret

pytestmark = pytest.mark.django_db


@pytest.fixture
def complete(sample, admin, other_admin):
    """People say that one of four accepted is wrong, one of four rejected right; of one nothing."""
    wrong = sample.items.filter(stratum="ACCEPTED").first()
    right, untold = sample.items.filter(stratum="REJECTED")[:2]
    said = {wrong: "WRONG", right: "RIGHT", untold: "CANT_TELL"}
    label_all(sample, admin, other_admin, lambda one: said.get(one) or agree_with_grader(one))
    return sample


def test_rates_are_weighted_by_how_many_answers_there_were(
    answer, problems, version, submission, admin, other_admin
):
    answer({problems[0]: [RIGHT] * 6, problems[1]: [WRONG] * 30}, model="Another")
    sample = draw(version=version, by=admin, size=8)
    wrong = sample.items.filter(stratum="ACCEPTED").first()
    right = sample.items.filter(stratum="REJECTED").first()
    said = {wrong: "WRONG", right: "RIGHT"}
    label_all(sample, admin, other_admin, lambda one: said.get(one) or agree_with_grader(one))
    [figures] = collect([sample])
    assert figures.errors == estimate(Stratum(10, 4, 3), Stratum(34, 4, 1))
    # 34 × 1/4 rejected, and 10 × 3/4 accepted, are right.
    assert figures.errors.false_rejection.value == pytest.approx(100 * 8.5 / 16)


def test_answers_that_people_cannot_tell_of_are_left_out_and_counted(complete):
    [figures] = collect([complete])
    assert [(row.right, row.wrong, row.cant_tell, row.drawn) for row in figures.rows] == [
        (3, 1, 0, 4),
        (1, 2, 1, 4),
    ]
    assert figures.errors == estimate(Stratum(4, 4, 3), Stratum(4, 3, 1))
    assert figures.cant_tell == 1


def test_hidden_answers_enter_the_rates(with_hidden, version, admin, other_admin):
    sample = draw(version=version, by=admin, size=40)
    label_all(sample, admin, other_admin, agree_with_grader)
    [figures] = collect([sample])
    assert [row.told for row in figures.rows] == [Stratum(6, 6, 6), Stratum(5, 5, 0)]


def test_an_open_sample_and_one_that_was_ended_give_no_rates(sample, admin, other_admin):
    for item in sample.items.all()[:7]:
        label(item, dict.fromkeys((admin, other_admin), "RIGHT"))
    assert collect([sample])[0].errors is None
    actions.end(sample=sample, by=admin, why="It did not please me.")
    sample.refresh_from_db()
    assert collect([sample])[0].errors is None


def test_agreement_and_where_people_and_the_grader_differ(complete, admin, other_admin):
    agreement = measure_agreement(complete)
    assert (agreement.percent.value, agreement.percent.count) == (100.0, 8)
    assert {(one.stratum, one.outcome) for one in list_disagreements(complete)} == {
        ("ACCEPTED", "WRONG"),
        ("REJECTED", "RIGHT"),
    }


# --- The board ------------------------------------------------------------------------------


def read_board(version) -> str:
    address = reverse("board_of", args=[version.benchmark.slug])
    return " ".join(Client().get(address).content.decode().split())


def test_the_board_says_that_nothing_is_measured_yet(version, submission):
    publish(submission)
    assert "Not yet measured for grader 2.1" in read_board(version)


def test_the_board_shows_the_newest_complete_sample_and_every_other(
    complete, version, submission, admin, other_admin
):
    publish(submission)
    [figures] = collect([complete])
    rate = figures.errors.false_rejection
    page = read_board(version)
    assert f"It rejects {rate.value:.1f} % ({rate.low:.1f}–{rate.high:.1f})" in page
    assert "Sample of 8 answers" in page
    assert "One is left out because they could not tell" in page

    second = draw(version=version, by=admin, size=8, why="I hope for better.")
    page = read_board(version)
    assert page.index(f"It rejects {rate.value:.1f} %") < page.index("I hope for better.")
    assert "being labelled" in page
    assert len(re.findall(r"Sample of \d+ answers", page)) == 1

    actions.end(sample=second, by=admin, why="It does not look better.")
    page = read_board(version)
    assert 'without rates. Reason: <span lang="">It does not look better.</span>' in page
    assert len(re.findall(r"Sample of \d+ answers", page)) == 1
    assert [one.drawn for one in collect([second, complete])] == [None, 8]

    third = draw(version=version, by=admin, size=8)
    label_all(third, admin, other_admin, agree_with_grader)
    page = read_board(version)
    assert page.index("It rejects 0.0 % (0.0–") < page.index(f"It rejects {rate.value:.1f} %")


def test_another_grader_s_rates_are_beside_and_not_for_the_one_that_counts(
    complete, version, submission, benchmark
):
    publish(submission)
    assert find_for_board(version).current.sample == complete
    found = find_for_board(version, grader_version="3.0")
    assert found.current is None
    assert [one.sample for one in found.others] == [complete]
    assert GradingRun.objects.get_adopted(benchmark.pk).grader_version == "2.1"


def test_the_board_takes_as_many_queries_for_any_number_of_samples(
    complete, version, admin, django_assert_num_queries
):
    with django_assert_num_queries(4):
        find_for_board(version)
    for _number in range(2):
        another = draw(version=version, by=admin, size=8)
        actions.end(sample=another, by=admin, why="To have three.")
    with django_assert_num_queries(4):
        assert len(find_for_board(version).others) == 2


def test_programs_read_the_same(complete, version, submission, evaluator):
    publish(submission)
    program = Program(make_secret(evaluator))
    path = f"/benchmarks/{version.benchmark.slug}/versions/{version.number}/board"
    [found] = json.loads(program.get(path).content)["audits"]
    rate = collect([complete])[0].errors.false_rejection
    assert (found["state"], found["answers"], found["cant_tell"]) == ("COMPLETE", 8, 1)
    assert found["false_rejection"] == {
        "value": pytest.approx(rate.value),
        "low": pytest.approx(rate.low),
        "high": pytest.approx(rate.high),
        "why_untold": None,
    }
