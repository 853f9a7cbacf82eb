"""A contributor brings the published problems in, through the pages, with a real worker."""

import pytest
from playwright.sync_api import expect

from development import web
from tests.processes import Processes
from tests.shared import find_published


@pytest.mark.slow
def test_the_published_problems_become_drafts_in_four_clicks(
    visits, processes: Processes, benchmark, contributor
):
    file = find_published("with-answers-50.json")
    processes.start(web.worker)
    page = visits.open(contributor)
    page.goto("/home/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Problems").click()
    page.get_by_role("link", name="Import", exact=True).click()
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_text("50 problems found.")).to_be_visible(timeout=240_000)
    page.get_by_role("button", name="Import 50 problems").click()
    expect(page.get_by_text("50 problems are imported.")).to_be_visible(timeout=240_000)
    assert contributor.problems.filter(status="DRAFT").count() == 50
