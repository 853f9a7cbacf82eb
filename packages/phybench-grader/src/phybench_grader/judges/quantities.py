"""
Numbers as responses write them: digits, separators, fractions, powers of ten, English words.

A text may have more than one honest reading (“1,234”), so `read_number` gives all of them.
"""

import re
import unicodedata
from fractions import Fraction

MAX_DIGITS = 40
"""Digits of one number, and the largest power of ten written with it."""
MAX_NEARNESS = Fraction(1, 20)
"""Two numbers nearer than this share of the larger may be one, rounded: not told apart."""

_UNITS = re.findall(
    r"\w+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen",
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SMALL = {word: value for value, word in enumerate(_UNITS)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=2)
}
_LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_SIGNS = str.maketrans({"−": "-", "–": "-", "\u2009": " ", "\u202f": " ", "\u00a0": " "})
_PLAIN = re.compile(r"(\d+)(?:\.(\d*))?|\.(\d+)")
_ENGLISH_GROUPS = re.compile(r"(\d{1,3}(?:,\d{3})+)(\.\d+)?")
_SPACED_GROUPS = re.compile(r"\d{1,3}(?:(?:\\,| )\d{3})+")
_COMMA = re.compile(r"(\d+),(\d+)")
_GERMAN_GROUPS = re.compile(r"(\d{1,3}(?:\.\d{3})+)(,\d+)?")
_LATEX_COMMA = re.compile(r"(\d+)\{,\}(\d+)")
_FRACTION = re.compile(r"(\d{1,40})\s*[/⁄]\s*(\d{1,40})|\\[dt]?frac\{(\d{1,40})\}\{(\d{1,40})\}")
_POWER = re.compile(
    r"(?P<number>[\d.]+)(?:[eE](?P<e>[+-]?\d{1,2})|\s*(?:\\times|\\cdot|×|·|\*)\s*10\s*"
    r"(?:\^|\*\*)\s*(?:\{(?P<braced>[+-]?\d{1,2})\}|(?P<bare>[+-]?\d{1,2})))"
)


def read_number(text: str, *, has_decimal_comma: bool = False) -> frozenset[Fraction]:
    r"""
    Read a whole text as one number, in every honest way; empty where it is none.

    >>> sorted(read_number("1,234")), read_number("forty-two apples")
    ([Fraction(617, 500), Fraction(1234, 1)], frozenset())
    >>> read_number(r"-\frac{1}{2}") == read_number("-0.5") == {Fraction(-1, 2)}
    True
    >>> read_number("minus one hundred and five") == {-105}, read_number("- 7") == {7, -7}
    (True, True)
    """
    text = text.strip().translate(_SIGNS)
    if not text.isascii():
        # Full-width digits are digits. Superscripts, circles and vulgar fractions are not.
        kinds = {unicodedata.decomposition(sign).split(" ")[0] for sign in text}
        if kinds - {"", "<wide>"}:
            return frozenset()
        text = unicodedata.normalize("NFKC", text)
    if not text.isascii() or sum(sign.isdigit() for sign in text) > MAX_DIGITS:
        return frozenset()
    sign = 1
    if found := re.match(r"(?:(-)|\+|(minus|negative)\s)\s*", text, re.IGNORECASE):
        sign = -1 if found[1] or found[2] else 1
        text = text[found.end() :]
    values = _read_unsigned(text, has_decimal_comma)
    # “- 7” may as well be a list of one, or a dash before 7.
    is_apart = found is not None and found[1] is not None and found.group() != found[1]
    signs = {sign, -sign} if is_apart else {sign}
    return frozenset(one * value for value in values for one in signs)


def names_number(text: str) -> bool:
    """
    Tell whether a text names a number in words; “one” may be a pronoun.

    >>> names_number("it is twenty-four"), names_number("this one")
    (True, False)
    """
    words = set(re.findall(r"[a-z]+", text.casefold()))
    return bool(words & ({*_SMALL, *_LARGE, "hundred"} - {"one"}))


def _read_unsigned(text: str, has_decimal_comma: bool) -> set[Fraction]:
    if (value := _read_plain(text)) is not None:
        is_group = _GERMAN_GROUPS.fullmatch(text) is not None
        if has_decimal_comma and is_group:
            return {value, Fraction(text.replace(".", ""))}
        return {value}
    if found := _POWER.fullmatch(text):
        number = _read_plain(found["number"])
        exponent = int(found["e"] or found["braced"] or found["bare"])
        return set() if number is None else {number * Fraction(10) ** exponent}
    if found := _FRACTION.fullmatch(text):
        above, below = (int(part) for part in found.groups() if part is not None)
        return {Fraction(above, below)} if below else set()
    if found := _LATEX_COMMA.fullmatch(text):
        return {Fraction(f"{found[1]}.{found[2]}")}
    if _SPACED_GROUPS.fullmatch(text):
        return {Fraction(re.sub(r"\D", "", text))}
    if values := _read_commas(text, has_decimal_comma):
        return values
    words = _read_words(text)
    return set() if words is None else {Fraction(words)}


def _read_plain(text: str) -> Fraction | None:
    return Fraction(text) if _PLAIN.fullmatch(text) else None


def _read_commas(text: str, has_decimal_comma: bool) -> set[Fraction]:
    values = set()
    if (found := _ENGLISH_GROUPS.fullmatch(text)) and not has_decimal_comma:
        values.add(Fraction(found[1].replace(",", "") + (found[2] or "")))
    if (found := _COMMA.fullmatch(text)) and (has_decimal_comma or values):
        # “1,5” alone may as well be a list of two: no reading.
        values.add(Fraction(f"{found[1]}.{found[2]}"))
    if (found := _GERMAN_GROUPS.fullmatch(text)) and found[2]:
        values.add(Fraction(found[1].replace(".", "") + found[2].replace(",", ".")))
    return values


def _read_words(text: str) -> int | None:
    """Read a number written out in English, up to billions."""
    words = re.findall(r"[a-z]+", text.lower())
    if not words or re.sub(r"[a-z\s-]", "", text.lower()) or len(words) > MAX_DIGITS:
        return None
    total = 0
    part: int | None = None
    limit = 10**12
    room = 100
    for place, word in enumerate(words):
        if word == "and" and place and words[place - 1] in {"hundred", *_LARGE}:
            if place == len(words) - 1:
                return None
            continue
        if word in _SMALL:
            value = _SMALL[word]
            if part is not None and (value >= room or value == 0):
                return None
            part = (part or 0) + value
            room = 10 if value >= 20 else 0
        elif word == "hundred" and part is not None and part < 10:
            part, room = part * 100, 100
        elif word in _LARGE and part and _LARGE[word] < limit:
            limit = _LARGE[word]
            total, part, room = total + part * limit, 0, 100
            if words[place + 1 : place + 2] and words[place + 1] not in {*_SMALL, "and"}:
                return None
        else:
            return None
    return None if part is None else total + part


def may_be_rounded(value: Fraction, target: Fraction, written: str) -> bool:
    """Tell whether two numbers may be one: near in size, or within the last digit written."""
    if value.denominator == target.denominator == 1 and max(abs(value), abs(target)) < 10**6:
        return _is_cut_to_digits(value.numerator, target.numerator)
    decimals = re.search(r"[.,](\d*)", written)
    last_digit = Fraction(1, 10 ** len(decimals[1])) if decimals else Fraction(1)
    distance = abs(value - target)
    return distance <= max(last_digit, MAX_NEARNESS * max(abs(value), abs(target)))


def _is_cut_to_digits(value: int, target: int) -> bool:
    """
    Tell whether an integer is another one, rounded to two digits or more.

    >>> _is_cut_to_digits(6400, 6371), _is_cut_to_digits(40, 41), _is_cut_to_digits(6000, 6371)
    (True, False, False)
    """
    digits = len(str(abs(value)).rstrip("0"))
    cut = len(str(abs(value))) - max(digits, 2)
    return cut > 0 and round(target, -cut) == value
