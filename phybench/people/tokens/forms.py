from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from phybench.people.forms import NameField, name_days
from phybench.people.tokens.actions import LONGEST_DAYS
from phybench.people.tokens.models import Scope, Token

DAYS = (7, 30, 90, 180, LONGEST_DAYS)


class TokenForm(forms.ModelForm):
    scopes = forms.MultipleChoiceField(
        label=_("Permissions"),
        choices=Scope.choices,
        initial=[Scope.READ, Scope.SUBMIT],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(
        label=_("It expires after"),
        choices=partial(name_days, DAYS),
        coerce=int,
        initial=90,
    )

    class Meta:
        model = Token
        fields = ["name"]
        field_classes = {"name": NameField}

    field_order = ["name", "scopes", "days"]

    def read(self) -> dict[str, Any]:
        """Return what `actions.make` takes."""
        return {name: self.cleaned_data[name] for name in ("name", "scopes", "days")}
