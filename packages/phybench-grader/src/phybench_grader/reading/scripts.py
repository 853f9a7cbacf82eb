"""Scripts: what stands raised or lowered at a symbol, and belongs to its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from phybench_grader.numbers.symbols import ACCENTS, SUBSCRIPT_WORDS
from phybench_grader.reading.ambiguity import Choices
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.stream import Stream
from phybench_grader.reading.usage import skip_group

STYLES = frozenset({"mathrm", "text", "operatorname", "rm", "cal", "sf", "tt"})
"""Commands that say how letters look: they are no part of a name."""
_ROMAN = frozenset("IVX")
_ARGUMENTS = {"frac": 2, "binom": 2, "sqrt": 1, **dict.fromkeys(ACCENTS, 1)}
"""Commands by the number of arguments that they take."""


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


def spell_inside(tokens: Sequence[Token]) -> str:
    r"""
    Spell what a mean or a value holds, so that two ways to write it are one.

    >>> from phybench_grader.reading.lexer import split_tokens
    >>> texts = (r"\sum_{i=1}^A x", r"\sum^{A}_{i=1}x", r"\hat L^2", r"\hat{L}^{2}")
    >>> [spell_inside(split_tokens(text)[:-1]) for text in texts]
    ['\\sum _{i=1}^Ax', '\\sum _{i=1}^Ax', '\\hat{L}^2', '\\hat{L}^2']
    """
    spelled = ""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.kind in ("_", "^"):
            scripts, place = _spell_scripts(tokens, place)
            spelled += scripts
            continue
        place += 1
        if token.kind == "command" and token.text not in STYLES:
            count = _ARGUMENTS.get(token.text, 0)
            spelled += f"\\{ACCENTS.get(token.text, token.text)}{'' if count else ' '}"
            for _ in range(count):
                end = skip_group(tokens, place)
                spelled += f"{{{spell_inside(tokens[place:end])}}}"
                place = end
        elif token.kind == "bar":
            spelled += "|"
        elif token.kind not in ("command", "{", "}"):
            spelled += token.text
    return spelled.strip()


def _spell_scripts(tokens: Sequence[Token], place: int) -> tuple[str, int]:
    """Spell what is lowered and raised at one letter, in this order; return where it ends."""
    scripts: dict[str, str] = {}
    while place < len(tokens) and tokens[place].kind in ("_", "^"):
        sign, end = tokens[place].kind, skip_group(tokens, place + 1)
        scripts[sign] = scripts.get(sign, "") + spell_inside(tokens[place + 1 : end])
        place = end
    written = "".join(
        f"{sign}{scripts[sign]}" if len(scripts[sign]) == 1 else f"{sign}{{{scripts[sign]}}}"
        for sign in "_^"
        if sign in scripts
    )
    return written, place


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
