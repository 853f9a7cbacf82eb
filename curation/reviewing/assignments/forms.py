"""What people fill in to say who reviews what."""

from datetime import UTC, datetime, time
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.fields import SourceField
from curation.problems.models import PhysicsField, Problem
from curation.reviewing.assignments.distribution import DistributionRule, Weight
from phybench.people.models import Language, User
from phybench.people.permissions import list_judges, list_reviewers

FIELDS_OF_EXPERTISE = [
    (one.value, one.label) for one in PhysicsField if one is not PhysicsField.OTHER
]


class AssignForm(forms.Form):
    """Whom to ask for the reviews chosen, until when."""

    reviewer = forms.ModelChoiceField(
        queryset=User.objects.none(),
        error_messages={
            "required": _("Choose a reviewer."),
            "invalid_choice": _("They are no longer a reviewer. Choose someone else."),
        },
    )
    due_on = forms.DateField(
        label=_("Due on"),
        required=False,
        widget=forms.DateInput({"type": "date"}),
        help_text=_(
            "Until the end of that day (UTC). If empty, the stage says how many days there are."
        ),
    )
    reason = SourceField(
        label=_("Why it is withdrawn from the other reviewer"),
        max_length=1000,
        classes="",
        rows=3,
        required=True,
    )
    exceeds = forms.BooleanField(
        label=_("Ask even if the stage has enough reviewers, or the person holds enough reviews"),
        required=False,
    )

    def __init__(self, *args: Any, is_passed_on: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        reviewers = list_reviewers()
        self.fields["reviewer"].queryset = reviewers  # type: ignore[attr-defined]
        if not is_passed_on:
            del self.fields["reason"]

    def read(self) -> dict[str, Any]:
        """Return what `assign` takes."""
        said = dict(self.cleaned_data)
        said["due_at"] = said.pop("due_on")
        return said

    def clean_due_on(self) -> datetime | None:
        day = self.cleaned_data["due_on"]
        if day is None:
            return None
        if day < timezone.now().date():
            raise forms.ValidationError(_("This day is in the past. Choose a later one."))
        return datetime.combine(day, time(23, 59, 59), UTC)


class SpreadForm(forms.Form):
    """By what to choose reviewers, and among whom; the fewest open reviews come first anyway."""

    by_domain = forms.ChoiceField(label=_("Field of expertise"), choices=Weight)
    by_language = forms.ChoiceField(label=_("Languages they review in"), choices=Weight)
    people = forms.ModelMultipleChoiceField(
        User.objects.none(),
        label=_("Only these people"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("If no one is ticked, all reviewers are considered."),
    )

    def __init__(self, data: QueryDict) -> None:
        chosen = data.copy()
        for name in ("by_domain", "by_language"):
            chosen.setdefault(name, Weight.FIRST)
        super().__init__(chosen)
        reviewers = list_reviewers().order_by("display_name", "pk")
        self.fields["people"].queryset = reviewers  # type: ignore[attr-defined]

    def read(self) -> DistributionRule:
        return DistributionRule(self.cleaned_data["by_domain"], self.cleaned_data["by_language"])


class PersonField(forms.ModelChoiceField):
    """People as admins tell them apart: several may have one name."""

    def label_from_instance(self, obj: User) -> str:
        return f"{obj} ({obj.email})"


class ConflictForm(forms.Form):
    """Who must not judge what."""

    person = PersonField(label=_("Person"), queryset=User.objects.none())
    problem = forms.CharField(
        label=_("Problem"),
        required=False,
        max_length=40,
        help_text=_("Its identifier, e.g. C12. Or choose an author below."),
    )
    author = PersonField(
        label=_("Author"),
        queryset=User.objects.none(),
        required=False,
        help_text=_("The conflict then covers all problems of this author, also future ones."),
    )
    reason = forms.CharField(label=_("Conflict"), max_length=500)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        people = User.objects.get_queryset().filter(is_active=True).order_by("display_name", "pk")
        judges = list_judges().order_by("display_name", "pk")
        self.fields["person"].queryset = judges  # type: ignore[attr-defined]
        self.fields["author"].queryset = people  # type: ignore[attr-defined]

    def clean_problem(self) -> Problem | None:
        given = self.cleaned_data["problem"].strip()
        if not given:
            return None
        problem = Problem.objects.called(given).first()
        if problem is None:
            raise forms.ValidationError(_("No problem has this identifier."))
        return problem

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and bool(cleaned.get("problem")) is bool(cleaned.get("author")):
            raise forms.ValidationError(_("Give a problem or an author, one of them."))
        return cleaned


class ReviewingProfileForm(forms.ModelForm):
    """What a reviewer says of themself."""

    expertise = forms.MultipleChoiceField(
        label=_("Your fields of expertise"),
        choices=FIELDS_OF_EXPERTISE,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    review_languages = forms.MultipleChoiceField(
        label=_("Languages you review in"),
        choices=Language,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = User
        fields = ["expertise", "review_languages"]
