"""
The constrained distance of two small trees by its definition: every mapping is tried.

K. Zhang, Algorithmica 15, 205 (1996), section 3: pairs of nodes, one to one, that keep ancestors,
and for any three pairs the common ancestor of two lies above the third on both sides or on neither.
It shares no code with `phybench_grader.eed.unordered`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations

Tree = tuple[str, tuple["Tree", ...]]
"""A sign and the trees below it."""
Pair = tuple[int, int]


@dataclass
class Numbered:
    """A tree's nodes in preorder."""

    signs: list[str] = field(default_factory=list)
    above: list[tuple[int, ...]] = field(default_factory=list)
    """The ancestors of each, the root first."""
    children: list[list[int]] = field(default_factory=list)

    @classmethod
    def of(cls, tree: Tree) -> Numbered:
        made = cls()
        made._add(tree, ())
        return made

    def _add(self, tree: Tree, above: tuple[int, ...]) -> int:
        number = len(self.signs)
        self.signs.append(tree[0])
        self.above.append(above)
        self.children.append([])
        for child in tree[1]:
            self.children[number].append(self._add(child, (*above, number)))
        return number

    def meet(self, one: int, other: int) -> int:
        """Find the lowest node above both, each counted as above itself."""
        shared = set(self.above[one]) | {one}
        return max(shared & (set(self.above[other]) | {other}))

    def is_within(self, node: int, above: int) -> bool:
        return above in self.above[node]

    def price(self, kept: Collection[int], node: int = 0) -> float:
        """Price what is not kept: whole subtrees by equation 6, single nodes 1 each."""
        size = 1 + sum(self.is_within(one, node) for one in range(len(self.signs)))
        if not any(one == node or self.is_within(one, node) for one in kept):
            return size if size <= 5 else 0.6 * size + 2
        return (node not in kept) + sum(self.price(kept, child) for child in self.children[node])


def measure(answer: Tree, reference: Tree, unordered: Collection[str]) -> float:
    """Return the cost of the cheapest mapping; `unordered` are signs whose children have none."""
    one, other = Numbered.of(answer), Numbered.of(reference)
    return min(
        one.price({left for left, _right in mapping})
        + other.price({right for _left, right in mapping})
        + sum(_differ(one, left, other, right) for left, right in mapping)
        for mapping in _list_mappings(one, other, unordered)
    )


def _differ(one: Numbered, left: int, other: Numbered, right: int) -> bool:
    return (one.signs[left], bool(one.children[left])) != (
        other.signs[right],
        bool(other.children[right]),
    )


def _list_mappings(
    one: Numbered, other: Numbered, unordered: Collection[str]
) -> Iterator[tuple[Pair, ...]]:
    lefts, rights = range(len(one.signs)), range(len(other.signs))
    for count in range(min(len(lefts), len(rights)) + 1):
        for some in combinations(lefts, count):
            for partners in permutations(rights, count):
                mapping = tuple(zip(some, partners, strict=True))
                if _is_allowed(mapping, one, other, unordered):
                    yield mapping


def _is_allowed(
    mapping: tuple[Pair, ...], one: Numbered, other: Numbered, unordered: Collection[str]
) -> bool:
    for (left, right), (left2, right2) in combinations(mapping, 2):
        # In preorder the first of two can only be the one above.
        if one.is_within(left2, left) != other.is_within(right2, right):
            return False
        if other.is_within(right, right2):
            return False
        if not one.is_within(left2, left) and right > right2:
            meets = one.signs[one.meet(left, left2)], other.signs[other.meet(right, right2)]
            if not any(sign in unordered for sign in meets):
                return False
    return all(
        one.is_within(left3, one.meet(left, left2))
        == other.is_within(right3, other.meet(right, right2))
        for (left, right), (left2, right2) in permutations(mapping, 2)
        for left3, right3 in mapping
    )
