"""What people fill in to bring problems in, and to take them out."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from curation import permissions
from curation.benchmarks.models import Benchmark
from curation.exchange.dataset import LICENSES
from curation.exchange.fields import EXPORTED, FIELDS, KEY_FIELDS
from curation.exchange.files import LARGEST_FILE
from curation.exchange.models import Download, Import
from curation.exchange.words import EXPORTED_WORDS
from curation.problems.models import Difficulty, PhysicsField
from phybench.models import User


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
        help_text=_("JSON, JSON lines or CSV in UTF-8, at most 20 MB and 5,000 problems."),
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
        purposes = [(one.value, one.label) for one in permissions.list_purposes(user)]
        self.fields["purpose"].choices = purposes  # type: ignore[attr-defined]
        self.fields["purpose"].initial = purposes[0][0]
        self.fields["benchmark"].queryset = permissions.list_benchmarks_to_fill(user)  # type: ignore[attr-defined]
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


def _name_field(name: str) -> SafeString:
    """Name a field as files have it, and say what is in it."""
    return format_html("<code>{}</code> {}", name, EXPORTED_WORDS[name])


class ExportForm(forms.Form):
    format = forms.ChoiceField(
        label=_("Format"),
        choices=[
            (value, label)
            for value, label in Download.Format.choices
            if value != Download.Format.DATASET
        ],
        widget=forms.RadioSelect,
    )
    columns = forms.MultipleChoiceField(
        label=_("Fields"), widget=forms.CheckboxSelectMultiple, required=False
    )
    keys = forms.MultipleChoiceField(
        label=_("Answers and solutions"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_(
            "Only for problems whose reference answer you may see; for the others these "
            "fields are left out."
        ),
    )

    def __init__(self, *args: Any, with_keys: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        choices = [(name, _name_field(name)) for name in EXPORTED]
        open_fields = [one for one in choices if one[0] not in KEY_FIELDS and one[0] != "id"]
        self.fields["format"].initial = Download.Format.JSON
        self.fields["columns"].choices = open_fields  # type: ignore[attr-defined]
        # Who takes a text out is told what was wrong with it before.
        usual = {*FIELDS, "errata"}
        self.fields["columns"].initial = [name for name, _label in open_fields if name in usual]
        if with_keys:
            keys = [one for one in choices if one[0] in KEY_FIELDS]
            self.fields["keys"].choices = keys  # type: ignore[attr-defined]
        else:
            del self.fields["keys"]

    def chosen_fields(self) -> list[str]:
        return [*self.cleaned_data["columns"], *self.cleaned_data.get("keys", [])]


class DatasetForm(forms.Form):
    license_name = forms.ChoiceField(
        label=_("Licence"),
        choices=[(name, name) for name in LICENSES],
        help_text=_("As Hugging Face names it; if “other”, name it in the card."),
    )
    language = forms.RegexField(
        r"^[a-z]{2,3}$",
        label=_("Language of the statements"),
        initial="en",
        widget=forms.TextInput({"size": 4, "autocomplete": "off"}),
        help_text=_("Its code, such as en or zh."),
    )
    with_answers = forms.BooleanField(
        label=_("With answers and solutions"),
        required=False,
        help_text=_("For yourself and for graders. Leave it off for a public copy."),
    )
