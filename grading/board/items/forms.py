"""What is filled in to say how sound a part of a problem is."""

from django import forms
from django.utils.translation import gettext_lazy as _

from grading.board.items.models import Part, Soundness
from phybench.people.forms import UncutField


class AssessForm(forms.Form):
    part = forms.ChoiceField(label=_("Part"), choices=Part)
    soundness = forms.ChoiceField(
        label=_("Assessment"), choices=Soundness, widget=forms.RadioSelect
    )
    reason = UncutField(
        label=_("Why"),
        max_length=1000,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("This is public. Don’t reveal the answer."),
    )
