r"""
What stands left of a relation: a name that is dropped, or a quantity that must be what is asked.

`F_{\max}`, `E(r>R)`, `E^{(1)}`, `\frac{d\sigma}{d\Omega}` and words are names; `v^2`, `T_2/T_1` and
`\tan\theta` are quantities, which count where they are equal by value to the one asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import pairwise

import sympy

from phybench_grader.equality.equality import Equality, compare
from phybench_grader.numbers.domains import Domain
from phybench_grader.numbers.functions import LINEAR
from phybench_grader.numbers.symbols import ACCENTS, find_changed, name_in_latex
from phybench_grader.reading.ambiguity import Choices
from phybench_grader.reading.grammar.reader import Reader
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.names import Declared, Names
from phybench_grader.reading.reading import Side, Unreadable
from phybench_grader.reading.stream import Stream
from phybench_grader.reading.vocabulary import CHANGING_WORDS, RELATIONS
from phybench_grader.statement.pieces import Known, match_brackets
from phybench_grader.statement.statement import close_off

_CHANGES = ("Delta", "delta", "d")
_OF_WORDS = frozenset({"of", "the", "von", "der", "des", "root"})
"""What may stand between a word that changes a quantity and the quantity."""

_WORD = re.compile(r"[^\W\d_]+")
_COMBINATIONS = {
    "product": (r"\bproduct\b", "乘积"),
    "ratio": (r"\bratio\b", r"\bquotient\b", "之比", "比值"),
    "sum": (r"\bsum\b", "之和"),
    "difference": (r"\bdifference\b", "之差"),
}
_ASKING = re.compile(
    r"\b(?:find|determine|calculate|compute|obtain|derive|express|give|what|show)\b|求|计算|多少",
    re.I,
)
_SAME_QUANTITY = re.compile(r"_\{?(?:true|real|actual|correct|final)\}?\Z")
_DERIVATIVE = re.compile(r"^(?:ddot|dot)\{(?P<of>.*)\}")


class Fit(Enum):
    """Whether a left side is what is asked for."""

    SAME = "same"
    RENAMED = "renamed"
    OTHER = "other"
    OPEN = "open"
    """Nothing says what is asked for, or it can't be compared."""


def changes(side: Side) -> bool:
    """Whether a left side's words make another quantity of it: `square of v`, not `Square well`."""
    words = _WORD.findall(side.words.lower())
    for place, word in enumerate(words):
        if any(one in word for one in CHANGING_WORDS if not one.isascii()):
            return True
        rest = words[place + 1 :]
        is_before_all = bool(side.signs) and _OF_WORDS.issuperset(rest)
        if word in CHANGING_WORDS and (is_before_all or (rest and rest[0] in _OF_WORDS)):
            return True
    return False


def read_side(
    text: str,
    tokens: Sequence[Token],
    declared: Declared,
    known: Known,
    words: str = "",
) -> Side:
    """Read what stands left of a relation; never refuses."""
    inside = _undress_bases(close_off(_dress(tokens)))
    signs = tuple(
        ("\\" if token.kind == "command" else "") + token.text
        for token in inside[:-1]
        if token.kind not in "{}"
    )
    if not signs:
        return Side(signs, name="", words=words)
    symbols = frozenset(_list_names(text, inside, declared))
    name, rate_of = _Namer(text, inside, declared, known).read()
    if name is not None:
        return Side(signs, name, None, symbols, rate_of, words)
    try:
        expression = Reader(text, inside, declared, Choices()).read_all()
    except Unreadable:
        expression = None
    return Side(signs, None, expression, symbols, "", words)


def _dress(tokens: Sequence[Token]) -> list[Token]:
    r"""Put the braces that a typed name means: `T_mid` is `T_{mid}`, `dP/dz` a fraction."""
    typed = list(tokens)
    slash = next((one for one, token in enumerate(typed) if token.kind == "/"), 0)
    halves = typed[:slash], typed[slash + 1 :]
    if all(len(half) > 1 and half[0].text == "d" and half[0].kind == "letter" for half in halves):
        return [_sign_at(typed[0], "command", "frac"), *_brace(halves[0]), *_brace(halves[1])]
    if len(typed) > 3 and typed[1].kind == "_" and typed[2].word:
        end = 2 + len(typed[2].word)
        if all(token.kind in ("'", "(", "[") for token in typed[end : end + 1]):
            return [*typed[:2], *_brace(typed[2:end]), *typed[end:]]
    return typed


def _sign_at(token: Token, kind: str, text: str) -> Token:
    return Token(kind, text, token.start, token.start)


def _brace(tokens: Sequence[Token]) -> list[Token]:
    return [_sign_at(tokens[0], "{", "{"), *tokens, _sign_at(tokens[-1], "}", "}")]


def _undress_bases(tokens: Sequence[Token]) -> list[Token]:
    r"""Take the braces off what is neither an argument nor a script: those of `\mathbf{F}_1`."""
    closers = match_brackets(tokens)
    dropped: set[int] = set()
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else None
        is_free = before is None or before.kind in (
            "+",
            "-",
            "*",
            "/",
            "(",
            "letter",
            "number",
            "{",
        )
        is_free = is_free or (before is not None and before.text in ("Delta", "delta", "cdot"))
        if (
            token.kind == "{"
            and place in closers
            and (
                place == 0
                or (is_free and (before is None or before.kind != "{" or place - 1 in dropped))
            )
        ):
            inside = tokens[place + 1 : closers[place]]
            if all(one.kind not in ("+", "-", "/", "*", "(") for one in inside):
                dropped |= {place, closers[place]}
    return [token for place, token in enumerate(tokens) if place not in dropped]


def fit(side: Side, asked: Side | None, domains: Mapping[str, Domain]) -> Fit:
    """Say whether a left side is what is asked for (None: nothing says what)."""
    if changes(side):
        return Fit.OPEN if asked is None else Fit.OTHER
    if asked is None:
        return Fit.SAME if side.is_single else Fit.OPEN
    if side.signs == asked.signs:
        return Fit.SAME
    if asked.words and not side.is_single:
        return Fit.OPEN
    if side.is_single and asked.is_single:
        return _fit_names(side, asked)
    if side.is_single:
        # Of `\tan\delta_0` the angle is another quantity; a new name for the whole is none.
        return Fit.OTHER if side.symbols & asked.symbols and side.signs else Fit.RENAMED
    if side.expression is None or asked.rate_of:
        return Fit.OPEN
    if asked.expression is not None and (
        compare(side.expression, asked.expression, domains) is Equality.EQUAL
    ):
        return Fit.SAME
    # In other letters it may be the same, renamed.
    return Fit.OTHER if side.symbols & asked.symbols else Fit.OPEN


def _fit_names(side: Side, asked: Side) -> Fit:
    if side.name and side.name == asked.name and side.rate_of == asked.rate_of:
        return Fit.SAME
    if _averages(side, asked) or _averages(asked, side):
        return Fit.OTHER
    if side.rate_of != asked.rate_of:
        one, other = (str(one.rate_of or one.name).rstrip("'") for one in (side, asked))
        if one == other:
            # A density such as sigma(theta) may be called by its own symbol.
            return Fit.OPEN if "(" in asked.signs else Fit.OTHER
    return Fit.RENAMED


def is_doubtful_name(side: Side, asked: Side | None, known: Known, key: sympy.Expr | None) -> bool:
    r"""
    Whether another name than the one asked for may be no new one for it.

    It may not if it is another symbol of the problem, or made of the name as `\Delta E` of `E` is;
    nor, where the key is a number, which may be said of much, if only its index or what stands in
    its bars is another.
    """
    if not side.name:
        return False
    if asked is None:
        given = known.given.union(one.name for one in key.free_symbols) if key is not None else ()
        return side.name in given
    if not asked.name or (side.name == asked.name and side.rate_of == asked.rate_of):
        return False
    is_change = find_changed(side.name) == name_in_latex(asked.name)
    if side.name in known.names or is_change or side.name == f"{asked.name}'":
        return True
    is_number = key is not None and not key.free_symbols
    return is_number and _undress_name(side.name) == _undress_name(asked.name)


def name_quantity(name: str) -> str:
    """
    Return the name of the quantity that a name is of: its size, its true value.

    >>> name_quantity("|v|"), name_quantity("v_{true}"), name_quantity("v_1")
    ('v', 'v', 'v_1')
    """
    return _SAME_QUANTITY.sub("", name.removeprefix("|").removesuffix("|"))


def _undress_name(name: str) -> str:
    """Return what two names share that differ in an index or between their bars."""
    return "||" if name.startswith("|") else name.partition("_")[0].partition("(")[0]


def name_combination(expression: sympy.Expr) -> str:
    r"""
    Say what a left side makes of several symbols: a word of `_COMBINATIONS`, or nothing.

    >>> a, b = sympy.symbols("a b", positive=True)
    >>> [name_combination(one) for one in (a * b, a / b, a - b, a)]
    ['product', 'ratio', 'difference', '']
    """
    parts = expression.args
    if expression.is_Mul and all(one.is_Symbol for one in parts):
        return "product"
    if expression.is_Mul and all(one.is_Symbol or (1 / one).is_Symbol for one in parts):
        return "ratio"
    if expression.is_Add and all(one.is_Symbol for one in parts):
        return "sum"
    if expression.is_Add and all(one.is_Symbol or (-one).is_Symbol for one in parts):
        return "difference"
    return ""


def asks_for(statement: str, combination: str) -> bool:
    """
    Whether a sentence of a statement that asks for something asks for a combination.

    >>> asks_for("Find the product of both frequencies.", "product")
    True
    """
    words = "|".join(_COMBINATIONS[combination])
    return any(re.search(words, one, re.I) is not None for one in list_asking(statement))


def list_asking(statement: str) -> list[str]:
    """
    List the sentences of a statement that ask for something.

    >>> list_asking("A ball of mass $m$ falls. Find its speed.")
    [' Find its speed']
    """
    return [one for one in re.split(r"[.?!。？！]", statement) if _ASKING.search(one)]


def _averages(one: Side, other: Side) -> bool:
    r"""Whether a name holds more than another between its bars: `\langle v^2\rangle` and `v`."""
    inside = (one.name or "").removeprefix("|").removesuffix("|")
    is_barred = (one.name or "").startswith("|")
    return is_barred and other.name in one.symbols and "^" in inside


class _Namer:
    """Reads tokens as one name."""

    def __init__(
        self, text: str, tokens: Sequence[Token], declared: Declared, known: Known
    ) -> None:
        self.known = known
        self.stream = Stream(text, tokens)
        self.declared = declared
        self.names = Names(self.stream, declared, Choices())

    def read(self) -> tuple[str | None, str]:
        """Return the name (None: it is none) and the symbol whose derivative it is."""
        stream = self.stream
        try:
            name, rate_of = self._read_named()
            self._skip_labels()
            if stream.sees("(", "["):
                closer = stream.find_closer(stream.position)
                inside = stream.tokens[stream.position + 1 : closer]
                if name in self.known.names and _is_algebra(inside):
                    return None, ""
                stream.position = closer + 1
                self._skip_labels()
        except Unreadable:
            return None, ""
        if not stream.sees("end"):
            return None, ""
        if found := _DERIVATIVE.match(name):
            rate_of = found["of"]
        return name, rate_of

    def _read_named(self) -> tuple[str, str]:
        stream = self.stream
        if stream.sees("bar", "⟨"):
            return self._read_between_bars(), ""
        if (declared := self.names.read_declared()) is not None:
            return self.names.decorate(declared), ""
        if stream.sees_command("frac"):
            return self._read_rate()
        if self._sees_change():
            sign = stream.take().text
            return f"{sign} {self.names.read()}", ""
        if stream.sees("(", "["):
            return self._read_partial(), ""
        if stream.sees_command("mathrm", "text", "operatorname"):
            return self._read_upright(), ""
        if stream.sees_command("pi"):
            stream.take()
            return self.names.decorate("pi"), ""
        if not self.names.starts():
            raise stream.refuse()
        return self._read_symbol(), ""

    def _read_symbol(self) -> str:
        base = self.names.read_base()
        # Of `E^{(1)}_0` the label is skipped; a number raised is a power.
        self._skip_labels()
        return self.names.decorate(base)

    def _sees_change(self) -> bool:
        following = self.stream.tokens[self.stream.position + 1]
        is_change = self.stream.next.text in _CHANGES
        return is_change and (
            following.kind == "letter" or (following.kind == "command" and following.text != "cdot")
        )

    def _read_between_bars(self) -> str:
        stream = self.stream
        first = stream.take()
        parts: list[str] = []
        closing = "⟩" if first.kind == "⟨" else "bar"
        while not stream.sees("end"):
            token = stream.take()
            if token.kind == closing:
                # A state or an index behind an average is a part of its name.
                return self.names.decorate(f"|{''.join(parts)}|")
            if token.kind in ("+", "-", "=", "/") and closing == "bar":
                break
            parts.append(token.text)
        raise stream.refuse()

    def _read_rate(self) -> tuple[str, str]:
        r"""Read `\frac{dX}{dt}`, a derivative, and `\frac{\partial X}{\partial t}`."""
        stream = self.stream
        stream.take()
        halves = []
        for _ in range(2):
            if not stream.sees("{"):
                raise stream.refuse()
            closer = stream.find_closer(stream.position)
            inside = stream.tokens[stream.position + 1 : closer]
            stream.position = closer + 1
            if len(inside) < 2 or inside[0].text not in ("d", "partial", "delta"):
                raise stream.refuse()
            halves.append(inside)
        rest = close_off(halves[0][1:])
        names = Names(Stream(stream.text, rest), self.declared, Choices())
        if not names.starts():
            raise stream.refuse()
        name = names.read()
        written = "/".join("".join(token.text for token in half) for half in halves)
        return written, name

    def _read_partial(self) -> str:
        r"""Read `\left(\frac{\partial V}{\partial T}\right)_p` and `[p]`."""
        stream = self.stream
        opener = stream.position
        closer = stream.find_closer(opener)
        inside = stream.tokens[opener + 1 : closer]
        is_derivative = (
            bool(inside)
            and inside[0].text == "frac"
            and any(token.text == "partial" for token in inside[:4])
        )
        if not is_derivative:
            raise stream.refuse()
        stream.position = closer + 1
        if stream.sees("_"):
            stream.take()
            self._skip_group()
        return "".join(token.text for token in inside)

    def _read_upright(self) -> str:
        stream = self.stream
        stream.take()
        if not stream.sees("{"):
            return self.names.decorate(stream.take().text)
        closer = stream.find_closer(stream.position)
        word = "".join(token.text for token in stream.tokens[stream.position + 1 : closer])
        stream.position = closer + 1
        if word in LINEAR and stream.sees("(", "["):
            raise stream.refuse()
        if word == "d" and self.names.starts():
            return f"d {self.names.read()}"
        return self.names.decorate(word)

    def _skip_group(self) -> None:
        stream = self.stream
        if stream.sees("{"):
            stream.position = stream.find_closer(stream.position) + 1
        else:
            stream.take()

    def _skip_labels(self) -> None:
        """Skip superscripts that are labels: in brackets, signs, upright letters, no powers."""
        stream = self.stream
        while stream.sees("^"):
            first = stream.tokens[stream.position + 1]
            if first.kind == "{":
                closer = stream.find_closer(stream.position + 1)
                inside = stream.tokens[stream.position + 2 : closer]
            else:
                inside = [first]
            if not inside or not _is_label(inside):
                raise stream.refuse()
            stream.take()
            self._skip_group()
        while stream.sees("'"):
            stream.take()


def _is_algebra(inside: Sequence[Token]) -> bool:
    """Whether a bracket behind a symbol holds a sum, as a factor does and an argument rarely."""
    if any(one.kind == "," or one.text in RELATIONS for one in inside):
        return False
    # `0^+` is right behind 0.
    return any(
        other.kind in ("+", "-") and one.kind not in ("^", "{")
        for one, other in pairwise(inside[:-1])
    )


def _is_label(inside: Sequence[Token]) -> bool:
    first = inside[0]
    if first.kind in ("(", "[", "'", "*"):
        return True
    if first.kind in ("+", "-"):
        return len(inside) == 1
    if first.kind == "command" and first.text in ("mathrm", "text", "rm", "operatorname"):
        return True
    marks = ("pm", "mp", "circ", "dagger", "prime", "star", "ast", "infty", "parallel", "perp")
    return all(one.kind == "command" and one.text in marks for one in inside)


def _list_names(text: str, tokens: Sequence[Token], declared: Declared) -> set[str]:
    """List the symbols in tokens, whatever they make together."""
    stream = Stream(text, tokens)
    names = Names(stream, declared, Choices())
    found: set[str] = set()
    while not stream.sees("end"):
        here = stream.position
        try:
            if (name := names.read_declared()) is not None:
                found.add(names.decorate(name))
            elif names.starts():
                is_change = stream.next.text in _CHANGES
                name = names.read()
                if not (is_change and name in _CHANGES and names.starts()):
                    found |= {name, *_undress(name)}
            else:
                stream.take()
        except Unreadable:
            stream.position = here + 1
    return found - {"d"}


def _undress(name: str) -> list[str]:
    r"""Return the symbol under an accent, or the one that a value is of: the v of `v(t)`."""
    accented = re.fullmatch(rf"(?:{'|'.join(set(ACCENTS.values()))})\{{(.+)\}}", name)
    base = accented[1] if accented else name.partition("(")[0]
    return [base] if base != name else []
