"""
From a configuration's row to what works by it, and from an attempt to the item that is judged.

The other way as well: `store` keeps a configuration with its prompt, and finds it again by the hash
of all that a judgement may hang on.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grading.answers.models import Attempt, Submission
from grading.calling.models import Endpoint
from grading.endpoints import Cost, Message, estimate_cost, estimate_tokens
from grading.judges import Judgement, Kind, Reason, RuleNegative
from grading.judges.prompts import (
    Family,
    Language,
    Prompt,
    TemplateError,
    Variant,
    get_template,
    parse_template,
    read_text,
)
from grading.judges.replies import Preference
from grading.judging.engine.configuration import Configuration, read_configuration
from grading.judging.engine.items import Item
from grading.judging.engine.kinds import prepare
from grading.judging.engine.trials import list_canaries
from grading.judging.models.configurations import JudgeConfiguration, JudgePrompt
from grading.judging.models.runs import JudgeItem
from grading.judging.pairs import match
from phybench.models import User

NOWHERE = Path()
"""Where no file is looked for: prompts are rows."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A model at an endpoint, as a run's judge."""

    endpoint: Endpoint
    model: str

    def write(self, *, is_alone: bool) -> dict[str, str]:
        name = self.model if is_alone else f"{self.model} · {self.endpoint.name}"
        return {"name": name, "base_url": str(self.endpoint.address), "model": self.model}


def read(document: Mapping[str, Any], prompt: JudgePrompt) -> Configuration:
    """Read a configuration with the prompt that it is kept with."""
    configuration = read_configuration(document, folder=NOWHERE)
    template = parse_template(
        prompt.text.encode(), Path(f"{prompt.name}.txt"), configuration.variant
    )
    return replace(configuration, template=template)


def read_row(row: JudgeConfiguration) -> Configuration:
    return read(row.document, row.prompt)


def find_built_in(kind: str, language: str, *, with_reference: bool) -> JudgePrompt:
    """Return our prompt for a way of asking, kept as it is today."""
    variant = Variant(Family(kind), Language(language), has_reference=with_reference)
    text = read_text(variant)
    template = parse_template(text.encode(), NOWHERE, variant)
    row, _made = JudgePrompt.objects.get_or_create(
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        kind=kind,
        language=language,
        with_reference=with_reference,
        is_built_in=True,
        defaults={"name": template.name, "version": template.version, "text": text},
    )
    return row


def store(document: Mapping[str, Any], prompt: JudgePrompt, made_by: User) -> JudgeConfiguration:
    """Keep a configuration, or find the one that is the same in all that can change a verdict."""
    configuration = read(document, prompt)
    row, _made = JudgeConfiguration.objects.get_or_create(
        sha256=configuration.identity,
        defaults={
            "kind": configuration.family.value,
            "name": name(configuration),
            "document": dict(document),
            "described": configuration.describe(),
            "prompt": prompt,
            "made_by": made_by,
        },
    )
    return row


def name(configuration: Configuration) -> str:
    """Say in a line what it is, in English, as it is kept; its hash says it exactly."""
    kind = configuration.family.lower()
    parts = [" + ".join(judge.model for judge in configuration.judges) or "no model"]
    if configuration.family is Family.SEMANTIC and configuration.judges:
        parts.append(configuration.mode.lower().replace("_", " "))
        if configuration.rule_negative is RuleNegative.ASK_MODEL:
            parts.append("mismatches asked")
        if configuration.includes_thinking:
            parts.append("shown the thinking")
    if configuration.variant.language is not Language.ENGLISH:
        parts.append(configuration.variant.language.value)
    if not configuration.variant.has_reference:
        parts.append("without reference")
    if configuration.repeats > 1:
        parts.append(f"×{configuration.repeats}")
    if not template_is_ours(configuration):
        parts.append(f"{configuration.template.name} {configuration.template.version}")
    return f"{kind}: {', '.join(parts)}"[:300]


def template_is_ours(configuration: Configuration) -> bool:
    try:
        return configuration.template.sha256 == get_template(configuration.variant).sha256
    except TemplateError:
        return False


def make_item(attempt: Attempt, solver: str, *, call: str = "") -> Item:
    """Make what is judged of an attempt; its solver's name is there so that none judges itself."""
    revision = attempt.revision
    return Item(
        id=attempt.pk,
        question=revision.statement,
        response=attempt.response,
        references=(revision.answer,) if revision.answer.strip() else (),
        reference_solution=revision.solution,
        type=Kind.EXPRESSION,
        model=solver,
        call=call,
    )


def make_pair(first: Attempt, second: Attempt, solvers: tuple[str, str], *, call: str = "") -> Item:
    """Make what is judged of two answers to one revision."""
    revision = first.revision
    return Item(
        id=first.pk,
        question=revision.statement,
        first=first.response,
        second=second.response,
        references=(revision.answer,) if revision.answer.strip() else (),
        model=solvers[0],
        second_model=solvers[1],
        call=call,
    )


def list_items(submission: Submission, other: Submission | None) -> list[Item]:
    """List what a run over a submission, or over two of them, is about; canaries come besides."""
    attempts = submission.attempts.select_related("revision").order_by("pk")
    if other is None:
        return [make_item(one, submission.solver.name) for one in attempts]
    theirs = other.attempts.select_related("revision").order_by("pk")
    solvers = (submission.solver.name, other.solver.name)
    return [make_pair(first, second, solvers) for first, second in match(attempts, theirs).pairs]


def find_item(row: JudgeItem, configuration: Configuration) -> Item:
    """Return what a row's work is about: an answer, a pair of them, or a canary."""
    run = row.run
    if row.attempt and row.other and run.other:
        solvers = (run.submission.solver.name, run.other.solver.name)
        return make_pair(row.attempt, row.other, solvers, call=row.call_id)
    if row.attempt is not None:
        return make_item(row.attempt, run.submission.solver.name, call=row.call_id)
    [canary] = [one for one in list_canaries(configuration.variant) if one.canary == row.canary]
    return replace(canary, call=row.call_id)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run may cost at most, if no call has to be made again."""

    items: int
    skipped: int
    reused: int
    cost: Cost
    asked_again: int
    """Calls that there are at most, if each has to be made as often as it may."""
    by_endpoint: Mapping[int, Cost] = field(default_factory=dict)


def estimate(
    configuration: Configuration,
    items: Sequence[Item],
    judges: Sequence[Chosen],
    *,
    known: frozenset[str] = frozenset(),
    attempts: int = 5,
) -> Estimate:
    """Say what judging items takes; those whose input hash is in `known` are not asked about."""
    shares = {judge.endpoint.pk: Cost() for judge in judges}
    skipped, reused = 0, 0
    for item in items:
        if not item.canary and item.input_hash in known:
            reused += 1
            continue
        prompts: list[Prompt] = []
        hear = prepare(item, configuration)
        if isinstance(hear, Reason):
            skipped += 1
            continue
        hear(_Noting(prompts))
        for judge in judges:
            parameters = replace(configuration.parameters, model=judge.model)
            for prompt in prompts:
                messages = [Message("user", one["content"]) for one in prompt.messages]
                tokens = estimate_tokens(messages, parameters)
                for _time in range(configuration.repeats):
                    shares[judge.endpoint.pk] += estimate_cost(*tokens, judge.endpoint.prices)
    total = sum(shares.values(), Cost())
    return Estimate(len(items), skipped, reused, total, total.calls * attempts, shares)


class _Noting:
    """Notes what would be asked, and asks nobody."""

    def __init__(self, prompts: list[Prompt]) -> None:
        self._prompts = prompts

    def __call__(self, prompt: Prompt, read: Any, *, order: str = "") -> Any:
        self._prompts.append(prompt)
        # A verdict of any kind: without one in the first order, a pair is not asked in the second.
        return Judgement(Preference.TIE)
