"""The page of the board, its file and its picture say the same, and narrow alike."""

import csv
import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from curation.problems.models import Problem
from grading.board.columns import COLUMNS
from grading.board.scores.scope import Scope
from grading.submissions import publication
from tests.boards import MISSING, NOT_GRADED, UNREADABLE, MadeBoard, Score, make_scored_board
from tests.grading.board.test_ranks import draw
from tests.memory import remembered
from tests.work import work_out_analyses

pytestmark = pytest.mark.django_db

PEOPLE = {
    f"person-{number}": {place: 100.0 * ((place + number) % 2) for place in range(10)}
    for number in range(6)
}


@pytest.fixture
@remembered
def made(db: None) -> MadeBoard:
    mixed: list[list[Score]] = [[100.0], [40.0], [UNREADABLE], [0.0], [100.0]] * 24
    mixed[0] = [NOT_GRADED]
    mixed[1] = [MISSING]
    made = make_scored_board({"Mixed": mixed, "Half": draw(0.5, 4, 120)}, PEOPLE)
    return made


def get(client: Client, made: MadeBoard, name: str = "board_of", **query: str) -> HttpResponse:
    address = reverse(name, args=[made.benchmark.slug])
    client.get(address, query)
    work_out_analyses()
    return client.get(address, query)


def read_file(response: HttpResponse) -> list[dict[str, str]]:
    return list(csv.DictReader(response.content.decode().splitlines()))


def table_of(page: str) -> list[dict[str, str]]:
    """Return the words of each cell of the board's table, by the heading above it."""
    [table] = re.findall(r'<table class="data board standings">(.*?)</table>', page, re.DOTALL)
    heads, *rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    names = [strip(one) for one in re.findall(r"<th[^>]*>(.*?)</th>", heads, re.DOTALL)]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [dict(zip(names, map(strip, one), strict=True)) for one in cells]


def strip(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_the_table_says_rank_means_intervals_and_counts(client: Client, made: MadeBoard) -> None:
    half, mixed = table_of(get(client, made).content.decode())
    assert half["Solver"].startswith("Half")
    assert (half["Rank"], half["Mean EED"], half["Accuracy, %"]) == (
        "1–2", "50.0 (40.8–59.2)", "50.0 (40.8–59.2)",
    )  # fmt: skip
    assert (mixed["Rank"], mixed["Answered"]) == ("1–2", "119 of 120")
    assert [mixed[name] for name in ("Unreadable", "Missing", "Not graded")] == ["24", "1", "1"]
    assert "provisional: we could not grade 1 answer" in mixed["Solver"]
    # From all wrong to all right, and no other figure beside it.
    assert mixed["Accuracy, %"] == "39.2–40.0"


def test_the_file_has_what_the_table_has_and_more(client: Client, made: MadeBoard) -> None:
    get(client, made)
    half, mixed, people = read_file(get(client, made, "board_csv"))
    assert [half[name] for name in ("solver", "rank_low", "rank_high", "eed", "eed_method")] == [
        "Half", "1", "2", "50.00", "BETA",
    ]  # fmt: skip
    assert (mixed["not_graded"], mixed["provisional"], mixed["accuracy_from"]) == (
        "1", "yes", "39.17",
    )  # fmt: skip
    assert [mixed[name] for name in ("accuracy", "accuracy_low", "eed", "eed_high")] == [""] * 4
    assert (people["kind"], people["answered"], people["eed"]) == ("people", "60", "50.00")
    assert {name for column in COLUMNS for name in column.file} < set(half)


def test_people_are_a_distribution_without_a_rank(client: Client, made: MadeBoard) -> None:
    page = get(client, made).content.decode()
    assert "6 people gave 60 answers" in strip(page)
    assert "Mean of the best quarter" in page
    assert "People" not in {row["Solver"] for row in table_of(page)}


def test_a_domain_has_figures_and_ranks_of_its_own(client: Client, made: MadeBoard) -> None:
    page = get(client, made, domain="OPTICS").content.decode()
    half, _mixed = table_of(page)
    assert half["Answered"] == "20 of 20"
    assert "Rank" not in half, "20 problems are too few"
    scope = Scope.of(made.version).narrow(domain="OPTICS")
    assert scope.count == 20
    assert "domain=OPTICS" in re.findall(r'href="([^"]*\.csv[^"]*)"', page)[0]


@pytest.mark.parametrize(
    "narrowed",
    [
        {"difficulty": "HIGH_SCHOOL"},
        {"domain": "OPTICS", "difficulty": "HIGH_SCHOOL"},
        # Less the one of it, this is the domain: two means would tell the one.
        {"domain": "OPTICS", "difficulty": "OLYMPIAD"},
    ],
)
def test_nobody_reads_from_the_board_what_was_scored_on_a_single_problem(
    client: Client, made: MadeBoard, narrowed: dict[str, str]
) -> None:
    Problem.objects.filter(domain="OPTICS").update(difficulty="OLYMPIAD")
    Problem.objects.filter(pk=made.problems[3].pk).update(difficulty="HIGH_SCHOOL")
    page = get(client, made, **narrowed).content.decode()
    assert "No figures are shown for these problems" in page
    assert '<table class="data board">' not in page
    assert "Half" not in page
    assert read_file(get(client, made, "board_csv", **narrowed)) == []
    assert "Half" not in get(client, made, "board_picture", **narrowed).content.decode()
    assert len(table_of(get(client, made, domain="OPTICS").content.decode())) == 2


def test_what_hides_rows_leaves_the_ranks_alone(client: Client, made: MadeBoard) -> None:
    organisation = str(made.submissions["Half"].solver.organisation_id)
    for query in ({"organisation": organisation}, {"since": "2020-01-01"}, {"kind": "models"}):
        assert len(table_of(get(client, made, **query).content.decode())) == 2
    page = get(client, made, until="2020-01-01").content.decode()
    assert "No model matches these filters." in page
    page = get(client, made, kind="people").content.decode()
    assert '<table class="data board">' not in page
    assert "6 people gave" in strip(page)


@pytest.mark.parametrize(
    ("order", "first"), [("solver", "Half"), ("-solver", "Mixed"), ("-unreadable", "Mixed")]
)
def test_rows_are_sorted_by_what_is_asked_for(
    client: Client, made: MadeBoard, order: str, first: str
) -> None:
    rows = table_of(get(client, made, order=order).content.decode())
    assert rows[0]["Solver"].startswith(first)


def test_what_is_not_understood_narrows_nothing(client: Client, made: MadeBoard) -> None:
    query = {"domain": "'; DROP", "since": "never", "order": "nothing"}
    assert len(table_of(get(client, made, **query).content.decode())) == 2


@pytest.mark.parametrize(
    "name", ["board_picture", "domains_picture", "items_picture", "scaling_picture"]
)
def test_a_picture_without_anything_to_show_says_so_also_to_those_who_do_not_see_it(
    client: Client, db: None, name: str
) -> None:
    made = make_scored_board({"Alpha": [[100.0, 0.0]] * 12})
    alpha = made.submissions["Alpha"]
    publication.withdraw(submission=alpha, by=alpha.uploaded_by)
    drawn = get(client, made, name).text
    assert re.search(r"<title>[^<]+: nothing to show yet\.</title>", drawn)
    assert "Nothing to show yet.</text>" in drawn


@pytest.mark.parametrize("layout", ["", "narrow"])
def test_the_picture_names_each_solver_and_is_safe_to_open(
    client: Client, made: MadeBoard, layout: str
) -> None:
    response = get(client, made, "board_picture", layout=layout)
    assert response["Content-Type"] == "image/svg+xml"
    assert response["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    drawn = response.content.decode()
    assert drawn.count("<circle") == 1, "that of Mixed can lie anywhere between the ends"
    assert "othing to show" not in drawn
    assert drawn.count('whisker"') == 2
    assert {"Mixed", "1–2"} <= set(re.findall(r">([^<>]+)</text>", drawn))
    again = client.get(
        reverse("board_picture", args=[made.benchmark.slug]),
        {"layout": layout},
        headers={"If-None-Match": response["ETag"]},
    )
    assert (again.status_code, again.content) == (304, b"")


def test_the_bar_of_a_provisional_row_is_its_range_and_no_interval(client: Client) -> None:
    """Of a mean that may not be quoted the interval may not be either."""
    made = make_scored_board({"Open": [[100.0]] * 19 + [[NOT_GRADED]]}, slug="open-bar")
    picture = get(client, made, "board_picture").content.decode()
    ticks = re.findall(r'<text class="muted small middle" x="([\d.]+)"[^>]*>(\d+)<', picture)
    place = {value: float(x) for x, value in ticks}
    [(low, high)] = re.findall(r'whisker" x1="([\d.]+)" x2="([\d.]+)"', picture)
    width = place["100"] - place["0"]
    assert (float(low) - place["0"]) / width == pytest.approx(0.95, abs=0.005)
    assert (float(high) - place["0"]) / width == pytest.approx(1, abs=0.005)
