"""Scripts: what stands raised or lowered at a symbol, and belongs to its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from phybench_grader.numbers.symbols import SUBSCRIPT_WORDS
from phybench_grader.reading.ambiguity import Choices
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.stream import Stream

STYLES = frozenset({"mathrm", "text", "operatorname", "rm", "cal", "sf", "tt"})
"""Commands that say how letters look: they are no part of a name."""
_ROMAN = frozenset("IVX")


def name_direction(base: str, subscript: str) -> tuple[str, str]:
    r"""
    Write the unit vector `\mathbf e_r` as `\hat r`, which is the same.

    >>> name_direction("hat{e}", r"\theta"), name_direction("vec{e}", "1")
    (('hat{\\theta}', ''), ('vec{e}', '1'))
    """
    is_letter = len(subscript) == 1 and subscript.isalpha()
    if base in ("hat{e}", "vec{e}") and (is_letter or subscript.startswith("\\")):
        return f"hat{{{subscript}}}", ""
    return base, subscript


def write_label(inside: Sequence[Token]) -> str:
    """Write a raised number, Roman numeral or word as part of a name; nothing for an exponent."""
    texts = [token.text for token in inside]
    opening, closing = "", ""
    if texts[:1] == ["("] and texts[-1:] == [")"]:
        texts, opening, closing = texts[1:-1], "(", ")"
        if len(texts) == 1 and texts[0].isdigit():
            return f"^{{({texts[0]})}}"
        if texts and all(text in _ROMAN for text in texts):
            return f"^{{({''.join(texts)})}}"
    if texts[:1] and texts[0] in STYLES:
        word = "".join(texts[1:])
        if word.isalnum() and (opening or word not in ("e", "i", "j", "pi")):
            return f"^{{{opening}\\mathrm{{{word}}}{closing}}}"
    return ""


def split_accented(base: str) -> tuple[str, str]:
    r"""Part `\vec{v_0}` into `\vec{v}` and its subscript."""
    if match := re.fullmatch(r"(\w+\{[^_{}]+)_(?:\{(.+)\}|(.))\}", base):
        return match[1] + "}", match[2] or match[3]
    return base, ""


def part_primes_from_exponent(stream: Stream) -> None:
    r"""Part `^{\prime 2}` into primes and the exponent that is left."""
    tokens, here = stream.tokens, stream.position
    if [token.kind for token in tokens[here : here + 2]] != ["^", "{"]:
        return
    end = here + 2
    while tokens[end].text in ("prime", "'"):
        end += 1
    if end > here + 2 and tokens[end].kind not in ("}", "end"):
        marks = [replace(token, kind="'", text="'") for token in tokens[here + 2 : end]]
        tokens[here:end] = [*marks, *tokens[here : here + 2]]


def find_prime_end(stream: Stream) -> int | None:
    r"""Find where a superscript of primes or a star (`^\prime`, `^{*}`) ends."""
    tokens = stream.tokens
    position = stream.position + 1
    braces = tokens[position].kind == "{"
    start = position + braces
    end = start
    while tokens[end].text in ("prime", "'", "*", "star", "cdot") and (
        tokens[end].kind in ("command", "'", "*")
    ):
        end += 1
        if not braces:
            break
    if end == start or (braces and tokens[end].kind != "}"):
        return None
    return end + braces


def measure_bare_subscript(stream: Stream, choices: Choices, *, is_latex: bool) -> int:
    """Count the tokens of a subscript without braces."""
    token = stream.next
    if token.kind == "number" and len(token.text) > 1:
        # LaTeX lowers one digit only; whoever types plain text means all of them.
        only_one = choices.pick("digits", token.start, token.end) == int(not is_latex)
        if only_one:
            stream.split_number(1)
        return 1
    if token.kind == "letter" and len(token.word) > 1:
        known = token.word in SUBSCRIPT_WORDS and not is_latex
        taken = choices.pick("subscript", token.start, token.start + len(token.word))
        return len(token.word) if known != bool(taken) else 1
    if token.kind == "command" and token.text in STYLES:
        if stream.tokens[stream.position + 1].kind == "{":
            return stream.find_closer(stream.position + 1) + 1 - stream.position
        return 2
    return 0 if token.kind == "end" else 1
