"""
What KaTeX makes of formulas: the script that the pages load, run by QuickJS.

It knows no Django: a child process that grades has it at hand without more. Whoever writes a
formula may write one without end, so QuickJS counts time and memory, and stops.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import process_time
from typing import Any

import quickjs

from phybench_grader.reading.mistyped import find_command

SECONDS = 1.0
"""Of the processor, that all formulas of one text may take together."""
MEMORY = 256 * 1024**2
"""Bytes that KaTeX may take."""

# Thrown where the pages ask `trust` and refuse: the formula would stand there in red.
_ASK = """
(tex, displayMode) => {
  const { LIMITS, MACROS } = typesetting;
  const trust = ({ command }) => { throw new Error(`untrusted ${command}`); };
  const options = { ...LIMITS, trust, macros: { ...MACROS }, displayMode, throwOnError: true };
  try {
    katex.__parse(tex, options);
    return "";
  } catch (error) {
    if (error === null) throw error; // no memory is left even to say so
    const { rawMessage, message, position = null, length = 0 } = error;
    return JSON.stringify({ said: rawMessage ?? message, position, length });
  }
}
"""

_COMPLAINTS: tuple[tuple[str, str], ...] = (
    ("tex_unknown_command", r"Undefined control sequence: (?P<what>.+)"),
    ("tex_unknown_environment", r"No such environment: (?P<what>.+)"),
    ("tex_unopened", r"Expected 'EOF', got '(?P<what>\}|\\right|\\end)'"),
    ("tex_unopened", r"Extra (?P<what>\})"),
    ("tex_ampersand", r"Expected 'EOF', got '&'"),
    ("tex_unclosed", r"Unexpected end of input in a macro argument, expected '(?P<what>.+)'"),
    ("tex_unclosed", r"Expected (?:& or )?\\\\ or \\cr or (?P<what>\\end)"),
    ("tex_unclosed", r"Expected '(?P<what>[^']+)', got '(?:EOF|\\end|&)'"),
    ("tex_expected", r"Expected '(?P<what>.+)', got '(?P<found>.+)'"),
    ("tex_double_superscript", r"Double superscript"),
    ("tex_double_subscript", r"Double subscript"),
    ("tex_argument", r"Expected group after '(?P<what>.+)'"),
    ("tex_argument", r"Expected group as argument to '(?P<what>.+)'"),
    ("tex_braces", r"Got function '(?P<what>.+)' with no arguments.*"),
    ("tex_not_in_text", r"Can't use function '(?P<what>.+)' in text mode"),
    ("tex_not_in_mathematics", r"Can't use function '(?P<what>.+)' in math mode"),
    ("tex_display_only", r"\{(?P<what>.+)\} can be used only in display mode\."),
    ("tex_display_only", r"(?P<what>\\tag) works only in display equations"),
    ("tex_mismatch", r"Mismatch: \\begin\{(?P<what>.+)\} matched by \\end\{(?P<found>.+)\}"),
    ("tex_untrusted", r"untrusted (?P<what>.+)"),
    ("tex_too_deep", r"Maximum call stack size exceeded"),
    ("tex_too_large", r"Too many expansions.*|interrupted|null|out of memory"),
)
_PATTERNS = tuple((code, re.compile(pattern, re.S)) for code, pattern in _COMPLAINTS)


@dataclass(frozen=True, slots=True)
class Complaint:
    """What keeps KaTeX from setting a formula, with its place in the formula."""

    code: str
    """Of a sentence, that `filled` fills in; `tex_other` for what we have no words for."""
    filled: tuple[tuple[str, str], ...]
    start: int
    end: int


def set_each(
    formulas: Sequence[tuple[str, bool]], *, scripts: tuple[str, ...]
) -> list[Complaint | None]:
    """
    Set formulas, and list what is wrong with each.

    Args:
        formulas: each with whether it stands on its own.
        scripts: the files of KaTeX and of what it is told.
    """
    started = process_time()
    complaints: list[Complaint | None] = []
    for tex, is_display in formulas:
        left = SECONDS - (process_time() - started)
        if left <= 0:
            complaints.append(Complaint("tex_too_large", (), 0, len(tex)))
        else:
            complaints.append(_set(tex, is_display, scripts, left))
    return complaints


def _set(tex: str, is_display: bool, scripts: tuple[str, ...], seconds: float) -> Complaint | None:
    context, ask = _load(scripts)
    context.set_time_limit(seconds)
    try:
        said = ask(tex, is_display)
    except quickjs.JSException as error:
        # Stopped in the middle of something, it is not to be asked again.
        _load.cache_clear()
        said = str(error).partition("\n")[0].removeprefix("InternalError: ")
        return _describe(said, tex, 0, len(tex))
    if not said:
        return None
    found = json.loads(said)
    start, length = found["position"], found["length"]
    if start is None:
        return _describe(found["said"], tex, 0, len(tex))
    # JavaScript counts in units of UTF-16.
    start, end = (_count_characters(tex, units) for units in (start, start + length))
    return _describe(found["said"], tex, start, end)


@lru_cache(maxsize=1)
def _load(scripts: tuple[str, ...]) -> tuple[Any, Any]:
    context = quickjs.Context()
    context.set_memory_limit(MEMORY)
    for script in scripts:
        context.eval(Path(script).read_text(encoding="utf-8"))
    return context, context.eval(_ASK)


def _count_characters(tex: str, units: int) -> int:
    return len(tex.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))


def _describe(said: str, tex: str, start: int, end: int) -> Complaint:
    code, filled = "tex_other", {"message": said}
    for known, pattern in _PATTERNS:
        if found := pattern.fullmatch(said):
            code, filled = known, found.groupdict()
            break
    if code == "tex_unknown_command" and (meant := find_command(filled["what"])):
        code, filled = "tex_mistyped_command", {**filled, "meant": meant}
    if code == "tex_unclosed":
        opened = _find_unclosed(tex, filled["what"])
        if opened is None:
            code, filled = "tex_ends_early", {}
        else:
            start, end = opened
    end = len(tex[:end].rstrip())
    if start >= end:
        # At its end there is nothing to point at.
        start, end = 0, len(tex)
    return Complaint(code, tuple(sorted(filled.items())), start, end)


_OPENERS = {
    "}": r"\{",
    "]": r"\[",
    r"\right": r"\\left(?![A-Za-z])",
    r"\end": r"\\begin(?![A-Za-z])",
}


def _find_unclosed(tex: str, closing: str) -> tuple[int, int] | None:
    """Find what was opened last and is not closed, of what `closing` closes."""
    if closing not in _OPENERS:
        return None
    opened: list[tuple[int, int]] = []
    pieces = re.compile(
        rf"(?P<escaped>\\[{{}}\\%])|(?P<opens>{_OPENERS[closing]})|"
        rf"(?P<closes>{re.escape(closing)}(?![A-Za-z]))"
    )
    for piece in pieces.finditer(tex):
        if piece["opens"]:
            opened.append(piece.span())
        elif piece["closes"] and opened:
            opened.pop()
    return opened[-1] if opened else None
