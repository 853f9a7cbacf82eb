"""When somebody wants which e-mails: one choice a kind."""

from typing import Any

from django import forms

from phybench.news.mails.choosing import find_choices
from phybench.news.mails.kinds import MailKind, list_kinds_for
from phybench.news.mails.models import When
from phybench.people.models import User


class MailForm(forms.Form):
    def __init__(self, person: User, data: Any = None) -> None:
        super().__init__(data)
        self.kinds = {kind.name: kind for kind in list_kinds_for(person)}
        for kind in self.kinds.values():
            self.fields[kind.name] = forms.ChoiceField(
                label=kind.label,
                choices=[(one.value, one.label) for one in kind.choices],
                initial=find_choices([person.pk], kind)[person.pk],
                widget=forms.RadioSelect,
            )

    def list_chosen(self) -> list[tuple[MailKind, When]]:
        return [(kind, When(self.cleaned_data[name])) for name, kind in self.kinds.items()]
