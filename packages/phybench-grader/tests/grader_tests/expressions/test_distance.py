"""The distance of two trees beside a plain recursion that leaves nothing out (`plain_eed`)."""

import random
from collections.abc import Sequence

import pytest
import sympy

from grader_tests.cases import leave_most_to_slow
from grader_tests.expressions.plain_eed import Forest, measure_distance
from phybench_grader.eed.distance import Distance
from phybench_grader.equality.tree import build_tree

LETTERS = sympy.symbols("a b c", positive=True)
INNER = (sympy.Add, sympy.Mul, sympy.Pow)


def _grow(chance: random.Random, size: int) -> sympy.Basic:
    """Make some expression, not evaluated, of at least so many nodes."""
    if size <= 1:
        return chance.choice(LETTERS)
    first = chance.randint(1, max(1, size - 2))
    parts = [_grow(chance, first), _grow(chance, size - 1 - first)]
    return chance.choice(INNER)(*parts, evaluate=False)


def _change(expression: sympy.Basic, chance: random.Random, how_often: float) -> sympy.Basic:
    if chance.random() < how_often:
        return _grow(chance, chance.randint(1, 9))
    if not expression.args:
        return expression
    parts = [_change(part, chance, how_often) for part in expression.args]
    return expression.func(*parts, evaluate=False)


def _measure_plainly(one: sympy.Basic, other: sympy.Basic) -> float:
    return measure_distance(Forest(one), Forest(other))


def make_answers(chance: random.Random) -> tuple[sympy.Basic, Sequence[sympy.Basic]]:
    """Make a tree and four more, like it, like one another, or like none."""
    target = _grow(chance, chance.randint(1, 30))
    answers = [_change(target, chance, chance.choice([0.02, 0.1, 0.4]))]
    answers += [_change(chance.choice([target, answers[0]]), chance, 0.05) for _ in range(2)]
    return target, [*answers, _grow(chance, chance.randint(1, 30))]


@pytest.mark.parametrize("seed", leave_most_to_slow(range(40)))
def test_distance_is_that_of_the_plain_recursion_however_far_apart_the_trees(seed):
    target, answers = make_answers(random.Random(seed))

    for answer in answers:
        found = Distance(build_tree(answer), build_tree(target))
        assert found.total == pytest.approx(_measure_plainly(answer, target))


@pytest.mark.parametrize("seed", range(40))
def test_what_was_learnt_of_one_tree_leaves_the_nearest_and_its_edits_the_same(seed):
    target, answers = make_answers(random.Random(seed))
    tree = build_tree(target)
    alone = [Distance(build_tree(answer), tree) for answer in answers]
    nearest_alone = min(alone, key=lambda one: round(one.total, 6))

    nearest = Distance(build_tree(answers[0]), tree)
    for answer in answers[1:]:
        found = Distance(build_tree(answer), tree, nearest)
        if round(found.total, 6) < round(nearest.total, 6):
            nearest = found

    assert nearest.total == pytest.approx(nearest_alone.total)
    assert nearest.list_edits() == nearest_alone.list_edits()
