"""The trees that a grade keeps: drawn with their edits they are exactly what was scored."""

import json
import random
from pathlib import Path

import pytest

from grader_tests.cases import try_each
from grader_tests.expressions.test_distance import make_answers
from phybench_grader import JudgeError, grade
from phybench_grader.eed.alignment import MarkedTrees, align, measure
from phybench_grader.eed.distance import Distance
from phybench_grader.equality.tree import build_tree

HERE = Path(__file__).parent


def list_cases():
    """Every row of the tables that has an answer and a reference: both, and the symbols."""
    for name in ("cases", "equality", "meaning", "statements"):
        for case in json.loads((HERE / f"{name}.json").read_text(encoding="utf-8")):
            reference = case.get("reference") or case.get("key")
            if reference and case.get("answer"):
                yield case["answer"], reference, case.get("symbols", ())


def list_left(nodes):
    """List the nodes that no edit deletes or inserts."""
    left, skipped = [], 0
    # From the root on: what comes behind a node is what is below it.
    for node, size in reversed(list(zip(nodes, measure(nodes), strict=True))):
        if skipped:
            skipped -= 1
        elif node.edit in (None, "relabel"):
            left.append(node)
        elif node.is_whole:
            skipped = size - 1
    return left


def check_that_the_edits_lead_from_one_to_the_other(trees):
    pairs = list(zip(list_left(trees.answer), list_left(trees.reference), strict=True))
    for before, after in pairs:
        assert before.edit == after.edit
        assert (before.sign == after.sign) is (before.edit is None)


@pytest.mark.parametrize(
    ("step", "least"), [(15, 12), pytest.param(1, 200, marks=pytest.mark.slow)]
)
def test_the_edits_of_every_case_cost_its_distance_and_lead_to_its_reference(step, least):
    measured = []

    def check(case):
        answer, reference, symbols = case
        try:
            judgement = grade(answer, reference, declared=symbols)
        except JudgeError:
            return
        if judgement.distance:
            measured.append(judgement)
            trees = judgement.trees
            assert sum(trees.list_prices()) == pytest.approx(judgement.distance)
            assert sum(edit.price for edit in judgement.edits) == pytest.approx(judgement.distance)
            assert len(trees.reference) == judgement.size
            check_that_the_edits_lead_from_one_to_the_other(trees)

    try_each(list(list_cases())[::step], check)
    assert len(measured) > least


@pytest.mark.parametrize("seed", range(40))
def test_edits_add_up_however_far_apart_the_trees(seed):
    target, answers = make_answers(random.Random(seed))

    for answer in answers:
        found = Distance(build_tree(answer), build_tree(target))
        trees = align(found)
        assert sum(trees.list_prices()) == pytest.approx(found.total)
        check_that_the_edits_lead_from_one_to_the_other(trees)


def test_a_large_subtree_is_deleted_at_the_reduced_price():
    judgement = grade(r"a + \sin(b c + d e + f g)", "a")

    # The sum, and below its second term, a sine of 3 products, 11 nodes: 0.6 × 11 + 2.
    assert [edit.price for edit in judgement.edits] == [pytest.approx(8.6), 1]
    assert judgement.distance == pytest.approx(9.6)


def test_what_is_kept_is_read_back_and_is_small():
    trees = grade(r"2mg + 2m\frac{v_0^2}{l}", r"2mg + 4m\frac{v_0^2}{l}").trees
    written = trees.write()

    assert MarkedTrees.read(json.loads(json.dumps(written))) == trees
    assert ["2", 0] in written["answer"]
    assert len(json.dumps(written)) < 25 * (len(trees.answer) + len(trees.reference))


@pytest.mark.parametrize("answer", ["2x", r"\frac{x"])
def test_where_nothing_is_measured_no_trees_are_kept(answer):
    assert grade(answer, "x+x").trees is None
