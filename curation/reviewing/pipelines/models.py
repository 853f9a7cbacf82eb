"""
What review a benchmark asks for: pipelines, their stages, and the questions of each.

A stage is what admins change; a version of it is what rounds go by, and never changes.
"""

from typing import Any

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.texts.prospects import Demand
from curation.texts.review_kinds import QuestionKind
from curation.texts.stage_texts import say
from curation.texts.workflow import Rule


class Pipeline(models.Model):
    """The stages of review that a problem has to pass, in order."""

    name = models.CharField(_("name"), max_length=80, unique=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return say(self.name)


class ReviewSettings(models.Model):
    """How the problems of a benchmark are reviewed."""

    benchmark = models.OneToOneField(
        Benchmark, on_delete=models.CASCADE, related_name="review_settings"
    )
    pipeline = models.ForeignKey(
        Pipeline,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        verbose_name=_("review plan"),
        related_name="uses",
        help_text=_("The stages of review; empty: to be chosen at the first submission."),
    )
    institutions_conflict = models.BooleanField(
        _("people of one institution must not review each other’s problems"),
        default=False,
        help_text=_(
            "Reviewers and deciding admins then have a conflict of interest with each author "
            "and co-author of their institution. The institutions of the last two years count."
        ),
    )

    class Meta:
        ordering = ["pk"]
        verbose_name = _("review of a benchmark")
        verbose_name_plural = _("review of benchmarks")

    def __str__(self) -> str:
        return f"Review of {self.benchmark}"


class Reveal(models.TextChoices):
    """From when on reviewers of a round may read what the others said in it."""

    AFTER_OWN = "AFTER_OWN", _("after one’s own review")
    AFTER_ROUND = "AFTER_ROUND", _("once the stage is closed")


class StageTerms(models.Model):
    """What a stage asks for."""

    name = models.CharField(_("name"), max_length=60)
    instructions = models.TextField(
        _("instructions"), blank=True, help_text=_("What reviewers should check. Markdown.")
    )
    rule = models.CharField(_("rule"), max_length=20, choices=Rule, default=Rule.UNANIMOUS)
    solves_needed = models.PositiveSmallIntegerField(
        _("agreeing solves needed"),
        default=0,
        help_text=_(
            "Only for the rule that counts blind solves: how many must agree. Otherwise 0."
        ),
    )
    is_blind = models.BooleanField(
        _("blind"),
        default=False,
        help_text=_("Reviewers solve it first, and only then see answer and solution."),
    )
    shows_key = models.BooleanField(
        _("shows answer and solution"),
        default=True,
        help_text=_(
            "If not, reviewers see the statement alone, and can still solve the problem blind "
            "in a later stage."
        ),
    )
    shows_answers = models.BooleanField(
        _("shows models’ answers"),
        default=False,
        help_text=_("Beside the reference answer, to help spot ambiguity."),
    )
    is_open_to_all = models.BooleanField(
        _("open to all reviewers"),
        default=True,
        help_text=_("Any reviewer may take it. If not, only reviewers who are asked."),
    )
    reveals_others = models.CharField(
        _("others’ reviews are shown"), max_length=20, choices=Reveal, default=Reveal.AFTER_ROUND
    )

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                name="%(class)s_solves_are_counted_where_they_are_made",
                condition=Q(rule=Rule.BLIND_SOLVES, is_blind=True, solves_needed__gte=1)
                | (~Q(rule=Rule.BLIND_SOLVES) & Q(solves_needed=0)),
                violation_error_message=_(
                    "A rule that counts blind solves needs a blind stage and at least one agreeing "
                    "solve. With another rule, enter 0."
                ),
            ),
            models.CheckConstraint(
                name="%(class)s_shows_the_key_where_it_is_needed",
                condition=Q(shows_key=True) | Q(is_blind=False, shows_answers=False),
                violation_error_message=_(
                    "A blind stage, and one that shows models’ answers, shows answer and solution "
                    "as well."
                ),
            ),
        ]

    def describe(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in StageTerms._meta.fields}

    @property
    def title(self) -> str:
        return say(self.name)

    @property
    def guidance(self) -> str:
        return say(self.instructions)


class Stage(StageTerms):
    """One stage of a pipeline."""

    pipeline = models.ForeignKey(
        Pipeline, on_delete=models.CASCADE, related_name="stages", db_index=False
    )
    place = models.PositiveSmallIntegerField(_("place"), help_text=_("1 comes first."))
    reviews_needed = models.PositiveSmallIntegerField(
        _("reviews needed"),
        null=True,
        blank=True,
        help_text=_("Leave empty to use the setting REVIEWS_PER_ROUND."),
    )
    due_days = models.PositiveSmallIntegerField(_("due after days"), null=True, blank=True)
    asks_again = models.BooleanField(
        _("asks again"),
        default=True,
        help_text=_("A new revision must pass this stage again, even if an earlier one passed it."),
    )

    class Meta(StageTerms.Meta):
        ordering = ["pipeline", "place"]
        constraints = [
            *StageTerms.Meta.constraints,
            models.UniqueConstraint(fields=["pipeline", "place"], name="one_stage_a_place"),
            models.CheckConstraint(
                name="stage_needs_a_review",
                condition=Q(reviews_needed=None) | Q(reviews_needed__gte=1),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pipeline}, {self.place}: {self.title}"

    def count_needed(self) -> int:
        return self.reviews_needed or max(1, settings.REVIEWS_PER_ROUND)

    @property
    def demand(self) -> Demand:
        """Return how many people it takes from its beginning."""
        people = max(self.count_needed(), self.solves_needed)
        return Demand(people, is_blind=self.is_blind, shows_key=self.shows_key)

    def freeze(self) -> "StageVersion":
        """Return the version as which it stands now, made where it is new; the caller holds it."""
        newest = self.versions.order_by("number").last()
        questions = [one.describe(str(one.pk)) for one in self.questions.order_by("place")]
        if newest and newest.describe() == self.describe():
            asked = [one.describe(one.key) for one in newest.questions.order_by("place")]
            if asked == questions:
                return newest
        number = newest.number + 1 if newest else 1
        version = self.versions.create(number=number, **self.describe())
        VersionQuestion.objects.bulk_create(
            VersionQuestion(version=version, place=place, **question)
            for place, question in enumerate(questions, start=1)
        )
        return version


class QuestionTerms(models.Model):
    """What reviewers are asked in a stage, beside their recommendation."""

    place = models.PositiveSmallIntegerField(_("place"), help_text=_("1 comes first."))
    text = models.CharField(_("text"), max_length=200)
    kind = models.CharField(
        _("kind"), max_length=10, choices=QuestionKind, default=QuestionKind.YES_NO
    )
    is_required = models.BooleanField(_("required"), default=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return say(self.text)

    def describe(self, key: str) -> dict[str, Any]:
        return {"key": key, "text": self.text, "kind": self.kind, "is_required": self.is_required}


class Question(QuestionTerms):
    """A question of a stage as it is now."""

    stage = models.ForeignKey(
        Stage, on_delete=models.CASCADE, related_name="questions", db_index=False
    )

    class Meta:
        ordering = ["stage", "place"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "place"], name="one_question_a_place"),
        ]


class StageVersion(StageTerms):
    """What a stage asked for when a round of it opened: rounds go by this, and it stays."""

    stage = models.ForeignKey(
        Stage, on_delete=models.PROTECT, related_name="versions", db_index=False
    )
    number = models.PositiveIntegerField(help_text=_("From 1, for each stage."))

    class Meta(StageTerms.Meta):
        ordering = ["stage", "number"]
        constraints = [
            *StageTerms.Meta.constraints,
            models.UniqueConstraint(fields=["stage", "number"], name="one_version_a_number"),
        ]
        triggers = [
            pgtrigger.Protect(
                name="stage_version_is_frozen", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.stage}, version {self.number}"


class VersionQuestion(QuestionTerms):
    """A question of a version of a stage; answers in reviews name it by its key."""

    version = models.ForeignKey(
        StageVersion, on_delete=models.PROTECT, related_name="questions", db_index=False
    )
    key = models.CharField(max_length=20, help_text=_("The same in each version of the stage."))

    class Meta:
        ordering = ["version", "place"]
        constraints = [
            models.UniqueConstraint(
                fields=["version", "place"], name="one_version_question_a_place"
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="version_question_is_frozen", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            pgtrigger.Trigger(
                name="no_question_is_added_to_a_version_in_use",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (SELECT FROM curation_reviewround WHERE version_id = NEW.version_id)
                    THEN RAISE EXCEPTION 'pgtrigger: a round goes by this version already';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
