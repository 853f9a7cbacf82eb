from django import forms
from django.utils.translation import gettext_lazy as _

from phybench.people.forms import UncutField


class AnswerForm(forms.Form):
    response = UncutField(
        label=_("Your answer"),
        max_length=4096,
        widget=forms.Textarea(
            attrs={"rows": 3, "class": "code", "spellcheck": "false", "autocomplete": "off"}
        ),
        help_text=_(
            "One expression, in LaTeX or as you would type it: <code>\\sqrt{2gh}</code> or"
            " <code>sqrt(2*g*h)</code>. Leave out the name before the equals sign."
        ),
    )
