"""What an author says of a reference answer besides the answer itself."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext_lazy as _

from phybench_grader import Declaration
from phybench_grader.reading.formulas import list_formulas
from phybench_grader.reading.names import Declared
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Unreadable
from phybench_grader.verdict.declarations import declare

SIGNS_IN_WORDS = {
    "positive": _("positive"),
    "negative": _("negative"),
    "any": _("of either sign"),
    "positive_whole": _("1, 2, 3, …"),
    "whole": _("integer"),
}
"""The keys of `phybench_grader.SIGNS`, as people read them."""
MAX_ROWS = 40
"""Symbols of one problem."""
MAX_LISTED = 40
"""Terms of one problem, and conditions."""
LONGEST_LISTED = 200
"""Characters of a quantity, a term or a condition."""


@dataclass(frozen=True, slots=True)
class SymbolRow:
    """One row of the symbol table, as it was typed."""

    latex: str
    meaning: str = ""
    unit: str = ""
    sign: str = "positive"
    low: str = ""
    high: str = ""

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "SymbolRow":
        known = {field.name for field in fields(cls)}
        return cls(**{name: str(value) for name, value in stored.items() if name in known})

    def store(self) -> dict[str, str]:
        return asdict(self)

    @property
    def declaration(self) -> Declaration:
        return Declaration(self.latex.strip(), self.sign, self.low.strip(), self.high.strip())

    @property
    def name(self) -> str:
        """Its canonical name, whatever its spelling; "" for what is no symbol."""
        return find_name(self.latex)

    def __str__(self) -> str:
        unit = f"[{self.unit}]" if self.unit else ""
        return " ".join(
            part for part in (f"${self.latex}$", self.meaning, unit, self.numbers) if part
        )

    @property
    def numbers(self) -> str:
        """Say which numbers it may be, unless that is any positive one."""
        if (self.sign, self.low, self.high) == ("positive", "", ""):
            return ""
        said = [str(SIGNS_IN_WORDS.get(self.sign, ""))] if self.sign != "positive" else []
        if self.low or self.high:
            # Of whole numbers a bound is one of them; of others it makes no difference.
            relation = r"\le" if self.sign in {"whole", "positive_whole"} else "<"
            above = rf"{self.low} {relation} " if self.low else ""
            below = rf" {relation} {self.high}" if self.high else ""
            said.append(f"${above}{self.latex}{below}$")
        return ", ".join(said)

    @property
    def says_nothing(self) -> bool:
        """Whether only the symbol itself stands there, so that the row may go with it."""
        return self == SymbolRow(self.latex)


@lru_cache(maxsize=4096)
def find_name(latex: str) -> str:
    r"""
    Return a symbol's canonical name.

    >>> find_name("v_{0}"), find_name(r"\omega")
    ('v_0', 'omega')
    """
    try:
        return next(iter(Declared([latex.strip()]).names), "")
    except Unreadable:
        return ""


def fill(
    rows: Iterable[SymbolRow], found: Iterable[str], left_out: Iterable[str] = ()
) -> list[SymbolRow]:
    """
    Bring a symbol table up to the symbols of the answer and the statement (in LaTeX).

    What an author wrote stays; a row that says nothing goes with its symbol; what is missing is
    added at the end, up to `MAX_ROWS`, but for what its author left out.

    >>> [row.latex for row in fill([SymbolRow("m", "mass"), SymbolRow("x")], ["v", "g", "v"])]
    ['m', 'v', 'g']
    """
    names: dict[str, str] = {}
    for latex in found:
        names.setdefault(find_name(latex), latex)
    kept = [row for row in rows if not row.says_nothing or row.name in names]
    there = {row.name for row in kept}
    there |= {find_name(latex) for latex in left_out}
    missing = [SymbolRow(latex) for name, latex in names.items() if name not in there]
    return [*kept, *missing][: max(MAX_ROWS, len(kept))]


@dataclass(frozen=True, slots=True)
class Wanted:
    """
    What a problem asks for: find Ω in 1/s in terms of ω, g and R, where g < ω²R.

    All of it but the unit is LaTeX. What is empty its author did not say.
    """

    quantity: str = ""
    unit: str = ""
    terms: tuple[str, ...] = ()
    """Symbols that the answer may hold."""
    conditions: tuple[str, ...] = ()
    """Relations between symbols."""

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "Wanted":
        return cls(
            stored.get("quantity", ""),
            stored.get("unit", ""),
            tuple(stored.get("terms", ())),
            tuple(stored.get("conditions", ())),
        )

    def __bool__(self) -> bool:
        return self != Wanted()

    def put_into(self, declared: Question, statement: str) -> Question:
        """Add it and the statement to declared symbols: all that the grader knows."""
        return replace(
            declared,
            asked=self.quantity,
            unit=self.unit,
            conditions=self.conditions,
            statement=statement,
        )

    def write(self) -> str:
        """
        Write it as a sentence in English, as models are asked.

        >>> Wanted("v", "m/s", ("g", "h"), ("h > 0",)).write()
        'Find $v$ in m/s in terms of $g$, $h$, where $h > 0$.'
        """
        parts = [f"Find ${self.quantity}$" if self.quantity else "Write the answer"]
        if self.unit:
            parts.append("as a pure number" if self.unit == "1" else f"in {self.unit}")
        if self.terms:
            parts.append(f"in terms of {_list_formulas(self.terms)}")
        where = f", where {_list_formulas(self.conditions)}" if self.conditions else ""
        return f"{' '.join(parts)}{where}."


NOTHING_WANTED = Wanted()


def _list_formulas(formulas: Iterable[str]) -> str:
    return ", ".join(f"${formula}$" for formula in formulas)


@dataclass(frozen=True, slots=True)
class Reference:
    """What answers are graded against, and what its author says must come of some."""

    answer: str
    declarations: tuple[Declaration, ...] = ()
    must_accept: tuple[str, ...] = ()
    must_reject: tuple[str, ...] = ()
    wanted: Wanted = NOTHING_WANTED
    statement: str = ""

    @property
    def question(self) -> Question:
        """What it says of its answer. Raises `Undeclarable`."""
        return self.wanted.put_into(_declare(self.declarations), self.statement)

    @property
    def sha256(self) -> str:
        """
        Tell one reference from another; of an answer alone, that of its text.

        Of a statement its formulas count: words may be mended without trying the answer again.
        """
        formulas = list_formulas(self.statement)
        if not any((self.declarations, self.must_accept, self.must_reject, self.wanted, formulas)):
            return hashlib.sha256(self.answer.encode()).hexdigest()
        told = {**asdict(self), "statement": formulas}
        text = json.dumps(told, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=1024)
def _declare(declarations: tuple[Declaration, ...]) -> Question:
    return declare(declarations)
