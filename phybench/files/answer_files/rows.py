"""
Read the rows of a file of answers, whichever of the formats it is in. No database here.

What it is, its contents say and not its name: JSON, JSON lines or a table (CSV), each plain or
packed with gzip, a log of Inspect (`.eval`), or a zip of these, as of a harness's folder. It is
read as a stream: however long the file, some rows of it are in memory.
"""

import re
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import BinaryIO

from django.utils.translation import gettext as _

from phybench.files.answer_files import guessing, paths
from phybench.files.answer_files.formats import json_rows, json_values, table_rows
from phybench.files.answer_files.formats.archive import Archive, Member
from phybench.files.answer_files.formats.kinds import LONGEST_BEGINNING, ZIP, find_document
from phybench.files.answer_files.formats.line_rows import read_lines
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.formats.row import (
    LIMITS,
    BrokenOff,
    Limits,
    Row,
    Stopped,
    TooLong,
    TooManyRows,
)
from phybench.files.answer_files.formats.survey import Survey, survey
from phybench.files.answer_files.formats.unpacking import PIECE, Source, Unpacked
from phybench.files.answer_files.formats.window import Window
from phybench.files.answer_files.values import take_name

__all__ = [
    "LIMITS",
    "BrokenOff",
    "Format",
    "Limits",
    "Row",
    "RowFile",
    "find_model_beside",
    "open_rows",
]

FIRST_ROWS = 200
"""That are looked at to guess what is in which field."""
_LINES = (".jsonl", ".ndjson")
_LARGEST_HEAD = 16 * 1024**2
"""Bytes, when each row is as long as it may be."""
_LONGEST_HEADER = 64 * 1024
"""Characters."""
_FEW = 20
"""Rows by which a file with answers is told from others beside it."""
_HEADERS = ("header.json", "_journal/start.json")
"""Of a log that Inspect ended, and of one that it did not."""
_SAMPLE = re.compile(r"samples/[^/]+\.json$")
_OF_ROWS = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".gz", ".eval")
_PREDICTIONS = "predictions"


class Format(StrEnum):
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    ZIP = "zip"


class RowFile(ABC):
    """The rows of a file, from the first one each time they are asked for; one after the other."""

    format: Format
    rows_in: str = ""
    """The path of the list with the rows, where it stands in an object."""
    remarks: Mapping[str, str]
    """Texts that stand beside such a list, by their paths, such as the model's name."""

    @property
    @abstractmethod
    def consumed(self) -> int:
        """Bytes of the file that have been read, of those that were sent."""

    @property
    @abstractmethod
    def unpacked(self) -> int:
        """Bytes of what was in them."""

    @abstractmethod
    def __iter__(self) -> Iterator[Row]:
        """
        Yield the rows.

        Raises:
            BrokenOff: after the last one that can be read, where the file goes on.
        """

    def head(self, count: int = FIRST_ROWS) -> list[Row]:
        """Return the first rows, or as many as can be read."""
        rows: list[Row] = []
        with suppress(BrokenOff):
            for row in islice(self, count):
                rows.append(row)
                if self.unpacked > _LARGEST_HEAD:
                    break
        return rows


@dataclass(frozen=True, slots=True)
class _Layout:
    """How the rows lie in a file."""

    format: Format
    read: Callable[[Window], Iterator[Row]]
    rows_in: str = ""
    remarks: Mapping[str, str] = field(default_factory=dict)


class _TextRows(RowFile):
    """The rows of one text."""

    def __init__(self, file: Source, layout: _Layout, limits: Limits) -> None:
        self.format, self.rows_in, self.remarks = layout.format, layout.rows_in, layout.remarks
        self._file = file
        self._read = layout.read
        self._limits = limits
        self._text = Unpacked(file, limits)

    @property
    def consumed(self) -> int:
        return self._text.consumed

    @property
    def unpacked(self) -> int:
        return self._text.unpacked

    def __iter__(self) -> Iterator[Row]:
        self._text = Unpacked(self._file, self._limits)
        yield from self._read(Window(self._text, self._limits))


class _ZipRows(RowFile):
    """The rows of the files in a zip, one file after the other."""

    format = Format.ZIP

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    @property
    def consumed(self) -> int:
        return self._archive.consumed

    @property
    def unpacked(self) -> int:
        return self._archive.unpacked

    def __iter__(self) -> Iterator[Row]:
        self._archive.begin()
        yield from self._read()

    @abstractmethod
    def _read(self) -> Iterator[Row]: ...


class _LogRows(_ZipRows):
    """The samples of a log as Inspect packs it (`.eval`): each is a file of its own."""

    def __init__(self, archive: Archive, header: Member) -> None:
        super().__init__(archive)
        self._samples = [one for one in archive.members if _SAMPLE.match(one.name)]
        self.remarks = survey(Window(Unpacked(header, archive.limits), archive.limits)).remarks

    def _read(self) -> Iterator[Row]:
        limits = self._archive.limits
        for number, sample in enumerate(self._samples, start=1):
            window = Window(Unpacked(sample, limits), limits)
            try:
                window.peek()
                value = json_values.take(window)
                json_values.check_end(window)
            except TooLong as why:
                # The others are read all the same.
                yield Row(number, fault=str(why))
            except Stopped as why:
                raise BrokenOff(number, f"{sample.name}: {why}") from None
            else:
                yield json_rows.make_row(number, value)


class _FolderRows(_ZipRows):
    """The rows of what a harness wrote for one or several models, or somebody packed together."""

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self.remarks = {}
        self._files: list[tuple[str, Iterable[Row]]] = []
        """By their folders."""
        self._models: dict[str, str] = {}
        """Of a folder, as a file beside the answers names it."""
        broken: list[tuple[str, Iterable[Row]]] = []
        for member in _list_answers(archive.members):
            folder = member.name.rpartition("/")[0]
            try:
                found = _open_member(member, archive.limits)
                # What breaks off in its first row is no file without answers.
                next(iter(found), None)
            except BrokenOff as why:
                broken.append((folder, [Row(1, fault=f"{member.name}: {why.why}")]))
                continue
            except RefusedFile:
                continue
            model = find_model_beside(found)
            if model is None:
                self._files.append((folder, found))
            elif model:
                self._models[folder] = model
        if not self._files:
            faults = [row.fault for _folder, rows in broken for row in rows]
            raise RefusedFile(faults[0] if faults else _("No file in this archive holds answers."))
        self._files += broken

    def _read(self) -> Iterator[Row]:
        number = 0
        for folder, file in self._files:
            model = self._models.get(folder) or _name_by_folder(folder)
            beside = {guessing.MODEL: model} if model else {}
            before = number
            for row in file:
                number = before + row.number
                if number > self._archive.limits.rows:
                    raise BrokenOff(number, str(TooManyRows(self._archive.limits)))
                yield Row(number, {**row.values, **beside}, row.fault)


class _NestedRows(RowFile):
    """The rows of a zip in a zip, which lies on the disk while it is read."""

    format = Format.ZIP
    consumed = 0  # what is around it counts that

    def __init__(self, member: Member) -> None:
        self._member = member
        with self._open() as rows:
            self.remarks = rows.remarks

    @property
    def unpacked(self) -> int:
        return self._member.archive.unpacked

    @contextmanager
    def _open(self) -> Iterator[RowFile]:
        with tempfile.TemporaryFile() as copy:
            self._member.seek(0)
            while piece := self._member.read(PIECE):
                copy.write(piece)
            yield _open_zip(Archive(copy, self._member.archive.limits, self._member.archive))

    def __iter__(self) -> Iterator[Row]:
        try:
            with self._open() as rows:
                yield from rows
        except Stopped as why:
            raise BrokenOff(1, f"{self._member.name}: {why}") from None


def open_rows(file: BinaryIO, name: str = "", limits: Limits = LIMITS) -> RowFile:
    """
    Find out how the rows of a file lie in it; the file is one that can be read again.

    Args:
        name: what it is called, by which one line of JSON lines is told from an object of lists.

    Raises:
        RefusedFile: it is no such file, or is empty; the message says what to do.
        BrokenOff: it can't be read, from its first row on.
    """
    file.seek(0)
    beginning = file.read(LONGEST_BEGINNING)
    found: RowFile
    if beginning.startswith(ZIP) and not find_document(beginning):
        found = _open_zip(Archive(file, limits))
    else:
        found = _TextRows(file, _find_layout(file, name, limits), limits)
    if next(iter(found), None) is None:
        raise RefusedFile(_("This file holds no answers."))
    return found


def _open_zip(archive: Archive) -> RowFile:
    headers = [one for one in archive.members if one.name in _HEADERS]
    try:
        if headers and any(_SAMPLE.match(one.name) for one in archive.members):
            return _LogRows(archive, headers[0])
        if archive.around:
            raise RefusedFile(_("No file in this archive holds answers."))
        return _FolderRows(archive)
    except Stopped as why:
        raise BrokenOff(1, str(why)) from None


def _open_member(member: Member, limits: Limits) -> RowFile:
    member.seek(0)
    try:
        if member.read(PIECE).startswith(ZIP):
            return _NestedRows(member)
        return _TextRows(member, _find_layout(member, member.name, limits), limits)
    except Stopped as why:
        raise BrokenOff(1, f"{member.name}: {why}") from None


def _list_answers(members: Iterable[Member]) -> list[Member]:
    """Keep the files in which answers, or the name of their model, may stand."""
    kept = [one for one in members if one.name.lower().endswith(_OF_ROWS)]
    # Beside them OpenCompass writes what it made of them, row by row as well.
    predicted = [one for one in kept if _PREDICTIONS in one.name.split("/")]
    return predicted or kept


def find_model_beside(rows: RowFile) -> str | None:
    """
    Return which model a file names that holds no answers, as what lm-evaluation-harness sums up.

    "" where it names none; None where it holds answers itself.
    """
    head = rows.head(_FEW)
    guessed = guessing.guess(head, remarks=rows.remarks)
    if guessed.id and guessed.response:
        return None
    if guessed.model_name or not guessed.model:
        return guessed.model_name
    found = [value for row in head for value in paths.find(row.values, guessed.model)]
    return take_name(found[0]) if found else ""


def _name_by_folder(path: str) -> str:
    """
    Return the model by whose name OpenCompass calls the folder of what it predicted.

    >>> _name_by_folder("run/predictions/qwen-7b"), _name_by_folder("mine")
    ('qwen-7b', '')
    """
    *above, last = path.split("/")
    return last if above and above[-1] == _PREDICTIONS else ""


def _find_layout(file: Source, name: str, limits: Limits) -> _Layout:
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


def _find_layout_of_objects(window: Window, file: Source, *, is_named_lines: bool) -> _Layout:
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


def _find_layout_of_object(file: Source, limits: Limits) -> _Layout:
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
