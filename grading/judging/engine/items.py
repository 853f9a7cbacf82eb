"""
Read the items that are to be judged: a file with one JSON object a line.

`id`, `question` and `response`; `ground_truth` or `reference`; `type` for the semantic matcher,
`turns` for the rating judge, `reference_solution` for the process judge, `first` and `second` for
the pairwise judge. What one lacks makes it an item that is skipped and seen to be; what can't be
understood makes the file one that is refused, since nobody could say what was judged.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from grading.judges import Kind
from grading.judges.prompts import Family, Turn, Variant, hash_values, select_turns
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to judge. What is None was not given, which is not the same as empty."""

    id: int | str
    """As it stands in the file."""
    question: str = ""
    response: str | None = None
    references: tuple[str, ...] = ()
    """The ground truth, or the references of each turn."""
    type: Kind | None = None
    turns: tuple[Turn, ...] = ()
    reference_solution: str = ""
    first: str | None = None
    second: str | None = None
    model: str = ""
    """Who responded, where that is known: it does not judge itself. Of a pair, who gave `first`."""
    second_model: str = ""
    """Who gave `second`, where that is known."""
    canary: str = ""
    """Its name, if its verdict is known and it is there to try the judge."""
    call: str = ""
    """What the judge is to send back; drawn where it is empty. It is no part of what is judged."""

    @property
    def key(self) -> str:
        return str(self.id)

    @property
    def input_hash(self) -> str:
        """A hash over all that is judged: the same item under the same id."""
        turns = {
            f"turn_{number}": f"{turn.question}\x00{turn.answer}"
            for number, turn in enumerate(self.turns, start=1)
        }
        given = {
            "question": self.question,
            "response": self.response,
            "type": self.type,
            "reference_solution": self.reference_solution,
            "first": self.first,
            "second": self.second,
            "model": self.model,
            # What has no second one is hashed as it was before there were any.
            "second_model": self.second_model or None,
            **{f"reference_{number}": one for number, one in enumerate(self.references, start=1)},
        }
        return hash_values({name: text for name, text in given.items() if text is not None} | turns)


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
        raise BadItems(_("This file holds no items."))
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
                _("the file ends in the middle of it and was cut off: fetch or write it again")
            ) from None
        raise BadLine(
            _("not JSON at column %(column)d: %(what)s")
            % {"column": error.colno, "what": error.msg}
        ) from None
    except (ValueError, RecursionError):
        raise BadLine(_("JSON that can’t be read: write a plain object")) from None
    if not isinstance(row, Mapping):
        raise BadLine(_("not an object {…}"))
    return _read_item(row, variant)


def _read_item(row: Mapping[str, Any], variant: Variant) -> Item:
    item = Item(
        id=_id(row),
        question=_text(row, "question") or "",
        response=_text(row, "response"),
        references=_references(row),
        type=_type(row),
        turns=_turns(row) if variant.family is Family.RATING else (),
        reference_solution=_text(row, "reference_solution") or "",
        first=_text(row, "first"),
        second=_text(row, "second"),
        model=_text(row, "model") or "",
        second_model=_text(row, "second_model") or "",
    )
    if not item.question.strip() and not item.turns:
        raise BadLine(_("it has no “question”"))
    if len(item.turns) > variant.turns:
        raise BadLine(
            _("it has %(given)d turns, and the configuration’s “turns” is %(asked)d")
            % {"given": len(item.turns), "asked": variant.turns}
        )
    return item


def _id(row: Mapping[str, Any]) -> int | str:
    value = row.get("id")
    is_id = isinstance(value, int | str) and not isinstance(value, bool)
    if not is_id or not 0 < len(str(value).strip()) <= LONGEST_ID:
        raise BadLine(_("it has no “id”, which is a number or a text of up to 200 characters"))
    return storable(value) if isinstance(value, str) else int(row["id"])


def _text(row: Mapping[str, Any], name: str) -> str | None:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise BadLine(_("its “%(name)s” is not text") % {"name": name})
    return None if value is None else storable(value)


def _references(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Take one reference, or one for each turn, under either name."""
    given = [row[name] for name in ("ground_truth", "reference") if row.get(name) is not None]
    if len(given) == 2 and given[0] != given[1]:
        raise BadLine(_("its “ground_truth” and its “reference” differ: keep one of them"))
    value = given[0] if given else []
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise BadLine(_("its reference is neither a text nor a list of texts"))
    return tuple(map(storable, listed))


def _type(row: Mapping[str, Any]) -> Kind | None:
    value = row.get("type")
    if value is None:
        return None
    if not isinstance(value, str) or value.strip().upper() not in Kind.__members__:
        kinds = ", ".join(kind.lower() for kind in Kind)
        raise BadLine(_("its “type” is none of %(kinds)s") % {"kinds": kinds})
    return Kind[value.strip().upper()]


def _turns(row: Mapping[str, Any]) -> tuple[Turn, ...]:
    """Read questions with their responses, or the messages of a chat by their roles."""
    value = row.get("turns")
    if value is None:
        question, response = _text(row, "question"), _text(row, "response")
        return (Turn(question, response),) if question and response is not None else ()
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise BadLine(_("its “turns” are not a list of objects"))
    turns = value
    if any("role" in one for one in value):
        if not all(isinstance(one.get(name), str) for one in value for name in ("role", "content")):
            raise BadLine(_("its “turns” are messages, and one lacks role or content"))
        return tuple(
            Turn(storable(one.question), storable(one.answer)) for one in select_turns(turns)
        )
    if not all(
        isinstance(one.get(name), str) for one in value for name in ("question", "response")
    ):
        raise BadLine(_("one of its “turns” lacks question or response"))
    return tuple(Turn(storable(one["question"]), storable(one["response"])) for one in turns)
