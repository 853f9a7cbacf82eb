"""Figures by domain: means, advantages before a frozen panel, and what is not told."""

import csv

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.problems.models import Problem
from grading.answers.submissions.models import Submission
from grading.board.domains.figures import DOMAINS, KEPT, DomainFigures
from grading.board.panels.actions import freeze
from grading.board.scores.collecting import arrange
from grading.board.scores.scope import Scope
from tests.boards import NOT_GRADED, MadeBoard, add_model, make_scored_board
from tests.memory import remembered
from tests.work import work_out_analyses

pytestmark = pytest.mark.django_db
ADDRESS = "/b/test/domains/"


RIGHT, WRONG, NEAR = [100.0], [0.0], [40.0]
UNGRADED = [NOT_GRADED]


@pytest.fixture
@remembered
def board(db: None) -> MadeBoard:
    """Five problems of mechanics, five of optics; the one model has all of them wrong."""
    made = make_scored_board({"Worst": [WRONG] * 10}, slug="test")
    for domain, some in (("MECHANICS", made.problems[:5]), ("OPTICS", made.problems[5:])):
        Problem.objects.filter(pk__in=[one.pk for one in some]).update(
            domain=domain, difficulty="OLYMPIAD"
        )
    return made


def put_four(board: MadeBoard) -> None:
    """Of the four the share right in mechanics is 1 to 4 fifths, and in optics a quarter of 1."""
    for right in range(1, 5):
        rows = [RIGHT] * right + [WRONG] * (5 - right) + [RIGHT] + [WRONG] * 4
        add_model(board, f"M{right}", rows)


def read(client: Client, query: str = "") -> list[dict[str, str]]:
    client.get(ADDRESS + query)
    work_out_analyses()
    answer = client.get(reverse("domains_csv", args=["test"]) + query)
    return list(csv.DictReader(answer.text.splitlines()))


def test_means_and_advantages_are_those_counted_by_hand(client, board, admin):
    put_four(board)
    panel = freeze(version=board.version, name="Five", by=admin)
    add_model(board, "Best", [RIGHT] * 10)

    rows = read(client, "?metric=accuracy")
    best = {one["domain"]: one for one in rows if one["solver"] == "Best"}

    # The panel: (0 + 20 + 40 + 60 + 80) / 5 in mechanics, (0 + 4 × 20) / 5 in optics.
    told = [
        (one["mean"], one["panel_mean"], one["advantage"], one["relative_advantage"])
        for one in (best["MECHANICS"], best["OPTICS"])
    ]
    assert told == [
        ("100.00", "40.00", "60.00", "1.5000"),
        ("100.00", "16.00", "84.00", "5.2500"),
    ]
    assert best["OPTICS"]["panel"] == panel.name


def test_the_panel_stays_when_others_come_and_when_its_members_leave(client, board, admin):
    put_four(board)
    freeze(version=board.version, name="Five", by=admin)
    before = {one["domain"]: one["panel_mean"] for one in read(client)}
    add_model(board, "Best", [RIGHT] * 10)
    Submission.objects.filter(solver__name="M1").update(withdrawn_at=timezone.now())

    rows = read(client)
    assert {one["domain"]: one["panel_mean"] for one in rows} == before
    assert "M1" not in {one["solver"] for one in rows}


def test_a_domain_with_an_answer_that_is_not_graded_is_a_range_and_sorted_by_its_low_end(
    client, board, admin
):
    put_four(board)
    freeze(version=board.version, name="Five", by=admin)
    add_model(board, "Open", [UNGRADED] + [RIGHT] * 3 + [WRONG] + [WRONG] * 4 + [RIGHT])
    found = read(client, "?metric=accuracy")
    optics, mechanics = (
        next(one for one in found if (one["solver"], one["domain"]) == ("Open", domain))
        for domain in ("OPTICS", "MECHANICS")
    )
    assert (mechanics["mean"], mechanics["low"], mechanics["advantage"]) == ("", "", "")
    assert (mechanics["from"], mechanics["to"]) == ("60.00", "80.00")
    assert (optics["mean"], optics["from"], optics["to"]) == ("20.00", "20.00", "20.00")
    assert optics["advantage"], "another domain of it is as always"
    names = list(dict.fromkeys(one["solver"] for one in found))
    # Its graded answers alone would have put it above M3, which has 40 too.
    assert names.index("M3") < names.index("Open")
    assert names.index("M4") < names.index("M3")

    page = client.get(ADDRESS + "?metric=accuracy").text
    row = page.split(">Open</a>")[1].split("</tr>")[0]
    said = [one.split("<")[0] for one in row.split('<span class="nowrap">')[1:]]
    assert said == ["40.0–50.0", "40.0–50.0", "60.0–80.0"]
    picture = client.get(reverse("domains_picture", args=["test"]) + "?metric=accuracy").text
    # A key of each model, and a mark in both domains but for what is open in one.
    assert picture.count("translate(") == 6 + 2 * 6 - 1


def test_a_frozen_panel_averages_what_is_graded_of_its_members(client, board, admin):
    for right in range(2, 5):
        add_model(board, f"M{right}", [RIGHT] * right + [WRONG] * (10 - right))
    add_model(board, "Open", [UNGRADED] + [WRONG] * 9)
    freeze(version=board.version, name="Five", by=admin)
    found = read(client, "?metric=accuracy")
    # 40, 60 and 80, and twice 0: of the four that are graded one has 0.
    assert {one["panel_mean"] for one in found if one["domain"] == "MECHANICS"} == {"36.00"}


def test_equal_domains_and_equal_problems_have_means_of_their_own(board):
    submission = add_model(board, "A model", [RIGHT] * 5 + [UNGRADED] * 4 + [NEAR])
    figures = KEPT.validate_python(DOMAINS.work_out(arrange(Scope.of(board.version))))
    eed = figures.rows[submission.pk]["eed"]
    # Six problems that we could grade: five of 100 and one of 40.
    assert (eed.micro.value, eed.macro) == (pytest.approx(540 / 6), 70)
    assert eed.by_domain["OPTICS"].count == 1


def test_a_domain_of_so_few_problems_is_not_told_nor_is_what_tells_it(client, board):
    optics = Problem.objects.filter(domain="OPTICS")
    optics.filter(pk=optics.first().pk).update(domain="MODERN")
    add_model(board, "A model", [RIGHT] * 10)

    kept = DOMAINS.work_out(arrange(Scope.of(board.version)))
    figures: DomainFigures = KEPT.validate_python(kept)
    assert figures.counts == {"MECHANICS": 5, "OPTICS": 4, "MODERN": 1}
    assert figures.told == ["MECHANICS"]
    assert [*next(iter(figures.rows.values()))["eed"].by_domain] == ["MECHANICS"]
    rows = [one for one in read(client) if one["solver"] == "A model"]
    assert {one["domain"]: one["mean"] for one in rows} == {
        "MECHANICS": "100.00",
        "OPTICS": "",
        "MODERN": "",
    }
    assert "not shown" in client.get(ADDRESS).text


def test_page_says_that_figures_come_and_then_shows_them(client, board):
    add_model(board, "A model", [RIGHT] * 10)
    waiting = client.get(ADDRESS)
    assert "being calculated" in waiting.text
    assert client.get(reverse("domains_csv", args=["test"])).status_code == 503
    work_out_analyses()
    page = client.get(ADDRESS)
    assert "being calculated" not in page.text
    assert "A model" in page.text
    assert "No panel is frozen" in page.text
    picture = client.get(page.context["picture"].address)
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/svg+xml")


def test_empty_board_says_what_will_be_here(client, benchmark):
    assert "No version is published yet" in client.get(ADDRESS).text


def test_board_without_models_says_so(client, board):
    Submission.objects.update(withdrawn_at=timezone.now())
    client.get(ADDRESS)
    work_out_analyses()
    assert "This board has no models yet" in client.get(ADDRESS).text


@pytest.mark.parametrize("query", ["panel=x&show=x&metric=x", "panel=99999999999999999999"])
def test_what_is_not_understood_in_the_address_is_ignored(client, board, query):
    add_model(board, "A model", [RIGHT] * 10)
    client.get(ADDRESS)
    work_out_analyses()
    assert "A model" in client.get(f"{ADDRESS}?{query}").text


def test_page_takes_as_many_queries_for_any_models(client, board, admin, django_assert_num_queries):
    put_four(board)
    freeze(version=board.version, name="Five", by=admin)
    client.get(ADDRESS)
    work_out_analyses()
    with django_assert_num_queries(QUERIES):
        client.get(ADDRESS)
    for number in range(3):
        add_model(board, f"N{number}", [RIGHT] * 10)
    client.get(ADDRESS)
    work_out_analyses()
    with django_assert_num_queries(QUERIES):
        assert len(client.get(ADDRESS).context["table"].rows) == 8


QUERIES = 19
