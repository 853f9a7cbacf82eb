"""What is filled in to decide a round instead of its rule, and to reopen a problem."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.problems.fields import SourceField
from curation.texts.workflow import Step


class OverrideForm(forms.Form):
    step = forms.ChoiceField(label=_("Outcome"), widget=forms.RadioSelect)
    reason = SourceField(
        label=_("Why you decide instead of the reviewers"),
        max_length=2000,
        classes="",
        rows=4,
        help_text=_("Kept in the history."),
    )

    def __init__(self, *args: Any, is_split: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if is_split:  # No rule and no reviewer is overridden.
            self.fields["reason"].label = _("Why")
        self.fields["step"].choices = [  # type: ignore[attr-defined]
            (Step.PASS, _("Pass this stage")),
            (Step.ACCEPT, _("Accept now, skip the remaining stages")),
            (Step.RETURN, _("Return to the author")),
            (Step.REJECT, _("Reject")),
        ]
        self.fields["reason"].required = True


class ReopenForm(forms.Form):
    reason = SourceField(
        label=_("Why you reopen it"),
        max_length=2000,
        classes="",
        rows=4,
        help_text=_("Kept in the history. The author reads it."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["reason"].required = True
