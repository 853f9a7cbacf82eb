"""What people ask to be, and what was changed about a person: roles, institution, sign-in."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Self

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.problems.benchmarks.models import Benchmark
from curation.problems.people.models import Credit
from phybench.people.models import Role, User

ASKED_FOR = [role for role in Role if role != Role.ADMIN]
"""Roles that people ask for, and are invited with: an admin makes another by name."""
UNTIL_ASKED_AGAIN = timedelta(days=7)
"""How long after it was declined somebody may ask for the same again."""
ROLES_ASKED_FOR = [(role.value, role.label) for role in ASKED_FOR]


class RequestQuerySet(models.QuerySet["Request"]):
    def open(self) -> Self:
        return self.filter(outcome="")

    def waiting(self) -> Self:
        """
        Keep those that an admin is to decide.

        Their people may sign in, and what they accepted was not withdrawn since.
        """
        return self.open().filter(person__is_active=True, credit__removed_at=None)


class Request(models.Model):
    """
    One person asks for a role, or for an institution or a credit that touches what is under review.

    An admin decides it once; the row stays as it was decided.
    """

    class Outcome(models.TextChoices):
        GRANTED = "GRANTED", _("granted")
        DECLINED = "DECLINED", _("declined")
        TAKEN_BACK = "TAKEN_BACK", pgettext_lazy("request", "withdrawn")

    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="requests")
    role = models.CharField(max_length=20, choices=ROLES_ASKED_FOR, blank=True)
    institution = models.CharField(
        max_length=120, blank=True, help_text=_("Where the person says they work.")
    )
    credit = models.ForeignKey(
        Credit,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="requests",
        help_text=_("What the person accepted, where that waits for an admin."),
    )
    benchmark = models.ForeignKey(
        Benchmark,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Where the person wants to work; roles are of the whole site."),
    )
    note = models.CharField(
        _("why"), max_length=500, blank=True, help_text=_("What the person says about it.")
    )
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    outcome = models.CharField(max_length=20, choices=Outcome, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True, editable=False)
    decided_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.CharField(_("reason"), max_length=500, blank=True)

    objects = RequestQuerySet.as_manager()

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("request")
        verbose_name_plural = _("requests")
        constraints = [
            models.UniqueConstraint(
                fields=["person", "role"],
                condition=Q(outcome="") & ~Q(role=""),
                name="one_open_request_a_person_and_role",
            ),
            models.UniqueConstraint(
                fields=["person"],
                condition=Q(outcome="") & ~Q(institution=""),
                name="one_open_request_for_an_institution",
            ),
            models.UniqueConstraint(
                fields=["credit"], condition=Q(outcome=""), name="one_open_request_a_credit"
            ),
            models.CheckConstraint(
                name="request_is_for_a_role_an_institution_or_a_credit",
                condition=Q(role__in=[*ASKED_FOR], institution="", credit=None)
                | (Q(role="", credit=None) & ~Q(institution=""))
                | Q(role="", institution="", credit__isnull=False),
            ),
            models.CheckConstraint(
                name="decided_request_says_how",
                condition=Q(outcome="", decided_at=None, decided_by=None, reason="")
                | (
                    Q(outcome="DECLINED", decided_at__isnull=False, decided_by__isnull=False)
                    & ~Q(reason="")
                )
                | Q(
                    outcome__in=["GRANTED", "TAKEN_BACK"],
                    decided_at__isnull=False,
                    decided_by__isnull=False,
                    reason="",
                ),
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="request_stays", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="decided_request_is_frozen",
                operation=pgtrigger.Update,
                condition=~pgtrigger.Q(old__outcome=""),
            ),
            pgtrigger.ReadOnly(
                name="request_stays_what_was_asked",
                fields=[
                    *("person", "role", "institution", "credit", "benchmark", "note", "asked_at")
                ],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} asks for {self.role or self.institution or 'a credit'}"

    @property
    def is_long_ago(self) -> bool:
        """Whether the same may be asked for again, where it was declined."""
        return bool(self.decided_at and self.decided_at <= timezone.now() - UNTIL_ASKED_AGAIN)


class PersonChange(models.Model):
    """One change of what a person may do or where they work; written once, with who did it."""

    class Kind(models.TextChoices):
        ROLES = "ROLES", _("roles changed")
        DEACTIVATED = "DEACTIVATED", _("deactivated")
        REACTIVATED = "REACTIVATED", _("activated again")
        INSTITUTION = "INSTITUTION", _("institution changed")
        CONFIRMED = "CONFIRMED", _("address confirmed")

    class How(models.TextChoices):
        BY_ADMIN = "BY_ADMIN", _("by an admin")
        ON_REQUEST = "ON_REQUEST", _("on request")
        BY_INVITATION = "BY_INVITATION", _("by an invitation")
        BY_THEMSELVES = "BY_THEMSELVES", _("by the person")

    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="changes")
    kind = models.CharField(max_length=20, choices=Kind)
    how = models.CharField(max_length=20, choices=How, default=How.BY_ADMIN)
    before: "ArrayField[list[str], list[str]]" = ArrayField(
        models.CharField(max_length=120),
        default=list,
        blank=True,
        help_text=_("The roles, or the institution, until then."),
    )
    after: "ArrayField[list[str], list[str]]" = ArrayField(
        models.CharField(max_length=120), default=list, blank=True
    )
    reason = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("Who did it; of an invitation, the admin who wrote it."),
    )
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("change of a person")
        verbose_name_plural = _("changes of people")
        constraints = [
            models.CheckConstraint(
                name="deactivating_says_why", condition=~Q(kind="DEACTIVATED", reason="")
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="person_change_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.get_kind_display()}"

    @property
    def gained(self) -> list[str]:
        """What is there since, in the words of the page."""
        return self._name(one for one in self.after if one not in self.before)

    @property
    def lost(self) -> list[str]:
        return self._name(one for one in self.before if one not in self.after)

    def _name(self, values: Iterable[str]) -> list[str]:
        if self.kind != self.Kind.ROLES:
            return list(values)
        return [str(Role(one).label) for one in values]
