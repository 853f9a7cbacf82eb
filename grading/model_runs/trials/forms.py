"""What an author fills in of a trial."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from grading.model_runs.trials.actions import Choice
from grading.model_runs.trials.models import MOST_TIMES
from grading.runs.models import Endpoint


class TrialForm(forms.Form):
    """
    The models to try a draft on, by endpoint.

    Each endpoint asks for an agreement of its own: to the host that the page has shown.
    """

    times = forms.IntegerField(
        label=_("Calls per model"),
        min_value=1,
        max_value=MOST_TIMES,
        initial=3,
        help_text=_("1 to 8. A model does not give the same answer each time."),
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
                    __(
                        "Confirm that the statement may be sent there, or choose no model "
                        "at that host."
                    ),
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
