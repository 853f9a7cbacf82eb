"""What people fill in to bring problems in."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from curation.exchange.models import Import
from curation.exchange.permissions import list_benchmarks_to_fill, list_purposes
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Difficulty, PhysicsField
from phybench.files.problem_files import LARGEST_FILE
from phybench.people.models import User


class ImportForm(forms.Form):
    purpose = forms.ChoiceField(label=_("Contents"), widget=forms.RadioSelect)
    benchmark = forms.ModelChoiceField(
        label=_("Benchmark"),
        queryset=Benchmark.objects.all(),
        empty_label=None,
        help_text=_("New problems go here."),
    )
    file = forms.FileField(
        label=_("File"),
        help_text=_("JSON, JSON lines or CSV in UTF-8, at most 5 MB and 5,000 problems."),
        widget=forms.ClearableFileInput(
            attrs={"accept": ".json,.jsonl,.csv,.tsv,application/json,text/csv"}
        ),
    )
    domain = forms.ChoiceField(
        label=_("Domain, where a row gives none"),
        choices=PhysicsField.choices,
        initial=PhysicsField.OTHER,
    )
    difficulty = forms.ChoiceField(
        label=_("Difficulty, where a row gives none"),
        choices=[("", _("none: such drafts are refused")), *Difficulty.choices],
        initial=Difficulty.UNDERGRADUATE,
        required=False,
        help_text=_("For the whole file. The preview says for which rows it was filled in."),
    )
    takes_broken = forms.BooleanField(
        label=_("Also import drafts that break rules"),
        required=False,
        initial=True,
        help_text=_(
            "You can fix them in the editor; until then they can’t be submitted. "
            "Published problems are always imported, with a flag for each broken rule."
        ),
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        purposes = [(one.value, one.label) for one in list_purposes(user)]
        self.fields["purpose"].choices = purposes  # type: ignore[attr-defined]
        self.fields["purpose"].initial = purposes[0][0]
        self.fields["benchmark"].queryset = list_benchmarks_to_fill(user)  # type: ignore[attr-defined]
        if len(purposes) == 1:
            self.fields["purpose"].widget = forms.HiddenInput()

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
        benchmark = cleaned.get("benchmark")
        is_published = cleaned.get("purpose") == Import.Purpose.PUBLISHED
        if is_published and benchmark and benchmark.is_demo:
            self.add_error(
                "benchmark",
                __(
                    "“%(name)s” is for the demo’s problems only. Create another benchmark "
                    "first, under Benchmarks."
                )
                % {"name": benchmark},
            )
        return cleaned
