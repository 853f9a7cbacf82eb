"""Files that brought problems in, row by row."""

from typing import Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Difficulty, PhysicsField, Problem
from phybench.people.models import Language, User
from phybench.work.models import Leased


class ImportQuerySet(models.QuerySet["Import"]):
    def under_way(self) -> Self:
        """Those that wait for a worker or have one: to be looked at, or to be carried out."""
        return self.filter(Q(planned_at=None) | Q(ordered_at__isnull=False, finished_at=None))


class Import(Leased):
    """
    A file of problems: looked at first, and carried out once its owner says so.

    `planned_at` says that each row has its action, `ordered_at` that they are to be carried out,
    `finished_at` that they were.
    """

    class Purpose(models.TextChoices):
        DRAFTS = "DRAFTS", _("drafts of my own")
        PUBLISHED = "PUBLISHED", _("published problems, accepted elsewhere")

    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="imports")
    purpose = models.CharField(max_length=20, choices=Purpose)
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="imports")
    domain = models.CharField(
        max_length=20,
        choices=PhysicsField,
        default=PhysicsField.OTHER,
        help_text=_("Of new problems whose row gives none."),
    )
    difficulty = models.CharField(
        max_length=20,
        choices=Difficulty,
        blank=True,
        default="",
        help_text=_("Of new problems whose row gives none."),
    )
    problem_language = models.CharField(
        max_length=10,
        choices=Language,
        default=Language.EN,
        help_text=_("Of new problems whose row gives none."),
    )
    language = models.CharField(
        max_length=10,
        default=settings.LANGUAGE_CODE,
        help_text=_("Of the pages when it was uploaded: its rows are described in it."),
    )
    file_name = models.CharField(max_length=200)
    file_sha256 = models.CharField(max_length=64)
    file_format = models.CharField(max_length=10)
    unknown_fields = ArrayField(
        models.TextField(), default=list, blank=True, help_text=_("Named in the file, ignored.")
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    planned_at = models.DateTimeField(null=True, blank=True, editable=False)
    ordered_at = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ImportQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                name="import_is_looked_at_before_it_is_carried_out",
                condition=Q(ordered_at=None, finished_at=None)
                | Q(planned_at__isnull=False, ordered_at__isnull=False),
            ),
            models.CheckConstraint(
                name="import_purpose_is_known",
                condition=Q(purpose__in=["DRAFTS", "PUBLISHED"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.get_purpose_display()})"

    def get_absolute_url(self) -> str:
        return reverse("curation:import", args=[self.benchmark.slug, self.pk])

    @property
    def is_under_way(self) -> bool:
        return self.planned_at is None or (self.ordered_at is not None and self.finished_at is None)


class ImportRowQuerySet(models.QuerySet["ImportRow"]):
    def to_fix(self) -> Self:
        """Those that are imported though something in them is to be fixed."""
        return self.filter(action__in=["CREATE", "UPDATE"]).exclude(faults=[])


class ImportRow(models.Model):
    """One row of such a file: what it says, what is to come of it, what came of it."""

    class Action(models.TextChoices):
        CREATE = "CREATE", _("create")
        UPDATE = "UPDATE", _("update")
        NOTHING = "NOTHING", _("nothing to do")
        REFUSE = "REFUSE", _("refuse")

    class Result(models.TextChoices):
        DONE = "DONE", _("done")
        REFUSED = "REFUSED", _("refused")

    transfer = models.ForeignKey(
        Import, on_delete=models.CASCADE, related_name="rows", db_index=False
    )
    number = models.PositiveIntegerField(help_text=_("From 1."))
    line = models.PositiveIntegerField(help_text=_("Where it begins in the file."))
    identifier = models.CharField(max_length=40, blank=True)
    title = models.CharField(max_length=200, blank=True)
    given = models.JSONField(default=dict, blank=True, help_text=_("What the file says."))
    faults = models.JSONField(
        default=list, blank=True, help_text=_("What is wrong: field, message, code of the rule.")
    )
    action = models.CharField(max_length=10, choices=Action, blank=True)
    changes = ArrayField(
        models.CharField(max_length=20), default=list, blank=True, help_text=_("Fields to change.")
    )
    values = models.JSONField(default=dict, blank=True, help_text=_("New values."))
    note = models.TextField(blank=True)
    problem = models.ForeignKey(
        Problem, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    state = models.CharField(
        max_length=64, blank=True, help_text=_("The problem as it was when this was planned.")
    )
    result = models.CharField(max_length=10, choices=Result, blank=True)
    message = models.TextField(blank=True, help_text=_("Why it was not carried out."))

    objects = ImportRowQuerySet.as_manager()

    class Meta:
        ordering = ["transfer_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["transfer", "number"], name="one_import_row_a_number"),
            models.CheckConstraint(
                name="import_row_action_is_known",
                condition=Q(action__in=["", "CREATE", "UPDATE", "NOTHING", "REFUSE"]),
            ),
            models.CheckConstraint(
                name="only_what_changes_something_is_carried_out",
                condition=Q(result="") | Q(action__in=["CREATE", "UPDATE"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.transfer}, row {self.number}"
