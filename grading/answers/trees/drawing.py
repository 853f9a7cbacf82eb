"""
The trees of a grade as a template draws them: shapes, edges and the same in words.

An edit is told by a colour, a shape and a word: see `templates/grading/_tree.html`. All lengths are
in pixels of the page: a picture is never scaled, so its text stays as large as it is meant.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grading.answers.trees.folding import Shown, show_alone, show_both
from grading.answers.trees.layout import Layout, lay_out
from grading.answers.trees.signs import shorten, write_sign
from phybench_grader.eed.alignment import MarkedTrees

HEIGHT = 28
"""Of a node."""
LEVEL = 54
"""From one level to the next."""
NARROWEST = 26
RADII = {"insert": 14}
"""Of corners, where they are not nearly square."""
HALF_A_PAGE = 536
"""How wide pictures may be to stand side by side on a desk's screen."""
MARGIN = 4
"""Around the picture, for its lines."""
_LETTER, _WIDE_LETTER, _PADDING = 8.0, 13.5, 13.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with round corners."""

    left: float
    top: float
    width: float
    height: float
    radius: float

    @property
    def right(self) -> float:
        return round(self.left + self.width, 1)

    @property
    def bottom(self) -> float:
        return round(self.top + self.height, 1)

    @property
    def middle(self) -> float:
        return round(self.left + self.width / 2, 1)

    def shrink(self, by: float) -> Box:
        """Return the box so far within this one."""
        return Box(
            round(self.left + by, 1),
            round(self.top + by, 1),
            round(self.width - 2 * by, 1),
            round(self.height - 2 * by, 1),
            self.radius - by,
        )


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """One node: a box, and what its shape needs beside it."""

    look: str
    """plain, delete, insert, relabel or fold."""
    label: str
    title: str
    box: Box

    @property
    def inner(self) -> Box:
        """The second line of a double border."""
        return self.box.shrink(3)

    @property
    def base(self) -> float:
        """The line that its letters stand on."""
        return self.box.top + 19

    @property
    def hexagon(self) -> str:
        """The corners of a shape as wide as the box."""
        box, cut = self.box, 8
        middle = (box.top + box.bottom) / 2
        corners = [
            (box.left, middle), (box.left + cut, box.top), (box.right - cut, box.top),
            (box.right, middle), (box.right - cut, box.bottom), (box.left + cut, box.bottom),
        ]  # fmt: skip
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    look: str
    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """One item of the tree as a nested list."""

    words: str
    has_children: bool
    closes: range
    """The lists that end behind it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One tree, drawn and told."""

    width: float
    height: float
    nodes: Sequence[DrawnNode]
    edges: Sequence[DrawnEdge]
    outline: Sequence[OutlineRow]
    told: str
    """What is to be seen, in a sentence."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """What a viewer sees of a grade's trees. A tree that is too large has no picture."""

    answer: Picture | None
    reference: Picture | None = None
    is_marked: bool = False

    @property
    def are_narrow(self) -> bool:
        return all(one.width <= HALF_A_PAGE for one in (self.answer, self.reference) if one)


def draw(written: dict[str, Any], *, shows_key: bool) -> Pictures:
    """
    Draw what a grade keeps of its trees.

    Marks tell where the answer differs from the reference: they are for who may see that. With them
    the reference could be found by trying.
    """
    trees = MarkedTrees.read(written)
    if not shows_key:
        return Pictures(_draw(show_alone(trees.answer)))
    answer, reference = show_both(trees)
    return Pictures(_draw(answer), _draw(reference, is_reference=True), is_marked=True)


def _draw(nodes: Sequence[Shown] | None, *, is_reference: bool = False) -> Picture | None:
    if nodes is None:
        return None
    labels = [_label(node) for node in nodes]
    widths = [_measure_text(label) for label in labels]
    layout = lay_out([node.children for node in nodes], widths)
    words = [_say(node, is_reference=is_reference) for node in nodes]
    drawn = [
        _draw_node(node, label, said, layout.centres[place], layout.levels[place], widths[place])
        for place, (node, label, said) in enumerate(zip(nodes, labels, words, strict=True))
    ]
    return Picture(
        width=round(layout.width + 2 * MARGIN, 1),
        height=max(layout.levels) * LEVEL + HEIGHT + 2 * MARGIN,
        nodes=drawn,
        edges=_draw_edges(drawn, layout),
        outline=_outline(nodes, words),
        told=_tell(nodes),
    )


def _label(node: Shown) -> str:
    sign = shorten(write_sign(node.sign))
    return f"{sign} … {_count(node)}" if node.folded else sign


def _count(node: Shown) -> str:
    if node.is_alike:
        text = ngettext("%(count)d node matches", "%(count)d nodes match", node.folded)
    else:
        text = ngettext("%(count)d node", "%(count)d nodes", node.folded)
    return text % {"count": node.folded}


def _measure_text(label: str) -> float:
    """Estimate how wide a node must be for its letters, of any usual face."""
    letters = sum(
        0.0
        if unicodedata.combining(sign)
        else _WIDE_LETTER
        if unicodedata.east_asian_width(sign) in "WF"
        else _LETTER
        for sign in label
    )
    return max(NARROWEST, letters + _PADDING)


def _draw_node(
    node: Shown, label: str, said: str, centre: float, level: int, width: float
) -> DrawnNode:
    look = node.edit or ("fold" if node.folded else "plain")
    left, top = round(MARGIN + centre - width / 2, 1), float(MARGIN + level * LEVEL)
    return DrawnNode(look, label, said, Box(left, top, width, HEIGHT, RADII.get(look, 3)))


def _draw_edges(nodes: Sequence[DrawnNode], layout: Layout) -> list[DrawnEdge]:
    return [
        DrawnEdge(node.look, above.box.middle, above.box.bottom, node.box.middle, node.box.top)
        for node, parent in zip(nodes, layout.parents, strict=True)
        if parent is not None
        for above in [nodes[parent]]
    ]


# --- In words -------------------------------------------------------------------------------


def _say(node: Shown, *, is_reference: bool) -> str:
    """Say what a node is, and what becomes of it."""
    sign, other = write_sign(node.sign), write_sign(node.partner)
    if node.folded:
        sign = f"{sign} … {_count(node)}"
    if node.edit == "delete":
        return _("%(sign)s: deleted") % {"sign": sign}
    if node.edit == "insert":
        return _("%(sign)s: inserted") % {"sign": sign}
    if node.edit == "relabel":
        said = (
            _("%(sign)s: relabelled, %(other)s in the answer")
            if is_reference
            else _("%(sign)s: relabelled, %(other)s in the reference answer")
        )
        return said % {"sign": sign, "other": other}
    return sign


def _outline(nodes: Sequence[Shown], words: Sequence[str]) -> list[OutlineRow]:
    """Write a tree as rows of a nested list, from the root down."""
    rows: list[OutlineRow] = []
    # Of each open list, how many of its items are still to come.
    left: list[int] = []
    for place in _order_from_root(nodes):
        node, closes = nodes[place], 0
        if node.children:
            left.append(node.children)
        else:
            while left:
                left[-1] -= 1
                if left[-1]:
                    break
                left.pop()
                closes += 1
        rows.append(OutlineRow(words[place], bool(node.children), range(closes)))
    return rows


def _order_from_root(nodes: Sequence[Shown]) -> list[int]:
    """List the nodes' places, each before those below it."""
    below: list[list[int]] = []
    waiting: list[int] = []
    for place, node in enumerate(nodes):
        first = len(waiting) - node.children
        below.append(waiting[first:])
        waiting[first:] = [place]
    order: list[int] = []
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(below[order[-1]])
    return order


def _tell(nodes: Sequence[Shown]) -> str:
    text = ngettext(
        "A tree of %(count)d node under %(sign)s.",
        "A tree of %(count)d nodes under %(sign)s.",
        len(nodes),
    )
    told = [text % {"count": len(nodes), "sign": write_sign(nodes[-1].sign)}]
    for edit, said in (
        ("delete", _("Deleted: %(count)d.")),
        ("insert", _("Inserted: %(count)d.")),
        ("relabel", _("Relabelled: %(count)d.")),
    ):
        if count := sum(max(1, node.folded) for node in nodes if node.edit == edit):
            told.append(said % {"count": count})
    return " ".join(told)
