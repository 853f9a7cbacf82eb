"""A visitor reports an error in a row, and reads what became of it."""

from playwright.sync_api import Page, expect

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.reports.models import ErrorReport
from phybench.people.models import User
from tests.browser.conftest import Visits
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
