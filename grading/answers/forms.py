from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Benchmark
from curation.versions.models import BenchmarkVersion
from grading.answers.files import LARGEST_FILE
from grading.solvers.models import Organisation, OrganisationQuerySet
from phybench.forms import UncutField


def list_open() -> QuerySet[Benchmark]:
    """Return the benchmarks to which answers can be handed in: those with a published version."""
    versions = BenchmarkVersion.objects.published().values("benchmark")
    return Benchmark.objects.filter(pk__in=versions)


class UploadForm(forms.Form):
    organisation = forms.ModelChoiceField(
        label=_("For"), queryset=Organisation.objects.none(), empty_label=None
    )
    benchmark = forms.ModelChoiceField(
        label=_("Benchmark"),
        queryset=Benchmark.objects.none(),
        empty_label=None,
        help_text=_("The answers are to its newest version."),
    )
    file = forms.FileField(
        label=_("Answers"),
        help_text=_("A JSON file, one or several models in it, at most 20 MB."),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
    )

    is_named = forms.BooleanField(
        label=_("Rank this submission, whatever is handed in later"),
        required=False,
        help_text=_(
            "Without this the last one that is graded is ranked. It is on the board once it is "
            "published; the one ranked before it leaves the board as soon as it is graded."
        ),
    )
    again = forms.BooleanField(label=_("Hand this file in once more"), required=False)
    """Asked where it was handed in before."""

    def __init__(self, organisations: OrganisationQuerySet, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        benchmarks = self.fields["benchmark"]
        assert isinstance(benchmarks, forms.ModelChoiceField)
        benchmarks.queryset = list_open()
        field = self.fields["organisation"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = organisations
        if len(organisations) == 1:
            field.initial, field.widget = organisations[0], forms.HiddenInput()

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(
                __("This file is larger than %(size)d MB. Hand it in in parts, by model.")
                % {"size": LARGEST_FILE // 1024**2}
            )
        return file


class AnswerForm(forms.Form):
    response = UncutField(
        label=_("Your answer"),
        max_length=4096,
        widget=forms.Textarea(
            attrs={"rows": 3, "class": "code", "spellcheck": "false", "autocomplete": "off"}
        ),
        help_text=_(
            "One expression, in LaTeX or as you would type it: <code>\\sqrt{2gh}</code> or"
            " <code>sqrt(2*g*h)</code>. Leave out the name before the equals sign."
        ),
    )
