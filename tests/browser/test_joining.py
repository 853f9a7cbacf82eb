"""From an invitation to the first review, and from no role to one that was asked for."""

import re

from playwright.sync_api import expect

from curation.members.invitations.actions import make_link
from curation.members.invitations.tasks import SENDING
from curation.members.models import Request
from curation.problems.benchmarks.models import Benchmark
from curation.reviewing.rounds.models import Review
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.curation.reviewing.assignments.given import open_rounds
from tests.work import carry_out_jobs

LINK = re.compile(r"https?://[^/\s]+(/join/\S+)")


def test_an_invitation_leads_to_a_first_review(visits, contributor, admin, mailoutbox):
    open_rounds(contributor)
    page = visits.open(admin)
    page.goto("/people/")
    page.get_by_role("link", name="Invite members").click()
    page.get_by_label("E-mail addresses").fill("Ivy Li <ivy@new.example>\nnot an address")
    page.get_by_role("checkbox", name="reviewer").check()
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_text("There is no e-mail address in this line.")).to_be_visible()
    page.get_by_role("button", name="Send 1 invitation").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Inviting people")
    carry_out_jobs()
    # Nobody reloads this page.
    expect(page.get_by_text("1 invitation is on its way.")).to_be_visible()

    claimed = SENDING.claim()
    assert claimed
    SENDING.do(claimed)
    [mail] = [one for one in mailoutbox if one.to == ["ivy@new.example"]]
    found = LINK.search(mail.body)
    assert found
    ivy = visits.open(java_script_enabled=False)
    ivy.goto(found[1])
    ivy.get_by_label("Display name").fill("Ivy")
    ivy.get_by_label("Password", exact=True).fill("correct horse battery")
    ivy.get_by_role("button", name="Join").click()
    expect(ivy.get_by_text("Welcome. Your roles: reviewer.")).to_be_visible()
    ivy.get_by_role("main").get_by_role("link", name=re.compile("Review")).first.click()
    ivy.get_by_role("radio", name=re.compile("Accept")).check()
    ivy.get_by_role("button", name=re.compile("Submit")).first.click()
    assert Review.objects.get().reviewer.display_name == "Ivy"

    page.goto("/people/?show=invitations")
    expect(page.get_by_role("row", name=re.compile("ivy@new.example"))).to_contain_text("joined")
    again = visits.open()
    again.goto(found[1])
    expect(again.get_by_text("This invitation was used already.")).to_be_visible()
    # The browser tells of the page's 410 (Gone).
    visits.complaints.clear()


def test_a_role_is_asked_for_and_given_without_leaving_the_app(visits, admin):
    newcomer, other = make_person(None, "newcomer"), make_person(None, "other")
    for person in (newcomer, other):
        page = visits.open(person)
        page.goto("/home/")
        page.get_by_role("button", name="Ask for the role reviewer").click()
        expect(page.get_by_text("An admin decides.").first).to_be_visible()
    page = visits.open(admin)
    page.goto("/home/")
    page.get_by_role("link", name="2 requests").click()
    page.get_by_role("button", name="Give the role reviewer Newcomer").click()
    expect(page.get_by_text("Newcomer now has the role reviewer.")).to_be_visible()
    page.get_by_role("main").locator("summary").click()
    page.get_by_label("Reason").fill("Write a problem first.")
    page.get_by_role("button", name="Decline the request").click()
    expect(page.get_by_text("No request waits for you.")).to_be_visible()
    assert User.objects.get(pk=newcomer.pk).roles == [Role.REVIEWER]
    assert Request.objects.get(person=other).reason == "Write a problem first."
    page = visits.open(other)
    page.goto("/home/")
    expect(page.get_by_text("Write a problem first.")).to_be_visible()


def test_on_a_phone_the_header_is_one_row_with_a_long_name_and_a_link_fits_with_its_button(
    visits, admin, benchmark
):
    User.objects.filter(pk=admin.pk).update(display_name="Wolfgang-Amadeus")
    Benchmark.objects.filter(pk=benchmark.pk).update(name="Thermodynamics of stars")
    make_link(role="CONTRIBUTOR", most=2, days=7, by=admin, benchmark=benchmark)
    page = visits.open(admin, viewport={"width": 390, "height": 844})
    page.goto("/people/?show=invitations")
    tops = [
        page.locator(one).evaluate("one => one.getBoundingClientRect().top")
        for one in (".site-header .brand", ".site-person .menu > summary")
    ]
    assert abs(tops[0] - tops[1]) < 20
    name = page.locator(".site-person .menu > summary")
    assert name.evaluate("one => one.scrollWidth > one.clientWidth")
    assert name.evaluate("one => one.getBoundingClientRect().right") <= 390
    field, button = page.locator(".copy input"), page.get_by_role("button", name="Copy")
    boxes = [field.bounding_box(), button.bounding_box()]
    assert all(boxes)
    assert abs(boxes[0]["y"] - boxes[1]["y"]) < 8
    assert boxes[1]["x"] + boxes[1]["width"] <= 390
    # The button of the form below stands level with the form's last field.
    wide = visits.open(admin)
    wide.goto("/people/?show=invitations")
    bottoms = [
        wide.locator(one).last.evaluate("one => one.getBoundingClientRect().bottom")
        for one in (".filters > .field > :is(input, select)", ".filters > button")
    ]
    assert abs(bottoms[0] - bottoms[1]) < 3
