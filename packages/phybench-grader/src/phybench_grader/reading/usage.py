r"""
How a problem's formulas use their letters: what a lone text leaves open, its neighbours often tell.

`\Delta x` is one symbol unless a Δ stands alone somewhere; `\psi(x)` is a value where the statement
has it so; `i` is the imaginary unit where it stands in an exponential or at a frequency in a sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from phybench_grader.numbers.symbols import ACCENTS, LETTERLIKE
from phybench_grader.reading.formulas import list_formulas
from phybench_grader.reading.lexer import Token, split_tokens
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.vocabulary import APPROXIMATIONS, EQUALITIES

_CHANGES = frozenset({"Delta", "delta"})
_ALONE_BEFORE = frozenset({"hbar", "hslash"})
"""Symbols of which nobody takes a change."""
_FREQUENCIES = frozenset({"omega", "Omega"})
_UNITS = frozenset({"i", "j"})
_OPENERS = frozenset("([{")
_CLOSERS = frozenset(")]}")
_UPRIGHT = frozenset({"text", "mathrm", "operatorname", "rm"})
_EQUALITIES = EQUALITIES | APPROXIMATIONS


@dataclass(frozen=True, slots=True)
class Usage:
    """What some formulas show of their letters."""

    lone: frozenset[str] = frozenset()
    """Of Δ, δ and d, those that stand without a symbol behind them."""
    functions: frozenset[str] = frozenset()
    """What is written before a bracket that holds symbols alone, as `spell` spells it."""
    symbols: frozenset[str] = frozenset()
    """Letters that stand as symbols, without their scripts; an imaginary unit is none."""
    units: frozenset[str] = frozenset()
    """Of i and j, those that are the imaginary unit."""
    plain: frozenset[str] = frozenset()
    """Names that stand with no bracket behind them, as `spell` spells them."""
    labelled: frozenset[str] = frozenset()
    """Letters over which a 0 or a ring is raised."""
    values: frozenset[str] = frozenset()
    """Of one formula, what stands before several brackets of which one holds no sum."""
    single: frozenset[str] = frozenset()
    """Of one formula, what stands before one bracket alone, which holds a bare letter."""

    def __or__(self, other: Usage) -> Usage:
        return Usage(
            self.lone | other.lone,
            self.functions | other.functions,
            self.symbols | other.symbols,
            self.units | other.units,
            self.plain | other.plain,
            self.labelled | other.labelled,
            self.values | other.values,
            self.single | other.single,
        )


def beside(question: Question, reference: str) -> Question:
    """Add the reference to the formulas that an answer is read beside."""
    key = f"\n\n${reference.replace('$', ' ')}$"
    return replace(question, statement=question.statement + key, key=key)


@lru_cache(maxsize=256)
def observe(statement: str) -> Usage:
    r"""
    Observe how the formulas of a statement use their letters.

    >>> sorted(observe(r"The wave $\psi(x)$, at $\Delta > 0$.").functions)
    ['\\psi']
    """
    found = Usage()
    for formula in list_formulas(statement):
        try:
            tokens = split_tokens(formula)
        except Unreadable:
            continue
        found |= observe_tokens(tokens)
    return found


def observe_tokens(tokens: Sequence[Token]) -> Usage:
    """Observe how one formula uses its letters."""
    lone, functions, symbols, plain, labelled = (set[str]() for _ in range(5))
    brackets: dict[str, set[tuple[str, ...]]] = {}
    bare: dict[str, bool] = {}
    units = find_units(tokens)
    for start, end in _find_symbols(tokens):
        name = tokens[start].text
        if name in units:
            continue
        symbols.add(name)
        if name in _CHANGES and not changes_next(tokens, start):
            lone.add(name)
        if name == "d" and not is_symbol_at(tokens, start + 1):
            lone.add(name)
        spelled = spell(tokens[start:end])
        if tokens[end].kind == "^":
            raised = skip_group(tokens, end + 1)
            if spell(tokens[end + 1 : raised]) in ("0", r"\circ"):
                labelled.add(name)
            end = raised  # `J_1^2(x)`
        if tokens[end].kind not in "([":
            plain.add(spelled)
            continue
        inside = _list_inside(tokens, end)
        brackets.setdefault(spelled, set()).add(tuple(token.text for token in inside))
        if find_argument_end(tokens, end):
            functions.add(spelled)
            bare[spelled] = bare.get(spelled, False) or len(inside) == 1
        elif len(inside) == 1 or all(token.kind in ("+", "-", "number") for token in inside):
            bare.setdefault(spelled, False)
    values = {name for name, held in brackets.items() if len(held) > 1 and name in bare}
    single = {name for name, held in brackets.items() if len(held) == 1 and bare.get(name)}
    found = (lone, functions, symbols, units, plain, labelled, values, single)
    return Usage(*map(frozenset, found))


def _list_inside(tokens: Sequence[Token], opener: int) -> list[Token]:
    """List what stands in a bracket, without braces; all that follows where nothing closes it."""
    level, inside = 0, []
    for token in tokens[opener:-1]:
        level += (token.kind in "([") - (token.kind in ")]")
        if level == 0:
            break
        if token.kind not in "{}":
            inside.append(token)
    return inside[1:]


def list_valued(text: str) -> frozenset[str]:
    r"""
    List what a text has before brackets with symbols, left of its first relation.

    >>> sorted(list_valued(r"2p(T) = U(T)")), sorted(list_valued("p(T)"))
    (['p'], [])
    """
    try:
        tokens = split_tokens(text)
    except Unreadable:
        return frozenset()
    first = next((one for one, token in enumerate(tokens) if token.text in _EQUALITIES), 0)
    return observe_tokens([*tokens[:first], tokens[-1]]).functions


def spell(tokens: Sequence[Token]) -> str:
    """Spell a name without the braces that it may do without."""
    return "".join(
        "\\" + token.text if token.kind == "command" else token.text
        for token in tokens
        if token.kind not in "{}"
    )


def is_symbol_at(tokens: Sequence[Token], place: int) -> bool:
    """Whether a letter, a Greek letter or an accent stands here."""
    token = tokens[place]
    return token.kind == "letter" or (
        token.kind == "command" and (token.text in LETTERLIKE or token.text in ACCENTS)
    )


def changes_next(tokens: Sequence[Token], place: int) -> bool:
    r"""
    Whether the Δ or δ at a place makes one symbol with the next, as in `\Delta x`.

    Nobody takes a variation to a negative power: in `\delta A^{-1/2}` it is a factor.
    """
    if not is_symbol_at(tokens, place + 1) or tokens[place + 1].text in _ALONE_BEFORE:
        return False
    end = find_name_end(tokens, place + 1)
    exponent = [token.kind for token in tokens[end : end + 3]]
    return tokens[place].text == "Delta" or exponent != ["^", "{", "-"]


def find_argument_end(tokens: Sequence[Token], opener: int) -> int | None:
    """Find where a bracket ends that holds nothing but symbols with commas between them."""
    place = opener + 1
    while is_symbol_at(tokens, place):
        place = find_name_end(tokens, place)
        if tokens[place].kind == ")":
            return place + 1
        if tokens[place].kind != ",":
            return None
        place += 1
    return None


def find_name_end(tokens: Sequence[Token], place: int) -> int:
    """Find where a symbol ends: behind its letter, subscript and primes."""
    if tokens[place].text in ACCENTS:
        place = skip_group(tokens, place + 1)
    else:
        place += 1
    while tokens[place].kind in ("_", "'"):
        place = skip_group(tokens, place + 1) if tokens[place].kind == "_" else place + 1
    return place


def skip_group(tokens: Sequence[Token], place: int) -> int:
    """Find what follows a group in braces, or else one token."""
    level = 0
    while place < len(tokens) and tokens[place].kind != "end":
        level += (tokens[place].kind == "{") - (tokens[place].kind == "}")
        place += 1
        if level <= 0:
            break
    return place


def _find_symbols(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Find where symbols begin and end; what stands in subscripts and upright is left out."""
    place = 0
    while tokens[place].kind != "end":
        if is_symbol_at(tokens, place):
            end = find_name_end(tokens, place)
            yield place, end
            place = end
        elif tokens[place].kind == "_" or tokens[place].text in _UPRIGHT:
            place = skip_group(tokens, place + 1)
        else:
            place += 1


def find_units(tokens: Sequence[Token]) -> frozenset[str]:
    r"""
    Find which of i and j are the imaginary unit throughout a formula.

    They are where one stands upright or in an exponential's exponent, or beside a frequency in a
    sum. A j is a unit only beside a frequency: else it counts something.

    >>> texts = (r"R + j\omega L", r"e^{ikx}", "2i - A")
    >>> [sorted(find_units(split_tokens(text))) for text in texts]
    [['j'], ['i'], []]
    """
    if not any(token.text in _UNITS for token in tokens):
        return frozenset()
    found = set()
    # Of each open bracket: whether it is an exponential's, and the units at frequencies inside.
    exponents = [False]
    beside_frequency: list[set[str]] = [set()]
    sums = [False]
    place = 0
    while (token := tokens[place]).kind != "end":
        if token.kind == "_":
            place = skip_group(tokens, place + 1)
            continue
        if token.kind in _OPENERS:
            exponents.append(exponents[-1] or _opens_exponent(tokens, place))
            beside_frequency.append(set())
            sums.append(False)
        elif token.kind in _CLOSERS and len(sums) > 1:
            inner = beside_frequency.pop()
            if sums.pop():
                found |= inner
            exponents.pop()
            beside_frequency[-1] |= inner
        elif token.kind in ("+", "-"):
            sums[-1] |= place > 0 and tokens[place - 1].kind not in (*_OPENERS, "=")
        elif token.kind == "letter" and token.text in _UNITS:
            is_at_frequency = _is_frequency(tokens[place - 1]) or _is_frequency(tokens[place + 1])
            if is_at_frequency:
                beside_frequency[-1].add(token.text)
            is_exponent = exponents[-1] or _follows_exponential(tokens, place)
            if is_exponent and (token.text == "i" or is_at_frequency):
                found.add(token.text)
            if _is_upright(tokens, place):
                found.add(token.text)
        place += 1
    for is_sum, inside in zip(sums, beside_frequency, strict=True):
        if is_sum:
            found |= inside
    return frozenset(found)


def _is_frequency(token: Token) -> bool:
    return token.text in _FREQUENCIES


def _opens_exponent(tokens: Sequence[Token], place: int) -> bool:
    return _follows_exponential(tokens, place) or (
        place > 0 and (tokens[place - 1].text == "exp" or _spells(tokens, place, "exp"))
    )


def _follows_exponential(tokens: Sequence[Token], place: int) -> bool:
    """Whether what stands here is raised over an e, upright or not."""
    if place < 2 or tokens[place - 1].kind != "^":
        return False
    base = place - 2
    while base > 0 and tokens[base].kind == "}":
        base -= 1
    return tokens[base].kind == "letter" and tokens[base].text == "e"


def _spells(tokens: Sequence[Token], place: int, word: str) -> bool:
    start = place - len(word)
    return start >= 0 and tokens[start].word == word


def _is_upright(tokens: Sequence[Token], place: int) -> bool:
    before = tokens[place - 2 : place] if place >= 2 else []
    return [token.text for token in before] in (["mathrm", "{"], ["{", "rm"])
