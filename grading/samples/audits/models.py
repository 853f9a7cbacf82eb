"""Samples of graded answers, who was asked to label them, and what people said of them."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Revision
from curation.versions.models import BenchmarkVersion
from grading.answers.hidden.models import HiddenAnswer
from grading.answers.models import Attempt, VerdictChoice
from grading.answers.runs.models import GradingRun
from grading.samples.labelling.models import (
    LABELS,
    AskedLabeller,
    BlindLabel,
    ItemQuerySet,
    LabelledItem,
    LabelledSample,
    LabelQuerySet,
    SampleQuerySet,
)
from grading.samples.labelling.triggers import (
    keep_adjudications,
    keep_items,
    keep_labels,
    keep_samples,
)
from phybench.people.models import User
from phybench.work.triggers import require


class Choice(models.TextChoices):
    RIGHT = "RIGHT", _("right")
    WRONG = "WRONG", _("wrong")
    CANT_TELL = "CANT_TELL", _("can’t tell")


class AuditSampleQuerySet(SampleQuerySet["AuditSample"]):
    pass


class AuditSample(LabelledSample):
    """Graded answers of one version, drawn at random among those of each verdict."""

    version = models.ForeignKey(
        BenchmarkVersion, on_delete=models.PROTECT, related_name="audit_samples"
    )
    run = models.ForeignKey(
        GradingRun,
        on_delete=models.PROTECT,
        related_name="audit_samples",
        help_text=_("The run that the benchmark used when the sample was drawn."),
    )
    grader_version = models.CharField(max_length=40)
    size = models.PositiveIntegerField(help_text=_("How many answers were asked for."))
    left_out = models.PositiveIntegerField(
        default=0, help_text=_("Answers that another version of the grader graded.")
    )

    objects = AuditSampleQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["version", "grader_version"],
                condition=Q(completed_at=None, ended_at=None),
                name="one_open_sample_a_version_and_grader",
            ),
            models.CheckConstraint(
                name="sample_is_ended_with_a_reason",
                condition=Q(ended_at=None, ended_by=None, why_ended="")
                | (
                    Q(ended_at__isnull=False, ended_by__isnull=False, completed_at=None)
                    & ~Q(why_ended="")
                ),
            ),
        ]
        triggers = [
            *keep_samples("audit"),
            require(
                "audit_sample_is_of_a_published_version",
                when=pgtrigger.Q(new__version__isnull=False),
                found="""
                    SELECT FROM curation_benchmarkversion version
                    JOIN grading_gradingrun run USING (benchmark_id)
                    WHERE version.id = NEW.version_id AND run.id = NEW.run_id
                        AND version.published_at IS NOT NULL AND run.adopted_at IS NOT NULL
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"Audit sample {self.pk} of {self.version}, grader {self.grader_version}"

    def get_absolute_url(self) -> str:
        return reverse("grading:audit", args=[self.pk])


class StratumKind(models.TextChoices):
    ACCEPTED = "ACCEPTED", _("accepted")
    REJECTED = "REJECTED", _("rejected")


class AuditStratum(models.Model):
    """How many answers of one kind there were when a sample was drawn: their weight."""

    sample = models.ForeignKey(
        AuditSample, on_delete=models.PROTECT, related_name="strata", db_index=False
    )
    kind = models.CharField(max_length=10, choices=StratumKind)
    population = models.PositiveIntegerField()
    verdicts = models.JSONField(
        default=dict, help_text=_("How many by verdict; of hidden answers only their number.")
    )

    class Meta:
        ordering = ["sample", "kind"]
        verbose_name_plural = _("audit strata")
        constraints = [
            models.UniqueConstraint(fields=["sample", "kind"], name="one_stratum_a_kind")
        ]
        triggers = [
            pgtrigger.Protect(
                name="audit_stratum_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.population} {self.kind.lower()} of sample {self.sample_id}"


class AuditItemQuerySet(ItemQuerySet["AuditItem"]):
    def public(self) -> Self:
        return self.filter(hidden_answer=None)


class AuditItem(LabelledItem):
    """One answer of a sample, at its place in a random order."""

    sample = models.ForeignKey(
        AuditSample, on_delete=models.PROTECT, related_name="items", db_index=False
    )
    attempt = models.ForeignKey(
        Attempt, on_delete=models.PROTECT, null=True, blank=True, related_name="audit_items"
    )
    hidden_answer = models.ForeignKey(
        HiddenAnswer, on_delete=models.PROTECT, null=True, blank=True, related_name="audit_items"
    )
    revision = models.ForeignKey(
        Revision, on_delete=models.PROTECT, related_name="+", help_text=_("What it answers.")
    )
    key = models.ForeignKey(
        Revision, on_delete=models.PROTECT, related_name="+", help_text=_("By which it was graded.")
    )
    stratum = models.CharField(max_length=10, choices=StratumKind)
    verdict = models.CharField(
        max_length=20,
        choices=VerdictChoice,
        blank=True,
        help_text=_("When it was drawn; a hidden answer is only accepted or not."),
    )
    outcome = models.CharField(
        max_length=10,
        choices=Choice,
        blank=True,
        help_text=_("The label that both gave, or the adjudicated one."),
    )

    objects = AuditItemQuerySet.as_manager()

    class Meta:
        ordering = ["sample", "place"]
        constraints = [
            models.UniqueConstraint(fields=["sample", "place"], name="one_audit_item_a_place"),
            models.UniqueConstraint(
                fields=["sample", "attempt"],
                condition=Q(attempt__isnull=False),
                name="attempt_is_once_in_a_sample",
            ),
            models.UniqueConstraint(
                fields=["sample", "hidden_answer"],
                condition=Q(hidden_answer__isnull=False),
                name="hidden_answer_is_once_in_a_sample",
            ),
            models.CheckConstraint(
                name="audit_item_is_one_answer",
                condition=(Q(attempt__isnull=False, hidden_answer=None) & ~Q(verdict=""))
                | Q(attempt=None, hidden_answer__isnull=False, verdict=""),
            ),
            models.CheckConstraint(
                name="stratum_is_that_of_the_verdict",
                condition=Q(verdict="")
                | Q(stratum="ACCEPTED", verdict="CORRECT")
                | (Q(stratum="REJECTED") & ~Q(verdict="CORRECT")),
            ),
        ]
        triggers = keep_items("audit")

    def __str__(self) -> str:
        return f"Answer {self.place} of sample {self.sample_id}"

    @property
    def is_hidden(self) -> bool:
        return self.hidden_answer_id is not None

    @property
    def response(self) -> str:
        answer = self.attempt or self.hidden_answer
        assert answer is not None
        return answer.response


class AuditLabeller(AskedLabeller):
    sample = models.ForeignKey(AuditSample, on_delete=models.PROTECT, related_name="labellers")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="asked_to_label")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["sample", "person"],
                condition=Q(taken_off_at=None),
                name="asked_once_to_label",
            )
        ]
        triggers = [pgtrigger.Protect(name="audit_labeller_stays", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.person} labels sample {self.sample_id}"


_HIDDEN_IS_FOR_ADMINS = """
    SELECT FROM grading_audititem item, phybench_user person
    WHERE item.id = NEW.item_id AND person.id = NEW.person_id
        AND (item.hidden_answer_id IS NULL OR 'ADMIN' = ANY(person.roles))
"""


class AuditLabelQuerySet(LabelQuerySet["AuditLabel"]):
    pass


class AuditLabel(BlindLabel):
    """What one person says of an answer, blind to its verdict and to what others say."""

    item = models.ForeignKey(AuditItem, on_delete=models.PROTECT, related_name="labels")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="audit_labels")
    choice = models.CharField(max_length=10, choices=Choice)
    note = models.CharField(max_length=500, blank=True)

    objects = AuditLabelQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "number"],
                condition=Q(taken_back_at=None),
                name="one_audit_label_a_number",
            ),
            models.UniqueConstraint(
                fields=["item", "person"],
                condition=Q(taken_back_at=None),
                name="one_audit_label_a_person",
            ),
            models.CheckConstraint(
                name="at_most_two_audit_labels", condition=Q(number__gte=1, number__lte=LABELS)
            ),
            models.CheckConstraint(
                name="audit_label_is_taken_back_later",
                condition=Q(taken_back_at=None) | Q(taken_back_at__gte=F("given_at")),
            ),
        ]
        triggers = [
            *keep_labels("audit"),
            require(
                "hidden_answer_is_labelled_by_admins",
                when=pgtrigger.Q(new__item__isnull=False),
                found=_HIDDEN_IS_FOR_ADMINS,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice} on {self.item} by {self.person}"


class AuditAdjudication(models.Model):
    """What somebody says of an answer that two others labelled differently. Never changed."""

    item = models.OneToOneField(AuditItem, on_delete=models.PROTECT, related_name="adjudication")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="audit_adjudications")
    choice = models.CharField(_("this answer is"), max_length=10, choices=Choice)
    reason = models.TextField(_("why"), max_length=2000)
    given_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(name="adjudication_has_a_reason", condition=~Q(reason=""))
        ]
        triggers = [
            *keep_adjudications("audit"),
            require(
                "hidden_answer_is_adjudicated_by_admins",
                when=pgtrigger.Q(new__item__isnull=False),
                found=_HIDDEN_IS_FOR_ADMINS,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice} on {self.item}, adjudicated by {self.person}"
