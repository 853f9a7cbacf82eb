"""What people fill in to bring problems in."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from curation.exchange.models import Import
from curation.exchange.permissions import list_purposes
from curation.exchange.terms import DEFAULTS
from curation.problems.benchmarks.models import Benchmark
from curation.problems.fields import list_choices, make_field
from curation.problems.models import Difficulty, PhysicsField
from curation.texts.schema import BY_NAME
from phybench.files.problem_files import LARGEST_FILE
from phybench.people.models import Language, User


class ImportForm(forms.Form):
    purpose = forms.ChoiceField(label=_("Contents"), widget=forms.RadioSelect)
    file = forms.FileField(
        label=_("File"),
        help_text=_("JSON, JSON lines or CSV in UTF-8, at most 5 MB and 5,000 problems."),
        widget=forms.ClearableFileInput(
            attrs={"accept": ".json,.jsonl,.csv,.tsv,application/json,text/csv"}
        ),
    )

    def __init__(self, *args: Any, user: User, benchmark: Benchmark) -> None:
        super().__init__(*args)
        self.benchmark = benchmark
        purposes = [(one.value, one.label) for one in list_purposes(user)]
        self.fields["purpose"].choices = purposes  # type: ignore[attr-defined]
        self.fields["purpose"].initial = purposes[0][0]
        for name in DEFAULTS:
            self.fields[name] = make_field(BY_NAME[name])
        self.fields["domain"].initial = PhysicsField.OTHER
        self.fields["difficulty"].initial = Difficulty.UNDERGRADUATE
        self.fields["domain"].required = True
        says_each = ("", _("none: each row says its own"))
        levels = [says_each, *list_choices(BY_NAME["difficulty"])]
        self.fields["difficulty"].choices = levels  # type: ignore[attr-defined]
        self.fields["language"].initial = Language.of_pages()
        if len(purposes) == 1:
            self.fields["purpose"].widget = forms.HiddenInput()

    def defaults(self) -> list[forms.BoundField]:
        """List what is said once for all rows."""
        return [self[name] for name in DEFAULTS]

    def clean_language(self) -> str:
        return self.cleaned_data["language"] or Language.of_pages().value

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(
                __("This file is larger than %(size)d MB. Split it into smaller ones.")
                % {"size": LARGEST_FILE // 1024**2}
            )
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        is_published = cleaned.get("purpose") == Import.Purpose.PUBLISHED
        if is_published and self.benchmark.is_demo:
            self.add_error(
                None,
                __(
                    "“%(name)s” is for the demo’s problems only. Create another benchmark "
                    "first, under Benchmarks."
                )
                % {"name": self.benchmark},
            )
        return cleaned


class MissingForm(forms.Form):
    """What rows of a file do not say, asked once for all of them."""

    def __init__(self, missing: Iterable[str], data: Any = None) -> None:
        super().__init__(data)
        for name in missing:
            self.fields[name] = make_field(BY_NAME[name])
            self.fields[name].required = True
