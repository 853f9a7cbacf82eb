"""Take from a field what it should hold, however a program wrote it."""

import math
import re
from typing import Any
from unicodedata import category

from phybench.files.json_list import storable
from phybench_grader.judges.replies.brackets import normalise

LONGEST_ID, LONGEST_NAME = 200, 120
_WHOLE = re.compile(r"-?[0-9]{1,15}(?:\.0{1,5})?")


def take_id(value: Any) -> str:
    """
    Return an id as text, by which answers find their problem; "" where it is none.

    >>> take_id(54), take_id(" C12 "), take_id(54.0), take_id(True), take_id(0.5)
    ('54', 'C12', '54', '', '')
    """
    if isinstance(value, float) and value.is_integer():
        # Tables in which a cell is empty have all numbers of its column with a point.
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | str):
        return ""
    return storable(str(value).strip())


def take_number(value: Any) -> int | None:
    """
    Return a whole number, also one that was written as text or with a point.

    >>> take_number(3), take_number("3"), take_number("3.0"), take_number(3.5), take_number(True)
    (3, 3, 3, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    written = str(value).strip()
    return int(float(written)) if _WHOLE.fullmatch(written) else None


def take_name(value: Any) -> str:
    """Return a short text, on one line and without signs that nobody sees; "" where it is none."""
    if not isinstance(value, str):
        return ""
    seen = (one for one in normalise(value) if one.isspace() or category(one) != "Cc")
    return storable(" ".join("".join(seen).split()))


def take_seconds(value: Any, path: str = "") -> float | None:
    """
    Return how long something took, in seconds; a field may say that it holds milliseconds.

    >>> take_seconds("2.5"), take_seconds(1200, "latency_ms"), take_seconds(float("nan"))
    (2.5, 1.2, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value)
    except (ValueError, OverflowError):
        return None
    if path.endswith(("_ms", "Ms", "milliseconds")):
        seconds /= 1000
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def is_missing(value: Any) -> bool:
    """Tell whether a field holds nothing: tables of Python write NaN where a text is missing."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float) and math.isnan(value))
