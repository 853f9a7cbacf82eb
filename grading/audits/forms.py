"""What is filled in to draw a sample, to settle an answer, to end a sample, to ask somebody."""

from typing import Any

from django import forms
from django.db.models import Model
from django.utils.translation import gettext_lazy as _

from grading import permissions
from grading.audits.drawing import LEAST, MOST, SIZE
from grading.audits.models import AuditSample, Choice
from phybench.forms import UncutField
from phybench.models import User


class DrawForm(forms.Form):
    size = forms.IntegerField(
        label=_("How many answers"),
        min_value=LEAST,
        max_value=MOST,
        initial=SIZE,
        help_text=_("Half from those that the grader accepted, half from those that it rejected."),
    )
    why = UncutField(
        label=_("Why"),
        max_length=300,
        required=False,
        help_text=_("Everybody can read it: samples stay listed on the board."),
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
        help_text=_("A sentence or two. It stays with the answer and can’t be changed."),
    )

    def list_choices(self) -> list[tuple[forms.boundfield.BoundWidget, str]]:
        """Return the choices, each with the key that picks it."""
        return [(choice, str(key)) for key, choice in enumerate(self["choice"], start=1)]


class EndForm(forms.Form):
    why = UncutField(
        label=_("Why it ends early"),
        max_length=300,
        help_text=_("Everybody can read it: the sample stays listed on the board, without rates."),
    )


class PersonField(forms.ModelChoiceField):
    """Names people with their roles: names may be alike."""

    def label_from_instance(self, obj: Model) -> str:
        assert isinstance(obj, User)
        return f"{obj} ({', '.join(role for role, _does in obj.role_labels())})"


class AskForm(forms.Form):
    person = PersonField(
        label=_("Reviewer or evaluator"),
        queryset=User.objects.none(),
        empty_label=_("choose a person"),
        help_text=_("They will see the keys of the problems in the sample."),
    )

    def __init__(self, sample: AuditSample, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        asked = sample.labellers.filter(taken_off_at=None)
        people = permissions.list_labellers().exclude(pk__in=asked.values("person"))
        field = self.fields["person"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = people.order_by("display_name", "pk")
