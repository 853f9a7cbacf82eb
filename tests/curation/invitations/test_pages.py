"""Inviting many at once, and the list of who was invited."""

import re

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.members.invitations.models import UNTIL_SENT_AGAIN, Invitation
from curation.members.invitations.tasks import SENDING
from phybench.news.jobs.models import Job
from phybench.people.models import Role
from tests.conftest import make_person
from tests.curation.at_once import at_once
from tests.curation.invitations.inviting import expire, invite, join, read, wait_an_hour
from tests.work import carry_out_jobs, do

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client, admin, benchmark) -> Client:
    client.force_login(admin)
    return client


def post(page: Client, addresses: str, step: str, **more: object):
    sent = {"addresses": addresses, "roles": ["REVIEWER"], "days": "14", "language": "en"}
    return page.post(reverse("curation:invite", args=["test"]), {**sent, "step": step, **more})


def send(page: Client, addresses: str) -> Job:
    answer = post(page, addresses, "send")
    [job] = carry_out_jobs()
    assert answer["Location"] == job.get_absolute_url()
    return job


def test_addresses_are_shown_before_anything_is_sent(page):
    answer = post(page, "Ann <ann@new.example>\nnonsense", "check")
    assert "1 person would be invited" in read(answer)
    assert "greeted as “Ann”" in read(answer)
    assert "There is no e-mail address in this line." in read(answer)
    assert not Invitation.objects.exists()
    assert send(page, "Ann <ann@new.example>\nnonsense").leads_to == (
        reverse("curation:members") + "?show=invitations"
    )
    assert [(one.email, one.name) for one in Invitation.objects.all()] == [
        ("ann@new.example", "Ann")
    ]


def test_a_list_counts_as_the_rows_that_come_of_it(page, settings):
    settings.MEGABYTES_A_MINUTE, settings.MEGABYTES_AN_HOUR = 1, 2
    addresses = "\n".join(f"{n}@test.example" for n in range(600))
    assert post(page, addresses, "send").status_code == 302
    assert post(page, f"{addresses}\nmore@test.example", "send").status_code == 429
    assert Job.objects.count() == 1


def test_who_has_an_account_or_an_invitation_is_not_invited_and_the_admin_is_told(
    page, invited, participant
):
    answer = post(page, f"{participant.email.upper()}\nivy@new.example", "check")
    whys = [one.why for one in answer.context["found"].refused]
    assert whys[0] == "This address has an account: Participant."
    assert whys[1].startswith("This address is invited already, until")
    assert send(page, "ivy@new.example").said == (
        "None of these addresses can be invited. Check the list again."
    )
    assert Invitation.objects.count() == 1


def test_an_invitation_that_ran_out_makes_way_for_the_next(page, invited):
    expire(invited)
    send(page, "ivy@new.example")
    assert [bool(one.withdrawn_at) for one in Invitation.objects.order_by("pk")] == [True, False]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(2))
def test_invited_by_two_admins_at_once_an_address_is_invited_once(admin, turn):
    second = make_person(Role.ADMIN, "second")
    emails = [f"p{number}@new.example" for number in range(20)]
    told = at_once(lambda: invite(admin, *emails), lambda: invite(second, *emails))
    assert told == ["done", "done"]
    assert Invitation.objects.count() == 20


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(4))
def test_what_ran_out_is_invited_again_by_two_admins_at_once_without_an_error(admin, turn):
    second = make_person(Role.ADMIN, "second")
    emails = [f"p{number}@new.example" for number in range(20)]
    for one in invite(admin, *emails):
        expire(one)
    told = at_once(lambda: invite(admin, *emails), lambda: invite(second, *emails))
    assert told == ["done", "done"]
    assert Invitation.objects.open().count() == 20


def test_two_thousand_lines_are_taken_at_once_in_a_few_queries(page):
    lines = "\n".join(f"Person {number} <p{number}@new.example>" for number in range(2000))
    with CaptureQueriesContext(connection) as captured:
        job = send(page, lines)
    assert "2000 invitations are on their way." in job.said
    assert Invitation.objects.count() == 2000
    assert len(captured) < 40


@pytest.mark.parametrize(
    "more", [{"roles": []}, {"roles": ["ADMIN"]}, {"days": "1000"}, {"language": "xx"}], ids=str
)
def test_what_is_not_offered_is_refused(page, more):
    assert post(page, "ann@new.example", "send", **more).status_code == 400
    assert not Invitation.objects.exists()


def test_the_list_says_who_has_come(page, invited, admin):
    invite(admin, "late@new.example")
    join(invited)
    shown = page.get(reverse("curation:members"), {"show": "invitations", "state": "accepted"})
    assert [one.email for one in shown.context["page"]] == ["Ivy@new.example"]
    assert shown.context["counts"]["open"] == 1
    file = read(page.get(reverse("curation:members") + "?show=invitations&as=csv"))
    assert "Ivy@new.example,,REVIEWER,accepted" in file
    assert "late@new.example,,REVIEWER,waiting to be sent" in file


def test_one_is_sent_again_and_withdrawn_by_buttons(page, invited):
    do(SENDING, invited.pk)
    wait_an_hour(Invitation.objects.all())
    page.post(reverse("curation:members") + "?do=again", {"number": invited.pk})
    assert list(Invitation.objects.to_send()) == [invited]
    answer = page.post(reverse("curation:members") + "?do=withdraw", {"number": invited.pk})
    told = [str(one) for one in get_messages(answer.wsgi_request)]
    assert told[-1] == "Withdrawn: no one else can join by this link."
    assert not Invitation.objects.open().exists()


def test_an_address_gets_one_e_mail_an_hour_and_the_page_says_from_when(page, invited):
    do(SENDING, invited.pk)
    shown = reverse("curation:members") + "?show=invitations"
    answer = page.post(reverse("curation:members") + "?do=again", {"number": invited.pk})
    [told] = [str(one) for one in get_messages(answer.wsgi_request)]
    assert "less than an hour ago" in told
    assert not Invitation.objects.to_send().exists()
    from_when = f"{invited.queued_at + UNTIL_SENT_AGAIN:%H:%M} UTC"
    assert re.search(
        rf"You can send it again after <time [^>]+>{from_when}</time>", read(page.get(shown))
    )

    wait_an_hour(Invitation.objects.all())
    assert '<button class="link-button" type="submit">Send again<' in read(page.get(shown))
    page.post(reverse("curation:members") + "?do=again", {"number": invited.pk})
    assert list(Invitation.objects.to_send()) == [invited]


def test_the_list_takes_as_many_queries_for_three_as_for_one(page, invited, admin):
    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            page.get(reverse("curation:members") + "?show=invitations")
        return len(captured)

    join(invited)
    count()
    few = count()
    for one in invite(admin, "b@new.example", "c@new.example"):
        join(one)
    assert count() == few
