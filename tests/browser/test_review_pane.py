"""The pane of the decision: on a low screen, too, it shows all of itself or that it goes on."""

import pytest
from playwright.sync_api import Page, expect

from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import User
from tests.browser.conftest import Visits, wait_until
from tests.conftest import make_draft, submit
from tests.curation.reviewing.rounds.opened import make_benchmark, make_pipeline

LOW = {"width": 1280, "height": 720}


@pytest.fixture
def screening(contributor: User) -> ReviewRound:
    return submit(make_draft(contributor, make_benchmark()), contributor)


def ends_at(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box
    return float(box["y"] + box["height"])


def test_all_that_a_review_needs_is_on_a_low_screen(
    visits: Visits, reviewer: User, screening: ReviewRound
) -> None:
    page = visits.open(reviewer, viewport=LOW)
    page.goto(f"/r/{screening.pk}/")
    expect(page.locator(".choice-row")).to_have_count(5)
    assert page.evaluate("scrollY") == 0
    for selector in ("#id_comment", ".sticky button.primary"):
        assert ends_at(page, selector) <= LOW["height"], selector
    # Nor does what is sent with lie over it.
    assert (
        ends_at(page, "#id_comment") <= page.locator(".actions:has(.primary)").bounding_box()["y"]
    )


def test_what_does_not_fit_fades_above_the_button_until_its_end_is_reached(
    visits: Visits, reviewer: User, contributor: User
) -> None:
    pipeline = make_pipeline({"name": "Long"})
    stage = pipeline.stages.get()
    for place in range(1, 13):
        stage.questions.create(place=place, text=f"Question {place}?", kind="YES_NO")
    review_round = submit(make_draft(contributor, make_benchmark(pipeline)), contributor)
    page = visits.open(reviewer, viewport=LOW)
    page.goto(f"/r/{review_round.pk}/")
    button = page.get_by_role("button", name="Submit and next")
    expect(button).to_be_in_viewport(ratio=1)
    fading = """() => getComputedStyle(
        document.querySelector(".sticky .actions:has(.primary)"), "::before").visibility"""
    assert page.evaluate(fading) == "visible"
    page.locator(".panes-decide > .sticky").evaluate("pane => { pane.scrollTop = 99999 }")
    wait_until(page, f"() => ({fading})() === 'hidden'")
    # Its end is above the lower edge of the screen.
    assert ends_at(page, ".panes-decide > .sticky") <= LOW["height"]


def test_a_comment_that_is_missing_is_brought_into_sight_above_the_button(
    visits: Visits, reviewer: User, contributor: User
) -> None:
    pipeline = make_pipeline({"name": "Long"})
    stage = pipeline.stages.get()
    for place in range(1, 13):
        stage.questions.create(
            place=place, text=f"Question {place}?", kind="YES_NO", is_required=False
        )
    review_round = submit(make_draft(contributor, make_benchmark(pipeline)), contributor)
    page = visits.open(reviewer, viewport=LOW)
    page.goto(f"/r/{review_round.pk}/")
    page.get_by_label("Revise: return to the author").check()
    page.get_by_role("button", name="Submit and next").click()
    expect(page.get_by_role("alert")).to_contain_text("Messages beside the text are not enough")
    expect(page.locator("#id_comment")).to_be_focused()
    bar = page.locator(".sticky form > .actions:has(.primary)").bounding_box()
    assert bar
    assert ends_at(page, "#id_comment") <= bar["y"]

    page.locator(".panes-decide > .sticky").evaluate("pane => { pane.scrollTop = 0 }")
    page.get_by_role("alert").get_by_role("link").click()
    expect(page.locator("#id_comment")).to_be_in_viewport(ratio=1)
    assert ends_at(page, "#id_comment") <= bar["y"]
