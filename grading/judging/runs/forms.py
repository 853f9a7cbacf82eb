"""Setting a judge up: which one, with which words, asked of whom, for how much."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.functional import lazy
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from grading.answers.submissions.models import Submission
from grading.judging.engine.documents import MOST_JUDGES
from grading.judging.models import JudgeRun
from grading.judging.prompts.configurations import Chosen, find_built_in
from grading.judging.prompts.forms import LANGUAGES, refuse_manner, say_without_reference
from grading.judging.prompts.models import JudgePrompt, list_kinds
from grading.judging.runs.actions import Plan
from grading.runs.forms import plain
from grading.runs.models import Endpoint
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.kinds.kind import JudgeKind, Option
from phybench_grader.judges.prompts import PromptLanguage

MOST_REPEATS = 9
RARELY_CHANGED = (
    *("prompt", "repeats", "max_tokens", "most_calls", "most_money", "is_fresh", "tries_empty"),
)
"""Fields that are folded away: they are filled in well for most runs."""


class SubmissionField(forms.ModelChoiceField):
    def label_from_instance(self, obj: Submission) -> str:
        """Tell apart those of one solver."""
        return f"{obj.solver} (#{obj.pk}, {obj.created_at:%Y-%m-%d}, {obj.file_name})"


class PromptField(forms.ModelChoiceField):
    def label_from_instance(self, obj: JudgePrompt) -> str:
        """Say what each is for: another judge or language can't use it."""
        parts = [str(obj.get_kind_display()), str(dict(LANGUAGES)[PromptLanguage(obj.language)])]
        if not obj.with_reference:
            parts.append(__("without the reference answer"))
        return f"{obj} ({', '.join(parts)})"


def _say_for(field: str) -> str:
    """Say what a field is for, of the kinds for whose sake it is there."""
    return " ".join(__(kind.helps[field]) for kind in KINDS.values() if field in kind.helps)


def _make_field(option: Option) -> forms.Field:
    """Make the field that asks for what is chosen of one kind alone."""
    label, help_text = _(option.label), _(option.help) if option.help else ""
    if not option.choices:
        return forms.BooleanField(label=label, help_text=help_text, required=False)
    choices = [(code, _(words)) for code, words in option.choices]
    return forms.ChoiceField(
        label=label, help_text=help_text, choices=choices, initial=option.initial
    )


OPTIONS = [option for kind in KINDS.values() for option in kind.options]


class JudgeRunForm(forms.Form):
    field_order = ("kind", "other", *(option.name for option in OPTIONS))

    kind = forms.ChoiceField(label=_("Judge"), choices=list_kinds)
    other = SubmissionField(
        label=_("Compared with"),
        queryset=Submission.objects.none(),
        required=False,
        empty_label=_("nothing: this submission by itself"),
        help_text=lazy(_say_for, str)("other"),
    )
    without_reference = forms.BooleanField(
        label=_("Without the reference answer"),
        required=False,
        help_text=lazy(say_without_reference, str)(),
    )
    language = forms.ChoiceField(
        label=_("Language of the prompt"),
        choices=LANGUAGES,
        help_text=lazy(_say_for, str)("language"),
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
        label=_("Maximum calls"), min_value=1, max_value=1_000_000, required=False
    )
    most_money = forms.DecimalField(
        label=_("Maximum cost"),
        min_value=0,
        max_digits=12,
        decimal_places=4,
        required=False,
        help_text=_("In the endpoint’s currency. A run that has spent it is paused."),
    )
    is_fresh = forms.BooleanField(
        label=_("Ask again what the same judge has answered already"), required=False
    )

    tries_empty = forms.BooleanField(
        label=_("Try the judge with empty answers"),
        required=False,
        initial=True,
        help_text=_(
            "Once for each version of a judge. A judge that was not tried with them ranks no "
            "models, and one that accepts one of them stays off boards."
        ),
    )

    def __init__(
        self,
        endpoints: Iterable[Endpoint],
        others: QuerySet[Submission],
        data: Any = None,
        *,
        kind: JudgeKind[Any] | None = None,
    ) -> None:
        super().__init__(data)
        self.judge_kind = kind
        if kind:
            self.initial = {**self.initial, "kind": kind.code, "language": kind.languages[0]}
        compared = self.fields["other"]
        assert isinstance(compared, forms.ModelChoiceField)
        compared.queryset = others
        for option in OPTIONS:
            self.fields[option.name] = _make_field(option)
            if kind and option not in kind.options:
                # It is not on the page of this kind.
                self.fields[option.name].required = False
        self.order_fields(self.field_order)
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
        asked = {option.name for option in OPTIONS}
        if {"kind", "other", "language", "models", *asked} <= cleaned.keys():
            self._check_together(dict(cleaned))
        return cleaned

    def _check_together(self, cleaned: dict[str, Any]) -> None:
        kind, chosen = KINDS[cleaned["kind"]], cleaned["models"]
        is_asking = kind.asks_models(cleaned)
        if is_asking and not chosen:
            self.add_error("models", __("Choose at least one model."))
        if not is_asking and chosen:
            self.add_error("models", __("The rules alone ask no model: choose none, or a mode."))
        if len(set(chosen)) < len(chosen):
            self.add_error("models", __("Choose each model once."))
        if len(chosen) > MOST_JUDGES:
            self.add_error("models", __("Choose at most %(most)d models.") % {"most": MOST_JUDGES})
        without = cleaned["without_reference"]
        for field, sentence in refuse_manner(kind, cleaned["language"], without_reference=without):
            self.add_error(field, sentence)
        for one in KINDS.values():
            for field, sentence in one.refuse_options(cleaned, is_meant=one is kind):
                self.add_error(field, __(sentence))
        prompt = cleaned.get("prompt")
        if prompt and (prompt.kind, prompt.language) != (cleaned["kind"], cleaned["language"]):
            self.add_error("prompt", __("This prompt is for another judge or language."))
        elif prompt and prompt.with_reference == cleaned["without_reference"]:
            says = __("This prompt is for judging with the reference answer.")
            without = __("This prompt is for judging without the reference answer.")
            self.add_error("prompt", says if prompt.with_reference else without)
        if cleaned.get("most_money") and len({one.endpoint.currency for one in self.judges()}) > 1:
            self.add_error(
                "most_money", __("The endpoints have different currencies: limit the calls.")
            )

    def list_asked(self) -> list[forms.BoundField]:
        """Return the fields for whose sake somebody opens the page, of the kind they chose."""
        kind = self.judge_kind
        if kind is None:
            return []
        # What is wrong is shown wherever it comes from.
        refused = {name for name in self.errors if name in self.fields} if self.is_bound else set()
        wanted = refused | self.list_wanted(kind)
        return [self[name] for name in self.fields if name in wanted - {"kind", *RARELY_CHANGED}]

    def takes(self, kind: JudgeKind[Any]) -> bool:
        """Whether a kind of judge can look at what is to be judged."""
        return True

    def list_wanted(self, kind: JudgeKind[Any]) -> set[str]:
        """List the fields that are asked of a kind."""
        wanted = {option.name for option in kind.options} | {"purpose"}
        wanted |= {"other"} if kind.compares else set()
        wanted |= set() if kind.needs_reference else {"without_reference"}
        wanted |= {"language"} if len(kind.languages) > 1 else set()
        return wanted | ({"models"} if self.endpoints else set())

    def list_rarely_changed(self) -> list[forms.BoundField]:
        # Of two that are compared neither is judged by itself.
        left_out = {"tries_empty"} if self.judge_kind and self.judge_kind.compares else set()
        return [self[name] for name in RARELY_CHANGED if name not in left_out]

    @property
    def has_rare(self) -> bool:
        """Whether one of those that are folded away was refused or changed."""
        return self.is_bound and any(
            name in self.errors or str(self[name].value() or "") != str(self[name].initial or "")
            for name in RARELY_CHANGED
        )

    def list_hidden(self) -> list[forms.BoundField]:
        """Return what is sent along: the kind, and its language where it has but one."""
        shown = {field.name for field in self.list_asked()}
        return [self[name] for name in ("kind", "language") if name not in shown]

    def judges(self) -> list[Chosen]:
        by_key = {str(endpoint.pk): endpoint for endpoint in self.endpoints}
        pairs = [choice.split("|", 1) for choice in self.cleaned_data.get("models", [])]
        return [Chosen(by_key[key], model) for key, model in pairs]

    def plan(self, hosts: Iterable[str]) -> Plan:
        """Make the plan, as it was agreed to."""
        cleaned = self.cleaned_data
        judges = self.judges()
        return Plan(
            document=self.write_document(judges),
            prompt=self.find_prompt(),
            judges=judges,
            hosts=frozenset(hosts),
            purpose=cleaned["purpose"],
            other=cleaned["other"],
            is_fresh=cleaned["is_fresh"],
            tries_empty=cleaned["tries_empty"],
            most_calls=cleaned["most_calls"],
            most_money=cleaned["most_money"],
        )

    def find_prompt(self) -> JudgePrompt:
        """Return the prompt that was chosen, or ours for this way of asking."""
        cleaned = self.cleaned_data
        prompt: JudgePrompt = cleaned["prompt"] or find_built_in(
            cleaned["kind"],
            cleaned["language"],
            with_reference=not cleaned["without_reference"],
            includes_thinking=cleaned["includes_thinking"],
        )
        return prompt

    def write_document(self, judges: list[Chosen]) -> dict[str, Any]:
        """Write the configuration as its file would have it."""
        cleaned = self.cleaned_data
        document: dict[str, Any] = {
            "kind": cleaned["kind"].lower(),
            "language": cleaned["language"],
            "repeats": cleaned["repeats"],
            "with_reference": not cleaned["without_reference"],
            "parameters": {"max_tokens": cleaned["max_tokens"], "temperature": 0},
            **KINDS[cleaned["kind"]].write_options(cleaned),
        }
        if judges:
            document["judges"] = [one.write(is_alone=len(judges) == 1) for one in judges]
        return document


class LimitForm(forms.Form):
    """What a paused run may spend from now on."""

    @classmethod
    def of(cls, run: JudgeRun) -> "LimitForm":
        return cls(initial={"most_calls": run.most_calls, "most_money": plain(run.most_money)})

    most_calls = forms.IntegerField(
        label=_("Maximum calls"), min_value=1, max_value=1_000_000, required=False
    )
    most_money = forms.DecimalField(
        label=_("Maximum cost"), min_value=0, max_digits=12, decimal_places=4, required=False
    )
