"""The page on how good EED is: figures counted by hand, of answers that are really graded."""

import csv
import io
import re

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.answers import actions as answering
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.answers.unordered.models import UnorderedScore
from grading.answers.unordered.work import list_measured
from grading.board.eed.collecting import find_progress
from grading.board.eed.figures import (
    Pairs,
    read_eed,
    read_unordered,
    work_out_eed,
    work_out_unordered,
)
from grading.board.scores.collecting import arrange, find_field
from grading.board.scores.requests import find_scope
from phybench.people.models import Role
from tests.conftest import make_person
from tests.grading.unordered.measuring import grade_and_publish, measure, work_out
from tests.memory import remembered
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db
RIGHT = ("m g h", r"\frac{a}{b}", r"2mg + 4m\frac{v_0^2}{l}")
RENAMED = r"\pi g m"
"""To the first problem, h called z: EED 60 − 100 × 2/4 = 10, and 35 where order says nothing."""
UNREADABLE = r"\frac{x"


@pytest.fixture
@remembered
def model(problems, hand_in):
    """Renamed, right, unreadable, not graded, missing: EED 10, 100, 0, –, 0."""
    submission = hand_in(*zip(problems[:4], (RENAMED, RIGHT[1], UNREADABLE, "x + y"), strict=True))
    failed = submission.attempts.get(revision__problem=problems[3])
    Attempt.objects.filter(pk=failed.pk).update(
        status=Attempt.Status.FAILED, failure_reason="timeout"
    )
    return grade_and_publish(submission)


@pytest.fixture
def graded(problems, hand_in):
    """As `model`, without what is not graded."""
    answers = zip(problems[:3], (RENAMED, RIGHT[1], UNREADABLE), strict=True)
    return grade_and_publish(hand_in(*answers, model="Graded"))


@pytest.fixture
def page(client, benchmark):
    def get(part="", **query):
        headers = {"HX-Request": "true", "HX-Target": part} if part else {}
        found = client.get(reverse("eed", args=[benchmark.slug]), query, headers=headers)
        assert found.status_code == 200
        return found.content.decode()

    return get


def scores_of(benchmark):
    scope = find_scope(benchmark)
    return arrange(scope, field=find_field(scope))


def fail_all() -> None:
    """Have nothing measured, as if it had taken too long."""
    run = GradingRun.objects.get()
    UnorderedScore.objects.bulk_create(
        UnorderedScore(grade=grade, version="1.0", reason="timeout") for grade in list_measured(run)
    )


def find_eed(benchmark):
    return read_eed(work_out_eed(scores_of(benchmark)))


def find_unordered(benchmark):
    return read_unordered(work_out_unordered(scores_of(benchmark)))


def test_figures_are_those_of_the_board_and_of_single_answers(benchmark, model):
    [row] = find_eed(benchmark).rows.values()

    assert (row.accuracy.value, row.eed.value) == (25, 27.5)
    assert row.shares.counts == [2, 1, 0, 0, 0, 0, 0, 1]
    assert row.ungraded == 1


def test_unordered_eed_counts_what_is_right_unreadable_and_missing_as_eed_does(benchmark, model):
    measure()

    [row] = find_unordered(benchmark).rows.values()

    assert row.eed.mean.value == 27.5
    assert row.unordered.mean.value == (35 + 100 + 0 + 0) / 4
    assert row.answers == 4


def test_what_could_not_be_measured_is_left_out_and_is_no_zero(benchmark, model):
    fail_all()

    [row] = find_unordered(benchmark).rows.values()

    assert row.unordered.mean.value == pytest.approx((100 + 0 + 0) / 3)
    assert row.answers == 3


def test_places_by_the_second_metric_are_told_and_rank_nobody(benchmark, problems, hand_in, graded):
    renamed = RIGHT[2].replace("m", "p").replace("v", "u").replace("l}", "k}")  # 33.3 by either
    other = grade_and_publish(
        hand_in((problems[1], RIGHT[1]), (problems[2], renamed), model="Between")
    )
    measure()

    found = find_unordered(benchmark)
    ours, theirs = found.rows[graded.pk], found.rows[other.pk]

    assert theirs.eed.mean == theirs.unordered.mean
    assert (ours.eed.place, ours.unordered.place, ours.shift) == (2, 1, 1)
    assert (found.moved, found.furthest) == (2, 1)
    # Of five problems nobody has a rank.
    assert (ours.eed.ranks, ours.unordered.ranks, found.pairs) == (None, None, None)


def test_what_is_not_graded_leaves_both_metrics_open_and_takes_no_place(
    client, benchmark, model, graded, page
):
    measure()
    page()
    work_out()

    ours = find_unordered(benchmark).rows[model.pk]
    assert (ours.eed.place, ours.unordered.place, ours.shift) == (None, None, 0)
    text = page("unordered")
    for name, where in (("Mean EED", "22.0–42.0"), ("Mean unordered EED", "27.0–47.0")):
        assert f'data-label="{name}"><span class="nowrap">{where}</span>' in text
    assert text.count('data-label="Difference">–<') == 1
    assert "27.5" not in text
    assert "33.8" not in text
    open_row = next(
        row for row in read_csv(client, "unordered_csv", benchmark) if row["solver"] == "A model"
    )
    told = [row for name, row in open_row.items() if name.startswith(("eed", "unordered_eed"))]
    assert not any(told)


def test_pairs_are_counted_once_by_which_metric_tells_them_apart():
    first, second = np.zeros((2, 4, 4), dtype=bool)
    first[[0, 0, 1], [1, 2, 3]] = True
    second[[0, 3, 2], [1, 1, 3]] = True

    assert Pairs.of(first, second) == Pairs(both=1, eed_only=1, unordered_only=1, reversed=1)


def test_efficiency_is_its_two_factors_and_is_not_there_where_nothing_varies(
    benchmark, problems, hand_in, graded
):
    grade_and_publish(hand_in((problems[0], "0"), model="All wrong"))

    rows = find_eed(benchmark).rows
    found = rows.pop(graded.pk).efficiency

    assert found.paper == pytest.approx(found.by_mean * found.by_scatter)
    assert found.by_mean == pytest.approx((22 / 20) ** 2)
    assert [one.efficiency for one in rows.values()] == [None]


def test_a_model_with_an_answer_that_is_not_graded_has_no_efficiency_and_is_in_no_mean_of_them(
    benchmark, model, graded
):
    found = find_eed(benchmark)
    assert found.rows[model.pk].efficiency is None
    assert found.efficiencies == [found.rows[graded.pk].efficiency.paper]


def test_a_model_with_answers_that_are_graded_anew_is_left_out(benchmark, model):
    Attempt.objects.filter(status=Attempt.Status.FAILED).update(
        status=Attempt.Status.QUEUED, failure_reason=""
    )

    assert find_eed(benchmark).rows == {}


def test_people_are_together_by_group_and_of_few_nothing_is_said(benchmark, problems, model):
    for number in range(5):
        attempt = answering.answer(
            revision=problems[0].revisions.get(),
            person=make_person(Role.PARTICIPANT, f"person-{number}"),
            response=RENAMED,
        )
        grade_attempt(attempt.pk)
        if number == 3:
            assert not find_eed(benchmark).peoples

    found = find_eed(benchmark)

    assert list(found.rows) == [model.pk]
    [people] = found.peoples
    assert (people.who.people, people.eed.value) == (5, 10)


def test_people_of_whom_an_answer_is_not_graded_have_a_range_on_the_page_and_in_the_picture(
    client, benchmark, problems, model, page
):
    for number in range(6):
        attempt = answering.answer(
            revision=problems[0].revisions.get(),
            person=make_person(Role.PARTICIPANT, f"person-{number}"),
            response=RENAMED,
        )
        if number:
            grade_attempt(attempt.pk)
        else:
            Attempt.objects.filter(pk=attempt.pk).update(
                status=Attempt.Status.FAILED, failure_reason="timeout"
            )
    page()
    work_out()
    people = page().split('<tr class="human">')[1]
    assert 'data-label="Accuracy, %"><span class="nowrap">0.0–16.7</span>' in people
    assert 'data-label="Mean EED"><span class="nowrap">8.3–25.0</span>' in people
    drawn = client.get(reverse("eed_picture", args=[benchmark.slug, "scatter"])).text
    assert '<path class="hollow s-two"' in drawn


def test_page_waits_for_a_worker_and_then_says_the_figures(graded, page):
    assert "The figures are being calculated." in page()
    assert "0 of 1 wrong answers are measured" in page()

    measure()
    page()
    work_out()
    text = page()

    assert "hx-get" not in text
    assert "Graded" in text
    assert "22.0" in text
    assert "27.0" in text


def test_the_page_says_the_sample_efficiency_of_each_model(benchmark, graded, page):
    page()
    work_out()
    [row] = find_eed(benchmark).rows.values()
    text = page()
    assert "Sample efficiency, %" in text
    said = f"{100 * row.efficiency.paper:.1f}"
    assert re.search(rf'data-label="Sample efficiency, %">{re.escape(said)}\s*%?</td>', text)


def test_a_mean_of_which_an_answer_is_not_graded_is_where_it_can_lie(model, page):
    page()
    work_out()
    text = page()
    assert 'data-label="Accuracy, %"><span class="nowrap">20.0–40.0</span>' in text
    assert 'data-label="Mean EED"><span class="nowrap">22.0–42.0</span>' in text
    assert "not all answers of any model are graded" in text


def test_parts_that_wait_ask_again_alone(model, page):
    assert 'id="figures"' in page("figures")
    assert 'id="unordered"' not in page("figures")
    assert 'id="figures"' not in page("unordered")
    assert "<html" in page("other")


def test_page_says_so_where_nobody_stands_on_the_board(problems, page, benchmark):
    page()
    work_out()
    assert "No model has published and graded answers here yet" in page()


def test_nothing_that_is_not_published_is_told(problems, hand_in, page):
    for attempt in hand_in((problems[0], RENAMED), model="Secret").attempts.all():
        grade_attempt(attempt.pk)
    page()
    work_out()

    assert "Secret" not in page()


def test_a_domain_is_not_told_apart(model, page, benchmark):
    page()
    work_out()

    assert "22.0–42.0" in page(domain="OPTICS")


def test_admins_have_what_failed_measured_again(client, admin, evaluator, model, page, benchmark):
    fail_all()
    page()
    work_out()
    address = reverse("measure_again", args=[benchmark.slug])

    client.force_login(evaluator)
    assert "it took too long" in page()
    assert address not in page()
    assert client.post(address).status_code == 403

    client.force_login(admin)
    assert address in page()
    assert client.post(address).status_code == 302
    assert "0 of 1 wrong answers are measured" in page()
    measure()
    page()
    work_out()
    assert "27.0–47.0" in page()
    assert "it took too long" not in page()


def test_progress_is_of_what_stands_on_the_board(benchmark, problems, hand_in, model):
    scope = find_scope(benchmark)
    found = find_progress(scope, find_field(scope))
    assert (found.total, found.done, found.is_complete) == (1, 0, False)

    measure()

    found = find_progress(scope, find_field(scope))
    assert (found.scored, found.unmeasured, found.is_complete) == (1, 0, True)


def test_pictures_have_addresses_and_say_in_words_what_they_show(client, benchmark, model, page):
    addresses = [
        reverse("eed_picture", args=[benchmark.slug, name])
        for name in ("scatter", "shares", "scores")
    ]
    assert {client.get(one).status_code for one in addresses} == {503}

    work_out()
    page()
    for address in addresses:
        for query in ({}, {"layout": "narrow"}):
            found = client.get(address, query)
            assert found.headers["Content-Type"] == "image/svg+xml"
            assert "<title>" in found.content.decode()


def test_there_are_no_other_pictures(client, benchmark, model, page):
    page()
    work_out()

    assert client.get(reverse("eed_picture", args=[benchmark.slug, "other"])).status_code == 404


def read_csv(client, name, benchmark):
    found = client.get(reverse(name, args=[benchmark.slug]))
    return list(csv.DictReader(io.StringIO(found.content.decode())))


def test_tables_are_files(client, benchmark, model, graded, page):
    measure()
    page()
    work_out()

    # Both are worth 22 at least.
    row, _other = read_csv(client, "eed_csv", benchmark)
    # One answer is not graded, so there is no mean to quote.
    assert (row["solver"], row["accuracy"], row["eed"]) == ("A model", "", "")
    assert (row["answers"], row["not_graded"], row["eed_0_to_10"]) == ("4", "1", "1")
    [row] = [one for one in read_csv(client, "unordered_csv", benchmark) if one["eed"]]
    assert (row["eed"], row["unordered_eed"], row["answers"]) == ("22.00", "27.00", "5")


def test_page_asks_as_often_for_three_models_as_for_one(problems, hand_in, model, page):
    def count() -> int:
        measure()
        page()
        work_out()
        page()
        with CaptureQueriesContext(connection) as captured:
            page()
        return len(captured)

    for_one = count()
    for name in ("Second", "Third"):
        grade_and_publish(hand_in((problems[0], RENAMED), (problems[2], RIGHT[2]), model=name))

    assert count() == for_one
