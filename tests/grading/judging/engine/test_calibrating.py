"""`calibrate`: a judge beside people, with what it said nothing of counted and never guessed."""

import json
from typing import Any

import pytest

from grading.judging.engine.records import Record, RecordStatus
from grading.judging.files.calibration import BadLabels, parse_labels
from tests.grading.answers.command_line import manage, run_here

WORKED = {(True, True): 20, (True, False): 5, (False, True): 10, (False, False): 15}
"""What the judge says and what people say, how often: kappa is 0.40."""


class Files:
    """A file of judgements, one of labels, and one of items."""

    def __init__(self, folder) -> None:
        self.folder = folder
        self.records: list[dict[str, Any]] = []
        self.labels: list[dict[str, Any]] = []
        self.items: list[dict[str, Any]] = []

    def add(self, verdict: dict[str, Any] | None, response: str = "R.", **label: Any) -> None:
        number = len(self.records)
        self.records.append(
            Record(
                id=number,
                kind="semantic",
                status=RecordStatus.UNSCORED if verdict is None else RecordStatus.SCORED,
                verdict=verdict,
                unscored_reason="empty" if verdict is None else None,
            ).to_json()
        )
        self.labels.append({"id": number, **label})
        self.items.append({"id": number, "question": "Q?", "response": response})

    def calibrate(self, *options: str, run=run_here):
        for name in ("records", "labels", "items"):
            lines = "".join(json.dumps(row) + "\n" for row in getattr(self, name))
            (self.folder / f"{name}.jsonl").write_text(lines)
        return run("calibrate", self.at("records"), self.at("labels"), *options)

    def at(self, name: str) -> str:
        return str(self.folder / f"{name}.jsonl")

    def figures(self, *options: str) -> dict[str, Any]:
        done = self.calibrate("--json", *options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def files(tmp_path) -> Files:
    return Files(tmp_path)


def add_worked(files: Files) -> None:
    for (said, so), times in WORKED.items():
        for _time in range(times):
            files.add({"is_correct": said}, is_correct=so)


def test_the_worked_example_has_its_kappa_and_both_kinds_of_error_apart(files):
    add_worked(files)
    found = files.figures()["all"]
    assert (found["judged"], found["missing"], found["bounds"]) == (50, 0, [70.0, 70.0])
    assert found["kappa"]["value"] == pytest.approx(0.4)
    assert found["kappa"]["low"] < 0.4 < found["kappa"]["high"]
    assert found["agreement"]["value"] == pytest.approx(70.0)
    assert (found["false_accepts"]["value"], found["false_accepts"]["count"]) == (25.0, 20)
    assert found["false_rejects"]["value"] == pytest.approx(100 / 3)
    assert found["prevalence"] == 0.6


def test_what_has_no_verdict_moves_the_bounds_and_no_figure(files):
    add_worked(files)
    for _time in range(50):
        files.add(None, is_correct=True)
    found = files.figures()["all"]
    assert (found["judged"], found["missing"]) == (50, 50)
    assert (found["agreement"]["value"], found["bounds"]) == (70.0, [35.0, 85.0])


def test_an_item_that_was_never_judged_is_missing_too(files):
    files.add({"is_correct": True}, is_correct=True)
    files.labels.append({"id": "never", "is_correct": False})
    found = files.figures()["all"]
    assert (found["labelled"], found["judged"], found["missing"]) == (2, 1, 1)


def test_where_all_are_of_one_kind_there_is_no_kappa(files):
    for _time in range(9):
        files.add({"is_correct": True}, is_correct=True)
    found = files.figures()["all"]
    assert (found["kappa"]["value"], found["kappa"]["count"]) == (None, 9)
    assert found["false_accepts"]["value"] is None
    assert "Cohen’s kappa: – (of 9)" in files.calibrate().stdout


def test_ratings_are_compared_with_quadratic_weights_and_their_middle_decides(files):
    for said, so, times in ((1, 1, 5), (1, 2, 1), (2, 1, 1), (2, 2, 4), (2, 3, 1), (3, 2, 1)):
        for _time in range(times):
            files.add({"rating": float(said)}, rating=so)
    for _time in range(5):
        files.add({"rating": 3.0}, rating=3, is_correct=False)
    files.add({"rating": 7.0}, is_correct=True)
    found = files.figures()["all"]
    assert found["ratings"]["weighted_kappa"]["value"] == pytest.approx(0.8333, abs=5e-5)
    assert (found["judged"], found["agreement"]["value"]) == (6, 100.0)


def test_several_people_make_a_majority_and_their_own_agreement_is_told(files):
    files.add({"is_correct": True}, is_correct=[True, True, False])
    files.add({"is_correct": False}, is_correct=[False, False, False])
    files.add({"is_correct": True}, is_correct=[True, False])
    found = files.figures()
    assert (found["all"]["judged"], found["all"]["split"]) == (2, 1)
    assert found["all"]["agreement"]["value"] == 100.0
    # Of three people: one item 2 to 1, one 0 to 3.
    assert found["people"] == {"value": pytest.approx(0.25), "count": 2}


def test_two_files_of_judgements_show_what_another_version_of_the_rules_says(files):
    for said, before in ((True, True), (False, True), (None, True), (True, None)):
        files.add(None if said is None else {"is_correct": said})
        earlier = None if before is None else {"is_correct": before, "comment": "As before."}
        files.labels[-1] = {**files.records[-1], "verdict": earlier, "flags": []}
    found = files.figures()
    assert (found["differ"], found["all"]["labelled"], found["all"]["missing"]) == (["1"], 3, 1)
    assert "They differ on: 1" in files.calibrate().stdout


def test_domains_and_lengths_have_figures_of_their_own(files):
    for number in range(6):
        domain = "optics" if number % 2 else "mechanics"
        is_correct = number < 4
        files.add({"is_correct": True}, "x" * 10**number, is_correct=is_correct, domain=domain)
    found = files.figures("--items", files.at("items"))
    assert {name: one["judged"] for name, one in found["by_domain"].items()} == {
        "mechanics": 3,
        "optics": 3,
    }
    assert {name: one["agreement"]["value"] for name, one in found["by_length"].items()} == {
        "1-10": 100.0,
        "100-1000": 100.0,
        "10000-100000": 0.0,
    }
    assert files.figures()["by_length"] == {}


def test_answers_of_one_length_stay_together(files):
    for response in ("xx", "xx", "xx", "xx", "xx", "x", "xxx"):
        files.add({"is_correct": True}, response, is_correct=True)
    found = files.figures("--items", files.at("items"))["by_length"]
    assert {name: one["judged"] for name, one in found.items()} == {"1-2": 6, "3-3": 1}


def test_it_is_said_in_sentences(files):
    add_worked(files)
    files.add(None, is_correct=True, domain="optics")
    # As a stranger runs it, with nothing in the environment.
    said = files.calibrate("--items", files.at("items"), run=manage).stdout
    assert "Labels: 51. Judged: 50. Without a verdict: 1. People evenly split: 0." in said
    assert "Agreement: 70.0 % (" in said
    assert "If all missing verdicts disagreed with people, or all agreed: 68.6 to 70.6 %" in said
    assert "Wrong answers judged right: 25.0 % (" in said
    assert "Domain optics: agreement – (of 0)" in said


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "Line 1: write an object"),
        (b"[1]", "Line 1: write an object"),
        (b'{"id": 1}', "Line 1: write an object"),
        (b'{"id": 1, "is_correct": "yes"}', "Line 1: write an object"),
        (b'{"id": 1, "is_correct": 1}', "Line 1: write an object"),
        (b'{"id": true, "is_correct": true}', "Line 1: write an object"),
        (b'{"is_correct": true}', "Line 1: write an object"),
        (b'{"id": 1, "rating": true}', "Line 1: write an object"),
        (b'{"id": 1, "rating": 3, "domain": 7}', "Line 1: write an object"),
        (b'{"id": 1, "rating": 3}\n{"id": "1", "rating": 3}', "Line 2: 1 already has a label."),
        (b"\xff", "UTF-8"),
        (b"\n\n", "no labels"),
    ],
)
def test_labels_that_can_not_be_read_are_refused_with_the_line(line, says):
    with pytest.raises(BadLabels, match=says):
        parse_labels(line)


@pytest.mark.parametrize(
    "label",
    [
        '"is_correct": 0', '"is_correct": 2', '"is_correct": [true, null]', '"is_correct": "true"',
        '"rating": NaN', '"rating": -Infinity', '"rating": 1e400', f'"rating": {10**400}',
    ],
)  # fmt: skip
def test_a_label_is_true_or_false_or_a_rating_on_some_scale(label):
    with pytest.raises(BadLabels, match="Line 2"):
        parse_labels(f'{{"id": 1, "is_correct": true}}\n{{"id": 2, {label}}}'.encode())


@pytest.mark.parametrize("name", ["records", "labels", "items"])
def test_a_file_of_something_else_is_named(files, name):
    files.add({"is_correct": True}, is_correct=True)
    files.calibrate()
    path = files.folder / f"{name}.jsonl"
    path.write_text('{"id": 1}\n{"id":\n')
    done = run_here(
        "calibrate", files.at("records"), files.at("labels"), "--items", files.at("items")
    )
    assert done.returncode == 2
    assert str(path) in done.stderr
    assert "Traceback" not in done.stderr
