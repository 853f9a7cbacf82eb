"""The session that each who takes part sits, and every change of what they wrote in it."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.answers.models import Attempt
from grading.studies.models import Participation, StudyItem
from phybench.people.models import User
from phybench.work.models import Leased
from phybench.work.triggers import require

GRACE = timedelta(seconds=5)
"""For saves that are under way at the deadline; what comes later is kept as late."""


class SessionQuerySet(models.QuerySet["Session"]):
    def going_on(self) -> Self:
        return self.filter(ended_at=None)

    def due(self) -> Self:
        """Keep those whose time is up, and that nobody has ended."""
        return self.going_on().filter(ends_at__lte=timezone.now() - GRACE)


class Session(Leased):
    """
    One sitting: its problems in their order, and a clock that the server keeps.

    A worker ends it at its deadline, whether or not a browser is there.
    """

    class Ending(models.TextChoices):
        HANDED_IN = "HANDED_IN", _("submitted in time")
        STOPPED = "STOPPED", _("stopped early")
        TIME_UP = "TIME_UP", _("time was up")

    participation = models.OneToOneField(
        Participation, on_delete=models.PROTECT, related_name="session"
    )
    seed = models.BigIntegerField(
        editable=False, help_text=_("With it the same problems come in the same order.")
    )
    started_at = models.DateTimeField(default=timezone.now, editable=False)
    ends_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    ending = models.CharField(max_length=10, choices=Ending, blank=True)
    tab = models.CharField(max_length=40, blank=True, help_text=_("The one tab that may save."))
    seen_at = models.DateTimeField(default=timezone.now, help_text=_("Last heard of its browser."))
    kept_to_aids = models.BooleanField(
        null=True, blank=True, help_text=_("What they said afterwards; empty where not asked.")
    )

    objects = SessionQuerySet.as_manager()

    if TYPE_CHECKING:
        items: models.Manager["SessionItem"]

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="sessions_not_ended",
                condition=Q(ended_at=None),
            )
        ]
        constraints = [
            models.CheckConstraint(
                name="session_ends_after_it_starts",
                condition=Q(ends_at__gt=F("started_at")),
            ),
            models.CheckConstraint(
                name="session_that_ended_says_how",
                condition=Q(ended_at=None, ending="") | (Q(ended_at__isnull=False) & ~Q(ending="")),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="session_stays_as_it_started",
                fields=["participation", "seed", "started_at"],
            ),
            pgtrigger.Protect(
                name="session_ends_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__ended_at__isnull=False)
                & (
                    pgtrigger.Q(old__ended_at__df=pgtrigger.F("new__ended_at"))
                    | pgtrigger.Q(old__ends_at__df=pgtrigger.F("new__ends_at"))
                    | pgtrigger.Q(old__ending__df=pgtrigger.F("new__ending"))
                ),
            ),
            require(
                "who_sits_a_session_is_written_down",
                when=pgtrigger.Q(new__participation__isnull=False),
                found="""
                    SELECT WHERE NOT EXISTS (
                        SELECT FROM grading_participation own
                        JOIN phybench_user person ON person.id = own.person_id
                        WHERE own.id = NEW.participation_id
                        AND person.sits_until IS DISTINCT FROM (
                            SELECT max(session.ends_at) FROM grading_session session
                            JOIN grading_participation part ON part.id = session.participation_id
                            WHERE part.person_id = person.id AND session.ended_at IS NULL
                        )
                    )
                """,
                at_commit=True,
                changed=["ends_at", "ended_at"],
            ),
        ]

    def __str__(self) -> str:
        return f"Session of {self.participation}"

    def get_absolute_url(self) -> str:
        return reverse("grading:session", args=[self.pk])

    def is_open(self, now: datetime) -> bool:
        """Whether what is saved now still counts."""
        return self.ended_at is None and now <= self.ends_at + GRACE


class SessionItem(models.Model):
    """One problem of a session, at its place, and what came of it."""

    class Outcome(models.TextChoices):
        ANSWERED = "ANSWERED", _("answered")
        EMPTY = "EMPTY", _("left empty")
        GAVE_UP = "GAVE_UP", _("gave up")
        SEEN = "SEEN", _("had seen it before")

    session = models.ForeignKey(
        Session, on_delete=models.PROTECT, related_name="items", db_index=False
    )
    place = models.PositiveSmallIntegerField()
    study_item = models.ForeignKey(StudyItem, on_delete=models.PROTECT, related_name="sat")
    opened_at = models.DateTimeField(null=True, blank=True, editable=False)
    is_marked = models.BooleanField(default=False)
    seen_before_at = models.DateTimeField(null=True, blank=True, editable=False)
    gave_up_at = models.DateTimeField(null=True, blank=True, editable=False)
    why_gave_up = models.CharField(max_length=500, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    attempt = models.OneToOneField(
        Attempt, on_delete=models.PROTECT, null=True, blank=True, related_name="sat"
    )

    if TYPE_CHECKING:
        session_id: int
        saves: models.Manager["Save"]

    class Meta:
        ordering = ["session", "place"]
        constraints = [
            models.UniqueConstraint(fields=["session", "place"], name="one_problem_a_place"),
            models.UniqueConstraint(fields=["session", "study_item"], name="one_place_a_problem"),
            models.CheckConstraint(
                name="who_gives_up_says_why",
                condition=Q(gave_up_at=None, why_gave_up="")
                | (Q(gave_up_at__isnull=False) & ~Q(why_gave_up="")),
            ),
            models.CheckConstraint(
                name="what_was_answered_is_graded",
                condition=Q(outcome="ANSWERED", attempt__isnull=False)
                | (~Q(outcome="ANSWERED") & Q(attempt=None)),
            ),
        ]
        triggers = [
            require(
                "session_item_is_of_its_study",
                when=pgtrigger.Q(new__session__isnull=False),
                found="""
                    SELECT FROM grading_session session
                    JOIN grading_participation part ON part.id = session.participation_id
                    JOIN grading_studyitem item ON item.study_id = part.study_id
                    WHERE session.id = NEW.session_id AND item.id = NEW.study_item_id
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"Problem {self.place} of {self.session}"


class SaveQuerySet(models.QuerySet["Save"]):
    def in_time(self) -> Self:
        return self.filter(is_late=False)

    def newest(self, kind: "Save.Kind") -> "Save | None":
        """Return what counts of those in time: the last that was typed, not the last to arrive."""
        return self.in_time().filter(kind=kind).order_by("-number").first()


class Save(models.Model):
    """What stood in a box at one time; nothing is ever overwritten."""

    class Kind(models.TextChoices):
        ANSWER = "ANSWER", _("answer")
        NOTES = "NOTES", _("notes")

    item = models.ForeignKey(
        SessionItem, on_delete=models.PROTECT, related_name="saves", db_index=False
    )
    number = models.PositiveIntegerField(help_text=_("In the order of typing, over all tabs."))
    kind = models.CharField(max_length=6, choices=Kind)
    text = models.TextField(blank=True)
    tab = models.CharField(max_length=40)
    arrived_at = models.DateTimeField(default=timezone.now, editable=False)
    is_late = models.BooleanField(
        default=False, help_text=_("It came after the deadline and its grace, and is not graded.")
    )

    objects = SaveQuerySet.as_manager()

    class Meta:
        ordering = ["item", "number"]
        constraints = [
            models.UniqueConstraint(fields=["item", "number"], name="one_save_a_number"),
        ]
        triggers = [
            pgtrigger.Protect(name="save_stays", operation=pgtrigger.Update),
        ]

    def __str__(self) -> str:
        return f"Save {self.number} of {self.item}"


class Trace(models.Model):
    """What a browser says of how somebody works; it never decides anything."""

    class Kind(models.TextChoices):
        SHOWN = "SHOWN", _("time on the problem")
        FOCUS = "FOCUS", _("time on it with the focus")
        AWAY = "AWAY", _("the page lost the focus")
        PASTE = "PASTE", _("something was pasted")

    item = models.ForeignKey(
        SessionItem, on_delete=models.PROTECT, related_name="traces", db_index=False
    )
    kind = models.CharField(max_length=5, choices=Kind)
    moment = models.BigIntegerField(
        help_text=_("Milliseconds on the browser’s clock: what is sent twice is kept once.")
    )
    amount = models.PositiveIntegerField(
        default=0, help_text=_("Milliseconds; of a paste, characters.")
    )
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "kind", "moment"], name="one_trace_a_moment_and_kind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.amount}"


class Extension(models.Model):
    """Minutes that an admin gave beyond the time of a study, and why."""

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="extensions")
    minutes = models.PositiveSmallIntegerField()
    why = models.CharField(max_length=500)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="extension_says_why", condition=~Q(why="") & Q(minutes__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.minutes} minutes more for {self.session}"


class Exclusion(models.Model):
    """Somebody whom an admin leaves out of the results, and why; both counts are shown."""

    participation = models.OneToOneField(
        Participation, on_delete=models.PROTECT, related_name="exclusion"
    )
    why = models.CharField(max_length=500)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(name="exclusion_says_why", condition=~Q(why="")),
        ]

    def __str__(self) -> str:
        return f"{self.participation} left out"
