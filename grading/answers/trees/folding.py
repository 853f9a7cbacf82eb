"""
What of two trees is drawn: which edit each node shows, and what is folded into one node.

Parts that are the same in both trees are folded where the trees are large: what differs is what
one looks for. Trees are in postorder throughout, children before their parent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from phybench_grader.eed.alignment import MarkedNode, MarkedTrees, measure
from phybench_grader.eed.distance import Kind

MANY = 40
"""Nodes of both trees together from which on what is alike in both is folded."""
SMALLEST_FOLD = 4
"""Nodes that are worth folding."""
MOST = 200
"""Nodes of one tree from which on parts of it are folded, whether or not they are alike."""
LARGEST = 600
"""Nodes of one tree that a picture shows where folding does not help."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A node of a picture."""

    sign: str
    """In LaTeX."""
    children: int
    edit: Kind | None = None
    partner: str = ""
    """Of a relabelled node, the sign that it has in the other tree."""
    folded: int = 0
    """How many nodes it stands for, itself included; 0 where it is one."""
    is_alike: bool = False
    """Whether these nodes are the same in the other tree."""


def show_alone(nodes: Sequence[MarkedNode]) -> list[Shown] | None:
    """Prepare one tree without anything of the other; None where it is too large to be drawn."""
    return _limit([Shown(node.sign, node.children) for node in nodes])


def show_both(trees: MarkedTrees) -> tuple[list[Shown] | None, list[Shown] | None]:
    """Prepare both trees with their edits; None for one that is too large to be drawn."""
    answer, reference = _spread(trees.answer), _spread(trees.reference)
    pairs = _pair(answer, reference)
    for left, right in pairs:
        if answer[left].edit == "relabel":
            signs = answer[left].sign, reference[right].sign
            answer[left] = replace(answer[left], partner=signs[1])
            reference[right] = replace(reference[right], partner=signs[0])
    if len(answer) + len(reference) > MANY:
        alike = _list_alike(answer, reference, pairs)
        answer = _fold(answer, {left for left, _ in alike}, is_alike=True)
        reference = _fold(reference, {right for _, right in alike}, is_alike=True)
    return _limit(answer), _limit(reference)


def _spread(nodes: Sequence[MarkedNode]) -> list[Shown]:
    """Give what goes with a whole subtree the edit of its root."""
    shown = [Shown(node.sign, node.children, node.edit) for node in nodes]
    for place, (node, size) in enumerate(zip(nodes, measure(nodes), strict=True)):
        if node.is_whole:
            for below in range(place - size + 1, place):
                shown[below] = replace(shown[below], edit=node.edit)
    return shown


def _pair(answer: Sequence[Shown], reference: Sequence[Shown]) -> list[tuple[int, int]]:
    """Pair the nodes that stay: see `MarkedTrees`."""
    stay = (
        [place for place, node in enumerate(nodes) if node.edit in (None, "relabel")]
        for nodes in (answer, reference)
    )
    return list(zip(*stay, strict=True))


def _list_alike(
    answer: Sequence[Shown], reference: Sequence[Shown], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """List the pairs below which nothing differs."""
    sizes, other_sizes = _measure(answer), _measure(reference)
    even, other_even = _list_even(answer), _list_even(reference)
    return [
        (left, right)
        for left, right in pairs
        if answer[left].edit is None
        and sizes[left] == other_sizes[right] >= SMALLEST_FOLD
        and left in even
        and right in other_even
    ]


def _measure(nodes: Sequence[Shown]) -> list[int]:
    return measure([MarkedNode(node.sign, node.children) for node in nodes])


def _list_even(nodes: Sequence[Shown]) -> set[int]:
    """List the nodes below which all have the edit that they have, and none was relabelled."""
    even: set[int] = set()
    below: list[int] = []
    for place, node in enumerate(nodes):
        first = len(below) - node.children
        children = below[first:]
        below[first:] = [place]
        if node.edit != "relabel" and all(
            child in even and nodes[child].edit == node.edit for child in children
        ):
            even.add(place)
    return even


def _fold(nodes: Sequence[Shown], roots: set[int], *, is_alike: bool) -> list[Shown]:
    """Make one node of everything from each of these roots down."""
    kept: list[Shown] = []
    skipped = 0
    sizes = _measure(nodes)
    for place in reversed(range(len(nodes))):
        if skipped:
            skipped -= 1
            continue
        node = nodes[place]
        if place in roots:
            skipped = sizes[place] - 1
            inside = nodes[place - skipped : place + 1]
            count = sum(max(1, one.folded) for one in inside)
            node = replace(node, children=0, folded=count, is_alike=is_alike)
        kept.append(node)
    return kept[::-1]


def _limit(nodes: list[Shown]) -> list[Shown] | None:
    """Fold more and more of what is all of one kind, the smallest parts first, until it fits."""
    if len(nodes) <= MOST:
        return nodes
    sizes, even, folded = _measure(nodes), _list_even(nodes), nodes
    for limit in (2**power for power in range(2, 12)):
        roots = {place for place in even if 1 < sizes[place] <= limit}
        folded = _fold(nodes, roots, is_alike=False)
        if len(folded) <= MOST:
            break
    # What is one node says nothing.
    return folded if 1 < len(folded) <= LARGEST else None
