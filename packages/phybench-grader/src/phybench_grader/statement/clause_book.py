r"""
The kinds of clauses that a response is read as: what opens each, what becomes of it, and examples.

An answer is prose: `v = \sqrt{2gh}, i.e. v^2 = 2gh, where h is the height`. Whoever adds a kind
adds it here, with words that open it, a right answer that is read by it and a hostile twin; the
tests then name what is missing: its sentence, its row in docs/grading.md, or its examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from phybench_grader.reading.vocabulary import (
    BOUNDING_WORDS,
    CONDITION_WORDS,
    CONTRASTING_WORDS,
    CORRECTING_WORDS,
    DEFINING_WORDS,
    FORM_WORDS,
    NEGATIONS,
    OR_WORDS,
    REMARK_WORDS,
    SCALING_WORDS,
    UNITS,
)


class ClauseKind(StrEnum):
    """What a clause of a response is."""

    ANSWER = "ANSWER"
    FORM = "FORM"
    DEFINITION = "DEFINITION"
    CONDITION = "CONDITION"
    UNIT = "UNIT"
    DECIMAL = "DECIMAL"
    REMARK = "REMARK"


@dataclass(frozen=True, slots=True)
class KindOfClause:
    """One kind, with an answer that is right beside `key` by it, and one that is not."""

    kind: ClauseKind
    says: str
    becomes: str
    words: frozenset[str]
    """Words that open it."""
    note: str
    """The code of the sentence that shows what became of it."""
    key: str
    right: str
    twin: str


CLAUSE_BOOK = (
    KindOfClause(
        ClauseKind.ANSWER,
        "a value, or a name and its value",
        "The one whose name is asked for counts; several that differ are several answers.",
        frozenset(),
        "name_left_out",
        r"v = \sqrt{2gh}",
        r"t = \sqrt{2h/g}, \quad v = \sqrt{2gh}",
        r"v = \sqrt{2gh} \text{ or } v = \sqrt{gh}",
    ),
    KindOfClause(
        ClauseKind.FORM,
        "the same answer in another form",
        "One in the symbols of the reference answer counts; two such that differ are several.",
        FORM_WORDS,
        "remark_left_out",
        r"v = \sqrt{2gh}",
        r"v = \sqrt{2gh}, \text{ equivalently } v^2 = 2gh",
        r"v = \sqrt{gh}, \text{ equivalently } v = \sqrt{2gh}",
    ),
    KindOfClause(
        ClauseKind.DEFINITION,
        "what a symbol is",
        "It is put in for a symbol that neither the problem nor the reference answer has.",
        DEFINING_WORDS,
        "condition_left_out",
        r"\frac{mg}{2k}",
        r"\frac{\beta}{2} \text{ where } \beta = \frac{mg}{k}",
        r"\frac{\beta}{2} \text{ where } \beta = \frac{k}{mg}",
    ),
    KindOfClause(
        ClauseKind.CONDITION,
        "when it holds",
        "It is cut off and shown.",
        CONDITION_WORDS,
        "condition_left_out",
        r"\sqrt{2gh}",
        r"\sqrt{2gh} \text{ for } h > 0",
        r"\sqrt{gh} \text{ for } h = \sqrt{2gh}",
    ),
    KindOfClause(
        ClauseKind.UNIT,
        "a unit behind symbols",
        "It is cut off and shown; one that rescales the value is for a person.",
        UNITS,
        "unit_left_out",
        r"\sqrt{2gh}",
        r"\sqrt{2gh}\ \text{m/s}",
        r"5\ \text{m/s}",
    ),
    KindOfClause(
        ClauseKind.DECIMAL,
        "the value in numbers",
        "Beside a value in symbols it never counts; where the reference answer is a number, an "
        "exact number counts before it.",
        frozenset(),
        "remark_left_out",
        r"\frac{me^4}{2\hbar^2}",
        r"\frac{me^4}{2\hbar^2}, \text{ i.e. } 13.6\,\text{eV}",
        r"\frac{me^4}{\hbar^2}, \text{ i.e. } 13.6\,\text{eV}",
    ),
    KindOfClause(
        ClauseKind.REMARK,
        "anything else that is said of the answer",
        "It is cut off and shown; one that may change the value leaves it to a person.",
        REMARK_WORDS,
        "remark_left_out",
        r"\sqrt{2gh}",
        r"\sqrt{2gh}, \text{ directed downwards}",
        r"\sqrt{2gh}, \text{ multiplied by two}",
    ),
)


class Objection(StrEnum):
    """What a response says beside its answer that speaks against it."""

    ALTERNATIVE = "ALTERNATIVE"
    CORRECTION = "CORRECTION"
    CONTRAST = "CONTRAST"
    SCALE = "SCALE"
    DENIAL = "DENIAL"
    BOUND = "BOUND"


@dataclass(frozen=True, slots=True)
class KindOfObjection:
    """One kind, with a response that is accepted beside `key`, and one that is for a person."""

    kind: Objection
    says: str
    words: frozenset[str]
    """Words that raise it."""
    right: str
    twin: str
    key: str = r"\sqrt{2gh}"


OBJECTIONS = (
    KindOfObjection(
        Objection.ALTERNATIVE,
        "another value right behind the answer, or in other words",
        OR_WORDS | FORM_WORDS,
        r"$\boxed{v=\sqrt{2gh}}$ or $v=\sqrt{2}\sqrt{gh}$",
        r"$\boxed{v=\sqrt{2gh}}$ or $v=\sqrt{gh}$",
    ),
    KindOfObjection(
        Objection.CORRECTION,
        "a word that takes the answer back, and then another value of it",
        CORRECTING_WORDS,
        r"Wait, I forgot the 2. Thus $\boxed{v=\sqrt{2gh}}$. The time is $t=\sqrt{2h/g}$.",
        r"$\boxed{v=\sqrt{2gh}}$. Wait, I made a mistake. The speed is $v=\sqrt{gh}$.",
    ),
    KindOfObjection(
        Objection.CONTRAST,
        "a word right before another value of it that puts that in the answer's place",
        CONTRASTING_WORDS,
        r"$\boxed{v=\sqrt{2gh}}$, but for $h=0$, $v=0$.",
        r"$\boxed{v=\sqrt{2gh}}$, but $v=0$.",
    ),
    KindOfObjection(
        Objection.SCALE,
        "a word right before or behind the answer that makes another value of it",
        SCALING_WORDS,
        r"The energy is twice as large, so $\boxed{v=\sqrt{2gh}}$.",
        r"The speed is twice $\boxed{\sqrt{2gh}}$.",
    ),
    KindOfObjection(
        Objection.DENIAL,
        "that the answer is wrong, or not right",
        NEGATIONS,
        r"It is not zero: $\boxed{v=\sqrt{2gh}}$. This does not depend on the mass.",
        r"$\boxed{v=\sqrt{2gh}}$ is not correct.",
    ),
    KindOfObjection(
        Objection.BOUND,
        "that the answer is only compared with",
        BOUNDING_WORDS,
        r"It is at most as fast as that: $\boxed{v=\sqrt{2gh}}$.",
        r"The speed is less than $\boxed{\sqrt{2gh}}$.",
    ),
)
"""
What stands around an answer, rather than in it, and leaves a right value to a person.

See `verdict.surroundings`.
"""

NOTES = {one.kind: one.note for one in CLAUSE_BOOK}
