"""Label an error: select its words, take them over, choose its kind by key, and go on."""

from playwright.sync_api import Page, expect

from grading.samples.first_errors.models import FirstErrorLabel
from tests.browser.conftest import press
from tests.browser.test_every_page_fits import WIDTHS, look_for_faults
from tests.grading.first_errors.conftest import answer as _answer
from tests.grading.first_errors.conftest import label
from tests.grading.first_errors.conftest import other_admin as _other_admin
from tests.grading.first_errors.conftest import problems as _problems
from tests.grading.first_errors.conftest import rival as _rival
from tests.grading.first_errors.conftest import sample as _sample
from tests.grading.first_errors.conftest import submissions as _submissions
from tests.grading.first_errors.conftest import third_admin as _third_admin
from tests.grading.first_errors.conftest import version as _version

answer, problems, version, rival = _answer, _problems, _version, _rival
submissions, sample, other_admin, third_admin = _submissions, _sample, _other_admin, _third_admin

SELECT = """([from, to]) => {
  const words = document.querySelector("[data-response]").firstChild;
  const range = document.createRange();
  range.setStart(words, from);
  range.setEnd(words, to);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""


def test_an_error_is_labelled_by_selecting_its_words_and_by_keys(visits, sample, admin):
    page = visits.open(admin)
    page.goto(f"{sample.get_absolute_url()}label/")
    expect(page.locator(".progress p")).to_have_text("0 of 6")
    take = page.get_by_role("button", name="Use the selected words")
    expect(take).to_be_disabled()
    press(page, "3")
    # The second "2 m g", in a line that began with \r\n as it was handed in.
    start = page.locator("[data-response]").evaluate("one => one.textContent.lastIndexOf('2 m g')")
    page.evaluate(SELECT, [start, start + 5])
    expect(take).to_be_enabled()
    press(page, "p")
    expect(page.get_by_label("Passage")).to_have_value("2 m g")
    press(page, "Enter")
    expect(page.locator(".progress p")).to_have_text("1 of 6")
    given = FirstErrorLabel.objects.get()
    response = given.item.attempt.response
    assert (given.choice, given.passage) == ("SYMBOLIC", "2 m g")
    assert given.start == response.rindex("2 m g")
    # What names no error needs no passage.
    press(page, "6", "Enter")
    expect(page.locator(".progress p")).to_have_text("2 of 6")
    press(page, "u")
    expect(page.locator(".progress p")).to_have_text("1 of 6")


def test_what_is_typed_is_looked_for_in_the_response(visits, sample, admin):
    page = visits.open(admin)
    page.goto(f"{sample.get_absolute_url()}label/")
    page.get_by_label("physical perception").check()
    page.get_by_label("Passage").fill("Its mass is")
    page.get_by_role("button", name="Save and continue").click()
    expect(page.get_by_role("alert")).to_contain_text("These words are not in the response")
    visits.complaints.clear()  # That a form is refused, the browser writes down as an error.
    page.get_by_label("Passage").fill("Its weight is")
    page.get_by_role("button", name="Save and continue").click()
    expect(page.locator(".progress p")).to_have_text("1 of 6")


def test_the_pages_fit_while_a_sample_is_open_and_once_it_is_complete(
    visits, sample, admin, other_admin, third_admin
):
    page = visits.open(admin)
    first, *others = sample.items.all()
    label(first, {other_admin: "PERCEPTION", third_admin: "KEY_WRONG"})
    look_at(page, "/first-errors/", "/first-errors/new/", f"{sample.get_absolute_url()}label/")
    for item in others:
        label(item, {admin: "SEMANTICS"})
    look_at(page, f"{sample.get_absolute_url()}adjudicate/", sample.get_absolute_url())
    page.goto(f"{sample.get_absolute_url()}adjudicate/")
    press(page, "5")
    page.get_by_label("Why").fill("The reference lacks a factor.")
    press(page, "Control+Enter")
    expect(page.get_by_role("link", name="Report the error in")).to_be_visible()
    for item in others:
        label(item, {other_admin: "SEMANTICS"})
    look_at(page, sample.get_absolute_url())
    expect(page.get_by_role("heading", name="Kinds of first errors")).to_be_visible()


def look_at(page: Page, *paths: str) -> None:
    for path in paths:
        page.goto(path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert look_for_faults(page) == {}, f"{path} at {width} pixels"
