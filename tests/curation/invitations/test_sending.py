"""Invitations are sent by a worker, with the link, in the language that was chosen."""

import pytest
from django.urls import reverse

from curation.members.invitations import actions
from curation.members.invitations.addresses import Entry
from curation.members.invitations.models import Invitation
from curation.members.invitations.tasks import SENDING
from phybench.work import mailing
from tests.curation.invitations.inviting import link, read
from tests.work import do

pytestmark = pytest.mark.django_db


def test_a_worker_sends_it_with_the_link_and_the_roles(invited, mailoutbox):
    do(SENDING, invited.pk)
    [mail] = mailoutbox
    assert mail.to == [invited.email]
    assert link(invited) in mail.body
    assert "- reviewer" in mail.body
    invited.refresh_from_db()
    assert invited.sent_at
    assert SENDING.claim() is None


def test_it_is_written_in_the_language_that_the_admin_chose(admin, mailoutbox):
    entries = [Entry(1, "ivy@new.example", "李安")]
    [made] = actions.invite(
        entries=entries, roles=["REVIEWER"], days=7, language="zh-hans", by=admin
    )
    do(SENDING, made.pk)
    assert "评审人" in mailoutbox[0].body


def test_withdrawn_before_it_was_sent_it_is_not_sent(invited, admin, mailoutbox):
    claimed = SENDING.claim(invited.pk)
    assert claimed
    actions.withdraw(invitation=invited, by=admin)
    SENDING.do(Invitation.objects.get(pk=invited.pk))
    assert mailoutbox == []


def test_what_can_not_be_sent_is_tried_again_and_then_listed_with_its_reason(
    invited, admin, client, settings, benchmark
):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    for _again in range(mailing.MOST_TRIES):
        Invitation.objects.update(next_at=None)
        do(SENDING, invited.pk)
    client.force_login(admin)
    page = client.get(reverse("curation:members"), {"show": "invitations", "state": "failed"})
    assert [one.pk for one in page.context["page"]] == [invited.pk]
    assert "1 invitation could not be sent." in read(page)
    client.post(reverse("curation:members") + "?do=again")
    assert list(Invitation.objects.to_send()) == [invited]
