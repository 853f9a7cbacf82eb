r"""
Reading what a problem says of its symbols together: `\lambda_1 < \lambda_2`, `0 < a < b`.

>>> [condition.relation for condition in read_space(Question(conditions=("0 < a < b",))).conditions]
['<', '<']
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import pairwise

import sympy

from phybench_grader.numbers.estimates import Undefined
from phybench_grader.numbers.evaluation import Program
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.numbers.space import Condition, Draws, Space
from phybench_grader.reading.ambiguity import Choices
from phybench_grader.reading.grammar.reader import Reader
from phybench_grader.reading.lexer import Token, split_tokens
from phybench_grader.reading.names import Declared
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.stream import CLOSERS
from phybench_grader.reading.vocabulary import RELATIONS

_SPELLINGS = {
    "<": "<", "lt": "<", ">": ">", "gt": ">", "le": "<=", "leqslant": "<=", "lesssim": "",
    "ge": ">=", "geqslant": ">=", "gtrsim": "", "ne": "!=", "=": "=", "equiv": "=",
    "ll": "", "gg": "", "approx": "", "simeq": "", "sim": "", "cong": "", "propto": "", "to": "",
    "rightarrow": "", "lll": "", "ggg": "", "<=": "<=", ">=": ">=", "!=": "!=",
}  # fmt: skip
"""Relations as `Condition` has them; those of orders of magnitude limit no draws."""
_TYPED = {("<", "="): "<=", (">", "="): ">=", ("!", "="): "!="}
"""Relations of two characters."""
_SIGNS = RELATIONS | _SPELLINGS.keys() | frozenset(_TYPED.values())


def read_space(declared: Collection[str]) -> Space:
    """Read where a question's expressions are compared; what can't be read limits nothing."""
    return _read(Question.of(declared))[0]


def list_faults(declared: Collection[str]) -> list[Sentence]:
    r"""
    List the conditions that can't be read, or that no point drawn meets, and why.

    >>> [fault.code for fault in list_faults(Question(conditions=("a > a + b",)))]
    ['condition_unmet']
    """
    return list(_read(Question.of(declared))[1])


@lru_cache(maxsize=512)
def _read(question: Question) -> tuple[Space, tuple[Sentence, ...]]:
    declared = Declared(question)
    faults: list[Sentence] = []
    conditions: list[Condition] = []
    given: dict[sympy.Symbol, sympy.Expr] = {}
    for text in question.conditions:
        try:
            read = list(read_condition(text, declared))
            for one in read:
                if one.relation == "=":
                    _add_equation(one, given)
        except Unreadable as unreadable:
            message = unreadable.message
            fault = Sentence.of("condition_unreadable", condition=text, message=message)
            faults.append(fault)
            continue
        except Undefined:
            faults.append(Sentence.of("condition_not_drawn", condition=text))
            continue
        relations = tuple(one for one in read if one.relation != "=")
        if not _is_met(Space(declared.domains, relations, given)):
            faults.append(Sentence.of("condition_unmet", condition=text))
        conditions += relations
    space = Space(declared.domains, tuple(conditions), given)
    if not faults and not _is_met(space):
        faults.append(Sentence("conditions_unmet"))
    return space, tuple(faults)


def _add_equation(equation: Condition, given: dict[sympy.Symbol, sympy.Expr]) -> None:
    """Solve an equation for a symbol in which it is linear. Raises `Undefined` without one."""
    difference = (equation.left - equation.right).xreplace(given)
    # A name by itself on one side is what its author thinks of as given.
    sides = (equation.left, equation.right)
    symbols = [side for side in sides if side in difference.free_symbols]
    symbols += sorted(difference.free_symbols, key=lambda one: str(one.name))
    for symbol in symbols:
        slope = sympy.diff(difference, symbol)
        if slope != 0 and symbol not in slope.free_symbols:
            value = -difference.xreplace({symbol: sympy.S.Zero}) / slope
            Program(value)
            for name in given:
                given[name] = given[name].xreplace({symbol: value})
            given[symbol] = value
            return
    if difference != 0:
        raise Undefined


def _is_met(space: Space) -> bool:
    """Whether a point is drawn where the conditions hold."""
    draws = Draws(space, ())
    if (points := draws.list_all()) is not None:
        return bool(points)
    return next(draws.draw(b""), None) is not None


_MOST_RELATIONS = 40
"""Relations that one text may have: each is looked at for each point drawn."""


def read_condition(text: str, declared: Declared) -> Iterator[Condition]:
    r"""
    Read the relations of a text: chains, and lists in which `a, b > 0` says it of both.

    Raises `Unreadable`, and `Undefined` for what can be read but not drawn.
    """
    tokens = _join_signs(split_tokens(text))
    if sum(token.kind in ",;" or token.text in _SIGNS for token in tokens) > _MOST_RELATIONS:
        raise Unreadable("too_large", 0, len(text))
    alone: list[list[Token]] = []
    items = _split(tokens, {",", ";"})
    for item in items:
        sides, signs = _split_chain(item)
        if not signs:
            alone.append(sides[0])
            continue
        for side in alone:
            yield from _read_chain(text, [side, sides[1]], signs[:1], declared)
        alone = []
        yield from _read_chain(text, sides, signs, declared)
    if alone or not items:
        raise Unreadable("relation_missing", 0, len(text))


def _read_chain(
    text: str, sides: list[list[Token]], signs: list[Token], declared: Declared
) -> Iterator[Condition]:
    expressions = [
        None if _is_infinite(side) else Reader(text, side, declared, Choices()).read_all()
        for side in sides
    ]
    for (left, right), sign in zip(pairwise(expressions), signs, strict=True):
        if sign.text not in _SPELLINGS:
            raise Unreadable("relation_missing", sign.start, sign.end)
        relation = _SPELLINGS[sign.text]
        if not relation or left is None or right is None:
            continue
        Program(left, right)
        yield Condition(left, relation, right)


def _is_infinite(side: list[Token]) -> bool:
    return [token.text for token in side if token.text not in ("+", "-")] == ["infty", ""]


def _split_chain(item: list[Token]) -> tuple[list[list[Token]], list[Token]]:
    """Part a chain of relations into its sides and signs; each side ends as texts do."""
    sides: list[list[Token]] = [[]]
    signs: list[Token] = []
    level = 0
    for token in item:
        level += (token.kind in CLOSERS) - (token.kind in CLOSERS.values())
        if level == 0 and token.text in _SIGNS and token.kind != "letter":
            sides[-1].append(Token("end", "", token.start, token.start))
            signs.append(token)
            sides.append([])
        else:
            sides[-1].append(token)
    return sides, signs


def _split(tokens: list[Token], separators: Collection[str]) -> list[list[Token]]:
    """Part tokens where a separator stands outside brackets; each part ends as texts do."""
    parts: list[list[Token]] = [[]]
    level = 0
    for token in tokens:
        level += (token.kind in CLOSERS) - (token.kind in CLOSERS.values())
        if level == 0 and token.kind in separators:
            parts[-1].append(Token("end", "", token.start, token.start))
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if len(part) > 1]


def _join_signs(tokens: list[Token]) -> list[Token]:
    joined: list[Token] = []
    for token in tokens:
        if joined and (joined[-1].kind, token.kind) in _TYPED and joined[-1].end == token.start:
            sign = _TYPED[joined[-1].kind, token.kind]
            joined[-1] = Token(sign, sign, joined[-1].start, token.end)
        else:
            joined.append(token)
    return joined
