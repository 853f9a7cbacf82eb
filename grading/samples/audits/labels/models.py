"""What people say of the answers of a sample: labels, and decisions where two differ."""

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.samples.audits.models import AuditItem, Choice
from grading.samples.labelling.models import LABELS, BlindLabel, LabelQuerySet
from grading.samples.labelling.triggers import keep_adjudications, keep_labels
from phybench.people.models import User
from phybench.work.triggers import require

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
