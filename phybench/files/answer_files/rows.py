"""
Read the rows of a file of answers, whichever of the formats it is in. No database here.

What it is, its contents say and not its name: JSON, JSON lines or a table (CSV), each plain or
packed with gzip. It is read as a stream: however long the file, some rows of it are in memory.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import BinaryIO

from django.utils.translation import gettext as _

from phybench.files.answer_files import guessing
from phybench.files.answer_files.formats import json_rows, json_values, table_rows
from phybench.files.answer_files.formats.line_rows import read_lines
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.formats.row import LIMITS, BrokenOff, Limits, Row, Stopped
from phybench.files.answer_files.formats.survey import Survey, survey
from phybench.files.answer_files.formats.unpacking import Unpacked
from phybench.files.answer_files.formats.window import Window

__all__ = ["LIMITS", "BrokenOff", "Format", "Limits", "Row", "RowFile", "open_rows"]

FIRST_ROWS = 200
"""That are looked at to guess what is in which field."""
_LINES = (".jsonl", ".ndjson")
_LARGEST_HEAD = 16 * 1024**2
"""Bytes, when each row is as long as it may be."""
_LONGEST_HEADER = 64 * 1024
"""Characters."""


class Format(StrEnum):
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


@dataclass(frozen=True, slots=True)
class _Layout:
    """How the rows lie in a file."""

    format: Format
    read: Callable[[Window], Iterator[Row]]
    rows_in: str = ""
    remarks: Mapping[str, str] = field(default_factory=dict)


class RowFile:
    """The rows of a file, from the first one each time they are asked for; one after the other."""

    def __init__(self, file: BinaryIO, layout: _Layout, limits: Limits) -> None:
        self._file = file
        self._layout = layout
        self._limits = limits
        self._unpacked = Unpacked(file, limits)

    @property
    def format(self) -> Format:
        return self._layout.format

    @property
    def rows_in(self) -> str:
        """The path of the list with the rows, where it stands in an object."""
        return self._layout.rows_in

    @property
    def remarks(self) -> Mapping[str, str]:
        """Texts that stand beside such a list, by their paths, such as the model's name."""
        return self._layout.remarks

    @property
    def consumed(self) -> int:
        """Bytes of the file that have been read, of those that were sent."""
        return self._unpacked.consumed

    def __iter__(self) -> Iterator[Row]:
        """
        Yield the rows.

        Raises:
            BrokenOff: after the last one that can be read, where the file goes on.
        """
        self._unpacked = Unpacked(self._file, self._limits)
        yield from self._layout.read(Window(self._unpacked, self._limits))

    def head(self, count: int = FIRST_ROWS) -> list[Row]:
        """Return the first rows, or as many as can be read."""
        rows: list[Row] = []
        with suppress(BrokenOff):
            for row in islice(self, count):
                rows.append(row)
                if self._unpacked.unpacked > _LARGEST_HEAD:
                    break
        return rows


def open_rows(file: BinaryIO, name: str = "", limits: Limits = LIMITS) -> RowFile:
    """
    Find out how the rows of a file lie in it; the file is one that can be read again.

    Args:
        name: what it is called, by which one line of JSON lines is told from an object of lists.

    Raises:
        RefusedFile: it is no such file, or is empty; the message says what to do.
        BrokenOff: it can't be read, from its first row on.
    """
    found = RowFile(file, _find_layout(file, name, limits), limits)
    if next(iter(found), None) is None:
        raise RefusedFile(_("This file holds no answers."))
    return found


def _find_layout(file: BinaryIO, name: str, limits: Limits) -> _Layout:
    window = Window(Unpacked(file, limits), limits)
    try:
        sign = window.peek()
        if not sign:
            raise RefusedFile(_("This file is empty."))
        if sign == "[":
            return _Layout(Format.JSON, json_rows.read_list)
        if sign == "{":
            is_named_lines = name.lower().removesuffix(".gz").endswith(_LINES)
            return _find_layout_of_objects(window, file, is_named_lines=is_named_lines)
    except Stopped as why:
        raise BrokenOff(1, str(why)) from None
    delimiter = table_rows.find_delimiter(window.text[window.at : window.at + _LONGEST_HEADER])
    return _Layout(Format.CSV, partial(table_rows.read_table, delimiter=delimiter))


def _find_layout_of_objects(window: Window, file: BinaryIO, *, is_named_lines: bool) -> _Layout:
    lines = _Layout(Format.JSONL, read_lines)
    if is_named_lines:
        return lines
    try:
        is_whole = _is_json(window.use(window.find_line_end()))
        follows = window.peek()
        # A first line that is broken is told from an object of several lines by the next one.
        if follows if is_whole else follows == "{":
            return lines
    except Stopped:
        # What stands in the first line is longer than a row, or cut off.
        pass
    return _find_layout_of_object(file, window.limits)


def _find_layout_of_object(file: BinaryIO, limits: Limits) -> _Layout:
    objects = _Layout(Format.JSON, json_rows.read_objects)
    window = Window(Unpacked(file, limits), limits)
    try:
        window.peek()
        first = json_values.take(window)
        if window.peek() or guessing.is_row(first):
            return objects
    except Stopped:
        # It is larger than a row may be, or cut off: what is in it can be read all the same.
        pass
    return _choose(survey(Window(Unpacked(file, limits), limits))) or objects


def _choose(found: Survey) -> _Layout | None:
    if path := found.find_rows():
        read: Callable[[Window], Iterator[Row]] = partial(json_rows.read_list_of, path=path)
        return _Layout(Format.JSON, read, path, found.remarks)
    if not guessing.is_header(found.names):
        return _Layout(Format.JSON, json_rows.read_fields) if found.is_by_problem() else None
    if found.is_by_column:
        raise RefusedFile(
            _(
                "This table was written column by column. Write it row by row: in pandas, "
                'df.to_json("answers.jsonl", orient="records", lines=True).'
            )
        )
    return None


def _is_json(line: str) -> bool:
    try:
        _value, end = json_values.decode_at(line, 0)
    except (ValueError, RecursionError):
        return False
    return not line[end:].strip()
