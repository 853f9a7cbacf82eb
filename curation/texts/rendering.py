"""
Markdown with mathematics to HTML that is safe to show, whoever wrote it.

The mathematics itself stays TeX, in elements that `static/js/math.js` draws.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from importlib import import_module
from typing import Any

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.dollarmath.index import math_block_dollar

MAX_CHARACTERS = 20_000
"""More than this of one text is not shown; forms refuse it before."""

# The library fills a table up with 65,536 empty cells: a second of work for a few signs.
vars(import_module("markdown_it.rules_block.table"))["MAX_AUTOCOMPLETED_CELLS"] = 2_000

TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li"),
    *("h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "a", "span", "div"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
CLASSES = {"span": {"math", "inline", "block", "together"}, "div": {"math", "block"}}
SCHEMES = {"http", "https", "mailto"}

_CLOSING = r"(?:&\w{2,4};|[^\s\w<>&(\[{“‘«（「『《])"
# What opens, a short formula, and what may not begin the line after it: punctuation, “th”, “’s”.
_TOUCHING = re.compile(
    r"((?<![A-Za-z0-9])[(\[{“‘«（「『《]|&quot;)?"
    r'(<span class="math inline">[^<]{1,24}</span>)'
    rf"({_CLOSING}{{0,3}}(?:[a-z]{{1,2}}(?!\w){_CLOSING}{{0,2}})?)"
)

BlockRule = Callable[[StateBlock, int, int, bool], bool]
_ESCAPED_BRACKETS = {r"\(": (r"\)", "math_inline"), r"\[": (r"\]", "math_inline_double")}


def render_markdown(text: str) -> SafeString:
    """Render a statement, a solution or a comment."""
    return _clean(_parser().render(_cut(text)))


def render_line(text: str) -> SafeString:
    """Render a message that quotes formulas: nothing else in it is markup."""
    return _clean(_line_parser().renderInline(_cut(text)))


def parse(text: str) -> list[Token]:
    """Return what a text consists of, as it is rendered; `math_…` tokens are its formulas."""
    return _parser().parse(_cut(text))


def render_apart(text: str) -> list[tuple[tuple[int, int], str]]:
    """
    Render a text block by block: the lines of each, from and up to, and what was made of them.

    It is not cleaned yet: see `clean`.
    """
    parser = _parser()
    env: dict[str, Any] = {}
    tokens = parser.parse(_cut(text), env)
    blocks, begin = [], 0
    for place, token in enumerate(tokens, start=1):
        if token.level == 0 and token.nesting <= 0:
            lines = tokens[begin].map
            html = parser.renderer.render(tokens[begin:place], parser.options, env)
            begin = place
            if lines is not None:
                blocks.append(((lines[0], lines[1]), str(html)))
    return blocks


def clean(html: str, *, with_marks: bool = False) -> SafeString:
    """Make what was rendered safe to show, with the marks that were put into it, if any."""
    return _clean(html, TAGS | {"mark"} if with_marks else TAGS)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else text[:MAX_CHARACTERS] + " …"


def _clean(html: str, tags: set[str] = TAGS) -> SafeString:
    cleaned = nh3.clean(
        _TOUCHING.sub(_hold_together, html),
        tags=tags,
        attributes=ATTRIBUTES,
        allowed_classes=CLASSES,
        url_schemes=SCHEMES,
        link_rel="nofollow noopener",
    )
    return mark_safe(cleaned)


def _hold_together(found: re.Match[str]) -> str:
    """
    Put a formula and what touches it into one box, which moves to the next line as a whole.

    Browsers break lines at a formula's ends, before a full stop too. A long one is left as it is:
    it breaks within, and held together it would leave a hole at the end of the line before.
    """
    before, formula, after = found.groups(default="")
    if not before and not after:
        return formula
    return f'<span class="together">{before}{formula}{after}</span>'


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.disable(["image", "html_block", "html_inline"])
    parser.core.ruler.push("lower_headings", _lower_headings)
    return _teach_mathematics(parser)


@lru_cache(maxsize=1)
def _line_parser() -> MarkdownIt:
    return _teach_mathematics(MarkdownIt("zero"))


def _teach_mathematics(parser: MarkdownIt) -> MarkdownIt:
    dollarmath_plugin(parser, allow_labels=False, double_inline=True, allow_blank_lines=True)
    read_dollars = math_block_dollar(allow_labels=False, allow_blank_lines=True)
    parser.block.ruler.at("math_block", _remember_unclosed(read_dollars))
    parser.inline.ruler.before("escape", "math_brackets", _read_inline_brackets)
    parser.block.ruler.before(
        "fence", "math_block_brackets", _read_block_brackets, {"alt": ["paragraph"]}
    )
    parser.enable(["math_inline", "math_block", "math_brackets", "math_block_brackets"])
    parser.add_render_rule("math_inline", _write("span", "math inline"))
    # Within a paragraph, where a div may not stand.
    parser.add_render_rule("math_inline_double", _write("span", "math block"))
    parser.add_render_rule("math_block", _write("div", "math block"))
    return parser


def _write(tag: str, classes: str) -> Callable[..., str]:
    def render(
        self: RendererProtocol,
        tokens: Sequence[Token],
        index: int,
        options: OptionsDict,
        env: EnvType,
    ) -> str:
        return f'<{tag} class="{classes}">{escape(tokens[index].content.strip())}</{tag}>'

    return render


def _read_inline_brackets(state: StateInline, silent: bool) -> bool:
    r"""Read `\(…\)` and `\[…\]`, which Markdown would take for escaped brackets."""
    opening = state.src[state.pos : state.pos + 2]
    if opening not in _ESCAPED_BRACKETS:
        return False
    closing, kind = _ESCAPED_BRACKETS[opening]
    end = state.src.find(closing, state.pos + 2, state.posMax)
    if end < 0 or not state.src[state.pos + 2 : end].strip():
        return False
    if not silent:
        token = state.push(kind, "math", 0)
        token.content = state.src[state.pos + 2 : end]
        token.markup = opening
    state.pos = end + 2
    return True


def _read_block_brackets(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    r"""Read a `\[` that begins a line, up to the `\]` that ends one, whatever lies between."""
    if state.is_code_block(start) or not _line(state, start).startswith(r"\["):
        return False
    # Not line by line: of many that open, and none that closes, each would look at all after it.
    closing = state.src.find(r"\]", state.bMarks[start])
    last = bisect_right(state.eMarks, closing)
    if closing < 0 or last >= end:
        return False
    line = _line(state, last)
    if not line.endswith(r"\]") or line.count(r"\]") > 1:
        return False
    if silent:
        return True
    lines = [_line(state, number) for number in range(start, last + 1)]
    token = state.push("math_block", "math", 0)
    token.block = True
    token.content = "\n".join(lines)[2:-2]
    token.map = [start, last + 1]
    token.markup = r"\["
    state.line = last + 1
    return True


def _remember_unclosed(read: BlockRule) -> BlockRule:
    """Look only once for what closes a `$$`: the plugin's rule looks anew from each that opens."""

    def read_once(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        line = _line(state, start)
        if not line.startswith("$$") or "$$" in line[2:]:
            return read(state, start, end, silent)
        unclosed = state.env.setdefault("unclosed", {})
        # What begins later, and ends where that did, meets nothing either.
        if start >= unclosed.get(end, start + 1):
            return False
        is_read = read(state, start, end, silent)
        if not is_read:
            unclosed[end] = start
        return is_read

    return read_once


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].strip()


def _lower_headings(state: StateCore) -> None:
    """Put a text's headings below those of the page that shows it."""
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1]) + 3)}"
