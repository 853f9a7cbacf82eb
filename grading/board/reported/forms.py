"""What is filled in of a score that was reported elsewhere; a row of a file is read by the same."""

from typing import Any

from django import forms
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from grading.board.reported.models import ReportedScore
from phybench.people.forms import UncutField

FIELDS = (
    *("solver", "kind", "item_set", "n", "accuracy", "accuracy_pm", "eed", "eed_pm", "pm_is"),
    *("citation", "url", "reported_on", "note"),
)
"""Of a row, as a file names its columns."""
LONGEST_TEXT = 400_000


class ScoreForm(forms.ModelForm):
    """One row, without its benchmark."""

    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=ReportedScore.Kind,
        required=False,
        initial=ReportedScore.Kind.MODEL,
    )

    class Meta:
        model = ReportedScore
        fields = FIELDS

    def clean_kind(self) -> str:
        return self.cleaned_data["kind"] or ReportedScore.Kind.MODEL

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        given = self.cleaned_data
        # What could not be read has its own message.
        if {"accuracy", "eed"} & self.errors.keys():
            return cleaned
        if given.get("accuracy") is None and given.get("eed") is None:
            self.add_error("accuracy", __("Give an accuracy, an EED, or both."))
        for name in ("accuracy", "eed"):
            if given.get(f"{name}_pm") is not None and given.get(name) is None:
                self.add_error(f"{name}_pm", __("There is no figure for this ±."))
        self._check_spread()
        return cleaned

    def _check_spread(self) -> None:
        if {"accuracy_pm", "eed_pm", "pm_is"} & self.errors.keys():
            return
        given = self.cleaned_data
        has_spread = any(given.get(name) is not None for name in ("accuracy_pm", "eed_pm"))
        if has_spread and not given.get("pm_is"):
            self.add_error(
                "pm_is", __("Say what the ± is. Write UNSAID if the source doesn’t say.")
            )
        elif given.get("pm_is") and not has_spread:
            self.add_error("pm_is", __("There is no ± to describe."))


class OneScoreForm(ScoreForm):
    benchmark = forms.ModelChoiceField(
        label=_("Benchmark"), queryset=Benchmark.objects.order_by("name"), empty_label=None
    )
    field_order = ["benchmark", *FIELDS]

    class Meta(ScoreForm.Meta):
        widgets = {"reported_on": forms.DateInput({"type": "date"})}


class ManyScoresForm(forms.Form):
    """Rows as CSV: a file is put into the text field, where they can be mended."""

    benchmark = forms.ModelChoiceField(
        label=_("Benchmark"), queryset=Benchmark.objects.order_by("name"), empty_label=None
    )
    file = forms.FileField(
        label=_("File"),
        required=False,
        help_text=_("CSV in UTF-8, at most 500 rows. It replaces the field below."),
        widget=forms.FileInput({"accept": ".csv,text/csv"}),
    )
    text = UncutField(
        label=_("Rows as CSV"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"rows": 10, "class": "code", "spellcheck": "false"}),
        help_text=_("The first line names the columns."),
    )
    looked_at = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file and file.size > LONGEST_TEXT:
            raise forms.ValidationError(__("This file is larger than 400 kB."))
        return file


class WithdrawForm(forms.Form):
    why_withdrawn = UncutField(
        label=_("Reason for withdrawing"),
        max_length=500,
        widget=forms.Textarea({"rows": 2}),
    )
