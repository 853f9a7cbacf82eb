"""Setting a run of a model up: over what, which model, how often, with which parameters."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.versions.models import BenchmarkVersion
from curation.versions.summary import list_open
from grading.endpoints import Parameters
from grading.model_runs.actions import Plan
from grading.model_runs.models import LONGEST_NAME, MOST_SAMPLES
from grading.runs.models import Endpoint
from grading.solvers.models import Organisation, OrganisationQuerySet

EFFORTS = [
    ("", _("as the endpoint sets it")),
    ("minimal", _("minimal")),
    ("low", _("low")),
    ("medium", _("medium")),
    ("high", _("high")),
]


class ModelRunForm(forms.Form):
    organisation = forms.ModelChoiceField(
        label=_("Team"), queryset=Organisation.objects.none(), empty_label=None
    )
    benchmark = forms.ModelChoiceField(
        label=_("Benchmark"),
        queryset=Benchmark.objects.none(),
        empty_label=None,
        help_text=_("Its newest version is used."),
    )
    includes_hidden = forms.BooleanField(
        label=_("Also run the hidden part"),
        required=False,
        initial=True,
        help_text=_("Without it, the submission gets no figure for the hidden part."),
    )
    model = forms.ChoiceField(label=_("Model"), choices=())
    name = forms.CharField(
        label=_("Name of the model here"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=_(
            "Its answers are submitted under this name. Leave empty to use the endpoint’s name."
        ),
    )
    samples = forms.IntegerField(
        label=_("Answers per problem"),
        min_value=1,
        max_value=MOST_SAMPLES,
        initial=1,
        help_text=_("1 to 16. A model does not give the same answer each time."),
    )
    temperature = forms.FloatField(
        label=_("Temperature"),
        min_value=0,
        max_value=2,
        required=False,
        help_text=_("Leave empty to use the endpoint’s setting."),
    )
    max_tokens = forms.IntegerField(
        label=_("Tokens of the longest reply"),
        min_value=1,
        required=False,
        help_text=_(
            "Includes reasoning. Leave empty for the most that the endpoint allows. A "
            "reply that is cut off is graded as it is."
        ),
    )
    reasoning_effort = forms.ChoiceField(
        label=_("Reasoning effort"), choices=EFFORTS, required=False
    )

    def __init__(
        self, organisations: OrganisationQuerySet, endpoints: Iterable[Endpoint], data: Any = None
    ) -> None:
        super().__init__(data)
        self.endpoints = list(endpoints)
        benchmark, organisation = self.fields["benchmark"], self.fields["organisation"]
        assert isinstance(benchmark, forms.ModelChoiceField)
        assert isinstance(organisation, forms.ModelChoiceField)
        benchmark.queryset, organisation.queryset = list_open(), organisations
        if len(organisations) == 1:
            organisation.initial, organisation.widget = organisations[0], forms.HiddenInput()
        model = self.fields["model"]
        assert isinstance(model, forms.ChoiceField)
        model.choices = [
            (f"{endpoint.pk}|{model}", f"{model} ({endpoint.name})")
            for endpoint in self.endpoints
            for model in endpoint.offered
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "model" in cleaned and cleaned.get("max_tokens"):
            endpoint, _model = self._read_model()
            if cleaned["max_tokens"] > endpoint.longest_reply:
                self.add_error(
                    "max_tokens",
                    __("%(endpoint)s allows at most %(most)d.")
                    % {"endpoint": endpoint, "most": endpoint.longest_reply},
                )
        return cleaned

    def _read_model(self) -> tuple[Endpoint, str]:
        key, model = self.cleaned_data["model"].split("|", 1)
        return next(one for one in self.endpoints if str(one.pk) == key), model

    def plan(self, *, host: str = "", may_fall_short: bool = False) -> Plan:
        """
        Make the plan.

        Args:
            host: where they agreed to have the statements sent; where it goes now if empty.
        """
        cleaned = self.cleaned_data
        endpoint, model = self._read_model()
        current = BenchmarkVersion.objects.current()
        version = current.filter(benchmark=cleaned["benchmark"]).first()
        assert version is not None  # only such benchmarks are offered
        return Plan(
            organisation=cleaned["organisation"],
            version=version,
            endpoint=endpoint,
            host=host or endpoint.host,
            parameters=Parameters(
                model=model,
                max_tokens=cleaned["max_tokens"] or endpoint.longest_reply,
                temperature=cleaned["temperature"],
                reasoning_effort=cleaned["reasoning_effort"] or None,
            ),
            samples=cleaned["samples"],
            name=cleaned["name"].strip(),
            includes_hidden=cleaned["includes_hidden"],
            may_fall_short=may_fall_short,
        )
