"""The rows of a table: CSV, with commas, semicolons or tabs, and its columns named first."""

import csv
import re
from collections import Counter
from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.formats.row import (
    LIMITS,
    BrokenOff,
    CutOff,
    Row,
    Stopped,
    TooManyRows,
)
from phybench.files.answer_files.formats.window import Window

DELIMITERS = ",;\t|"


def find_delimiter(beginning: str) -> str:
    """
    Return what parts the cells of the line with the names.

    Raises:
        RefusedFile: it has no two cells, whatever parts them.
    """
    found = {one: _count_cells(beginning, one) for one in DELIMITERS}
    delimiter = max(found, key=lambda one: found[one])
    if found[delimiter] < 2:
        raise RefusedFile(
            _(
                "This is neither JSON nor a table: the first line of a CSV names its columns, such"
                " as id, model, response."
            )
        )
    return delimiter


def _count_cells(beginning: str, delimiter: str) -> int:
    window = Window([beginning.lstrip("\r\n")], LIMITS)
    try:
        record, _is_closed = _take_record(window, _compile(delimiter))
        return len(_split(record, delimiter))
    except (csv.Error, Stopped):
        return 0


def read_table(window: Window, delimiter: str) -> Iterator[Row]:
    """
    Yield the rows below the one with the names; one with too few cells stops nothing.

    Raises:
        RefusedFile: two columns have one name.
    """
    pattern = _compile(delimiter)
    number, header = 0, None
    try:
        while window.at < len(window.text) or not window.is_ended:
            number += 1
            if number > window.limits.rows:
                raise TooManyRows(window.limits)
            record, is_closed = _take_record(window, pattern)
            if not record.strip(f"{delimiter} \r"):
                continue
            if header is None:
                header = _check_header(_split(record, delimiter))
                continue
            yield _read_record(number, record, header, delimiter, is_closed=is_closed)
    except (Stopped, csv.Error) as why:
        raise BrokenOff(max(number, 1), str(why)) from None


def _compile(delimiter: str) -> re.Pattern[str]:
    """
    Match all cells of a row, in time that grows as its length does.

    A quote opens only at a cell's beginning, as `csv` has it; line ends may stand in quotes.
    """
    plain = rf"[^{delimiter}\n]*+"
    cell = rf'(?:"(?:[^"]++|"")*+"{plain}|(?!"){plain})'
    return re.compile(rf"(?:{cell}(?:{re.escape(delimiter)}{cell})*+)?")


def _take_record(window: Window, pattern: re.Pattern[str]) -> tuple[str, bool]:
    """Return the text of one row, used up, and whether its line has an end."""
    while True:
        found = pattern.match(window.text, window.at)
        assert found is not None
        end = found.end()
        if window.text[end : end + 1] == "\n":
            record = window.use(end)
            window.at += 1
            return record, True
        if window.is_ended:
            if end < len(window.text):
                raise Stopped(_("a quote is opened in it and not closed"))
            return window.use(end), False
        window.grow_within()


def _split(record: str, delimiter: str) -> list[str]:
    # One cell may be as long as a row. The limit is one for the whole process.
    if csv.field_size_limit() < len(record):
        csv.field_size_limit(len(record))
    return next(csv.reader([record], delimiter=delimiter, strict=True), [])


def _check_header(cells: list[str]) -> list[str]:
    header = [cell.strip() for cell in cells]
    for name, count in Counter(header).items():
        # Those without a name are what spreadsheets leave at the right, and pandas at the left.
        if name and count > 1:
            raise RefusedFile(
                _("Two columns are named “%(name)s”: keep one of them.") % {"name": name[:80]}
            )
    return header


def _read_record(
    number: int, record: str, header: list[str], delimiter: str, *, is_closed: bool
) -> Row:
    try:
        cells = _split(record, delimiter)
    except csv.Error as error:
        return Row(number, fault=_("it is not CSV (%(what)s)") % {"what": error})
    if len(cells) == len(header):
        return Row(number, {name: cell for name, cell in zip(header, cells, strict=True) if name})
    if not is_closed and len(cells) < len(header):
        raise CutOff
    fault = ngettext(
        "it has %(cells)d cell, but the first line names %(columns)d columns",
        "it has %(cells)d cells, but the first line names %(columns)d columns",
        len(cells),
    )
    return Row(number, fault=fault % {"cells": len(cells), "columns": len(header)})
