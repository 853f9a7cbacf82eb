r"""
From a text to its one expression: the statement around it, then the expression itself.

`read` needs nothing but the text. Beside a reference, which `grade` has, it is also known what
stands left there and what the problem's symbols are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice

import sympy

from phybench_grader.numbers.limits import MAX_CHARACTERS_READ, MAX_READINGS
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.ambiguity import STRICT_KINDS, list_other_choices
from phybench_grader.reading.lexer import Token, blank_comments, split_tokens
from phybench_grader.reading.names import Declared
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Finding, Reading, Side, Unreadable
from phybench_grader.reading.rules import list_symbols
from phybench_grader.statement.chains import Selection, Sought
from phybench_grader.statement.definitions import list_stated, put_in
from phybench_grader.statement.members import (
    Value,
    is_exponential,
    list_names,
    read_euler,
    read_tokens,
)
from phybench_grader.statement.pieces import Known
from phybench_grader.statement.selection import select
from phybench_grader.statement.sides import read_side
from phybench_grader.statement.statement import close_off

Places = dict[tuple[str, int], tuple[int, int]]
"""Ambiguous places by kind and offset, each with its number of options and its end."""


def read(text: str, *, declared: Collection[str] = (), beside: Reading | None = None) -> Reading:
    r"""
    Read a text as one statement, in the standard reading of its notation.

    Args:
        text: LaTeX, or what is typed for it, of at most 20,000 characters.
        declared: the problem's symbols in LaTeX, as names or as a mapping to their domains, or all
            that it says of its answer.
        beside: the reference, where there is one: what stands left in it is asked for, unless the
            problem says what is, and its symbols are the problem's.

    Returns:
        The expression, how it was typed, and notes on what was left out or decided.

    Raises:
        Unreadable: and nothing else, for a text that states no single expression.

    >>> read(r"v = \sqrt{2gh}").latex
    '\\sqrt{2} \\sqrt{g} \\sqrt{h}'
    """
    return next(list_choices(text, declared=declared, beside=beside))[0]


def list_readings(
    text: str, *, declared: Collection[str] = (), beside: Reading | None = None
) -> Iterator[Reading]:
    """List every honest reading of a text, the standard one first, at most `MAX_READINGS`."""
    for reading, _ in list_choices(text, declared=declared, beside=beside):
        yield reading


def list_choices(
    text: str, *, declared: Collection[str] = (), beside: Reading | None = None
) -> Iterator[tuple[Reading, Places]]:
    """List the readings of a text, each with the ambiguous places that it reads otherwise."""
    names = Declared(declared)
    names.hear(text)
    sought = _seek(names, beside)
    text, selection, other_selection = _select_beside_comments(text, names, sought)
    standard = _make_reading(selection, selection.value)
    yield standard, {}
    if other_selection is not None:
        value = other_selection.value
        place = value.tokens[0].start
        yield _make_reading(other_selection, value), {("comment", place): (2, len(text))}
    seen = {standard.expression}
    count = 1
    for other, places in _list_others(text, names, selection, sought):
        count += 1
        if count > MAX_READINGS or count * len(text) > MAX_CHARACTERS_READ:
            return
        if other.expression not in seen:
            seen.add(other.expression)
            yield other, places


def _select_beside_comments(
    text: str, names: Declared, sought: Sought
) -> tuple[str, Selection, Selection | None]:
    """Select what a text says, and what it says if `%` behind a number begins a comment."""
    without = blank_comments(text)
    if without == text:
        return text, select(text, names, sought), None
    try:
        selection = select(text, names, sought)
    except Unreadable:
        return without, select(without, names, sought), None
    try:
        other = select(without, names, sought)
    except Unreadable:
        return text, selection, None
    if other.value.expression == selection.value.expression:
        return text, selection, None
    for one in (selection, other):
        one.findings.append(Finding("comment_doubtful", Sentence("comment_doubtful"), 0, len(text)))
    return text, selection, other


def _list_others(
    text: str, names: Declared, selection: Selection, sought: Sought
) -> Iterator[tuple[Reading, Places]]:
    """List what else the statement may say, then what else the notation may mean."""
    for kind, reading, tokens in _list_other_statements(text, names, selection, sought):
        yield reading, {(kind, tokens[0].start): (2, tokens[-1].end)}
    standard = selection.value
    met = {
        site: place
        for site, place in standard.met.items()
        if not (sought.key is not None and site[0] in STRICT_KINDS)
    }
    for taken in islice(list_other_choices(met), MAX_READINGS - 1):
        try:
            value = read_tokens(text, standard.tokens, names, taken)
        except Unreadable:
            continue
        yield _make_reading(selection, value), {site: standard.met[site] for site in taken}


def _list_other_statements(
    text: str, names: Declared, selection: Selection, sought: Sought
) -> Iterator[tuple[str, Reading, tuple[Token, ...]]]:
    standard = selection.value
    for defined in _put_in(selection, names, sought):
        yield "definition", defined, standard.tokens
    if sought.is_number and is_exponential(standard.expression):
        euler = replace(standard, expression=read_euler(standard.expression), typed="")
        yield "e", _make_reading(selection, euler), standard.tokens
    for other in selection.others:
        try:
            value = read_tokens(text, other.tokens, names)
        except Unreadable:
            continue
        yield other.kind, _make_reading(selection, value, other.doubt), other.tokens


def _put_in(selection: Selection, names: Declared, sought: Sought) -> Iterator[Reading]:
    """Put in what the answer itself defines, then what the statement does and the key lacks."""
    value = selection.value
    own = put_in(value.expression, selection.definitions, names, sought.known.names)
    if own != value.expression:
        yield _note_put_in(selection, own, "definition_put_in")
        others = [replace(one, value=one.other or one.value) for one in selection.definitions]
        if others != selection.definitions:
            other = put_in(value.expression, others, names, sought.known.names)
            yield _note_put_in(selection, other, "definition_put_in")
    if sought.key is None or not names.question.told:
        return
    keys = sought.key_names
    # A bare symbol gives the asked quantity another name, and no value.
    if own.is_Symbol or list_names(own) <= keys:
        return
    told = put_in(own, list_stated(names.question), names, keys)
    if told != own:
        yield _note_put_in(selection, told, "statement_put_in")


def _note_put_in(selection: Selection, expression: sympy.Expr, code: str) -> Reading:
    value = selection.value
    note = Finding("definition", Sentence(code), value.tokens[0].start, 0)
    reading = _make_reading(selection, replace(value, expression=expression, typed=""))
    return replace(reading, findings=(*reading.findings, note))


def _make_reading(selection: Selection, value: Value, doubt: str = "") -> Reading:
    return Reading(
        value.expression,
        (*selection.findings, *value.findings),
        value.order,
        value.typed,
        side=selection.side,
        is_open=selection.is_open,
        conditions=selection.conditions,
        definitions=tuple(one.name for one in selection.definitions),
        doubt=selection.doubt or doubt,
    )


def select_tokens(text: str, declared: Declared) -> list[Token]:
    """Select the tokens of a text that are its expression."""
    return close_off(select(text, declared, _seek(declared, None)).value.tokens)


# --- What is known of the problem -----------------------------------------------------------------


def _seek(declared: Declared, beside: Reading | None) -> Sought:
    """Gather what is asked for and which symbols are the problem's."""
    told = declared.names | list_introduced(declared.question)
    names = set(told)
    asked = _read_asked(declared)
    if beside is not None:
        names |= list_names(beside.expression)
        asked = asked or beside.side
    unit = declared.question.unit or (beside.unit if beside is not None else "")
    given = frozenset(declared.names)
    known = Known(frozenset(names), is_told=bool(told), unit=unit, given=given)
    return Sought(asked, known, beside.expression if beside is not None else None)


@lru_cache(maxsize=512)
def list_introduced(question: Question) -> frozenset[str]:
    """List the names of the symbols in a problem's statement."""
    if not question.statement:
        return frozenset()
    return frozenset(list_symbols(question.statement, declared=question))


def _read_asked(declared: Declared) -> Side | None:
    asked = declared.question.asked.strip()
    if not asked:
        return None
    try:
        tokens = split_tokens(asked)[:-1]
    except Unreadable:
        return None
    while tokens and tokens[-1].kind == "=":
        tokens.pop()
    side = read_side(asked, tokens, declared, Known())
    return side if side.signs else None
