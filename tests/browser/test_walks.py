"""
How many clicks a way takes: a press on a link, button, radio or menu; typing is none.

Each fails where a way has grown longer.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from curation.problems.models import Problem
from curation.texts.workflow import Status
from development import web
from phybench.people.accounts import make_set_up_code
from tests.processes import Processes

SECRET = "correct horse battery"


class Counter:
    """Presses, and knows how many it did."""

    def __init__(self) -> None:
        self.clicks = 0

    def press(self, target: Locator) -> None:
        self.clicks += 1
        target.click()


@pytest.fixture(autouse=True)
def empty_install(settings):
    settings.WITH_DEMO = False


def test_from_an_empty_install_to_an_own_accepted_problem(visits, processes: Processes):
    processes.start(web.worker)
    counted = Counter()
    head, ann = visits.open(), visits.open()

    head.goto(f"/setup/?code={make_set_up_code()}")
    fill(head, {"Name of your benchmark": "Noether Group", "Your name": "Emmy"})
    fill(head, {"E-mail address": "emmy@new.example"})
    head.get_by_label("Password", exact=True).fill(SECRET)
    head.get_by_label("Password (again)").fill(SECRET)
    counted.press(head.get_by_role("button", name="Set up"))
    expect(head.get_by_role("heading", level=1)).to_contain_text("Next: invite")

    counted.press(head.get_by_role("link", name="Write a problem").first)
    counted.press(head.get_by_role("link", name="Start from a worked example"))
    statement = head.get_by_label("Statement")
    statement.fill(statement.input_value().replace("off a cliff", "from a tower"))
    fill(head, {"Title": "A ball thrown from a tower"})
    counted.press(head.get_by_role("button", name="Submit for review"))
    head.wait_for_url(re.compile(r"/p(roblems)?/\d+/$"), timeout=120_000)

    # What comes next stands above each page.
    counted.press(head.get_by_role("link", name="Invite members"))
    head.get_by_label("E-mail addresses").fill("ann@new.example")
    expect(head.get_by_role("checkbox", name="reviewer")).to_be_checked()
    counted.press(head.get_by_role("button", name="Invite"))
    link = head.get_by_label("Link for ann@new.example").input_value()

    ann.goto(link[link.index("/join/") :])
    fill(ann, {"Display name": "Ann"})
    ann.get_by_label("Password", exact=True).fill(SECRET)
    counted.press(ann.get_by_role("button", name="Join"))
    review_blind(ann, counted.press, r"v_0 \sqrt{2 h / g}")
    expect(ann.get_by_text("accepted").first).to_be_visible()
    assert Problem.objects.get().status == Status.ACCEPTED
    assert counted.clicks <= 12


def fill(page: Page, values: dict[str, str]) -> None:
    for label, value in values.items():
        page.get_by_label(label).fill(value)


def review_blind(page: Page, press: Callable[[Locator], None], answer: str) -> None:
    """Take the one review that waits, solve it, and accept what one got as well."""
    press(page.get_by_role("main").get_by_role("link", name=re.compile("^Review")).first)
    page.get_by_label("Your answer").fill(answer)
    press(page.get_by_role("button", name="Submit my answer"))
    press(page.get_by_role("button", name="All of these hold"))
    press(page.get_by_label("Accept"))
    press(page.get_by_role("button", name="Submit and next"))
