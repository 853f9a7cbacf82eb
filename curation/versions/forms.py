import re

from django import forms
from django.utils.translation import gettext_lazy as _

from phybench.forms import UncutField

_BETWEEN = re.compile(r"[\s,;]+")


class DraftForm(forms.Form):
    changes = UncutField(
        label=_("What changed since the version before"),
        required=False,
        max_length=4000,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("Everybody reads it on the version’s page. Markdown, with formulas between $."),
    )
    hidden = UncutField(
        label=_("Hidden problems"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea({"rows": 6, "class": "code", "spellcheck": "false"}),
        help_text=_(
            "Their ids, with blanks or on lines of their own. Of all hidden problems together an "
            "organisation is told one figure, at most 20 times. Who handed in never learns how a "
            "single one was graded."
        ),
    )

    def clean_hidden(self) -> list[str]:
        return [name for name in _BETWEEN.split(self.cleaned_data["hidden"]) if name]


class DrawForm(forms.Form):
    percent = forms.IntegerField(
        label=_("Per cent of each domain’s problems"), min_value=0, max_value=90, initial=20
    )


class WithdrawalForm(forms.Form):
    reason = UncutField(
        label=_("Why it counts no more"),
        max_length=1000,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("Everybody reads it on the version’s page: don’t write the answer here."),
    )
