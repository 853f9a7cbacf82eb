"""What review a benchmark asks for: pipelines, their stages, and the questions of each."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from curation.workflow import Rule

SCALE = range(1, 6)
"""Of a question that asks how much."""


class Pipeline(models.Model):
    """The stages of review that a problem has to pass, in order."""

    name = models.CharField(_("name"), max_length=80, unique=True)
    is_default = models.BooleanField(
        _("default"),
        default=False,
        help_text=_("For benchmarks that name no other. There is one default at most."),
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_default"],
                condition=Q(is_default=True),
                name="one_default_pipeline",
                violation_error_message=_("Another pipeline is the default: change that first."),
            )
        ]

    def __str__(self) -> str:
        return self.name


class Reveal(models.TextChoices):
    """From when on reviewers of a round may read what the others said in it."""

    AFTER_OWN = "AFTER_OWN", _("after one’s own review")
    AFTER_ROUND = "AFTER_ROUND", _("once the round is closed")


class StageTerms(models.Model):
    """What a stage asks for; each round copies it when it opens, and goes by its copy."""

    name = models.CharField(_("name"), max_length=60)
    instructions = models.TextField(
        _("instructions"), blank=True, help_text=_("What reviewers are to look at. Markdown.")
    )
    rule = models.CharField(_("rule"), max_length=20, choices=Rule, default=Rule.ANY_VETO)
    solves_needed = models.PositiveSmallIntegerField(
        _("agreeing solves needed"),
        default=0,
        help_text=_("Blind solves that must agree; for the rule “blind solves”, else 0."),
    )
    is_blind = models.BooleanField(
        _("blind"),
        default=False,
        help_text=_("Reviewers solve it first, and only then see answer and solution."),
    )
    shows_answers = models.BooleanField(
        _("shows models’ answers"),
        default=False,
        help_text=_("Beside the reference, to help spot what is ambiguous."),
    )
    is_open_to_all = models.BooleanField(
        _("open to all reviewers"),
        default=True,
        help_text=_("Any reviewer may take and review it; otherwise only who is assigned."),
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
                    "The rule “blind solves” wants a blind stage and at least one agreeing solve; "
                    "other rules count no solves."
                ),
            ),
        ]


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
        help_text=_("Empty: as many as the setting REVIEWS_PER_ROUND says."),
    )
    due_days = models.PositiveSmallIntegerField(_("due after days"), null=True, blank=True)
    asks_again = models.BooleanField(
        _("asks again"),
        default=True,
        help_text=_("A new revision needs this stage again, though an earlier one passed it."),
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
        return f"{self.pipeline}, {self.place}: {self.name}"

    def copy_terms(self) -> dict[str, Any]:
        """Return what a round that opens now goes by, whatever becomes of the stage."""
        copied = {field.name: getattr(self, field.name) for field in StageTerms._meta.fields}
        return {
            **copied,
            "reviews_needed": self.reviews_needed or max(1, settings.REVIEWS_PER_ROUND),
            "questions": [question.copy_terms() for question in self.questions.all()],
        }


class Question(models.Model):
    """What reviewers are asked in a stage, beside their recommendation."""

    class Kind(models.TextChoices):
        SCALE = "SCALE", _("1 to 5")
        YES_NO = "YES_NO", _("yes or no")

    stage = models.ForeignKey(
        Stage, on_delete=models.CASCADE, related_name="questions", db_index=False
    )
    place = models.PositiveSmallIntegerField(_("place"), help_text=_("1 comes first."))
    text = models.CharField(_("text"), max_length=200)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.YES_NO)
    is_required = models.BooleanField(_("required"), default=True)

    class Meta:
        ordering = ["stage", "place"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "place"], name="one_question_a_place"),
        ]

    def __str__(self) -> str:
        return self.text

    def copy_terms(self) -> dict[str, Any]:
        return {
            "id": str(self.pk),
            "text": self.text,
            "kind": self.kind,
            "is_required": self.is_required,
        }
