"""What is filled in of an unreadable answer."""

from django import forms
from django.utils.translation import gettext_lazy as _

from grading.studies.repairs.actions import LONGEST
from phybench.people.forms import UncutField


class RepairForm(forms.Form):
    meant = UncutField(
        label=_("What was meant"),
        max_length=LONGEST,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=_(
            "Write the same answer in a form that the grader can read. Do not correct the physics."
        ),
    )
