r"""
What a problem asks for: drafted from its statement, and set beside its answer.

>>> draft_wanted(r"Find the speed $v$ in m/s in terms of $m$, $k$ and $x_0$, for $x_0 > 0$.")
Wanted(quantity='v', unit='m/s', terms=('m', 'k', 'x_0'), conditions=('x_0 > 0',))
"""

import re
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from curation.texts.references.dimensions import Dimension, UnknownUnit, read_unit
from curation.texts.references.reference import (
    LONGEST_LISTED,
    MAX_LISTED,
    SymbolRow,
    Wanted,
    find_name,
)
from phybench_grader.reading.formulas import find_formulas
from phybench_grader.reading.reading import Reading
from phybench_grader.reading.rules import KNOWN_CONSTANTS, BrokenRule
from phybench_grader.verdict.declarations import is_symbol

FIELD_OF_RULE = {
    "unknown_unit": "unit",
    "other_unit": "unit",
    "no_term": "terms",
    "not_listed": "terms",
    "condition": "conditions",
    "asks_itself": "quantity",
}
"""The field that each rule is about."""

_SEPARATOR = re.compile(r"[,;，；、\n]|\\quad|\\text\s*\{\s*and\s*\}")
_RELATION = re.compile(r"<|>|≤|≥|\\(?:leqslant|geqslant|leq|geq|le|ge|lt|gt|neq|ne)(?![A-Za-z])")
_VERB = re.compile(
    r"\b(?:find|determine|calculate|compute|derive|obtain|express|give|what is)\b"
    r"|求|计算|写出|给出",
    re.IGNORECASE,
)
_TERMS = re.compile(
    r"in terms of|as a function of|expressed (?:in|by|through)|结果用|答案用|用", re.IGNORECASE
)
_END = re.compile(r"\b(?:where|if|when|for|assuming|provided|with)\b|表示|其中", re.IGNORECASE)
_BARE_UNIT = (
    "(?:[kmcdMGnpµμ]?(?:m|s|g|N|J|W|Pa|C|V|A|F|T|H|Hz|K|mol|cd|rad|sr|eV|Wb|L|Ω|ohm)|min)"
    r"(?:\^?-?[1-9²³])?"
)
"""As people write units in a sentence: “in water” and “in a wire” name none."""
_UNIT = rf"((?:1/)?{_BARE_UNIT}(?:\s?[·*/ ]\s?{_BARE_UNIT})*)"
_IN_UNIT = re.compile(
    rf"\x00\s*(?:in|以)\s+{_UNIT}(?=[\s.,;，。]|$)"
    rf"|(?:\b(?:in|以)\s*)(?:units?\s+of\s+)?{_UNIT}\s*(?:为单位)?[\s.,;]*$"
)
_SENTENCE = re.compile(r"[.?!](?=\s|$)|[。？！]|\n\s*\n")
_PLACE = re.compile("\x00(\\d+)\x00")
_LETTER = re.compile("[A-Za-z]")


def split_list(text: str) -> list[str]:
    r"""
    Split what is typed as a list, but not within brackets.

    >>> split_list(r"\omega, f(a, b), R_{1,2}")
    ['\\omega', 'f(a, b)', 'R_{1,2}']
    """
    parts, level, start, place = [], 0, 0, 0
    while place < len(text):
        sign = text[place]
        level += (sign in "([{") - (sign in ")]}")
        found = _SEPARATOR.match(text, place) if level <= 0 else None
        if found:
            parts.append(text[start:place])
            start = place = found.end()
        else:
            place += 1
    return [part for one in (*parts, text[start:]) if (part := bare_formula(one))]


def bare_formula(text: str) -> str:
    """Take the dollar signs off a formula that is one by itself."""
    return text.strip().strip("$").strip()


# --- Drafted from the statement -------------------------------------------------------------


def draft_wanted(statement: str) -> Wanted:
    """Draft what is asked from a statement’s own words; what it does not say stays empty."""
    text, formulas = _set_apart(statement)
    quantity = unit = ""
    terms: tuple[str, ...] = ()
    for sentence in _SENTENCE.split(text):
        verb = _VERB.search(sentence)
        asked, rest = _part(sentence[verb.end() :] if verb else sentence)
        terms = tuple(_list_symbols(rest, formulas)) or terms
        if verb:
            quantity = next(iter(_list_symbols(asked, formulas)), quantity)
            unit = _find_unit(asked) or unit
    # “Find the speed at which $z$ …”: what the answer is written in is not what is asked for.
    quantity = "" if quantity in terms else quantity
    conditions = tuple(_list_conditions(formulas))[:MAX_LISTED]
    return Wanted(quantity, unit, terms[:MAX_LISTED], conditions)


def _find_unit(asked: str) -> str:
    """Find the unit behind the quantity or at the end, as in “the speed $v$ in m/s”."""
    found = _IN_UNIT.search(asked)
    return (found[1] or found[2]).strip() if found else ""


def _set_apart(statement: str) -> tuple[str, list[str]]:
    """Put a numbered place where each formula stands: the words are looked at without them."""
    pieces: list[str] = []
    formulas: list[str] = []
    end = 0
    for start, written, formula in find_formulas(statement):
        pieces += [statement[end:start], f"\x00{len(formulas)}\x00"]
        formulas.append(formula.strip().rstrip(".,;"))
        end = start + len(written)
    return "".join([*pieces, statement[end:]]), formulas


def _part(sentence: str) -> tuple[str, str]:
    """Part what is asked for from what it is to be written in."""
    found = _TERMS.search(sentence)
    if found is None:
        return sentence, ""
    rest = sentence[found.end() :]
    end = _END.search(rest)
    return sentence[: found.start()], rest[: end.start()] if end else rest


def _list_symbols(text: str, formulas: Sequence[str]) -> list[str]:
    """List the formulas in a part of a sentence that are single symbols."""
    found = (formulas[int(place[1])] for place in _PLACE.finditer(text))
    parts = (part for formula in found for part in split_list(formula))
    return list(dict.fromkeys(part for part in parts if is_symbol(part)))


def _list_conditions(formulas: Iterable[str]) -> list[str]:
    found = (part for formula in formulas for part in split_list(formula))
    return list(
        dict.fromkeys(part for part in found if len(part) <= LONGEST_LISTED and is_condition(part))
    )


def is_condition(text: str) -> bool:
    r"""
    Whether a text looks like a relation between expressions of symbols; the grader reads it.

    >>> [is_condition(text) for text in (r"\mu g < a", r"0 < a \le b", "a = b", "a <", "1 < 2")]
    [True, True, False, False, False]
    """
    sides = _RELATION.split(text)
    is_whole = all(side.strip() and side.count("{") == side.count("}") for side in sides)
    # By its looks alone: a statement may have hundreds, and the page waits.
    return len(sides) > 1 and is_whole and any(map(_LETTER.search, sides))


# --- Checked --------------------------------------------------------------------------------


def check_wanted(
    wanted: Wanted,
    reading: Reading | None,
    dimension: Dimension | None,
    rows: Iterable[SymbolRow] = (),
    quantity: Reading | None = None,
) -> list[BrokenRule]:
    """
    List what does not fit together: the quantity, its unit, its terms, and the answer.

    Args:
        reading: of the reference answer, where it can be read.
        dimension: of the reference answer, where every symbol's is known.
        rows: the symbol table, by which `h` may be a height and no constant.
        quantity: what is asked for, where it can be read.
    """
    found = [*_check_unit(wanted, dimension)]
    for term in wanted.terms:
        if not is_symbol(term):
            message = _("“%(term)s” is not a symbol: list symbols separated by commas.")
            found.append(("no_term", message % {"term": term}))
    if reading is not None:
        found += [*_check_quantity(wanted, reading, quantity), *_check_terms(wanted, reading, rows)]
    return [BrokenRule(code, message, 0, 0) for code, message in found]


def _check_unit(wanted: Wanted, dimension: Dimension | None) -> list[tuple[str, str]]:
    if not wanted.unit:
        return []
    try:
        unit = read_unit(wanted.unit)
    except UnknownUnit as unknown:
        return [("unknown_unit", str(unknown))]
    if dimension is None or unit == dimension:
        return []
    if not dimension.powers:
        message = _("The answer is dimensionless, but %(unit)s is asked for.")
        return [("other_unit", message % {"unit": wanted.unit})]
    message = _("The answer has the unit %(found)s, but %(unit)s is asked for.")
    return [("other_unit", message % {"found": dimension, "unit": wanted.unit})]


def _check_quantity(
    wanted: Wanted, reading: Reading, quantity: Reading | None
) -> list[tuple[str, str]]:
    if quantity is None or not reading.expression.has(quantity.expression):
        return []
    message = _("The answer contains $%(quantity)s$, the quantity that is asked for.")
    return [("asks_itself", message % {"quantity": wanted.quantity})]


def _check_terms(
    wanted: Wanted, reading: Reading, rows: Iterable[SymbolRow]
) -> list[tuple[str, str]]:
    if not wanted.terms:
        return []
    constants = KNOWN_CONSTANTS - {row.name for row in rows if not row.says_nothing}
    listed = {find_name(term) for term in wanted.terms} | constants
    names = {symbol.name for symbol in reading.expression.free_symbols}
    message = _("The answer contains $%(symbol)s$, which is not in the list of allowed symbols.")
    return [("not_listed", message % {"symbol": name}) for name in sorted(names - listed)]
