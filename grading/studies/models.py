"""Studies of how people do on a version, who takes part, and what was fixed beforehand."""

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING, Self

import pgtrigger
from django.db import models
from django.db.models import Count, F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from curation.versions.models import BenchmarkVersion, VersionItem
from grading.studies.reporting import Reporting
from phybench.people.models import Language, User
from phybench.work.triggers import require

Told = str | float | bool | list[object] | dict[str, object]
"""What a field says, as JSON."""


class StudyQuerySet(models.QuerySet["Study"]):
    def running(self) -> Self:
        return self.filter(opened_at__isnull=False, ended_at=None)

    def accessible(self, at: datetime | None = None) -> Self:
        """Keep those that somebody may join now; of running ones, at another time."""
        now = at or timezone.now()
        begun = Q(opens_at=None) | Q(opens_at__lte=now)
        return self.running().filter(begun, Q(closes_at=None) | Q(closes_at__gt=now))


class Study(Reporting):
    """
    Timed sessions of people on the problems of one version.

    A draft until an admin opens it; what it says is frozen when the first person starts, and each
    later change is kept as a deviation. It ends for good.
    """

    class State(models.TextChoices):
        DRAFT = "DRAFT", _("draft")
        OPEN = "OPEN", _("open")
        ENDED = "ENDED", _("ended")

    class Joining(models.TextChoices):
        LIST = "LIST", _("people on a list")
        LINK = "LINK", _("everybody with the link")
        OPEN = "OPEN", _("every participant of this site")

    class Rule(models.TextChoices):
        """
        Who is left out of a result; each result stands with and without each rule.

        The last two are in every study, whatever it says: each once it leaves somebody out.
        """

        STOPPED = "STOPPED", _("stopped before the time was up")
        SHORT = "SHORT", _("worked for fewer minutes than")
        UNOPENED = "UNOPENED", _("did not open every problem")
        NO_ANSWER = "NO_ANSWER", _("answered no problem")
        AIDS = "AIDS", _("said afterwards that they did not keep to the allowed aids")
        SHOWN = "SHOWN", _("was shown a reference answer or a verdict of their problems meanwhile")
        BY_HAND = "BY_HAND", _("left out by an admin, with a reason")

    version = models.ForeignKey(BenchmarkVersion, on_delete=models.PROTECT, related_name="studies")
    title = models.CharField(_("title"), max_length=120)
    language = models.CharField(
        _("language of the statements"), max_length=10, choices=Language, default=Language.EN
    )
    # --- What one sits
    problems = models.PositiveSmallIntegerField(_("problems in a session"), default=8)
    minutes = models.PositiveSmallIntegerField(_("minutes for a session"), default=180)
    opens_at = models.DateTimeField(_("first day"), null=True, blank=True)
    closes_at = models.DateTimeField(_("last day"), null=True, blank=True)
    joining = models.CharField(
        _("who may join"), max_length=5, choices=Joining, default=Joining.LIST
    )
    link_secret = models.CharField(max_length=40, unique=True, editable=False)
    most_people = models.PositiveIntegerField(_("maximum number of people"), default=81)
    # --- What people read and say
    consent = models.TextField(_("consent"), max_length=20_000, blank=True)
    consent_version = models.PositiveSmallIntegerField(default=1, editable=False)
    questions: "models.JSONField[list[dict[str, object]], list[dict[str, object]]]" = (
        models.JSONField(default=list, blank=True, help_text=_("About eligibility and background."))
    )
    allowed_aids = models.TextField(_("allowed aids"), max_length=2000, blank=True)
    attestation = models.TextField(
        _("what people attest"),
        max_length=2000,
        blank=True,
        help_text=_("For example: “I used no AI.”"),
    )
    pauses = models.TextField(_("rule for pauses"), max_length=2000, blank=True)
    completion_code = models.CharField(_("completion code"), max_length=60, blank=True)
    shows_results = models.BooleanField(_("people see their own results"), default=False)
    shows_keys = models.BooleanField(
        _("people see the reference answers afterwards"), default=False
    )
    shows_at_once = models.BooleanField(
        _("people see this directly after their session, before the study has ended"),
        default=False,
        help_text=_("People who have not started yet may then hear about the answers."),
    )
    # --- What is fixed beforehand
    hypothesis = models.TextField(_("hypothesis"), max_length=4000, blank=True)
    exclusions = models.TextField(_("exclusion rules"), max_length=4000, blank=True)
    rules: "models.JSONField[dict[str, int], dict[str, int]]" = models.JSONField(
        default=dict,
        blank=True,
        help_text=_(
            "Rules that leave people out, with the number of minutes where a rule has one."
        ),
    )
    analysis = models.TextField(_("analysis"), max_length=4000, blank=True)
    expected_accuracy = models.FloatField(_("expected accuracy, %"), default=60.0)
    person_correlation = models.FloatField(
        _("correlation of the answers of one person"), default=0.1
    )
    problem_correlation = models.FloatField(
        _("correlation of the answers to one problem"), default=0.2
    )
    detectable = models.FloatField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("Smallest difference that the planned study can detect, in points."),
    )
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    opened_at = models.DateTimeField(null=True, blank=True, editable=False)
    opened_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    ended_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    objects = StudyQuerySet.as_manager()

    if TYPE_CHECKING:
        version_id: int

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "studies"
        constraints = [
            models.CheckConstraint(
                name="study_has_problems_and_time",
                condition=Q(problems__gte=1, minutes__gte=1, most_people__gte=1),
            ),
            models.CheckConstraint(
                name="study_closes_after_it_opens",
                condition=Q(opens_at=None) | Q(closes_at=None) | Q(opens_at__lt=F("closes_at")),
            ),
            models.CheckConstraint(
                name="study_is_opened_by_somebody",
                condition=Q(opened_at=None, opened_by=None)
                | Q(opened_at__isnull=False, opened_by__isnull=False),
            ),
            models.CheckConstraint(
                name="study_is_ended_by_somebody_after_it_was_opened",
                condition=Q(ended_at=None, ended_by=None)
                | Q(ended_at__isnull=False, ended_by__isnull=False, opened_at__isnull=False),
            ),
            models.CheckConstraint(
                name="study_assumes_what_can_be",
                condition=Q(
                    expected_accuracy__gte=1,
                    expected_accuracy__lte=99,
                    person_correlation__gte=0,
                    problem_correlation__gte=0,
                    person_correlation__lte=1,
                    problem_correlation__lte=1,
                ),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="study_that_was_opened_stays",
                operation=pgtrigger.Delete,
                condition=pgtrigger.Q(old__opened_at__isnull=False),
            ),
            pgtrigger.Protect(
                name="study_ends_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__ended_at__isnull=False)
                & pgtrigger.Q(old__ended_at__df=pgtrigger.F("new__ended_at")),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("grading:study", args=[self.pk])

    @property
    def state(self) -> State:
        if self.opened_at is None:
            return self.State.DRAFT
        return self.State.OPEN if self.ended_at is None else self.State.ENDED

    @property
    def consent_sha256(self) -> str:
        return hashlib.sha256(self.consent.encode()).hexdigest()

    @property
    def is_frozen(self) -> bool:
        """Whether somebody has started, so that changes are deviations."""
        return hasattr(self, "preregistration")


class StudyItem(models.Model):
    """A problem of a study's pool, with its statement as people see it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="items", db_index=False)
    item = models.ForeignKey(VersionItem, on_delete=models.PROTECT, related_name="+")
    statement = models.TextField(help_text=_("Exactly as people see it."))

    class Meta:
        ordering = ["study", "item"]
        constraints = [
            models.UniqueConstraint(fields=["study", "item"], name="one_item_a_study"),
        ]
        triggers = [
            require(
                "study_item_is_public_and_of_its_version",
                when=pgtrigger.Q(new__study__isnull=False),
                found="""
                    SELECT FROM grading_study study
                    JOIN curation_versionitem item USING (version_id)
                    WHERE study.id = NEW.study_id AND item.id = NEW.item_id
                        AND NOT item.is_hidden
                """,
            ),
            pgtrigger.Trigger(
                name="pool_of_a_frozen_study_stays",
                operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (
                        SELECT FROM grading_preregistration
                        WHERE study_id IN (OLD.study_id, NEW.study_id)
                    )
                    THEN RAISE EXCEPTION 'pgtrigger: the study is frozen';
                    END IF;
                    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item.identifier} in {self.study}"

    @property
    def language(self) -> str:
        """That of the statement: the problem's own where no translation was there."""
        revision = self.item.revision
        is_own = self.statement == revision.statement
        return revision.problem.language if is_own else self.study.language


class Invitation(models.Model):
    """Somebody on the list of those who may join."""

    study = models.ForeignKey(
        Study, on_delete=models.CASCADE, related_name="invitations", db_index=False
    )
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    invited_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "person"], name="one_invitation_a_person"),
        ]

    def __str__(self) -> str:
        return f"Invitation to {self.study}"


class ParticipationQuerySet(models.QuerySet["Participation"]):
    def staying(self) -> Self:
        """Leave out who has withdrawn."""
        return self.filter(withdrawn_at=None)

    def count_flow(self) -> dict[str, int]:
        """Count how far people have come, and whom an admin has left out."""
        return self.aggregate(
            joined=Count("pk"),
            practised=Count("pk", filter=Q(practised_at__isnull=False)),
            started=Count("session"),
            finished=Count("session", filter=Q(session__ended_at__isnull=False)),
            withdrawn=Count("pk", filter=Q(withdrawn_at__isnull=False)),
            left_out=Count("exclusion"),
        )


class Participation(models.Model):
    """
    Somebody in a study, by a pseudonym that no page or file joins with their name.

    Who withdraws is forgotten: what is left is that there was somebody.
    """

    study = models.ForeignKey(
        Study, on_delete=models.PROTECT, related_name="participations", db_index=False
    )
    person = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="participations"
    )
    pseudonym = models.CharField(max_length=12)
    consent_version = models.PositiveSmallIntegerField()
    consent_sha256 = models.CharField(max_length=64, help_text=_("Of the text consented to."))
    consented_at = models.DateTimeField(default=timezone.now, editable=False)
    answers: "models.JSONField[dict[str, str], dict[str, str]]" = models.JSONField(
        default=dict, blank=True, help_text=_("To the questions of eligibility and background.")
    )
    attested_at = models.DateTimeField(null=True, blank=True, editable=False)
    practised_at = models.DateTimeField(null=True, blank=True, editable=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ParticipationQuerySet.as_manager()

    class Meta:
        ordering = ["study", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "person"], name="one_participation_a_person"),
            models.UniqueConstraint(fields=["study", "pseudonym"], name="one_pseudonym_a_study"),
            models.CheckConstraint(name="consent_is_to_a_text", condition=~Q(consent_sha256="")),
            models.CheckConstraint(
                name="who_withdrew_is_forgotten",
                condition=Q(withdrawn_at=None, person__isnull=False)
                | Q(withdrawn_at__isnull=False, person=None, answers={}),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} in {self.study}"

    def agrees_to(self, study: Study) -> bool:
        """Whether this person has consented to what the study says now, and attested it."""
        has_attested = self.attested_at is not None or not study.attestation.strip()
        return self.consent_sha256 == study.consent_sha256 and has_attested


class Preregistration(models.Model):
    """What a study said when the first person started; it never changes."""

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="preregistration")
    content: "models.JSONField[dict[str, object], dict[str, object]]" = models.JSONField()
    sha256 = models.CharField(max_length=64, help_text=_("Of the content, as it is downloaded."))
    frozen_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        triggers = [
            pgtrigger.Protect(
                name="preregistration_stays", operation=pgtrigger.Update | pgtrigger.Delete
            ),
        ]

    def __str__(self) -> str:
        return f"Preregistration of {self.study}"


class Deviation(models.Model):
    """
    One change of a study after it was frozen, with what was there before and why.

    Or of its consent before that, once somebody has consented: what they read is kept here.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="deviations")
    field = models.CharField(max_length=40)
    before: "models.JSONField[Told | None, Told | None]" = models.JSONField(null=True)
    after: "models.JSONField[Told | None, Told | None]" = models.JSONField(null=True)
    why = models.CharField(max_length=500)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(name="deviation_says_why", condition=~Q(why="")),
        ]
        triggers = [
            pgtrigger.Protect(
                name="deviation_stays", operation=pgtrigger.Update | pgtrigger.Delete
            ),
        ]

    def __str__(self) -> str:
        return f"{self.field} of {self.study}"

    @property
    def said_before(self) -> str:
        return self._say(self.before)

    @property
    def said_after(self) -> str:
        return self._say(self.after)

    def _say(self, value: "Told | None") -> str:
        """Write a value for a page: a time as people read it, a choice by its name."""
        if value is None or value == "":
            return "–"
        field = None if self.field == "late_answer" else Study._meta.get_field(self.field)
        if isinstance(field, models.DateTimeField):
            at = datetime.fromisoformat(str(value))
            return f"{date_format(at, 'DATETIME_FORMAT')} UTC"
        if isinstance(field, models.Field) and field.choices:
            return str(dict(field.flatchoices).get(value, value))
        if isinstance(value, bool):
            return str(_("yes") if value else _("no"))
        return str(value)

    @property
    def label(self) -> str:
        """What was changed, in words."""
        if self.field == "late_answer":
            return str(_("a late answer counts"))
        return str(Study._meta.get_field(self.field).verbose_name)  # type: ignore[union-attr]


class HumanBaselineQuerySet(models.QuerySet["HumanBaseline"]):
    def counting(self) -> Self:
        """Keep those that stand now: at most one of a version."""
        return self.filter(ended_at=None)


class HumanBaseline(models.Model):
    """
    A study whose people stand for people on a version, from when an admin named it.

    It ends when another study is named, or none; the row stays.
    """

    version = models.ForeignKey(
        BenchmarkVersion, on_delete=models.PROTECT, related_name="baselines"
    )
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="baselines")
    named_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    named_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = HumanBaselineQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["version"], condition=Q(ended_at=None), name="one_baseline_a_version"
            ),
            models.CheckConstraint(
                name="baseline_is_ended_by_somebody",
                condition=Q(ended_at=None, ended_by=None)
                | Q(ended_at__isnull=False, ended_by__isnull=False),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="baseline_stays_as_it_was_named",
                fields=["version", "study", "named_by", "named_at"],
            ),
            pgtrigger.Protect(name="baseline_stays", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="baseline_ends_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__ended_at__isnull=False),
            ),
            require(
                "baseline_is_an_ended_study_of_its_version",
                when=pgtrigger.Q(new__study__isnull=False),
                found="""
                    SELECT FROM grading_study study
                    WHERE study.id = NEW.study_id AND study.version_id = NEW.version_id
                        AND study.ended_at IS NOT NULL
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study} as the human baseline of {self.version}"
