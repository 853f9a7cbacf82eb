"""What an admin fills in to freeze a panel."""

from django import forms
from django.utils.translation import gettext_lazy as _


class FreezeForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the panel"),
        max_length=100,
        help_text=_("Public: shown beside the figures."),
    )
