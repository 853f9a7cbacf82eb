"""What admins fill in about a grading run."""

from django import forms
from django.utils.translation import gettext_lazy as _

from phybench.people.forms import UncutField


class BeginForm(forms.Form):
    why = UncutField(
        label=_("Reason for grading anew"),
        max_length=300,
        help_text=_("Public: shown beside the board once the run is adopted."),
    )


class AdoptForm(forms.Form):
    why_adopted = UncutField(
        label=_("Reason for adopting it"),
        max_length=2000,
        widget=forms.Textarea({"rows": 2}),
        help_text=_("Public: shown beside the board."),
    )
    allow_ungraded = forms.BooleanField(
        label=_("Adopt it even though answers lose their grade"), required=False
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False)


class DiscardForm(forms.Form):
    why_discarded = UncutField(
        label=_("Reason for discarding it"), max_length=2000, widget=forms.Textarea({"rows": 2})
    )
