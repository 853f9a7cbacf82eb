"""`calibrate`: what labels say of a panel, and of how sure verdicts are."""

import csv
import io

import pytest

from phybench_grader.statistics.halves import is_for_choosing
from tests.grading.judging.engine.test_calibrating import Files

NAMES = ("a", "b", "c")


@pytest.fixture
def files(tmp_path) -> Files:
    return Files(tmp_path)


def add(files: Files, *votes: bool | None, truth: bool = True) -> None:
    """Add an item with what each member says, and what they say together."""
    said = [one for one in votes if one is not None]
    right, wrong = said.count(True), said.count(False)
    verdict = None if right == wrong else {"is_correct": right > wrong}
    files.add(verdict, is_correct=truth)
    files.records[-1]["votes"] = [
        {"judge": name, "repeat": 1, "verdict": None if one is None else {"is_correct": one}}
        for name, one in zip(NAMES, votes, strict=False)
    ]


def add_many(files: Files) -> None:
    """Each of three errs on other items, so that together they never err."""
    for number in range(120):
        truth = number % 4 < 2
        add(files, *[(number % 6 != place) is truth for place in range(3)], truth=truth)


def test_a_panel_whose_members_err_apart_beats_its_best_member(files):
    add_many(files)
    panel = files.figures()["panel"]
    assert panel["may_rank"] is True
    beside = panel["beside_best"]
    choosing = sum(is_for_choosing(str(number)) for number in range(120))
    assert (beside["outcome"], beside["choosing"]) == ("yes", choosing)
    assert beside["panel_right"] == beside["reporting"] == 120 - choosing
    assert beside["best_right"] < beside["reporting"]
    votes = panel["effective_votes"]
    assert (votes["members"], votes["value"], votes["reason"]) == (3, None, "negative")
    text = files.calibrate().stdout
    assert "3 judges. The number of independent votes can’t be told" in text
    assert "The panel beats its best member." in text


def test_all_samples_of_one_problem_are_in_one_half_of_the_labels(files):
    add_many(files)
    for number, label in enumerate(files.labels):
        label["problem"] = number % 10
    choosing = sum(is_for_choosing(str(number)) for number in range(10))
    assert files.figures()["panel"]["beside_best"]["choosing"] == 12 * choosing


def test_items_with_one_question_are_samples_of_one_problem(files):
    add_many(files)
    for number, item in enumerate(files.items):
        asked = f"Question {number % 10}?"
        chat = {"messages": [{"role": "user", "content": asked}], "completion": f"Is {number}."}
        item |= {"question": asked} if number % 20 < 10 else {**chat, "question": ""}
    choosing = sum(is_for_choosing(f"Question {number}?") for number in range(10))
    found = files.figures("--items", files.at("items"))
    assert found["panel"]["beside_best"]["choosing"] == 12 * choosing


def test_a_panel_whose_members_err_together_carries_one_vote_and_ranks_nobody(files):
    for number in range(120):
        truth = number % 4 < 2
        add(files, *[(number % 5 != 0) is truth] * 3, truth=truth)
    panel = files.figures()["panel"]
    assert panel["effective_votes"]["value"] == pytest.approx(1.0)
    assert (panel["beside_best"]["outcome"], panel["may_rank"]) == ("no", False)
    text = files.calibrate().stdout
    assert "3 judges carry about 1.0 independent votes" in text
    assert "The panel ranks no models, because it does not beat its best member." in text


def test_too_few_labels_are_said_and_rank_nobody(files):
    for _time in range(5):
        add(files, True, True, False)
    panel = files.figures()["panel"]
    assert (panel["beside_best"]["outcome"], panel["may_rank"]) == ("cant_tell", False)
    assert panel["effective_votes"]["reason"] == "too_few"
    assert "each half needs 10" in files.calibrate().stdout


def test_a_judge_asked_several_times_is_no_panel(files):
    files.add({"is_correct": True}, is_correct=True)
    vote = {"judge": "a", "verdict": {"is_correct": True}}
    files.records[-1]["votes"] = [{**vote, "repeat": 1}, {**vote, "repeat": 2}]
    assert files.figures()["panel"] is None
    assert "panel" not in files.calibrate().stdout


def test_the_curve_is_told_on_both_halves_and_written_as_a_file(files):
    add_many(files)
    path = files.folder / "curve.csv"
    curve = files.figures("--curve", str(path))["risk_coverage"]
    assert [point["threshold"] for point in curve["points"]] == [1.0, pytest.approx(2 / 3)]
    assert (curve["threshold"], curve["reason"]) == (pytest.approx(2 / 3), None)
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert [(row["half"], row["is_chosen"]) for row in rows] == [
        ("choosing", "False"), ("reporting", "False"),
        ("choosing", "True"), ("reporting", "True"),
    ]  # fmt: skip
    assert [int(row["labels"]) for row in rows[:2]] == [
        curve["points"][0][half]["labels"] for half in ("choosing", "reporting")
    ]
    assert sum(int(row["covered"]) for row in rows[:2]) == 60
    assert (
        "Sureness 0.67 or more: on the choosing half coverage 100.0 %" in files.calibrate().stdout
    )


def test_a_judge_that_says_yes_or_no_once_has_no_curve(files):
    for _time in range(60):
        files.add({"is_correct": True}, is_correct=True)
    assert files.figures()["risk_coverage"]["reason"] == "all_alike"
    assert "nothing says which verdicts are surer" in files.calibrate().stdout


def test_a_rating_far_from_the_middle_is_surer(files):
    for number in range(80):
        is_sure = number % 2 == 0
        files.add({"rating": 10.0 if is_sure else 7.0}, is_correct=is_sure)
    curve = files.figures()["risk_coverage"]
    assert [point["threshold"] for point in curve["points"]] == [1.0, pytest.approx(1 / 3)]
    assert curve["threshold"] == 1.0


def test_a_curve_that_can_not_be_written_is_said(files):
    files.add({"is_correct": True}, is_correct=True)
    done = files.calibrate("--curve", str(files.folder / "nowhere" / "curve.csv"))
    assert done.returncode == 2
    assert "nowhere" in done.stderr


def test_what_the_rules_decided_is_as_sure_as_can_be_and_says_nothing_of_the_panel(files):
    for number in range(120):
        add(files, True, True, number % 3 == 0)
        if number % 2:
            files.records[-1] |= {"stage": "rule", "votes": []}
    found = files.figures()
    beside = found["panel"]["beside_best"]
    asked = [number for number in range(120) if number % 2 == 0]
    assert beside["choosing"] == sum(is_for_choosing(str(number)) for number in asked)
    assert beside["choosing"] + beside["reporting"] == len(asked)
    surest = found["risk_coverage"]["points"][0]
    assert surest["threshold"] == 1.0
    assert surest["choosing"]["covered"] + surest["reporting"]["covered"] == 60 + 20


def test_an_evenly_split_panel_is_covered_nowhere(files):
    for number in range(80):
        add(files, True, number % 4 > 0)
    points = files.figures()["risk_coverage"]["points"]
    labels = [points[-1][half] for half in ("choosing", "reporting")]
    assert sum(one["labels"] for one in labels) == 80
    assert sum(one["covered"] for one in labels) == 60
