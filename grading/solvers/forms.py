import re
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.validators import URLValidator
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from grading.solvers.models import Description, Organisation, write_count
from phybench.people.forms import NameField, UncutField

MOST_PARAMETERS = 10**15
_COUNT = re.compile(r"([0-9]{1,16}(?:\.[0-9]{1,12})?(?:[eE]\+?[0-9]{1,2})?)\s?([KMBTkmbt]?)")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_POWERS = {"": 0, "K": 3, "M": 6, "B": 9, "T": 12}


class OrganisationForm(forms.Form):
    name = NameField(
        label=_("Name of the team"),
        max_length=120,
        help_text=_("A group, a laboratory or a company. The board names it beside its models."),
    )


class MergeForm(forms.Form):
    into = forms.ModelChoiceField(
        label=_("Merge it into"), queryset=Organisation.objects.none(), empty_label="–"
    )
    is_meant = forms.BooleanField(label=_("Yes, merge them permanently"))

    def __init__(self, organisation: Organisation, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        into = self.fields["into"]
        assert isinstance(into, forms.ModelChoiceField)
        into.queryset = (
            Organisation.objects.standing()
            .filter(confirmed_at__isnull=False)
            .exclude(pk=organisation.pk)
        )


class LineField(UncutField):
    """One line of text, all of which can be seen."""

    def clean(self, value: Any) -> str:
        text = " ".join(str(super().clean(value)).split())
        if not text.isprintable():
            raise forms.ValidationError(__("This contains a character that can’t be seen."))
        return text


class CountField(LineField):
    """A number of parameters, as people write it: 70B, 1.8T, 671e9."""

    def clean(self, value: Any) -> Any:
        text = _THOUSANDS.sub("", super().clean(value))
        if not text:
            return None
        found = _COUNT.fullmatch(text)
        count = Decimal(found[1]).scaleb(_POWERS[found[2].upper()]) if found else Decimal(0)
        if not 1 <= count <= MOST_PARAMETERS or count != int(count):
            raise forms.ValidationError(__("Write a number such as 70B, 1.8T or 671e9."))
        return int(count)

    def prepare_value(self, value: Any) -> Any:
        return write_count(value) if isinstance(value, int) else value


class LinkField(forms.URLField):
    """An address by https, to be linked to; nothing fetches it."""

    default_validators = [URLValidator(schemes=["https"])]
    default_error_messages = {"invalid": _("Write an address that begins with https://.")}

    def clean(self, value: Any) -> str:
        address = str(super().clean(value))
        if not address.isascii():
            raise forms.ValidationError(
                __("Write it in ASCII, as the browser’s address bar gives it when you copy it.")
            )
        # What stands before an @ would pass for the host.
        if "@" in urlsplit(address).netloc:
            raise forms.ValidationError(__("Leave user name and password out of the address."))
        return address


class DescriptionForm(forms.Form):
    """What `Description.SAID` lists; each may be left out."""

    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[("", _("not said")), *Description.Kind.choices],
        required=False,
        help_text=_("A reasoning model thinks at length before it answers."),
    )
    parameters = CountField(
        label=_("Parameters"),
        max_length=40,
        required=False,
        help_text=_("How many in all, such as 70B, 1.8T or 671e9."),
    )
    developer = LineField(
        label=_("Developer"),
        max_length=120,
        required=False,
        help_text=_("Who made the model. A name such as “deepseek-ai/DeepSeek-R1” says it."),
    )
    weights = forms.ChoiceField(
        label=_("Weights"),
        choices=[("", _("not said")), *Description.Weights.choices],
        required=False,
        help_text=_("Anybody can download open weights."),
    )
    released_on = forms.DateField(
        label=_("Released on"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    link = LinkField(
        label=_("Link"),
        max_length=300,
        required=False,
        assume_scheme="https",
        help_text=_("Its model card, paper or announcement; an address with https://."),
    )
    inference = LineField(
        label=_("Inference parameters"),
        max_length=200,
        required=False,
        help_text=_(
            "Such as “temperature 0.6, top-p 0.95, at most 32,768 tokens, reasoning effort high”."
        ),
    )
    tools = LineField(
        label=_("Tools"),
        max_length=100,
        required=False,
        help_text=_("What it could use while it answered, such as “none” or “code, search”."),
    )
    harness = LineField(
        label=_("Harness"),
        max_length=100,
        required=False,
        help_text=_("The program that asked it, with its version."),
    )
    read = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    """The number of the description that it was filled in with."""

    def list_said(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in Description.SAID}
