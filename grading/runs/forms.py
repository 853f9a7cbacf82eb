"""What an admin fills in of an endpoint."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import MinValueValidator
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from grading.endpoints import APIKey, BadURL, BaseURL
from grading.runs.models import Endpoint

MOST_MODELS = 100
LONGEST_NAME = 200


def plain(amount: Decimal | None) -> str:
    """
    Write an amount as one would type it.

    >>> plain(Decimal("20.0000")), plain(Decimal("0.0500")), plain(None)
    ('20', '0.05', '')
    """
    return "" if amount is None else f"{amount.normalize():f}"


class ModelNames(forms.CharField):
    """Names of models, one a line."""

    def prepare_value(self, value: Any) -> str:
        return value if isinstance(value, str) else "\n".join(value or [])

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]
        lines = (value if isinstance(value, str) else "").splitlines()
        return list(dict.fromkeys(line.strip() for line in lines if line.strip()))

    def run_validators(self, value: Any) -> None:
        if len(value) > MOST_MODELS:
            raise forms.ValidationError(
                __("Choose at most %(most)d models.") % {"most": MOST_MODELS}
            )
        for name in value:
            if len(name) > LONGEST_NAME or not name.isprintable():
                raise forms.ValidationError(__("“%s” is not a model name.") % name[:40])


class EndpointForm(forms.ModelForm):
    key = forms.CharField(
        label=_("API key"),
        required=False,
        max_length=1000,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=_(
            "Encrypted, and never shown again. Leave empty to keep the saved one. The "
            "API key is deleted when the host of the address changes."
        ),
    )
    clear_key = forms.BooleanField(label=_("Delete the saved API key"), required=False)
    offered = ModelNames(
        label=_("Models"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "class": "code", "spellcheck": "false"}),
        help_text=_(
            "One per line, with the names that the endpoint uses. Authors and "
            "evaluators choose from these."
        ),
    )

    class Meta:
        model = Endpoint
        fields = [
            "name", "base_url", "offered", "price_prompt", "price_completion", "currency",
            "daily_calls", "daily_tokens", "daily_money", "requests_a_minute", "tokens_a_minute",
            "calls_at_once", "seconds_a_call", "longest_reply",
        ]  # fmt: skip
        help_texts = {
            "name": _("Who runs it. Shown beside the host to the people who choose a model."),
            "base_url": _(
                "The address without /chat/completions, such as https://api.example.com/v1."
            ),
            "daily_calls": _("Leave empty for unlimited. Days are in UTC."),
            "daily_money": _("Includes failed calls that may be charged."),
            "longest_reply": _("Includes reasoning tokens."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.key_encrypted:
            del self.fields["clear_key"]
        for name in ("price_prompt", "price_completion", "daily_money"):
            self.initial[name] = plain(self.initial[name])
        for name in ("requests_a_minute", "tokens_a_minute"):
            # None a minute is no rate: an endpoint that is not to be called is paused.
            self.fields[name].validators.append(MinValueValidator(1))
            self.fields[name].widget.attrs["min"] = 1

    def clean_base_url(self) -> str:
        try:
            return str(BaseURL.parse(self.cleaned_data["base_url"]))
        except BadURL as error:
            raise forms.ValidationError(str(error)) from None

    def clean_key(self) -> APIKey | None:
        if not self.cleaned_data["key"]:
            return None
        try:
            return APIKey(self.cleaned_data["key"])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None
