"""What somebody asked for that takes longer than a page may take, until it is done."""

import time
from threading import Thread
from typing import Self

import pgtrigger
from django.conf import settings
from django.db import connection, models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from phybench.people.models import User
from phybench.work.models import Leased

TOLD_EVERY = 1.0
"""Seconds between two looks at how far a job is."""


class JobQuerySet(models.QuerySet["Job"]):
    def open(self) -> Self:
        """Keep those that wait for a worker or have one."""
        return self.filter(ended_at=None)

    def of(self, kind: str, subject: object) -> Self:
        return self.filter(kind=kind, subject=str(subject))


class Job(Leased):
    """
    One action that a worker carries out, all of it or nothing, for the person who began it.

    While it is open nobody begins another of its kind with the same subject.
    """

    class Outcome(models.TextChoices):
        DONE = "DONE", _("done")
        REFUSED = "REFUSED", _("not done")
        LOST = "LOST", _("our workers stopped")

    kind = models.CharField(max_length=40)
    subject = models.CharField(
        max_length=64, help_text=_("What it is done to: the number of a row, or a hash.")
    )
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    title = models.CharField(max_length=300)
    arguments = models.JSONField(
        default=dict, blank=True, help_text=_("What was asked for; empty once it has ended.")
    )
    language = models.CharField(
        max_length=10,
        default=settings.LANGUAGE_CODE,
        help_text=_("Of the page on which it was begun: its outcome is described in it."),
    )
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(default=0, help_text=_("0 while that is not known."))
    begun_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    said = models.TextField(blank=True, help_text=_("The outcome, in a sentence."))
    leads_to = models.CharField(
        max_length=300, help_text=_("The page of its result; until then, the one it was begun on.")
    )

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="jobs_not_ended",
                condition=Q(ended_at=None),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject"],
                condition=Q(ended_at=None),
                name="one_open_job_a_subject",
            ),
            models.CheckConstraint(
                name="job_that_ended_has_an_outcome",
                condition=Q(ended_at=None, outcome="")
                | Q(ended_at__isnull=False, outcome__in=["DONE", "REFUSED", "LOST"]),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="job_stays_what_was_begun",
                fields=["kind", "subject", "by", "title", "language", "begun_at"],
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("job", args=[self.pk])

    _told_at: float | None = None

    def tell(self, done: int, of: int) -> None:
        """
        Let its page show how far it is.

        By a connection of its own: what the job writes is seen by nobody before all of it is done.
        """
        now = time.monotonic()
        if self._told_at is None:
            self._told_at = now
        if now - self._told_at >= TOLD_EVERY:
            self._told_at = now
            telling = Thread(target=self._tell, args=(done, of), daemon=True)
            telling.start()
            telling.join()

    def _tell(self, done: int, of: int) -> None:
        try:
            self.ours().update(done=done, of=of)
        finally:
            connection.close()
