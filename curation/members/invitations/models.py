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
        """Leave out those that were accepted or withdrawn."""
        return self.filter(accepted_at=None, withdrawn_at=None)

    def open(self) -> Self:
        """Keep those whose link can be used today."""
        return self.standing().filter(expires_at__gt=timezone.now())

    def expired(self) -> Self:
        return self.standing().filter(expires_at__lte=timezone.now())

    def to_send(self) -> Self:
        return self.standing().filter(sent_at=None, failed_at=None)

    def failed(self) -> Self:
        return self.standing().filter(failed_at__isnull=False)

    def sendable_again(self) -> Self:
        """Keep those whose last e-mail did not go out, or was asked for a while ago."""
        since = timezone.now() - UNTIL_SENT_AGAIN
        return self.standing().filter(Q(failed_at__isnull=False) | Q(queued_at__lte=since))


class Invitation(Leased):
    """One address that an admin invited: an e-mail with a link, which works once."""

    email = models.EmailField(_("e-mail address"))
    name = models.CharField(max_length=60, blank=True, help_text=_("As the list had it."))
    roles: "ArrayField[list[str], list[str]]" = ArrayField(
        models.CharField(max_length=20, choices=Role)
    )
    language = models.CharField(max_length=10, choices=settings.LANGUAGES)
    benchmark = models.ForeignKey(
        Benchmark,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Where it leads to; roles are of the whole site."),
    )
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    invited_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True, editable=False)
    failed_at = models.DateTimeField(null=True, blank=True, editable=False)
    failure = models.TextField(blank=True, help_text=_("Why the last try failed."))
    accepted_at = models.DateTimeField(null=True, blank=True, editable=False)
    accepted_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="invitations"
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
                condition=Q(sent_at=None, failed_at=None, accepted_at=None, withdrawn_at=None),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                condition=Q(accepted_at=None, withdrawn_at=None),
                name="one_standing_invitation_an_address",
            ),
            models.CheckConstraint(
                name="invited_with_roles_that_are_given_so",
                condition=Q(roles__contained_by=[*ASKED_FOR]) & ~Q(roles=[]),
            ),
            models.CheckConstraint(
                name="invitation_is_sent_or_failed", condition=Q(sent_at=None) | Q(failed_at=None)
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
                fields=["email", "roles", "invited_by", "invited_at"],
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

    def say_roles(self) -> str:
        return gettext(", ").join(self.role_labels())

    def role_labels(self) -> list[str]:
        return [str(role.label) for role in Role if role in self.roles]


class JoinLinkQuerySet(models.QuerySet["JoinLink"]):
    def open(self) -> Self:
        """Keep those that somebody can still join by."""
        joined = models.Count("people")
        standing = self.filter(withdrawn_at=None, expires_at__gt=timezone.now())
        return standing.annotate(joined=joined).filter(joined__lt=models.F("most"))


class JoinLink(models.Model):
    """A link by which whoever has it may join with one role, so many people and days."""

    role = models.CharField(max_length=20, choices=[(role.value, role.label) for role in ASKED_FOR])
    benchmark = models.ForeignKey(
        Benchmark, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    most = models.PositiveSmallIntegerField(help_text=_("How many people may join by it."))
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    people = models.ManyToManyField(User, related_name="+", blank=True)

    objects = JoinLinkQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("link to join")
        verbose_name_plural = _("links to join")
        constraints = [
            models.CheckConstraint(
                name="join_link_gives_a_role_that_is_given_so",
                condition=Q(role__in=[*ASKED_FOR]),
            ),
            models.CheckConstraint(
                name="join_link_is_for_a_few", condition=Q(most__gte=1, most__lte=MOST_BY_LINK)
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="join_link_stays", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(
                name="join_link_stays_what_it_gives", fields=["role", "most", "made_by", "made_at"]
            ),
        ]

    def __str__(self) -> str:
        return f"link to join {self.pk}"

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()
