from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.versions.actions import MOST_PERCENT
from curation.versions.models import BenchmarkVersion
from phybench.people.forms import UncutField


class DraftForm(forms.Form):
    """What is said of a draft, and the ticks of the problems that its page listed (`shown`)."""

    TICKS = ("shown", "was_hidden", "kept", "hidden")

    changes = UncutField(
        label=_("Changes since the previous version"),
        required=False,
        max_length=4000,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("Shown on the version’s page. Markdown, with formulas between $."),
    )

    def __init__(self, *args: Any, version: BenchmarkVersion, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in self.TICKS:
            self.fields[name] = forms.ModelMultipleChoiceField(version.items.all(), required=False)

    def list_ticks(self) -> dict[str, Any]:
        """Return what `actions.tick` takes."""
        ticks = {name: {one.identifier for one in self.cleaned_data[name]} for name in self.TICKS}
        return {"changes": self.cleaned_data["changes"], **ticks}


class DrawForm(forms.Form):
    percent = forms.IntegerField(
        label=_("Percentage of each domain’s problems"),
        min_value=0,
        max_value=MOST_PERCENT,
        initial=20,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        least = settings.LEAST_HIDDEN_ITEMS
        text = gettext("A hidden part needs at least %(least)d problems.") % {"least": least}
        self.fields["percent"].help_text = text


class WithdrawalForm(forms.Form):
    reason = UncutField(
        label=_("Why it no longer counts"),
        max_length=1000,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("Shown on the version’s page: don’t reveal the answer."),
    )
