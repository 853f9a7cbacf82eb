from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.functional import lazy
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.versions.models import BenchmarkVersion
from curation.versions.summary import list_open
from grading.solvers.models import Organisation, OrganisationQuerySet
from grading.submissions.drafts.models import DraftFile
from phybench.files.answer_files.fields import NUMBER, ORDER, PLACES, STATEMENT, FieldMap
from phybench.files.answer_files.rows import LIMITS
from phybench.files.answer_files.values import LONGEST_NAME
from phybench.work.budgets import FILES, find_largest

MOST_AT_ONCE = 20
"""Files that are sent together."""
ACCEPTED = (
    ".json,.jsonl,.ndjson,.csv,.tsv,.txt,.gz,.eval,.zip,"
    "application/json,text/csv,application/gzip,application/zip"
)


class _FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One or several files."""

    widget = _FilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        given = data if isinstance(data, list | tuple) else [data]
        files: list[UploadedFile] = [super(FilesField, self).clean(one, initial) for one in given]
        if len(files) > MOST_AT_ONCE:
            raise forms.ValidationError(
                __("Send at most %(most)d files at once.") % {"most": MOST_AT_ONCE}
            )
        for file in files:
            if (file.size or 0) > LIMITS.sent:
                raise forms.ValidationError(
                    __("%(file)s is larger than %(size)s. Compress it with gzip, or split it.")
                    % {"file": file.name, "size": filesizeformat(LIMITS.sent)}
                )
        return files


def _say_what_is_taken() -> str:
    largest = find_largest(FILES)
    return __(
        "JSON, JSON lines, CSV or an Inspect log (.eval) from your evaluation harness, "
        "optionally compressed with gzip or as a zip of its folder. Several files are "
        "combined. At most %(size)s."
    ) % {"size": filesizeformat(largest)}


class FilesForm(forms.Form):
    answers = FilesField(
        label=_("Files with answers"),
        help_text=lazy(_say_what_is_taken, str)(),
        widget=_FilesInput(attrs={"accept": ACCEPTED}),
    )


class UploadForm(FilesForm):
    model_name = forms.CharField(
        label=_("Which model wrote these answers?"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=_("Only if the files don’t say so. Logs of Inspect do."),
    )
    organisation = forms.ModelChoiceField(
        label=_("Team"), queryset=Organisation.objects.none(), empty_label=None
    )
    benchmark = forms.ModelChoiceField(
        label=_("Benchmark"),
        queryset=Benchmark.objects.none(),
        empty_label=None,
    )
    field_order = ["organisation", "benchmark", "answers", "model_name"]

    def __init__(self, organisations: OrganisationQuerySet, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        benchmarks = self.fields["benchmark"]
        assert isinstance(benchmarks, forms.ModelChoiceField)
        benchmarks.queryset = open_now = list_open()
        if len(open_now) == 1:
            benchmarks.initial, benchmarks.widget = open_now[0], forms.HiddenInput()
        field = self.fields["organisation"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = organisations
        if len(organisations) < 2:
            # A first upload makes one.
            field.initial, field.widget = organisations.first(), forms.HiddenInput()
            field.required = bool(organisations)


LABELS = {
    "id": _("Id of the problem"),
    "response": _("Response"),
    "otherwise": _("Response, if that is empty"),
    "sample": _("Sample number"),
    "model": _("Model"),
    "finish_reason": _("Why the model stopped"),
    "tokens": _("Tokens written"),
    "latency": _("Seconds taken"),
}


class FieldsForm(forms.Form):
    """Which field of a file holds what."""

    id = forms.ChoiceField(required=False)
    ids = forms.ChoiceField(
        label=_("Match problems by"),
        required=False,
        choices=[
            ("", _("their id")),
            (NUMBER, _("their number: 12 is C12")),
            (STATEMENT, _("the statement in the row")),
            (ORDER, _("the order of the task file")),
        ],
    )
    response = forms.ChoiceField()
    otherwise = forms.ChoiceField(required=False)
    model = forms.ChoiceField(
        required=False, help_text=_("If no field names it, type its name below.")
    )
    model_name = forms.CharField(
        label=_("Model"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=_("For each row without a model."),
    )
    sample = forms.ChoiceField(
        required=False, help_text=_("For models that answer a problem several times.")
    )
    samples_from = forms.TypedChoiceField(
        label=_("Number of the first sample"),
        choices=[(0, "0"), (1, "1")],
        coerce=int,
    )
    is_in_order = forms.BooleanField(
        label=_("Number the samples of a problem in the order of their rows"),
        required=False,
        help_text=_("For files in which no field numbers them."),
    )
    finish_reason = forms.ChoiceField(required=False)
    tokens = forms.ChoiceField(required=False)
    latency = forms.ChoiceField(required=False)

    def __init__(self, file: DraftFile, data: Mapping[str, Any] | None = None) -> None:
        """Show what a map says, or read what was sent: a model's name alone changes only that."""
        if data is not None and "response" not in data:
            data = {**file.map.write(), "model_name": data.get("model_name", "")}
        super().__init__(data, initial=file.map.write())
        choices = [("", "–"), *((path, _show(path, example)) for path, example, _n in file.fields)]
        for name in PLACES:
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.label, field.choices = LABELS[name], choices
            # Names and examples are the file's own, in no language of ours.
            field.widget.attrs["lang"] = ""

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        for name, fault in FieldMap(**given).find_faults().items() if not self.errors else ():
            self.add_error(name, fault)
        return given

    def read(self) -> FieldMap:
        return FieldMap(**self.cleaned_data)


def _show(path: str, example: str) -> str:
    return __("%(path)s: %(example)s") % {"path": path, "example": example} if example else path


class MoveForm(forms.Form):
    version = forms.ModelChoiceField(
        queryset=BenchmarkVersion.objects.published(), widget=forms.HiddenInput
    )
    """Where a draft is to be moved to."""


class GradeForm(forms.Form):
    version = forms.ModelChoiceField(
        queryset=BenchmarkVersion.objects.published(), widget=forms.HiddenInput
    )
    """Of which the preview was."""
    is_named = forms.BooleanField(
        label=_("This is our entry: rank it even if we submit again"),
        required=False,
        help_text=_(
            "Otherwise the submission of a model that was graded last is ranked. The "
            "board shows only published submissions."
        ),
    )
    again = forms.BooleanField(label=_("Grade these files again"), required=False)
    """Asked where they were graded before."""


def describe_map(field_map: FieldMap) -> Sequence[tuple[str, str]]:
    """List what each field holds, for people to check."""
    said = [(str(LABELS[name]), path) for name in PLACES if (path := getattr(field_map, name))]
    if field_map.model_name:
        said.append((__("Model"), field_map.model_name))
    return said
