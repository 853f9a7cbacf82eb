"""Make a token, revoke it, and find whose a token is."""

import hashlib
import logging
import secrets
from collections.abc import Collection
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from phybench.people.languages import in_language_of
from phybench.people.models import User
from phybench.people.tokens.models import Scope, Token

logger = logging.getLogger(__name__)

MARK = "phyb_"
"""What every token begins with: programs that look for leaked secrets find it by this."""
SHOWN = len(MARK) + 4
LONGEST_DAYS = 365
MOST = 20
"""That one person may have in use."""


class TooMany(Exception):
    """More tokens than one person may have; the message says what to do."""


@transaction.atomic
def make(*, person: User, name: str, scopes: Collection[Scope], days: int) -> tuple[Token, str]:
    """
    Make a token; return it with its secret, which is told this once.

    Raises:
        TooMany: the person has as many as one may have.
    """
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    if Token.objects.usable().filter(person=person).count() >= MOST:
        raise TooMany(_("You have %(most)d tokens. Revoke one of them first.") % {"most": MOST})
    secret = MARK + secrets.token_urlsafe(32)
    now = timezone.now()
    token = Token.objects.create(
        person=person,
        name=name,
        scopes=[one for one in Scope if one in scopes],
        beginning=secret[:SHOWN],
        sha256=_hash(secret),
        made_at=now,
        expires_at=now + timedelta(days=min(days, LONGEST_DAYS)),
    )
    transaction.on_commit(partial(_tell, token))
    return token, secret


def revoke(*, token: Token) -> None:
    """End a token for good; one that is ended stays so."""
    Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def revoke_all(*, person: User) -> int:
    """End all tokens of somebody; return how many were in use."""
    return Token.objects.filter(person=person, revoked_at=None).update(revoked_at=timezone.now())


def find(secret: str) -> Token | None:
    """Return the token of a secret, where it is in use, with its person; note the day."""
    if not secret.startswith(MARK) or not secret.isascii():
        return None
    found = Token.objects.usable().select_related("person").filter(sha256=_hash(secret)).first()
    today = timezone.now().date()
    if found and found.last_used_on != today:
        # Once a day, so that not every request writes.
        Token.objects.filter(pk=found.pk).update(last_used_on=today)
    return found


def _hash(secret: str) -> str:
    # Of 256 random bits there is nothing to guess, so a slow hash would only cost time.
    return hashlib.sha256(secret.encode()).hexdigest()


def _tell(token: Token) -> None:
    """Write to its person: whoever made it may be somebody else at their screen."""
    person = token.person
    with in_language_of(person):
        profile = settings.SITE_URL + reverse("profile") + "#tokens"
        message = EmailMessage(
            settings.ACCOUNT_EMAIL_SUBJECT_PREFIX
            + _("A token was made: %(name)s") % {"name": token.name},
            render_to_string(
                "phybench/token_made.txt", {"token": token, "person": person, "profile": profile}
            ),
            to=[person.email],
        )
    try:
        message.send()
    except OSError:
        logger.exception("the mail on token %d could not be sent", token.pk)
