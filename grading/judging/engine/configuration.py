"""
What a run of judges is set up with, and what of it can change a judgement.

A configuration is never changed: its `identity` is a hash over all that a judgement may hang on,
and another identity is another configuration, whose judgements are kept apart.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sympy
from django.utils.translation import gettext as _

from grading.endpoints import (
    Allowance,
    BaseURL,
    Limits,
    Parameters,
    Policy,
    Prices,
    Rate,
)
from grading.endpoints.budget import NOTHING
from grading.judging.engine.choices import BY_ITEM, Choices
from grading.judging.engine.documents import (
    MOST_JUDGES,
    BadConfiguration,
    Document,
    JudgeSection,
    say_list,
    take,
)
from grading.judging.words import name_kinds
from phybench.files.json_errors import JSON_FAULTS, find_json_fault
from phybench_grader import GRADER_VERSION
from phybench_grader.judges import STAGE_VERSION, Mode, RuleNegative
from phybench_grader.judges.items import Item
from phybench_grader.judges.kinds.kind import JudgeKind
from phybench_grader.judges.prompts import (
    PromptLanguage,
    Template,
    TemplateError,
    Variant,
    get_template,
    read_template,
)
from phybench_grader.judges.replies.reply import PARSER_VERSION

RUN_VERSION = "1.3"
"""Raise it with any change to how a judge is asked again or several are joined."""


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
class Manner:
    """How one item is asked about."""

    template: Template
    max_candidate: int


@dataclass(frozen=True, slots=True)
class Configuration:
    """A checked configuration."""

    mode: Mode
    rule_negative: RuleNegative
    variant: Variant
    template: Template
    choices: Choices
    """What of the variant each item chooses for itself."""
    judges: tuple[Judge, ...]
    parameters: Parameters
    """Its model is replaced by that of the judge who is asked."""
    repeats: int
    includes_thinking: bool
    max_candidate: int
    pace: Pace

    @property
    def kind(self) -> JudgeKind[Any]:
        kind: JudgeKind[Any] = self.variant.kind
        return kind

    @property
    def asks_models(self) -> bool:
        return self.mode is not Mode.RULE_ONLY

    @property
    def most_turns(self) -> int:
        """How many turns of a chat it looks at."""
        return self.kind.most_turns if self.choices.turns else self.variant.turns

    def find_manner(self, item: Item) -> "Manner":
        """Say how an item is asked about."""
        variant = self.choices.choose(item, self.variant)
        is_own = variant == self.variant
        return Manner(self.template if is_own else get_template(variant), self.max_candidate)

    def list_canaries(self, items: Iterable[Item] = ()) -> list[Item]:
        """
        Make the items that try the judges, in the languages in which they are asked about `items`.

        There are none where no model is asked.
        """
        if not self.asks_models:
            return []
        languages = self.choices.list_languages(items, self.variant)
        return self.kind.list_canaries(self.variant.turns, languages)

    @property
    def needs_empty_answers(self) -> bool:
        """Tell whether it is to be tried with answers that hold nothing."""
        return self.asks_models and not self.kind.compares

    def list_empty_answers(self) -> list[Item]:
        """Make the answers that hold nothing, which each version of a judge is tried with once."""
        return self.kind.list_empty_answers(self.variant.turns) if self.asks_models else []

    def describe(self) -> dict[str, Any]:
        """Say all that can change a judgement; `identity` is the hash of it."""
        asked = asdict(self.parameters)
        del asked["model"]
        has_rules = self.kind.has_rules
        return {
            "kind": str(self.kind),
            "mode": self.mode.lower() if has_rules else None,
            "rule_negative": self.rule_negative.lower() if has_rules else None,
            "includes_thinking": self.includes_thinking if has_rules else None,
            "language": self.variant.language.value,
            "turns": self.variant.turns,
            "with_reference": self.variant.has_reference,
            "template": [self.template.name, self.template.version, self.template.sha256],
            "judges": [[one.name, str(one.base_url), one.model] for one in self.judges],
            "parameters": asked if self.asks_models else None,
            "repeats": self.repeats,
            "max_candidate": self.max_candidate,
            **({"by_item": self._describe_choices()} if self.choices else {}),
            "versions": write_versions(),
        }

    def _describe_choices(self) -> dict[str, Any]:
        choices = self.choices
        templates = map(get_template, choices.list_variants(self.variant))
        return {
            "language": choices.language,
            "turns": choices.turns,
            "reference_categories": (
                None if choices.categories is None else sorted(choices.categories)
            ),
            "templates": sorted([one.name, one.version, one.sha256] for one in templates),
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
    given = take(Document, document)
    choices = _read_choices(given)
    variant = _read_variant(given, choices)
    if given.mode is not None and not given.kind.has_rules:
        sentence = _("leave it out: only the %(judges)s has rules.")
        judges = name_kinds(lambda kind: kind.has_rules)
        raise BadConfiguration(f"mode: {sentence % {'judges': judges}}")
    mode = (given.mode or Mode.CASCADE) if given.kind.has_rules else Mode.MODEL_ONLY
    return Configuration(
        mode=mode,
        rule_negative=given.rule_negative,
        variant=variant,
        template=_read_template(given, variant, folder),
        choices=choices,
        judges=_read_judges(given, is_asking=mode is not Mode.RULE_ONLY),
        parameters=Parameters(model="", **dict(given.parameters)),
        repeats=given.repeats,
        includes_thinking=given.includes_thinking,
        max_candidate=given.max_candidate,
        pace=_read_pace(given),
    )


def _read_choices(given: Document) -> Choices:
    kind = given.kind
    by_item = {"language": given.language == BY_ITEM, "turns": given.turns == BY_ITEM}
    if by_item["language"] and len(kind.languages) == 1:
        sentence = _("write %(language)s: this judge has prompts in no other language.")
        raise BadConfiguration(f"language: {sentence % {'language': kind.languages[0]}}")
    if given.template is not None and any(by_item.values()):
        sentence = _("leave it out: one template is for one language and one number of turns.")
        raise BadConfiguration(f"template: {sentence}")
    is_open = given.with_reference is None and given.template is None and not kind.needs_reference
    return Choices(**by_item, categories=given.reference_categories if is_open else None)


def _read_variant(given: Document, choices: Choices) -> Variant:
    kind = given.kind
    if (choices.turns or given.turns != 1) and kind.most_turns == 1:
        sentence = _("write 1: only the %(judges)s looks at several turns.")
        judges = name_kinds(lambda kind: kind.most_turns > 1)
        raise BadConfiguration(f"turns: {sentence % {'judges': judges}}")
    if kind.needs_reference and given.with_reference is False:
        raise BadConfiguration(f"with_reference: {_('write true: this judge compares with one.')}")
    if given.includes_thinking and not kind.can_show_thinking:
        sentence = _("leave it out: only the %(judges)s can be shown it.")
        judges = name_kinds(lambda kind: kind.can_show_thinking)
        raise BadConfiguration(f"includes_thinking: {sentence % {'judges': judges}}")
    return Variant(
        kind,
        # Of what each item chooses for itself this is what one has that chooses nothing.
        given.language if isinstance(given.language, PromptLanguage) else PromptLanguage.ENGLISH,
        given.turns if isinstance(given.turns, int) else 1,
        given.with_reference is not False,
        given.includes_thinking,
    )


def _read_template(given: Document, variant: Variant, folder: Path) -> Template:
    try:
        if given.template is None:
            return get_template(variant)
        return read_template(folder / given.template, variant)
    except TemplateError as error:
        field = "language" if given.template is None else "template"
        raise BadConfiguration(f"{field}: {error}") from None


def _read_judges(given: Document, *, is_asking: bool) -> tuple[Judge, ...]:
    single = {"base_url": given.base_url, "model": given.model, "name": given.name}
    has_single = any(one is not None for one in single.values())
    if not is_asking:
        if given.judges is not None or has_single:
            sentence = _("with rule_only, leave out base_url, model and judges.")
            raise BadConfiguration(f"mode: {sentence}")
        return ()
    if given.judges is None:
        return (_make_judge(take(JudgeSection, single)),)
    if has_single:
        sentence = _("write base_url and model in each judge, or no judges.")
        raise BadConfiguration(f"judges: {sentence}")
    if not 1 <= len(given.judges) <= MOST_JUDGES:
        raise BadConfiguration(f"judges: {say_list()}")
    judges = tuple(map(_make_judge, given.judges))
    if len({one.name for one in judges}) < len(judges):
        raise BadConfiguration(f"judges: {_('give each a “name” of its own.')}")
    return judges


def _make_judge(given: JudgeSection) -> Judge:
    return Judge(given.name or given.model, given.base_url, given.model)


def _read_pace(given: Document) -> Pace:
    limits, prices = given.limits, given.prices
    if limits.money is not None and not (prices.prompt or prices.completion):
        sentence = _("write “prices” too: without them, costs can’t be calculated.")
        raise BadConfiguration(f"limits.money: {sentence}")
    seconds = limits.seconds_per_call
    return Pace(
        rate=Rate(
            requests=limits.requests_per_minute,
            tokens=limits.tokens_per_minute,
            longest_call=2 * seconds,
        ),
        policy=Policy(
            attempts=limits.attempts or Policy().attempts,
            first=Policy().first if limits.first_wait is None else limits.first_wait,
        ),
        limits=Limits(total=seconds, connect=min(10.0, seconds), silence=seconds),
        allowed=Allowance(calls=limits.calls, tokens=limits.tokens, money=limits.money),
        prices=Prices(prices.prompt or NOTHING, prices.completion or NOTHING),
    )


def parse_configuration(content: bytes, *, folder: Path) -> Configuration:
    """Read the file that a configuration stands in; raises `BadConfiguration`."""
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadConfiguration(_("Save it as text in UTF-8.")) from None
    except json.JSONDecodeError as error:
        raise BadConfiguration(
            _("This is not JSON: line %(line)d, column %(column)d: %(what)s.")
            % {
                "line": error.lineno,
                "column": error.colno,
                "what": _(JSON_FAULTS[find_json_fault(error)]),
            }
        ) from None
    except (ValueError, RecursionError):
        raise BadConfiguration(_("This JSON can’t be read: write a plain object.")) from None
    return read_configuration(document, folder=folder)
