import re
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.versions.actions import MOST_PERCENT
from phybench.pages.templatetags.typography import gap
from phybench.people.forms import UncutField

_BETWEEN = re.compile(r"[\s,;]+")


class DraftForm(forms.Form):
    changes = UncutField(
        label=_("Changes since the previous version"),
        required=False,
        max_length=4000,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("Shown on the version’s page. Markdown, with formulas between $."),
    )
    hidden = UncutField(
        label=_("Hidden problems"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea({"rows": 6, "class": "code", "spellcheck": "false"}),
        help_text=_(
            "Their ids, separated by spaces or line breaks. A team sees one "
            "figure for all hidden problems together, at most 20 times. It never sees "
            "the grade of a single one."
        ),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        hidden = self.fields["hidden"]
        hidden.help_text = f"{hidden.help_text}{gap()}{_say_least()}"

    def clean_hidden(self) -> list[str]:
        return [name for name in _BETWEEN.split(self.cleaned_data["hidden"]) if name]


def _say_least() -> str:
    least = settings.LEAST_HIDDEN_ITEMS
    return gettext("A hidden part needs at least %(least)d problems.") % {"least": least}


class DrawForm(forms.Form):
    percent = forms.IntegerField(
        label=_("Percentage of each domain’s problems"),
        min_value=0,
        max_value=MOST_PERCENT,
        initial=20,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["percent"].help_text = _say_least()


class WithdrawalForm(forms.Form):
    reason = UncutField(
        label=_("Why it no longer counts"),
        max_length=1000,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("Shown on the version’s page: don’t reveal the answer."),
    )
