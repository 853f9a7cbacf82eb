"""Errors are reported by a visitor, who reads what became of it, and listed for admins."""

import pytest
from playwright.sync_api import Page, expect

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.reports.models import ErrorReport
from phybench.people.models import User
from tests.browser.conftest import Visits
from tests.curation.errors.reports import report_error
from tests.versions import publish_version


def fill_in(page: Page, subject: str) -> None:
    page.get_by_label("a solver’s row on the board").check()
    page.get_by_label("Which problem or row").fill(subject)
    page.get_by_label("What is wrong").fill("Its name is that of\nanother model: $m$.")
    page.get_by_role("button", name="Report it").click()


def test_a_visitor_reports_an_error_and_comes_back_by_the_link(
    visits: Visits, accepted_problem: Problem, benchmark: Benchmark, admin: User, settings: object
) -> None:
    version = publish_version(benchmark)
    settings.VISITOR_REPORT_LEAST_SECONDS = 0  # type: ignore[attr-defined]
    visitor = visits.open(viewport={"width": 390, "height": 800})
    visitor.goto(version.get_absolute_url())
    visitor.get_by_role("link", name="Report an error").click()
    # What a program would fill in, a person neither sees nor reaches.
    hidden = visitor.locator("[name=website]")
    assert hidden.get_attribute("tabindex") == "-1"
    fill_in(visitor, "A model")

    found = ErrorReport.objects.get()
    expect(visitor.get_by_role("heading", level=1)).to_have_text(f"Your error report {found.pk}")
    expect(visitor.get_by_text("received, and not decided yet")).to_be_visible()
    expect(visitor.locator(".as-typed .katex")).to_be_visible()
    link = visitor.url

    page = visits.open(admin)
    page.goto(found.get_absolute_url())
    page.get_by_label("row corrected").check()
    page.get_by_label("Why", exact=True).fill("It was renamed.")
    page.get_by_role("button", name="Decide it").click()
    expect(page.get_by_text("Decided and closed: row corrected.")).to_be_visible()

    visitor.goto("/")
    visitor.goto(link)
    expect(visitor.locator("strong").get_by_text("corrected", exact=True)).to_be_visible()
    expect(visitor.get_by_text("It was renamed.")).to_have_count(0)


FOCUSED = "document.activeElement.id || document.activeElement.textContent"


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_list_is_narrowed_and_sorted_with_and_without_scripts(
    visits: Visits, accepted_problem: Problem, participant: User, admin: User, has_scripts: bool
) -> None:
    first = report_error(accepted_problem, participant, text="Which height?")
    second = report_error(accepted_problem, participant, kind="SOLUTION", text="Which sign?")
    page = visits.open(admin, java_script_enabled=has_scripts)
    rows = page.locator("#rows tbody th")
    names = [f"Report {one.pk}" for one in (second, first)]
    page.goto("/reports/")
    expect(rows).to_have_text(names)
    loads: list[str] = []
    page.on("domcontentloaded", lambda one: loads.append(one.url))

    page.get_by_role("link", name="Reported", exact=True).press("Enter")
    expect(rows).to_have_text(names[::-1])
    expect(page).to_have_url(f"{visits.address}/reports/?sort=reported")
    if has_scripts:
        assert page.evaluate(FOCUSED) == "by-reported"
    search = page.get_by_label("Search in problems and reports")
    search.fill("sign")
    search.press("Enter")
    expect(rows).to_have_text(names[:1])
    expect(page.get_by_text("1 of 2 reports")).to_be_visible()
    if has_scripts:
        assert page.evaluate(FOCUSED) == "id_q"
        # Nothing of what was shown stays in the browser's store.
        assert page.evaluate("sessionStorage.getItem('htmx-history-cache')") is None
        assert loads == []

    # The order is kept, in the address, in the file and on the way back.
    search.fill("which")
    page.get_by_role("button", name="Apply").click()
    expect(rows).to_have_text(names[::-1])
    file = page.get_by_role("link", name="This list as CSV").get_attribute("href")
    assert file is not None
    assert "q=which" in file
    assert "sort=reported" in file
    page.go_back()
    expect(rows).to_have_text(names[:1])
    page.get_by_role("link", name="Clear").click()
    expect(rows).to_have_text(names)
    expect(search).to_have_value("")
