r"""
Names that the answer and the reference dress differently: hats, and the case of an index.

A hat over a capital letter says that it is an operator, which a problem without that letter by
itself leaves no doubt of (rule R15). Whether an index is written large or small says nothing where
the problem has it in one way only (rule R14): `C_v` is `C_V`, but `I_n` is not `I_N`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import sympy

from phybench_grader.numbers.sentences import Sentence
from phybench_grader.numbers.symbols import name_in_latex
from phybench_grader.reading.names import Declared
from phybench_grader.statement.members import list_names

_HAT = re.compile(r"\\?hat\{([A-Z])\}")
_INDEX = re.compile(r"_(?:\{([A-Za-z]+)\}|([A-Za-z]))")
_CASED = frozenset({
    "m_p", "m_P", "m_e", "m_E", "m_n", "m_N", "r_e", "r_E", "R_e", "R_E", "l_p", "l_P", "t_p",
    "t_P", "T_p", "T_P", "mu_n", "mu_N",
})  # fmt: skip
"""Of these the case says what they are: `m_p` is a proton's mass, `m_P` is Planck's."""
_LETTER = re.compile(r"[A-Za-z]+")


def respell(
    answer: sympy.Expr, reference: sympy.Expr, declared: Declared, introduced: Collection[str]
) -> tuple[sympy.Expr, tuple[Sentence, ...]]:
    """
    Write the symbols of an answer as the reference has them, and say which.

    `introduced` are the names of the problem's symbols, as far as it tells them.
    """
    ours, theirs = list_names(answer), list_names(reference)
    known = theirs | set(introduced) | declared.names
    changed: dict[str, str] = {}
    for name in sorted(ours - theirs):
        meant = _find_hatted(name, theirs - ours, known) or _find_index(name, ours, theirs, known)
        if meant:
            changed[name] = meant
    if not changed:
        return answer, ()
    meanings = {
        symbol: declared.make_symbol(changed[symbol.name])
        for symbol in answer.free_symbols
        if symbol.name in changed
    }
    notes = tuple(
        Sentence.of("relation_put_in", relation=f"{name_in_latex(one)} = {name_in_latex(other)}")
        for one, other in changed.items()
    )
    return answer.xreplace(meanings), notes


def _find_hatted(name: str, theirs: Collection[str], known: Collection[str]) -> str | None:
    """Find the reference's name that has hats over capital letters which this one leaves out."""
    plain = {letter for one in known for letter in _LETTER.findall(_HAT.sub(" ", one))}
    for other in theirs:
        hatted = _HAT.findall(other)
        is_same = _HAT.sub(r"\1", other) == _HAT.sub(r"\1", name)
        if is_same and hatted and plain.isdisjoint(hatted):
            return other
    return None


def _find_index(
    name: str, ours: Collection[str], theirs: Collection[str], known: Collection[str]
) -> str | None:
    """Find the reference's name that differs in the case of its index alone."""
    match = _INDEX.search(name)
    if match is None or name in _CASED:
        return None
    index = match[1] or match[2]
    cases = {_list_cases(names, index) for names in (ours, theirs, known)}
    if any(len(case) != 1 for case in cases):
        return None
    for other in sorted(set(theirs) - set(ours)):
        found = _INDEX.search(other)
        if found is None or (found[1] or found[2]).lower() != index.lower():
            continue
        if _INDEX.sub("", name, count=1) == _INDEX.sub("", other, count=1):
            return other
    return None


def _list_cases(names: Collection[str], index: str) -> frozenset[str]:
    """List in which cases an index stands in some names."""
    found = (match[1] or match[2] for name in names for match in _INDEX.finditer(name))
    return frozenset(one for one in found if one.lower() == index.lower())


def list_scales(
    codes: tuple[Collection[str], Collection[str]], unit: str
) -> Mapping[str, tuple[sympy.Expr, ...]]:
    r"""
    List by which numbers an answer may differ from a reference, each with the sign that says so.

    `codes` are those of the findings in the answer and in the reference. `n\%` is n/100, but where
    the reference or the question is in percent, n alone is equal; so it is with degrees.
    """
    asked = re.sub(r"[\s{}$\\]|text|mathrm", "", unit)
    answer, reference = codes
    if asked in ("^circ", "circ", "degree", "degrees", "deg", "°"):
        return {r"^\circ": (sympy.pi / 180, 180 / sympy.pi)}
    if "percent" in reference and "percent" not in answer:
        return {r"\%": (sympy.Rational(1, 100),)}
    if "%" in asked and "percent" in answer and "percent" not in reference:
        return {r"\%": (sympy.Integer(100),)}
    return {}
