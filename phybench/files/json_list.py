"""Read a file that should be a JSON list, and say in a sentence what is wrong where it is not."""

import json
import re
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from phybench.files.json_errors import JSON_FAULTS, find_json_fault

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""NUL and halves of surrogate pairs: JSON can write them, PostgreSQL can't keep them."""


class NotAList(Exception):
    """A file that can't be taken at all; the message says what to do."""


def fetch(file: Path, *, largest: int) -> bytes:
    """
    Read a file, or as much of it as shows `load` that it is too large.

    Raises:
        NotAList: it can't be read.
    """
    try:
        with file.open("rb") as opened:
            return opened.read(largest + 1)
    except OSError as error:
        raise NotAList(str(error.strerror)) from None


def load(
    content: bytes, *, largest: int, too_large: str, cut_off: str, holds: str, example: str
) -> list[Any]:
    """
    Return the rows of a JSON list; what each row is, is the caller's to check.

    Args:
        largest: in bytes.
        too_large, cut_off: what to do about such a file, one sentence each.
        holds: what the list is of, in the plural.
        example: how such a list begins.

    Raises:
        NotAList: it is no such file, is empty, or was cut off.
    """
    if len(content) > largest:
        larger = _("This file is larger than %(size)d MB.") % {"size": largest // 1024**2}
        raise NotAList(f"{larger} {too_large}")
    try:
        rows = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise NotAList(_("This is not a text file in UTF-8. Save it as JSON.")) from None
    except RecursionError:
        raise NotAList(
            _("This JSON is nested too deep to be a list of %(rows)s.") % {"rows": holds}
        ) from None
    except json.JSONDecodeError as error:
        raise NotAList(_say_why(error, cut_off)) from None
    except ValueError:
        # Python refuses to read a number of more than some thousand digits.
        raise NotAList(_("This JSON holds a number of thousands of digits.")) from None
    if not isinstance(rows, list):
        raise NotAList(_("This file must be a JSON list: %(example)s.") % {"example": example})
    if not rows:
        raise NotAList(_("This file holds no %(rows)s.") % {"rows": holds})
    return rows


def _say_why(error: json.JSONDecodeError, cut_off: str) -> str:
    if not error.doc.strip():
        return _("This file is empty.")
    if error.pos >= len(error.doc.rstrip()) - 1 or "Unterminated" in error.msg:
        ends = _("This file ends in the middle (line %(line)d): it was cut off.")
        return f"{ends % {'line': error.lineno}} {cut_off}"
    return _("This is not JSON: line %(line)d, column %(column)d: %(what)s.") % {
        "line": error.lineno,
        "column": error.colno,
        "what": _(JSON_FAULTS[find_json_fault(error)]),
    }


def storable(text: str) -> str:
    """Replace what the database can't keep; no formula needs it."""
    # Nearly every text is whole, and that is told ten times sooner than by the pattern.
    if "\0" not in text and _can_be_encoded(text):
        return text
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _can_be_encoded(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
