"""People on the list of a study are invited by e-mail, and reminded while they have not started."""

from datetime import timedelta

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.studies import actions as studying
from grading.studies.letters import actions
from grading.studies.letters.models import Letter
from grading.studies.letters.tasks import SENDING, remind_before_the_end
from grading.studies.models import Study
from grading.studies.sessions import actions as sitting
from grading.studies.withdrawals.actions import withdraw
from phybench.work.mailing import MOST_TRIES
from tests.grading.sessions.conftest import join, practise
from tests.work import do

pytestmark = pytest.mark.django_db


@pytest.fixture
def listed(draft_study, admin, participant, other) -> Study:
    """An open study with two people on its list, who were invited two days ago."""
    Study.objects.update(joining=Study.Joining.LIST)
    addresses = [participant.email, other.email]
    studying.invite(study=draft_study, addresses=addresses, by=admin)
    assert not Letter.objects.exists()
    studying.open_study(study=draft_study, by=admin)
    return Study.objects.get()


def send_all() -> None:
    for letter in Letter.objects.to_send():
        do(SENDING, letter.pk)


def pass_days(days: int) -> None:
    """Let what was written be so many days old."""
    import pgtrigger

    with pgtrigger.ignore("grading.Letter:letter_stays_to_whom_it_is"):
        for one in Letter.objects.all():
            Letter.objects.filter(pk=one.pk).update(made_at=one.made_at - timedelta(days=days))


def test_who_is_on_the_list_is_invited_when_the_study_opens_and_only_once(
    listed, admin, participant
):
    mail.outbox.clear()
    send_all()
    studying.invite(study=listed, addresses=[participant.email], by=admin)
    send_all()
    assert len(mail.outbox) == 2
    [body] = [one.body for one in mail.outbox if one.to == [participant.email]]
    assert "3 physics problems" in body
    assert "60 minutes" in body
    assert reverse("grading:join", args=[listed.pk]) in body


def test_who_is_put_on_the_list_later_is_invited_then(listed, admin, contributor):
    contributor.roles.append("PARTICIPANT")
    contributor.save()
    send_all()
    mail.outbox.clear()
    studying.invite(study=listed, addresses=[contributor.email], by=admin)
    send_all()
    assert [one.to for one in mail.outbox] == [[contributor.email]]


def test_reminded_is_who_has_not_started_and_at_most_once_a_day(listed, admin, participant, other):
    send_all()
    assert actions.remind(study=listed, by=admin) == 0  # they were invited today
    pass_days(2)
    sitting.start(participation=practise(listed, other), seed=1)
    assert actions.remind(study=listed, by=admin) == 1
    assert actions.remind(study=listed, by=admin) == 0
    mail.outbox.clear()
    send_all()
    assert [one.to for one in mail.outbox] == [[participant.email]]
    assert "have not started" in mail.outbox[0].body


def test_who_has_joined_and_not_started_is_reminded_too(listed, admin, participant):
    join(listed, participant)
    pass_days(2)
    assert participant in actions.list_to_remind(listed)


def test_who_withdrew_or_wants_none_or_is_too_late_is_not_reminded(
    listed, admin, participant, other, client
):
    pass_days(2)
    withdraw(participation=join(listed, participant), person=participant)
    client.force_login(other)
    client.post(reverse("grading:letters_off", args=[listed.pk]))
    assert not actions.list_to_remind(listed).exists()
    studying.end_study(study=listed, by=admin)
    assert not actions.list_to_remind(Study.objects.get()).exists()


def test_what_has_lost_its_reason_while_it_waited_is_not_sent(listed, participant, other):
    pass_days(2)
    actions.remind(study=listed)
    sitting.start(participation=practise(listed, participant), seed=1)
    actions.switch_off(study=listed, person=other)
    mail.outbox.clear()
    send_all()
    assert mail.outbox == []
    assert not Letter.objects.to_send().exists()


def test_a_mail_that_fails_is_tried_again_said_and_sent_on_demand(listed, admin, client, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    letter = Letter.objects.first()
    do(SENDING, letter.pk)
    letter.refresh_from_db()
    assert letter.next_at
    assert letter.failed_at is None
    Letter.objects.update(tries=MOST_TRIES - 1, next_at=None)
    send_all()
    client.force_login(admin)
    page = client.get(reverse("grading:letters", args=[listed.pk])).content.decode()
    assert "not sent: 2" in page
    assert "Connection refused" in page
    client.post(reverse("grading:send_letters_again", args=[listed.pk]))
    assert Letter.objects.to_send().count() == 2


def test_the_clock_reminds_once_two_days_before_the_last_day(listed):
    pass_days(9)
    Study.objects.update(closes_at=timezone.now() + timedelta(days=3))
    assert remind_before_the_end() == 0
    Study.objects.update(closes_at=timezone.now() + timedelta(hours=47))
    assert remind_before_the_end() == 2
    pass_days(1)
    Study.objects.update(closes_at=timezone.now() + timedelta(hours=23))
    assert remind_before_the_end() == 0


def test_only_who_runs_studies_writes_to_people(listed, evaluator):
    for action in (actions.remind, actions.send_again):
        with pytest.raises(PermissionDenied):
            action(study=listed, by=evaluator)


def test_the_page_says_how_many_and_the_button_reminds_them(listed, client, admin):
    send_all()
    pass_days(2)
    client.force_login(admin)
    address = reverse("grading:letters", args=[listed.pk])
    page = client.get(address).content.decode()
    assert "invitations sent: 2" in page
    assert "Remind 2 people" in page
    client.post(address)
    assert Letter.objects.filter(kind="REMINDER").count() == 2


def test_nobody_learns_of_a_study_by_its_e_mails(study, client, other):
    Study.objects.update(joining=Study.Joining.LIST)
    client.force_login(other)
    assert client.get(reverse("grading:letters_off", args=[study.pk])).status_code == 404


def test_who_withdraws_leaves_no_letter_and_is_written_to_no_more(listed, admin, participant):
    send_all()
    pass_days(2)
    joined = practise(listed, participant)
    actions.remind(study=listed, by=admin)
    withdraw(participation=joined, person=participant)
    assert not Letter.objects.filter(person=participant).exists()
    # Also where their address is in a list that is sent again.
    mail.outbox.clear()
    studying.invite(study=listed, addresses=[participant.email], by=admin)
    send_all()
    assert [one.to for one in mail.outbox if participant.email in one.to] == []


def test_a_title_of_several_lines_makes_one_line_of_a_subject(listed):
    Study.objects.update(title="Students\r\nBcc: all@example.org")
    mail.outbox.clear()
    send_all()
    subjects = {one.subject for one in mail.outbox}
    assert len(mail.outbox) == 2
    assert not any("\n" in one or "\r" in one for one in subjects)
    assert not Letter.objects.to_send().exists()


def test_a_letter_carries_a_link_that_stops_all_of_them_without_signing_in(listed, participant):
    send_all()
    letter = next(one for one in mail.outbox if one.to == [participant.email])
    link = letter.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in letter.body
    Client().post(link.removeprefix("http://127.0.0.1:8000"))
    pass_days(2)
    mail.outbox.clear()
    actions.remind(study=listed)
    send_all()
    assert [one for one in mail.outbox if one.to == [participant.email]] == []
    assert "wants no e-mails" in Letter.objects.failed().get().failure
