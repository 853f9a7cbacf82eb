"""What is filled in to reopen a problem."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.problems.fields import SourceField


class ReopenForm(forms.Form):
    reason = SourceField(
        label=_("Why you reopen it"),
        max_length=2000,
        classes="",
        rows=4,
        help_text=_("Kept in the history. The author reads it."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["reason"].required = True
