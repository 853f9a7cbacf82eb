"""Calibration by what answers have in common, and a figure that is undefined is none."""

import random

import pytest
from django.urls import reverse

from grading.judging.calibration.standing import RulingCase, calibrate
from grading.samples.labels import rulings
from tests.grading.judging.judging import begin, grade_all, judge_answers, judge_well
from tests.grading.judging.test_lists import read_csv
from tests.grading.trials.trials import make_endpoint


def case(said, ruled, domain="MECHANICS", difficulty="", length=100) -> RulingCase:
    return RulingCase(said, ruled, domain, difficulty, length)


def slices_of(cases, by: str) -> list[tuple[str, int]]:
    return [(one.code, one.found.ruled) for one in calibrate(cases).slices if one.by == by]


def test_false_accepts_and_false_rejects_are_shares_of_what_they_could_be():
    found = calibrate(
        [case(True, False)] * 2 + [case(False, False)] * 6 + [case(False, True), case(True, True)]
    )
    assert (found.false_accepts.value, found.false_accepts.count) == (25.0, 8)
    assert (found.false_rejects.value, found.false_rejects.count) == (50.0, 2)
    assert found.false_accepts.low < 25.0 < found.false_accepts.high


def test_what_has_nothing_to_be_a_share_of_is_none_and_not_0():
    found = calibrate([case(True, True), case(None, False)])
    assert found.false_accepts.value is None
    assert found.false_rejects.value == 0.0
    assert found.kappa.value is None
    assert calibrate([case(None, True)]).agreement.value is None


@pytest.mark.parametrize(
    ("length", "code"),
    [
        (0, "0-200"), (1, "0-200"), (200, "0-200"), (201, "201-1000"), (1000, "201-1000"),
        (1001, "1001-5000"), (5000, "1001-5000"), (5001, "5001-"), (10**6, "5001-"),
    ],
)  # fmt: skip
def test_each_answer_is_in_one_part_by_its_length(length, code):
    assert slices_of([case(True, True, length=length)], "length") == [(code, 1)]


def test_answers_are_divided_by_domain_and_each_counts_once():
    cases = [case(True, True), case(True, False, domain="OPTICS"), case(None, True)]
    assert slices_of(cases, "domain") == [("MECHANICS", 2), ("OPTICS", 1)]


def test_answers_are_divided_by_difficulty_only_where_some_have_one():
    assert slices_of([case(True, True)] * 3, "difficulty") == []
    cases = [case(True, True), case(True, True, difficulty="OLYMPIAD")]
    assert slices_of(cases, "difficulty") == [("OLYMPIAD", 1), ("NONE", 1)]


@pytest.fixture
def calibrated(monkeypatch, problems, hand_in, serve, admin):
    monkeypatch.setattr(random, "random", lambda: 0.0)
    made = hand_in((problems[0], "m g h; it is right"), (problems[1], "x" * 300))
    grade_all(made)
    judge_answers(made, make_endpoint(serve(judge_well)))
    for attempt in made.attempts.all():
        rulings.rule(attempt=attempt, by=admin, choice="RIGHT", reason="It is.")
    return made


@pytest.mark.usefixtures("commits")
def test_the_page_draws_and_says_it_and_the_file_has_each_part(client, admin, calibrated):
    client.force_login(admin)
    page = client.get(reverse("grading:calibration"))
    text = page.content.decode()
    [shown] = page.context["rows"]
    assert {picture.layout.name for picture in shown.pictures} == {"wide", "narrow"}
    names = [mark.name for mark in shown.pictures[0].marks]
    assert names[0] == "all (2)"
    assert "up to 200 characters (1)" in names
    assert "201 to 1,000 characters (1)" in names
    assert "none of them is wrong" in text, "a share of nothing is a dash with its reason"
    rows = read_csv(client.get(reverse("grading:calibration_csv")))
    assert [(row["by"], row["part"], row["ruled"], row["agreement"]) for row in rows] == [
        ("all", "", "2", "50.0"),
        ("domain", "MECHANICS", "2", "50.0"),
        ("difficulty", "HIGH_SCHOOL", "2", "50.0"),
        ("length", "0-200", "1", "100.0"),
        ("length", "201-1000", "1", "0.0"),
    ]
    assert {row["false_accepts"] for row in rows} == {""}
    assert rows[0]["false_rejects"] == "50.0"
    rows = read_csv(client.get(reverse("grading:calibration_csv") + "?against=files"))
    assert [row["ruled"] for row in rows] == ["0"]


@pytest.mark.usefixtures("commits")
def test_nothing_to_go_by_is_said_and_not_drawn(client, admin, problems, hand_in, serve):
    made = hand_in((problems[0], "m g h"))
    grade_all(made)
    begin(made, make_endpoint(serve(judge_well)))
    client.force_login(admin)
    page = client.get(reverse("grading:calibration") + "?against=nonsense")
    assert page.context["rows"][0].pictures == []
    assert "No person has judged these answers yet." in page.content.decode()
