"""What an author asked for by one click: to submit a draft as soon as its certificate allows it."""

from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.certificates.models import Certificate
from curation.problems.models import Problem
from phybench.people.models import User
from phybench.work.models import Leased


class SubmitRequestQuerySet(models.QuerySet["SubmitRequest"]):
    def open(self) -> Self:
        """Those that nothing has come of yet."""
        return self.filter(ended_at=None)

    def ready(self) -> Self:
        """Those whose certificate is finished: a worker can decide them."""
        return self.open().filter(certificate__finished_at__isnull=False)

    def end(self, outcome: "SubmitRequest.Outcome") -> int:
        """End what is open with this outcome, whoever has it."""
        return self.open().update(outcome=outcome, ended_at=timezone.now(), lease_until=None)


class SubmitRequest(Leased):
    """A draft as it stood when its author clicked “Submit for review”, until it is decided."""

    class Outcome(models.TextChoices):
        SUBMITTED = "SUBMITTED", _("submitted")
        CHANGED = "CHANGED", _("the draft was changed meanwhile")
        NOT_CERTIFIED = "NOT_CERTIFIED", _("its answer check does not allow it")
        ALIKE = "ALIKE", _("another problem is much like it")
        REFUSED = "REFUSED", _("it can't be submitted now")
        LOST = "LOST", _("our workers stopped")

    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="submit_requests")
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    saved_at = models.DateTimeField(
        help_text=_("When the draft was saved that is to be submitted.")
    )
    certificate = models.ForeignKey(Certificate, on_delete=models.CASCADE, related_name="+")
    different_from = ArrayField(
        models.BigIntegerField(),
        default=list,
        blank=True,
        help_text=_("Problems much like it that the author has compared with it."),
    )
    outcome = models.CharField(max_length=20, choices=Outcome, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = SubmitRequestQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["problem"],
                condition=Q(ended_at=None),
                name="one_open_submit_request_a_problem",
            ),
            models.CheckConstraint(
                name="ended_submit_request_has_an_outcome",
                condition=Q(ended_at=None, outcome="")
                | Q(ended_at__isnull=False, lease_until=None) & ~Q(outcome=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.problem}, asked by {self.by}"
