"""What people fill in about errors in accepted problems."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.errors.models import ErrorReport
from curation.problems.fields import SourceField
from phybench.forms import UncutField

LONGEST = 5_000


class ReportForm(forms.Form):
    kind = forms.ChoiceField(
        label=_("Where the error is"), choices=ErrorReport.Kind, widget=forms.RadioSelect
    )
    text = UncutField(
        label=_("What is wrong"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 6}),
        help_text=_("Markdown, with formulas between $. How can somebody else see that it is so?"),
    )
    own_answer = SourceField(
        label=_("Your own answer"),
        max_length=4096,
        rows=2,
        help_text=_("LaTeX, or as on paper: sqrt(2*g*h), if you came to one."),
    )


class ReportReplyForm(forms.Form):
    text = UncutField(
        label=_("Your reply"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 4}),
        help_text=_(
            "Whoever reported it reads this, and may not have seen the answer: don’t write it here."
        ),
    )


class DecisionForm(forms.Form):
    outcome = forms.ChoiceField(
        label=_("Outcome"), choices=ErrorReport.Outcome, widget=forms.RadioSelect
    )
    reason = UncutField(
        label=_("Why; of a fix, what was wrong"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 4}),
        help_text=_(
            "Of a fix this becomes the erratum, which everybody reads who reads the problem, also "
            "who may come to answer it: don’t write the answer here."
        ),
    )

    def __init__(self, data: Any = None, *, why_not_dismiss: str = "") -> None:
        """`why_not_dismiss`: why it is not theirs to say that there is no error, if it is not."""
        super().__init__(data)
        self.why_not_dismiss = why_not_dismiss
        if why_not_dismiss:
            outcome = self.fields["outcome"]
            assert isinstance(outcome, forms.ChoiceField)
            no_error = ErrorReport.Outcome.NO_ERROR
            outcome.choices = [one for one in ErrorReport.Outcome.choices if one[0] != no_error]


class KeepForm(forms.Form):
    reason = UncutField(
        label=_("Why no correction comes of it"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 3}),
    )
