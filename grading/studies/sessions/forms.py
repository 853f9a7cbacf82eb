"""What is filled in to take part, for practice, and to hand in."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from grading.studies.models import Study
from grading.studies.sessions import practice
from phybench.people.forms import UncutField

YES_OR_NO = [("yes", _("Yes")), ("no", _("No"))]
LONGEST_ANSWER = 2000


class JoinForm(forms.Form):
    """Consent, what is attested, and the study's own questions."""

    def __init__(self, study: Study, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.study = study
        for number, question in enumerate(study.questions):
            self.fields[f"question_{number}"] = _make_field(question)
        self.fields["consents"] = forms.BooleanField(
            label=_("I have read this, and I take part"),
            error_messages={"required": _("You take part only with your consent.")},
        )
        if study.attestation.strip():
            self.fields["attests"] = forms.BooleanField(
                label=study.attestation,
                error_messages={"required": _("This study asks everybody to attest this.")},
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for number, question in enumerate(self.study.questions):
            given = cleaned.get(f"question_{number}")
            if question.get("needs_yes") and given == "no":
                self.add_error(
                    f"question_{number}",
                    _("This study takes only people who can say yes here."),
                )
        return cleaned

    def list_answers(self) -> dict[str, str]:
        """Return the answers to the study's questions, by question."""
        return {
            str(question["ask"]): _write(self.cleaned_data.get(f"question_{number}"))
            for number, question in enumerate(self.study.questions)
        }


def _write(answer: object) -> str:
    return "" if answer is None else str(answer)


def _make_field(question: dict[str, object]) -> forms.Field:
    label = str(question["ask"])
    match question.get("kind"):
        case "YES":
            return forms.ChoiceField(label=label, choices=YES_OR_NO, widget=forms.RadioSelect)
        case "NUMBER":
            return forms.FloatField(label=label, required=False)
        case "CHOICE":
            offered = question.get("choices")
            choices = [str(one) for one in offered] if isinstance(offered, list) else []
            return forms.ChoiceField(
                label=label, choices=[(one, one) for one in choices], widget=forms.RadioSelect
            )
        case _:
            return UncutField(label=label, max_length=LONGEST_ANSWER, required=False)


class WhyForm(forms.Form):
    """Why an admin leaves somebody out, or has a late answer count."""

    why = UncutField(label=_("Why"), max_length=500)


def read_why(sent: Mapping[str, Any]) -> str:
    """Return a reason, or "" where none is given that can be kept."""
    form = WhyForm(sent)
    return str(form.cleaned_data["why"]) if form.is_valid() else ""


class PracticeForm(forms.Form):
    response = UncutField(
        label=_("Your answer"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false", "autocapitalize": "off"}),
    )
    choice = forms.ChoiceField(
        label=_("How is “g h / 2 v” read?"),
        choices=practice.CHOICES,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose how it is read. Type it above to find out.")},
    )

    def clean_response(self) -> str:
        response = str(self.cleaned_data["response"])
        is_right = practice.is_right(response)
        if is_right is None:
            raise forms.ValidationError(_("This takes too long to read. Write it shorter."))
        if not is_right:
            raise forms.ValidationError(
                _("This is not √(2gh), or is read otherwise: compare with “Read as” below.")
            )
        return response

    def clean_choice(self) -> str:
        choice = str(self.cleaned_data["choice"])
        if choice != practice.find_right_choice():
            raise forms.ValidationError(
                _("It is read the other way. Type it above and look at “Read as”.")
            )
        return choice
