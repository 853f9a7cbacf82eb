"""
How many of the published answers each reader parses, and how many it reads right.

    python -m tests.benchmarks.readings

Right means: the value transcribed by hand (tests/grader_tests/expressions/published.json), at the
same point, from the right side where the reader returns an equation. Readers get the text as
published. The published scorer and math-verify are no dependencies of ours and are not run here;
docs/grading.md quotes what was measured for them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import sympy
from latex2sympy2_extended import latex2sympy
from latex2sympy2_extended.latex2sympy2 import ConversionConfig

from grader_tests import expressions
from phybench_grader import read
from phybench_grader.reading.reading import Unreadable
from tests.benchmarks.published import load_answers

FIGURES = Path(expressions.__file__).with_name("published.json")
DIGITS = 20
Reader = Callable[[str], sympy.Basic]


def read_ours(text: str) -> sympy.Basic:
    return read(text).expression


def read_latex2sympy(text: str, *, folds_case: bool) -> sympy.Basic:
    expression = latex2sympy(text, conversion_config=ConversionConfig(lowercase_symbols=folds_case))
    if isinstance(expression, sympy.logic.boolalg.And):  # a chain of equations
        expression = expression.args[-1]
    return expression.rhs if isinstance(expression, sympy.Eq) else expression


READERS: dict[str, Reader] = {
    "phybench_grader": read_ours,
    "latex2sympy2_extended, as it comes": partial(read_latex2sympy, folds_case=True),
    "latex2sympy2_extended, keeping case": partial(read_latex2sympy, folds_case=False),
}


def parses(reader: Reader, text: str) -> sympy.Expr | None:
    """Read a text as one expression; None if the reader refuses or fails."""
    try:
        expression = reader(text)
    except Unreadable:
        return None
    except Exception:  # latex2sympy2_extended raises whatever went wrong inside
        return None
    return expression if isinstance(expression, sympy.Expr) else None


def is_right(expression: sympy.Expr, symbols: dict[str, str], value: str) -> bool:
    """Compare a reading with the value by hand; a symbol of another name is another symbol."""
    by_name = {_strip(latex): sympy.Float(number, 40) for latex, number in symbols.items()}
    found = {symbol: _strip(symbol.name) for symbol in expression.free_symbols}
    if not set(found.values()) <= set(by_name):
        return False
    point = {symbol: by_name[name] for symbol, name in found.items()}
    expected = sympy.Float(value, 40)
    result = expression.evalf(40, subs=point)
    if not result.is_number or not result.is_finite:
        return False
    return bool(abs(result - expected) <= abs(expected) * sympy.Float(10) ** -DIGITS)


def _strip(name: str) -> str:
    """Leave of a name what all readers agree on."""
    return name.replace("\\", "").replace("{", "").replace("}", "").replace("varphi", "phi")


def main() -> None:
    answers = load_answers()
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    print(f"{len(figures)} published answers\n")
    print(f"{'':38}{'parses':>8}{'right':>8}{'CPU':>10}")
    for name, reader in READERS.items():
        # The first text pays for imports and tables that a reader makes once.
        parses(reader, "x")
        began = time.process_time()
        readings = [parses(reader, answers[figure["id"]]) for figure in figures]
        seconds = time.process_time() - began
        right = [
            reading is not None and is_right(reading, figure["symbols"], figure["value"])
            for reading, figure in zip(readings, figures, strict=True)
        ]
        parsed = len(readings) - readings.count(None)
        print(f"{name:38}{parsed:>8}{sum(right):>8}{seconds:>8.2f} s")
        wrong = [str(figure["id"]) for figure, good in zip(figures, right, strict=True) if not good]
        if wrong:
            print(f"  not right: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
