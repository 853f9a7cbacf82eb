"""What became of a problem, step by step."""

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.models.problems import Problem, Revision
from curation.workflow import Status, Step
from phybench.models import User


class Event(models.Model):
    """One step in a problem's life: who, what, when, from where to where."""

    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="events")
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, null=True, blank=True)
    actor = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        help_text=_("Empty where a rule or a command did it."),
    )
    kind = models.CharField(max_length=20, choices=Step)
    from_status = models.CharField(max_length=20, choices=Status, blank=True)
    to_status = models.CharField(max_length=20, choices=Status)
    note = models.TextField(blank=True)
    is_override = models.BooleanField(
        default=False, help_text=_("An admin decided instead of the rule; the note says why.")
    )
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="event_goes_somewhere",
                condition=~Q(from_status=F("to_status")) | Q(kind=Step.PASS),
            )
        ]
        triggers = [
            pgtrigger.Protect(name="event_is_append_only", operation=pgtrigger.Update),
            # A draft that nobody saw may go, and its history with it.
            pgtrigger.Protect(
                name="event_of_a_submitted_problem_stays",
                operation=pgtrigger.Delete,
                condition=~pgtrigger.Q(old__kind=Step.CREATE),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.problem}: {self.get_kind_display()}"
