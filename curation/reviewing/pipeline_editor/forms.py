"""What an admin fills in of how a benchmark is reviewed: the plan, its stages, their questions."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.problems.fields import SourceField
from curation.reviewing.assignments.actions import describe_settings
from curation.reviewing.pipelines.models import Pipeline, ReviewSettings, Stage, StageTerms
from curation.reviewing.pipelines.shipped import make_pipeline
from curation.texts.review_kinds import QuestionKind
from curation.texts.stage_texts import PLANS, say

MOST_REVIEWS = 50
MOST_DAYS = 365
MOST_QUESTIONS = 20
EMPTY_ROWS = 2
"""For new questions, below those that are there."""


class PipelineForm(forms.ModelForm):
    class Meta:
        model = Pipeline
        fields = ["name"]
        error_messages = {"name": {"unique": _("Another plan has this name.")}}


class NewPipelineForm(PipelineForm):
    copied_from = forms.ModelChoiceField(
        Pipeline.objects.all(),
        label=_("Start from"),
        required=False,
        empty_label=_("nothing"),
        help_text=_("The stages and questions of that plan are copied; it is not changed."),
    )


class StageForm(forms.ModelForm):
    """All that a stage asks for; the rounds that open from now on go by it."""

    instructions = SourceField(
        label=_("Instructions"),
        max_length=5000,
        classes="",
        rows=4,
        help_text=_("What reviewers should check. Markdown, formulas as $…$."),
    )
    solves_needed = forms.IntegerField(
        label=_("Blind solves that must agree"),
        min_value=0,
        max_value=MOST_REVIEWS,
        help_text=_(
            "Only for the rule that counts blind solves: how many must agree. Otherwise 0."
        ),
    )
    reviews_needed = forms.IntegerField(
        label=_("Reviews needed"),
        min_value=1,
        max_value=MOST_REVIEWS,
        required=False,
    )
    due_days = forms.IntegerField(
        label=_("Due after days"), min_value=1, max_value=MOST_DAYS, required=False
    )

    class Meta:
        model = Stage
        # Every term there is, so that a new one is on the page without a word here.
        fields = [
            *(field.name for field in StageTerms._meta.fields),
            *("reviews_needed", "due_days", "asks_again"),
        ]
        widgets = {"rule": forms.RadioSelect, "reveals_others": forms.RadioSelect}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        usual = _("If you leave this empty, %(count)d is used.")
        self.fields["reviews_needed"].help_text = usual % {"count": Stage().count_needed()}


class QuestionForm(forms.Form):
    id = forms.IntegerField(required=False, widget=forms.HiddenInput)
    text = forms.CharField(label=_("Question"), max_length=200)
    kind = forms.ChoiceField(
        label=_("Answered by"), choices=QuestionKind, initial=QuestionKind.YES_NO
    )
    is_required = forms.BooleanField(label=_("Needs an answer"), required=False, initial=True)


class _Questions(forms.BaseFormSet):
    def add_fields(self, form: forms.Form, index: int | None) -> None:
        super().add_fields(form, index)
        form.fields["ORDER"].label = _("Place")
        form.fields["DELETE"].label = _("Delete it")


QuestionFormSet = forms.formset_factory(
    QuestionForm,
    formset=_Questions,
    extra=EMPTY_ROWS,
    can_order=True,
    can_delete=True,
    max_num=MOST_QUESTIONS,
    validate_max=True,
    absolute_max=MOST_QUESTIONS + EMPTY_ROWS,
)


def read_questions(formset: forms.BaseFormSet) -> list[dict[str, Any]]:
    """Return the questions that are to be there, in their order."""
    return [form.cleaned_data for form in formset.ordered_forms if form.cleaned_data.get("text")]


class ReviewSettingsForm(forms.Form):
    """How the problems of a benchmark are reviewed."""

    plan = forms.ChoiceField(label=_("Review plan"), widget=forms.RadioSelect)
    institutions_conflict = forms.BooleanField(
        label=_("People of one institution must not review each other’s problems"),
        required=False,
        help_text=_(
            "Reviewers and deciding admins then have a conflict of interest with each author "
            "and co-author of their institution. The institutions of the last two years count."
        ),
    )
    known = forms.CharField(widget=forms.HiddenInput, required=False)
    """What the page showed, so that the second of two admins is told of the first."""

    def __init__(self, *args: Any, review: ReviewSettings, **options: Any) -> None:
        super().__init__(*args, **options)
        own = Pipeline.objects.exclude(name__in=PLANS).filter(stages__isnull=False).distinct()
        self.fields["plan"].choices = [  # type: ignore[attr-defined]
            *((name, say(name)) for name in PLANS),
            *((str(one.pk), str(one)) for one in own),
        ]
        chosen = review.pipeline
        if chosen:
            self.fields["plan"].initial = chosen.name if chosen.name in PLANS else str(chosen.pk)
        self.fields["institutions_conflict"].initial = review.institutions_conflict
        self.fields["known"].initial = describe_settings(review)

    def read(self) -> dict[str, Any]:
        """Return what `set_review` takes."""
        said = dict(self.cleaned_data)
        plan = said.pop("plan")
        is_own = plan not in PLANS
        return {
            **said,
            "pipeline": Pipeline.objects.get(pk=plan) if is_own else make_pipeline(plan),
        }
