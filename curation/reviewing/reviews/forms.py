"""What people fill in to solve blind, and to review."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from curation.problems.fields import SourceField
from curation.reviewing.pipelines.models import VersionQuestion
from curation.reviewing.rounds.models import Review
from curation.reviewing.rounds.solves.models import ReviewDraft, SolveKind
from curation.texts.review_kinds import QuestionKind, find_kind
from curation.texts.workflow import Recommendation


def with_numbers(field: forms.BoundField) -> list[tuple[Any, str]]:
    """Return a field's choices, each with the number key that picks it."""
    return [(choice, str(number)) for number, choice in enumerate(field, start=1)]


DRAFT_FIELDS = frozenset({"draft_saved_at"})
"""Of a form that is kept while somebody types: what is about the draft, not in it."""


def make_draft_field() -> forms.CharField:
    """When the draft that the page began with had been saved."""
    return forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)


LONGEST_NOTE = 5000


def make_note_field() -> SourceField:
    return SourceField(
        label=_("Note to the admins"),
        max_length=LONGEST_NOTE,
        classes="short",
        rows=2,
        help_text=_("Only admins can read it, not the author or other reviewers."),
    )


class SolveForm(forms.Form):
    """A reviewer's own answer, or why there is none."""

    kind = forms.ChoiceField(
        label=_("Your result"),
        choices=SolveKind,
        initial=SolveKind.ANSWER,
        widget=forms.RadioSelect,
    )
    answer = SourceField(
        label=_("Your answer"),
        max_length=4096,
        rows=2,
        help_text=_("LaTeX, or as on paper: sqrt(2*g*h). It is graded at once."),
    )
    reason = SourceField(
        label=_("Why you give no answer"),
        max_length=2000,
        classes="",
        rows=3,
        help_text=_("What is ambiguous, where you got stuck, or what the figure would show."),
    )
    note = make_note_field()
    draft_saved_at = make_draft_field()

    def read(self) -> dict[str, Any]:
        """Return what `solve_blind` takes."""
        return {name: self.cleaned_data[name] for name in ("kind", "answer", "reason")}

    def list_kinds(self) -> list[tuple[Any, str]]:
        return with_numbers(self["kind"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        kind = cleaned.get("kind")
        if kind == SolveKind.ANSWER and not cleaned.get("answer", "").strip():
            self.add_error("answer", _("Write your answer, or choose why you give none."))
        if kind and kind != SolveKind.ANSWER and not cleaned.get("reason", "").strip():
            self.add_error("reason", _("Say why, so that the author can fix it."))
        return cleaned


class ReviewForm(forms.Form):
    """A recommendation, and answers to the questions of the round."""

    replaces = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    recommendation = forms.ChoiceField(
        label=_("Your recommendation"),
        choices=[
            (Recommendation.ACCEPT, _("Accept")),
            (Recommendation.REVISE, _("Revise: return to the author")),
            (Recommendation.REJECT, _("Reject: not for this benchmark")),
        ],
        widget=forms.RadioSelect,
    )
    comment = SourceField(
        label=_("Reasons"),
        max_length=5000,
        classes="short",
        rows=3,
        help_text=_(
            "The author can read them once the stage is closed. Required unless you accept. "
            "Formulas as $…$."
        ),
    )
    note = make_note_field()
    draft_saved_at = make_draft_field()

    def __init__(self, *args: Any, questions: Iterable[VersionQuestion], **options: Any) -> None:
        super().__init__(*args, **options)
        self.questions = list(questions)
        self.fields["comment"].widget.attrs["data-key"] = "m"
        for question in self.questions:
            self.fields[f"question_{question.key}"] = _make_field(question)
        self.order_fields([f"question_{question.key}" for question in self.questions])

    def list_questions(self) -> list[tuple[forms.BoundField, list[tuple[Any, str]]]]:
        """
        Return each question's field and its choices.

        They have no keys of their own: a row of letters for each would lie elsewhere on a keyboard
        that is not QWERTY, and the arrows choose among them on any.
        """
        fields = (self[f"question_{question.key}"] for question in self.questions)
        return [(field, [(choice, "") for choice in field]) for field in fields]

    def asks_yes_or_no(self) -> bool:
        """Whether there are several such questions, so that one button answers them all."""
        return sum(one.kind == QuestionKind.YES_NO for one in self.questions) > 1

    def list_recommendations(self) -> list[tuple[Any, str]]:
        return with_numbers(self["recommendation"])

    def read(self) -> dict[str, Any]:
        """Return what `submit_review` takes."""
        cleaned = self.cleaned_data
        answers = {question.key: cleaned[f"question_{question.key}"] for question in self.questions}
        return {
            "recommendation": cleaned["recommendation"],
            "comment": cleaned["comment"],
            "note": cleaned["note"],
            "answers": {key: given for key, given in answers.items() if given is not None},
            "replaces": cleaned["replaces"] or 0,
        }

    @staticmethod
    def fill_from(review: Review, questions: Iterable[VersionQuestion]) -> dict[str, Any]:
        """Return a review of the round as what to begin with."""
        answers = {
            f"question_{one.key}": find_kind(one.kind).fill(review.answers[one.key])
            for one in questions
            if one.key in review.answers
        }
        return {
            "recommendation": review.recommendation,
            "comment": review.comment,
            "replaces": review.number,
            **answers,
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        recommendation = cleaned.get("recommendation")
        if (
            recommendation
            and recommendation != Recommendation.ACCEPT
            and not cleaned.get("comment")
        ):
            self.add_error(
                "comment",
                _(
                    "Say here what the author should change, or why you reject the problem. "
                    "Messages beside the text are not enough: a recommendation is stored with its "
                    "own reasons."
                ),
            )
            if len(self.errors) == 1:
                # The end of a long form: what is wrong would be out of sight.
                self.fields["comment"].widget.attrs["autofocus"] = True
        return cleaned


def make_form(questions: Iterable[VersionQuestion], kind: str, data: Any = None) -> forms.Form:
    """Return the form of which `kind` of draft something is."""
    if kind == ReviewDraft.Kind.SOLVE:
        return SolveForm(data)
    return ReviewForm(data, questions=questions)


def read_typed(questions: Iterable[VersionQuestion], kind: str, data: QueryDict) -> dict[str, str]:
    """Return what stands in the fields of a form, right or wrong, with one kind of line end."""
    names = make_form(questions, kind).fields.keys() - DRAFT_FIELDS
    return {name: data.get(name, "").replace("\r\n", "\n") for name in sorted(names)}


def _make_field(question: VersionQuestion) -> forms.Field:
    kind = find_kind(question.kind)
    return forms.TypedChoiceField(
        label=str(question),
        choices=list(kind.labels.items()),
        coerce=kind.answers.__getitem__,
        empty_value=None,
        required=question.is_required,
        widget=forms.RadioSelect,
        error_messages={"required": _("Answer this question.")},
    )
