"""Whether two texts are the same answer: word for word, sign for sign, item for item."""

import re

LEAST_ITEMS = 3
"""Words from which on commas between them make a list, whatever was asked."""

_BRACKETS = re.compile(r"[()\[\]{}<>\s]+")
_ASKS_FOR_LIST = re.compile(r"\b(?:sort|list|order|words|items|names|alphabetical\w*)\b", re.I)
_BULLET = re.compile(r"\s*(?:(?:[-*•]|(\d{1,3})[.)])\s+)?")


def is_same_text(given: str, expected: str, question: str = "") -> bool:
    """
    Tell whether a text is the expected one. White space does not count, nor do the commas or the
    lines of a list, nor white space at all between brackets; one final full stop is no part of it.

    >>> is_same_text("} ]", "}]"), is_same_text("ant, bee, cow", "ant bee cow")
    (True, True)
    >>> is_same_text("new, york", "new york"), is_same_text("Co", "CO")
    (False, False)
    """
    for one in (expected, expected.strip().removesuffix(".")):
        given_words, words = " ".join(given.split()), " ".join(one.split())
        # Case tells CO from Co and m from M, but not “Apple” from “apple”.
        is_worded = all(len(word) > 3 and word.isalpha() for word in words.split())
        if given_words == words or (is_worded and given_words.casefold() == words.casefold()):
            return True
    return _are_same_brackets(given, expected) or _are_same_lists(given, expected, question)


def _are_same_brackets(given: str, expected: str) -> bool:
    if not (_BRACKETS.fullmatch(given) and _BRACKETS.fullmatch(expected)):
        return False
    return "".join(given.split()) == "".join(expected.split()) != ""


def _are_same_lists(given: str, expected: str, question: str) -> bool:
    items, wanted = _split(given), _split(expected)
    if "," not in expected:
        wanted = expected.split()
        if not all(re.fullmatch(r"[\w'’-]+", one) for one in wanted):
            return False
    is_list = len(wanted) >= LEAST_ITEMS or _ASKS_FOR_LIST.search(question) is not None
    is_worded = all(any(sign.isalpha() for sign in one) for one in wanted)
    return is_list and is_worded and len(wanted) > 1 and items == wanted


def _split(text: str) -> list[str]:
    """Split a list at its line breaks, or else at its commas."""
    if "\n" in text.strip():
        lines = text.strip().split("\n")
        numbers = [found[1] for line in lines if (found := _BULLET.match(line)) and found[1]]
        if numbers and numbers != [str(place) for place in range(1, len(lines) + 1)]:
            return lines  # numbers that say another order than that of the lines
        return [_BULLET.sub("", line, count=1).strip().removesuffix(",") for line in lines]
    return [one.strip() for one in text.split(",")]
