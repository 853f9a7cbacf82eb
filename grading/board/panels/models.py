"""Panels of models, and who is in each."""

import pgtrigger
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.versions.models import BenchmarkVersion
from grading.answers.submissions.models import Submission
from phybench.people.models import User
from phybench.work.triggers import require

LEAST_MODELS = 5
"""In a panel. A figure over fewer would nearly say what each of them answered rightly."""

_COMPLETE = """
    SELECT FROM grading_panel panel
    WHERE panel.id = {panel} AND panel.size = (
        SELECT count(*) FROM grading_panelmember WHERE panel_id = panel.id
    )
"""


class Panel(models.Model):
    """
    Models that stood on a version's board at one time. Never changed.

    What is measured against the models of a board moves with each that comes; against a panel it
    stays. And what is told of single problems is told of a panel alone.
    """

    version = models.ForeignKey(
        BenchmarkVersion, on_delete=models.PROTECT, related_name="panels", db_index=False
    )
    name = models.CharField(_("name"), max_length=100)
    size = models.PositiveIntegerField(
        validators=[MinValueValidator(LEAST_MODELS)], help_text=_("Number of models in it.")
    )
    made_by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Empty if a worker did it."),
    )
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("panel of models")
        verbose_name_plural = _("panels of models")
        constraints = [
            models.UniqueConstraint(fields=["version", "name"], name="one_panel_a_name"),
            models.CheckConstraint(name="panel_has_five_models", condition=Q(size__gte=5)),
            models.CheckConstraint(name="panel_has_a_name", condition=~Q(name="")),
        ]
        triggers = [
            pgtrigger.Protect(
                name="panel_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require(
                "panel_is_as_large_as_it_says",
                when=pgtrigger.Q(new__version__isnull=False),
                found=_COMPLETE.format(panel="NEW.id"),
                at_commit=True,
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PanelMember(models.Model):
    """A submission in a panel, whatever becomes of it later. Never changed."""

    panel = models.ForeignKey(
        Panel, on_delete=models.PROTECT, related_name="members", db_index=False
    )
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="in_panels")

    class Meta:
        ordering = ["panel", "pk"]
        verbose_name = _("model in a panel")
        verbose_name_plural = _("models in panels")
        constraints = [
            models.UniqueConstraint(fields=["panel", "submission"], name="once_in_a_panel")
        ]
        triggers = [
            pgtrigger.Protect(
                name="panel_member_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            # Nobody joins a panel that is there already.
            require(
                "panel_member_came_with_its_panel",
                when=pgtrigger.Q(new__panel__isnull=False),
                found=_COMPLETE.format(panel="NEW.panel_id"),
                at_commit=True,
            ),
            require(
                "panel_member_is_of_its_version",
                when=pgtrigger.Q(new__panel__isnull=False),
                found="""
                    SELECT FROM grading_panel panel
                    JOIN grading_submission submission USING (version_id)
                    WHERE panel.id = NEW.panel_id AND submission.id = NEW.submission_id
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.submission} in {self.panel}"
