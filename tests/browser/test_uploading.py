"""A table of one's own, mapped, previewed and graded, as the one does who has it."""

from pathlib import Path

from playwright.sync_api import expect

from curation.problems.models import Benchmark, Problem
from development import web
from grading.answers.models import Attempt
from phybench.models import User
from tests.browser.conftest import Visits
from tests.organisations import organisation_of
from tests.processes import Processes
from tests.versions import publish_version


def test_a_table_with_columns_of_its_own_is_mapped_previewed_and_graded(
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
    table.write_text(f"nr,who,said\n{name},Nova,So \\boxed{{m g h}}\n{name},Nova,x\nX99,Nova,y\n")

    page = visits.open(evaluator)
    page.goto("/submissions/new/")
    page.get_by_label("Files with answers").set_input_files(table)
    page.get_by_role("button", name="Upload and preview").click()
    expect(page.get_by_text("choose the fields.")).to_be_visible()
    page.get_by_role("link", name="Choose the fields").click()
    page.get_by_label("Id of the problem").select_option("nr")
    page.locator("#id_response").select_option("said")
    page.locator("#id_model").select_option("who")
    page.get_by_role("button", name="Read the file like this").click()

    # Read by the worker while the page asks.
    expect(page.get_by_role("heading", name="What there is to grade")).to_be_visible()
    expect(page.get_by_text("X99")).to_be_visible()
    first = page.locator(".first-answers")
    expect(first.locator(".katex").first).to_be_visible()
    assert not Attempt.objects.exists()

    page.get_by_role("button", name="Grade 1 answer").click()
    expect(page.get_by_role("heading", name="Nova")).to_be_visible()
    expect(page.get_by_text("The answer is done.")).to_be_visible()
    assert Attempt.objects.get().status == Attempt.Status.GRADED
