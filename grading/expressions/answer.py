r"""
From a response or a text to its one expression.

`find_answer` picks the boxed answer out of a model's response. `read_answer` takes wrappers, names
and equations off a text and reads what is left.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import sympy

from grading.expressions.ambiguity import Choices, list_other_choices
from grading.expressions.lexer import Token, match_braces, split_tokens
from grading.expressions.limits import MAX_CHARACTERS_READ, MAX_NODES, MAX_READINGS
from grading.expressions.names import Declared
from grading.expressions.reader import Reader
from grading.expressions.reading import Finding, Reading, Unreadable
from grading.expressions.sentences import Sentence
from grading.expressions.stream import CLOSERS, Stream
from grading.expressions.vocabulary import EQUALITIES, RELATIONS

_BOX = re.compile(r"\\boxed\s*(?=\{)")
_THOUGHT = "</think>"


def find_answer(response: str) -> str:
    r"""
    Find the answer in a whole response: what its last balanced `\boxed{…}` holds.

    What a model thought before `</think>` does not count. Without a box, the text itself.

    >>> find_answer(r"First \boxed{1}, then \boxed{\frac{a}{b}}.")
    '\\frac{a}{b}'
    """
    text = response.rpartition(_THOUGHT)[2]
    boxes = [box.end() for box in _BOX.finditer(text)]
    closers = match_braces(text) if boxes else {}
    for opener in reversed(boxes):
        if (closer := closers.get(opener)) is not None:
            return text[opener + 1 : closer].strip()
    return text.strip()


def read(text: str, *, declared: Collection[str] = ()) -> Reading:
    """
    Read a text as one expression, in the standard reading of its notation.

    `declared` are the problem's symbols in LaTeX, as names or as a mapping to their domains. Raises
    `Unreadable`, and nothing else, for a text that is no single expression.
    """
    return read_with(text, Declared(declared), Choices())


def list_readings(text: str, *, declared: Collection[str] = ()) -> Iterator[Reading]:
    """List every honest reading of a text, the standard one first, at most `MAX_READINGS`."""
    for reading, _ in list_choices(text, declared=declared):
        yield reading


def list_choices(
    text: str, *, declared: Collection[str] = ()
) -> Iterator[tuple[Reading, dict[tuple[str, int], tuple[int, int]]]]:
    """List the readings of a text, each with the ambiguous places that it reads otherwise."""
    names = Declared(declared)
    choices = Choices()
    standard = read_with(text, names, choices)
    yield standard, {}
    seen = {standard.expression}
    met = dict(choices.met)
    for count, taken in enumerate(list_other_choices(met), start=2):
        if count > MAX_READINGS or count * len(text) > MAX_CHARACTERS_READ:
            return
        try:
            other = read_with(text, names, Choices(taken))
        except Unreadable:
            continue
        if other.expression not in seen:
            seen.add(other.expression)
            yield other, {site: met[site] for site in taken}


def read_with(text: str, declared: Declared, choices: Choices) -> Reading:
    """Read a text, taking the given choices where its notation is ambiguous."""
    tokens, findings = select_tokens(text, declared)
    reader = Reader(text, tokens, declared, choices)
    expression = reader.read_all()
    for count, _ in enumerate(sympy.preorder_traversal(expression), start=1):
        if count > MAX_NODES:
            raise Unreadable("too_large", tokens[0].start, tokens[-1].end)
    if expression.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo):
        raise Unreadable("undefined", tokens[0].start, tokens[-1].end)
    return Reading(expression, tuple(findings + reader.findings), tuple(reader.order))


def select_tokens(text: str, declared: Declared) -> tuple[list[Token], list[Finding]]:
    """Select the tokens of a text that are its expression; find what else was left out."""
    findings: list[Finding] = []
    tokens = _drop_left_sides(text, _unwrap(split_tokens(text)), declared, findings)
    return tokens, findings


def _unwrap(tokens: list[Token]) -> list[Token]:
    """Take off braces around the whole and what closes a sentence."""
    inside, end = tokens[:-1], tokens[-1]
    while inside:
        if inside[-1].kind in ".,;":
            inside.pop()
        elif inside[0].kind == "{" and _closes_last(inside):
            inside = inside[1:-1]
        else:
            break
    return [*inside, end]


def _closes_last(tokens: list[Token]) -> bool:
    level = 0
    for index, token in enumerate(tokens):
        level += (token.kind == "{") - (token.kind == "}")
        if level == 0:
            return index == len(tokens) - 1
    return False


def _drop_left_sides(
    text: str, tokens: list[Token], declared: Declared, findings: list[Finding]
) -> list[Token]:
    """Keep what stands after the last relation, and find whether more than a name is dropped."""
    level = 0
    relations: list[int] = []
    separators: list[Token] = []
    for index, token in enumerate(tokens):
        level += (token.kind in CLOSERS) - (token.kind in CLOSERS.values())
        if level == 0 and token.text in RELATIONS and token.kind != "letter":
            relations.append(index)
        elif level == 0 and token.kind in (",", ";"):
            separators.append(token)
    if not relations:
        return tokens
    for token in separators:
        raise Unreadable("several", token.start, token.end)
    last = relations[-1]
    left, kept = tokens[: relations[0]], tokens[last + 1 :]
    if kept[0].kind == "end":
        raise Unreadable("missing", tokens[last].start, tokens[last].end)
    start, end = tokens[0].start, tokens[last].end
    is_label = len(relations) == 1 and tokens[last].text in EQUALITIES
    if is_label and is_name(text, left, declared):
        findings.append(Finding("label", Sentence("name_left_out"), start, end))
    else:
        findings.append(Finding("equation", Sentence("last_side_read"), start, end))
    return kept


def is_name(text: str, tokens: list[Token], declared: Declared) -> bool:
    r"""Whether tokens only name a quantity: `F_{\max}`, `T(h)`, `\Delta y`, `|v|`."""
    if tokens and tokens[0].kind == "bar" and tokens[-1].kind == "bar":
        tokens = tokens[1:-1]
    tokens = _unwrap([*tokens, Token("end", "", len(text), len(text))])
    stream = Stream(text, tokens)
    reader = Reader(text, tokens, declared, Choices())
    try:
        if reader.names.read_declared() is not None:
            stream.position = reader.position
        elif _names_a_difference(tokens):
            reader.position = 1
            reader.names.read()
        elif reader.sees_command("mathrm", "text", "pi"):
            reader.read_atom()
        elif reader.names.starts():
            reader.names.read()
        else:
            return False
        if reader.sees("(", "["):
            reader.position = reader.find_closer(reader.position) + 1
    except Unreadable:
        return False
    return reader.sees("end")


def _names_a_difference(tokens: list[Token]) -> bool:
    is_sign = tokens[0].text in ("Delta", "delta", "d")
    return is_sign and (tokens[1].kind == "letter" or tokens[1].kind == "command")
