"""
Values of JSON, taken one by one from a text that is still being read.

By Python's own decoder, which starts anew on a longer window where a value is not whole yet: it
reads NaN and Infinity, which Python's programs write, and which streaming parsers refuse.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from phybench.files.answer_files.formats.row import CutOff, Stopped, TooLong
from phybench.files.answer_files.formats.window import Window
from phybench.files.json_errors import JSON_FAULTS, find_json_fault

LONGEST_NUMBER = 4000
"""Digits; Python refuses to read many more."""
_WORDS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_HALF = re.compile(r"[.eE][-+]?|\\?u[0-9a-fA-F]{0,4}")
"""What is left at the end of a text that was cut within a number or an escape."""


def _read_whole_number(written: str) -> int | str:
    return int(written) if len(written) < LONGEST_NUMBER else written


# Line ends and tabs within quotes are against the rules, and harm nobody.
_DECODER = json.JSONDecoder(strict=False)
_SLOWER = json.JSONDecoder(strict=False, parse_int=_read_whole_number)


def decode_at(text: str, start: int) -> tuple[Any, int]:
    """Return the value that begins there, and where it ends; numbers without end stay text."""
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return _SLOWER.raw_decode(text, start)


def take(window: Window) -> Any:
    """
    Return the value that begins here, used up.

    Raises:
        Stopped: it is none, longer than a row may be, nested too deep, or was cut off.
    """
    while True:
        try:
            value, end = decode_at(window.text, window.at)
        except RecursionError:
            raise Stopped(_("it is nested too deep")) from None
        except json.JSONDecodeError as error:
            if not ends_early(error):
                raise Stopped(say_why(error)) from None
            if window.is_ended:
                raise CutOff from None
        else:
            # At the end of what was read a number may still go on, as “1.” or “1e-” does.
            if end + 2 < len(window.text) or window.is_ended:
                if end - window.at > window.limits.row:
                    raise TooLong(window.limits)
                window.at = end
                return value
        window.grow_within()


def take_fields(window: Window) -> Iterator[str]:
    """Yield the names of an object's fields; each one's value is to be taken before the next."""
    window.at += 1
    if window.peek() == "}":
        window.at += 1
        return
    while True:
        if window.peek() != '"':
            raise _miss('"', window)
        name = take(window)
        if window.peek() != ":":
            raise _miss(":", window)
        window.at += 1
        window.peek()
        yield name
        if _ends(window, "}"):
            return


def take_elements(window: Window) -> Iterator[Any]:
    """Yield the values of a list."""
    window.at += 1
    if window.peek() == "]":
        window.at += 1
        return
    while True:
        window.peek()
        yield take(window)
        if _ends(window, "]"):
            return


def take_all(window: Window) -> Iterator[Any]:
    """Yield the values that stand one behind the other, with nothing but space between."""
    while window.peek():
        yield take(window)


def check_end(window: Window) -> None:
    """Refuse what stands behind the last value."""
    if window.peek():
        raise Stopped(_("more follows after the end of the JSON"))


def ends_early(error: json.JSONDecodeError) -> bool:
    """Tell whether a text may only be cut off: more of it could make it right."""
    rest = error.doc[error.pos : error.pos + 20].rstrip()
    return (
        not rest
        or "Unterminated" in error.msg
        or any(word.startswith(rest) for word in _WORDS)
        or (error.pos + len(rest) >= len(error.doc.rstrip()) and bool(_HALF.fullmatch(rest)))
    )


def say_why(error: json.JSONDecodeError) -> str:
    return _say_not_json(find_json_fault(error))


def _say_not_json(fault: str) -> str:
    return _("it is not JSON (%(what)s)") % {"what": _(JSON_FAULTS[fault])}


_EXPECTED = {'"': "json_name", ":": "json_colon", ",": "json_comma"}


def _ends(window: Window, sign: str) -> bool:
    """Use up the comma, or what closes; tell which it was."""
    found = window.peek()
    if found not in ("", ",", sign):
        raise _miss(",", window)
    if not found:
        raise CutOff
    window.at += 1
    if found == sign:
        return True
    # A comma behind the last one is against the rules, and harms nobody.
    if window.peek() == sign:
        window.at += 1
        return True
    return False


def _miss(sign: str, window: Window) -> Stopped:
    if not window.peek():
        return CutOff()
    return Stopped(_say_not_json(_EXPECTED[sign]))
