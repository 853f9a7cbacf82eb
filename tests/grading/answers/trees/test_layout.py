"""Where the nodes of a drawn tree stand: the rules of a tidy drawing, on trees of every kind."""

import random
from itertools import pairwise

import pytest

from grading.answers.trees.layout import GAP, lay_out


def grow(chance, size):
    """Make a tree of so many nodes: how many children each has, children first."""
    if size == 1:
        return [0]
    left = size - 1
    children = []
    while left:
        taken = chance.randint(1, left)
        children.append(grow(chance, taken))
        left -= taken
    return [count for child in children for count in child] + [len(children)]


def grow_some(seed):
    chance = random.Random(seed)
    children = grow(chance, chance.randint(1, 60))
    return children, [float(chance.randint(20, 120)) for _ in children]


def list_levels(layout):
    """List the nodes of each level, from left to right."""
    levels = {}
    for node, level in enumerate(layout.levels):
        levels.setdefault(level, []).append(node)
    return [sorted(nodes, key=lambda one: layout.centres[one]) for nodes in levels.values()]


@pytest.mark.parametrize("seed", range(60))
def test_no_two_nodes_overlap_and_all_stand_within_the_width(seed):
    children, widths = grow_some(seed)
    layout = lay_out(children, widths)

    for nodes in list_levels(layout):
        for one, other in pairwise(nodes):
            room = layout.centres[other] - layout.centres[one]
            assert room >= (widths[one] + widths[other]) / 2 + GAP - 1e-6
    edges = list(zip(layout.centres, widths, strict=True))
    assert min(centre - width / 2 for centre, width in edges) == pytest.approx(0)
    assert max(centre + width / 2 for centre, width in edges) == pytest.approx(layout.width)


@pytest.mark.parametrize("seed", range(60))
def test_a_parent_stands_midway_between_its_first_and_last_child_which_keep_their_order(seed):
    children, widths = grow_some(seed)
    layout = lay_out(children, widths)

    for node, count in enumerate(children):
        below = [child for child, parent in enumerate(layout.parents) if parent == node]
        assert len(below) == count
        places = [layout.centres[child] for child in below]
        assert places == sorted(places)
        assert {layout.levels[child] for child in below} <= {layout.levels[node] + 1}
        if below:
            assert layout.centres[node] == pytest.approx((places[0] + places[-1]) / 2)


def test_the_same_tree_is_always_drawn_alike():
    children, widths = grow_some(7)

    assert lay_out(children, widths) == lay_out(children, widths)


def test_subtrees_of_one_shape_are_drawn_alike():
    children = [0, 0, 2, 0, 0, 2, 2]
    layout = lay_out(children, [30.0] * 7)

    shift = layout.centres[5] - layout.centres[2]
    assert [layout.centres[place + 3] - layout.centres[place] for place in range(3)] == [shift] * 3


@pytest.mark.parametrize(
    "children",
    [
        pytest.param([0] + [1] * 499, id="chain"),
        pytest.param([0] * 499 + [499], id="fan"),
        pytest.param(grow(random.Random(3), 500), id="grown"),
        pytest.param([0, *([0, 2] * 250)], id="comb"),
    ],
)
def test_a_tree_of_five_hundred_nodes_is_laid_out_whatever_its_shape(children):
    layout = lay_out(children, [40.0] * len(children))

    assert layout.width <= 50 * len(children)
    assert max(layout.levels) < len(children)
