r"""
Finding the JSON object in a reply: whole, fenced or amid prose, with LaTeX that was not escaped.

`"\frac"` is valid JSON and means a form feed before “rac”; `"\sqrt"` is no JSON at all. So
backslashes are repaired before anything is parsed.
"""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from phybench_grader.judges.judgement import Flag
from phybench_grader.judges.reasons import Reason
from phybench_grader.judges.replies.reply import JudgeReply

MAX_STARTS = 500
"""How many braces are tried as the beginning of an object."""
MAX_STRING = 2_000
"""Longest comment or answer that is kept, in characters."""

_ESCAPE = re.compile(r"\\(?:([\"\\/])|(u[0-9a-fA-F]{4})|([nrt])([A-Za-z]*)|)", re.DOTALL)
_COMMANDS = frozenset(
    re.findall(
        r"\w+",
        """nabla natural ne neg neq nexists ngeq ni nleq nmid not notin nparallel nsim nu nonumber
        newline nolimits rangle rceil right rightarrow rfloor rho rm root tan tanh tau tbinom text
        textbf textit textrm textstyle tfrac theta therefore thicksim tilde times to top triangle
        triangleq triangleleft triangleright twoheadrightarrow tt rVert rvert rightleftharpoons
        textnormal texttt textsf textsuperscript""",
    )
)
"""Commands that begin like one of JSON's escapes: n, r or t."""
_SWALLOWED = {"\b": "\\b", "\f": "\\f"}
"""
Control characters that no judge writes: a reply that holds one had its LaTeX read as an escape
before it came to us (`\\boxed`, `\\frac`).
"""
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+(?:"|\Z))|,(?=\s{0,200}[}\]])', re.DOTALL)
_OBJECT_START = re.compile(r'\{\s{0,200}(?:\}|"[^"\n]{0,80}"\s{0,20}:)')
_FENCE = re.compile(r"```[A-Za-z]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_PLACEHOLDER = re.compile(r"\s*<[^<>]*[\s_-][^<>]*>\s*")


@dataclass(frozen=True, slots=True)
class Found:
    """The one object of a reply, with how it was found."""

    fields: dict[str, Any]
    path: str
    flags: frozenset[Flag]


class _Refused(ValueError):
    """JSON that is read by some and not by others: NaN, a key given twice."""


def find_object(
    reply: JudgeReply, keys: Collection[str], *, verdict: Collection[str], token: str = ""
) -> Found | Reason:
    r"""
    Find the object with some of `keys` in a reply, or say why there is none.

    One counts only if it bears the token of its call as `id`: another may be quoted from what was
    judged. Where no token was asked for, the reply has to be the object and nothing else. Several
    that agree in their `verdict` fields count as one, the last; any other several conflict.

    >>> reply = JudgeReply(r'{"ok": true, "why": "\frac{1}{2}"}')
    >>> found = find_object(reply, ["ok"], verdict=["ok"])
    >>> found.fields["why"], found.path, [flag.value for flag in found.flags]
    ('\\frac{1}{2}', 'json', ['LATEX_REPAIRED'])
    """
    text = reply.find_text()
    if isinstance(text, Reason):
        return text
    repaired = repair_backslashes(text)
    flags = {Flag.LATEX_REPAIRED} if repaired != text else set()
    body = repaired.strip()
    fences = _FENCE.findall(body)
    if _is_no_object(body) or (len(fences) == 1 and _is_no_object(fences[0].strip())):
        return Reason.SCHEMA
    scan = _scan(body)
    found = [one for one in scan.objects if not keys or any(key in one for key in keys)]
    if scan.is_broken:
        return Reason.TRUNCATED if reply.is_cut_off else Reason.INVALID_JSON
    if not found:
        return Reason.SCHEMA if scan.objects else reply.explain_silence(text)
    if token:
        found = [one for one in found if _bears(one, token)]
    if not found or not (token or _is_alone(body, fences)):
        return Reason.UNTIED
    first = [found[0].get(key) for key in verdict]
    if any([one.get(key) for key in verdict] != first for one in found):
        return Reason.CONFLICTING_VERDICTS
    if len(found) > 1:
        flags.add(Flag.REPEATED_VERDICT)
    if scan.is_repaired:
        flags.add(Flag.JSON_REPAIRED)
    if reply.is_cut_off:
        flags.add(Flag.TRUNCATED_AFTER_VERDICT)
    path = _name_path(body, fences)
    flags |= {"json": set(), "fenced": {Flag.FENCED}, "scanned": {Flag.SURROUNDED}}[path]
    fields = {name: _give_back(value) for name, value in found[-1].items()}
    if fields != found[-1]:
        flags.add(Flag.LATEX_REPAIRED)
    return Found(fields, path, frozenset(flags))


def repair_backslashes(text: str) -> str:
    r"""
    Escape the backslashes that begin LaTeX, and leave those that JSON means.

    >>> print(repair_backslashes(r'"\frac \sqrt \theta \nu a\nThen \\alpha \" \u00e9"'))
    "\\frac \\sqrt \\theta \\nu a\nThen \\alpha \" \u00e9"
    """

    def repair(found: re.Match[str]) -> str:
        sign, code, letter, rest = found.groups()
        if sign or code or (letter and letter + rest not in _COMMANDS):
            return found[0]
        return "\\" + found[0]

    return _ESCAPE.sub(repair, text)


def _give_back(value: object) -> object:
    r"""
    Write backspaces and form feeds in a text as the backslash and letter they were made of.

    >>> print(_give_back("\x0crac{1}{2}"))
    \frac{1}{2}
    """
    if not isinstance(value, str):
        return value
    return re.sub(r"[\b\f]", lambda found: _SWALLOWED[found[0]], value)


def is_placeholder(value: object) -> bool:
    """
    Tell whether a field is the template's own, such as `<one short sentence>`.

    >>> is_placeholder("<one short sentence>"), is_placeholder("<v>")
    (True, False)
    """
    is_short = isinstance(value, str) and len(value) < 300
    return is_short and _PLACEHOLDER.fullmatch(str(value)) is not None


def read_text(value: object) -> str:
    """Read a field of text: what else it may hold is written out."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # A lone half of a surrogate pair can be neither stored nor sent.
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")[:MAX_STRING]


def read_number(value: object) -> tuple[float, bool] | None:
    """
    Read a field as a number, and tell whether it had to be taken out of a text.

    >>> read_number(4), read_number("4"), read_number(True), read_number("1e999")
    ((4.0, False), (4.0, True), None, None)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return (float(value), False) if abs(value) < 10**6 else None
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,4}(?:\.[0-9]{1,6})?\s*", value):
        return float(value), True
    return None


@dataclass(slots=True)
class _Scan:
    objects: list[dict[str, Any]]
    is_repaired: bool = False
    is_broken: bool = False


def _scan(body: str) -> _Scan:
    """Read every object at the top level of a text."""
    scan = _Scan([])
    place = 0
    for _ in range(MAX_STARTS):
        place = body.find("{", place)
        if place < 0:
            return scan
        if not _OBJECT_START.match(body, place):
            place += 1  # a brace of prose or of LaTeX
            continue
        decoded = _decode(body, place)
        if decoded is None:
            # What begins an object and does not end as one hides what is inside it.
            scan.is_broken = True
            return scan
        value, place, is_repaired = decoded
        scan.is_repaired |= is_repaired
        scan.objects.append(value)
    scan.is_broken = True
    return scan


def _decode(body: str, place: int) -> tuple[dict[str, Any], int, bool] | None:
    attempts = (
        (body, True, False),
        (body, False, True),
        (body[:place] + _drop_trailing_commas(body[place:]), False, True),
    )
    for text, is_strict, is_repaired in attempts:
        decoder = json.JSONDecoder(
            object_pairs_hook=_read_pairs, parse_constant=_refuse_constant, strict=is_strict
        )
        try:
            value, end = decoder.raw_decode(text, place)
        except _Refused:
            return None
        except (ValueError, RecursionError):
            continue
        if text is not body:
            end = len(body) - (len(text) - end)
        return value, end, is_repaired
    return None


def _drop_trailing_commas(text: str) -> str:
    # Blanks keep every offset where it was.
    return _TRAILING_COMMA.sub(lambda found: found[1] or " ", text)


def _read_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise _Refused("a key is given twice")
    return fields


def _refuse_constant(name: str) -> None:
    raise _Refused(f"{name} is no JSON")


def _is_no_object(body: str) -> bool:
    """Tell whether a text is JSON of another sort: an array, a number, a word."""
    try:
        return not isinstance(json.loads(body, strict=False), dict)
    except (ValueError, RecursionError):
        return False


def _bears(fields: dict[str, Any], token: str) -> bool:
    given = fields.get("id")
    return isinstance(given, str) and given.strip() == token


def _is_alone(body: str, fences: list[str]) -> bool:
    """Tell whether a text is one object and nothing else, but for a fence around it."""
    is_fenced = len(fences) == 1 and not _FENCE.sub("", body).strip()
    text = fences[0].strip() if is_fenced else body
    decoded = _decode(text, 0) if text.startswith("{") else None
    return decoded is not None and not text[decoded[1] :].strip()


def _name_path(body: str, fences: list[str]) -> str:
    if body.startswith("{") and body.endswith("}"):
        return "json"
    return "fenced" if len(fences) == 1 and "{" in fences[0] else "scanned"
