"""What of large trees is folded: what is alike in both, and never an edit out of sight."""

import pytest

from grading.answers.trees.folding import MANY, MOST, show_alone, show_both
from phybench_grader import grade
from phybench_grader.eed.alignment import MarkedNode, MarkedTrees

LONG = " + ".join(rf"a_{{{number}}} x^{{{number}}}" for number in range(2, 9))
OTHER = LONG + r" + \sin\left(b c\right) d"


def count(nodes):
    return sum(max(1, node.folded) for node in nodes)


def test_small_trees_are_shown_whole():
    trees = grade("2 a + b", "3 a + b").trees
    answer, reference = show_both(trees)

    assert [node.folded for node in [*answer, *reference]] == [0] * len([*answer, *reference])
    assert [(node.sign, node.partner) for node in answer if node.edit] == [("2", "3")]
    assert [(node.sign, node.partner) for node in reference if node.edit] == [("3", "2")]


def test_of_large_trees_what_is_alike_in_both_is_one_node():
    trees = grade(OTHER, OTHER.replace("d", "d^2")).trees
    answer, reference = show_both(trees)

    folded = [(node.sign, node.folded) for node in answer if node.folded]
    assert len(folded) == 8
    assert folded == [(node.sign, node.folded) for node in reference if node.folded]
    assert all(node.is_alike and node.edit is None for node in answer if node.folded)
    # Nothing is lost, and each edit is seen.
    assert (count(answer), count(reference)) == (len(trees.answer), len(trees.reference))
    assert sum(bool(node.edit) for node in reference) == 2


def test_what_goes_with_a_whole_subtree_shows_its_edit():
    product = [MarkedNode("b", 0), MarkedNode("c", 0), MarkedNode(r"\times", 2, "delete", True)]
    nodes = (MarkedNode("a", 0), *product, MarkedNode("+", 2, "delete"))
    answer, _ = show_both(MarkedTrees(nodes, (MarkedNode("a", 0),)))

    assert [node.edit for node in answer] == [None, *["delete"] * 4]


def test_a_tree_shown_alone_tells_nothing_of_the_other():
    trees = grade(OTHER, LONG).trees
    shown = show_alone(trees.answer)

    assert len(shown) == len(trees.answer) > MANY
    assert not any(node.edit or node.partner or node.folded for node in shown)
    unmarked = [MarkedNode(node.sign, node.children) for node in trees.answer]
    assert shown == show_alone(unmarked)


@pytest.mark.parametrize("edit", [None, "delete"])
def test_a_very_large_tree_is_folded_until_it_fits(edit):
    term = [MarkedNode("x", 0, edit), MarkedNode("2", 0, edit), MarkedNode("^", 2, edit)]
    nodes = (*term * 150, MarkedNode("+", 150, edit))
    answer, reference = show_both(MarkedTrees(nodes if edit else nodes[:3], nodes[:3]))

    assert count(answer) == (451 if edit else 3)
    assert len(answer) <= MOST
    assert {node.edit for node in answer} == {edit}
    assert len(show_alone(nodes)) <= MOST
    assert reference


def test_a_tree_that_fits_in_no_picture_is_not_drawn():
    # Every other term is deleted, so nothing that is folded is all of one kind.
    nodes = (*[MarkedNode("x", 0), MarkedNode("x", 0, "delete")] * 400, MarkedNode("+", 800))
    answer, _ = show_both(MarkedTrees(nodes, (*nodes[:1] * 400, MarkedNode("+", 400))))

    assert answer is None


def test_a_tree_of_five_hundred_nodes_is_drawn_even_where_nothing_of_it_can_be_folded():
    nodes = (*[MarkedNode("x", 0), MarkedNode("x", 0, "delete")] * 250, MarkedNode("+", 500))
    answer, _ = show_both(MarkedTrees(nodes, (*nodes[:1] * 250, MarkedNode("+", 250))))

    assert len(answer) == 501
