r"""
What two people write differently for one thing: constants of nature, unit vectors, spellings.

`h` is `2\pi\hbar` and `k_e` is `1/4\pi\epsilon_0`, but only where one side has the one and the
other side the other, and where the problem has no other use for the letter. So an answer and a
reference are looked at together, once their values differ as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import sympy

from phybench_grader.equality.equality import Equality, compare
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.numbers.space import Space
from phybench_grader.numbers.symbols import name_in_latex
from phybench_grader.reading.conditions import read_space
from phybench_grader.reading.formulas import find_formulas
from phybench_grader.reading.names import Declared
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import JudgeError, Reading, Unreadable
from phybench_grader.reading.rules import KNOWN_CONSTANTS
from phybench_grader.statement.answer import read
from phybench_grader.statement.members import list_names
from phybench_grader.statement.unknown import list_known

_HEAT = ("boltzmann", "temperature", "thermal", "entropy")
_LIGHT_WORDS = ("light", "relativ", "photon", "vacuum")
_OTHERWISE = {
    "c": ("heat", "capacity", "concentration", "sound", "stiffness", "damping", "constant c"),
    "T": ("tension", "period", "torque", "thrust", "kinetic"),
    "v": ("volume", "voltage"),
    "k": ("spring", "stiffness", "wave", "conductivity"),
}
"""What a statement calls a letter that is then not the one which a relation of the field has."""
_DRESS = re.compile(r"[\s{}]|\\(?:mathrm|text|mathit)(?![a-z])")
_CALLED = re.compile(r"[.;:,$()]")
_CALLING = re.compile(
    r"((?:,|\(|\s*(?:is|are|denotes|being|be|stands|means)\b)[^.;$]*)(?=[.;)]|\Z)"
)
_MOST_CALLED = 70
"""Characters beside a symbol in which a statement says what it is."""
_PARALLEL_NAMES = (
    ("k_b", "k_B"), ("K_B", "k_B"), ("K_b", "k_B"),
    ("hat{i}", "hat{x}"), ("hat{j}", "hat{y}"), ("hat{k}", "hat{z}"),
)  # fmt: skip
"""Two spellings of one thing: the first is taken for the second."""
_CHANGED = re.compile(r"(Delta|delta) (.+)")
_ARROW = re.compile(r"vec\{([^{}]+)\}(.*)")


@dataclass(frozen=True, slots=True)
class Constant:
    """A relation between constants: `name` is put in where only the other side has `others`."""

    relation: str
    name: str
    others: tuple[str, ...]
    value: sympy.Expr
    words: tuple[str, ...] = ()
    """Words by which the statement calls it, where it calls the letter anything."""
    context: tuple[str, ...] = ()
    """Words of which one says so of a letter that the statement has, but does not call anything."""
    beside: tuple[str, ...] = ()
    """Symbols without one of which beside it the name is something else."""
    is_plain: bool = False
    """Whether both names are one to everybody: then no statement is needed."""


def _symbols(names: str) -> tuple[sympy.Symbol, ...]:
    return tuple(sympy.Symbol(name, positive=True) for name in names.split())


_hbar, _k_B, _T, _N_A, _epsilon, _c, _k, _v = _symbols("hbar k_B T N_A varepsilon_0 c k v")
_COULOMB = 1 / (4 * sympy.pi * _epsilon)
_CHARGES = ("q", "Q", "e")
_CONSTANTS = (
    Constant(r"h = 2\pi\hbar", "h", ("hbar",), 2 * sympy.pi * _hbar, ("planck",), ("planck",)),
    *(
        Constant(
            f"k = {name}", "k", (name,), _symbols(name)[0], ("boltzmann",), _HEAT, is_plain=True
        )
        for name in ("k_B", "k_b", "K_B", "K_b")
    ),
    *(
        Constant(
            rf"\beta = 1/{name} T", "beta", (name, "T"), 1 / (one * _T), ("temperature",), _HEAT
        )
        for name, one in (("k_B", _k_B), ("k", _k))
    ),
    Constant(r"\beta = v/c", "beta", ("v", "c"), _v / _c, _LIGHT_WORDS),
    Constant(
        r"\gamma = 1/\sqrt{1-v^2/c^2}",
        "gamma",
        ("v", "c"),
        1 / sympy.sqrt(1 - _v**2 / _c**2),
        ("lorentz", *_LIGHT_WORDS),
    ),
    Constant(
        r"k_e = 1/4\pi\varepsilon_0",
        "k_e",
        ("varepsilon_0",),
        _COULOMB,
        ("coulomb", "electr"),
        ("coulomb", "electr"),
    ),
    Constant(
        r"k = 1/4\pi\varepsilon_0",
        "k",
        ("varepsilon_0",),
        _COULOMB,
        ("coulomb", "electr"),
        ("coulomb",),
        beside=_CHARGES,
    ),
    Constant("R = N_A k_B", "R", ("N_A", "k_B"), _N_A * _k_B, ("gas constant",), ("gas constant",)),
)
_LIGHT = {"c", "varepsilon_0", "mu_0"}


@dataclass(frozen=True, slots=True)
class Settled:
    """A reading that equals the reference, and what had to be put in for that."""

    reading: Reading
    notes: tuple[Sentence, ...]


def settle(
    readings: Sequence[Reading], reference: Reading, texts: tuple[str, str], question: Question
) -> Settled | None:
    """
    Find a reading that equals the reference once both sides speak of the same things.

    `texts` are the answer and the reference as written. Raises `JudgeError` where a person must
    say: one side has a unit vector more, or `m` is there `m_e`.
    """
    space = read_space(question)
    if _doubts_changes(readings, reference, texts, question):
        raise JudgeError("undecided", Sentence("change_doubtful"))
    is_told = bool(question.told.strip()) or bool(len(question))
    for reading in readings:
        pair = Pair(reading.expression, reference.expression, Declared(question))
        pair.leave(reading.definitions)
        pair.match()
        if pair.notes and compare(pair.answer, pair.reference, space) is Equality.EQUAL:
            if pair.constants and not is_told:
                note = Sentence.of("constant_doubtful", relation=pair.constants[0])
                raise JudgeError("undecided", note)
            return Settled(reading, tuple(pair.notes))
        if doubt := _find_doubt(pair, space):
            raise JudgeError("undecided", Sentence(doubt))
    # Where nothing is told of the problem's symbols, none is known not to be one.
    for reading in readings if is_told else ():
        if found := _find_meant(reading, reference, question, space):
            one, other = map(name_in_latex, found)
            raise JudgeError("undecided", Sentence.of("symbol_doubtful", symbol=one, meant=other))
    return None


def _find_meant(
    reading: Reading, reference: Reading, question: Question, space: Space
) -> tuple[str, str] | None:
    """Find the one symbol that nobody knows and the key's that makes it equal in its place."""
    ours, theirs = list_names(reading.expression), list_names(reference.expression)
    unknown, lacking = ours - theirs - list_known(question) - KNOWN_CONSTANTS, theirs - ours
    if len(unknown) != 1 or len(lacking) != 1 or len(ours - theirs) != 1:
        return None
    (name,), (meant,) = unknown, lacking
    symbols = [symbol for symbol in reading.expression.free_symbols if symbol.name == name]
    other = [symbol for symbol in reference.expression.free_symbols if symbol.name == meant]
    swapped = reading.expression.xreplace(dict(zip(symbols, other, strict=True)))
    is_equal = compare(swapped, reference.expression, space) is Equality.EQUAL
    return (name, meant) if is_equal else None


def _doubts_changes(
    readings: Sequence[Reading], reference: Reading, texts: tuple[str, str], question: Question
) -> bool:
    r"""
    Whether the sides are equal once Δ and δ are symbols by themselves, and nothing says they are.

    So it is with `n\delta L` against `L\delta n` where nothing is stated and nothing declared.
    """
    if len(question) or question.statement:
        return False
    sides = (readings[0].expression, reference.expression)
    names = [symbol.name for side in sides for symbol in side.free_symbols]
    parted = {f"\\{match[1]}" for name in names if (match := _CHANGED.fullmatch(name))}
    if not parted:
        return False
    apart = question.including(parted)
    try:
        answer, against = (read(text, declared=apart).expression for text in texts)
    except Unreadable:
        return False
    return compare(answer, against, read_space(apart)) is Equality.EQUAL


class Pair:
    """An answer and a reference; what they write differently is put in, and noted."""

    def __init__(self, answer: sympy.Expr, reference: sympy.Expr, declared: Declared) -> None:
        self.answer = answer
        self.reference = reference
        self.sides = list_names(answer), list_names(reference)
        """The names of the symbols on each side."""
        self.declared = declared
        self.notes: list[Sentence] = []
        self.constants: list[str] = []
        """The relations of the field that were put in, but for other spellings."""
        self.defined: frozenset[str] = frozenset()

    def leave(self, defined: Collection[str]) -> None:
        """Leave alone what the answer itself defines."""
        self.defined = frozenset(defined)

    def match(self) -> None:
        """Put in what the two sides write differently."""
        self._match_spellings()
        self._match_units()
        for constant in _CONSTANTS:
            self._match_constant(constant)
        self._match_light()

    def _put_in(self, values: Mapping[str, sympy.Expr], relation: str) -> None:
        self.answer, self.reference = (
            side.xreplace(
                {
                    symbol: values[symbol.name]
                    for symbol in side.free_symbols
                    if symbol.name in values
                }
            )
            for side in (self.answer, self.reference)
        )
        self.notes.append(Sentence.of("relation_put_in", relation=relation))
        self.sides = list_names(self.answer), list_names(self.reference)

    def _match_spellings(self) -> None:
        for name, meant in self._list_spellings():
            relation = f"{name_in_latex(name)} = {name_in_latex(meant)}"
            self._put_in({name: self.declared.make_symbol(meant)}, relation)

    def _list_spellings(self) -> Iterator[tuple[str, str]]:
        """List names of one side, each with the spelling of it that only the other side has."""
        for one, other in (self.sides, self.sides[::-1]):
            for name in sorted(one - other):
                spellings = [meant for spelled, meant in _PARALLEL_NAMES if spelled == name]
                if name.endswith("_o"):
                    spellings.append(f"{name[:-1]}0")
                if arrow := _ARROW.fullmatch(name):
                    spellings.append(arrow[1].removeprefix("\\") + arrow[2])
                for meant in spellings:
                    is_both = {name, meant} <= self.declared.names
                    if meant in other and meant not in one and not is_both:
                        yield name, meant

    def _match_units(self) -> None:
        """Take an i for the imaginary unit where both sides have one and no symbol i is known."""
        has_symbol = ["i" in names for names in self.sides]
        has_unit = [side.has(sympy.I) for side in (self.answer, self.reference)]
        is_known = "i" in self.declared.names | self.declared.usage.symbols
        is_on_both = all(one or other for one, other in zip(has_symbol, has_unit, strict=True))
        if any(has_symbol) and is_on_both and not is_known:
            self._put_in({"i": sympy.I}, r"i = \sqrt{-1}")

    def _match_constant(self, constant: Constant) -> None:
        for one, other in (self.sides, self.sides[::-1]):
            only_others = [name for name in constant.others if name not in one]
            is_apart = constant.name in one - other and set(constant.others) <= other
            if is_apart and only_others and self._is_meant(constant):
                values = {
                    symbol: self.declared.make_symbol(symbol.name)
                    for symbol in constant.value.free_symbols
                }
                self._put_in({constant.name: constant.value.xreplace(values)}, constant.relation)
                if not constant.is_plain:
                    self.constants.append(constant.relation)

    def _is_meant(self, constant: Constant) -> bool:
        """
        Whether a letter is the constant: the statement calls it so, or has no use for it.

        What the statement calls something else is never the constant, nor made of such.
        """
        if any(self._is_otherwise(name) for name in constant.others):
            return False
        if constant.beside and self.sides[0].union(self.sides[1]).isdisjoint(constant.beside):
            return False
        statement = self.declared.question.told
        calls = describe(statement, constant.name)
        if calls:
            return any(word in call for call in calls for word in constant.words)
        base = re.split("[_{]", constant.name)[0]
        declared = self.declared
        used = declared.usage.symbols | declared.names | self.defined
        if constant.name in used or base in used:
            return any(word in statement.lower() for word in constant.context)
        return True

    def _is_otherwise(self, name: str) -> bool:
        """Whether the statement calls a symbol what the constant of that name is not."""
        calls = describe(self.declared.question.told, name)
        return any(word in call for call in calls for word in _OTHERWISE.get(name, ()))

    def _match_light(self) -> None:
        answer, reference = (side & _LIGHT for side in self.sides)
        is_light = not self._is_otherwise("c")
        if answer != reference and answer | reference == _LIGHT and is_light:
            light, electric = (self.declared.make_symbol(name) for name in ("c", "varepsilon_0"))
            value = 1 / (electric * light**2)
            self._put_in({"mu_0": value}, r"c^2 = 1/\varepsilon_0\mu_0")
            self.constants.append(r"c^2 = 1/\varepsilon_0\mu_0")


@lru_cache(maxsize=1024)
def describe(statement: str, name: str) -> tuple[str, ...]:
    r"""
    List what a statement calls a symbol, wherever it stands alone: in words, small letters.

    >>> describe("From the height $h$; the gas constant is $R$.", "h")
    ('from the height',)
    >>> describe("A wave, where $h$ is Planck's constant.", "h"), describe("From a height h.", "h")
    (("where is planck's constant",), ('from a height',))
    """
    spelled = _DRESS.sub("", name_in_latex(name))
    words = list(statement)
    places: list[tuple[int, int]] = []
    for start, formula, content in find_formulas(statement):
        end = start + len(formula)
        words[start:end] = "$" * len(formula)
        if _DRESS.sub("", content) == spelled:
            places.append((start, end))
    text = "".join(words).lower()
    if len(name) == 1:
        lone = re.finditer(rf"(?<![\\\w$]){name}(?![\w'’$])", "".join(words))
        places += [one.span() for one in lone]
    calls = []
    for start, end in places:
        before = _CALLED.split(text[max(0, start - _MOST_CALLED) : start])[-1]
        behind = _CALLING.match(text, end, end + _MOST_CALLED)
        calls.append(" ".join([*before.split(), *(behind[1] if behind else "").split()]))
    return tuple(calls)


def _find_doubt(pair: Pair, space: Space) -> str:
    """Find why a person must decide: the code of a sentence, or nothing."""
    answer, reference = pair.sides
    if _is_equal_without_directions(pair, space):
        return "unit_vector_doubtful"
    for one, other in ((answer, reference), (reference, answer)):
        if "m" in one - other and "m_e" in other - one:
            mass = {"m": pair.declared.make_symbol("m_e")}
            pair._put_in(mass, "m = m_e")
            if compare(pair.answer, pair.reference, space) is Equality.EQUAL:
                return "electron_mass_doubtful"
    return ""


def _is_equal_without_directions(pair: Pair, space: Space) -> bool:
    """Whether the sides differ by an overall unit vector only: another, or one against none."""
    sides = (pair.answer, pair.reference)
    directions = [
        sorted((symbol for symbol in side.free_symbols if symbol.name.startswith("hat{")), key=str)
        for side in sides
    ]
    if directions[0] == directions[1] or max(map(len, directions)) > 1:
        return False
    stripped = []
    for side, found in zip(sides, directions, strict=True):
        if found:
            without = side.xreplace({found[0]: sympy.S.One})
            doubled = side.xreplace({found[0]: sympy.Integer(2)})
            if compare(doubled, 2 * without, space) is not Equality.EQUAL:
                return False
            side = without
        stripped.append(side)
    return compare(stripped[0], stripped[1], space) is Equality.EQUAL
