"""What people say of a wrong answer's first error: labels, and decisions where two differ."""

from typing import Any

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.samples.first_errors.models import ERRORS, FirstErrorItem, Kind
from grading.samples.labelling.models import LABELS, BlindLabel, LabelQuerySet
from grading.samples.labelling.triggers import keep_adjudications, keep_labels
from phybench.people.models import User
from phybench.work.triggers import require

LONGEST_PASSAGE = 1_000


class Passage(models.Model):
    """The words of a response in which its first error stands."""

    choice = models.CharField(_("first error"), max_length=10, choices=Kind)
    passage = models.TextField(_("passage"), blank=True, max_length=LONGEST_PASSAGE)
    start = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Where in the response it begins, in characters.")
    )

    class Meta:
        abstract = True


def _has_a_passage() -> Q:
    """An error stands somewhere; what names none may stand nowhere."""
    named: Any = [one.value for one in ERRORS]
    return Q(~Q(passage=""), start__isnull=False) | (
        Q(passage="", start=None) & ~Q(choice__in=named)
    )


_STANDS_IN_THE_RESPONSE = """
    SELECT FROM grading_firsterroritem item
    JOIN grading_attempt attempt ON attempt.id = item.attempt_id
    WHERE item.id = NEW.item_id
        AND substr(attempt.response, NEW.start + 1, length(NEW.passage)) = NEW.passage
"""


class FirstErrorLabelQuerySet(LabelQuerySet["FirstErrorLabel"]):
    pass


class FirstErrorLabel(BlindLabel, Passage):
    """What one person says of an answer, blind to whose it is and to what others say."""

    item = models.ForeignKey(FirstErrorItem, on_delete=models.PROTECT, related_name="labels")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="first_error_labels")
    comment = models.TextField(blank=True, max_length=1000)

    objects = FirstErrorLabelQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "number"],
                condition=Q(taken_back_at=None),
                name="one_first_error_label_a_number",
            ),
            models.UniqueConstraint(
                fields=["item", "person"],
                condition=Q(taken_back_at=None),
                name="one_first_error_label_a_person",
            ),
            models.CheckConstraint(
                name="at_most_two_first_error_labels",
                condition=Q(number__gte=1, number__lte=LABELS),
            ),
            models.CheckConstraint(
                name="first_error_label_is_taken_back_later",
                condition=Q(taken_back_at=None) | Q(taken_back_at__gte=F("given_at")),
            ),
            models.CheckConstraint(name="labelled_error_has_a_passage", condition=_has_a_passage()),
        ]
        triggers = [
            *keep_labels("first_error"),
            require(
                "labelled_passage_stands_in_the_response",
                when=~pgtrigger.Q(new__passage=""),
                found=_STANDS_IN_THE_RESPONSE,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice} on {self.item} by {self.person}"


class FirstErrorAdjudication(Passage):
    """What somebody says of an answer that two others labelled differently. Never changed."""

    item = models.OneToOneField(
        FirstErrorItem, on_delete=models.PROTECT, related_name="adjudication"
    )
    person = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="first_error_adjudications"
    )
    reason = models.TextField(_("why"), max_length=2000)
    given_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="first_error_adjudication_has_a_reason", condition=~Q(reason="")
            ),
            models.CheckConstraint(
                name="adjudicated_error_has_a_passage", condition=_has_a_passage()
            ),
        ]
        triggers = [
            *keep_adjudications("first_error"),
            require(
                "adjudicated_passage_stands_in_the_response",
                when=~pgtrigger.Q(new__passage=""),
                found=_STANDS_IN_THE_RESPONSE,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice} on {self.item}, adjudicated by {self.person}"
