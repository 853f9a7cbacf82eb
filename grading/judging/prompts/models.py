"""Prompts and configurations of judges: kept as they were, told apart by their hashes."""

from typing import TYPE_CHECKING, Any

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_lazy as _

from grading.judging.prompts.titles import say_title
from phybench.people.models import User
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.kinds.kind import JudgeKind

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


def list_kinds() -> "list[tuple[str, _StrOrPromise]]":
    """List the kinds of judges by their codes, with what they are called."""
    return [(kind.code, gettext_lazy(kind.name)) for kind in KINDS.values()]


class JudgePrompt(models.Model):
    """
    A prompt's text as a file had it: ours, or one that somebody brought.

    One that was brought is used once an admin has released it: its reader is shown the reference,
    and could be asked to tell it.
    """

    name = models.CharField(max_length=100)
    version = models.CharField(max_length=40)
    sha256 = models.CharField(max_length=64)
    text = models.TextField()
    kind = models.CharField(max_length=10, choices=list_kinds)
    language = models.CharField(max_length=5)
    with_reference = models.BooleanField(default=True)
    is_built_in = models.BooleanField(default=False)
    brought_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    released_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    released_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["sha256", "kind", "language", "with_reference", "is_built_in"],
                name="one_prompt_a_text",
            ),
            models.CheckConstraint(
                name="brought_prompt_has_an_owner",
                condition=Q(is_built_in=True, brought_by=None)
                | Q(is_built_in=False, brought_by__isnull=False),
            ),
            models.CheckConstraint(
                name="prompt_is_released_by_somebody",
                condition=Q(released_at=None, released_by=None)
                | Q(released_at__isnull=False, released_by__isnull=False),
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="prompt_stays", operation=pgtrigger.Delete),
            # All that may ever change is that it is released, once.
            pgtrigger.Protect(
                name="prompt_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(
                    "name", "version", "sha256", "text", "kind", "language", "with_reference",
                    "is_built_in", "brought_by", "created_at",
                ),
            ),
            pgtrigger.Protect(
                name="prompt_is_released_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__released_at__isnull=False),
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def is_usable(self) -> bool:
        return self.is_built_in or self.released_at is not None


class JudgeConfiguration(models.Model):
    """
    All that a judgement may hang on: kind, mode, prompt, models and their parameters, versions.

    Never changed: another setting, or another version of our code, is another configuration.
    """

    kind = models.CharField(max_length=10, choices=list_kinds)
    sha256 = models.CharField(max_length=64, unique=True, help_text=_("Of all of `described`."))
    name = models.CharField(max_length=300)
    document = models.JSONField(help_text=_("As `judging.engine.configuration` reads it."))
    described = models.JSONField()
    prompt = models.ForeignKey(JudgePrompt, on_delete=models.PROTECT, related_name="configurations")
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-pk"]
        triggers = [
            pgtrigger.Protect(
                name="judge_configuration_is_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def judge_kind(self) -> JudgeKind[Any]:
        return KINDS[self.kind]

    @property
    def title(self) -> str:
        """Its name in the reader's language; `name` is for files, and never changes."""
        return say_title(self.judge_kind, self.described)

    @property
    def most_turns(self) -> int:
        """How many turns of a chat it looks at."""
        by_item = self.described.get("by_item") or {}
        most: int = self.judge_kind.most_turns if by_item.get("turns") else self.described["turns"]
        return most

    @property
    def needs_empty_answers(self) -> bool:
        """Tell whether it is to be tried with answers that hold nothing."""
        return bool(self.described["judges"]) and not self.judge_kind.compares

    @property
    def described_judges(self) -> list[dict[str, str]]:
        """Its judges in their order: name, base_url, model."""
        rows = self.described["judges"]
        return [dict(zip(("name", "base_url", "model"), row, strict=True)) for row in rows]
