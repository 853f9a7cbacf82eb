"""A visitor narrows a board, keeps its address, compares two models and takes the files along."""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.boards import MadeBoard, make_scored_board
from tests.browser.conftest import Visits
from tests.grading.board.test_ranks import draw
from tests.memory import remembered
from tests.work import work_out_analyses

PEOPLE = {
    f"person-{number}": {place: 100.0 * ((place + number) % 2) for place in range(10)}
    for number in range(6)
}


@pytest.fixture
@remembered
def made(transactional_db: None) -> MadeBoard:
    return make_scored_board({"Best": draw(0.9, 1, 240), "Worst": draw(0.2, 2, 240)}, PEOPLE)


def read_download(page: Page, name: str, folder: Path) -> str:
    with page.expect_download() as downloading:
        page.get_by_role("main").get_by_role("link", name=name, exact=True).first.click()
    file = folder / downloading.value.suggested_filename
    downloading.value.save_as(file)
    return file.read_text()


def test_ranks_appear_by_themselves_and_the_files_say_the_same(
    visits: Visits, made: MadeBoard, tmp_path: Path
) -> None:
    page = visits.open()
    page.goto(made.benchmark.get_absolute_url())
    expect(page.get_by_text("The ranks are being calculated.")).to_be_visible()
    work_out_analyses()
    expect(page.locator("table.board").get_by_role("columnheader", name="Rank")).to_be_visible()
    assert "Best" in read_download(page, "SVG", tmp_path)
    rows = list(csv.DictReader(read_download(page, "CSV", tmp_path).splitlines()))
    assert [(row["solver"], row["rank_low"]) for row in rows[:2]] == [("Best", "1"), ("Worst", "2")]
    with page.expect_download() as downloading:
        page.get_by_role("button", name="PNG").click()
    assert Path(downloading.value.path()).read_bytes().startswith(b"\x89PNG")


def test_a_narrowed_board_has_an_address_that_leads_back_to_it(
    visits: Visits, made: MadeBoard
) -> None:
    page = visits.open(viewport={"width": 390, "height": 844})
    page.goto(made.benchmark.get_absolute_url())
    page.get_by_text("Filter", exact=True).click()
    page.get_by_label("Domain").select_option("OPTICS")
    page.get_by_role("button", name="Apply").click()
    said = page.get_by_text("Figures and ranks cover 40 problems: optics.")
    expect(said).to_be_visible()
    other = visits.open()
    other.goto(page.url)
    expect(other.get_by_text("Figures and ranks cover 40 problems: optics.")).to_be_visible()
    other.get_by_role("link", name="Show all problems").click()
    expect(other.get_by_text("240 problems")).to_be_visible()


def test_two_models_are_compared_and_swapped(
    visits: Visits, made: MadeBoard, tmp_path: Path
) -> None:
    page = visits.open()
    page.goto(made.benchmark.get_absolute_url())
    page.get_by_role("link", name="Compare two").click()
    page.locator("#compare-a").select_option(label="Best")
    page.locator("#compare-b").select_option(label="Worst")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("Compared on 240 problems that both were given")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("+70.0")
    page.get_by_role("link", name="Swap").click()
    expect(page.get_by_role("main")).to_contain_text("−70.0")
    assert "Worst" in page.locator("h1").inner_text() + read_download(page, "CSV", tmp_path)


def test_on_a_phone_a_model_has_two_lines(visits: Visits, made: MadeBoard) -> None:
    page = visits.open(viewport={"width": 390, "height": 844})
    page.goto(made.benchmark.get_absolute_url())
    work_out_analyses()
    row = page.locator("table.standings tbody tr").first
    # Its rank, and the two figures; their labels come from the style.
    expect(row.locator("td:visible")).to_have_count(3)
    rank, name = row.locator(".of-rank").bounding_box(), row.get_by_role("link").bounding_box()
    first, second = (row.locator(f".of-{one}").bounding_box() for one in ("eed", "accuracy"))
    assert rank["x"] < name["x"]
    assert name["y"] + name["height"] <= first["y"] == second["y"]
    line = page.evaluate("parseFloat(getComputedStyle(document.body).lineHeight)")
    assert row.bounding_box()["height"] < 3.5 * line
    assert page.evaluate("document.documentElement.scrollWidth") == 390
