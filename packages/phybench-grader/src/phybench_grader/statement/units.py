r"""Units behind an expression, and indices typed without their sign: `Cp` for `C_p`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from phybench_grader.reading.lexer import Token
from phybench_grader.reading.vocabulary import COHERENT_UNITS, MEASURES, SPELT_UNITS, UNITS
from phybench_grader.statement.pieces import Known, match_brackets

_UPRIGHT = ("text", "mathrm")
_CONTENT = re.compile(r"(?:[\w\s/·⋅^{}().\-Å%~]|\\[,;: ]|\\cdot(?![a-z])|\\(?:text|mathrm)(?=\{))*")
_WORD = re.compile(r"[^\W\d_]+")
_MOST_TRIED = 12
"""Places at which a unit may begin that are looked at."""
_INDEXED = re.compile(r"([A-Za-z])_(?:\{([A-Za-z]+)\}|([A-Za-z]))")


def cut_unit(
    text: str, tokens: Sequence[Token], known: Known
) -> tuple[tuple[Token, ...], Token | None]:
    r"""
    Cut off the unit that a member ends with; return what is left and the unit's place, if any.

    >>> from phybench_grader.reading.lexer import split_tokens
    >>> kept, unit = cut_unit(text := r"gt\,\text{m/s}", split_tokens(text)[:-1], Known())
    >>> "".join(token.text for token in kept), text[unit.start : unit.end]
    ('gt', '\\text{m/s}')
    """
    tokens = tuple(tokens)
    while tokens and tokens[-1].kind in ".,;":
        tokens = tokens[:-1]
    start = None
    if any(one.kind == "command" and one.text in _UPRIGHT for one in tokens):
        start = _find_unit(text, tokens, match_brackets(tokens), known)
    if start is None:
        start = (
            _find_bracketed_unit(text, tokens, known)
            or _find_spelt_unit(text, tokens, known)
            or _find_measured_unit(text, tokens, known)
            or _find_asked_unit(text, tokens, known)
        )
    if not start:
        return tokens, None
    first, last = tokens[start], tokens[-1]
    while start > 1 and (tokens[start - 1].kind in "/*" or tokens[start - 1].text == "cdot"):
        start -= 1
    return tokens[:start], Token("unit", "", first.start, last.end)


def is_rescaling(unit: str, asked: str) -> bool:
    r"""
    Whether a value with a unit may be another number in the unit asked for.

    Symbols have units of their own, which make that of the value: where no unit is asked for, one
    that is not the SI's is another.

    >>> is_rescaling(r"\mathrm{mJ}", "J"), is_rescaling(r"\text{N}\,\text{m}", "J")
    (True, False)
    >>> is_rescaling(r"\mathrm{eV}", ""), is_rescaling(r"\mathrm{kg\,m/s}", "")
    (True, False)
    """
    words, others = _list_units(unit), _list_units(asked)
    return sorted(words) != sorted(others) and not COHERENT_UNITS.issuperset(words + others)


def _list_units(unit: str) -> list[str]:
    plain = re.sub(r"\\(?:text|mathrm|rm|frac|cdot|quad)(?![a-z])", " ", unit)
    return _WORD.findall(plain)


def is_measure(text: str, tokens: Sequence[Token], known: Known) -> bool:
    r"""Whether a member is rounded or measured: it has decimals, or is a number with a unit."""
    if any(token.kind == "number" and "." in token.text for token in tokens):
        return True
    kept, unit = cut_unit(text, tokens, known)
    if _is_plain_number(kept):
        return unit is not None or any(
            one.text == "10" and other.kind == "^" for one, other in pairwise(kept)
        )
    return False


def _is_plain_number(tokens: Sequence[Token]) -> bool:
    return all(_is_numeric(token) for token in tokens)


def _is_numeric(token: Token) -> bool:
    kinds = ("number", "+", "-", "*", "/", "{", "}", "(", ")", "^", ".", ",")
    return token.kind in kinds or token.text in ("cdot", "frac")


def _find_unit(
    text: str, tokens: Sequence[Token], closers: dict[int, int], known: Known
) -> int | None:
    """Find where a unit in upright letters begins that goes on to the end."""
    position = tried = 0
    while position < len(tokens) and tried < _MOST_TRIED:
        is_script = position > 0 and tokens[position - 1].kind in ("_", "^")
        if not is_script and _starts_unit(tokens, position):
            tried += 1
            if _is_unit(text, tokens, closers, known, position, len(tokens)):
                return position
        position = closers.get(position, position) + 1
    return None


def _starts_unit(tokens: Sequence[Token], position: int) -> bool:
    token = tokens[position]
    if token.kind in ("[", "("):
        token = tokens[min(position + 1, len(tokens) - 1)]
    is_micro = token.text in ("mu", "frac") and token.kind == "command"
    return (token.kind == "command" and token.text in _UPRIGHT) or is_micro


def _is_unit(
    text: str,
    tokens: Sequence[Token],
    closers: dict[int, int],
    known: Known,
    position: int,
    end: int,
) -> bool:
    """Whether all tokens from one place to another are units and signs between them."""
    has_unit = False
    while position < end:
        token = tokens[position]
        if token.kind == "command" and token.text in _UPRIGHT:
            closer = closers.get(position + 1)
            if closer is None or not _names_unit(
                text[tokens[position + 1].end : tokens[closer].start], known
            ):
                return False
            has_unit = True
            position = closer + 1
        elif token.kind in ("[", "(", "{") and position in closers:
            if not _is_unit(text, tokens, closers, known, position + 1, closers[position]):
                return False
            has_unit = True
            position = closers[position] + 1
        elif token.kind == "^" and has_unit:
            closer = closers.get(position + 1, position + 1)
            if not all(
                one.kind in ["number", "{", "}", "-"] for one in tokens[position + 1 : closer]
            ):
                return False
            position = closer + 1
        elif token.kind in ("*", "/") or token.text in ("cdot", "mu", "frac"):
            position += 1
        else:
            return False
    return has_unit


def _names_unit(content: str, known: Known) -> bool:
    words = _list_units(content)
    if not words or not _CONTENT.fullmatch(content):
        return False
    return UNITS.issuperset(words) and not known.names.issuperset(words)


def _find_spelt_unit(text: str, tokens: Sequence[Token], known: Known) -> int | None:
    """Find the unit in italics that ends a member, in letters that are not the problem's."""
    letters = 0
    while letters < len(tokens) and tokens[-1 - letters].kind == "letter":
        letters += 1
        if tokens[-letters].word:
            break
    if not letters or not known.names:
        return None
    start = len(tokens) - letters
    word = "".join(token.text for token in tokens[start:])
    if tokens[start].word != word or not known.names.isdisjoint(word) or not start:
        return None
    before = tokens[start - 1]
    if _is_plain_number(tokens[:start]):
        is_unit = word in UNITS and (len(word) > 1 or known.is_told)
        return start if is_unit and before.kind in ("number", "}", ")", "]") else None
    is_apart = text[before.end : tokens[start].start] != "" or before.kind == "number"
    return start if word in SPELT_UNITS and is_apart else None


def _find_bracketed_unit(text: str, tokens: Sequence[Token], known: Known) -> int | None:
    """Find the `[m/s]` behind a value, if not all of its letters are the problem's."""
    if not known.names or not tokens or tokens[-1].kind != "]":
        return None
    last = len(tokens) - 1
    opener = next((one for one, closer in match_brackets(tokens).items() if closer == last), 0)
    content = text[tokens[opener].end : tokens[-1].start]
    words = _list_units(content)
    is_unit = bool(words) and _CONTENT.fullmatch(content) and all(word in UNITS for word in words)
    return opener if opener and is_unit and not known.names.issuperset(words) else None


def _find_asked_unit(text: str, tokens: Sequence[Token], known: Known) -> int | None:
    """Find at the end of a member the unit asked for, typed as plainly as in the question."""
    words = _WORD.findall(known.unit)
    if not words or known.names.issuperset(words):
        return None
    asked = "".join(known.unit.split())
    for start in range(len(tokens) - 1, max(len(tokens) - len(asked), 1) - 1, -1):
        typed = "".join(text[tokens[start].start : tokens[-1].end].split())
        if typed == asked:
            before = tokens[start - 1]
            is_apart = tokens[start].is_spaced or before.end < tokens[start].start
            return start if is_apart and before.kind not in ("+", "-", "*", "/", "^", "_") else None
    return None


def _find_measured_unit(text: str, tokens: Sequence[Token], known: Known) -> int | None:
    r"""Find the unit of `251\,\Omega`, `30 cm^{-1}`: behind a space and no small factor."""
    start = next((place for place, one in enumerate(tokens) if not _is_numeric(one)), 0)
    numbers = [token.text for token in tokens[:start] if token.kind == "number"]
    if not start or all(len(one) < 2 for one in numbers):
        return None
    is_apart = tokens[start - 1].end < tokens[start].start
    content = text[tokens[start].start : tokens[-1].end].replace(r"\Omega", "Omega")
    content = content.replace(r"\mu", " ")
    words = _WORD.findall(content)
    measures = MEASURES if tokens[start].is_spaced else SPELT_UNITS if is_apart else frozenset()
    is_unit = bool(words) and _CONTENT.fullmatch(content) and measures.issuperset(words)
    is_free = not any(word in known.names or known.spells(word) for word in words)
    return start if is_unit and is_free else None


def spell_indices(tokens: Sequence[Token], known: Known) -> tuple[Token, ...] | None:
    """Read letters typed together as the problem's indexed symbols, if there are any."""
    indexed: dict[str, int] = {}
    for name in known.names:
        if (found := _INDEXED.fullmatch(name)) is not None:
            index = found[2] or found[3]
            # `Th` and `TH` are T_H alike: which of the two they are is told apart by case later.
            for typed in {index, index.swapcase()}:
                if not known.names.issuperset({found[1], *typed}):
                    indexed[found[1] + typed] = 1 + len(typed)
    if not indexed:
        return None
    spelt: list[Token] = []
    position = 0
    changed = False
    while position < len(tokens):
        run = _match_run(tokens, position, indexed)
        first = tokens[position]
        if run == 0:
            spelt.append(first)
            position += 1
            continue
        index = tokens[position + 1 : position + run]
        place = index[0].start
        spelt += [replace(first, word=""), Token("_", "_", place, place)]
        spelt += [Token("{", "{", place, place), *index]
        spelt.append(Token("}", "}", index[-1].end, index[-1].end))
        position += run
        changed = True
    return tuple(spelt) if changed else None


def _match_run(tokens: Sequence[Token], position: int, indexed: dict[str, int]) -> int:
    """Count the letters from here that spell an indexed symbol; 0 if they spell none."""
    if tokens[position].kind != "letter":
        return 0
    for run, length in indexed.items():
        letters = tokens[position : position + length]
        if "".join(one.text for one in letters if one.kind == "letter") != run:
            continue
        if all(one.end == other.start for one, other in pairwise(letters)):
            return length
    return 0
