"""What an admin fills in to adjudicate a disagreement."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.problems.fields import SourceField
from curation.workflow import Step


class AdjudicationForm(forms.Form):
    """What an admin makes of a disagreement; where the round is open, it may decide it."""

    known = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    step = forms.ChoiceField(
        label=_("What becomes of the round"), required=False, widget=forms.RadioSelect
    )
    finding = SourceField(
        label=_("What you decide or found"),
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
        help_text=_("Kept for good. Where it decides the round, its author reads it too."),
    )

    def __init__(self, *args: Any, is_open: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["finding"].required = self.fields["reason"].required = True
        if not is_open:
            del self.fields["step"]
            return
        self.fields["step"].choices = [  # type: ignore[attr-defined]
            ("", _("Nothing: it stays open for its rule to decide")),
            (Step.PASS, _("This stage is passed")),
            (Step.ACCEPT, _("Accepted, whatever stages are to come")),
            (Step.RETURN, _("Back to its author")),
            (Step.REJECT, _("Rejected for good")),
        ]
