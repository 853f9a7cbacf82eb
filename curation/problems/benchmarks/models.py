"""Benchmarks: the sets of problems that boards are about, and what is to be reached in each."""

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.models import PhysicsField


class BenchmarkManager(models.Manager["Benchmark"]):
    def called(self, named: str) -> "Benchmark | None":
        """Return the one with this slug, else with this name."""
        return self.filter(slug=named).first() or self.filter(name=named).first()


class Benchmark(models.Model):
    """The set of problems that one board is about."""

    name = models.CharField(max_length=80, unique=True)
    slug = models.SlugField(max_length=80, unique=True)
    is_demo = models.BooleanField(_("made by the demo"), default=False)
    goal = models.PositiveIntegerField(
        _("goal"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("How many problems are to be accepted. Leave empty for no goal."),
    )
    deadline = models.DateField(
        _("deadline"),
        null=True,
        blank=True,
        help_text=_("The last day on which the goal can be reached."),
    )
    put_off: "ArrayField[list[int], list[int]]" = ArrayField(
        models.PositiveSmallIntegerField(),
        default=list,
        blank=True,
        help_text=_("Steps of the overview that an admin goes on without."),
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BenchmarkManager()

    class Meta:
        ordering = ["is_demo", "pk"]
        constraints = [
            models.CheckConstraint(name="goal_is_positive", condition=Q(goal=None) | Q(goal__gt=0)),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("board_of", args=[self.slug])


class DomainGoal(models.Model):
    """How many accepted problems of one domain a benchmark is to have."""

    # Its index is that of `one_goal_a_domain`.
    benchmark = models.ForeignKey(
        Benchmark, on_delete=models.CASCADE, related_name="domain_goals", db_index=False
    )
    domain = models.CharField(_("domain"), max_length=20, choices=PhysicsField)
    goal = models.PositiveIntegerField(_("goal"), validators=[MinValueValidator(1)])

    class Meta:
        ordering = ["pk"]
        verbose_name = _("goal of a domain")
        verbose_name_plural = _("goals of domains")
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "domain"], name="one_goal_a_domain"),
            models.CheckConstraint(name="domain_goal_is_positive", condition=Q(goal__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.get_domain_display()}: {self.goal}"
