"""Labelling by keys: one decision a screen, the next at once, and undo."""

import pytest
from playwright.sync_api import Page, expect

from grading.samples.audits import actions
from grading.samples.audits.models import AuditLabel
from phybench.people.models import Role
from tests.browser.conftest import press
from tests.browser.test_every_page_fits import WIDTHS, look_for_faults
from tests.conftest import make_person
from tests.grading.audits.conftest import answer as _answer
from tests.grading.audits.conftest import label
from tests.grading.audits.conftest import other_admin as _other_admin
from tests.grading.audits.conftest import problems as _problems
from tests.grading.audits.conftest import sample as _sample
from tests.grading.audits.conftest import small as _small
from tests.grading.audits.conftest import submission as _submission
from tests.grading.audits.conftest import version as _version

answer, problems, version, small = _answer, _problems, _version, _small
submission, sample, other_admin = _submission, _sample, _other_admin

STEPS = ("", "label/", "adjudicate/")


def test_answers_are_labelled_by_keys_alone_and_the_last_label_is_taken_back(visits, sample, admin):
    page = visits.open(admin)
    page.goto(f"{sample.get_absolute_url()}label/")
    progress = page.locator(".progress p")
    expect(progress).to_have_text("0 of 8")
    for done, key in enumerate("123", start=1):
        press(page, key)
        expect(progress).to_have_text(f"{done} of 8")
    press(page, "u")
    expect(progress).to_have_text("2 of 8")
    press(page, "1")
    expect(progress).to_have_text("3 of 8")
    given = AuditLabel.objects.order_by("pk")
    assert [(one.choice, one.taken_back_at is None) for one in given] == [
        ("RIGHT", True),
        ("WRONG", True),
        ("CANT_TELL", False),
        ("RIGHT", True),
    ]


# Of the same build are those in `test_first_errors.py`.
@pytest.mark.slow
def test_the_pages_of_a_sample_fit_while_it_is_open_and_once_it_is_complete(
    visits, sample, admin, other_admin
):
    third = make_person(Role.ADMIN, "third-admin")
    page = visits.open(admin)
    first, *others = sample.items.all()
    label(first, {other_admin: "RIGHT", third: "WRONG"})
    look_at(page, f"{sample.get_absolute_url()}label/")
    for item in others:
        label(item, {admin: "WRONG"})
    begun = ("/audits/", "/audits/new/", *(f"{sample.get_absolute_url()}{end}" for end in STEPS))
    look_at(page, *begun)
    actions.adjudicate(item=first, by=admin, choice="RIGHT", reason="A factor that is 1.")
    for item in others:
        label(item, {other_admin: "WRONG"})
    look_at(page, sample.get_absolute_url())
    expect(page.get_by_role("heading", name="Result")).to_be_visible()


def look_at(page: Page, *paths: str) -> None:
    for path in paths:
        page.goto(path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert look_for_faults(page) == {}, f"{path} at {width} pixels"
