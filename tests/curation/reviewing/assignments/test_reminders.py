"""E-mails to reviewers: what is new to them, due soon or overdue, once a day."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.core.mail import EmailMessage

from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments import news as reminders
from curation.reviewing.rounds.models import Assignment
from phybench.people.models import User
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.curation.reviewing.rounds.opened import review
from tests.memory import remembered
from tests.work import send_mails

pytestmark = pytest.mark.django_db
NOON = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
A_DAY = timedelta(days=1)


def list_keys(now: datetime) -> list[str]:
    found = reminders.find(now - A_DAY, now)
    return [key.partition(" ")[2] for _person, key in found]


def read_outbox(person: User) -> list[EmailMessage]:
    return [one for one in mail.outbox if one.to == [person.email]]


@pytest.fixture
@remembered
def given(contributor, reviewer, admin) -> list[Assignment]:
    """Four: one overdue, one due soon, one later, one without a day."""
    made = []
    for one, days in zip(open_rounds(contributor, count=4), (-1, 2, 10, None), strict=True):
        assignment = assign(one, reviewer, admin)
        due_at = None if days is None else NOON + timedelta(days=days)
        Assignment.objects.filter(pk=assignment.pk).update(
            due_at=due_at, assigned_at=NOON - timedelta(hours=1)
        )
        made.append(assignment)
    return made


def test_new_and_soon_are_told_once_and_what_is_overdue_each_day(given):
    assert list_keys(NOON) == [f"overdue {NOON:%Y-%m-%d}", "soon", "new", "new"]
    assert list_keys(NOON + A_DAY) == [f"overdue {NOON + A_DAY:%Y-%m-%d}", "soon"]


def test_the_e_mail_of_the_day_says_the_most_pressing_first_with_links(given, reviewer):
    send_mails(NOON)
    send_mails(NOON + timedelta(hours=3))
    [message] = read_outbox(reviewer)
    assert message.subject.endswith("4 things are new")
    body = message.body
    assert body.index("is overdue since") < body.index("is due on") < body.index("You are asked to")
    for one in given:
        assert f"http://127.0.0.1:8000/r/{one.round_id}/" in body
    send_mails(NOON + A_DAY)
    assert "is overdue since" in read_outbox(reviewer)[1].subject


def test_what_is_done_or_declined_is_told_no_more(given, reviewer):
    review(given[0].round, reviewer)
    assigning.decline(assignment=given[1], reviewer=reviewer, reason="No time.")
    send_mails(NOON)
    assert read_outbox(reviewer)[0].subject.endswith("2 things are new")
