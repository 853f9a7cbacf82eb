"""
The two trees that a distance was measured between, with the edits on their nodes.

This is what of a distance is kept with a grade: enough to draw both trees exactly as they were
compared, and to add the edits up again (arXiv 2504.16074, appendix B.1, equation 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy

from phybench_grader.eed.distance import Distance, Kind, PlacedEdit, price_subtree
from phybench_grader.equality.tree import Node

_CODES: dict[tuple[Kind | None, bool], str] = {
    (None, False): "",
    ("delete", False): "-",
    ("delete", True): "--",
    ("insert", False): "+",
    ("insert", True): "++",
    ("relabel", False): "~",
}
_MEANINGS = {code: meaning for meaning, code in _CODES.items()}


@dataclass(frozen=True, slots=True)
class MarkedNode:
    """One node of a tree, and what becomes of it."""

    sign: str
    """It alone, in LaTeX."""
    children: int
    edit: Kind | None = None
    is_whole: bool = False
    """Whether all below it goes, or comes, with it; the nodes there have no edit of their own."""

    def write(self) -> list[str | int]:
        """Write it in few characters: a grade keeps some dozens."""
        code = _CODES[self.edit, self.is_whole]
        return [self.sign, self.children, code] if code else [self.sign, self.children]

    @classmethod
    def read(cls, written: list[str | int]) -> MarkedNode:
        """
        Read what `write` wrote.

        >>> MarkedNode.read(["+", 2, "--"])
        MarkedNode(sign='+', children=2, edit='delete', is_whole=True)
        """
        sign, children, *code = written
        return cls(str(sign), int(children), *_MEANINGS[str(code[0]) if code else ""])


@dataclass(frozen=True, slots=True)
class MarkedTrees:
    """
    Both trees in postorder.

    The nodes that no edit deletes or inserts belong together, the first to the first: edits change
    no order.
    """

    answer: tuple[MarkedNode, ...]
    reference: tuple[MarkedNode, ...]

    def write(self) -> dict[str, list[list[str | int]]]:
        """Write them for a row."""
        return {
            "answer": [node.write() for node in self.answer],
            "reference": [node.write() for node in self.reference],
        }

    @classmethod
    def read(cls, written: dict[str, list[list[str | int]]]) -> MarkedTrees:
        """Read what a row keeps."""
        return cls(
            tuple(map(MarkedNode.read, written["answer"])),
            tuple(map(MarkedNode.read, written["reference"])),
        )

    def list_prices(self) -> list[float]:
        """List what each edit costs: a relabelled node, marked in both trees, counts once."""
        prices: list[float] = []
        for nodes in (self.answer, self.reference):
            sizes = measure(nodes)
            for node, size in zip(nodes, sizes, strict=True):
                if node.edit and not (nodes is self.reference and node.edit == "relabel"):
                    prices.append(price_subtree(size) if node.is_whole else 1)
        return prices


def measure(nodes: Sequence[MarkedNode]) -> list[int]:
    """
    Count the nodes from each one down, itself included.

    >>> measure((MarkedNode("a", 0), MarkedNode("b", 0), MarkedNode("+", 2)))
    [1, 1, 3]
    """
    sizes: list[int] = []
    roots: list[int] = []
    for node in nodes:
        first = len(roots) - node.children
        sizes.append(1 + sum(roots[first:]))
        roots[first:] = [sizes[-1]]
    return sizes


def align(distance: Distance) -> MarkedTrees:
    """Mark on both trees the edits that the distance is made of."""
    signs: dict[tuple[sympy.Basic, bool], str] = {}
    return MarkedTrees(
        _mark(distance.before.nodes, {edit.before: edit for edit in distance.placed}, signs),
        _mark(distance.after.nodes, {edit.after: edit for edit in distance.placed}, signs),
    )


def _mark(
    nodes: list[Node],
    edits: dict[int | None, PlacedEdit],
    signs: dict[tuple[sympy.Basic, bool], str],
) -> tuple[MarkedNode, ...]:
    marked = []
    for place, node in enumerate(nodes):
        # An inner node's sign says nothing of what is below it.
        alike = (node.expression.func if node.children else node.expression), bool(node.children)
        if alike not in signs:
            signs[alike] = node.write_sign()
        edit = edits.get(place)
        done = (edit.kind, edit.is_whole) if edit else (None, False)
        marked.append(MarkedNode(signs[alike], len(node.children), *done))
    return tuple(marked)
