"""Send one e-mail, at most once: what can't be told to have gone out is not sent again."""

import smtplib
from collections import defaultdict

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from phybench.news.mails.choosing import link_off
from phybench.news.mails.kinds import Item, MailKind, list_kinds
from phybench.news.mails.models import Mail
from phybench.people.languages import in_language_of
from phybench.work.mailing import put_off

REFUSED = (
    smtplib.SMTPResponseException,
    smtplib.SMTPRecipientsRefused,
    smtplib.SMTPNotSupportedError,
    ConnectionRefusedError,
)
"""A server that says no has not taken it."""


def send(mail: Mail) -> None:
    """Send a claimed e-mail, if there is still something to say."""
    if mail.begun_at is not None:
        mail.settle(failed_at=timezone.now(), failure=_("It may have been sent: not sent again."))
        return
    if not mail.person.is_active:
        mail.settle(failed_at=timezone.now(), failure=_("This account is not active."))
        return
    with in_language_of(mail.person):
        told = tell(mail)
        message = write(mail, told) if told else None
    if message is None:
        mail.settle(failed_at=timezone.now(), failure=_("Nothing of it is left to say."))
        return
    connection = get_connection()
    try:
        connection.open()
    except OSError as error:
        put_off(mail, str(error))
        return
    message.connection = connection
    try:
        mail.keep(begun_at=timezone.now())
        _hand_over(mail, message)
    finally:
        connection.close()


def _hand_over(mail: Mail, message: EmailMessage) -> None:
    try:
        message.send()
    except REFUSED as error:
        mail.keep(begun_at=None)
        put_off(mail, str(error))
    except OSError as error:
        why = _("It may have been sent: not sent again.")
        mail.settle(failed_at=timezone.now(), failure=f"{why} ({error})")
    else:
        mail.settle(sent_at=timezone.now(), failure="")


def give_up(mail: Mail) -> None:
    mail.settle(failed_at=timezone.now(), failure=mail.failure or _("Its workers were lost."))


def tell(mail: Mail) -> list[tuple[MailKind, list[Item]]]:
    """Return what an e-mail has to say by its kinds, without what is true no more."""
    keys: dict[str, list[str]] = defaultdict(list)
    for one in mail.news.all():
        keys[one.kind].append(one.key)
    told = [
        (kind, list(kind.tell(mail.person, keys[kind.name])))
        for kind in list_kinds()
        if kind.name in keys
    ]
    return [(kind, items) for kind, items in told if items]


def write(mail: Mail, told: list[tuple[MailKind, list[Item]]]) -> EmailMessage:
    """Write it: of one thing its subject says what, of several how many."""
    items = [item for _kind, items in told for item in items]
    off = link_off(mail.person, [kind for kind, _items in told])
    subject = items[0].text.partition("\n")[0]
    if len(items) > 1:
        text = ngettext("%(count)d thing is new", "%(count)d things are new", len(items))
        subject = text % {"count": len(items)}
    context = {
        "person": mail.person,
        "told": told,
        "site": settings.SITE_URL,
        "off": off,
        "choose": settings.SITE_URL + reverse("profile") + "?tab=e-mails",
    }
    return EmailMessage(
        settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + " ".join(subject.split()),
        render_to_string("phybench/mail.txt", context),
        to=[mail.person.email],
        headers={
            "List-Unsubscribe": f"<{off}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
