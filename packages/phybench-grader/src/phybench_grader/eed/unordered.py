r"""
Unordered EED: the distance of two trees in which the order of terms and factors says nothing.

SymPy orders sums and products by the names of symbols, so in the paper's trees one renamed symbol
may move whole subtrees, and EED falls with it. Here the children of sums and products are matched
in the cheapest way, whatever their order. With any order the cheapest edits of two trees are
NP-hard to find (K. Zhang, R. Statman, D. Shasha, Inf. Process. Lett. 42, 133, 1992); this is the
constrained distance of K. Zhang, Algorithmica 15, 205 (1996), which takes polynomial time: what
becomes of separate subtrees stays in separate subtrees.

What is ours to decide:

- Children of powers and functions keep their order. Where a power or function meets a sum or a
  product the order on one side says nothing, and so the other side's does not either.
- Prices are EED's: 1 for a node inserted, deleted or relabelled, whatever it is, and for a whole
  subtree that goes or comes equation 6 of arXiv 2504.16074 (0.6 s + 2 for s > 5 nodes). A subtree
  is whole where nothing of it has a partner in the other tree. Zhang's recursion stays as it was,
  for a subtree's price is never more than that of its parts.
- The score is EED's: 60 - 100 r, with r the distance over the reference's size, and at most 60,
  since what is measured is an answer that was found to be wrong.
- Both trees are those that EED was measured between. Where a notation has several readings, that
  is the reading which EED found nearest.

It is never above the constrained distance of ordered trees. EED's own distance may be smaller: it
may tear a subtree apart and spread what was in it. \pi (\sqrt{x} \sqrt{y} - 1), where two of three
factors move into a sum, is 3 from \pi \sqrt{x} \sqrt{y} by EED and 5 by this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from phybench_grader.eed.alignment import MarkedNode, MarkedTrees
from phybench_grader.eed.distance import price_subtree, score_distance
from phybench_grader.equality.tree import COMMUTATIVE_SIGNS
from phybench_grader.numbers.matching import match_cheapest

UNORDERED_VERSION = "1.0"
"""Raise it with any change that can move a score."""


@dataclass(frozen=True, slots=True)
class UnorderedEED:
    """
    How far an answer's tree lies from the reference's, whatever the order of terms and factors.

    >>> UnorderedEED(distance=3, size=12).score
    35.0
    """

    distance: float
    """Of the cheapest edits that keep separate subtrees separate."""
    size: int
    """Nodes of the reference's tree."""

    @property
    def score(self) -> float:
        """Return what an answer that is wrong is worth by it, 0 to 60."""
        return score_distance(self.distance / self.size)


Label = tuple[str, bool]
"""How a node is written, and whether anything is below it."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A subtree, the same wherever it is met again with its terms or factors in another order."""

    label: Label
    children: tuple[int, ...]
    """Their numbers; sorted, where their order says nothing."""
    is_ordered: bool
    size: int
    price: float
    """Of inserting or deleting all of it."""
    below: float
    """Of inserting or deleting all that is below the node, child by child."""


class _Shapes:
    """The different subtrees of two trees, numbered so that children come before their parent."""

    def __init__(self) -> None:
        self.known: list[Shape] = []
        self._numbers: dict[tuple[Label, tuple[int, ...]], int] = {}

    def add(self, nodes: Sequence[MarkedNode]) -> list[int]:
        """Number the subtrees of a tree in postorder; the last is the whole."""
        found: list[int] = []
        roots: list[int] = []
        for node in nodes:
            first = len(roots) - node.children
            children = tuple(roots[first:])
            is_ordered = node.sign not in COMMUTATIVE_SIGNS or not children
            roots[first:] = [self._number(node, children, is_ordered=is_ordered)]
            found.append(roots[-1])
        return list(dict.fromkeys(found))

    def _number(self, node: MarkedNode, children: tuple[int, ...], *, is_ordered: bool) -> int:
        if not is_ordered:
            children = tuple(sorted(children))
        label = node.sign, bool(children)
        number = self._numbers.setdefault((label, children), len(self.known))
        if number == len(self.known):
            parts = [self.known[child] for child in children]
            size = 1 + sum(part.size for part in parts)
            below = sum(part.price for part in parts)
            made = Shape(label, children, is_ordered, size, price_subtree(size), below)
            self.known.append(made)
        return number


class _Table:
    """The distances of all pairs of subtrees, and of all pairs of what is below two nodes."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self.shapes = shapes
        self.trees = [[0.0] * len(shapes) for _ in shapes]
        self.forests = [[0.0] * len(shapes) for _ in shapes]

    def fill(self, before: int, after: int) -> None:
        """Measure two subtrees, once all pairs of smaller ones are."""
        if before == after:
            return
        one, other = self.shapes[before], self.shapes[after]
        forest = self._measure_forests(before, after)
        self.forests[before][after] = forest
        best = min(forest + (one.label != other.label), one.price + other.price)
        # All of one tree within a child of the other: that node and its other children are extra.
        row = self.trees[before]
        for child in other.children:
            best = min(best, 1 + other.below - self.shapes[child].price + row[child])
        for child in one.children:
            best = min(best, 1 + one.below - self.shapes[child].price + self.trees[child][after])
        row[after] = best

    def _measure_forests(self, before: int, after: int) -> float:
        one, other = self.shapes[before], self.shapes[after]
        if not one.children or not other.children:
            return one.below + other.below
        best = self._match(one, other)
        row = self.forests[before]
        for child in other.children:
            best = min(best, 1 + other.below - self.shapes[child].price + row[child])
        for child in one.children:
            best = min(best, 1 + one.below - self.shapes[child].price + self.forests[child][after])
        return best

    def _match(self, one: Shape, other: Shape) -> float:
        """Give children a partner each; those that are left over go, or come, whole."""
        savings = [
            [
                self.trees[left][right] - self.shapes[left].price - self.shapes[right].price
                for right in other.children
            ]
            for left in one.children
        ]
        if one.is_ordered and other.is_ordered:
            return one.below + other.below + _align_cheapest(savings)
        # No partner costs more than to go and come whole, so all on the shorter side have one.
        if len(one.children) > len(other.children):
            savings = [list(column) for column in zip(*savings, strict=True)]
        return one.below + other.below + match_cheapest(savings)


def _align_cheapest(savings: Sequence[Sequence[float]]) -> float:
    """Return the least sum of pairs that keep the order of rows and of columns."""
    above = [0.0] * (len(savings[0]) + 1)
    for row in savings:
        here = [0.0]
        for column, saved in enumerate(row):
            here.append(min(here[-1], above[column + 1], above[column] + saved))
        above = here
    return above[-1]


def measure_unordered(trees: MarkedTrees) -> UnorderedEED:
    """Measure how far the trees that a grade keeps are apart; their edits are not looked at."""
    shapes = _Shapes()
    answer, reference = shapes.add(trees.answer), shapes.add(trees.reference)
    table = _Table(shapes.known)
    for before in answer:
        for after in reference:
            table.fill(before, after)
    total = table.trees[answer[-1]][reference[-1]]
    return UnorderedEED(round(total, 6), len(trees.reference))


def measure_written(written: dict[str, list[list[str | int]]]) -> UnorderedEED:
    """Measure trees as a grade keeps them, which needs nothing but what a row holds."""
    return measure_unordered(MarkedTrees.read(written))
