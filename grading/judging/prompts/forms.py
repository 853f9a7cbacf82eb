"""Bringing a prompt in a file."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.functional import lazy
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from grading.judging.engine.choices import BY_ITEM
from grading.judging.prompts.actions import LARGEST_PROMPT
from grading.judging.prompts.models import list_kinds
from grading.judging.words import name_kinds
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.kinds.kind import JudgeKind
from phybench_grader.judges.prompts import PromptLanguage

LANGUAGES = [
    (PromptLanguage.ENGLISH, _("English")),
    (PromptLanguage.GERMAN, _("German")),
    (PromptLanguage.FINNISH, _("Finnish")),
]


def say_without_reference() -> str:
    judges = name_kinds(lambda kind: not kind.needs_reference)
    return __("The %(judges)s can work without it.") % {"judges": judges}


def refuse_manner(
    kind: JudgeKind[Any], language: str, *, without_reference: bool
) -> Iterator[tuple[str, str]]:
    """Say of which fields what is wrong, where a kind of judge can't be asked so."""
    if without_reference and kind.needs_reference:
        yield "without_reference", __("This judge compares with the reference answer.")
    is_by_item = language == BY_ITEM and len(kind.languages) > 1
    if language not in kind.languages and not is_by_item:
        yield "language", __("The prompts of this judge are in English: choose English.")


class PromptForm(forms.Form):
    file = forms.FileField(label=_("File"))
    kind = forms.ChoiceField(label=_("Judge"), choices=list_kinds)
    language = forms.ChoiceField(label=_("Prompt language"), choices=LANGUAGES)
    without_reference = forms.BooleanField(
        label=_("Without the reference answer"),
        required=False,
        help_text=lazy(say_without_reference, str)(),
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if {"kind", "language"} <= cleaned.keys():
            kind, without = KINDS[cleaned["kind"]], cleaned["without_reference"]
            # No run could choose it.
            found = refuse_manner(kind, cleaned["language"], without_reference=without)
            for field, sentence in found:
                self.add_error(field, sentence)
        return cleaned

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_PROMPT:
            raise forms.ValidationError(__("This file is too large for a prompt."))
        return file
