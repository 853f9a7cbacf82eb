"""Our EED beside a second one that shares no code with it (`plain_eed`), on generated pairs."""

import pytest
import sympy

from grader_tests.expressions import plain_eed
from grader_tests.expressions.pairs import agree, load_formulas, make_pairs
from phybench_grader import grade
from phybench_grader.reading.reading import write_latex

LONGEST = 75
"""Formulas longer than this are left to the benchmark: latex2sympy2_extended takes too long."""
TOLERANCE = 0.01


def _read_or_skip(expression: sympy.Expr) -> sympy.Expr | None:
    """Read an expression's LaTeX, unless latex2sympy2_extended makes something else of it."""
    try:
        read = plain_eed.read(*plain_eed.write(expression))
    except plain_eed.Misread:
        return None
    return read if agree(read, expression) else None


@pytest.mark.parametrize(("step", "least"), [(48, 8), pytest.param(1, 500, marks=pytest.mark.slow)])
def test_grade_agrees_with_the_paper_s_formulas_on_generated_pairs(capsys, step, least):
    compared = misread = 0
    differences = []
    for source, reference in [*load_formulas().items()][::step]:
        text, _ = plain_eed.write(reference)
        if len(text) > LONGEST:
            continue
        read = _read_or_skip(reference)
        assert read is not None, source
        target = sympy.simplify(read)
        for pair in make_pairs(source, reference):
            answer = _read_or_skip(pair.answer)
            if answer is None:
                misread += 1
                continue
            expected = plain_eed.score_simplified(
                sympy.simplify(answer), target, is_equal=pair.is_equal
            )
            found = grade(write_latex(pair.answer), write_latex(reference))
            compared += 1
            if (
                abs(found.eed - expected.eed) > TOLERANCE
                or found.accuracy != expected.accuracy
                or (found.size or expected.size) != expected.size
            ):
                differences.append((source, str(pair.answer), found, expected))
    with capsys.disabled():
        print(
            f" {compared} pairs compared, {misread} more misread by latex2sympy2_extended ", end=""
        )

    assert differences == []
    assert compared >= least


def test_the_second_implementation_gives_the_paper_s_figures():
    m, g, v, length = sympy.symbols("m g v_0 l", positive=True)
    reference = 2 * m * g + 4 * m * v**2 / length

    close = plain_eed.score(2 * m * g + 2 * m * v**2 / length, reference)
    far = plain_eed.score(m * v**2 / (2 * length), reference)
    same = plain_eed.score(2 * m * (g + 2 * v**2 / length), reference)

    assert (round(close.eed, 2), close.distance, close.size) == (46.67, 2, 15)
    assert (round(far.eed, 2), far.distance, far.size) == (13.33, 7, 15)
    assert (same.eed, same.accuracy) == (100, 100)
