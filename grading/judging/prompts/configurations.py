"""
From a configuration's row to what works by it, and back.

`store` keeps a configuration with its prompt, and finds it again by the hash of all that a
judgement may hang on.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grading.judging.engine.configuration import Configuration, read_configuration
from grading.judging.prompts.models import JudgeConfiguration, JudgePrompt
from grading.runs.models import Endpoint
from phybench.people.models import User
from phybench_grader.judges import RuleNegative
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.prompts import (
    PromptLanguage,
    TemplateError,
    Variant,
    get_template,
    parse_template,
    read_text,
)

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


def find_built_in(
    kind: str,
    language: str,
    *,
    with_reference: bool,
    includes_thinking: bool = False,
    turns: int = 1,
) -> JudgePrompt:
    """Return our prompt for a way of asking, kept as it is today."""
    variant = Variant(
        KINDS[kind],
        PromptLanguage(language),
        turns,
        has_reference=with_reference,
        includes_thinking=includes_thinking,
    )
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
            "kind": configuration.kind.code,
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
    parts = [" + ".join(judge.model for judge in configuration.judges) or "rules only"]
    if configuration.kind.has_rules and configuration.judges:
        parts.append(configuration.mode.lower().replace("_", " "))
        if configuration.rule_negative is RuleNegative.ASK_MODEL:
            parts.append("mismatches asked")
        if configuration.includes_thinking:
            parts.append("shown the thinking")
    if configuration.variant.language is not PromptLanguage.ENGLISH:
        parts.append(configuration.variant.language.value)
    if not configuration.variant.has_reference:
        parts.append("without reference")
    if configuration.repeats > 1:
        parts.append(f"×{configuration.repeats}")
    if not template_is_ours(configuration):
        parts.append(f"{configuration.template.name} {configuration.template.version}")
    return f"{configuration.kind}: {', '.join(parts)}"[:300]


def template_is_ours(configuration: Configuration) -> bool:
    try:
        return configuration.template.sha256 == get_template(configuration.variant).sha256
    except TemplateError:
        return False
