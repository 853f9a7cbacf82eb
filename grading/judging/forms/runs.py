"""Setting a judge up: which one, with which words, asked of whom, for how much."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from grading.answers.models import Submission
from grading.calling.forms import plain
from grading.calling.models import Endpoint
from grading.judges import Mode
from grading.judging.actions import LARGEST_PROMPT, Plan
from grading.judging.engine.configuration import MOST_JUDGES
from grading.judging.models.configurations import JudgeKind, JudgePrompt
from grading.judging.models.runs import JudgeRun
from grading.judging.setup import Chosen, find_built_in

MODES = [
    (Mode.CASCADE, _("rules first, the model where they don’t decide")),
    (Mode.MODEL_WITH_RULE_CHECK, _("the model; where the rules say otherwise a person looks")),
    (Mode.MODEL_ONLY, _("the model alone")),
    (Mode.RULE_ONLY, _("the rules alone, with no model and no cost")),
]
LANGUAGES = [("en", _("English")), ("de", _("German")), ("fi", _("Finnish"))]
MOST_REPEATS = 9
WITHOUT_REFERENCE = {JudgeKind.RATING, JudgeKind.PAIRWISE}
"""Judges that can do without one."""


class SubmissionField(forms.ModelChoiceField):
    def label_from_instance(self, obj: Submission) -> str:
        """Tell apart those of one solver."""
        return f"{obj.solver} (#{obj.pk}, {obj.created_at:%Y-%m-%d}, {obj.file_name})"


class PromptField(forms.ModelChoiceField):
    def label_from_instance(self, obj: JudgePrompt) -> str:
        """Say what each is for: another judge or language can't use it."""
        parts = [str(obj.get_kind_display()), str(dict(LANGUAGES)[obj.language])]
        if not obj.with_reference:
            parts.append(__("without the reference"))
        return f"{obj} ({', '.join(parts)})"


class JudgeRunForm(forms.Form):
    kind = forms.ChoiceField(
        label=_("Judge"),
        choices=JudgeKind.choices,
        help_text=_(
            "The semantic matcher says right or wrong; the rating judge gives 1 to 10; the process"
            " judge scores the solution beside the reference solution; the pairwise judge says"
            " which of two solutions is better."
        ),
    )
    other = SubmissionField(
        label=_("Compared with"),
        queryset=Submission.objects.none(),
        required=False,
        empty_label=_("nothing: this submission by itself"),
        help_text=_(
            "For the pairwise judge: another submission of this benchmark. Each pair is asked about"
            " twice, with the solutions exchanged."
        ),
    )
    mode = forms.ChoiceField(
        label=_("Mode of the semantic matcher"), choices=MODES, initial=Mode.MODEL_WITH_RULE_CHECK
    )
    asks_on_mismatch = forms.BooleanField(
        label=_("Ask the model, too, where the rules find an answer wrong"),
        required=False,
        help_text=_("Where the rules come first."),
    )
    includes_thinking = forms.BooleanField(
        label=_("Show the semantic matcher what the solver thought, too"),
        required=False,
        help_text=_("What stands in a block of thinking is left out otherwise."),
    )
    without_reference = forms.BooleanField(
        label=_("Without the reference answer"),
        required=False,
        help_text=_("The rating judge and the pairwise judge can do without it."),
    )
    language = forms.ChoiceField(
        label=_("Language of the prompt"),
        choices=LANGUAGES,
        help_text=_("German and Finnish are there for the rating judge."),
    )
    prompt = PromptField(
        label=_("Prompt"),
        queryset=JudgePrompt.objects.none(),
        required=False,
        empty_label=_("our own, for this judge and language"),
    )
    models = forms.MultipleChoiceField(
        label=_("Models that judge"),
        choices=(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Several are a panel: the majority, or the median, counts."),
    )
    repeats = forms.IntegerField(
        label=_("Times that each is asked"), min_value=1, max_value=MOST_REPEATS, initial=1
    )
    max_tokens = forms.IntegerField(
        label=_("Tokens of the longest reply"), min_value=100, max_value=100_000, initial=4000
    )
    purpose = forms.CharField(
        label=_("Why this judge"),
        max_length=300,
        help_text=_("For those who read the run later."),
    )
    most_calls = forms.IntegerField(
        label=_("Calls at most"), min_value=1, max_value=1_000_000, required=False
    )
    most_money = forms.DecimalField(
        label=_("Money at most"),
        min_value=0,
        max_digits=12,
        decimal_places=4,
        required=False,
        help_text=_("In the endpoint’s currency. A run that has spent it is paused."),
    )
    is_fresh = forms.BooleanField(
        label=_("Ask again what the same judge has answered already"), required=False
    )

    def __init__(
        self, endpoints: Iterable[Endpoint], others: QuerySet[Submission], data: Any = None
    ) -> None:
        super().__init__(data)
        compared = self.fields["other"]
        assert isinstance(compared, forms.ModelChoiceField)
        compared.queryset = others
        self.endpoints = list(endpoints)
        choices = [
            (f"{endpoint.pk}|{model}", f"{model} ({endpoint.name})")
            for endpoint in self.endpoints
            for model in endpoint.offered
        ]
        models = self.fields["models"]
        assert isinstance(models, forms.MultipleChoiceField)
        models.choices = choices
        prompts = self.fields["prompt"]
        assert isinstance(prompts, forms.ModelChoiceField)
        prompts.queryset = JudgePrompt.objects.filter(released_at__isnull=False, is_built_in=False)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        # What goes together can be told once each of these is something. From a copy: a field that
        # is refused leaves the dictionary.
        if {"kind", "other", "mode", "language", "models"} <= cleaned.keys():
            self._check_together(dict(cleaned))
        return cleaned

    def _check_together(self, cleaned: dict[str, Any]) -> None:
        is_semantic = cleaned["kind"] == JudgeKind.SEMANTIC
        is_asking = not is_semantic or cleaned["mode"] != Mode.RULE_ONLY
        chosen = cleaned["models"]
        if is_asking and not chosen:
            self.add_error("models", __("Choose at least one model."))
        if not is_asking and chosen:
            self.add_error("models", __("The rules alone ask no model: choose none, or a mode."))
        if len(chosen) > MOST_JUDGES:
            self.add_error("models", __("Choose at most %(most)d models.") % {"most": MOST_JUDGES})
        if cleaned["kind"] == JudgeKind.PAIRWISE and not cleaned["other"]:
            self.add_error("other", __("Choose what the pairwise judge compares it with."))
        if cleaned["kind"] != JudgeKind.PAIRWISE and cleaned["other"]:
            self.add_error("other", __("Only the pairwise judge compares: choose it, or nothing."))
        if cleaned["kind"] != JudgeKind.RATING and cleaned["language"] != "en":
            self.add_error("language", __("This judge’s prompts are in English: choose that."))
        if cleaned["without_reference"] and cleaned["kind"] not in WITHOUT_REFERENCE:
            self.add_error("without_reference", __("This judge compares with the reference."))
        if cleaned["includes_thinking"] and not is_semantic:
            self.add_error("includes_thinking", __("This is for the semantic matcher alone."))
        if cleaned["asks_on_mismatch"] and (not is_semantic or cleaned["mode"] != Mode.CASCADE):
            self.add_error("asks_on_mismatch", __("This is for rules that come first."))
        prompt = cleaned.get("prompt")
        if prompt and (prompt.kind, prompt.language) != (cleaned["kind"], cleaned["language"]):
            self.add_error("prompt", __("This prompt is for another judge or language."))
        elif prompt and prompt.with_reference == cleaned["without_reference"]:
            says = __("This prompt is for judging with the reference.")
            without = __("This prompt is for judging without the reference.")
            self.add_error("prompt", says if prompt.with_reference else without)
        if cleaned.get("most_money") and len({one.endpoint.currency for one in self.judges()}) > 1:
            self.add_error(
                "most_money", __("The endpoints have different currencies: limit the calls.")
            )

    def judges(self) -> list[Chosen]:
        by_key = {str(endpoint.pk): endpoint for endpoint in self.endpoints}
        pairs = [choice.split("|", 1) for choice in self.cleaned_data.get("models", [])]
        return [Chosen(by_key[key], model) for key, model in pairs]

    def plan(self, hosts: Iterable[str]) -> Plan:
        """Make the plan, as it was agreed to."""
        cleaned = self.cleaned_data
        judges = self.judges()
        prompt = cleaned["prompt"] or find_built_in(
            cleaned["kind"],
            cleaned["language"],
            with_reference=not cleaned["without_reference"],
        )
        return Plan(
            document=_write(cleaned, judges),
            prompt=prompt,
            judges=judges,
            hosts=frozenset(hosts),
            purpose=cleaned["purpose"],
            other=cleaned["other"],
            is_fresh=cleaned["is_fresh"],
            most_calls=cleaned["most_calls"],
            most_money=cleaned["most_money"],
        )


def _write(cleaned: dict[str, Any], judges: Sequence[Chosen]) -> dict[str, Any]:
    """Write the configuration as its file would have it."""
    document: dict[str, Any] = {
        "kind": cleaned["kind"].lower(),
        "language": cleaned["language"],
        "repeats": cleaned["repeats"],
        "with_reference": not cleaned["without_reference"],
        "parameters": {"max_tokens": cleaned["max_tokens"], "temperature": 0},
    }
    if cleaned["kind"] == JudgeKind.SEMANTIC:
        document["mode"] = cleaned["mode"].lower()
        document["rule_negative"] = "ask_model" if cleaned["asks_on_mismatch"] else "final"
        document["includes_thinking"] = cleaned["includes_thinking"]
    if judges:
        document["judges"] = [one.write(is_alone=len(judges) == 1) for one in judges]
    return document


class PromptForm(forms.Form):
    file = forms.FileField(label=_("File"))
    kind = forms.ChoiceField(label=_("Judge"), choices=JudgeKind.choices)
    language = forms.ChoiceField(label=_("Language of the prompt"), choices=LANGUAGES)
    without_reference = forms.BooleanField(
        label=_("Without the reference answer"),
        required=False,
        help_text=_("The rating judge and the pairwise judge can do without it."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("without_reference") and cleaned.get("kind") not in WITHOUT_REFERENCE:
            self.add_error("without_reference", __("This judge compares with the reference."))
        if cleaned.get("kind") != JudgeKind.RATING and cleaned.get("language") != "en":
            # No run could choose it.
            self.add_error("language", __("This judge’s prompts are in English: choose that."))
        return cleaned

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_PROMPT:
            raise forms.ValidationError(__("This file is too large for a prompt."))
        return file


class LimitForm(forms.Form):
    """What a paused run may spend from now on."""

    @classmethod
    def of(cls, run: JudgeRun) -> "LimitForm":
        return cls(initial={"most_calls": run.most_calls, "most_money": plain(run.most_money)})

    most_calls = forms.IntegerField(
        label=_("Calls at most"), min_value=1, max_value=1_000_000, required=False
    )
    most_money = forms.DecimalField(
        label=_("Money at most"), min_value=0, max_digits=12, decimal_places=4, required=False
    )
