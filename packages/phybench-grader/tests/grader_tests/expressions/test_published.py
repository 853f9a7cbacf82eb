"""The published answers, read and compared with values transcribed by hand, not by our reader."""

import json
from pathlib import Path

import mpmath
import pytest

from grader_tests.expressions.references import PUBLISHED as ANSWERS
from grader_tests.expressions.references import needs_published as needs_answers
from phybench_grader import Verdict, grade, read
from phybench_grader.authoring.examination import check_reference
from phybench_grader.numbers.evaluation import Program

HERE = Path(__file__).parent
FIGURES = json.loads((HERE / "published.json").read_text())


@needs_answers
@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: str(figure["id"]))
def test_published_answer_has_the_value_transcribed_by_hand(figure):
    reading = read(ANSWERS[figure["id"]])

    assert set(reading.symbols) == set(figure["symbols"]) or not reading.expression
    with mpmath.workprec(200):
        point = {
            symbol.name: mpmath.mpf(figure["symbols"][latex])
            for symbol, latex in zip(
                sorted(reading.expression.free_symbols, key=lambda one: one.name),
                reading.symbols,
                strict=True,
            )
        }
        value, _ = Program(reading.expression).run(point)
        expected = mpmath.mpf(figure["value"])
        assert abs(value - expected) <= abs(expected) * mpmath.mpf(10) ** -25


@needs_answers
def test_published_equations_are_refused_at_authoring_only():
    codes = {rule.code for rule in check_reference(ANSWERS[505])}

    assert "equation" in codes
    assert grade(ANSWERS[505], ANSWERS[505]).verdict is Verdict.CORRECT
