"""What people said of how sound the texts of a problem are."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Revision
from phybench.people.models import User


class Part(models.TextChoices):
    STATEMENT = "STATEMENT", _("statement")
    ANSWER = "ANSWER", _("reference answer")
    SOLUTION = "SOLUTION", _("solution")


class Soundness(models.TextChoices):
    SOUND = "SOUND", _("sound")
    REPAIRED = "REPAIRED", _("repaired")
    UNCERTAIN = "UNCERTAIN", _("uncertain")


class ItemAssessment(models.Model):
    """
    Somebody's word on one part of a revision, with a reason that everybody reads. Never changed.

    It is of the text, and so holds in each version that the text is in. The newest counts.
    """

    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="assessments")
    part = models.CharField(_("part"), max_length=10, choices=Part)
    soundness = models.CharField(_("assessment"), max_length=10, choices=Soundness)
    reason = models.TextField(_("why"), max_length=1000)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("assessment of a problem")
        verbose_name_plural = _("assessments of problems")
        constraints = [
            models.CheckConstraint(name="item_assessment_has_a_reason", condition=~Q(reason=""))
        ]
        triggers = [
            pgtrigger.Protect(
                name="item_assessment_is_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
            )
        ]

    def __str__(self) -> str:
        return f"{self.part} of {self.revision}: {self.soundness}"
