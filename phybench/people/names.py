"""Names that look alike are one name."""

import re
import unicodedata

_SPACES = re.compile(r"\s+")


def tidy_name(text: str) -> str:
    """
    Write a name in one way: without signs that nobody sees, and with single spaces.

    >>> tidy_name("  GPT\\u200b-X  large ")
    'GPT-X large'
    """
    seen = (sign for sign in unicodedata.normalize("NFKC", text) if _is_seen(sign))
    return _SPACES.sub(" ", "".join(seen)).strip()


def _is_seen(sign: str) -> bool:
    return unicodedata.category(sign) not in {"Cf", "Cc"} or sign.isspace()
