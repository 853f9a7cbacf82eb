"""What is filled in about an error on a board, also without an account."""

from typing import Any

from django import forms
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.reports.forms import LONGEST
from curation.reports.models import ErrorReport
from grading.board.visitors import Said, find_problem
from phybench.people.forms import UncutField

ON_BOARDS = [
    (ErrorReport.Kind.STATEMENT, _("the statement of a problem")),
    (ErrorReport.Kind.ANSWER, _("the reference answer of a problem")),
    (ErrorReport.Kind.OTHER, _("another part of a problem")),
    (ErrorReport.Kind.ROW, _("a solver’s row on the board")),
]


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
