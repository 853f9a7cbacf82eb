"""Trying again later what another server did not take: a few times, each pause longer."""

from datetime import timedelta

from django.utils import timezone

from phybench.work.models import Leased

MOST_TRIES = 5
FIRST_PAUSE = timedelta(seconds=30)
"""Before the second try; each pause is four times as long as the one before."""


def put_off(row: Leased, why: str) -> None:
    """Have a claimed row with `failed_at` and `failure` tried again, or end it after the last."""
    if row.tries >= MOST_TRIES:
        row.settle(failed_at=timezone.now(), failure=why)
        return
    pause = FIRST_PAUSE * 4 ** (row.tries - 1)
    row.settle(next_at=timezone.now() + pause, failure=why)
