"""Check what an author wrote with the grader's own rules, in a child process with a deadline."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.utils.translation import gettext as _

from curation.texts.references.dimensions import (
    KNOWN_UNITS,
    Dimension,
    Inconsistent,
    UnknownUnit,
    find_dimension,
    read_unit,
)
from curation.texts.references.reference import (
    NOTHING_WANTED,
    SymbolRow,
    Wanted,
    fill,
    find_name,
)
from curation.texts.references.wanted import FIELD_OF_RULE, check_wanted
from curation.texts.sentences import translate
from curation.texts.typesetting import check_typesetting, keep_displayed
from phybench.work import sandbox
from phybench_grader import read
from phybench_grader.authoring.examination import Examined, examine
from phybench_grader.authoring.second_reader import Accord, SecondReading, read_twice
from phybench_grader.equality.tree import Node, build_tree
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.numbers.symbols import name_in_latex
from phybench_grader.reading.formulas import list_formulas
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Reading, Unreadable
from phybench_grader.reading.rules import BrokenRule, check_solution, check_statement
from phybench_grader.verdict.declarations import declare_each

OF_PICTURES = frozenset({"figure_link", "bare_latex"})
"""What is said of a picture that is in a text, too."""
_LETTER = re.compile(r"\s*(?:\\(?:mathrm|text|rm)\s*\{\s*)?([A-Za-z])\s*\}?\s*")
NODES_SHOWN = 200
"""Of the tree of an answer."""


@dataclass(frozen=True, slots=True)
class RowProblem:
    """What is wrong with one row of the symbol table."""

    number: int
    """Counted from 0."""
    field: str
    """`latex`, `unit`, `sign` or `range`."""
    message: str


@dataclass(slots=True)
class Branch:
    """A node of an expression's tree as it is shown: nobody reads thousands of them."""

    sign: str
    children: list[Branch] = field(default_factory=list)
    folded: int = 0
    """Nodes below it that are not shown."""


def fold(root: Node) -> Branch:
    """Show a tree from its root down, as many levels as there is room for."""
    top = Branch(root.write_sign())
    level = [(root, top)]
    room = NODES_SHOWN - 1
    while level:
        below: list[tuple[Node, Branch]] = []
        for node, branch in level:
            shown = node.children[:room]
            room -= len(shown)
            branch.folded = sum(child.size for child in node.children[len(shown) :])
            branch.children = [Branch(child.write_sign()) for child in shown]
            below += zip(shown, branch.children, strict=True)
        level = below
    return top


@dataclass(frozen=True, slots=True)
class Checked:
    """What the grader makes of a problem's texts: the rules that each breaks, and how it reads."""

    statement: list[BrokenRule] = field(default_factory=list)
    answer: list[BrokenRule] = field(default_factory=list)
    wanted: list[BrokenRule] = field(default_factory=list)
    """What is asked for: that it fits the answer."""
    solution: list[BrokenRule] = field(default_factory=list)
    rows: list[RowProblem] = field(default_factory=list)
    legible: str = ""
    """The statement without the formulas that can't be displayed: what they hold is not known."""
    examined: Examined | None = None
    second: SecondReading | None = None
    """How another reader reads it, where that is something else: a warning, no broken rule."""
    dimension: Dimension | None = None
    """Of the answer, where every symbol's is known and they fit together."""
    without_unit: tuple[str, ...] = ()
    """Symbols of the answer (in LaTeX) whose units are missing, where others have theirs."""

    @property
    def reading(self) -> Reading | None:
        return self.examined.reading if self.examined else None

    @property
    def tree(self) -> Branch | None:
        return fold(build_tree(self.reading.expression)) if self.reading else None

    @property
    def rounded(self) -> list[str]:
        """Fractions of the answer that may be rounded, also those that are said to be exact."""
        asked = self.examined.broken if self.examined else ()
        return list(dict.fromkeys(find_number(one) for one in asked if one.code == "rounded"))

    @property
    def broken(self) -> list[BrokenRule]:
        return [rule for _field, rule in self.list_broken()]

    def list_broken(self) -> list[tuple[str, BrokenRule]]:
        """
        List all broken rules, each with the field at which it is to be mended.

        What is wrong with a symbol's row has the code `symbol_table`.
        """
        rows = [BrokenRule("symbol_table", problem.message, 0, 0) for problem in self.rows]
        return [
            *(("answer", rule) for rule in self.answer),
            *(("symbols", rule) for rule in rows),
            *((FIELD_OF_RULE[rule.code], rule) for rule in self.wanted),
            *(("statement", rule) for rule in self.statement),
            *(("solution", rule) for rule in self.solution),
        ]

    def fill(self, rows: Sequence[SymbolRow], left_out: Sequence[str] = ()) -> list[SymbolRow]:
        """Bring a symbol table up to what was found: the answer's symbols, then the statement's."""
        if self.examined is None:
            return list(rows)
        of_answer = self.reading.symbols if self.reading else ()
        # Declared, they would be symbols in every exponential; undeclared, the notation tells.
        without_constants = [symbol for symbol in of_answer if symbol not in {"e", "i"}]
        return fill(rows, [*without_constants, *self.examined.introduced], left_out)

    def list_unused(
        self, rows: Sequence[SymbolRow], statement: str, answer: str, wanted: Wanted
    ) -> list[SymbolRow]:
        """
        List the rows whose symbol neither the texts nor what is asked mention.

        Of an answer that can't be read that is not known, and nothing is listed.
        """
        if self.examined is None or self.reading is None or not statement.strip():
            return []
        mentioned = {find_name(one) for one in (*self.examined.introduced, *self.reading.symbols)}
        formulas = [*list_formulas(statement), answer, wanted.quantity]
        written = _without_braces(" ; ".join([*formulas, *wanted.terms, *wanted.conditions]))
        return [
            row
            for row in rows
            if row.name and row.name not in mentioned and not _is_written(row.latex, written)
        ]


def _without_braces(latex: str) -> str:
    return re.sub(r"[{}\s]+", lambda found: " " if found[0].isspace() else "", latex)


def _is_written(symbol: str, written: str) -> bool:
    """Whether a symbol stands in a text by itself, as it is spelt in the table."""
    spelt = re.escape(_without_braces(symbol.strip()))
    return re.search(rf"(?<![A-Za-z\\]){spelt}(?![A-Za-z0-9_])", written) is not None


def check(
    answer: str,
    statement: str,
    *,
    solution: str = "",
    rows: Sequence[SymbolRow] = (),
    wanted: Wanted = NOTHING_WANTED,
    exact: Collection[str] = (),
    deadline: float | None = None,
    reads_twice: bool = False,
) -> Checked:
    """
    Read a reference answer and list the rules that it and the texts around it break.

    Args:
        rows: the symbol table.
        wanted: what is asked for.
        exact: fractions, as 157/100, that its author says are exact.
        deadline: seconds until the answer is refused as `too_large`; by default those that a grade
            may take, so that how busy the machine is does not decide what can be submitted.
        reads_twice: whether to ask the second reader as well.
    """
    deadline = deadline or settings.GRADING_DEADLINE_SECONDS
    of_statement, of_solution = check_texts(statement, solution, deadline=deadline)
    legible = keep_displayed(statement, of_statement)
    try:
        declared, of_rows = _declare(rows, deadline)
        declared = wanted.put_into(declared, statement)
        # A function that a new child has at hand: one of ours would make it import Django first,
        # which on a busy machine takes longer than the deadline.
        examined = sandbox.run(
            examine,
            answer,
            statement=legible,
            declared=declared,
            is_declaring_enough=False,
            deadline=deadline,
        )
    except sandbox.Stopped:
        message = _(
            "This answer took too long to read. Wait a moment, or write it in a shorter form."
        )
        too_large = BrokenRule("too_large", message, 0, len(answer))
        return Checked(of_statement, [too_large], solution=of_solution, legible=legible)
    quantity = _read_quantity(wanted, declared, deadline)
    of_answer = [
        one
        for one in examined.broken
        if one.code != "condition" and not (one.code == "rounded" and find_number(one) in exact)
    ]
    of_answer = [_ask_of_letter(one, answer) for one in of_answer] if answer.strip() else []
    of_wanted = [one for one in examined.broken if one.code == "condition"]
    second = None
    # Of an ambiguous answer both readings are shown already.
    if reads_twice and examined.reading and not examined.others:
        second = find_disagreement(answer)
    dimension: Dimension | None = None
    without_unit: tuple[str, ...] = ()
    if examined.reading:
        try:
            dimension, without_unit = _find_dimension(examined.reading, rows)
        except Inconsistent as error:
            of_answer.append(BrokenRule("dimension", str(error), 0, len(answer)))
    return Checked(
        statement=of_statement,
        answer=of_answer,
        wanted=[*of_wanted, *check_wanted(wanted, examined.reading, dimension, rows, quantity)],
        solution=of_solution,
        rows=of_rows,
        legible=legible,
        examined=examined,
        second=second,
        dimension=dimension,
        without_unit=without_unit,
    )


def check_texts(
    statement: str, solution: str, *, deadline: float
) -> tuple[list[BrokenRule], list[BrokenRule]]:
    """List the rules that a statement and a solution break, each in the order of the text."""
    unset = check_typesetting(statement, solution, deadline=deadline)
    return (
        _merge(check_statement(statement), unset[0]),
        _merge(check_solution(solution), unset[1]),
    )


def _merge(found: list[BrokenRule], unset: list[BrokenRule]) -> list[BrokenRule]:
    """Put both lists into the order of the text; of what says the same, the first says it."""
    eaten = [rule.start for rule in found if rule.code == "control_character"]
    unset = [rule for rule in unset if not any(rule.start <= one < rule.end for one in eaten)]
    pictures = [rule for rule in found if rule.code == "image"]
    return sorted(
        (
            rule
            for rule in [*found, *unset]
            if rule.code not in OF_PICTURES or not any(_overlap(rule, one) for one in pictures)
        ),
        key=lambda rule: rule.start,
    )


def _overlap(one: BrokenRule, other: BrokenRule) -> bool:
    return one.start < other.end and other.start < one.end


def _ask_of_letter(rule: BrokenRule, answer: str) -> BrokenRule:
    r"""Of one letter that was read as a unit, ask whether it is a symbol: of `2 \mathrm{g}`."""
    found = _LETTER.fullmatch(answer[rule.start : rule.end])
    if rule.code != "units" or found is None:
        return rule
    message = _("Is $%(symbol)s$ a symbol? Introduce it in the statement, or in the table.")
    return replace(rule, message=message % {"symbol": found[1]})


def find_number(rule: BrokenRule) -> str:
    """Return the fraction that a broken rule `rounded` asks about."""
    said = rule.message
    return str(dict(said.values).get("number", "")) if isinstance(said, Sentence) else ""


def _read_quantity(wanted: Wanted, declared: Question, deadline: float) -> Reading | None:
    if not wanted.quantity:
        return None
    try:
        return sandbox.run(read, wanted.quantity, declared=declared, deadline=deadline)
    except (Unreadable, sandbox.Stopped):
        return None


def _declare(rows: Sequence[SymbolRow], deadline: float) -> tuple[Question, list[RowProblem]]:
    """Declare what can be, and list what can't, with the units that are none."""
    if not rows:
        return Question(), []
    declarations = [row.declaration for row in rows]
    declared, refused = sandbox.run(declare_each, declarations, deadline=deadline)
    problems = [RowProblem(row, column, translate(why)) for row, column, why in refused]
    names = [row.name for row in rows]
    for number, row in enumerate(rows):
        if row.name and row.name in names[:number]:
            message = _("$%(symbol)s$ has two rows: remove one of them.")
            problems.append(RowProblem(number, "latex", message % {"symbol": row.latex}))
        try:
            if row.unit.strip():
                read_unit(row.unit)
        except UnknownUnit as error:
            problems.append(RowProblem(number, "unit", str(error)))
    return declared, problems


def _find_dimension(
    reading: Reading, rows: Sequence[SymbolRow]
) -> tuple[Dimension | None, tuple[str, ...]]:
    """
    Return the answer's dimension, or the symbols for want of whose units it is not known.

    Raises:
        Inconsistent: the units do not fit together.
    """
    units = _read_units(rows)
    if not units:
        return None, ()
    constants = {name: read_unit(unit) for name, unit in KNOWN_UNITS.items()}
    known = {**constants, **units}
    names = {symbol.name for symbol in reading.expression.free_symbols}
    if missing := names - known.keys():
        latex = {row.name: row.latex for row in rows}
        return None, tuple(sorted(latex.get(name) or name_in_latex(name) for name in missing))
    return find_dimension(reading.expression, known), ()


def _read_units(rows: Sequence[SymbolRow]) -> Mapping[str, Dimension]:
    units = {}
    for row in rows:
        try:
            if row.unit.strip():
                units[row.name] = read_unit(row.unit)
        except UnknownUnit:
            continue
    return units


def find_disagreement(answer: str) -> SecondReading | None:
    """
    Read an answer with the second reader as well.

    Where that takes too long, or the answer can't be read at all, nothing is said.
    """
    try:
        found = sandbox.run(read_twice, answer, deadline=settings.READING_DEADLINE_SECONDS)
    except (sandbox.Stopped, Unreadable):
        return None
    return found if found.agreement is Accord.DISAGREES else None
