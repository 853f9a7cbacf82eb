"""Options of a multiple-choice question: reading them from its text, resolving answers to them."""

import re
import unicodedata
from collections.abc import Mapping

_LINE = re.compile(r"^[ \t]*(?:\(([A-Z])\)|([A-Z])[).:])[ \t]*([^\n]*)$", re.MULTILINE)
_NUMBERED = re.compile(r"(?<![\w.])(?:\((\d{1,2})\)|\[(\d{1,2})\]|(\d{1,2})[).:])\s+(?=\S)")
_ARTICLE = re.compile(r"\A(?:the|an?)\s+")
_LABEL_NUMBER = re.compile(
    r"(?:option|choice|answer)?\s*(?:\((\d{1,2})\)|\[(\d{1,2})\]|(\d{1,2})[).]?)", re.I
)
_MARK = re.compile(r"\(([A-Z])\)")
_LETTER = re.compile(
    r"(?:(?:option|choice|letter|answer)\s+)?(?:\(\s*([A-Za-z])\s*\)|\[\s*([A-Za-z])\s*\]"
    r"|([A-Za-z])(?=[).:\s]|$)[).:]?)\s*(.*)",
    re.IGNORECASE | re.DOTALL,
)
_NO_LETTER_YET = re.compile(r"(?:[A-Z]\s*[:：]|[ai])", re.ASCII)
"""
What begins an answer and is none: the “A:” of “Q: … A: …”, or a lower-case letter that is a word.
"""
_ALONE = re.compile(
    r"(?:^|(?<=[.!?]\s))[ \t*_]*+(?:it['’]s |it is |i (?:pick|choose|say|go with) )?[*_]*+"
    r"\((?P<letter>[A-Za-z])\)[*_]*+[ \t]*(?:[.!][*_]*+(?=\s)|$)",
    re.IGNORECASE | re.MULTILINE,
)
_RAISED = re.compile(r"([⁰¹²³⁴-⁹⁺-ⁿ₀-ₜ¼-¾⅐-⅟ᵃ-ᵛ])")
"""Signs that another place, or a fraction, makes another thing: 10² is not 102."""
_LETTERS = re.compile(r"[^\W\d_]+")
_SMALL_WORDS = frozenset(
    re.findall(
        r"\w+", "an as at be by do he if in is it me my no of on or so to up us we the and for"
    )
)
"""Words that are written small or, at the beginning, large, and are no symbols."""


def read_options(question: str) -> dict[str, str]:
    r"""
    Read the options of a question: letters, from A on without a gap, each with its text.

    >>> read_options("Which day?\nOptions:\n(A) Sunday\n(B) Monday")
    {'A': 'Sunday', 'B': 'Monday'}
    >>> read_options("Which day? (A) Sunday (B) Monday")
    {'A': 'Sunday', 'B': 'Monday'}
    """
    for found in (
        [(one[1] or one[2], one[3]) for one in _LINE.finditer(question)],
        _split_inline(question),
    ):
        letters = [letter for letter, _ in found]
        is_row = letters == [chr(ord("A") + place) for place in range(len(letters))]
        # A line that holds several options is no line of one.
        is_mixed = any(re.search(r"\([A-Z]\)", text) for _, text in found)
        if len(letters) > 1 and is_row and not is_mixed:
            return {letter: text.strip() for letter, text in found}
    return {}


def read_numbered_options(question: str) -> dict[str, str]:
    """
    Read options that are numbered, from 1 on without a gap.

    >>> read_numbered_options("Which? 1) 40 2) 50")
    {'1': '40', '2': '50'}
    """
    marks = list(_NUMBERED.finditer(question))
    ends = [*(one.start() for one in marks[1:]), len(question)]
    found = [
        (mark[1] or mark[2] or mark[3], question[mark.end() : ends[place]].strip())
        for place, mark in enumerate(marks)
    ]
    # What comes before the last “1)” is no option.
    begin = max((place for place, one in enumerate(found) if one[0] == "1"), default=len(found))
    row = found[begin:]
    is_row = [label for label, _ in row] == [str(place + 1) for place in range(len(row))]
    return dict(row) if len(row) > 1 and is_row else {}


def _split_inline(question: str) -> list[tuple[str, str]]:
    marks = list(_MARK.finditer(question))
    found = []
    for place, mark in enumerate(marks):
        end = marks[place + 1].start() if place + 1 < len(marks) else len(question)
        found.append((mark[1], question[mark.end() : end].strip()))
    return found


def read_option(text: str, options: Mapping[str, str]) -> str | None:
    """
    Resolve an answer to the letter of an option; None where it is none or more than one.

    >>> options = {"A": "Sunday", "B": "Monday"}
    >>> read_option("(b) Monday", options), read_option("monday", options)
    ('B', 'B')
    >>> read_option("(B) Sunday", options) is read_option("B or A", {}) is None
    True
    """
    text = _normalise(text)
    by_text = _find_by_text(text, options)
    label = text.strip().strip("()[].").upper()
    if label in options and by_text not in ([], [label]):
        return None  # “1” of “1) 2 2) 1”
    by_letter = _read_letter(text, options)
    if by_letter and by_text:
        return by_letter if by_text == [by_letter] else None
    if by_letter:
        return by_letter
    return by_text[0] if len(by_text) == 1 else None


def _find_by_text(text: str, options: Mapping[str, str]) -> list[str]:
    """Find the options of a text, or else those that it is but for an article: “the ball”."""
    exact = [letter for letter, option in options.items() if fold(option) == fold(text)]
    if not exact:
        bare = _ARTICLE.sub("", fold(text))
        exact = [one for one, option in options.items() if _ARTICLE.sub("", fold(option)) == bare]
    return [one for one in exact if _has_same_symbols(options[one], text)]


def _has_same_symbols(option: str, text: str) -> bool:
    """
    Tell whether two texts that are alike but for case write their symbols in the same one.

    >>> _has_same_symbols("5 mW", "5 MW"), _has_same_symbols("On Monday", "on monday")
    (False, True)
    """
    ours, theirs = (_LETTERS.findall(_normalise(one)) for one in (option, text))
    # An article may lack in one of them.
    pairs = zip(reversed(ours), reversed(theirs), strict=False)
    return all(
        a == b or a.casefold() != b.casefold() or (_is_word(a) and _is_word(b)) for a, b in pairs
    )


def _is_word(letters: str) -> bool:
    """Tell whether letters are a word, whose case means nothing: not CO, mW or Ms."""
    is_short_word = len(letters) == 3 and letters[1:].islower()
    return len(letters) > 3 or is_short_word or letters.casefold() in _SMALL_WORDS


def read_label(truth: str, options: Mapping[str, str]) -> str | None:
    """
    Resolve a ground truth to the option it names; one that looks like a label is one.

    >>> read_label("2", {"1": "2", "2": "1"}), read_label("iron", {"A": "iron", "B": "gold"})
    ('2', 'A')
    """
    label = truth.strip().strip("()[].").upper()
    return label if label in options else read_option(truth, options)


def list_alone(text: str) -> set[str]:
    """
    List options that stand alone in a sentence or on a line, which states them as a phrase does.

    >>> list_alone("It's (A). Then (B) is out.")
    {'A'}
    """
    return {one["letter"].upper() for one in _ALONE.finditer(text)}


def fold(text: str) -> str:
    """
    Bring a text into the form in which two are compared: case, white space, a final full stop.

    >>> fold(" On  Monday.")
    'on monday'
    """
    text = " ".join(_normalise(text).casefold().split())
    return text.removesuffix(".").strip()


def _normalise(text: str) -> str:
    """Write signs in their usual form, but for those that are raised, lowered or fractions."""
    parts = _RAISED.split(text)
    return "".join(
        part if place % 2 else unicodedata.normalize("NFKC", part)
        for place, part in enumerate(parts)
    )


def _read_letter(text: str, options: Mapping[str, str]) -> str | None:
    if _NO_LETTER_YET.fullmatch(text.strip()):
        return None
    found = _LETTER.fullmatch(text.strip())
    if not found or not text.isascii():
        number = _LABEL_NUMBER.fullmatch(text.strip())
        label = number and (number[1] or number[2] or number[3])
        is_clear = not any(fold(option) == label for option in options.values())
        return label if label in options and is_clear else None
    letter = (found[1] or found[2] or found[3]).upper()
    rest = found[4]
    if options and letter not in options:
        return None
    if any(fold(option) == letter.casefold() for option in options.values()):
        # The options are letters themselves: one can't tell which is meant.
        return None
    if rest and (letter not in options or fold(options[letter]) != fold(rest.strip("*_ "))):
        return None
    return letter
