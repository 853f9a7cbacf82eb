"""Statements and solutions in another language than their problem's own."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Revision
from phybench.people.models import Language, User
from phybench.work.triggers import require


class TranslationQuerySet(models.QuerySet["Translation"]):
    def checked(self) -> Self:
        return self.filter(checked_at__isnull=False)


class Translation(models.Model):
    """
    A submitted revision's statement and solution in another language.

    Where there is no row it is missing. Until somebody has checked it, it is a draft; then it is
    frozen.
    """

    revision = models.ForeignKey(
        Revision, on_delete=models.PROTECT, related_name="translations", db_index=False
    )
    language = models.CharField(_("language"), max_length=10, choices=Language)
    statement = models.TextField(_("statement"), blank=True)
    solution = models.TextField(_("solution"), blank=True)
    made_for = models.ForeignKey(
        Revision,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("The earlier revision that the text was written for, if it was copied."),
    )
    translators = models.ManyToManyField(
        User,
        blank=True,
        related_name="translations",
        help_text=_("The people who wrote it for this revision."),
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    saved_at = models.DateTimeField(auto_now=True)
    checked_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="translations_checked"
    )
    checked_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = TranslationQuerySet.as_manager()

    class Meta:
        ordering = ["revision", "language"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "language"], name="one_translation_a_language"
            ),
            models.CheckConstraint(
                name="translation_language_is_known", condition=Q(language__in=Language.values)
            ),
            models.CheckConstraint(
                name="checked_translation_says_by_whom",
                condition=Q(checked_at=None, checked_by=None)
                | (Q(checked_at__isnull=False, checked_by__isnull=False) & ~Q(statement="")),
            ),
        ]
        triggers = [
            # People answer what it says.
            pgtrigger.Protect(
                name="checked_translation_is_frozen",
                operation=pgtrigger.Update | pgtrigger.Delete,
                condition=pgtrigger.Q(old__checked_at__isnull=False),
            ),
            require(
                "translation_is_made_for_its_problem",
                when=pgtrigger.Q(new__made_for__isnull=False),
                found="""
                    SELECT FROM curation_revision AS this
                    JOIN curation_revision AS earlier ON earlier.problem_id = this.problem_id
                    WHERE this.id = NEW.revision_id AND earlier.id = NEW.made_for_id
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision} in {self.language}"

    @property
    def is_checked(self) -> bool:
        return self.checked_at is not None

    @property
    def stand(self) -> str | Promise:
        return _("checked") if self.is_checked else _("draft")
