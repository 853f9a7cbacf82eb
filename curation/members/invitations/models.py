"""Who is invited, by an address or by a link for several, with which roles, and who came."""

from datetime import datetime, timedelta
from typing import Self

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.members.models import ASKED_FOR
from curation.problems.benchmarks.models import Benchmark
from phybench.people.models import Role, User
from phybench.work.models import Leased

UNTIL_SENT_AGAIN = timedelta(hours=1)
"""Between two e-mails to one address."""
MOST_BY_LINK = 100


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def standing(self) -> Self:
        """Leave out those that were used up or withdrawn."""
        return self.filter(accepted_at=None, withdrawn_at=None)

    def open(self) -> Self:
        """Keep those whose link can be used today."""
        return self.standing().filter(expires_at__gt=timezone.now())

    def addressed(self) -> Self:
        return self.exclude(email="")

    def shared(self) -> Self:
        """Keep those for several, and count who `joined`."""
        return self.filter(email="").annotate(joined=models.Count("people"))

    def to_send(self) -> Self:
        return self.standing().addressed().filter(sent_at=None, failed_at=None)

    def sendable_again(self) -> Self:
        """Keep those whose last e-mail did not go out, or was asked for a while ago."""
        since = timezone.now() - UNTIL_SENT_AGAIN
        is_due = Q(failed_at__isnull=False) | Q(queued_at__lte=since)
        return self.standing().addressed().filter(is_due)


class Invitation(Leased):
    """
    A link by which people join, with roles, until a day.

    Of one address it is sent there, and works once; with none it is for whoever has it, up to so
    many people.
    """

    email = models.EmailField(_("e-mail address"), blank=True, help_text=_("Empty: for several."))
    most = models.PositiveSmallIntegerField(
        default=1, help_text=_("How many people may join by it.")
    )
    name = models.CharField(max_length=60, blank=True, help_text=_("As the list had it."))
    roles: "ArrayField[list[str], list[str]]" = ArrayField(
        models.CharField(max_length=20, choices=Role)
    )
    language = models.CharField(max_length=10, choices=settings.LANGUAGES, blank=True)
    benchmark = models.ForeignKey(
        Benchmark,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="invitations",
        help_text=_("Where it leads to; roles are of the whole site."),
    )
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    invited_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True, editable=False)
    failed_at = models.DateTimeField(null=True, blank=True, editable=False)
    failure = models.TextField(blank=True, help_text=_("Why the last try failed."))
    people = models.ManyToManyField(User, related_name="invitations", blank=True)
    accepted_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text=_("When the last place was taken.")
    )
    accepted_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    withdrawn_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-invited_at", "-pk"]
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="invitations_not_sent",
                condition=Q(sent_at=None, failed_at=None, accepted_at=None, withdrawn_at=None)
                & ~Q(email=""),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                condition=Q(accepted_at=None, withdrawn_at=None) & ~Q(email=""),
                name="one_standing_invitation_an_address",
            ),
            models.CheckConstraint(
                name="invitation_is_for_an_address_or_a_few",
                condition=(~Q(email="") & ~Q(language="") & Q(most=1))
                | Q(email="", most__gte=1, most__lte=MOST_BY_LINK, roles__len=1),
            ),
            models.CheckConstraint(
                name="invited_with_roles_that_are_given_so",
                condition=Q(roles__contained_by=[*ASKED_FOR]) & ~Q(roles=[]),
            ),
            models.CheckConstraint(
                name="invitation_is_sent_or_failed",
                condition=Q(sent_at=None, failed_at=None)
                | (~Q(email="") & (Q(sent_at=None) | Q(failed_at=None))),
            ),
            models.CheckConstraint(
                name="accepted_invitation_says_by_whom",
                condition=Q(accepted_at=None, accepted_by=None)
                | Q(accepted_at__isnull=False, accepted_by__isnull=False, withdrawn_at=None),
            ),
            models.CheckConstraint(
                name="withdrawn_invitation_says_by_whom",
                condition=Q(withdrawn_at=None, withdrawn_by=None)
                | Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False),
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="invitation_stays", operation=pgtrigger.Delete),
            # The link stands for them: none of them may become another behind it.
            pgtrigger.ReadOnly(
                name="invitation_stays_to_whom_it_is",
                fields=["email", "most", "roles", "invited_by", "invited_at"],
            ),
            pgtrigger.Protect(
                name="ended_invitation_is_frozen",
                operation=pgtrigger.Update,
                condition=(
                    pgtrigger.Q(old__accepted_at__isnull=False)
                    | pgtrigger.Q(old__withdrawn_at__isnull=False)
                )
                # A worker that is just sending it may still write down that it did.
                & (
                    pgtrigger.Q(old__accepted_at__df=pgtrigger.F("new__accepted_at"))
                    | pgtrigger.Q(old__withdrawn_at__df=pgtrigger.F("new__withdrawn_at"))
                    | pgtrigger.Q(old__expires_at__df=pgtrigger.F("new__expires_at"))
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"invitation {self.pk}"

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()

    @property
    def waits_until(self) -> datetime | None:
        """When it can be sent again; None where that is now."""
        again_at = self.queued_at + UNTIL_SENT_AGAIN
        return again_at if self.failed_at is None and again_at > timezone.now() else None

    @property
    def needs_confirmation(self) -> bool:
        """Whether an admin names who joins: reviewers see what is secret, whoever has the link."""
        return not self.email and Role.REVIEWER in self.roles

    def say_roles(self) -> str:
        return gettext(", ").join(self.role_labels())

    def role_labels(self) -> list[str]:
        return [str(role.label) for role in Role if role in self.roles]
