"""Who was shown which part of a revision, when and why."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Problem, Revision
from phybench.people.models import User


class ExposureQuerySet(models.QuerySet["Exposure"]):
    def of_key(self) -> Self:
        """Keep what lets somebody read the key: they were shown it."""
        return self.filter(part__in=Exposure.KEY)

    def telling_key(self) -> Self:
        """Keep what lets somebody know the key: also to whom a verdict was told."""
        return self.filter(part__in=Exposure.TELLING)


class Exposure(models.Model):
    """A person was shown one part of a submitted revision; written where it is shown."""

    class Part(models.TextChoices):
        STATEMENT = "STATEMENT", _("statement")
        ANSWER = "ANSWER", _("answer")
        SOLUTION = "SOLUTION", _("solution")
        VERDICT = "VERDICT", _("verdict")
        """That an answer is right, or how near it is: by answers enough the key is found."""

    class Reason(models.TextChoices):
        READ = "READ", _("read the problem")
        COMPARE = "COMPARE", _("compared texts")
        EDIT = "EDIT", _("wrote the next revision")
        TRANSLATE = "TRANSLATE", _("translated it, or checked that")
        REVIEW = "REVIEW", _("reviewed it")
        SOLVE = "SOLVE", _("solved it blind")
        ANSWER = "ANSWER", _("answered it")
        SIT = "SIT", _("answered it in a study")
        GRADE = "GRADE", _("read the grade of an answer")
        TRIAL = "TRIAL", _("read models’ answers to it")
        DOUBT = "DOUBT", _("looked at a doubtful reference answer")
        ADJUDICATE = "ADJUDICATE", _("looked at a split between its reviews")
        RULE = "RULE", _("ruled on an answer, or read what a judge said of one")
        AUDIT = "AUDIT", _("labelled answers of a check sample, or read its results")
        FIRST_ERROR = "FIRST_ERROR", _("labelled first errors, or read the results")
        REPORT = "REPORT", _("reported an error, or read of one")
        EXPORT = "EXPORT", _("exported it as a file")
        BACK_OFFICE = "BACK_OFFICE", _("looked at it in the back office")

    KEY = (Part.ANSWER, Part.SOLUTION)
    TELLING = (*KEY, Part.VERDICT)

    revision = models.ForeignKey(
        Revision, on_delete=models.PROTECT, related_name="exposures", db_index=False
    )
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="exposures")
    part = models.CharField(max_length=10, choices=Part)
    reason = models.CharField(max_length=20, choices=Reason)
    at = models.DateTimeField(default=timezone.now, editable=False)
    slot = models.DateTimeField(
        editable=False, help_text=_("Start of the ten minutes in which it happened.")
    )

    objects = ExposureQuerySet.as_manager()

    class Meta:
        ordering = ["at", "pk"]
        indexes = [
            # Asked before every blind solve and every answer.
            models.Index(
                fields=["person", "revision"],
                name="keys_seen",
                condition=Q(part__in=["ANSWER", "SOLUTION", "VERDICT"]),
            ),
            models.Index(fields=["-at", "-id"], name="exposures_newest"),
        ]
        constraints = [
            # Also by this index it is asked what is there already, before anything is written.
            models.UniqueConstraint(
                fields=["revision", "person", "part", "reason", "slot"],
                name="one_exposure_a_slot",
            ),
            models.CheckConstraint(
                name="exposure_part_is_known",
                condition=Q(part__in=["STATEMENT", "ANSWER", "SOLUTION", "VERDICT"]),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="exposure_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.person} saw the {self.part.lower()} of {self.revision}"


def has_seen_key(person: User, problem: Problem) -> bool:
    """Whether somebody was shown answer or solution of any revision of this problem."""
    return Exposure.objects.of_key().filter(person=person, revision__problem=problem).exists()


def could_know_key(person: User, problem: Problem) -> bool:
    """Whether somebody was shown what tells the key of any revision of this problem."""
    return _find_telling(person, problem).exists()


def find_key_exposure(person: User, problem: Problem) -> Exposure | None:
    """Return when and why somebody was first shown what tells the key of any revision."""
    return _find_telling(person, problem).first()


def _find_telling(person: User, problem: Problem) -> ExposureQuerySet:
    return Exposure.objects.telling_key().filter(person=person, revision__problem=problem)
