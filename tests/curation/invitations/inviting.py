"""Invitations, and how their people join."""

from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.members.invitations import actions
from curation.members.invitations.addresses import Entry
from curation.members.invitations.models import (
    UNTIL_SENT_AGAIN,
    Invitation,
    InvitationQuerySet,
)
from phybench.people.models import User

PASSWORD = "correct horse battery"


def invite(
    admin: User, *emails: str, roles: tuple[str, ...] = ("REVIEWER",), **options: Any
) -> list[Invitation]:
    return actions.invite(
        entries=[Entry(line, email) for line, email in enumerate(emails, 1)],
        roles=roles,
        days=14,
        language="en",
        by=admin,
        **options,
    )


def link(invitation: Invitation) -> str:
    secret = actions.write_link(invitation).rstrip("/").rpartition("/")[2]
    return reverse("curation:invitation", args=[secret])


def join(invitation: Invitation, client: Client | None = None, **sent: str):
    filled = {
        "display_name": "Ivy",
        "password1": PASSWORD,
    }
    return (client or Client()).post(link(invitation), {**filled, **sent})


def read(page) -> str:
    return page.content.decode()


def expire(invitation: Invitation) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=timezone.now())


def wait_an_hour(invitations: InvitationQuerySet) -> None:
    invitations.update(queued_at=timezone.now() - UNTIL_SENT_AGAIN)
