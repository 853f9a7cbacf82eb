"""What an admin fills in to adjudicate a disagreement."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.problems.fields import SourceField
from curation.texts.workflow import Step


class AdjudicationForm(forms.Form):
    """What an admin makes of a disagreement; where the round is open, it may decide it."""

    known = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    heard = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    step = forms.ChoiceField(
        label=_("Outcome of the round"), required=False, widget=forms.RadioSelect
    )
    finding = SourceField(
        label=_("Your decision or finding"),
        max_length=2000,
        classes="",
        rows=3,
        help_text=_("For example: the statement allows two readings. Formulas as $…$."),
    )
    reason = SourceField(
        label=_("Why"),
        max_length=2000,
        classes="",
        rows=3,
        help_text=_("Kept permanently. If it decides the round, the problem’s author can read it."),
    )

    def __init__(self, *args: Any, is_open: bool, may_skip: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["finding"].required = self.fields["reason"].required = True
        if not is_open:
            del self.fields["step"]
            return
        skip = [(Step.ACCEPT, _("Accept now, skip the remaining stages"))] if may_skip else []
        self.fields["step"].choices = [  # type: ignore[attr-defined]
            ("", _("No decision: the round stays open")),
            (Step.PASS, _("Pass this stage")),
            *skip,
            (Step.RETURN, _("Return to the author")),
            (Step.REJECT, _("Reject")),
        ]


class RejectForm(forms.Form):
    """Why what all its reviewers reject is rejected; several at once."""

    reason = SourceField(
        label=_("Why"),
        max_length=2000,
        classes="",
        rows=3,
        help_text=_("The authors read it. Formulas as $…$."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["reason"].required = True
