"""
What a configuration’s file may hold, and what to write where it holds something else.

Null is as good as nothing. What is not known is refused: a misspelt limit would be no limit.
"""

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal, TypeVar

from django.utils.translation import gettext as _
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from grading.endpoints import BadURL, BaseURL
from grading.judging.engine.choices import BY_ITEM, NEED_REFERENCE, simplify
from phybench_grader.judges import Mode, RuleNegative
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.kinds.kind import JudgeKind
from phybench_grader.judges.prompts import MAX_CANDIDATE, PromptLanguage

MAX_TOKENS = 4_000
"""Of a reply, thinking and all, unless the configuration says otherwise."""
MOST_REPEATS = 25
MOST_JUDGES = 9
MOST_TURNS = max(kind.most_turns for kind in KINDS.values())


class BadConfiguration(Exception):
    """A configuration that can't be used; the message names the field and says what to do."""


def refuse(sentence: str, field: str = "") -> PydanticCustomError:
    """Refuse what is there, or a `field` of it."""
    return PydanticCustomError("refused", "{what}", {"what": sentence, "field": field})


def choose(choices: Iterable[Any]) -> BeforeValidator:
    """Take one of these by its name, in any case of letters."""

    def take(given: object) -> object:
        by_name = {str(one).casefold(): one for one in choices}
        if isinstance(given, str) and given.strip().casefold() in by_name:
            return by_name[given.strip().casefold()]
        raise refuse(_("choose one of %(choices)s.") % {"choices": ", ".join(by_name)})

    return BeforeValidator(take)


def whole(least: int = 1, most: int = 10**12) -> BeforeValidator:
    def take(given: object) -> int:
        if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
            sentence = _("write an integer from %(least)d to %(most)d.")
            raise refuse(sentence % {"least": least, "most": most})
        return given

    return BeforeValidator(take)


def turns_or_by_item(given: object) -> object:
    if isinstance(given, str) and given.strip().casefold() == BY_ITEM:
        return BY_ITEM
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= MOST_TURNS:
        sentence = _("write an integer from 1 to %(most)d, or by_item.")
        raise refuse(sentence % {"most": MOST_TURNS})
    return given


def take_categories(given: object) -> frozenset[str]:
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise refuse(_("write a list of texts, or [] for none."))
    return frozenset(map(simplify, given))


def number(least: float, most: float) -> BeforeValidator:
    def take(given: Any) -> float:
        is_number = isinstance(given, int | float) and not isinstance(given, bool)
        if not is_number or not math.isfinite(given) or not least <= given <= most:
            sentence = _("write a number from %(least)g to %(most)g.")
            raise refuse(sentence % {"least": least, "most": most})
        return float(given)

    return BeforeValidator(take)


def take_amount(given: object) -> Decimal:
    """Take an amount, which as a text is exact."""
    try:
        amount = Decimal(str(given)) if not isinstance(given, bool) else Decimal("NaN")
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or not 0 <= amount < 10**9:
        raise refuse(_('write an amount from 0, such as "2.50".'))
    return amount


def take_url(given: object) -> BaseURL:
    try:
        return BaseURL.parse(given.strip() if isinstance(given, str) else "")
    except BadURL as error:
        raise refuse(str(error) if given else _("write a text.")) from None


Amount = Annotated[Decimal | None, BeforeValidator(take_amount)]
Text = Annotated[str, Field(min_length=1)]


class Section(BaseModel):
    """One object of the file."""

    model_config = ConfigDict(
        strict=True, frozen=True, str_strip_whitespace=True, arbitrary_types_allowed=True
    )

    @model_validator(mode="before")
    @classmethod
    def take_what_is_known(cls, given: object) -> object:
        if not isinstance(given, Mapping):
            raise refuse(_("write an object {…}."))
        for name in (one for one in given if one not in cls.model_fields):
            if "key" in name.lower():
                sentence = _(
                    "leave API keys out of the file: put the API key into an "
                    "environment variable and name it with --key-env."
                )
                raise refuse(sentence, name)
            known = ", ".join(sorted(cls.model_fields))
            raise refuse(
                _("this name is unknown here; known names are %(known)s.") % {"known": known}, name
            )
        return {name: value for name, value in given.items() if value is not None}


AnySection = TypeVar("AnySection", bound=Section)


class JudgeSection(Section):
    model: Text
    base_url: Annotated[BaseURL, BeforeValidator(take_url)]
    name: Text | None = None


class ParameterSection(Section):
    max_tokens: Annotated[int, whole(most=1_000_000)] = MAX_TOKENS
    temperature: Annotated[float, number(0, 2)] = 0.0
    top_p: Annotated[float | None, number(0, 1)] = None
    seed: Annotated[int | None, whole(0, 2**31 - 1)] = None
    reasoning_effort: Text | None = None
    response_format: dict[str, Any] | None = None


class LimitSection(Section):
    seconds_per_call: Annotated[float, number(0.1, 3_600)] = 300.0
    first_wait: Annotated[float | None, number(0, 600)] = None
    requests_per_minute: Annotated[float | None, number(0.1, 1e6)] = None
    tokens_per_minute: Annotated[float | None, number(1, 1e9)] = None
    attempts: Annotated[int | None, whole(most=20)] = None
    calls: Annotated[int | None, whole(0)] = None
    tokens: Annotated[int | None, whole(0)] = None
    money: Amount = None


class PriceSection(Section):
    prompt: Amount = None
    completion: Amount = None


class Document(Section):
    """The whole of the file."""

    kind: Annotated[JudgeKind, choose(KINDS.values())] = Field(None, validate_default=True)
    language: Annotated[PromptLanguage | Literal["by_item"], choose([*PromptLanguage, BY_ITEM])] = (
        PromptLanguage.ENGLISH
    )
    turns: Annotated[int | Literal["by_item"], BeforeValidator(turns_or_by_item)] = 1
    with_reference: bool | None = None
    """Where it is left open an item's category decides, and one without a category needs one."""
    reference_categories: Annotated[frozenset[str], BeforeValidator(take_categories)] = frozenset(
        NEED_REFERENCE
    )
    mode: Annotated[Mode | None, choose(Mode)] = None
    rule_negative: Annotated[RuleNegative, choose(RuleNegative)] = RuleNegative.FINAL
    includes_thinking: bool = False
    template: Text | None = None
    base_url: Any = None
    model: Any = None
    name: Any = None
    judges: list[JudgeSection] | None = None
    parameters: ParameterSection = ParameterSection()
    repeats: Annotated[int, whole(most=MOST_REPEATS)] = 1
    max_candidate: Annotated[int, whole(1_000, 1_000_000)] = MAX_CANDIDATE
    limits: LimitSection = LimitSection()
    prices: PriceSection = PriceSection()


def take(section: type[AnySection], given: object) -> AnySection:
    """
    Take an object apart.

    Raises:
        BadConfiguration: naming each field that is wrong, and what to write there, line by line.
    """
    try:
        return section.model_validate(given)
    except ValidationError as error:
        raise BadConfiguration("\n".join(map(_explain, error.errors()))) from None


def say_list() -> str:
    sentence = _("write a list of 1 to %(most)d objects with base_url and model.")
    return sentence % {"most": MOST_JUDGES}


def _explain(error: ErrorDetails) -> str:
    if not error["loc"] and not error["ctx"]["field"]:
        return _("Write one JSON object {…}.")
    field = error.get("ctx", {}).get("field")
    where = ""
    for step in (*error["loc"], field) if field else error["loc"]:
        where += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if where else step
    match error["type"]:
        case "refused":
            sentence = error["msg"]
        case "bool_type":
            sentence = _("write true or false.")
        case "list_type":
            sentence = say_list()
        case "dict_type":
            sentence = _('write an object, such as {"type": …}.')
        case _other:
            sentence = _("write a text.")
    return f"{where}: {sentence}"
