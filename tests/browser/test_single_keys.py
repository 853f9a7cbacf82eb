"""Keys of one letter or digit: they act in their form only, and can be switched off."""

import pytest
from playwright.sync_api import Page, expect

from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import User
from tests.browser.conftest import press
from tests.conftest import make_draft, submit
from tests.curation.reviewing.rounds.opened import make_benchmark


@pytest.fixture
def review_round(draft, contributor) -> ReviewRound:
    return submit(draft, contributor)


def open_review(visits, reviewer: User, review_round: ReviewRound) -> Page:
    page: Page = visits.open(reviewer)
    page.goto(f"/r/{review_round.pk}/")
    return page


def test_a_printed_key_acts_only_while_the_focus_is_in_the_form(visits, reviewer, review_round):
    page = open_review(visits, reviewer, review_round)
    page.get_by_role("heading", level=1).click()
    press(page, "2", "j", "m", "n")
    expect(page.get_by_label("Revise")).not_to_be_checked()
    expect(page.locator(".comment-form")).to_have_count(0)
    expect(page.get_by_label("Reasons", exact=True)).not_to_be_focused()
    page.get_by_label("Accept").focus()
    press(page, "2")
    expect(page.get_by_label("Revise")).to_be_checked()


TYPED = """([key, code]) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", {key, code, bubbles: true, cancelable: true}))"""


def test_keys_are_found_on_any_keyboard(visits, reviewer, review_round):
    page = open_review(visits, reviewer, review_round)
    page.wait_for_load_state()
    for key, code, focused in (
        # French digits without Shift, an Arabic digit, an input method, the number pad.
        ("é", "Digit2", "Revise"),
        ("٢", "Digit2", "Revise"),
        ("Process", "Digit2", "Revise"),
        ("2", "Numpad2", "Revise"),
        # What is printed comes before where it lies; then Cyrillic and Greek.
        ("2", "Digit9", "Revise"),
        ("m", "Semicolon", "Reasons"),
        ("ь", "KeyM", "Reasons"),
        ("μ", "KeyM", "Reasons"),
        # What lies there on a French keyboard, and on one by Dvorak.
        (",", "KeyM", "Accept"),
        ("b", "KeyN", "Accept"),
    ):
        page.get_by_label("Accept").focus()
        page.evaluate(TYPED, [key, code])
        labelled = page.get_by_label(focused, exact=focused == "Reasons")
        expect(labelled, f"{key} where {code} lies").to_be_focused()


def test_who_switches_single_keys_off_sees_none_and_sends_forms_as_before(
    visits, reviewer, review_round
):
    page = visits.open(reviewer)
    page.goto("/me/")
    page.get_by_label("keyboard shortcuts of one letter or digit").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved")).to_be_visible()
    page.goto(f"/r/{review_round.pk}/")
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
    expect(page.locator(".choice-row")).to_have_count(5)
    keys = page.locator("input[data-key]").evaluate_all("all => all.map(one => one.dataset.key)")
    assert keys == ["1", "2", "3"]
