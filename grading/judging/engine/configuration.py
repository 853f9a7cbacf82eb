"""
What a run of judges is set up with, and what of it can change a judgement.

A configuration is never changed: its `identity` is a hash over all that a judgement may hang on,
and another identity is another configuration, whose judgements are kept apart.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sympy
from django.utils.translation import gettext as _

from grading.endpoints import (
    Allowance,
    BadURL,
    BaseURL,
    Limits,
    Parameters,
    Policy,
    Prices,
    Rate,
)
from grading.endpoints.budget import NOTHING
from grading.expressions import GRADER_VERSION
from grading.judges import STAGE_VERSION, Mode, RuleNegative
from grading.judges.prompts import (
    MAX_CANDIDATE,
    Family,
    Language,
    Template,
    TemplateError,
    Variant,
    get_template,
    read_template,
)
from grading.judges.replies import PARSER_VERSION
from grading.judging.engine.fields import BadConfiguration, Fields

RUN_VERSION = "1.0"
"""Raise it with any change to how a judge is asked again or several are joined."""
MAX_TOKENS = 4_000
"""Of a reply, thinking and all, unless the configuration says otherwise."""
MOST_REPEATS = 25
MOST_JUDGES = 9


@dataclass(frozen=True, slots=True)
class Judge:
    """One model at one endpoint; its name tells it apart where several judge."""

    name: str
    base_url: BaseURL
    model: str


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast and how far a run goes; nothing of it changes a judgement."""

    rate: Rate
    policy: Policy
    limits: Limits
    allowed: Allowance
    prices: Prices


@dataclass(frozen=True, slots=True)
class Configuration:
    """A checked configuration."""

    family: Family
    mode: Mode
    rule_negative: RuleNegative
    variant: Variant
    template: Template
    judges: tuple[Judge, ...]
    parameters: Parameters
    """Its model is replaced by that of the judge who is asked."""
    repeats: int
    includes_thinking: bool
    max_candidate: int
    pace: Pace

    @property
    def asks_models(self) -> bool:
        return self.family is not Family.SEMANTIC or self.mode is not Mode.RULE_ONLY

    def describe(self) -> dict[str, Any]:
        """Say all that can change a judgement; `identity` is the hash of it."""
        asked = asdict(self.parameters)
        del asked["model"]
        is_semantic = self.family is Family.SEMANTIC
        return {
            "kind": self.family.lower(),
            "mode": self.mode.lower() if is_semantic else None,
            "rule_negative": self.rule_negative.lower() if is_semantic else None,
            "includes_thinking": self.includes_thinking if is_semantic else None,
            "language": self.variant.language.value,
            "turns": self.variant.turns,
            "with_reference": self.variant.has_reference,
            "template": [self.template.name, self.template.version, self.template.sha256],
            "judges": [[one.name, str(one.base_url), one.model] for one in self.judges],
            "parameters": asked if self.asks_models else None,
            "repeats": self.repeats,
            "max_candidate": self.max_candidate,
            "versions": write_versions(),
        }

    @property
    def identity(self) -> str:
        """A SHA-256 over `describe`."""
        text = json.dumps(self.describe(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()


def write_versions() -> dict[str, str]:
    """Name the versions of all code that a judgement hangs on."""
    return {
        "run": RUN_VERSION,
        "rules": STAGE_VERSION,
        "parser": PARSER_VERSION,
        "grader": GRADER_VERSION,
        "sympy": sympy.__version__,
    }


def read_configuration(document: object, *, folder: Path) -> Configuration:
    """
    Check a configuration. A custom template is looked for from `folder`.

    Raises:
        BadConfiguration: naming the field, and what to write there.
    """
    fields = Fields(document)
    family = fields.choice("kind", Family, None)
    variant = _read_variant(fields, family)
    mode = fields.choice("mode", Mode, Mode.CASCADE)
    if family is not Family.SEMANTIC and fields.get("mode") is not None:
        raise fields.refuse("mode", _("leave it out: only the semantic matcher has rules."))
    parameters = _read_parameters(fields.section("parameters"))
    is_asking = family is not Family.SEMANTIC or mode is not Mode.RULE_ONLY
    configuration = Configuration(
        family=family,
        mode=mode,
        rule_negative=fields.choice("rule_negative", RuleNegative, RuleNegative.FINAL),
        variant=variant,
        template=_read_template(fields, variant, folder),
        judges=_read_judges(fields, is_asking=is_asking),
        parameters=parameters,
        repeats=fields.whole("repeats", most=MOST_REPEATS) or 1,
        includes_thinking=fields.flag("includes_thinking", default=False),
        max_candidate=fields.whole("max_candidate", least=1_000, most=1_000_000) or MAX_CANDIDATE,
        pace=_read_pace(fields),
    )
    fields.finish()
    return configuration


def _read_variant(fields: Fields, family: Family) -> Variant:
    language = fields.choice("language", Language, Language.ENGLISH)
    turns = fields.whole("turns", most=2) or 1
    # Problems have references, so one is asked for unless the configuration says otherwise.
    has_reference = fields.flag("with_reference", default=True)
    if family is not Family.RATING and turns != 1:
        raise fields.refuse("turns", _("write 1: only the rating judge looks at two turns."))
    if family in (Family.SEMANTIC, Family.PROCESS) and not has_reference:
        raise fields.refuse("with_reference", _("write true: this judge compares with one."))
    return Variant(family, language, turns, has_reference)


def _read_template(fields: Fields, variant: Variant, folder: Path) -> Template:
    path = fields.get("template")
    try:
        if path is None:
            return get_template(variant)
        return read_template(folder / fields.text("template"), variant)
    except TemplateError as error:
        field = "language" if path is None else "template"
        raise fields.refuse(field, str(error)) from None


def _read_judges(fields: Fields, *, is_asking: bool) -> tuple[Judge, ...]:
    listed = fields.get("judges")
    single = [fields.get(name) for name in ("base_url", "model")]
    if not is_asking:
        if listed is not None or any(one is not None for one in single):
            raise fields.refuse("mode", _("with rule_only leave out base_url, model and judges."))
        return ()
    if listed is None:
        return (_read_judge(fields),)
    if any(one is not None for one in single):
        raise fields.refuse("judges", _("write base_url and model in each judge, or no judges."))
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_JUDGES:
        raise fields.refuse(
            "judges",
            _("write a list of 1 to %(most)d objects with base_url and model.")
            % {"most": MOST_JUDGES},
        )
    judges = []
    for number, one in enumerate(listed, start=1):
        own = Fields(one, f"judges[{number}]")
        judges.append(_read_judge(own))
        own.finish()
    names = [one.name for one in judges]
    if len(set(names)) < len(names):
        raise fields.refuse("judges", _("give each a “name” of its own."))
    return tuple(judges)


def _read_judge(fields: Fields) -> Judge:
    model = fields.text("model")
    try:
        base_url = BaseURL.parse(fields.text("base_url"))
    except BadURL as error:
        raise fields.refuse("base_url", str(error)) from None
    return Judge(fields.text("name", model), base_url, model)


def _read_parameters(fields: Fields) -> Parameters:
    form = fields.get("response_format")
    if form is not None and not isinstance(form, Mapping):
        raise fields.refuse("response_format", _('write an object, such as {"type": …}.'))
    effort = fields.get("reasoning_effort")
    temperature = fields.number("temperature", least=0, most=2)
    parameters = Parameters(
        model="",
        max_tokens=fields.whole("max_tokens", most=1_000_000) or MAX_TOKENS,
        temperature=0.0 if temperature is None else temperature,
        top_p=fields.number("top_p", least=0, most=1),
        seed=fields.whole("seed", least=0, most=2**31 - 1),
        reasoning_effort=None if effort is None else fields.text("reasoning_effort"),
        response_format=form,
    )
    fields.finish()
    return parameters


def _read_pace(fields: Fields) -> Pace:
    limits, prices = fields.section("limits"), fields.section("prices")
    seconds = limits.number("seconds_per_call", least=0.1, most=3_600) or 300.0
    wait = limits.number("first_wait", least=0, most=600)
    pace = Pace(
        rate=Rate(
            requests=limits.number("requests_per_minute", least=0.1, most=1e6),
            tokens=limits.number("tokens_per_minute", least=1, most=1e9),
            longest_call=2 * seconds,
        ),
        policy=Policy(
            attempts=limits.whole("attempts", most=20) or Policy().attempts,
            first=Policy().first if wait is None else wait,
        ),
        limits=Limits(total=seconds, connect=min(10.0, seconds), silence=seconds),
        allowed=Allowance(
            calls=limits.whole("calls", least=0),
            tokens=limits.whole("tokens", least=0),
            money=limits.money("money"),
        ),
        prices=Prices(
            prices.money("prompt") or NOTHING,
            prices.money("completion") or NOTHING,
        ),
    )
    limits.finish()
    prices.finish()
    if pace.allowed.money is not None and not (pace.prices.prompt or pace.prices.completion):
        raise limits.refuse("money", _("write “prices” too: without them nothing costs anything."))
    return pace


def parse_configuration(content: bytes, *, folder: Path) -> Configuration:
    """Read the file that a configuration stands in; raises `BadConfiguration`."""
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadConfiguration(_("Save it as text in UTF-8.")) from None
    except json.JSONDecodeError as error:
        raise BadConfiguration(
            _("This is not JSON: line %(line)d, column %(column)d: %(what)s.")
            % {"line": error.lineno, "column": error.colno, "what": error.msg}
        ) from None
    except (ValueError, RecursionError):
        raise BadConfiguration(_("This JSON can’t be read: write a plain object.")) from None
    return read_configuration(document, folder=folder)
