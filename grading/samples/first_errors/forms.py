"""What is filled in to draw a sample, to label a first error, and to settle one."""

from typing import Any

from django import forms
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from grading.samples.first_errors.models import ERRORS, LONGEST_PASSAGE, Kind
from grading.samples.first_errors.passages import NotOnce, NotThere, find_passage
from phybench.people.forms import UncutField


class PassageForm(forms.Form):
    """The kind of the first error, and the words of the response in which it stands."""

    choice = forms.ChoiceField(
        label=_("The first error is"),
        choices=Kind.choices,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose one of the six.")},
    )
    passage = UncutField(
        label=_("Passage"),
        required=False,
        max_length=LONGEST_PASSAGE,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3, "class": "code", "data-key": "e"}),
        help_text=_(
            "The first three kinds need it. Select the words in the source of the "
            "response and copy them here, or type them exactly as they are there."
        ),
    )
    start = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(self, response: str, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.response = response

    def list_choices(self) -> list[tuple[forms.boundfield.BoundWidget, str]]:
        """Return the choices, each with the key that picks it."""
        return [(choice, str(key)) for key, choice in enumerate(self["choice"], start=1)]

    def clean(self) -> dict[str, Any]:
        """Find the passage in the response; an error needs one."""
        cleaned: dict[str, Any] = self.cleaned_data
        words = cleaned.get("passage", "")
        start = cleaned.pop("start", None)
        if not words.strip():
            if cleaned.get("choice") in ERRORS and not self.has_error("passage"):
                self.add_error("passage", __("Say where the error is: select its words."))
            return {**cleaned, "passage": "", "start": None}
        try:
            found = find_passage(self.response, words, start)
        except NotThere:
            self.add_error("passage", __("These words are not in the response. Select them there."))
        except NotOnce:
            self.add_error(
                "passage",
                __(
                    "These words occur more than once in the response. Select them there, or add "
                    "the words before them."
                ),
            )
        else:
            return {**cleaned, "passage": found.text, "start": found.start}
        return cleaned


class LabelForm(PassageForm):
    comment = UncutField(
        label=_("Comment"),
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2, "data-key": "c"}),
        help_text=_("What is wrong there. The person who adjudicates reads it."),
    )


class AdjudicationForm(PassageForm):
    reason = UncutField(
        label=_("Why"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4, "data-key": "w"}),
        help_text=_("A sentence or two. It is kept with the answer and can’t be changed."),
    )
