"""What admins fill in about keys in doubt."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from grading.disputes.keys.models import KeyDecision
from phybench.people.forms import UncutField

LONGEST = 2000


class KeyDecisionForm(forms.Form):
    choice = forms.ChoiceField(
        label=_("Your decision"), choices=KeyDecision.Choice, widget=forms.RadioSelect
    )
    note = UncutField(
        label=_("What you found"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 4}),
        help_text=_(
            "If the reference answer is wrong or the problem ambiguous, this is the "
            "text of an error report that the authors and reviewers of the problem "
            "read."
        ),
    )
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, data: Any = None, *, seen: int | None = None, why_not_right: str = ""
    ) -> None:
        """
        Args:
            seen: the last decision (its `pk`) that the page shows.
            why_not_right: why it is not theirs to say that the key is right, if it is not.
        """
        super().__init__(data, initial={"seen": seen})
        self.why_not_right = why_not_right
        if why_not_right:
            choice = self.fields["choice"]
            assert isinstance(choice, forms.ChoiceField)
            right = KeyDecision.Choice.KEY_RIGHT
            choice.choices = [one for one in KeyDecision.Choice.choices if one[0] != right]


class CorrectKeyForm(forms.Form):
    reason = UncutField(
        label=_("What was wrong"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 2}),
        initial=_("The reference answer was wrong."),
        help_text=_(
            "This is published as the correction. Everyone who reads the problem can read "
            "it, so don’t reveal the answer."
        ),
    )
