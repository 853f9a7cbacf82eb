"""The picture of a tree and the same in words."""

from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string

from grading.answers.trees.drawing import HALF_A_PAGE, draw
from phybench_grader import grade
from phybench_grader.eed.alignment import MarkedNode, MarkedTrees

ANSWER, REFERENCE = r"2 L\sin(2\omega t) + x^2 y", r"2 L\cos(\omega t) + y + \frac{z}{a b c d}"


@pytest.fixture
def trees():
    return grade(ANSWER, REFERENCE).trees


def render(pictures):
    text = render_to_string("grading/_trees.html", {"pictures": pictures})
    return ElementTree.fromstring(f"<div>{text}</div>")


def list_signs(item):
    """Read a nested list back: the words of each item, with those of the items below it."""
    below = item.find("ul")
    return item.text.strip(), [list_signs(one) for one in below] if below is not None else []


def count_items(signs):
    return 1 + sum(count_items(one) for one in signs[1])


def test_the_list_beside_a_picture_is_the_same_tree_in_words(trees):
    page = render(draw(trees.write(), shows_key=True))

    outlines = page.findall(".//ul[@class='tree-list']/li")
    for outline, nodes in zip(outlines, (trees.answer, trees.reference), strict=True):
        read = list_signs(outline)
        assert read[0] == "+"
        assert count_items(read) == len(nodes)
        marked = [one for one in outline.itertext() if ": " in one]
        assert len(marked) >= sum(bool(node.edit) for node in nodes)
    assert any(
        "sin: relabelled, cos in the reference answer" in one for one in outlines[0].itertext()
    )
    assert any("cos: relabelled, sin in the answer" in one for one in outlines[1].itertext())


def test_each_edit_has_a_shape_of_its_own(trees):
    page = render(draw(trees.write(), shows_key=True))

    namespace = "{http://www.w3.org/2000/svg}"
    shapes = {}
    for group in page.findall(f".//{namespace}g"):
        shape = tuple(
            one.tag.removeprefix(namespace)
            for one in group
            if one.tag.removeprefix(namespace) in {"rect", "line", "polygon"}
        )
        shapes.setdefault(group.get("class").split("-")[-1], set()).add(shape)
    assert shapes == {
        "plain": {("rect",)},
        "delete": {("rect", "line")},
        "insert": {("rect", "rect")},
        "relabel": {("polygon",)},
    }


def test_a_picture_has_a_name_and_says_what_is_to_be_seen(trees):
    picture = draw(trees.write(), shows_key=True).answer

    deleted = sum(node.look == "delete" for node in picture.nodes)
    assert picture.told.startswith(f"A tree of {len(trees.answer)} nodes under +.")
    assert f"Deleted: {deleted}." in picture.told


def test_what_is_drawn_without_the_key_does_not_depend_on_the_reference(trees):
    unmarked = tuple(MarkedNode(node.sign, node.children) for node in trees.answer)
    other = MarkedTrees(unmarked, unmarked)

    shown = draw(trees.write(), shows_key=False)
    assert shown == draw(other.write(), shows_key=False)
    assert shown.reference is None
    assert not shown.is_marked


def test_every_node_and_edge_lies_within_its_picture(trees):
    for picture in (draw(trees.write(), shows_key=True).answer, _draw_fan(40)):
        for node in picture.nodes:
            assert 0 <= node.box.left < node.box.right <= picture.width
            assert 0 <= node.box.top < node.box.bottom <= picture.height
        assert len(picture.edges) == len(picture.nodes) - 1


def _draw_fan(count):
    nodes = (*[MarkedNode("x", 0)] * count, MarkedNode("+", count))
    return draw(MarkedTrees(nodes, nodes[:1]).write(), shows_key=False).answer


def test_pictures_stand_side_by_side_only_where_both_have_room():
    small = grade("2 a", "3 a").trees
    large = grade(ANSWER, " + ".join(f"x^{{{n}}}" for n in range(2, 20))).trees

    assert draw(small.write(), shows_key=True).are_narrow
    assert not draw(large.write(), shows_key=True).are_narrow
    assert draw(small.write(), shows_key=True).answer.width < HALF_A_PAGE
