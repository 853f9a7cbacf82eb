r"""
What two people write differently for one thing: constants of nature, unit vectors, spellings.

`h` is `2\pi\hbar` and `k_e` is `1/4\pi\epsilon_0`, but only where one side has the one and the
other side the other, and where the problem has no other use for the letter. So an answer and a
reference are looked at together, once their values differ as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import sympy

from phybench_grader.equality.equality import Equality, compare
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.numbers.space import Space
from phybench_grader.numbers.symbols import name_in_latex
from phybench_grader.reading.conditions import read_space
from phybench_grader.reading.names import Declared
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import JudgeError, Reading, Unreadable
from phybench_grader.statement.answer import read

_HEAT = "boltzmann temperature thermal entropy"
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
    words: str
    """Words of which one in the statement says that the name is meant so."""
    beside: tuple[str, ...] = ()
    """Further symbols without which the name is something else."""


def _symbols(names: str) -> tuple[sympy.Symbol, ...]:
    return tuple(sympy.Symbol(name, positive=True) for name in names.split())


_hbar, _k_B, _T, _N_A, _epsilon, _c = _symbols("hbar k_B T N_A varepsilon_0 c")
_COULOMB = 1 / (4 * sympy.pi * _epsilon)
_CONSTANTS = (
    Constant(r"h = 2\pi\hbar", "h", ("hbar",), 2 * sympy.pi * _hbar, "planck"),
    *(
        Constant(f"k = {name}", "k", (name,), _symbols(name)[0], _HEAT, beside=("T",))
        for name in ("k_B", "k_b", "K_B", "K_b")
    ),
    Constant(r"\beta = 1/k_B T", "beta", ("k_B", "T"), 1 / (_k_B * _T), _HEAT),
    Constant(r"\beta = 1/k T", "beta", ("k", "T"), 1 / (_symbols("k")[0] * _T), _HEAT),
    Constant(r"k_e = 1/4\pi\varepsilon_0", "k_e", ("varepsilon_0",), _COULOMB, "coulomb electr"),
    Constant(r"k = 1/4\pi\varepsilon_0", "k", ("varepsilon_0",), _COULOMB, "coulomb"),
    Constant("R = N_A k_B", "R", ("N_A", "k_B"), _N_A * _k_B, "gas constant"),
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
    for reading in readings:
        pair = Pair(reading.expression, reference.expression, Declared(question))
        if pair.notes and compare(pair.answer, pair.reference, space) is Equality.EQUAL:
            return Settled(reading, tuple(pair.notes))
        if doubt := _find_doubt(pair, space):
            raise JudgeError("undecided", Sentence(doubt))
    return None


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
        self.declared = declared
        self.notes: list[Sentence] = []
        self._match_spellings()
        self._match_units()
        for constant in _CONSTANTS:
            self._match_constant(constant)
        self._match_light()

    @property
    def sides(self) -> tuple[set[str], set[str]]:
        """The names of the symbols on each side."""
        answer, reference = (
            {symbol.name for symbol in side.free_symbols} for side in (self.answer, self.reference)
        )
        return answer, reference

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

    def _is_meant(self, constant: Constant) -> bool:
        """Whether a letter is the constant: the statement names it, or has no other use for it."""
        statement = self.declared.question.statement.lower()
        if any(word in statement for word in constant.words.split()):
            return True
        answer, reference = self.sides
        if not set(constant.beside) <= answer & reference:
            return False
        base = re.split("[_{]", constant.name)[0]
        declared = self.declared
        return constant.name not in declared.names and base not in declared.usage.symbols

    def _match_light(self) -> None:
        answer, reference = (side & _LIGHT for side in self.sides)
        if answer != reference and answer | reference == _LIGHT:
            light, electric = (self.declared.make_symbol(name) for name in ("c", "varepsilon_0"))
            value = 1 / (electric * light**2)
            self._put_in({"mu_0": value}, r"c^2 = 1/\varepsilon_0\mu_0")


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
