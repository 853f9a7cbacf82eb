"""E-mails: each thing is told once, when its reader wants it, and never by two e-mails."""

import re
import smtplib
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection
from django.test import Client
from django.urls import reverse

from curation.problems.models import Event
from curation.problems.news import DECISIONS
from phybench.news.mails import gathering
from phybench.news.mails.choosing import choose, link_off, read_link
from phybench.news.mails.kinds import list_kinds_for
from phybench.news.mails.models import Mail, News, When
from phybench.news.mails.tasks import SENDING, gather_mails
from phybench.people.models import Role, User
from phybench.work.mailing import MOST_TRIES
from tests.conftest import accept, make_draft, make_person
from tests.curation.at_once import at_once
from tests.work import do, send_mails

pytestmark = pytest.mark.django_db


class Unreachable(BaseEmailBackend):
    """A mail server that is down."""

    def open(self) -> bool:
        raise ConnectionRefusedError("It is down.")


class Refusing(BaseEmailBackend):
    """One that takes no e-mail to anybody."""

    def send_messages(self, email_messages) -> int:
        raise smtplib.SMTPRecipientsRefused({})


class Vanishing(BaseEmailBackend):
    """One that is gone before it says whether it took the e-mail."""

    def send_messages(self, email_messages) -> int:
        raise smtplib.SMTPServerDisconnected("gone")


def be(settings, backend: type[BaseEmailBackend]) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.{backend.__name__}"


def tomorrow(hour: int = 12) -> datetime:
    day = datetime.now(UTC) + timedelta(days=1)
    return day.replace(hour=hour, minute=0)


@pytest.fixture
def accepted(accepted_problem, contributor) -> User:
    """Somebody whose problem was just accepted, and who is told at once."""
    return contributor


# --- Once ------------------------------------------------------------------------------------


def test_what_happened_is_told_once_and_says_what_with_a_link(accepted, accepted_problem):
    for _again in range(3):
        send_mails()
    [message] = mail.outbox
    assert message.to == [accepted.email]
    assert message.subject.endswith("“A falling ball” was accepted.")
    assert f"http://127.0.0.1:8000{accepted_problem.get_absolute_url()}" in message.body
    assert News.objects.get().mail == Mail.objects.get()


def test_what_a_person_did_themselves_is_not_told_to_them(draft, contributor, admin):
    Event.objects.create(
        problem=draft, actor=contributor, kind="ACCEPT", from_status="DRAFT", to_status="ACCEPTED"
    )
    send_mails()
    assert mail.outbox == []


def test_several_things_at_once_are_one_e_mail(benchmark, contributor, reviewer):
    for _problem in range(3):
        accept(make_draft(contributor, benchmark), contributor, reviewer)
    send_mails()
    [message] = mail.outbox
    assert message.subject.endswith("3 things are new")
    assert message.body.count("was accepted") == 3


def test_the_demos_people_and_who_has_the_role_no_more_are_told_nothing(accepted, contributor):
    User.objects.filter(pk=contributor.pk).update(is_demo=True)
    send_mails()
    User.objects.filter(pk=contributor.pk).update(is_demo=False, roles=[Role.REVIEWER])
    send_mails()
    assert (mail.outbox, News.objects.count()) == ([], 0)


def test_what_is_not_true_any_more_is_not_sent(accepted, accepted_problem):
    gather_mails()
    accepted_problem.author = make_person(Role.CONTRIBUTOR, "another")
    accepted_problem.save(update_fields=["author"])
    do(SENDING, Mail.objects.get().pk)
    assert mail.outbox == []
    assert Mail.objects.get().failure == "Nothing of it is left to say."


def test_a_mail_speaks_the_language_of_the_pages_that_one_chose(accepted):
    User.objects.update(interface_language="zh-hans")
    send_mails()
    assert "A falling ball" in mail.outbox[0].body
    assert re.search("[一-鿿]", mail.outbox[0].subject)


@pytest.mark.django_db(transaction=True)
def test_two_workers_who_gather_at_once_make_one_e_mail(accepted):
    now = datetime.now(UTC)
    assert at_once(*[lambda: gathering.gather(now)] * 2) == ["done", "done"]
    assert (Mail.objects.count(), News.objects.count()) == (1, 1)
    connection.close()


@pytest.mark.parametrize("count", [1, 3])
def test_gathering_for_any_number_of_events_takes_as_many_queries(
    benchmark, contributor, reviewer, count, django_assert_num_queries
):
    for _problem in range(count):
        accept(make_draft(contributor, benchmark), contributor, reviewer)
    with django_assert_num_queries(6):
        gathering.write_news(DECISIONS, datetime.now(UTC))
    assert News.objects.count() == count


# --- When ------------------------------------------------------------------------------------


def test_what_is_wanted_daily_is_one_e_mail_a_day_from_the_hour_on(
    settings, benchmark, contributor, reviewer
):
    settings.DIGEST_FROM_HOUR = 6
    choose(contributor, [(DECISIONS, When.DAILY)])
    for _problem in range(2):
        accept(make_draft(contributor, benchmark), contributor, reviewer)
    now = datetime.now(UTC)
    gathering.write_news(DECISIONS, now)
    assert gathering.make_mails(tomorrow(hour=5)) == []
    [of_the_day] = gathering.make_mails(tomorrow(hour=6))
    assert of_the_day.news.count() == 2
    accept(make_draft(contributor, benchmark), contributor, reviewer)
    gathering.write_news(DECISIONS, now + timedelta(minutes=1))
    assert gathering.make_mails(tomorrow(hour=23)) == []
    assert len(gathering.make_mails(tomorrow() + timedelta(days=1))) == 1


def test_what_is_wanted_never_is_not_sent_nor_once_it_is_wanted_again(accepted):
    gathering.write_news(DECISIONS, datetime.now(UTC))
    choose(accepted, [(DECISIONS, When.NEVER)])
    send_mails()
    assert (mail.outbox, News.objects.count()) == ([], 0)


def test_one_chooses_for_each_kind_of_ones_roles(client, contributor):
    client.force_login(contributor)
    address = reverse("profile") + "?tab=e-mails"
    assert address in client.get(reverse("profile")).text
    kinds = list_kinds_for(contributor)
    assert [one.name for one in kinds] == list(client.get(address).context["form"].fields)
    assert "reviews" not in [one.name for one in kinds]
    chosen = {one.name: "NEVER" for one in kinds}
    assert client.post(address, chosen).status_code == 302
    page = client.get(address)
    assert {field.initial for field in page.context["form"].fields.values()} == {When.NEVER}
    assert client.post(address, {**chosen, "decisions": "HOURLY"}).status_code == 200
    assert contributor.mail_choices.get(kind="decisions").when == "NEVER"


def test_who_holds_no_role_chooses_of_what_they_asked_for(client):
    client.force_login(make_person(None))
    page = client.get(reverse("profile") + "?tab=e-mails")
    assert [*page.context["form"].fields] == ["requests"]


# --- Stopping --------------------------------------------------------------------------------


def test_the_link_in_an_e_mail_stops_its_kinds_when_posted_and_not_when_opened(accepted):
    send_mails()
    link = mail.outbox[0].extra_headers["List-Unsubscribe"].strip("<>")
    assert link in mail.outbox[0].body
    address = link.removeprefix("http://127.0.0.1:8000")
    # A mail program of somebody who is not signed in, and has no token of a form.
    visitor = Client(enforce_csrf_checks=True)
    assert "Stop these e-mails?" in visitor.get(address).text
    assert not accepted.mail_choices.exists()
    page = visitor.post(address, {"List-Unsubscribe": "One-Click"})
    assert "These e-mails are stopped" in page.text
    assert [(one.kind, one.when) for one in accepted.mail_choices.all()] == [("decisions", "NEVER")]


@pytest.mark.parametrize("token", ["1:decisions", "1:decisions:forged", ":", "x" * 500])
def test_a_link_that_is_not_ours_stops_nothing(accepted, token):
    address = reverse("stop_mails", args=[token.replace("1", str(accepted.pk))])
    assert Client().post(address).status_code == 404
    assert not accepted.mail_choices.exists()


def test_a_link_is_about_one_person(accepted):
    signed = link_off(accepted, [DECISIONS]).rstrip("/").rpartition("/")[2]
    assert read_link(signed) == (accepted, [DECISIONS])
    other = make_person(Role.CONTRIBUTOR, "other")
    assert read_link(signed.replace(str(accepted.pk), str(other.pk), 1)) is None


# --- Servers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("server", [Unreachable, Refusing])
def test_what_was_surely_not_sent_is_tried_again_and_then_given_up(settings, accepted, server):
    be(settings, server)
    gather_mails()
    pk = Mail.objects.get().pk
    for _again in range(MOST_TRIES):
        assert Mail.objects.to_send().exists()
        do(SENDING, pk)
        Mail.objects.update(next_at=None)
    given_up = Mail.objects.get()
    assert given_up.failed_at
    assert given_up.failure


def test_what_was_put_off_is_sent_once_the_server_is_back(settings, accepted):
    be(settings, Refusing)
    send_mails()
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Mail.objects.update(next_at=None)
    send_mails()
    assert len(mail.outbox) == 1
    assert Mail.objects.get().sent_at


def test_what_may_have_been_sent_is_not_sent_again(settings, accepted):
    be(settings, Vanishing)
    send_mails()
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    send_mails()
    assert mail.outbox == []
    assert Mail.objects.get().failure == "It may have been sent: not sent again. (gone)"


def test_what_a_worker_was_lost_over_while_it_sent_is_not_sent_again(accepted):
    gather_mails()
    Mail.objects.update(begun_at=datetime.now(UTC), lost=1)
    do(SENDING, Mail.objects.get().pk)
    assert mail.outbox == []
    assert Mail.objects.get().failure == "It may have been sent: not sent again."
