"""What people fill in about errors in accepted problems."""

from typing import Any

from django import forms
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from curation.benchmarks.models import Benchmark
from curation.errors.models import ErrorReport
from curation.errors.visitors import Said, find_problem
from curation.problems.fields import SourceField
from curation.problems.models import Problem
from phybench.forms import UncutField

LONGEST = 5_000
OF_PROBLEMS = [one for one in ErrorReport.Kind.choices if one[0] != ErrorReport.Kind.ROW]
ON_BOARDS = [
    (ErrorReport.Kind.STATEMENT, _("the statement of a problem")),
    (ErrorReport.Kind.ANSWER, _("the reference answer of a problem")),
    (ErrorReport.Kind.OTHER, _("another part of a problem")),
    (ErrorReport.Kind.ROW, _("a solver’s row on the board")),
]


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


class BoardReportForm(forms.Form):
    """What is wrong with a problem of a board, or with a row of it."""

    kind = forms.ChoiceField(
        label=_("Where the error is"), choices=ON_BOARDS, widget=forms.RadioSelect
    )
    subject = forms.CharField(
        label=_("Which problem or row"),
        max_length=200,
        help_text=_(
            "The problem’s id from the list on the version’s page, or the solver’s "
            "name as the board shows it."
        ),
    )
    text = UncutField(
        label=_("What is wrong"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 8}),
        help_text=_("Formulas between $. How can others check it?"),
    )

    def __init__(self, *args: Any, benchmark: Benchmark, **options: Any) -> None:
        super().__init__(*args, **options)
        self.benchmark = benchmark
        self.problem: Problem | None = None

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        given = self.cleaned_data
        if given.get("kind") in (None, ErrorReport.Kind.ROW) or "subject" not in given:
            return cleaned
        self.problem = find_problem(self.benchmark, given["subject"])
        if self.problem is None:
            self.add_error(
                "subject",
                __("This is not the id of a problem in the public part that is in use."),
            )
        return cleaned

    @property
    def said(self) -> Said:
        """What a valid form says."""
        given = self.cleaned_data
        row = given["subject"] if given["kind"] == ErrorReport.Kind.ROW else ""
        return Said(self.benchmark, given["kind"], given["text"], self.problem, row)


class VisitorReportForm(BoardReportForm):
    """The same of somebody without an account, who may say how they can be reached."""

    name = forms.CharField(label=_("Your name"), max_length=100, required=False)
    email = forms.EmailField(
        label=_("Your e-mail address"),
        required=False,
        help_text=_(
            "Only admins see your name and address, in case they have a question. No "
            "e-mail is sent automatically."
        ),
    )
    # People don't see it; programs that fill in forms do.
    website = forms.CharField(
        label=_("Leave this empty"),
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "tabindex": "-1"}),
    )
    ticket = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean_website(self) -> str:
        if self.cleaned_data["website"]:
            raise forms.ValidationError(__("This field has to stay empty."))
        return ""


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
            "If you choose a fix, this is published as the erratum. Don’t reveal the answer."
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


class KeepForm(forms.Form):
    reason = UncutField(
        label=_("Why there is no correction"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 3}),
    )
