"""
Read the items that are to be judged: a file with one JSON object a line.

`id`, `question` and `response`; `ground_truth` or `reference`; `type` for the semantic matcher,
`turns` for the rating judge, `reference_solution` for the process judge, `first` and `second` for
the pairwise judge. What one lacks makes it an item that is skipped and seen to be; what can't be
understood makes the file one that is refused, since nobody could say what was judged.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from django.utils.translation import gettext as _
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from grading.judges import TruthKind
from grading.judges.items import Item, Turn, select_turns
from grading.judges.prompts import Variant
from phybench.json_list import storable

LARGEST_FILE = 512 * 1024**2
"""Bytes."""
MOST_NAMED = 10
"""Bad lines that are named one by one."""
LONGEST_ID = 200


class BadItems(Exception):
    """A file of items that can't be taken; the message names lines and says what to do."""


class BadLine(Exception):
    """One line of it; the message says what is wrong."""


def _clean(given: object) -> object:
    return storable(given) if isinstance(given, str) else given


def _as_list(given: object) -> object:
    return [given] if isinstance(given, str) else given


def _as_kind(given: object) -> object:
    return (
        TruthKind.__members__.get(given.strip().upper()) or given
        if isinstance(given, str)
        else given
    )


def _check_id(given: object) -> object:
    if not 0 < len(str(given).strip()) <= LONGEST_ID:
        raise ValueError(given)
    return _clean(given)


Text = Annotated[str, BeforeValidator(_clean)]
References = Annotated[list[Text], BeforeValidator(_as_list)]


class _Row(BaseModel):
    """One line of the file. What else stands there is nobody's concern."""

    model_config = ConfigDict(strict=True)

    id: Annotated[int | str, BeforeValidator(_check_id)]
    question: Text = ""
    response: Text | None = None
    ground_truth: References | None = None
    reference: References | None = None
    type: Annotated[TruthKind | None, BeforeValidator(_as_kind)] = None
    reference_solution: Text = ""
    first: Text | None = None
    second: Text | None = None
    model: Text = ""
    second_model: Text = ""
    turns: Any = None

    @model_validator(mode="before")
    @classmethod
    def leave_out_nulls(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in given.items() if value is not None}


class _Exchange(BaseModel):
    question: Text
    response: Text


class _Message(BaseModel):
    role: Text
    content: Text


_EXCHANGES = TypeAdapter(list[_Exchange])
_MESSAGES = TypeAdapter(list[_Message])


def parse_items(content: bytes, variant: Variant) -> list[Item]:
    """
    Read the items of a file for one way of asking.

    Raises:
        BadItems: it is no such file, or lines of it can't be understood.
    """
    if len(content) > LARGEST_FILE:
        raise BadItems(
            _("This file is larger than %(size)d MB: judge it in parts.")
            % {"size": LARGEST_FILE // 1024**2}
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadItems(_("This is not a text file in UTF-8. Save it as JSON lines.")) from None
    # Not splitlines: it also splits at separators that JSON texts may hold as they are.
    lines = text.split("\n")
    items: list[Item] = []
    complaints: list[str] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            item = _read_line(line, variant, is_last=number == len(lines))
            first = seen.setdefault(item.key, number)
            if first != number:
                raise BadLine(
                    _("the same id as line %(first)d, %(id)s: give each its own")
                    % {"first": first, "id": item.key}
                )
        except BadLine as error:
            complaints.append(_("Line %(line)d: %(what)s.") % {"line": number, "what": error})
        else:
            items.append(item)
    if complaints:
        raise BadItems(_list(complaints))
    if not items:
        raise BadItems(_("This file contains no items."))
    return items


def _list(complaints: Sequence[str]) -> str:
    shown = "\n".join(complaints[:MOST_NAMED])
    if len(complaints) > MOST_NAMED:
        more = _("… and %(count)d more.") % {"count": len(complaints) - MOST_NAMED}
        return f"{shown}\n{more}"
    return shown


def _read_line(line: str, variant: Variant, *, is_last: bool) -> Item:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        if is_last:
            # Its line break is missing as well.
            raise BadLine(
                _(
                    "the file ends in the middle of this line and is incomplete: fetch or "
                    "write it again"
                )
            ) from None
        raise BadLine(
            _("not JSON at column %(column)d: %(what)s")
            % {"column": error.colno, "what": error.msg}
        ) from None
    except (ValueError, RecursionError):
        raise BadLine(_("JSON that can’t be read: write a plain object")) from None
    if not isinstance(row, Mapping):
        raise BadLine(_("not an object {…}"))
    return _make_item(_take(row), variant)


def _take(given: Mapping[str, Any]) -> _Row:
    try:
        row = _Row.model_validate(given)
    except ValidationError as error:
        raise BadLine(_explain(str(error.errors()[0]["loc"][0]))) from None
    named = [given[name] for name in ("ground_truth", "reference") if given.get(name) is not None]
    if len(named) == 2 and named[0] != named[1]:
        raise BadLine(_("its “ground_truth” and its “reference” differ: keep one of them"))
    return row


def _explain(name: str) -> str:
    """Say what is wrong with a field, whatever it is."""
    match name:
        case "id":
            return _("it has no “id”, which is a number or a text of up to 200 characters")
        case "ground_truth" | "reference":
            return _("its reference answer is neither a text nor a list of texts")
        case "type":
            kinds = ", ".join(kind.lower() for kind in TruthKind)
            return _("its “type” is not one of %(kinds)s") % {"kinds": kinds}
        case other:
            return _("its “%(name)s” is not text") % {"name": other}


def _make_item(row: _Row, variant: Variant) -> Item:
    turns = _read_turns(row) if variant.kind.most_turns > 1 else ()
    if not row.question.strip() and not turns:
        raise BadLine(_("it has no “question”"))
    if len(turns) > variant.turns:
        raise BadLine(
            _("it has %(given)d turns, and the configuration’s “turns” is %(asked)d")
            % {"given": len(turns), "asked": variant.turns}
        )
    named = row.model_dump(exclude={"ground_truth", "reference", "turns"})
    return Item(**named, references=tuple(row.ground_truth or row.reference or ()), turns=turns)


def _read_turns(row: _Row) -> tuple[Turn, ...]:
    """Read questions with their responses, or the messages of a chat by their roles."""
    if row.turns is None:
        is_one = row.question and row.response is not None
        return (Turn(row.question, row.response or ""),) if is_one else ()
    if not isinstance(row.turns, list) or not all(isinstance(one, Mapping) for one in row.turns):
        raise BadLine(_("its “turns” are not a list of objects"))
    is_chat = any("role" in one for one in row.turns)
    try:
        if is_chat:
            messages = [one.model_dump() for one in _MESSAGES.validate_python(row.turns)]
            return tuple(select_turns(messages))
        exchanges = _EXCHANGES.validate_python(row.turns)
    except ValidationError:
        lacks = _("its “turns” are messages, and one has no role or no content")
        raise BadLine(
            lacks if is_chat else _("one of its “turns” has no question or no response")
        ) from None
    return tuple(Turn(one.question, one.response) for one in exchanges)
