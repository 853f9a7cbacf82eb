"""“If people had judged”: whose labels a row goes by, and what comes of them."""

import csv
import io

import pytest
from django.test import Client

from grading.samples.audits.drawing import draw
from grading.samples.audits.models import AuditItem, AuditSample
from phybench.people.models import Role, User
from tests.boards import MadeBoard, Score, add_model, make_scored_board
from tests.conftest import make_person
from tests.grading.audits.conftest import label_all
from tests.memory import remembered

HALF: list[list[Score]] = [*([[100.0]] * 25), *([[30.0]] * 25)]
"""The answers to 50 problems: half of them accepted, half rejected."""


@pytest.fixture
@remembered
def made(db: None) -> MadeBoard:
    return make_scored_board({"Doubted": HALF, "Upheld": HALF})


@pytest.fixture
@remembered
def sample(made: MadeBoard, admin: User) -> AuditSample:
    """All answers of both, where of each ten rejected ones of the first people find four right."""
    drawn = draw(version=made.version, by=admin, size=100)
    doubted = made.submissions["Doubted"]
    turned = set(
        AuditItem.objects.filter(
            sample=drawn, stratum="REJECTED", attempt__submission=doubted
        ).values_list("pk", flat=True)[:10]
    )

    def judge(item: AuditItem) -> str:
        return "RIGHT" if item.stratum == "ACCEPTED" or item.pk in turned else "WRONG"

    label_all(drawn, admin, make_person(Role.ADMIN, "other-admin"), judge)
    return drawn


def read_board(client: Client, made: MadeBoard) -> dict[str, dict[str, str]]:
    written = client.get(f"/b/{made.benchmark.slug}.csv").content.decode("utf-8-sig")
    return {row["solver"]: row for row in csv.DictReader(io.StringIO(written))}


def say(row: dict[str, str]) -> tuple[float, str]:
    return float(row["if_people_had_judged"]), row["by_own_labels"]


def test_a_row_of_whose_answers_enough_are_labelled_goes_by_those(client, made, sample):
    rows = read_board(client, made)
    # Ten of the 25 rejected were right: (25 + 10) of 50.
    assert say(rows["Doubted"]) == (pytest.approx(70.0), "yes")
    assert say(rows["Upheld"]) == (pytest.approx(50.0), "yes")
    assert float(rows["Doubted"]["accuracy"]) == 50.0


def test_a_row_without_labels_goes_by_those_of_all(client, made, sample):
    add_model(made, "Later", [[30.0]] * 50)
    # Of the 50 rejected of both ten were right.
    assert say(read_board(client, made)["Later"]) == (pytest.approx(20.0), "no")


def test_nothing_is_said_before_a_sample_is_complete(client, made, admin):
    draw(version=made.version, by=admin, size=100)
    assert not any(row.get("if_people_had_judged") for row in read_board(client, made).values())
