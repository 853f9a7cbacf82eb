"""Unordered EED beside all mappings of small trees (`plain_unordered`), and what it promises."""

import random
import time

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_tests.expressions.plain_unordered import Tree, measure
from phybench_grader import grade
from phybench_grader.eed.alignment import MarkedNode, MarkedTrees, align
from phybench_grader.eed.distance import Distance
from phybench_grader.eed.unordered import UnorderedEED, measure_unordered
from phybench_grader.equality.tree import build_tree

PLUS, TIMES, POWER, SINE = "+", r"\times", r"\hat{}", r"\operatorname{sin}"
UNORDERED = frozenset({PLUS, TIMES})
LEAVES = st.sampled_from("abc").map(lambda sign: (sign, ()))
INNER = st.sampled_from([PLUS, TIMES, POWER, SINE])


def _trees(most: int) -> st.SearchStrategy[Tree]:
    grown = st.recursive(
        LEAVES,
        lambda parts: st.tuples(INNER, st.lists(parts, min_size=1, max_size=4).map(tuple)),
        max_leaves=most,
    )
    return grown.filter(lambda tree: _count(tree) <= most)


def _count(tree: Tree) -> int:
    return 1 + sum(map(_count, tree[1]))


def _write(tree: Tree) -> list[MarkedNode]:
    below = [node for child in tree[1] for node in _write(child)]
    return [*below, MarkedNode(tree[0], len(tree[1]))]


def _measure(answer: Tree, reference: Tree) -> float:
    trees = MarkedTrees(tuple(_write(answer)), tuple(_write(reference)))
    return measure_unordered(trees).distance


def _shuffle(tree: Tree, chance: random.Random) -> Tree:
    """Put the terms and factors of all sums and products in another order."""
    parts = [_shuffle(child, chance) for child in tree[1]]
    if tree[0] in UNORDERED:
        chance.shuffle(parts)
    return tree[0], tuple(parts)


@settings(max_examples=60)
@given(_trees(5), _trees(5))
def test_distance_is_that_of_the_cheapest_of_all_mappings(answer, reference):
    assert _measure(answer, reference) == pytest.approx(measure(answer, reference, UNORDERED))


@settings(max_examples=60)
@given(_trees(9), _trees(3))
def test_large_subtrees_go_at_their_discount(answer, reference):
    assert _measure(answer, reference) == pytest.approx(measure(answer, reference, UNORDERED))


@settings(max_examples=60)
@given(_trees(5), _trees(5))
def test_distance_is_never_above_that_of_ordered_trees(answer, reference):
    assert _measure(answer, reference) <= measure(answer, reference, frozenset()) + 1e-9


@settings(max_examples=40)
@given(_trees(30), st.randoms(use_true_random=False))
def test_trees_that_differ_in_the_order_of_terms_and_factors_alone_are_equal(tree, chance):
    assert _measure(tree, _shuffle(tree, chance)) == 0


@settings(max_examples=40)
@given(_trees(20), _trees(20), st.randoms(use_true_random=False))
def test_order_of_terms_and_factors_moves_no_distance(answer, reference, chance):
    other = _shuffle(answer, chance), _shuffle(reference, chance)

    assert _measure(*other) == pytest.approx(_measure(answer, reference))


@settings(max_examples=40)
@given(_trees(20), _trees(20))
def test_distance_is_the_same_there_and_back(answer, reference):
    assert _measure(answer, reference) == pytest.approx(_measure(reference, answer))


@settings(max_examples=40)
@given(_trees(20), _trees(20))
def test_distance_is_at_most_that_of_beginning_anew(answer, reference):
    prices = [size if size <= 5 else 0.6 * size + 2 for size in map(_count, (answer, reference))]

    assert 0 <= _measure(answer, reference) <= sum(prices) + 1e-9


def test_arguments_of_powers_and_functions_keep_their_order():
    power, turned = ((POWER, (("a", ()), ("b", ()))), (POWER, (("b", ()), ("a", ()))))

    assert _measure(power, turned) == 2


def test_order_says_nothing_where_it_says_nothing_on_one_side():
    power, total = ((POWER, (("a", ()), ("b", ()))), (PLUS, (("b", ()), ("a", ()))))

    assert _measure(power, total) == 1


@pytest.mark.parametrize(
    ("answer", "reference", "eed", "unordered"),
    [
        (r"\frac{Gm}{R^2}", r"\frac{Gm}{r^2}", 43.3, 43.3),
        ("ab+zd", "ab+cd", 31.4, 45.7),
        ("xb+ad", "xb+cd", 2.9, 45.7),
    ],
)
def test_name_of_a_renamed_symbol_moves_eed_and_not_the_unordered_one(
    answer, reference, eed, unordered
):
    graded = grade(answer, reference)

    assert round(graded.eed, 1) == eed
    assert round(measure_unordered(graded.trees).score, 1) == unordered


def test_what_moves_into_a_sum_by_twos_is_further_than_by_eed():
    graded = grade(r"\pi(\sqrt{x}\sqrt{y} - 1)", r"\pi\sqrt{x}\sqrt{y}")

    assert (graded.distance, measure_unordered(graded.trees).distance) == (3, 5)


@pytest.mark.parametrize("seed", range(20))
def test_symbols_renamed_on_both_sides_leave_the_distance_of_the_same_trees(seed):
    chance = random.Random(seed)
    names = "abcdefgh"
    other = dict(zip(names, chance.sample("mnopqrst", len(names)), strict=True))

    def grow(size: int) -> Tree:
        if size <= 1:
            return chance.choice(names), ()
        first = chance.randint(1, max(1, size - 2))
        return chance.choice([PLUS, TIMES, POWER]), (grow(first), grow(size - 1 - first))

    def rename(tree: Tree) -> Tree:
        # SymPy sorts by name: what is renamed may stand in any order.
        return _shuffle((other.get(tree[0], tree[0]), tuple(map(rename, tree[1]))), chance)

    answer, reference = grow(25), grow(25)

    assert _measure(rename(answer), rename(reference)) == pytest.approx(_measure(answer, reference))


def test_signs_kept_with_a_grade_tell_nodes_apart_as_their_labels_do():
    e, i, n = sympy.symbols("e i n", positive=True)
    one = build_tree(sympy.Add(e, sympy.E, i, sympy.I, n**2, sympy.exp(n), sympy.pi, 2))
    other = build_tree(sympy.Mul(e, sympy.E, sympy.cos(n), sympy.Rational(1, 2), evaluate=False))
    distance = Distance(one, other)
    trees = align(distance)
    labels = [*distance.before.labels, *distance.after.labels]
    signs = [(node.sign, bool(node.children)) for node in (*trees.answer, *trees.reference)]

    assert len(set(zip(labels, signs, strict=True))) == len(set(labels)) == len(set(signs))


def test_score_is_the_paper_s_and_a_wrong_answer_has_at_most_60():
    assert UnorderedEED(distance=2, size=15).score == pytest.approx(46.67, abs=0.01)
    assert UnorderedEED(distance=0, size=15).score == 60
    assert UnorderedEED(distance=9, size=15).score == 0


def test_large_trees_take_polynomial_time():
    chance = random.Random(5)

    def grow(size: int) -> Tree:
        if size <= 2:
            return chance.choice("abcdef"), ()
        parts = chance.randint(2, 6)
        share = max(1, (size - 1) // parts)
        return chance.choice([PLUS, TIMES, SINE]), tuple(grow(share) for _ in range(parts))

    answer, reference = grow(300), grow(300)
    began = time.process_time()
    _measure(answer, reference)

    assert min(_count(answer), _count(reference)) > 150
    assert time.process_time() - began < 3
