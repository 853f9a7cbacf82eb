"""Everything that must stay is in `docs/keep.md`, with a test that is there and that CI runs."""

import ast
import itertools
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
AT_LEAST = 31
"""Lines of the table: one more when something joins it, and none fewer."""
NAMED = re.compile(r"`([\w/.-]+\.py)::(\w+)`")
LEFT_OUT = {"slow", "skip", "skipif", "xfail"}
"""Marks of tests that CI does not run, or not always."""


def read_table(text: str) -> dict[str, list[tuple[str, str]]]:
    """Return the tests of each line, as file and name, by what is to stay."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {what: NAMED.findall(" ".join(rest)) for what, *rest in lines if what != "what"}


@cache
def parse(file: str) -> ast.Module:
    path = ROOT / file
    return ast.parse(path.read_text(encoding="utf-8") if path.is_file() else "")


def find_fault(file: str, name: str) -> str:
    """Say why no test of this name holds anything, or "" where one does."""
    tree = parse(file)
    found = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == name]
    if not found:
        return f"{file}::{name} is not there"
    marks = [
        one.value
        for one in tree.body
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "pytestmark"
    ]
    for mark in [*found[0].decorator_list, *itertools.chain.from_iterable(map(list_marks, marks))]:
        plain = mark.func if isinstance(mark, ast.Call) else mark
        if isinstance(plain, ast.Attribute) and plain.attr in LEFT_OUT:
            return f"{file}::{name} is marked {plain.attr}"
    return ""


def list_marks(value: ast.expr) -> list[ast.expr]:
    return value.elts if isinstance(value, ast.List | ast.Tuple) else [value]


TABLE = read_table((ROOT / "docs" / "keep.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("what", TABLE)
def test_what_must_stay_is_held_by_a_test(what: str) -> None:
    assert TABLE[what], "it names no test"
    assert [fault for one in TABLE[what] if (fault := find_fault(*one))] == []


def test_nothing_is_taken_out_of_the_table() -> None:
    assert len(TABLE) == AT_LEAST


def test_a_test_that_is_gone_and_one_that_ci_leaves_out_are_noticed() -> None:
    table = read_table("| what | whom | tests |\n|---|---|---|\n| A | B | C |\n")
    assert table == {"A": []}
    assert find_fault("tests/test_keep.py", "test_gone")
    assert find_fault("tests/gone.py", "test_gone")
    assert find_fault("tests/golden/test_golden.py", "test_what_is_given_out_is_what_it_was")
    skipped = "test_what_is_decided_is_what_the_response_says_and_most_is_decided"
    assert find_fault(
        "packages/phybench-grader/tests/grader_tests/judges/test_big_bench_hard.py", skipped
    )
