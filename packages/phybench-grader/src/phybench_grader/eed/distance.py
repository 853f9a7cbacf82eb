"""
The distance of two trees and the cheapest edits between them.

Zhang and Shasha's algorithm, extended by inserting and deleting whole subtrees at a discount
(arXiv 2504.16074, appendix B.1, equation 6): a subtree of size s costs s up to 5, then 0.6 s + 2.

Most wrong answers are like the reference but for a detail. So edits that would do are looked for
first, and what costs more than they do is left out: no node costs less than `DISCOUNT`, so prefixes
of two subtrees whose lengths differ by more than that allows can't lie on a cheaper way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from phybench_grader.equality.tree import Node

FULL_PRICE_SIZE = 5
"""Subtrees up to this size cost their size."""
DISCOUNT = 0.6
"""Price of each further node of a subtree."""

FULL = 100.0
"""Score of an answer equal to the reference."""
PARTIAL = 60.0
"""Score that an answer not equal to the reference falls from, as its distance grows."""

Kind = Literal["delete", "insert", "relabel"]


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit on the way from the answer to the reference; `before`, `after` in LaTeX."""

    kind: Kind
    before: str
    after: str
    price: float = 1.0


@dataclass(frozen=True, slots=True)
class PlacedEdit:
    """One edit by its nodes' places in the two trees, in postorder."""

    kind: Kind
    before: int | None
    after: int | None
    is_whole: bool = False
    """Whether all below the node goes, or comes, with it."""


def price_subtree(size: int) -> float:
    """
    Price inserting or deleting a whole subtree (equation 6).

    >>> price_subtree(5), price_subtree(10)
    (5, 8.0)
    """
    return (
        size if size <= FULL_PRICE_SIZE else DISCOUNT * (size - FULL_PRICE_SIZE) + FULL_PRICE_SIZE
    )


def score_distance(relative: float) -> float:
    """
    Score an answer not equal to the reference by how far it is, in sizes of the reference.

    >>> score_distance(0.25), score_distance(0.7)
    (35.0, 0.0)
    """
    return max(0.0, PARTIAL - FULL * relative)


Label = tuple[str, str]
Shape = tuple[Label, tuple[int, ...]]
"""A node's label and the numbers of the shapes below it."""
Step = tuple[int, int, float, Label, int]
"""A column, the one before its subtree, its price, its label and its shape."""


class Side:
    """One tree in postorder, as the algorithm wants it."""

    def __init__(self, root: Node, shapes: dict[Shape, int]) -> None:
        self.nodes = list(root.walk())
        self.labels = [(node.kind, node.label) for node in self.nodes]
        self.prices = [price_subtree(node.size) for node in self.nodes]
        # The leftmost leaf below each node, and the nodes that are not leftmost children.
        self.leftmost = [index - node.size + 1 for index, node in enumerate(self.nodes)]
        last = {leaf: index for index, leaf in enumerate(self.leftmost)}
        self.keyroots = sorted(last.values())
        self.shapes = self._number_shapes(shapes)

    def _number_shapes(self, shapes: dict[Shape, int]) -> list[int]:
        """Give each node a number, the same for nodes with the same below them."""
        numbers: list[int] = []
        below: list[int] = []
        for node, label in zip(self.nodes, self.labels, strict=True):
            first = len(below) - len(node.children)
            shape = (label, tuple(below[first:]))
            del below[first:]
            below.append(shapes.setdefault(shape, len(shapes)))
            numbers.append(below[-1])
        return numbers

    def list_children(self, index: int) -> list[int]:
        """List the children of a node, in their order."""
        children = []
        child = index - 1
        while child >= self.leftmost[index]:
            children.append(child)
            child = self.leftmost[child] - 1
        return children[::-1]

    def list_new_keyroots(self, met: set[int]) -> Iterator[int]:
        """
        List the keyroots, leaving out those like what an earlier one has at its left edge.

        Those shapes are `met`; the ones that this yields are added.
        """
        for keyroot in self.keyroots:
            if self.shapes[keyroot] not in met:
                yield keyroot
                edge = self.leftmost[keyroot]
                met.update(
                    self.shapes[index]
                    for index in range(edge, keyroot + 1)
                    if self.leftmost[index] == edge
                )


class Distance:
    """
    The distance from one tree to another: all pairs of subtrees, smallest first.

    `nearest` is the distance from a third tree to that other one. What was learnt there is used
    again, and this distance is right if it is smaller; if not, it only comes out as no smaller.
    """

    def __init__(self, before: Node, after: Node, nearest: Distance | None = None) -> None:
        self.shapes: dict[Shape, int] = {} if nearest is None else nearest.shapes
        self.after: Side = Side(after, self.shapes) if nearest is None else nearest.after
        self.before = Side(before, self.shapes)
        roots = len(self.before.nodes) - 1, len(self.after.nodes) - 1
        enough = self._find_enough(*roots)
        if nearest is not None:
            enough = min(enough, nearest.total)
        # Prefixes further apart in length than this are not looked at.
        self.reach = int(enough / DISCOUNT) + 1
        # By shape, for a formula repeats itself: each pair of different subtrees is met once.
        self.met: set[int] = set() if nearest is None else nearest.met
        self.between: list[list[float]] = [] if nearest is None else nearest.between
        width = max(self.after.shapes) + 1
        self.between += [[math.inf] * width for _ in range(len(self.between), len(self.shapes))]
        columns = list(self.after.list_new_keyroots(set()))
        for left in self.before.list_new_keyroots(self.met):
            for right in columns:
                self._measure_forests(left, right)

    @property
    def total(self) -> float:
        """The distance of the whole trees."""
        return self.between[self.before.shapes[-1]][self.after.shapes[-1]]

    def _find_enough(self, left: int, right: int) -> float:
        """Find what is enough to make one subtree the other, going down both side by side."""
        one, two = self.before, self.after
        if one.shapes[left] == two.shapes[right]:
            return 0
        lefts, rights = one.list_children(left), two.list_children(right)
        while lefts and rights and one.shapes[lefts[0]] == two.shapes[rights[0]]:
            del lefts[0], rights[0]
        while lefts and rights and one.shapes[lefts[-1]] == two.shapes[rights[-1]]:
            del lefts[-1], rights[-1]
        shared = min(len(lefts), len(rights))
        return min(
            one.prices[left] + two.prices[right],
            (one.labels[left] != two.labels[right])
            + sum(map(self._find_enough, lefts, rights))
            + sum(one.prices[index] for index in lefts[shared:])
            + sum(two.prices[index] for index in rights[shared:]),
        )

    def _measure_forests(self, left: int, right: int) -> list[list[float]]:
        """Fill in the distances of all prefixes of two subtrees; row and column 0 are empty."""
        one, two = self.before, self.after
        start, begin = one.leftmost[left], two.leftmost[right]
        rows, columns = left - start + 2, right - begin + 2
        backs = [edge - begin for edge in two.leftmost[begin : right + 1]]
        prices = two.prices[begin : right + 1]
        first = [0.0]
        for back, price in zip(backs, prices, strict=True):
            first.append(min(first[-1] + 1, first[back] + price))
        table = [first]
        steps = list(
            zip(
                range(1, columns),
                backs,
                prices,
                two.labels[begin : right + 1],
                two.shapes[begin : right + 1],
                strict=True,
            )
        )
        for row in range(1, rows):
            node = start + row - 1
            self._fill_row(table, node, one.leftmost[node] - start, steps)
        return table

    def _fill_row(
        self, table: list[list[float]], node: int, across: int, steps: list[Step]
    ) -> None:
        """Add the row of one node; most of the time of a distance is spent here."""
        row, columns = len(table), len(steps) + 1
        begin = min(max(row - self.reach, 1), columns)
        steps = steps[begin - 1 : row + self.reach]
        above, jumped = table[-1], table[across]
        price, label = self.before.prices[node], self.before.labels[node]
        distances = self.between[self.before.shapes[node]]
        last = min(above[0] + 1, jumped[0] + price)
        here = [last] + [math.inf] * (begin - 1)
        if begin > 1:
            last = math.inf
        for column, back, other_price, other_label, shape in steps:
            # Comparing by hand takes half the time of `min`.
            best = last + 1
            if (cost := above[column] + 1) < best:
                best = cost
            if (cost := jumped[column] + price) < best:
                best = cost
            if (cost := here[back] + other_price) < best:
                best = cost
            if across == 0 and back == 0:
                if (cost := above[column - 1] + (label != other_label)) < best:
                    best = cost
                # Another tree may have been looked at with a longer reach.
                if best < distances[shape]:
                    distances[shape] = best
            elif (cost := jumped[back] + distances[shape]) < best:
                best = cost
            here.append(best)
            last = best
        table.append(here + [math.inf] * (columns - len(here)))

    def list_edits(self) -> list[Edit]:
        """List the cheapest edits, in the order of the answer's tree."""
        return [self._write(edit) for edit in self.placed]

    def _write(self, edit: PlacedEdit) -> Edit:
        before = None if edit.before is None else self.before.nodes[edit.before]
        after = None if edit.after is None else self.after.nodes[edit.after]
        if edit.is_whole:
            price = sum(price_subtree(node.size) for node in (before, after) if node)
            return Edit(edit.kind, _write_whole(before), _write_whole(after), price)
        return Edit(edit.kind, _write_sign(before), _write_sign(after))

    @cached_property
    def placed(self) -> list[PlacedEdit]:
        """The cheapest edits by where they are, in the order of the answer's tree."""
        edits: list[PlacedEdit] = []
        pairs = [(len(self.before.nodes) - 1, len(self.after.nodes) - 1)]
        while pairs:
            self._trace(*pairs.pop(), pairs, edits)
        return edits[::-1]

    def _trace(
        self, left: int, right: int, pairs: list[tuple[int, int]], edits: list[PlacedEdit]
    ) -> None:
        """Walk back through the table of two subtrees; matched inner subtrees go to `pairs`."""
        one, two = self.before, self.after
        start, begin = one.leftmost[left], two.leftmost[right]
        table = self._measure_forests(left, right)
        row, column = left - start + 1, right - begin + 1
        while row or column:
            cost = table[row][column]
            source, target = start + row - 1, begin + column - 1
            across = one.leftmost[source] - start if row else 0
            back = two.leftmost[target] - begin if column else 0
            if row and _same(cost, table[across][column] + one.prices[source]):
                edits.append(PlacedEdit("delete", source, None, is_whole=True))
                row = across
            elif column and _same(cost, table[row][back] + two.prices[target]):
                edits.append(PlacedEdit("insert", None, target, is_whole=True))
                column = back
            elif row and _same(cost, table[row - 1][column] + 1):
                edits.append(PlacedEdit("delete", source, None))
                row -= 1
            elif column and _same(cost, table[row][column - 1] + 1):
                edits.append(PlacedEdit("insert", None, target))
                column -= 1
            elif across == 0 and back == 0:
                if one.labels[source] != two.labels[target]:
                    edits.append(PlacedEdit("relabel", source, target))
                row, column = row - 1, column - 1
            else:
                pairs.append((source, target))
                row, column = across, back


def _same(left: float, right: float) -> bool:
    return abs(left - right) < 1e-9


def _write_sign(node: Node | None) -> str:
    return node.write_sign() if node else ""


def _write_whole(node: Node | None) -> str:
    return node.write_whole() if node else ""
