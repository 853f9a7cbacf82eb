"""
The rows of a JSON file: of a list of objects, wherever in the file it stands.

Harnesses write a bare list, an object with such a list among its fields, objects one behind the
other, or an object that has a field for each problem.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from phybench.files.answer_files.formats import json_values
from phybench.files.answer_files.formats.row import BrokenOff, Row, Stopped, TooManyRows
from phybench.files.answer_files.formats.window import Window

KEY, VALUE = "(key)", "(value)"
"""What the fields of an object by problem are called, which have no name of their own."""
DEEPEST = 2
"""Fields within fields that are looked into."""


def read_list(window: Window) -> Iterator[Row]:
    window.peek()
    yield from _number(_then_end(json_values.take_elements(window), window), window)


def read_objects(window: Window) -> Iterator[Row]:
    yield from _number(json_values.take_all(window), window)


def read_list_of(window: Window, path: str) -> Iterator[Row]:
    """Yield the objects of the list that stands in a field of an object."""
    found = (value for where, value in walk(window) if where == (path, True))
    yield from _number(_then_end(found, window), window)


def read_fields(window: Window) -> Iterator[Row]:
    """Yield each field of an object as a row."""
    yield from _number(_then_end(_take_fields(window), window), window)


def _take_fields(window: Window) -> Iterator[Any]:
    window.peek()
    for name in json_values.take_fields(window):
        value = json_values.take(window)
        yield {KEY: name, **value} if isinstance(value, dict) else {KEY: name, VALUE: value}


def _then_end(values: Iterator[Any], window: Window) -> Iterator[Any]:
    yield from values
    json_values.check_end(window)


def _number(values: Iterator[Any], window: Window) -> Iterator[Row]:
    number = 1
    try:
        for value in values:
            if number > window.limits.rows:
                raise TooManyRows(window.limits)
            yield make_row(number, value)
            number += 1
    except Stopped as why:
        raise BrokenOff(number, str(why)) from None


def make_row(number: int, value: Any) -> Row:
    if isinstance(value, Mapping):
        return Row(number, value)
    return Row(number, fault=_("it is not an object {…}"))


Where = tuple[str, bool]
"""The path of a field, and whether it is a list, of which this is one element."""


def walk(window: Window) -> Iterator[tuple[Where, Any]]:
    """Yield what an object holds: a list's elements one by one, an object's fields, the rest."""
    window.peek()
    for number, found in enumerate(_walk_object(window, "", 1), start=1):
        if number > window.limits.rows:
            raise TooManyRows(window.limits)
        yield found


def _walk_object(window: Window, path: str, depth: int) -> Iterator[tuple[Where, Any]]:
    for name in json_values.take_fields(window):
        inner = f"{path}.{name}" if path else name
        sign = window.peek()
        if sign == "[":
            for value in json_values.take_elements(window):
                yield (inner, True), value
        elif sign == "{" and depth < DEEPEST:
            yield from _walk_object(window, inner, depth + 1)
        else:
            yield (inner, False), json_values.take(window)
