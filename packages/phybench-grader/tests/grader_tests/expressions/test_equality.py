"""Whether two expressions are equal, at all scales and in all regions: a rule, and its twin."""

import itertools
import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from grader_tests.cases import try_each
from grader_tests.expressions.pairs import load_formulas, make_pairs
from grader_tests.expressions.references import PUBLISHED
from phybench_grader import read
from phybench_grader.equality.equality import (
    Equality,
    PointwiseComparison,
    compare,
    compare_readings,
)
from phybench_grader.numbers.evaluation import Program
from phybench_grader.numbers.space import Space
from phybench_grader.numbers.symbols import make_symbol
from phybench_grader.reading.conditions import read_space
from phybench_grader.reading.question import Question
from phybench_grader.statement.response import find_answer
from phybench_grader.verdict.ranges import read_domain

HERE = Path(__file__).parent
CASES = json.loads((HERE / "equality.json").read_text(encoding="utf-8"))
GRADED = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
NAMES = (
    *"abcdghklmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ",
    *("alpha", "beta", "Omega", "lambda", "mu", "v_0", "x_1", "F_{max}", "t'"),
)
RENAMINGS = 20


def make_question(case):
    domains = {
        latex: read_domain(low, high, is_integer=is_integer)
        for latex, (low, high, is_integer) in case.get("declared", {}).items()
    }
    return Question(tuple(domains.items()), conditions=tuple(case.get("conditions", ())))


def name_case(case):
    return f"{case['rule']} {case['side']}: {case['reference']} ~ {case['answer']}"


def test_what_is_equal_everywhere_is_equal_and_its_twin_is_not():
    def compare_both(case):
        question = make_question(case)
        sides = (read(case[side], declared=question) for side in ("answer", "reference"))

        assert compare_readings(*sides, read_space(question)).name == case["found"]

    try_each(CASES, compare_both, name_case)


def test_every_rule_has_both_sides():
    sides = {(case["rule"], case["side"]) for case in CASES}

    assert {rule for rule, _ in sides} == {f"Q{number}" for number in range(1, 13)}
    assert len(sides) == 24


def test_a_verdict_does_not_hang_on_the_letters_that_a_formula_is_written_with():
    found = Counter()
    for one, other in itertools.permutations("abcdghkmnpq", 2):
        answer, reference = read(rf"|\sin({one}/{other})|"), read(rf"\sin({one}/{other})")
        found[compare_readings(answer, reference, Space())] += 1

    assert found == {Equality.DIFFERENT: 110}


def list_pairs(step):
    """List answer, reference and names in the order they are written, of all cases or some."""
    for case in GRADED:
        if case["verdict"] == "UNREADABLE":
            continue
        answer, reference = (read(find_answer(case[side])) for side in ("answer", "reference"))
        order = dict.fromkeys((*reference.order, *answer.order))
        yield answer.expression, reference.expression, tuple(order)
    for source, formula in [*load_formulas().items()][::step]:
        order = tuple(dict.fromkeys(re.findall(r"[A-Za-z]\w*", source.replace("lamda", "lambda"))))
        for pair in make_pairs(source, formula):
            yield pair.answer, pair.reference, order
    for number, text in [*PUBLISHED.items()][::step]:
        reading = read(find_answer(text))
        for pair in make_pairs(str(number), reading.expression):
            yield pair.answer, pair.reference, reading.order


def rename(answer, reference, order, chance):
    symbols = answer.free_symbols | reference.free_symbols
    written = [name for name in order if any(symbol.name == name for symbol in symbols)]
    written += sorted({symbol.name for symbol in symbols}.difference(written))
    others = dict(zip(written, chance.sample(NAMES, len(written)), strict=True))
    renamed = {symbol: make_symbol(others[symbol.name]) for symbol in symbols}
    space = Space(order=tuple(others[name] for name in written))
    return answer.xreplace(renamed), reference.xreplace(renamed), space


@pytest.mark.parametrize(
    ("step", "times"), [(32, 4), pytest.param(1, RENAMINGS, marks=pytest.mark.slow)]
)
def test_other_names_for_the_symbols_move_no_verdict(step, times):
    moved = []
    for answer, reference, order in list_pairs(step):
        expected = compare(answer, reference, Space(order=order))
        for number in range(times):
            renamed = rename(answer, reference, order, random.Random(f"{number} {answer}"))
            if compare(*renamed) is not expected:
                moved.append((reference, *renamed))

    assert moved == []


@pytest.mark.parametrize(
    "text", [r"\frac{a+b}{c}\sin(d-q)", r"\cos(a-b)|c-d|", r"(a-b)^2\sqrt{(c-d)^2}e^{b-a}"]
)
def test_other_names_for_the_symbols_lead_to_the_same_points(text):
    reading = read(text)
    drawn = set()
    for number in range(RENAMINGS):
        one, other, space = rename(
            reading.expression, 2 * reading.expression, reading.order, random.Random(number)
        )
        comparison = PointwiseComparison(Program(one, other), space)
        points = itertools.islice(comparison._draw_points(), 8)
        drawn.add(tuple(str(value) for point, _ in points for value in point.values()))

    assert len(drawn) == 1
