"""
Read a file of problems, or of other rows: a JSON list, JSON lines, or CSV. No database here.

What a row holds is looked at in `rows.py`; here a file becomes rows, each with its line.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from phybench.files import json_list
from phybench.files.cells import restore
from phybench.files.json_errors import JSON_FAULTS, find_json_fault

LARGEST_FILE = 5 * 1024**2
"""Bytes: what comes of them is kept within a minute (`phybench/work/budgets.py`)."""
MOST_ROWS = 5000
MOST_VALUES = 1_000_000
"""Strings, signs between values and line ends: rows of 40 fields have 400,000."""
_IN_JSON = re.compile(rb'[,\[{\n]|"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_IN_CSV = re.compile(rb'[,;\t\n]|"[^"]*+"')
_OTHER_FILES = {
    b"PK\x03\x04": "Excel",
    b"\xd0\xcf\x11\xe0": "Excel",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a file is to hold, for the sentences that say what is wrong with it."""

    known: frozenset[str]
    """Names of fields."""
    holds: "str | Promise"
    """What the rows are, in the plural."""
    columns: str
    """Some of the fields, as a CSV names them."""

    @property
    def example(self) -> str:
        named = ", ".join(f'"{name}": …' for name in self.columns.split(", "))
        return f"[{{{named}}}, …]"


class Refused(Exception):
    """A file that can't be taken at all; the message says what to do."""


@dataclass(frozen=True, slots=True)
class RawRow:
    number: int
    """From 1, as people count."""
    line: int
    """Where it begins in the file, from 1."""
    values: Any
    """What stands there; anything but an object is no problem."""
    fault: str = ""
    """Why nothing could be read, where that is so."""
    is_typed: bool = True
    """False where every value is text, as in CSV."""


@dataclass(frozen=True, slots=True)
class RawFile:
    format: str
    """`json`, `jsonl` or `csv`."""
    rows: list[RawRow]
    known: frozenset[str]

    @property
    def unknown(self) -> list[str]:
        """Names of fields that are not taken because nobody knows them."""
        names = dict.fromkeys(
            json_list.storable(str(name))[:40]
            for row in self.rows
            if isinstance(row.values, Mapping)
            for name in row.values
            if name not in self.known
        )
        return list(names)[:20]


def read(content: bytes, wanted: Wanted) -> RawFile:
    """
    Return the rows of a file, whichever of the formats it is in.

    Raises:
        Refused: it is no such file, is empty, too large, or was cut off.
    """
    text = _decode(content)
    begins = text.lstrip()[:1]
    check_values(content, is_json=begins in ("[", "{"))
    if begins == "[":
        found = RawFile("json", _read_list(content, text, wanted), wanted.known)
    elif begins == "{":
        found = RawFile("jsonl", _read_lines(text, wanted), wanted.known)
    else:
        found = RawFile("csv", _read_table(text, wanted), wanted.known)
    if len(found.rows) > MOST_ROWS:
        raise Refused(
            _("This file holds %(count)d %(rows)s, more than %(most)d. Split it into smaller ones.")
            % {"count": len(found.rows), "rows": wanted.holds, "most": MOST_ROWS}
        )
    return found


def _decode(content: bytes) -> str:
    if len(content) > LARGEST_FILE:
        raise Refused(
            _("This file is larger than %(size)d MB. Split it into smaller ones.")
            % {"size": LARGEST_FILE // 1024**2}
        )
    for mark, what in _OTHER_FILES.items():
        if content.startswith(mark):
            raise Refused(
                _("This is a file in %(what)s. Save it as “CSV UTF-8”, or as JSON in UTF-8.")
                % {"what": what}
            )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Refused(
            _("Line %(line)d is not text in UTF-8. Save the file as UTF-8 and try again.")
            % {"line": line}
        ) from None
    if not text.strip():
        raise Refused(_("This file is empty."))
    return text


def check_values(content: bytes, *, is_json: bool) -> None:
    """
    Refuse what holds so many values that reading them would take a hundred times its bytes.

    Raises:
        Refused: it does.
    """
    sign = _IN_JSON if is_json else _IN_CSV
    for number, _found in enumerate(sign.finditer(content)):
        if number >= MOST_VALUES:
            raise Refused(
                _("This file holds more than %(most)d values. Split it into smaller ones.")
                % {"most": MOST_VALUES}
            )


# --- JSON -----------------------------------------------------------------------------------


def _read_list(content: bytes, text: str, wanted: Wanted) -> list[RawRow]:
    try:
        rows = json_list.load(
            content,
            largest=LARGEST_FILE,
            too_large=_("Split it into smaller lists."),
            cut_off=_("Download it again."),
            holds=str(wanted.holds),
            example=wanted.example,
        )
    except json_list.NotAList as error:
        raise Refused(str(error)) from None
    try:
        lines = _find_lines(text)
    except RecursionError:
        raise Refused(
            _("This JSON is nested too deep to be a list of %(rows)s.") % {"rows": wanted.holds}
        ) from None
    return [RawRow(number, lines[number - 1], row) for number, row in enumerate(rows, start=1)]


def _find_lines(text: str) -> list[int]:
    """Find the line in which each row of a list begins; that it is one is known."""
    decoder = json.JSONDecoder()
    lines: list[int] = []
    position, line, counted = text.index("[") + 1, 1, 0
    while True:
        while text[position] in " \t\r\n,":
            position += 1
        if text[position] == "]":
            return lines
        line += text.count("\n", counted, position)
        counted = position
        lines.append(line)
        _value, position = decoder.raw_decode(text, position)


def _read_lines(text: str, wanted: Wanted) -> list[RawRow]:
    lines = [(line, one) for line, one in enumerate(text.split("\n"), start=1) if one.strip()]
    rows: list[RawRow] = []
    for number, (line, one) in enumerate(lines, start=1):
        try:
            rows.append(RawRow(number, line, json.loads(one)))
        except (ValueError, RecursionError) as error:
            if number == 1:
                _refuse_one_object(text, wanted)
            if number == len(lines) and number > 1 and _ends_early(one, error):
                raise Refused(
                    _("This file ends in the middle (line %(line)d): it was cut off.")
                    % {"line": line}
                    + " "
                    + _("Download it again.")
                ) from None
            rows.append(RawRow(number, line, None, _say_no_json(_say_fault(error))))
    values = rows[0].values
    if len(rows) == 1 and isinstance(values, Mapping) and not wanted.known & values.keys():
        raise Refused(
            _("This file must be a JSON list: %(example)s.") % {"example": wanted.example}
        )
    return rows


def _ends_early(line: str, error: Exception) -> bool:
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.pos >= len(line.rstrip()) - 1 or "Unterminated" in error.msg


def _say_no_json(what: str) -> str:
    return _("this line is not JSON (%(what)s): write one object {…} a line") % {"what": what}


def _say_fault(error: Exception) -> str:
    code = find_json_fault(error) if isinstance(error, json.JSONDecodeError) else "json_other"
    return _(JSON_FAULTS[code])


def _refuse_one_object(text: str, wanted: Wanted) -> None:
    """Say what is the matter with an object that goes over several lines."""
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        message = _say_fault(error)
        line = getattr(error, "lineno", 1)
        if isinstance(error, json.JSONDecodeError) and find_json_fault(error) == "json_end":
            message = _("write each object on one line, or all of them in a list […]")
        raise Refused(
            _("This is not JSON: line %(line)d: %(what)s.") % {"line": line, "what": message}
        ) from None
    raise Refused(_("This file must be a JSON list: %(example)s.") % {"example": wanted.example})


# --- CSV ------------------------------------------------------------------------------------


def _read_table(text: str, wanted: Wanted) -> list[RawRow]:
    # One cell may be as long as a file; what is too long for its field is refused by its row.
    csv.field_size_limit(LARGEST_FILE)
    first_line = text.lstrip("\r\n").split("\n", 1)[0]
    found = {one: _name_columns(first_line.split(one), wanted) for one in ",;\t"}
    delimiter = max(found, key=lambda one: len(found[one]))
    if len(found[delimiter]) < 2:
        raise Refused(
            _(
                "This is neither JSON nor a table of %(rows)s: the first line of a CSV names its"
                " columns, such as %(columns)s."
            )
            % {"rows": wanted.holds, "columns": wanted.columns}
        )
    rows: list[RawRow] = []
    began, header = 1, None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            line, began = began, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _check_header(cells)
                continue
            rows.append(_read_cells(len(rows) + 1, line, header, cells))
    except csv.Error as error:
        raise Refused(_say_why_no_table(error, began, reader.line_num)) from None
    if not rows:
        raise Refused(_("This file holds no %(rows)s.") % {"rows": wanted.holds})
    return rows


def _name_columns(cells: Iterable[str], wanted: Wanted) -> list[str]:
    """Return those names of a header that are known."""
    return [name for cell in cells if (name := cell.strip().strip('"').lower()) in wanted.known]


def _check_header(cells: list[str]) -> list[str]:
    header = [cell.strip().lower() for cell in cells]
    # Empty ones are what spreadsheets leave at the right.
    named = [name for name in header if name]
    if twice := [name for name in dict.fromkeys(named) if named.count(name) > 1]:
        raise Refused(_("Two columns are named “%(name)s”: keep one of them.") % {"name": twice[0]})
    return header


def _read_cells(number: int, line: int, header: list[str], cells: list[str]) -> RawRow:
    if len(cells) != len(header):
        fault = ngettext(
            "it has %(cells)d cell, but the first line names %(columns)d columns: put "
            "cells that contain commas or line ends in quotes; if it is the last row, "
            "the file was cut off",
            "it has %(cells)d cells, but the first line names %(columns)d columns: put "
            "cells that contain commas or line ends in quotes; if it is the last row, "
            "the file was cut off",
            len(cells),
        ) % {"cells": len(cells), "columns": len(header)}
        return RawRow(number, line, None, fault)
    values = {name: restore(cell) for name, cell in zip(header, cells, strict=True) if name}
    return RawRow(number, line, values, is_typed=False)


def _say_why_no_table(error: csv.Error, began: int, line: int) -> str:
    if "unexpected end of data" in str(error):
        return _(
            "This file ends inside the quotes of the row that begins in line %(line)d: "
            "it was cut off, or a quote is missing. Download it again, or close the "
            "quotes."
        ) % {"line": began}
    return _("Line %(line)d is not CSV: %(what)s. Double each quote inside a quoted cell.") % {
        "line": line or began,
        "what": error,
    }
