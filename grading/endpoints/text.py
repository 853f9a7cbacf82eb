"""Reading text and JSON from strangers."""

from __future__ import annotations

import json
import re
from typing import Any

# PostgreSQL keeps no NUL, and nothing writes half a surrogate pair as UTF-8.
_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def clean(text: str) -> str:
    """
    Replace what a database could not keep.

    >>> clean("a" + chr(0) + "b")
    'a�b'
    """
    return _UNKEEPABLE.sub(REPLACEMENT, text)


def decode(body: bytes) -> str:
    """Read bytes as text for people to look at, whatever they are."""
    return clean(body.decode("utf-8", errors="replace"))


def read_json(body: bytes) -> Any:
    """
    Read JSON in UTF-8, which all JSON is in, whatever the headers say.

    Raises:
        ValueError: it is not that.
    """
    try:
        return json.loads(body.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def write(value: object) -> str:
    """Write what a JSON document holds, for people to read; a text stands for itself."""
    try:
        return str(value)
    except RecursionError:
        return "…"


def shorten(text: str, longest: int) -> str:
    """Put a text on one line of at most so many characters."""
    text = " ".join(clean(text).split())
    return text if len(text) <= longest else text[: longest - 1] + "…"
