"""Uploading a file of items, and setting a judge up for it."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from grading.answers.submissions.models import Submission
from grading.judging.engine.choices import BY_ITEM
from grading.judging.engine.documents import MOST_TURNS
from grading.judging.prompts.configurations import Chosen, find_built_in
from grading.judging.prompts.forms import LANGUAGES
from grading.judging.prompts.models import JudgePrompt
from grading.judging.runs.forms import JudgeRunForm
from grading.runs.models import Endpoint
from grading.solvers.models import Organisation, OrganisationQuerySet
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.kinds.kind import JudgeKind

BY_CATEGORY, WITH, WITHOUT = "by_category", "with", "without"
_REFERENCES = {BY_CATEGORY: None, WITH: True, WITHOUT: False}


class UploadForm(forms.Form):
    file = forms.FileField(label=_("File of items"))
    organisation = forms.ModelChoiceField(
        label=_("Team"), queryset=Organisation.objects.none(), empty_label=None
    )

    def __init__(self, organisations: OrganisationQuerySet, *args: Any) -> None:
        super().__init__(*args)
        field = self.fields["organisation"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = organisations
        if len(organisations) == 1:
            field.initial, field.widget = organisations[0], forms.HiddenInput()


class FileRunForm(JudgeRunForm):
    """As for a submission; language, turns and reference answer may be left to each item."""

    field_order = (*JudgeRunForm.field_order, "without_reference", "language", "turns", "reference")

    turns = forms.ChoiceField(
        label=_("Turns of the conversation"),
        choices=[
            (BY_ITEM, _("as many as each item has")),
            *((str(number), str(number)) for number in range(1, MOST_TURNS + 1)),
        ],
        required=False,
    )
    reference = forms.ChoiceField(
        label=_("Reference answer"),
        choices=[
            (BY_CATEGORY, _("if the category of the item needs one")),
            (WITH, _("always")),
            (WITHOUT, _("never")),
        ],
        required=False,
    )

    def __init__(
        self,
        endpoints: Iterable[Endpoint],
        data: Any = None,
        *,
        kind: JudgeKind[Any] | None = None,
    ) -> None:
        super().__init__(endpoints, Submission.objects.none(), data, kind=kind)
        kinds, language = self.fields["kind"], self.fields["language"]
        assert isinstance(kinds, forms.ChoiceField)
        assert isinstance(language, forms.ChoiceField)
        kinds.choices = [(one.code, _(one.name)) for one in KINDS.values() if self.takes(one)]
        if kind is None or len(kind.languages) > 1:
            language.choices = [(BY_ITEM, _("the language of each item")), *LANGUAGES]
            self.initial["language"] = BY_ITEM

    def clean(self) -> dict[str, Any]:
        self.cleaned_data["without_reference"] = self.cleaned_data.get("reference") == WITHOUT
        cleaned = super().clean()
        if cleaned.get("prompt"):
            self._check_prompt(cleaned)
        return cleaned

    def _check_prompt(self, cleaned: dict[str, Any]) -> None:
        """Refuse a prompt that somebody uploaded where the items choose among several."""
        sentence = __("An uploaded prompt is for one way of asking: choose that here.")
        if cleaned.get("language") == BY_ITEM:
            self.add_error("language", sentence)
        if cleaned.get("turns") not in ("", "1"):
            self.add_error("turns", sentence)
        if cleaned.get("reference") == BY_CATEGORY:
            self.add_error("reference", sentence)

    def takes(self, kind: JudgeKind[Any]) -> bool:
        return not kind.compares

    def list_wanted(self, kind: JudgeKind[Any]) -> set[str]:
        wanted = super().list_wanted(kind) - {"without_reference"}
        wanted |= {"turns"} if kind.most_turns > 1 else set()
        return wanted if kind.needs_reference else wanted | {"reference"}

    def find_prompt(self) -> JudgePrompt:
        document = self.write_document([])
        is_by_item = document["language"] == BY_ITEM
        prompt: JudgePrompt = self.cleaned_data["prompt"] or find_built_in(
            self.cleaned_data["kind"],
            "en" if is_by_item else document["language"],
            with_reference=document["with_reference"] is not False,
            includes_thinking=self.cleaned_data["includes_thinking"],
            turns=1 if document["turns"] == BY_ITEM else document["turns"],
        )
        return prompt

    def write_document(self, judges: list[Chosen]) -> dict[str, Any]:
        kind, cleaned = KINDS[self.cleaned_data["kind"]], self.cleaned_data
        turns = cleaned["turns"] if kind.most_turns > 1 else ""
        return {
            **super().write_document(judges),
            "turns": BY_ITEM if turns == BY_ITEM else int(turns or 1),
            "with_reference": (
                True if kind.needs_reference else _REFERENCES.get(cleaned["reference"], True)
            ),
        }
