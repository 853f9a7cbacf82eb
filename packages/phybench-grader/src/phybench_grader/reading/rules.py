"""
The rules that a problem's reference answer and statement keep: one list, with what to do.

They bind whoever writes a problem; `examine` applies them. Grading goes by any reference that can
be read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.ambiguity import Choices
from phybench_grader.reading.formulas import find_formulas, list_formulas
from phybench_grader.reading.lexer import split_tokens
from phybench_grader.reading.lookalikes import find_control_characters
from phybench_grader.reading.names import Declared, Names
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.stream import Stream
from phybench_grader.reading.usage import find_units

_IMAGE = re.compile(
    r"!\[[^\]]*\]\s*(?:\([^)\n]*|\[)|<\s*(?:img|svg|figure)\b|data:image/"
    r"|\\includegraphics(?:\s*\[[^\]\n]*\])?(?:\s*\{[^}\n]*\}?)?",
    re.I,
)
_LINK = re.compile(
    r"https?://\S{1,2000}?\.(?:png|jpe?g|gif|svg|webp|bmp|pdf|tiff?)\b"
    r"|\]\([^)]*\.(?:png|jpe?g|gif|svg)\b",
    re.I,
)
_FIGURES_NAMED = (
    # What a reader is sent to.
    r"\b(?:see|shown in|as in|refer to|from|in)\s+(?:the\s+)?"
    r"(?:following\s+|above\s+|attached\s+|accompanying\s+)?"
    r"(?:figures?|fig\.|diagrams?|sketch(?:es)?|drawings?|graphs?|plots?|(?:pictures?|images?))"
    # Of optics, of charges and of a method, these words are no drawing.
    r"(?!\s+(?:of|plane|space|side|point|distance|height|charges?|method)\b)(?![A-Za-z])",
    r"\b(?:figure|fig\.)\s*(?:\d|below|above|shows|illustrates|depicts|opposite)",
    # “The picture on the left wall” hangs there.
    r"\b(?:figure|diagram|sketch|drawing|graph|plot|schematic|picture|illustration)s?\s+"
    r"(?:on|to|at)\s+the\s+(?:right|left)(?=\s*(?:[,.;:)]|$)|\s+(?:is|shows|illustrates|depicts)\b)",
    r"\b(?:diagram|sketch|drawing|graph|plot|schematic|picture|illustration)s?\s+"
    r"(?:below|above|opposite|overleaf|shows?|shown|illustrates?|depicts?)\b",
    # “The circuit above 10 kHz” and “the apparatus below the table” show nothing.
    r"\b(?:circuit|set-?up|apparatus|arrangement|configuration|image)\s+"
    r"(?:(?:shown|pictured|depicted)(?!\s+to\b)|(?:below|above)(?=\s*(?:[,.;:)]|$)|\s+(?:is|has|consists|shows)\b))",
    r"\b(?:shown|plotted|drawn|sketched|illustrated|depicted)\s+(?:below|opposite)"
    r"(?!\s+(?:that|to)\b)|\bas\s+pictured\b|\bpictured\s+(?:below|above|here)\b",
    # German, French, Spanish, Russian.
    r"\b(?:siehe|vgl\.|wie in|in)\s+(?:der\s+|dem\s+)?(?:Abbildung|Abb\.|Skizze|Zeichnung)"
    r"|\bAbb(?:ildung|\.)\s*\d",
    r"\b(?:voir|sur|dans)\s+(?:la\s+)?figure\b|\b(?:figure|schéma|circuit)\s+ci-\w+",
    r"\b(?:ver|en|véase)\s+(?:la\s+)?figura\b|\bfigura\s*\d",
    r"\bна\s+рисунке\b|\bрис\.\s*\d|\bсм\.\s*рис",
    # Chinese and Japanese, which put no space between words. In a phase diagram and in one of p
    # and V something may be without being drawn.
    r"如[上下左右附]?图|(?<![意企试地视相A-Za-z$])图中|题图|示意图|[上下左右附]图|[见由从]图|"
    r"图示|图\s*[\d一二三四五六]|图所示",
    r"[上下左右]図|図\s*\d|図[のにで]",
)
_FIGURE = re.compile("|".join(_FIGURES_NAMED), re.I | re.M)
_HTML = re.compile(
    r"</?(?:a|abbr|b|blockquote|br|center|code|div|em|font|h[1-6]|hr|i|iframe|li|object|ol|p|pre|s|"
    r"script|small|span|strong|style|sub|sup|table|tbody|td|th|tr|u|ul|video)\b[^<>$]*>",
    re.I,
)
_DOLLARS = re.compile(r"\\\$|`[^`\n]*`|(\$\$?)")
KNOWN_CONSTANTS = frozenset({"c", "G", "h", "hbar", "k_B", "varepsilon_0", "mu_0", "g", "N_A"})
"""Symbols that need no introduction."""

_UPRIGHT = ("mathrm", "text", "operatorname", "rm")
_CONSTANTS = frozenset({"e", "i", "d"})
"""Upright, these are Euler's number, the imaginary unit and the sign of a differential."""


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A rule not kept, with the place in the answer (or in the statement)."""

    code: str
    message: Sentence | str
    """A text, of a rule that is not the core's, is in the reader's language already."""
    start: int
    end: int


def list_symbols(
    statement: str, *, declared: Collection[str] = (), counts_upright: bool = True
) -> set[str]:
    r"""
    List the names of all symbols in a statement's mathematics, readable or not.

    The base of an exponential, its imaginary unit and the d of a differential are none. Upright
    letters may be symbols or units: whether they count is for the caller to say.

    >>> sorted(list_symbols(r"From $\mathrm{e}^{-r/a}$ and $e^{i k x}$, $5\,\mathrm{kg}$"))
    ['a', 'k', 'mathrm{kg}', 'r', 'x']
    """
    known = Declared(declared)
    names: set[str] = set()
    for formula in list_formulas(statement):
        # `{R}_{1}` is R_1 with more braces than it needs.
        names |= _list_symbols_in(_BRACED.sub(r"\1", formula), known, counts_upright)
    if counts_upright:
        # Whoever introduces a vector may mean its size by the bare letter.
        names |= {_VECTOR.sub(r"\1", name) for name in names}
    return names


_BRACED = re.compile(r"(?<![A-Za-z_^{])\{{1,8}\s*(\\?[A-Za-z]+)\s*\}{1,8}(?=\s*[_'])")
_VECTOR = re.compile(r"^vec\{([^{}]+)\}")


def _list_symbols_in(text: str, declared: Declared, counts_upright: bool) -> set[str]:
    names: set[str] = set()
    try:
        tokens = split_tokens(text)
    except Unreadable:
        return names
    stream = Stream(text, tokens)
    reader = Names(stream, declared, Choices())
    while not stream.sees("end"):
        here = stream.position
        try:
            if (compound := reader.read_declared()) is not None:
                names.add(compound)
            elif stream.sees_command(*_UPRIGHT):
                upright = _list_upright(stream)
                names |= upright if counts_upright else set()
            elif (exponent := _take_exponential(stream)) is not None:
                names |= _list_symbols_in(exponent, declared, counts_upright) - {"i"}
            elif reader.starts():
                names.add(reader.read())
            else:
                stream.take()
        except Unreadable:
            stream.position = here + 1
    return names - find_units(tokens)


def _list_upright(stream: Stream) -> set[str]:
    r"""Take a `\mathrm{…}` off the stream, and return the symbol that it may be."""
    stream.take()
    if not stream.sees("{"):
        return set()
    start, end = stream.position, stream.find_closer(stream.position)
    inside = stream.tokens[start + 1 : end]
    stream.position = end + 1
    word = "".join(token.text for token in inside)
    if word in _CONSTANTS or any(token.kind != "letter" for token in inside) or not word:
        return set()
    return {word} if len(word) == 1 else {f"mathrm{{{word}}}"}


def _take_exponential(stream: Stream) -> str | None:
    """Take `e^{…}` off the stream and return its exponent, unless that is a whole number."""
    here, tokens = stream.position, stream.tokens
    if tokens[here].text != "e" or tokens[here + 1].kind != "^":
        return None
    if tokens[here + 2].kind == "{":
        end = stream.find_closer(here + 2)
        first, last = here + 3, end - 1
    else:
        end = first = last = here + 2
    if first > last or (first == last and tokens[first].kind in {"number", "end"}):
        return None
    stream.position = end + 1
    return stream.text[tokens[first].start : tokens[last].end]


def check_statement(statement: str) -> list[BrokenRule]:
    """
    List the rules that a statement breaks.

    >>> [rule.code for rule in check_statement("As shown in the figure, a rod …")]
    ['figure']
    """
    found = _find(statement, {"figure": _FIGURE})
    return sorted([*found, *check_solution(statement)], key=lambda rule: rule.start)


def check_solution(text: str) -> list[BrokenRule]:
    r"""
    List the rules that any text beside an answer breaks, a solution as well as a statement.

    >>> [rule.code for rule in check_solution("<b>So</b> $x = 1$ and $y")]
    ['html', 'html', 'dollar']
    """
    patterns = {"image": _IMAGE, "figure_link": _LINK, "html": _HTML}
    return [*_find(text, patterns), *_find_lonely_dollar(text), *find_eaten_escapes(text)]


def _find(text: str, patterns: Mapping[str, re.Pattern[str]]) -> list[BrokenRule]:
    return [
        BrokenRule(code, Sentence(code), match.start(), match.end())
        for code, pattern in patterns.items()
        for match in pattern.finditer(text)
    ]


def _find_lonely_dollar(text: str) -> list[BrokenRule]:
    """Find the dollar sign that opens a formula which nothing closes."""
    opened: re.Match[str] | None = None
    for match in _DOLLARS.finditer(text):
        if not match[1]:
            continue
        if opened is None:
            opened = match
        elif opened[1] == match[1] or opened[1] == "$":
            opened = None
    if opened is None:
        return []
    return [BrokenRule("dollar", Sentence("dollar"), opened.start(1), opened.end(1))]


def find_eaten_escapes(text: str) -> list[BrokenRule]:
    r"""
    List the control characters in a text's formulas.

    >>> [rule.start for rule in find_eaten_escapes("The angle $\\theta$ and $\theta$.")]
    [24]
    """
    return [
        BrokenRule("control_character", message, place + start, place + end)
        for place, formula, _content in find_formulas(text)
        for start, end, message in find_control_characters(formula)
    ]
