"""What an admin fills in of an endpoint, and an author of a trial."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import MinValueValidator
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from grading.actions.trials import Choice
from grading.endpoints import APIKey, BadURL, BaseURL
from grading.models import Endpoint
from grading.models.trials import MOST_TIMES

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
                __("At most %(most)d models, of those that are to be chosen from.")
                % {"most": MOST_MODELS}
            )
        for name in value:
            if len(name) > LONGEST_NAME or not name.isprintable():
                raise forms.ValidationError(__("“%s” is no name of a model.") % name[:40])


class EndpointForm(forms.ModelForm):
    key = forms.CharField(
        label=_("Key"),
        required=False,
        max_length=1000,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=_(
            "Kept encrypted, and never shown again. Left empty, it stays as it is; it is dropped"
            " when the address gets another host."
        ),
    )
    clear_key = forms.BooleanField(label=_("Forget the key that is kept"), required=False)
    offered = ModelNames(
        label=_("Models"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "class": "code", "spellcheck": "false"}),
        help_text=_(
            "One a line, as the endpoint names them. Authors and evaluators choose among these."
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
            "name": _("As those who choose a model see it, beside the host: who runs it."),
            "base_url": _("All up to /chat/completions, such as https://api.example.com/v1."),
            "daily_calls": _("Empty is without end; days are those of UTC."),
            "daily_money": _("Failed calls count too, where they may be charged for."),
            "longest_reply": _("What the model thinks counts too."),
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


class TrialForm(forms.Form):
    """
    The models to try a draft on, by endpoint.

    Each endpoint asks for an agreement of its own: to the host that the page has shown.
    """

    times = forms.IntegerField(
        label=_("Times each"),
        min_value=1,
        max_value=MOST_TIMES,
        initial=3,
        help_text=_("1 to 8: models do not answer the same each time."),
    )

    def __init__(self, endpoints: Iterable[Endpoint], data: Any = None) -> None:
        super().__init__(data, auto_id="try_%s")
        self.endpoints = list(endpoints)
        for endpoint in self.endpoints:
            self.fields[f"models_{endpoint.pk}"] = forms.MultipleChoiceField(
                label=endpoint.name,
                choices=[(model, model) for model in endpoint.offered],
                widget=forms.CheckboxSelectMultiple,
                required=False,
            )
            self.fields[f"host_{endpoint.pk}"] = forms.CharField(
                initial=endpoint.host, widget=forms.HiddenInput, required=False
            )
            self.fields[f"agree_{endpoint.pk}"] = forms.BooleanField(
                label=__("Send this unpublished statement to %(host)s") % {"host": endpoint.host},
                required=False,
            )

    def groups(self) -> list[tuple[Endpoint, forms.BoundField, forms.BoundField, forms.BoundField]]:
        """Return the fields of each endpoint: models, agreement, host."""
        return [
            (one, self[f"models_{one.pk}"], self[f"agree_{one.pk}"], self[f"host_{one.pk}"])
            for one in self.endpoints
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for endpoint in self.endpoints:
            if cleaned.get(f"models_{endpoint.pk}") and not cleaned.get(f"agree_{endpoint.pk}"):
                self.add_error(
                    f"agree_{endpoint.pk}",
                    __("Confirm that the statement may be sent there, or choose no model of it."),
                )
        if not self.errors and not self.choices():
            self.add_error(None, __("Choose at least one model."))
        return cleaned

    def choices(self) -> list[Choice]:
        return [
            Choice(endpoint, model, self.cleaned_data[f"host_{endpoint.pk}"])
            for endpoint in self.endpoints
            for model in self.cleaned_data.get(f"models_{endpoint.pk}", [])
        ]
