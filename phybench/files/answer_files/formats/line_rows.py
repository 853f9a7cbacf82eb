"""The rows of a file with one JSON object a line."""

import json
from collections.abc import Iterator

from django.utils.translation import gettext as _

from phybench.files.answer_files.formats import json_rows, json_values
from phybench.files.answer_files.formats.row import (
    BrokenOff,
    CutOff,
    Row,
    Stopped,
    TooLong,
    TooManyRows,
)
from phybench.files.answer_files.formats.window import Window


def read_lines(window: Window) -> Iterator[Row]:
    """Yield a row for each line that is not empty; one that can't be read stops nothing."""
    number = 1
    try:
        while True:
            number += window.skip_space()
            if window.at == len(window.text):
                return
            if number > window.limits.rows:
                raise TooManyRows(window.limits)
            yield _take_line(number, window)
    except Stopped as why:
        raise BrokenOff(number, str(why)) from None


def _take_line(number: int, window: Window) -> Row:
    try:
        line = window.use(window.find_line_end())
    except TooLong as why:
        window.drop_line()
        return Row(number, fault=str(why))
    try:
        value, end = json_values.decode_at(line, 0)
        if line[end:].strip():
            raise json.JSONDecodeError("Extra data", line, end)
    except RecursionError:
        return Row(number, fault=_("it is nested too deep"))
    except json.JSONDecodeError as error:
        is_last = window.is_ended and window.at == len(window.text)
        if is_last and json_values.ends_early(error):
            raise CutOff from None
        return Row(number, fault=json_values.say_why(error))
    return json_rows.make_row(number, value)
