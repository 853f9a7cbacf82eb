"""Reminders: what is in them, one a person and day, switched off by a link or on the profile."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments import reminders, tasks
from curation.reviewing.assignments.models import Assignment, Digest
from phybench.models import Role, User
from tests.conftest import make_person
from tests.curation.at_once import at_once
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.curation.reviewing.rounds.opened import review
from tests.memory import remembered

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


class Unreachable(BaseEmailBackend):
    """A mail server that is down."""

    def send_messages(self, email_messages) -> int:
        raise ConnectionRefusedError


def due_in(days: float | None, *, since: timedelta = timedelta(hours=1)) -> dict[str, object]:
    """Return when it was assigned, and when it is due, as of noon."""
    due_at = None if days is None else NOON + timedelta(days=days)
    return {"due_at": due_at, "assigned_at": NOON - since}


@pytest.fixture
@remembered
def given(contributor, reviewer, admin) -> list[Assignment]:
    """Four: one overdue, one due soon, one later, one without a day."""
    made = []
    for one, days in zip(open_rounds(contributor, count=4), (-1, 2, 10, None), strict=True):
        assignment = assign(one, reviewer, admin)
        Assignment.objects.filter(pk=assignment.pk).update(**due_in(days))
        made.append(assignment)
    return made


def test_a_reminder_sorts_what_is_overdue_due_soon_and_new(given, reviewer):
    assert reminders.send_all(NOON) == 1
    [message] = mail.outbox
    assert message.to == [reviewer.email]
    assert message.subject == "Your reviews: 1 overdue, 1 due soon, 2 new"
    body = message.body
    assert body.index("Overdue:") < body.index("within three days:") < body.index("Newly assigned")
    for one in given:
        assert f"http://127.0.0.1:8000/reviews/{one.round_id}/" in body
    assert "&" not in body


def test_there_is_one_a_day_and_the_next_day_says_only_what_presses(given, reviewer):
    assert reminders.send_all(NOON) == 1
    assert reminders.send_all(NOON + timedelta(hours=3)) == 0
    assert reminders.send_all(NOON + timedelta(days=1)) == 1
    assert mail.outbox[1].subject == "Your reviews: 1 overdue, 1 due soon"
    assert "Also assigned to you:" in mail.outbox[1].body


def test_without_anything_to_say_there_is_no_mail_and_the_day_is_not_used_up(
    contributor, reviewer, admin
):
    assert reminders.send_all(NOON) == 0
    [waiting] = open_rounds(contributor, {"reviews_needed": 2})
    given = assign(waiting, reviewer, admin)
    Assignment.objects.filter(pk=given.pk).update(**due_in(10))
    Digest.objects.create(person=reviewer, day=NOON - timedelta(days=2), sent_at=NOON)
    assert reminders.send_all(NOON) == 0
    assert Digest.objects.count() == 1
    Assignment.objects.filter(pk=given.pk).update(**due_in(1))
    assert reminders.send_all(NOON) == 1


def test_what_is_done_or_declined_is_mentioned_no_more(given, reviewer):
    review(given[0].round, reviewer)
    assigning.decline(assignment=given[1], reviewer=reviewer, reason="No time.")
    reminders.send_all(NOON)
    assert mail.outbox[0].subject == "Your reviews: 2 new"


def test_nobody_is_written_to_at_night_without_the_role_or_against_their_wish(
    settings, given, reviewer
):
    settings.DIGEST_FROM_HOUR = 6
    assert reminders.send_all(NOON.replace(hour=5)) == 0
    User.objects.update(wants_digest=False)
    assert reminders.send_all(NOON) == 0
    User.objects.update(wants_digest=True)
    User.objects.filter(pk=reviewer.pk).update(roles=[])
    assert reminders.send_all(NOON) == 0
    assert mail.outbox == []


def test_a_mail_server_that_is_down_is_logged_and_others_are_still_written_to(
    settings, given, reviewer, caplog
):
    settings.EMAIL_BACKEND = f"{__name__}.Unreachable"
    assert reminders.send_all(NOON) == 0
    assert "could not be sent" in caplog.text
    # It may have gone out; tomorrow all of it is new.
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert reminders.send_all(NOON + timedelta(hours=1)) == 0
    assert reminders.send_all(NOON + timedelta(days=1)) == 1
    assert mail.outbox[0].subject == "Your reviews: 1 overdue, 1 due soon, 2 new"


def test_a_reminder_speaks_the_language_of_the_pages_that_one_chose(given, reviewer):
    User.objects.filter(pk=reviewer.pk).update(interface_language="zh-hans")
    reminders.send_all(NOON)
    # Whether it is translated is the catalogue's test; this day is written as Chinese does.
    assert "2026年11月22日" in mail.outbox[0].body


def test_the_task_sends_what_is_due_now(contributor, reviewer, admin, settings):
    settings.DIGEST_FROM_HOUR = 0
    [waiting] = open_rounds(contributor)
    assign(waiting, reviewer, admin)
    assert tasks.send_digests() == 1
    assert tasks.send_digests() == 0


def test_the_database_keeps_a_day_to_one_reminder(reviewer):
    Digest.objects.create(person=reviewer, day=NOON)
    with pytest.raises(IntegrityError), transaction.atomic():
        Digest.objects.create(person=reviewer, day=NOON)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_two_workers_at_once_send_one_reminder(given, reviewer, turn):
    assert at_once(*[lambda: reminders.send_all(NOON)] * 2) == ["done", "done"]
    assert len(mail.outbox) == 1
    connection.close()


def test_many_people_take_as_many_more_queries_each(contributor, admin, django_assert_num_queries):
    """What is asked for all of them is asked once; claiming and sending is each one's."""
    [waiting] = open_rounds(contributor, {"reviews_needed": 3})
    for number in range(3):
        assign(waiting, make_person(Role.REVIEWER, f"reviewer-{number}"), admin)
    User.objects.update(wants_digest=False)
    with django_assert_num_queries(1):
        reminders.send_all(NOON)


# --- Switching off --------------------------------------------------------------------------


def off_link(reviewer: User) -> str:
    reminders.send_all(NOON)
    header = mail.outbox[0].extra_headers["List-Unsubscribe"].strip("<>")
    assert header in mail.outbox[0].body
    return header.removeprefix("http://127.0.0.1:8000")


def test_the_link_switches_off_when_posted_and_not_when_opened(given, reviewer):
    # A mail program of somebody who is not signed in, and has no token of a form.
    visitor, address = Client(enforce_csrf_checks=True), off_link(reviewer)
    page = visitor.get(address)
    assert "Switch them off" in page.content.decode()
    reviewer.refresh_from_db()
    assert reviewer.wants_digest
    page = visitor.post(address, {"List-Unsubscribe": "One-Click"})
    assert "No more reminders" in page.content.decode()
    reviewer.refresh_from_db()
    assert not reviewer.wants_digest


@pytest.mark.parametrize("token", ["1", "1:forged", ":", "x" * 500])
def test_a_link_that_is_not_ours_switches_nothing_off(reviewer, token):
    address = reverse("curation:reminders_off", args=[token.replace("1", str(reviewer.pk))])
    assert Client().post(address).status_code == 404
    reviewer.refresh_from_db()
    assert reviewer.wants_digest


def test_a_link_is_about_one_person(reviewer):
    other = make_person(Role.REVIEWER, "other")
    signature = reminders.sign(reviewer).partition(":")[2]
    assert reminders.read_signed(f"{other.pk}:{signature}") is None
    assert reminders.read_signed(reminders.sign(other)) == other


def test_the_profile_switches_them_off_and_on_and_keeps_fields_and_languages(client, reviewer):
    client.force_login(reviewer)
    address = reverse("curation:reviewing_profile")
    assert address in client.get(reverse("profile")).content.decode()
    client.post(address, {"expertise": ["OPTICS"], "review_languages": ["zh", "en"]})
    reviewer.refresh_from_db()
    assert (reviewer.expertise, reviewer.wants_digest) == (["OPTICS"], False)
    assert reviewer.review_languages == ["zh", "en"]
    page = client.post(address, {"expertise": ["ALCHEMY"], "wants_digest": "on"})
    assert "expertise" in page.context["form"].errors
    client.post(address, {"wants_digest": "on"})
    reviewer.refresh_from_db()
    assert (reviewer.expertise, reviewer.wants_digest) == ([], True)
