"""What the rows of every such sample have; each room adds what its people are asked."""

from typing import TYPE_CHECKING, Self, TypeVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from phybench.people.models import User

LABELS = 2
"""How many people label each answer."""

AnySample = TypeVar("AnySample", bound="LabelledSample")
AnyItem = TypeVar("AnyItem", bound="LabelledItem")
AnyLabel = TypeVar("AnyLabel", bound="BlindLabel")


class SampleQuerySet(models.QuerySet[AnySample]):
    def open(self) -> Self:
        return self.filter(completed_at=None, ended_at=None)

    def complete(self) -> Self:
        return self.filter(completed_at__isnull=False)


class LabelledSample(models.Model):
    """
    Answers that were drawn at random.

    It is open until all are labelled and settled, or an admin ends it with a reason. It is never
    deleted: else one could draw until a sample pleases.
    """

    class State(models.TextChoices):
        OPEN = "OPEN", _("being labelled")
        COMPLETE = "COMPLETE", _("complete")
        ENDED = "ENDED", _("ended early")

    seed = models.BigIntegerField(
        editable=False, help_text=_("With it the same answers are drawn again.")
    )
    why = models.CharField(max_length=300, blank=True, help_text=_("Why it was drawn."))
    drawn_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    drawn_at = models.DateTimeField(default=timezone.now, editable=False)
    completed_at = models.DateTimeField(null=True, blank=True, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    ended_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    why_ended = models.CharField(max_length=300, blank=True)

    class Meta:
        abstract = True

    @property
    def state(self) -> State:
        if self.completed_at is not None:
            return self.State.COMPLETE
        return self.State.OPEN if self.ended_at is None else self.State.ENDED

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN


class ItemQuerySet(models.QuerySet[AnyItem]):
    def settled(self) -> Self:
        return self.exclude(outcome="")

    def unsettled(self) -> Self:
        return self.filter(outcome="")

    def with_standing(self) -> Self:
        """Add how many labels stand, and how many different ones."""
        stands = Q(labels__taken_back_at=None)
        return self.annotate(
            given=models.Count("labels", filter=stands),
            kinds=models.Count("labels__choice", filter=stands, distinct=True),
        )

    def lacking_a_label(self) -> Self:
        return self.unsettled().with_standing().filter(given__lt=LABELS)

    def differing(self) -> Self:
        """Keep those that two people labelled differently, and that nobody has settled."""
        return self.unsettled().with_standing().filter(given=LABELS, kinds__gt=1)


class LabelledItem(models.Model):
    """One answer of a sample, at its place in a random order; `outcome` is "" until it settles."""

    place = models.PositiveIntegerField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"Answer {self.place}"


class LabelQuerySet(models.QuerySet[AnyLabel]):
    def standing(self) -> Self:
        """Leave out those that were taken back."""
        return self.filter(taken_back_at=None)


class BlindLabel(models.Model):
    """What one person says of an answer, blind to what others say."""

    number = models.PositiveSmallIntegerField(help_text=_("Of the two that an answer gets."))
    given_at = models.DateTimeField(default=timezone.now, editable=False)
    taken_back_at = models.DateTimeField(null=True, blank=True, editable=False)

    if TYPE_CHECKING:
        person_id: int
        item_id: int

    class Meta:
        abstract = True

    @property
    def said(self) -> str:
        """What two labels agree or differ in; each room has its choices."""
        return str(getattr(self, "choice"))  # noqa: B009  (of the room's own rows)


class AskedLabeller(models.Model):
    """Somebody whom an admin asked to label a sample; admins may without being asked."""

    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    taken_off_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True
