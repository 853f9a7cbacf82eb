"""What is filled in to plan a study."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from grading.studies.models import Study
from grading.studies.questions import read_questions, write_questions
from grading.studies.reporting import SAID_ANY_TIME
from phybench.people.forms import UncutField
from phybench_grader.statistics.power import Design, find_detectable

GROUPS = (
    (
        _("The session"),
        (
            *("title", "language", "problems", "minutes", "opens_at", "closes_at"),
            *("joining", "most_people"),
        ),
    ),
    (
        _("What people read and say"),
        ("consent", "questions_text", "allowed_aids", "attestation", "pauses"),
    ),
    (_("Afterwards"), ("completion_code", "shows_results", "shows_keys", "shows_at_once")),
    (
        _("For the report"),
        ("population", "recruitment", "pay", "ethics", "authors_part"),
    ),
    (
        _("What is fixed beforehand"),
        (
            *("hypothesis", "exclusions", "leaves_out", "least_minutes", "analysis", "why"),
            *("expected_accuracy", "person_correlation", "problem_correlation"),
        ),
    ),
)
ROWS = {
    "consent": 8,
    **dict.fromkeys(("allowed_aids", "attestation", "pauses"), 2),
    **dict.fromkeys(("population", "recruitment", "pay", "ethics"), 2),
    **dict.fromkeys(("hypothesis", "exclusions", "analysis"), 3),
}
"""Fields of text, and how many lines they show."""
IN_REPORT = [one for one in SAID_ANY_TIME if one not in ("paper", "venue", "data")]
"""Of these those that are texts of several lines."""
FIELDS = (
    *("title", "language", "problems", "minutes", "opens_at", "closes_at"),
    *("joining", "most_people", "consent", "allowed_aids", "attestation", "pauses"),
    *("completion_code", "shows_results", "shows_keys", "shows_at_once"),
    *("population", "recruitment", "pay", "ethics", "authors_part"),
    *("hypothesis", "exclusions", "analysis"),
    *("expected_accuracy", "person_correlation", "problem_correlation"),
)


class StudyForm(forms.ModelForm):
    """A study as it is planned, with the difference that it would detect."""

    questions_text = UncutField(
        label=_("Questions about eligibility and background"),
        max_length=5000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_(
            "One per line. End each with the form of its answer in brackets: "
            "<code>[must be yes]</code>, <code>[yes/no]</code>, <code>[number]</code>, "
            "<code>[one | two | three]</code>. Without brackets, the answer is a text."
        ),
    )
    leaves_out = forms.MultipleChoiceField(
        label=_("Leave out people who"),
        choices=[
            one
            for one in Study.Rule.choices
            if one[0] not in (Study.Rule.SHORT, Study.Rule.SHOWN, Study.Rule.BY_HAND)
        ],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("The report shows each result with and without each rule."),
    )
    least_minutes = forms.IntegerField(
        label=_("or worked for fewer minutes than"), min_value=1, required=False
    )
    why = UncutField(
        label=_("Reason for the change"),
        max_length=500,
        required=False,
        help_text=_(
            "At least one person has started, so the report lists this change as a deviation."
        ),
    )

    class Meta:
        model = Study
        fields = FIELDS
        field_classes = dict.fromkeys(ROWS, UncutField)
        widgets = {
            **{name: forms.Textarea(attrs={"rows": rows}) for name, rows in ROWS.items()},
            **{
                name: forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
                for name in ("opens_at", "closes_at")
            },
        }
        help_texts = {
            "opens_at": _("Date and time in UTC."),
            "closes_at": _("Date and time in UTC."),
        }

    def __init__(self, *args: Any, pool: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pool = pool
        rules = self.instance.rules
        self.initial.update(
            questions_text=write_questions(self.instance.questions),
            leaves_out=[name for name in rules if name != Study.Rule.SHORT],
            least_minutes=rules.get(Study.Rule.SHORT),
        )
        if not self.instance.is_frozen:
            del self.fields["why"]

    def list_groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the fields under their headings."""
        return [
            (str(heading), [self[name] for name in names if name in self.fields])
            for heading, names in GROUPS
        ]

    def clean_problems(self) -> int:
        problems = int(self.cleaned_data["problems"])
        if problems > self.pool:
            raise forms.ValidationError(
                ngettext(
                    "The version has %(count)d public problem. Ask for that many at most.",
                    "The version has %(count)d public problems. Ask for that many at most.",
                    self.pool,
                )
                % {"count": self.pool}
            )
        return problems

    def _post_clean(self) -> None:
        # The row stays as it is: what changes goes through the actions, which keep deviations.
        pass

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        opens, closes = cleaned.get("opens_at"), cleaned.get("closes_at")
        if opens and closes and opens >= closes:
            self.add_error("closes_at", _("The last day is before the first one."))
        for name in ("person_correlation", "problem_correlation"):
            if cleaned.get(name) is not None and not 0 <= cleaned[name] <= 1:
                self.add_error(name, _("Between 0 and 1."))
        together = [cleaned.get(f"{one}_correlation") or 0 for one in ("person", "problem")]
        if all(0 <= one <= 1 for one in together) and sum(together) > 1:
            message = _("The two correlations can add up to 1 at most.")
            self.add_error("problem_correlation", message)
        accuracy = cleaned.get("expected_accuracy")
        if accuracy is not None and not 1 <= accuracy <= 99:
            self.add_error("expected_accuracy", _("Between 1 and 99 %."))
        return cleaned

    def list_fields(self) -> dict[str, Any]:
        """Return what the actions take: fields of the row."""
        said = {name: self.cleaned_data[name] for name in FIELDS}
        rules = dict.fromkeys(self.cleaned_data["leaves_out"], 1)
        if self.cleaned_data["least_minutes"]:
            rules[Study.Rule.SHORT] = self.cleaned_data["least_minutes"]
        said["rules"] = rules
        said["questions"] = read_questions(self.cleaned_data["questions_text"])
        return said

    def list_detectable(self) -> list[tuple[int, float | None]]:
        """Return the smallest difference that is detected by half, as many and twice as many."""
        people = self._find_said().get("most_people") or 0
        counts = sorted({one for one in (people // 2, people, 2 * people) if one > 1})
        return [(count, self._find_detectable(count)) for count in counts]

    def _find_said(self) -> dict[str, Any]:
        """Return what was sent, or what the form begins with."""
        return self.cleaned_data if self.is_bound else dict(self.initial)

    def _find_detectable(self, people: int) -> float | None:
        said = self._find_said()
        try:
            design = Design(
                people=people,
                each=said["problems"],
                pool=self.pool,
                accuracy=said["expected_accuracy"],
                person_correlation=said["person_correlation"],
                problem_correlation=said["problem_correlation"],
            )
        except (KeyError, TypeError, ValueError):
            return None
        return find_detectable(design)


class ReportForm(forms.ModelForm):
    """What only the report of a study needs; it can be said when the study has ended, too."""

    class Meta:
        model = Study
        fields = SAID_ANY_TIME
        field_classes = dict.fromkeys(IN_REPORT, UncutField)
        widgets = dict.fromkeys(IN_REPORT, forms.Textarea(attrs={"rows": 2}))

    def _post_clean(self) -> None:
        # The row is changed by the action.
        pass


class InviteForm(forms.Form):
    """Addresses of people who have an account with the role of a participant."""

    addresses = UncutField(
        label=_("E-mail addresses"),
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("One per line, or separated by commas."),
    )

    def clean_addresses(self) -> list[str]:
        text = str(self.cleaned_data["addresses"])
        return [one for one in text.replace(",", " ").replace(";", " ").split() if "@" in one]
