"""E-mails as work: one that can't be sent is tried a few times, and then says why."""

from datetime import timedelta
from typing import Any

from django.core.mail import EmailMessage
from django.utils import timezone
from django.utils.translation import gettext as _

from phybench.work.models import Leased

MOST_TRIES = 5
FIRST_PAUSE = timedelta(seconds=30)
"""Before the second try; each pause is four times as long as the one before."""


def deliver(row: Leased, message: EmailMessage) -> None:
    """Send the e-mail of a claimed row, which has `sent_at`, `failed_at` and `failure`."""
    try:
        message.send()
    except OSError as error:
        put_off(row, str(error))
    else:
        row.settle(sent_at=timezone.now(), failure="")


def put_off(row: Leased, why: str) -> None:
    """Try it again after a while, or no more."""
    if row.tries >= MOST_TRIES:
        fail(row, why)
        return
    pause = FIRST_PAUSE * 4 ** (row.tries - 1)
    row.settle(next_at=timezone.now() + pause, failure=why)


def fail(row: Leased, why: str) -> None:
    """Send it no more, and keep why."""
    row.settle(failed_at=timezone.now(), failure=why)


def give_up(row: Any) -> None:
    """End a row that was lost with worker after worker."""
    fail(row, row.failure or _("Its workers were lost."))
