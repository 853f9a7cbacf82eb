"""Scores that somebody published elsewhere, as they stand there: nothing here was graded by us."""

from typing import Self

import pgtrigger
from django.core.validators import MaxValueValidator, MinValueValidator, URLValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import MD5, Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from phybench.people.models import User

Identity = tuple[str, str, str, object]
"""What tells a row from the others of its benchmark: solver, problems, source, day."""
PERCENT = [MinValueValidator(0), MaxValueValidator(100)]


class ReportedScoreQuerySet(models.QuerySet["ReportedScore"]):
    def standing(self) -> Self:
        return self.filter(withdrawn_at=None)


class ReportedScore(models.Model):
    """
    What a source says that a solver scored on some problems of a benchmark.

    Never changed: a row with a slip is withdrawn, with a reason, and added anew.
    """

    class Kind(models.TextChoices):
        MODEL = "MODEL", _("model")
        HUMAN = "HUMAN", _("people")

    class Spread(models.TextChoices):
        STANDARD_ERROR = "SE", _("one standard error")
        HALF_INTERVAL = "CI95", _("half of a 95 % interval")
        STANDARD_DEVIATION = "SD", _("one standard deviation")
        UNSAID = "UNSAID", _("not stated")

    benchmark = models.ForeignKey(
        Benchmark, on_delete=models.PROTECT, related_name="reported_scores"
    )
    solver = models.CharField(_("Solver"), max_length=120, help_text=_("As the source calls it."))
    kind = models.CharField(_("Kind"), max_length=10, choices=Kind, default=Kind.MODEL)
    item_set = models.CharField(
        _("Measured on"),
        max_length=200,
        help_text=_("Which problems, for example: 575 problems, 500 of them published."),
    )
    n = models.PositiveIntegerField(
        _("n"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Number of problems or answers that the figures cover."),
    )
    accuracy = models.FloatField(_("Accuracy, %"), null=True, blank=True, validators=PERCENT)
    accuracy_pm = models.FloatField(
        _("± of the accuracy"), null=True, blank=True, validators=PERCENT
    )
    eed = models.FloatField(_("Mean EED"), null=True, blank=True, validators=PERCENT)
    eed_pm = models.FloatField(_("± of the EED"), null=True, blank=True, validators=PERCENT)
    pm_is = models.CharField(_("± is"), max_length=10, choices=Spread, blank=True)
    citation = models.CharField(
        _("Source"), max_length=500, help_text=_("Who published it, where, and in which table.")
    )
    url = models.CharField(
        _("Address of the source"),
        max_length=500,
        validators=[
            URLValidator(
                schemes=["https"], message=_("Write a full address that begins with https://.")
            )
        ],
        help_text=_("It begins with https://."),
    )
    reported_on = models.DateField(_("Published on"), help_text=_("For example 2025-04-22."))
    note = models.CharField(
        _("Note"),
        max_length=500,
        blank=True,
        help_text=_("What readers need to know to compare it. This is public."),
    )
    added_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField(default=timezone.now, editable=False)
    withdrawn_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    why_withdrawn = models.CharField(max_length=500, blank=True)

    objects = ReportedScoreQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                "benchmark",
                Lower("solver"),
                Lower("item_set"),
                # Its hash: an entry of the index has to fit into a third of a page.
                MD5("url"),
                "reported_on",
                condition=Q(withdrawn_at=None),
                name="one_reported_score_a_source",
            ),
            models.CheckConstraint(
                name="reported_score_has_a_figure",
                condition=Q(accuracy__isnull=False) | Q(eed__isnull=False),
            ),
            models.CheckConstraint(
                name="reported_figures_are_in_per_cent",
                condition=(Q(accuracy=None) | Q(accuracy__gte=0, accuracy__lte=100))
                & (Q(eed=None) | Q(eed__gte=0, eed__lte=100))
                & (Q(accuracy_pm=None) | Q(accuracy_pm__gte=0, accuracy_pm__lte=100))
                & (Q(eed_pm=None) | Q(eed_pm__gte=0, eed_pm__lte=100)),
            ),
            models.CheckConstraint(
                name="reported_spread_has_its_figure",
                condition=(Q(accuracy_pm=None) | Q(accuracy__isnull=False))
                & (Q(eed_pm=None) | Q(eed__isnull=False)),
            ),
            models.CheckConstraint(
                name="reported_spread_says_what_it_is",
                condition=Q(accuracy_pm=None, eed_pm=None, pm_is="")
                | (~Q(accuracy_pm=None, eed_pm=None) & ~Q(pm_is="")),
            ),
            models.CheckConstraint(
                name="reported_score_links_by_https", condition=Q(url__startswith="https://")
            ),
            models.CheckConstraint(
                name="reported_score_withdrawn_with_a_reason",
                condition=Q(withdrawn_at=None, withdrawn_by=None, why_withdrawn="")
                | (
                    Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False) & ~Q(why_withdrawn="")
                ),
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="reported_score_stays", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="reported_score_is_only_withdrawn",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(
                    exclude=["withdrawn_by", "withdrawn_at", "why_withdrawn"]
                ),
            ),
            pgtrigger.Protect(
                name="reported_score_is_withdrawn_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__withdrawn_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.solver} on {self.item_set}, by {self.citation}"

    @property
    def is_human(self) -> bool:
        return self.kind == self.Kind.HUMAN

    @property
    def identity(self) -> Identity:
        return self.solver.lower(), self.item_set.lower(), self.url, self.reported_on
