"""What somebody fills in of one problem after their session."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from grading.studies.debriefings.models import Debriefing
from phybench.people.forms import UncutField

RATED = ("clarity", "rigour")
OF_KEY = ("key_opinion", "cause")
CHOICES: dict[str, list[tuple[Any, Any]]] = {
    **dict.fromkeys(RATED, Debriefing.Rating.choices),
    "key_opinion": Debriefing.KeyOpinion.choices,
    "cause": Debriefing.Cause.choices,
}


class DebriefingForm(forms.ModelForm):
    """Ratings; where the key is shown what they think of it, and of a wrong answer why."""

    class Meta:
        model = Debriefing
        fields = (*RATED, *OF_KEY, "comment")
        field_classes = {"comment": UncutField}
        widgets = {
            **dict.fromkeys((*RATED, *OF_KEY), forms.RadioSelect),
            "comment": forms.Textarea(attrs={"rows": 2}),
        }

    def __init__(self, *args: Any, shows_key: bool, is_wrong: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, choices in CHOICES.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", _("not said")), *choices]
        if not shows_key:
            del self.fields["key_opinion"]
        if not (shows_key and is_wrong):
            del self.fields["cause"]
