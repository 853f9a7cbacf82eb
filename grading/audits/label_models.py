"""What people say of the answers of a sample: labels, and decisions where two differ."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.audits.models import LABELS, AuditItem, Choice
from phybench.models import User
from phybench.triggers import require

_ITEM_IS_OPEN = """
    SELECT FROM grading_audititem item
    JOIN grading_auditsample sample ON sample.id = item.sample_id
    WHERE item.id = NEW.item_id
        AND sample.completed_at IS NULL AND sample.ended_at IS NULL
"""

_HIDDEN_IS_FOR_ADMINS = """
    SELECT FROM grading_audititem item, phybench_user person
    WHERE item.id = NEW.item_id AND person.id = NEW.person_id
        AND (item.hidden_answer_id IS NULL OR 'ADMIN' = ANY(person.roles))
"""


class AuditLabelQuerySet(models.QuerySet["AuditLabel"]):
    def standing(self) -> Self:
        """Leave out those that were taken back."""
        return self.filter(taken_back_at=None)


class AuditLabel(models.Model):
    """What one person says of an answer, blind to its verdict and to what others say."""

    item = models.ForeignKey(AuditItem, on_delete=models.PROTECT, related_name="labels")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="audit_labels")
    number = models.PositiveSmallIntegerField(help_text=_("Of the two that an answer gets."))
    choice = models.CharField(max_length=10, choices=Choice)
    note = models.CharField(max_length=500, blank=True)
    given_at = models.DateTimeField(default=timezone.now, editable=False)
    taken_back_at = models.DateTimeField(null=True, blank=True, editable=False)

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
            pgtrigger.Protect(name="audit_label_stays", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="audit_label_is_only_taken_back",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(exclude=["taken_back_at"]),
            ),
            pgtrigger.Protect(
                name="audit_label_is_taken_back_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__taken_back_at__isnull=False),
            ),
            require(
                "audit_label_is_of_an_open_sample",
                when=pgtrigger.Q(new__item__isnull=False),
                found=_ITEM_IS_OPEN,
            ),
            require(
                "hidden_answer_is_labelled_by_admins",
                when=pgtrigger.Q(new__item__isnull=False),
                found=_HIDDEN_IS_FOR_ADMINS,
            ),
            require(
                "adjudicated_label_is_not_taken_back",
                when=pgtrigger.Q(new__taken_back_at__isnull=False),
                found="""
                    SELECT WHERE NOT EXISTS (
                        SELECT FROM grading_auditadjudication WHERE item_id = NEW.item_id
                    )
                """,
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
            pgtrigger.Protect(
                name="adjudication_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require(
                "adjudication_is_of_an_open_sample",
                when=pgtrigger.Q(new__item__isnull=False),
                found=_ITEM_IS_OPEN,
            ),
            require(
                "hidden_answer_is_adjudicated_by_admins",
                when=pgtrigger.Q(new__item__isnull=False),
                found=_HIDDEN_IS_FOR_ADMINS,
            ),
            require(
                "adjudicator_gave_no_label",
                when=pgtrigger.Q(new__item__isnull=False),
                found="""
                    SELECT WHERE NOT EXISTS (
                        SELECT FROM grading_auditlabel
                        WHERE item_id = NEW.item_id AND person_id = NEW.person_id
                    )
                """,
            ),
            require(
                "adjudicated_labels_differ",
                when=pgtrigger.Q(new__item__isnull=False),
                found=f"""
                    SELECT FROM grading_auditlabel
                    WHERE item_id = NEW.item_id AND taken_back_at IS NULL
                    HAVING count(*) = {LABELS} AND min(choice) <> max(choice)
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice} on {self.item}, adjudicated by {self.person}"
