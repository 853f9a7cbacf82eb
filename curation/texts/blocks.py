"""The blocks of a text, each rendered, with the passages marked that somebody speaks of."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from django.utils.safestring import SafeString

from curation.texts.passages import mark
from curation.texts.rendering import clean, render_apart

OPEN, CLOSE = "\ue010", "\ue011"
"""Stand in a source for the ends of a passage while it is rendered; nothing means them."""
_FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+\$|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)
_WHERE_NONE_MAY_BE = re.compile(
    rf'<[^>]*[{OPEN}{CLOSE}][^>]*>|class="math[^>]*>[^<]*[{OPEN}{CLOSE}]'
)
_TAG = re.compile(r"<(/?)(\w+)[^>]*>")
_EMPTY = {"br", "hr"}
TRIED = 12
"""Passages that are tried one by one, each with all of the text: the rest by their whole blocks."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list, a formula of its own: what a reader can point at without a mouse."""

    text: str
    start: int
    end: int
    html: SafeString
    is_marked: bool = False
    """Whether a passage is spoken of that could not be marked within it."""


def list_blocks(text: str, marked: Collection[tuple[int, int]] = ()) -> list[Block]:
    r"""
    Return the blocks of a text, rendered, with their places in the source.

    Args:
        marked: passages, from and up to, that are marked where they stand; one that begins or ends
            within a formula with all of it, one whose ends stand apart by its whole block.

    >>> [block.text for block in list_blocks("A ball.\n\n$$\nm\n$$\n\n- a\n- b\n")]
    ['A ball.', '$$\nm\n$$', '- a\n- b']
    >>> list_blocks("A **big** ball.", [(4, 14)])[0].is_marked
    True
    >>> str(list_blocks("A big ball.", [(2, 5)])[0].html)
    '<p>A <mark>big</mark> ball.</p>\n'
    """
    lines = text.split("\n")
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line) + 1)
    apart = render_apart(text)
    wanted = {place: _widen(text, *place) for place in marked}
    shown, unmarked = _mark_all(text, [html for _lines, html in apart], wanted)
    blocks = []
    for ((first, last), _plain), html in zip(apart, shown, strict=True):
        found = mark(text, begins[first], begins[min(last, len(lines))])
        if found.quote:
            is_marked = any(start < found.end and end > found.start for start, end in unmarked)
            safe = clean(html, with_marks="<mark>" in html)
            blocks.append(Block(found.quote, found.start, found.end, safe, is_marked))
    return blocks


def _widen(text: str, start: int, end: int) -> tuple[int, int]:
    """Move the ends of a passage out of the formulas that they stand in."""
    for formula in _FORMULA.finditer(text):
        first, last = formula.span()
        if first < start < last:
            start = first
        if first < end < last:
            end = last
    return start, end


def _mark_all(
    text: str, plain: list[str], wanted: dict[tuple[int, int], tuple[int, int]]
) -> tuple[list[str], list[tuple[int, int]]]:
    """Mark what can be: all at once, or each of the first that can be beside those before it."""
    if OPEN in text or CLOSE in text:
        return plain, list(wanted)
    if (shown := _try_to_mark(text, plain, wanted.values())) is not None:
        return shown, []
    kept: list[tuple[int, int]] = []
    unmarked = []
    shown = plain
    for number, (place, widened) in enumerate(wanted.items()):
        tried = _try_to_mark(text, plain, [*kept, widened]) if number < TRIED else None
        if tried is None:
            unmarked.append(place)
        else:
            kept.append(widened)
            shown = tried
    return shown, unmarked


def _try_to_mark(
    text: str, plain: list[str], places: Collection[tuple[int, int]]
) -> list[str] | None:
    """Return the blocks with marks, or None where those would change anything else."""
    ends = sorted(
        [(end, CLOSE) for _start, end in places] + [(start, OPEN) for start, _end in places],
        # What ends where another begins ends first.
        key=lambda one: (one[0], one[1] == OPEN),
    )
    pieces, before = [], 0
    for place, sign in ends:
        pieces += [text[before:place], sign]
        before = place
    marked = [html for _lines, html in render_apart("".join([*pieces, text[before:]]))]
    if [html.translate({ord(OPEN): None, ord(CLOSE): None}) for html in marked] != plain:
        return None
    shown = [_write_marks(html) for html in marked]
    return None if any(html is None for html in shown) else [html for html in shown if html]


def _write_marks(html: str) -> str | None:
    if OPEN not in html and CLOSE not in html:
        return html
    if _WHERE_NONE_MAY_BE.search(html):
        return None
    written, depth, before = [], 0, 0
    for sign in re.finditer(f"[{OPEN}{CLOSE}]", html):
        is_opening = sign.group() == OPEN
        within = html[before : sign.start()]
        if depth and not _is_balanced(within):
            return None
        written.append(within)
        depth += 1 if is_opening else -1
        if depth == (1 if is_opening else 0):
            written.append("<mark>" if is_opening else "</mark>")
        before = sign.end()
    if depth:
        return None
    return "".join([*written, html[before:]])


def _is_balanced(html: str) -> bool:
    """Whether each element that begins here ends here."""
    within: list[str] = []
    for closing, name in _TAG.findall(html):
        if name in _EMPTY:
            continue
        if not closing:
            within.append(name)
        elif not within or within.pop() != name:
            return False
    return not within
