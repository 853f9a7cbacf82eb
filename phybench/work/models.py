"""Rows that workers take one at a time: whose turn comes first, who has it, and until when."""

from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Lost(Exception):
    """Another worker has taken the row over, or it is gone: what this one found is not kept."""


class Priority(IntEnum):
    """What comes first; of the same, the older."""

    NOW = 0
    """Somebody waits for it: a process is kept for this."""
    SOON = 1
    """Somebody will come back for it, and it may take a while."""
    BULK = 2


class Leased(models.Model):
    """
    A row of which a worker does something, and which is free again should it never come back.

    Who claims it gets a short lease, renewed while the work goes on. `tries` tells one claim from
    the next, so only who holds the row writes down what came of it.
    """

    priority = models.PositiveSmallIntegerField(default=Priority.BULK.value, editable=False)
    queued_at = models.DateTimeField(default=timezone.now, editable=False)
    next_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When it is tried again, if it has to wait.")
    )
    tries = models.PositiveIntegerField(default=0, help_text=_("Times that a worker took it."))
    lost = models.PositiveIntegerField(default=0, help_text=_("Workers that let go of it."))
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def ours(self) -> models.QuerySet[Self]:
        """Return this row, while nobody else has claimed it since."""
        rows: models.QuerySet[Self] = type(self)._default_manager.filter(
            pk=self.pk, tries=self.tries, lease_until__isnull=False
        )
        return rows

    def keep(self, **fields: Any) -> None:
        """
        Write down how far it is.

        Raises:
            Lost: it is ours no more.
        """
        if not self.ours().update(**fields):
            raise Lost(self.pk)

    def settle(self, **fields: Any) -> bool:
        """Write down what came of it and end our lease; False when it was no longer ours."""
        return bool(self.ours().update(**{"lease_until": None, "next_at": None, **fields}))


def end_of_lease() -> datetime:
    return timezone.now() + timedelta(seconds=settings.WORK_LEASE_SECONDS)
