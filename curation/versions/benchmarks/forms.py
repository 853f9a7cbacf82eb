from typing import Any

from django import forms
from django.core.validators import MinValueValidator
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import PhysicsField
from curation.versions.benchmarks.actions import SETTINGS, read_settings
from phybench.people.forms import NameField

GREATEST_GOAL = 1_000_000


class BenchmarkForm(forms.ModelForm):
    """A benchmark's settings, with a goal for each domain."""

    class Meta:
        model = Benchmark
        fields = SETTINGS
        field_classes = {"name": NameField}
        labels = {
            "name": _("Name"),
            "goal": _("Goal"),
            "deadline": _("Deadline"),
        }
        widgets = {"deadline": forms.DateInput({"type": "date"}, format="%Y-%m-%d")}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["goal"].max_value = GREATEST_GOAL  # type: ignore[attr-defined]
        first = {}
        if self.instance.pk:
            first = dict(self.instance.domain_goals.values_list("domain", "goal"))
            # What the page shows, so that the second of two admins is told of the first.
            for name, value in read_settings(self.instance).items():
                self.fields[f"known_{name}"] = forms.CharField(
                    widget=forms.HiddenInput, initial=value, required=False
                )
        for domain in PhysicsField:
            self.fields[f"goal_{domain.value}"] = forms.IntegerField(
                label=domain.label,
                min_value=1,
                max_value=GREATEST_GOAL,
                required=False,
                initial=first.get(domain.value),
            )

    def clean_goal(self) -> int | None:
        goal: int | None = self.cleaned_data["goal"]
        MinValueValidator(1)(1 if goal is None else goal)
        if goal is not None and goal > GREATEST_GOAL:
            raise forms.ValidationError(gettext("This is too large."))
        return goal

    def list_domain_fields(self) -> list[forms.BoundField]:
        return [self[f"goal_{domain.value}"] for domain in PhysicsField]

    def list_known_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("known_")]

    def read(self) -> dict[str, Any]:
        """Return what `actions.make` and `actions.change` take."""
        given = self.cleaned_data
        goals = {domain.value: given.get(f"goal_{domain.value}") for domain in PhysicsField}
        return {
            "settings": {name: given[name] for name in SETTINGS},
            "goals": {domain: goal for domain, goal in goals.items() if goal},
        }

    def read_known(self) -> dict[str, str]:
        mark = "known_"
        return {
            name.removeprefix(mark): value for name, value in self.data.items()
            if name.startswith(mark)
        }  # fmt: skip


class NewBenchmarkForm(BenchmarkForm):
    slug = forms.SlugField(
        label=_("Address"),
        max_length=80,
        required=False,
        help_text=_(
            "The last part of the board’s address: letters, digits and hyphens. It stays as it is. "
            "Leave it empty to have it made of the name."
        ),
    )
    field_order = ["name", "slug", *SETTINGS[1:]]

    def clean(self) -> dict[str, Any] | None:
        given = super().clean() or {}
        if "slug" in given and given.get("name"):
            given["slug"] = given["slug"] or slugify(given["name"])
            if not given["slug"] or given["slug"] == "new":
                self.add_error("slug", gettext("Type an address: the name has no letters for it."))
        return given
