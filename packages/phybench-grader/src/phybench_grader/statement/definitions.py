r"""
What an answer or a statement defines: `where \gamma_i = 1/\sqrt{1 - v_i^2/c^2}`, and putting it in.

Only for symbols that neither the key nor the problem has; what they have keeps its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import sympy

from phybench_grader.reading.formulas import list_formulas
from phybench_grader.reading.lexer import Token, split_tokens
from phybench_grader.reading.names import Declared
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.vocabulary import EQUALITIES, RELATIONS
from phybench_grader.statement.members import read_tokens
from phybench_grader.statement.pieces import Known, match_brackets
from phybench_grader.statement.sides import read_side

_INDEX = re.compile(r"(.+)_([ijknlab])")
"""A name with a letter that stands for any index."""
_MOST_PUT_IN = 12


@dataclass(frozen=True, slots=True)
class Definition:
    """The value of a symbol, of a function of one (`argument`), or of all with an index."""

    name: str
    value: sympy.Expr
    argument: str = ""
    other: sympy.Expr | None = None
    """Its value if all slashes reach further, as in `k = 1/4\\pi\\epsilon_0`."""

    def find_value(self, name: str, declared: Declared) -> sympy.Expr | None:
        """Return what it says of the symbol of this name, if anything."""
        if name == self.name:
            return self.value
        if self.argument and name.startswith(f"{self.name}("):
            inside = _read_inside(name[len(self.name) + 1 : -1], declared)
            return inside and self.value.xreplace({declared.make_symbol(self.argument): inside})
        index = _INDEX.fullmatch(self.name)
        one = re.fullmatch(r"(.+)_(\w|\{.+\})", name)
        if index is None or one is None or index[1] != one[1]:
            return None
        return self.value.xreplace(
            {
                symbol: declared.make_symbol(f"{found[1]}_{one[2]}")
                for symbol in self.value.free_symbols
                if (found := _INDEX.fullmatch(symbol.name)) and found[2] == index[2]
            }
        )


def _read_inside(latex: str, declared: Declared) -> sympy.Expr | None:
    """Read what stands in the brackets of a function's value."""
    try:
        return read_tokens(latex, split_tokens(latex)[:-1], declared).expression
    except Unreadable:
        return None


def read_definition(
    text: str, members: Sequence[Sequence[Token]], declared: Declared, known: Known
) -> Definition | None:
    """Read a chain as a definition of a symbol, if it is one; of a power, the positive root."""
    side = read_side(text, members[0], declared, known)
    value, other = _read_last(text, members[1:], declared)
    if value is None:
        return None
    if side.name:
        argument = _find_argument(text, members[0], declared, known)
        if not argument:
            return Definition(side.name, value, other=other)
        if argument[:1].isdigit():
            # A value at one place, as `I(0)`, is no function.
            return Definition(f"{side.name}({argument})", value)
        return Definition(side.name, value, argument)
    base = side.expression
    if isinstance(base, sympy.Pow) and base.base.is_Symbol and base.exp.is_positive:
        return Definition(str(base.base.name), value ** (1 / base.exp))
    return None


def _find_argument(text: str, left: Sequence[Token], declared: Declared, known: Known) -> str:
    r"""Find what a function is defined of: the v of `\gamma(v)`; of `I(0)` the 0."""
    inside = [token for token in left if token.kind not in "{}"]
    opener = next((one for one, token in enumerate(inside) if token.kind == "("), 0)
    if not opener or inside[-1].kind != ")":
        return ""
    argument = inside[opener + 1 : -1]
    if argument[0].kind == "number":
        return "".join(token.text for token in argument)
    return read_side(text, argument, declared, known).name or ""


def _read_last(
    text: str, members: Iterable[Sequence[Token]], declared: Declared
) -> tuple[sympy.Expr | None, sympy.Expr | None]:
    """Read the last member that can be, rather one with symbols; and it with longer slashes."""
    found = other = None
    for member in members:
        try:
            value = read_tokens(text, member, declared)
            if found is not None and not value.expression.free_symbols:
                continue
            taken = {site: 1 for site in value.met if site[0] == "slash"}
            other = read_tokens(text, member, declared, taken).expression if taken else None
        except Unreadable:
            continue
        found = value.expression
    return found, other


def put_in(
    expression: sympy.Expr,
    definitions: Sequence[Definition],
    declared: Declared,
    known: Collection[str],
) -> sympy.Expr:
    """Put definitions in for the symbols that are not known, again and again but in no circle."""
    put = expression
    for _ in range(_MOST_PUT_IN):
        values = {}
        for symbol in put.free_symbols:
            found = (one.find_value(symbol.name, declared) for one in definitions)
            value = next((one for one in found if one is not None), None)
            if symbol.name not in known and value is not None:
                values[symbol] = value
        if not values:
            return put
        put = put.xreplace(values)
    # What is defined in a circle is defined by nothing.
    return expression


def read_equations(formula: str, declared: Declared) -> list[Definition]:
    r"""
    Read a formula of a statement as what it says of a symbol: `\lambda = \frac{m}{2\pi r}`.

    >>> [one.name for one in read_equations(r"\lambda = \frac{m}{2\pi r}", Declared())]
    ['lambda']
    """
    try:
        tokens = split_tokens(formula)[:-1]
    except Unreadable:
        return []
    closers = match_brackets(tokens)
    members: list[list[Token]] = [[]]
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.kind != "letter" and token.text in RELATIONS and token.text not in EQUALITIES:
            return []
        if token.kind != "letter" and token.text in EQUALITIES:
            members.append([])
            place += 1
            continue
        end = closers.get(place, place) + 1
        members[-1] += tokens[place:end]
        place = end
    if len(members) != 2 or not all(members):
        return []
    found = read_definition(formula, members, declared, Known())
    return [found] if found is not None and not found.argument else []


@lru_cache(maxsize=256)
def list_stated(question: Question) -> tuple[Definition, ...]:
    """List what a problem's statement says of symbols, of each once."""
    declared = Declared(question)
    found: dict[str, list[Definition]] = {}
    for formula in list_formulas(question.told):
        for one in read_equations(formula, declared):
            found.setdefault(one.name, []).append(one)
    return tuple(ones[0] for ones in found.values() if len(ones) == 1)
