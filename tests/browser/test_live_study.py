"""An admin watches a study: its list refreshes itself, and leaves alone what they type in it."""

from playwright.sync_api import Page, Request, expect

from grading.studies.models import Study
from grading.studies.sessions import actions
from tests.browser.test_sitting import study
from tests.grading.sessions.conftest import practise

__all__ = ["study"]


def list_refreshes(page: Page) -> list[Request]:
    """Return the requests for the list, those to come included."""
    asked: list[Request] = []
    page.on("request", lambda one: asked.append(one) if "hx-request" in one.headers else None)
    return asked


def test_the_list_of_people_refreshes_itself_but_not_while_somebody_types_in_it(
    visits, study: Study, participant, admin
):
    actions.start(participation=practise(study, participant), seed=1)
    page = visits.open(admin)
    page.clock.install()
    page.goto(study.get_absolute_url())
    asked = list_refreshes(page)
    page.get_by_text("Give more time").first.click()
    page.get_by_label("Why").fill("The network was down.")
    page.clock.fast_forward(11_000)
    assert asked == []
    expect(page.get_by_label("Why")).to_have_value("The network was down.")
    page.get_by_text("Give more time").first.click()
    page.get_by_role("heading", name="People").click()
    with page.expect_response(lambda one: "hx-request" in one.request.headers):
        page.clock.fast_forward(11_000)
    expect(page.get_by_label("Why")).to_be_hidden()
