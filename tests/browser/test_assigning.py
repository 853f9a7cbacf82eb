"""Finding and asking a reviewer, by keyboard and without scripts; taking, declining."""

from playwright.sync_api import expect

from curation.reviewing.rounds.models import Assignment
from phybench.people.models import Role
from tests.conftest import make_person
from tests.curation.reviewing.assignments.given import open_rounds
from tests.curation.reviewing.place import of_room


def test_a_reviewer_is_found_while_typing_and_who_was_chosen_stays_chosen(
    visits, contributor, admin
):
    open_rounds(contributor, count=2)
    for name in ("ampère", "bohr", "boltzmann"):
        make_person(Role.REVIEWER, name)
    page = visits.open(admin)
    page.goto(of_room("assignments"))
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name="Ask a reviewer").click()
    search = page.get_by_label("Find a reviewer by display name")
    search.press_sequentially("bo")
    found = page.get_by_role("radio")
    expect(found).to_have_count(2)
    expect(search).to_be_focused()
    page.get_by_label("Boltzmann").check()
    # What was typed is not asked for again when one leaves the field, nor is the choice lost.
    search.fill("boltz")
    expect(found).to_have_count(1)
    expect(page.get_by_label("Boltzmann")).to_be_checked()
    page.get_by_role("button", name="Ask for these 2 reviews").press("Enter")
    expect(page.get_by_text("Boltzmann is asked for 2 reviews.")).to_be_visible()
    assert Assignment.objects.open().count() == 2


def test_without_scripts_somebody_is_found_asked_and_declines(visits, contributor, admin):
    open_rounds(contributor)
    bohr = make_person(Role.REVIEWER, "bohr")
    make_person(Role.REVIEWER, "ampère")
    page = visits.open(admin, java_script_enabled=False)
    page.goto(of_room("assignments"))
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Ask a reviewer").click()
    page.get_by_label("Find a reviewer by display name").fill("boh")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("radio").check()
    page.get_by_role("button", name="Ask for this review").click()
    expect(page.get_by_text("Bohr is asked for one review.")).to_be_visible()

    page = visits.open(bohr, java_script_enabled=False)
    page.goto("/home/")
    page.get_by_role("link", name="Review", exact=True).click()
    page.get_by_role("button", name="Decline to review “A falling ball”").click()
    page.get_by_label("Why").fill("Not my field.")
    page.get_by_role("button", name="Decline it").click()
    expect(page.get_by_text("Declined. An admin can read your reason")).to_be_visible()
    page.get_by_role("button", name="Review the next one").click()
    assert [one.state for one in Assignment.objects.all()] == ["DECLINED", "OPEN"]
