"""What people fill in to take problems out."""

from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from curation.texts.schema import BY_NAME, EXPORTED, FIELDS, KEY_FIELDS
from curation.versions.exchange.dataset import LICENSES
from curation.versions.exchange.models import Download


def _name_field(name: str) -> SafeString:
    """Name a field as files have it, and say what is in it."""
    return format_html("<code>{}</code> {}", name, BY_NAME[name].in_files)


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
