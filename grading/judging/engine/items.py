"""
Read the items that are to be judged: a file with one JSON object a line.

`id`, `question` and `response`; `ground_truth` or `reference`; `type` for the semantic matcher,
`turns` or `messages` of a chat, `reference_solution` for the process judge, `first` and `second`
for the pairwise judge. What one lacks, or what can't be understood, makes it an item that is
skipped and seen to be; the others are judged. A file in which nothing can be understood is refused.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from grading.judging.engine.choices import Choices
from grading.judging.engine.rows import BadRow, find_id, list_unknown, read_row, refuse_row, shorten
from phybench.files.answer_files.formats.kinds import recognise_text
from phybench.files.json_errors import JSON_FAULTS, find_json_fault
from phybench_grader.judges.faults import FAULTS
from phybench_grader.judges.items import Item
from phybench_grader.judges.kinds.kind import JudgeKind
from phybench_grader.numbers.sentences import Sentence

LARGEST_FILE = 512 * 1024**2
"""Bytes."""
NOTHING = Choices()
MOST_NAMED = 10
"""Bad lines, and unknown fields, that are named one by one."""
NOT_NAMED = "…"


_SENTENCES = {**FAULTS, **JSON_FAULTS}


def say_fault(fault: Sentence) -> str:
    """Say in the reader's language what is wrong with a line."""
    return fault.say(_, _SENTENCES)


class BadItems(Exception):
    """A file of items that can't be taken; the message names lines and says what to do."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What a file holds."""

    items: list[Item]
    """In its order, those that can't be judged among them."""
    complaints: list[Sentence]
    """What is wrong with them, by their lines."""
    unknown: Mapping[str, int]
    """Fields that no judge looks at, with the number of items that have them."""

    def list_remarks(self) -> list[str]:
        """Say what is to be known of the file before it is judged."""
        return [*list_complaints(self.complaints), *self.list_ignored()]

    def list_ignored(self) -> list[str]:
        """Say which fields no judge looks at, if there are any."""
        if not self.unknown:
            return []
        shown = list(self.unknown.items())[:MOST_NAMED]
        named = [f"{shorten(name)} ({count})" for name, count in shown]
        if len(self.unknown) > len(shown):
            named.append(NOT_NAMED)
        sentence = _("Unknown fields are ignored (number of items in brackets): %(fields)s.")
        return [sentence % {"fields": _(", ").join(named)}]


def parse_items(
    content: bytes,
    kind: JudgeKind[Any],
    choices: Choices = NOTHING,
    *,
    most_items: int | None = None,
) -> Listed:
    """
    Read the items of a file for a kind of judge.

    Args:
        most_items: how many it may hold; the rest of a larger file is not looked at.

    Raises:
        BadItems: it is no such file, holds too many, or no line of it can be understood.
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
    if another := recognise_text(text):
        raise BadItems(another)
    # Not splitlines: it also splits at separators that JSON texts may hold as they are.
    lines = text.split("\n")
    items: list[Item] = []
    complaints: list[Sentence] = []
    unknown: Counter[str] = Counter()
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if len(items) == most_items:
            raise BadItems(
                _("This file has more than %(most)d items. Split it, or use the command “judge”.")
                % {"most": most_items}
            )
        item_id: int | str | None = None
        row: Mapping[str, Any] = {}
        try:
            row = _read_line(line, is_last=number == len(lines))
            unknown.update(list_unknown(row))
            item_id = _take_id(row, number, seen)
            item = read_row(row, kind, choices)
        except BadRow as error:
            complaints.append(Sentence.of("row_of_line", line=str(number), what=error.fault))
            # Its place among the others shows which it was, where it has no id of its own.
            name = f"line {number}" if item_id is None else item_id
            item = refuse_row(row, name, complaints[-1])
        items.append(item)
    if not items:
        raise BadItems(_("This file contains no items."))
    if len(complaints) == len(items):
        raise BadItems("\n".join(list_complaints(complaints)))
    return Listed(_tell_apart(items), complaints, unknown)


def list_complaints(complaints: Sequence[Sentence]) -> list[str]:
    shown = [say_fault(one) for one in complaints[:MOST_NAMED]]
    if len(complaints) > MOST_NAMED:
        shown.append(_("… and %(count)d more.") % {"count": len(complaints) - MOST_NAMED})
    return shown


def _read_line(line: str, *, is_last: bool) -> Mapping[str, Any]:
    try:
        row = json.loads(line, object_pairs_hook=_read_pairs)
    except json.JSONDecodeError as error:
        if is_last:
            # Its line break is missing as well.
            raise BadRow(Sentence("row_cut_off")) from None
        what = Sentence(find_json_fault(error))
        raise BadRow(Sentence.of("row_not_json", column=str(error.colno), what=what)) from None
    except (ValueError, RecursionError):
        raise BadRow(Sentence("row_unreadable")) from None
    if not isinstance(row, Mapping):
        raise BadRow(Sentence("row_no_object"))
    return row


def _read_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a field that stands there twice: which of the two is meant can't be told."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = Counter(name for name, _value in pairs)
        twice = next(name for name, count in names.items() if count > 1)
        raise BadRow(Sentence.of("row_twice", name=shorten(twice)))
    return fields


def _take_id(row: Mapping[str, Any], number: int, seen: dict[str, int]) -> int | str | None:
    """Return an id that no item before has; None where the row has none."""
    item_id = find_id(row)
    if item_id is None:
        return None
    first = seen.setdefault(str(item_id), number)
    if first != number:
        raise BadRow(Sentence.of("row_same_id", first=str(first), id=str(item_id)))
    return item_id


def _tell_apart(items: Sequence[Item]) -> list[Item]:
    """Give those that were named by their lines a name that no other has for its id."""
    taken = {item.key for item in items if not item.refused}
    told: list[Item] = []
    for item in items:
        named = item
        while named.refused and named.key in taken:
            named = replace(named, id=f"{named.id} (unusable)")
        taken.add(named.key)
        told.append(named)
    return told
