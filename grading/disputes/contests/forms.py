"""What is filled in to contest a grade, and to rule on that."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from grading.answers.models import Grade
from grading.answers.runs.models import Override
from grading.disputes.contests.actions import list_reasons
from grading.disputes.contests.models import Contest
from grading.disputes.contests.ruling import Decision, find_fault
from phybench.people.forms import UncutField

LONGEST = 4000
WHAT_A_REASON_SAYS = {
    Contest.Reason.MISREAD: _(
        "The grader took another part of the response, or misread its notation."
    ),
    Contest.Reason.EQUIVALENT: _(
        "The grader read it correctly, and its value is right for the symbols of this problem."
    ),
    Contest.Reason.KEY_WRONG: _(
        "The problem has a different answer from the reference answer, or more than one."
    ),
}


class ContestForm(forms.Form):
    reason = forms.ChoiceField(
        label=_("What is wrong with this grade"),
        choices=Contest.Reason.choices,
        widget=forms.RadioSelect,
    )
    text = UncutField(
        label=_("Why"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 6}),
        help_text=_(
            "Plain text. Don’t name the model: the person who rules is not told whose answer it is."
        ),
    )

    def __init__(self, data: Any = None, *, grade: Grade | None) -> None:
        super().__init__(data)
        reasons = list_reasons(grade)
        self.fields["reason"].choices = [  # type: ignore[attr-defined]
            (one.value, one.label) for one in reasons
        ]

    def list_reasons(self) -> list[tuple[forms.boundfield.BoundWidget, str]]:
        """Return the reasons, each with what it says."""
        return [
            (choice, str(WHAT_A_REASON_SAYS[Contest.Reason(choice.data["value"])]))
            for choice in self["reason"]
        ]


class RulingForm(forms.Form):
    fault = forms.ChoiceField(
        label=_("The fault lies with"),
        choices=[
            (Contest.Fault.GRADER, _("the grader")),
            (Contest.Fault.KEY, _("the reference answer: opens an error report")),
            (Contest.Fault.MODEL, _("the answer: the grade is kept")),
            (Contest.Fault.CANT_TELL, _("can’t tell: the grade is kept for now")),
        ],
        widget=forms.RadioSelect,
    )
    kind = forms.ChoiceField(
        label=_("If it is the grader, the answer is"),
        choices=[
            (Override.Kind.RIGHT, _("right")),
            (Override.Kind.WRONG, _("wrong")),
            (Override.Kind.READ_AS, _("to be read as written below")),
        ],
        widget=forms.RadioSelect,
        required=False,
    )
    read_as = UncutField(
        label=_("To be read as"),
        max_length=LONGEST,
        required=False,
        widget=forms.Textarea({"rows": 2, "class": "source", "spellcheck": "false"}),
        help_text=_(
            "LaTeX of the answer as its writer meant it, not as it should be. You see "
            "how it is read, its values and the verdict of the grader."
        ),
    )
    why = UncutField(
        label=_("Why"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 4}),
        help_text=_(
            "The person who contested the grade reads this and may answer the problem "
            "again with another model, so don’t reveal the reference answer. Only if "
            "the reference answer is at fault, this text goes to the error report "
            "instead."
        ),
    )

    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, data: Any = None, *, grade: Grade | None = None, seen: str = "") -> None:
        super().__init__(data, initial={"seen": seen})
        self.grade = grade

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = self.cleaned_data
        if given.get("fault") != Contest.Fault.GRADER:
            return given
        if not given.get("kind"):
            self.add_error("kind", _("Say what the answer is."))
        elif given["kind"] == Override.Kind.READ_AS and not given.get("read_as"):
            self.add_error("read_as", _("Write how the answer should be read."))
        elif why_not := find_fault(self.decide(), self.grade):
            self.add_error("kind", why_not)
        return given

    def decide(self) -> Decision:
        """Return what was chosen; what stands beside another choice is not part of it."""
        given = self.cleaned_data
        fault, why, seen = given["fault"], given.get("why", ""), given.get("seen", "")
        if fault != Contest.Fault.GRADER:
            return Decision(fault, why, seen=seen)
        kind = given["kind"]
        return Decision(fault, why, kind, given["read_as"] if kind == "READ_AS" else "", seen)
