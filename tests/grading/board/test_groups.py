"""Models are grouped by what their teams say of them, and what is not said is not guessed."""

import csv
import re

import pytest
from django.test import Client
from django.urls import reverse

from grading.board.groups import group
from grading.board.scores.collecting import ModelTraits
from grading.solvers.actions import describe
from grading.solvers.models import Solver
from tests.boards import MadeBoard, make_scored_board
from tests.memory import remembered

pytestmark = pytest.mark.django_db
SAID: dict[str, dict[str, object]] = {
    "Thinker": {"kind": "REASONING", "parameters": 671_000_000_000, "developer": "A"},
    "Talker": {"kind": "GENERAL", "parameters": 8_000_000_000, "developer": "B"},
    "Twin": {"kind": "REASONING", "parameters": 100_000_000_000, "developer": "A"},
}


@pytest.fixture
@remembered
def made(db: None) -> MadeBoard:
    names = (*SAID, "Silent", "hub/Model")
    made = make_scored_board(
        {name: [[100.0]] * (6 - place) + [[0.0]] * place for place, name in enumerate(names)}
    )
    for name, said in SAID.items():
        submission = made.submissions[name]
        describe(solver=submission.solver, by=submission.uploaded_by, read=0, **said)
    return made


def list_groups(made: MadeBoard, by: str) -> dict[str, list[str]]:
    page = Client().get(reverse("board_of", args=[made.benchmark.slug]), {"group": by})
    table = page.content.decode().partition("standings")[2].partition("</table>")[0]
    _first, *parts = table.split('<tr class="group">')
    return {
        re.findall(r"<th[^>]*>(.*?)</th>", part)[0]: re.findall(
            r'<a href="/solvers/\d+/">(.*?)</a>', part
        )
        for part in parts
    }


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        (
            "kind",
            {
                "Reasoning models": ["Thinker", "Twin"],
                "General models": ["Talker"],
                "Models of a kind not stated": ["Silent", "hub/Model"],
            },
        ),
        (
            "developer",
            {
                "A": ["Thinker", "Twin"],
                "B": ["Talker"],
                "hub": ["hub/Model"],
                "Developer not stated": ["Silent"],
            },
        ),
        (
            "parameters",
            {
                "Less than 10 billion parameters": ["Talker"],
                "100 billion parameters or more": ["Thinker", "Twin"],
                "Parameters not stated": ["Silent", "hub/Model"],
            },
        ),
        ("", {}),
        ("something", {}),
    ],
)
def test_rows_stand_under_what_is_said_and_the_unknown_last(
    made: MadeBoard, by: str, groups: dict[str, list[str]]
) -> None:
    assert list(list_groups(made, by).items()) == list(groups.items())


def test_the_file_and_the_api_say_what_is_known_and_nothing_else(made: MadeBoard) -> None:
    slug = made.benchmark.slug
    file = Client().get(reverse("board_csv", args=[slug])).content.decode()
    rows = {row["solver"]: row for row in csv.DictReader(file.splitlines())}
    told = [
        tuple(rows[name][one] for one in ("model_kind", "parameters", "developer"))
        for name in ("Thinker", "Silent", "hub/Model")
    ]
    assert told == [("reasoning", "671000000000", "A"), ("", "", ""), ("", "", "hub")]
    board = Client().get(f"/api/v1/benchmarks/{slug}/versions/1/board").json()
    found = {row["name"]: row for row in board["rows"]}
    assert [
        [found[name][one] for one in ("kind", "parameters", "developer")]
        for name in ("Thinker", "Silent", "hub/Model")
    ] == [["REASONING", 671_000_000_000, "A"], [None, None, None], [None, None, "hub"]]


def test_the_newest_description_counts(made: MadeBoard) -> None:
    solver = Solver.objects.get(name="Talker")
    by = made.submissions["Talker"].uploaded_by
    describe(solver=solver, by=by, read=1, kind="REASONING")
    assert "General models" not in list_groups(made, "kind")
    assert "B" not in list_groups(made, "developer"), "what is taken back is not known"


def test_every_count_of_parameters_has_its_class() -> None:
    counts = (1, 10**10 - 1, 10**10, 10**11 - 1, 10**11, 10**15)
    found = group(counts, "parameters", lambda one: ModelTraits(parameters=one))
    assert found == [
        ("Less than 10 billion parameters", [1, 10**10 - 1]),
        ("10 to 100 billion parameters", [10**10, 10**11 - 1]),
        ("100 billion parameters or more", [10**11, 10**15]),
    ]
