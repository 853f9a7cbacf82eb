"""Tokens: what programs show in place of a password, each one person's and for some things only."""

from typing import Self

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Scope(models.TextChoices):
    """What a token is for; its person may do more, and never less."""

    READ = "read", _("read problems, submissions, results and boards")
    SUBMIT = "submit", _("upload answers and have them graded")
    PUBLISH = "publish", _("publish and withdraw submissions")


class TokenQuerySet(models.QuerySet["Token"]):
    def usable(self) -> Self:
        """Keep those that open anything today."""
        return self.filter(revoked_at=None, expires_at__gt=timezone.now(), person__is_active=True)


class Token(models.Model):
    """A secret of which only a hash is kept: who loses it makes another."""

    person = models.ForeignKey("phybench.User", on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(
        _("name"),
        max_length=60,
        help_text=_("The program that uses it, so that you recognise it later."),
    )
    scopes: "ArrayField[list[str], list[str]]" = ArrayField(
        models.CharField(max_length=10, choices=Scope), verbose_name=_("permissions")
    )
    beginning = models.CharField(
        _("begins with"), max_length=12, help_text=_("The name its owner gave it.")
    )
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField(_("made"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("expires"))
    last_used_on = models.DateField(_("last used"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    objects = TokenQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        constraints = [
            models.CheckConstraint(
                name="scopes_are_known",
                condition=Q(scopes__contained_by=Scope.values) & ~Q(scopes=[]),
            ),
            models.CheckConstraint(
                name="token_expires_after_it_is_made", condition=Q(expires_at__gt=F("made_at"))
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="token_stays_what_it_was_made",
                fields=["person", "scopes", "sha256", "beginning", "made_at", "expires_at"],
            ),
            pgtrigger.Protect(
                name="token_is_revoked_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__revoked_at__isnull=False)
                & pgtrigger.Q(old__revoked_at__df=pgtrigger.F("new__revoked_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.beginning}…)"

    @property
    def is_usable(self) -> bool:
        return self.revoked_at is None and self.expires_at > timezone.now()

    def scope_labels(self) -> list[str]:
        return [str(one.label) for one in Scope if one in self.scopes]
