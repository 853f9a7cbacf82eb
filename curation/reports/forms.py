"""What people fill in about errors in accepted problems."""

from typing import Any

from django import forms
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from curation.problems.fields import SourceField
from curation.reports.models import ErrorReport
from phybench.people.forms import UncutField

LONGEST = 5_000
OF_PROBLEMS = [one for one in ErrorReport.Kind.choices if one[0] != ErrorReport.Kind.ROW]


class ReportForm(forms.Form):
    kind = forms.ChoiceField(
        label=_("Where the error is"), choices=OF_PROBLEMS, widget=forms.RadioSelect
    )
    text = UncutField(
        label=_("What is wrong"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 6}),
        help_text=_("Markdown, with formulas between $. How can others check it?"),
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
        help_text=_("The reporter will read this and may not know the answer: don’t reveal it."),
    )

    def __init__(self, data: Any = None, *, report: ErrorReport) -> None:
        super().__init__(data)
        if report.reporter is None:
            self.fields["text"].help_text = __("The visitor who reported it can’t read this.")


class DecisionForm(forms.Form):
    outcome = forms.ChoiceField(
        label=_("Outcome"), choices=ErrorReport.Outcome, widget=forms.RadioSelect
    )
    reason = UncutField(
        label=_("Reason, or what was wrong if you choose a fix"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 4}),
        help_text=_(
            "If you choose a fix, this is published as the correction. Don’t reveal the answer."
        ),
    )

    def __init__(self, data: Any = None, *, report: ErrorReport, why_not_dismiss: str = "") -> None:
        """`why_not_dismiss`: why it is not theirs to say that there is no error, if it is not."""
        super().__init__(data)
        self.why_not_dismiss = why_not_dismiss
        outcome, reason = self.fields["outcome"], self.fields["reason"]
        assert isinstance(outcome, forms.ChoiceField)
        no_error = ErrorReport.Outcome.NO_ERROR
        outcome.choices = [
            (one.value, one.label)
            for one in report.possible_outcomes
            if not (one == no_error and why_not_dismiss)
        ]
        if report.revision is None:
            reason.label, reason.help_text = __("Why"), __("The reporter will read this.")
        if report.reporter is None:
            reason.help_text = (
                __("The visitor who reported it sees the outcome, but not this text.")
                if report.revision is None
                else f"{reason.help_text} "
                + __("The visitor who reported it sees only the outcome.")
            )
