"""How a judge was set up, in words: what the page of a run says of its configuration."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from grading.judging.prompts.forms import LANGUAGES
from grading.judging.prompts.models import JudgeConfiguration
from phybench_grader.judges import Mode, RuleNegative
from phybench_grader.judges.prompts import PromptLanguage


def say_setup(configuration: JudgeConfiguration) -> list[tuple[str, str]]:
    """Return each setting with its value in words; what is left to the endpoint is left out."""
    described = configuration.described
    return [
        *_say_kind(configuration, described),
        *_say_prompt(described),
        *_say_models(configuration, described),
        (_("Versions"), _say_versions(described["versions"])),
    ]


def _say_kind(
    configuration: JudgeConfiguration, described: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    kind = configuration.judge_kind
    yield _("Judge"), _(kind.name)
    if described["mode"]:
        words = {
            code.lower(): text
            for option in kind.options
            for code, text in option.choices
            if option.name == "mode"
        }
        word = words[described["mode"]]
        yield _("Mode"), _(word)
        # In other modes the model is asked always, or never.
        if described["mode"] == Mode.CASCADE.lower():
            if described["rule_negative"] == RuleNegative.ASK_MODEL.lower():
                said = _("the model is asked, too")
            else:
                said = _("wrong, and no model is asked")
            yield _("Where the rules find an answer wrong"), said
    if described["includes_thinking"]:
        yield _("What the solver thought"), _("shown to the judge")


def _say_prompt(described: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    by_item = described.get("by_item") or {}
    language = str(dict(LANGUAGES)[PromptLanguage(described["language"])])
    if by_item.get("language"):
        language = _("the language of each item")
    yield _("Language of the prompt"), language
    categories = by_item.get("reference_categories")
    if categories:
        named = _(", ").join(categories)
        shown = _("shown to the judge in these categories: %(categories)s") % {"categories": named}
    elif described["with_reference"] and categories is None:
        shown = _("shown to the judge")
    else:
        shown = _("not shown to the judge")
    yield _("Reference answer"), shown
    if by_item.get("turns"):
        yield _("Turns of the conversation"), _("as many as each item has")
    elif described["turns"] > 1:
        yield _("Turns of the conversation"), str(described["turns"])
    characters = f"{described['max_candidate']:,}"
    yield _("Longest answer that is sent"), _("%(count)s characters") % {"count": characters}


def _say_models(
    configuration: JudgeConfiguration, described: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    judges = configuration.described_judges
    if not judges:
        return
    named = [
        _("%(model)s at %(address)s") % {"model": one["model"], "address": one["base_url"]}
        for one in judges
    ]
    yield _("Models"), _(", ").join(named)
    yield _("Times that each is asked"), str(described["repeats"])
    names = {
        "max_tokens": _("Tokens of the longest reply"),
        "temperature": _("Temperature"),
        "top_p": _("Top p"),
        "seed": _("Seed"),
        "reasoning_effort": _("Reasoning effort"),
    }
    asked = described["parameters"] or {}
    for code, name in names.items():
        if asked.get(code) is not None:
            yield name, str(asked[code])
    if asked.get("response_format"):
        yield _("Form of the reply"), _("set by a schema")


def _say_versions(versions: Mapping[str, str]) -> str:
    names = {
        "grader": _("grader %(version)s"),
        "rules": _("rules %(version)s"),
        "parser": _("reader of replies %(version)s"),
        "run": _("runs %(version)s"),
        "sympy": _("SymPy %(version)s"),
    }
    return _(", ").join(
        text % {"version": versions[code]} for code, text in names.items() if code in versions
    )
