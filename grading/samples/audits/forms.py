"""What is filled in to draw a sample, to label an answer, to settle one."""

from django import forms
from django.utils.translation import gettext_lazy as _

from grading.samples.audits.drawing import LEAST, MOST, SIZE
from grading.samples.audits.models import Choice
from phybench.people.forms import UncutField


class DrawForm(forms.Form):
    size = forms.IntegerField(
        label=_("Number of answers"),
        min_value=LEAST,
        max_value=MOST,
        initial=SIZE,
        help_text=_("Half from those that the grader accepted, half from those that it rejected."),
    )
    why = UncutField(
        label=_("Why"),
        max_length=300,
        required=False,
        help_text=_("This is public: the board lists all samples."),
    )


class LabelForm(forms.Form):
    choice = forms.ChoiceField(
        label=_("This answer is"),
        choices=Choice.choices,
        error_messages={"required": _("Say whether the answer is right, with one of the buttons.")},
    )
    note = UncutField(label=_("Note"), max_length=500, required=False)


class AdjudicationForm(forms.Form):
    choice = forms.ChoiceField(
        label=_("This answer is"), choices=Choice.choices, widget=forms.RadioSelect
    )
    reason = UncutField(
        label=_("Why"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4, "data-key": "w"}),
        help_text=_("A sentence or two. It is kept with the answer and can’t be changed."),
    )

    def list_choices(self) -> list[tuple[forms.boundfield.BoundWidget, str]]:
        """Return the choices, each with the key that picks it."""
        return [(choice, str(key)) for key, choice in enumerate(self["choice"], start=1)]
