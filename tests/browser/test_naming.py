"""Naming somebody in the editor, without losing what is being written."""

import pytest
from playwright.sync_api import expect

from curation.problems.people.models import Credit
from phybench.people.models import Role
from tests.conftest import make_person


@pytest.mark.usefixtures("benchmark")
def test_a_co_author_is_named_with_the_keyboard_and_the_text_stays(visits, draft, contributor):
    other = make_person(Role.CONTRIBUTOR, "other")
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    solution = page.get_by_label("Solution")
    solution.fill("Not saved yet.")
    # Nothing but what is pressed here saves it, and on a slow day the page tries to by itself.
    page.route("**/edit/?part=save", lambda route: route.fulfill(status=204))

    page.get_by_text("More: models, people").press("Enter")
    search = page.get_by_label("Find a contributor by display name")
    search.press_sequentially("oth")
    button = page.get_by_role("button", name="Credit Other as co-author")
    expect(button).to_be_enabled()
    expect(search).to_be_focused()
    button.focus()
    page.keyboard.press("Enter")
    expect(
        page.get_by_text("Other is asked, and credited once they accept: co-author.")
    ).to_be_visible()
    assert Credit.objects.standing().get().person == other
    expect(solution).to_have_value("Not saved yet.")

    page.get_by_role("button", name="Remove Other, co-author").press("Enter")
    expect(page.get_by_text("Other is no longer credited.")).to_be_visible()
    assert not Credit.objects.standing().exists()


def test_without_scripts_the_same_is_done_on_a_page_of_its_own(visits, draft, contributor):
    other = make_person(Role.CONTRIBUTOR, "other")
    page = visits.open(contributor, java_script_enabled=False)
    page.goto(f"/p/{draft.pk}/edit/")
    page.get_by_text("More: models, people").click()
    page.get_by_label("Find a contributor by display name").fill("oth")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("button", name="Credit Other as supplier of the idea").click()
    expect(
        page.get_by_text("Other is asked, and credited once they accept: supplier of the idea.")
    ).to_be_visible()
    assert Credit.objects.standing().get().person == other
    page.get_by_role("link", name="Continue writing").click()
    expect(page.get_by_label("Statement")).to_be_visible()
