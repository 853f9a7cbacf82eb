"""What a judge is called on pages: its kind, its models, and what else sets it apart, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from phybench_grader.judges import Mode, RuleNegative
from phybench_grader.judges.kinds.kind import JudgeKind
from phybench_grader.judges.prompts import PromptLanguage

_MODES = {
    Mode.CASCADE: gettext_noop("rules first"),
    Mode.MODEL_WITH_RULE_CHECK: gettext_noop("checked by rules"),
    Mode.MODEL_ONLY: gettext_noop("model only"),
}
_LANGUAGES = {
    PromptLanguage.GERMAN: gettext_noop("in German"),
    PromptLanguage.FINNISH: gettext_noop("in Finnish"),
}


def say_title(kind: JudgeKind[Any], described: Mapping[str, Any]) -> str:
    """
    Say in a line which judge it is; `described` is what its configuration keeps of itself.

    >>> from django.utils.translation import override
    >>> from phybench_grader.judges.kinds import KINDS
    >>> [kind] = [one for one in KINDS.values() if one.has_rules]
    >>> described = {"judges": [], "mode": "rule_only", "language": "en", "with_reference": True,
    ...     "includes_thinking": False, "repeats": 1, "template": ["semantic/en", "3", ""]}
    >>> with override("en"):
    ...     say_title(kind, described)
    'semantic matcher: rules only'
    """
    parts = _(", ").join(_list_parts(kind, described))
    return _("%(judge)s: %(setup)s") % {"judge": _(kind.name), "setup": parts}


def _list_parts(kind: JudgeKind[Any], described: Mapping[str, Any]) -> Iterator[str]:
    models = [model for _name, _address, model in described["judges"]]
    yield " + ".join(models) if models else _("rules only")
    if kind.has_rules and models:
        yield _(_MODES[Mode(described["mode"].upper())])
        is_cascade = described["mode"] == Mode.CASCADE.lower()
        if is_cascade and described["rule_negative"] == RuleNegative.ASK_MODEL.lower():
            yield _("asked again where the rules say wrong")
        if described["includes_thinking"]:
            yield _("shown the solver’s thinking")
    by_item = described.get("by_item") or {}
    if by_item.get("language"):
        yield _("in the language of each item")
    elif described["language"] != PromptLanguage.ENGLISH:
        yield _(_LANGUAGES[PromptLanguage(described["language"])])
    if not described["with_reference"]:
        yield _("without the reference answer")
    if described["repeats"] > 1:
        yield _("each asked %(count)d times") % {"count": described["repeats"]}
    name, version, _sha256 = described["template"]
    # Ours is known by its path; what somebody uploaded is named.
    if not name.startswith(f"{kind}/"):
        yield _("prompt %(name)s, version %(version)s") % {"name": name, "version": version}
