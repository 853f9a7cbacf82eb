"""
Where the nodes of a tree stand, drawn tidily from the root down.

The rules are those of Reingold and Tilford (“Tidier Drawings of Trees”, IEEE Transactions on
Software Engineering SE-7, 1981): nodes of one level stand on one line, a parent stands midway
between its first and last child, subtrees of the same shape are drawn alike, and subtrees stand as
close to one another as their outlines allow. Unlike there, nodes have widths.

All lengths are in pixels. No recursion: a tree may be a chain of any length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

GAP = 7.0
"""Room between two nodes that stand side by side."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of a tree's nodes, in the order in which they were given."""

    centres: tuple[float, ...]
    """Of each node, from the left edge."""
    levels: tuple[int, ...]
    """How many nodes stand above each one."""
    parents: tuple[int | None, ...]
    width: float


@dataclass(slots=True)
class _Outline:
    """How far a subtree reaches to both sides of its root, level by level."""

    left: list[float]
    right: list[float]

    def find_room(self, other: _Outline) -> float:
        """Find how far right of this one another must stand to keep the gap at every level."""
        levels = zip(self.right, other.left, strict=False)
        return max(right - left for right, left in levels) + GAP

    def add(self, other: _Outline, distance: float) -> None:
        """Take in another that stands so far to the right."""
        self.left += [distance + edge for edge in other.left[len(self.left) :]]
        beyond = self.right[len(other.right) :]
        self.right = [distance + edge for edge in other.right] + beyond

    def put_below(self, distance: float, width: float) -> None:
        """Put a node on top, so far to the right of what was the root."""
        self.left = [-width / 2, *(edge - distance for edge in self.left)]
        self.right = [width / 2, *(edge - distance for edge in self.right)]


def lay_out(children: Sequence[int], widths: Sequence[float]) -> Layout:
    """
    Lay a tree out.

    Args:
        children: how many each node has, children before their parent.
        widths: of each node.

    >>> lay_out([0, 0, 2], [20, 20, 20]).centres
    (10.0, 37.0, 23.5)
    """
    places: list[float] = [0.0] * len(children)
    parents: list[int | None] = [None] * len(children)
    waiting: list[tuple[int, _Outline]] = []
    for node, (count, width) in enumerate(zip(children, widths, strict=True)):
        below = waiting[len(waiting) - count :]
        del waiting[len(waiting) - count :]
        outline = _Outline([], [])
        for child, added in below:
            parents[child] = node
            places[child] = outline.find_room(added) if outline.right else 0.0
            outline.add(added, places[child])
        middle = (places[below[0][0]] + places[below[-1][0]]) / 2 if below else 0.0
        for child, _ in below:
            places[child] -= middle
        outline.put_below(middle, width)
        waiting.append((node, outline))
    [(_, outline)] = waiting
    left, right = min(outline.left), max(outline.right)
    centres, levels = _add_up(places, parents, -left)
    return Layout(centres, levels, tuple(parents), right - left)


def _add_up(
    places: Sequence[float], parents: Sequence[int | None], start: float
) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Turn places beside a parent into places beside the left edge, and count levels."""
    centres, levels = [start] * len(places), [0] * len(places)
    for node in reversed(range(len(places))):
        parent = parents[node]
        if parent is not None:
            centres[node] = centres[parent] + places[node]
            levels[node] = levels[parent] + 1
    return tuple(centres), tuple(levels)
