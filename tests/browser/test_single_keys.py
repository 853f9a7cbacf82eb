"""Keys of one letter or digit: they act in their form only, and can be switched off."""

import pytest
from playwright.sync_api import Page, expect

from curation.reviewing.rounds.models import ReviewRound
from phybench.models import User
from tests.browser.conftest import press
from tests.conftest import make_draft, submit
from tests.curation.reviewing.rounds.opened import make_benchmark


@pytest.fixture
def review_round(draft, contributor) -> ReviewRound:
    return submit(draft, contributor)


def open_review(visits, reviewer: User, review_round: ReviewRound) -> Page:
    page: Page = visits.open(reviewer)
    page.goto(f"/reviews/{review_round.pk}/")
    return page


def test_a_printed_key_acts_only_while_the_focus_is_in_the_form(visits, reviewer, review_round):
    page = open_review(visits, reviewer, review_round)
    page.get_by_role("heading", level=1).click()
    press(page, "2", "j", "m", "n")
    expect(page.get_by_label("Revise")).not_to_be_checked()
    expect(page.locator(".comment-form")).to_have_count(0)
    expect(page.get_by_label("Comment", exact=True)).not_to_be_focused()
    page.get_by_label("Accept").focus()
    press(page, "2")
    expect(page.get_by_label("Revise")).to_be_checked()


def test_who_switches_single_keys_off_sees_none_and_sends_forms_as_before(
    visits, reviewer, review_round
):
    page = visits.open(reviewer)
    page.goto("/profile/")
    page.get_by_label("single keys as shortcuts").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved")).to_be_visible()
    page.goto(f"/reviews/{review_round.pk}/")
    expect(page.locator("kbd:visible")).to_have_text(["Ctrl", "Enter"])
    page.get_by_label("Accept").focus()
    press(page, "2")
    expect(page.get_by_label("Revise")).not_to_be_checked()
    page.get_by_label("Accept").check()
    press(page, "Control+Enter")
    expect(page.get_by_text("is recorded")).to_be_visible()


def test_no_answer_to_a_question_has_a_letter_that_lies_elsewhere_on_other_keyboards(
    visits, reviewer, contributor
):
    screening = submit(make_draft(contributor, make_benchmark()), contributor)
    page = open_review(visits, reviewer, screening)
    page.get_by_role("button", name="Show me the answer").click()
    expect(page.locator(".choice-row")).to_have_count(4)
    keys = page.locator("input[data-key]").evaluate_all("all => all.map(one => one.dataset.key)")
    assert keys == ["1", "2", "3"]
