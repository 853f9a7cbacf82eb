"""A table of one's own, mapped, previewed and graded, as the one does who has it."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from development import web
from grading.answers.models import Attempt
from phybench.people.models import Role, User
from tests.addresses import client_of
from tests.browser.conftest import Visits
from tests.conftest import make_person
from tests.organisations import organisation_of
from tests.processes import Processes
from tests.versions import publish_version


# From files to the board CI goes in `test_whole_path.py`; choosing fields, comparing and what a
# stranger sees it holds without a browser.
@pytest.mark.slow
def test_a_table_of_ones_own_goes_from_its_columns_to_the_board(
    visits: Visits,
    processes: Processes,
    accepted_problem: Problem,
    benchmark: Benchmark,
    evaluator: User,
    tmp_path: Path,
) -> None:
    publish_version(benchmark)
    organisation_of(evaluator)
    processes.start(web.worker)
    table = tmp_path / "mine.csv"
    name = accepted_problem.identifier
    right, wrong = r"So \boxed{m g h}", "x"
    rows = [f"{name},Nova,{right}", f"{name},Nova,{wrong}", "X99,Nova,y", f"{name},Orion,{wrong}"]
    table.write_text("nr,who,said\n" + "\n".join(rows))

    page = visits.open(evaluator)
    page.goto("/submissions/new/")
    page.get_by_label("Files with answers").set_input_files(table)
    page.get_by_role("button", name="Read the file").click()
    expect(page.get_by_text("choose them.")).to_be_visible()
    page.get_by_role("link", name="Choose the fields").click()
    page.get_by_label("Id of the problem").select_option("nr")
    page.locator("#id_response").select_option("said")
    page.locator("#id_model").select_option("who")
    page.get_by_role("button", name="Read the file").click()

    # Read by the worker while the page asks.
    expect(page.get_by_role("heading", name="Answers to grade")).to_be_visible()
    expect(page.get_by_text("X99")).to_be_visible()
    first = page.locator(".first-answers")
    expect(first.locator(".katex").first).to_be_visible()
    # On a phone, what is said of a formula stands below it.
    page.set_viewport_size({"width": 390, "height": 800})
    formula, said = (
        first.locator("td").last.locator(part).bounding_box() for part in (".formula", "p")
    )
    assert formula
    assert said
    assert formula["y"] + formula["height"] <= said["y"]
    page.set_viewport_size({"width": 1280, "height": 720})
    assert not Attempt.objects.exists()

    page.get_by_role("button", name="Grade 2 answers").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Submissions")
    page.get_by_role("link", name="Nova").first.click()
    expect(page.get_by_text("The answer is done.")).to_be_visible()

    # Explored, compared and published.
    page.locator("table.results tbody").get_by_role("link").first.click()
    expect(page.locator(".outcome")).to_contain_text("correct")
    page.get_by_role("link", name="Nova").first.click()
    page.get_by_text("Compare, have it judged").click()
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("against Orion")
    page.get_by_role("link", name="Nova").first.click()
    submission = page.url
    page.get_by_role("link", name="Publish its score").click()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published. Everyone can see its score.")).to_be_visible()

    # A stranger sees its score, and neither its answers nor what became of them.
    visitor = visits.open()
    visitor.goto("/")
    visitor.get_by_role("link", name="Board").first.click()
    board = visitor.get_by_role("main")
    expect(board).to_contain_text("Nova")
    expect(board).to_contain_text("100.0")
    expect(board).not_to_contain_text("Orion")
    expect(board).not_to_contain_text("boxed")
    visitor.goto(submission)
    assert "/accounts/login/" in visitor.url
    other = make_person(Role.EVALUATOR, "other")
    organisation_of(other)
    client = client_of(other)
    attempt = Attempt.objects.get(solver__name="Nova")
    for address in (submission, attempt.get_absolute_url()):
        assert client.get(urlsplit(address).path).status_code == 404
