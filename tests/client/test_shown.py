"""What the client prints of what it is told, and which Pythons it runs on."""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client.loaded import load

client = load()


def figure(value: float | None, low: float | None = None, high: float | None = None) -> Any:
    return {"value": value, "low": low, "high": high, "count": 36}


def test_a_board_has_headings_intervals_and_rank_ranges_and_a_dash_for_what_is_not_there() -> None:
    board = {
        "benchmark": "demo",
        "version": 2,
        "rows": [
            {
                "rank_low": 1, "rank_high": 2, "name": "甲\x1b[1m",
                "accuracy": figure(66.7, 50.3, 79.8), "eed": figure(90.26, 84, 94),
            },
            {
                "rank_low": 3, "rank_high": 3, "name": "Second", "waiting": 4, "not_graded": 0,
                "accuracy": figure(100.0), "accuracy_range": {"low": 33.3, "high": 100.0},
                "eed": figure(None), "eed_range": {"low": 40.0, "high": 100.0},
            },
            {
                "name": "Third", "carried_from": 1, "rank_low": None,
                "accuracy": figure(None), "eed": None,
            },
        ],
        "studies": [{"name": "Human baseline", "people": 15, "eed": figure(69.9, 60.1, 79.7)}],
        "people": {"study": "", "people": 6, "accuracy": figure(50.0, 40.0, 60.0)},
    }  # fmt: skip
    assert list(client.describe_board(board)) == [
        "demo, version 2",
        "Rank  Solver                             Accuracy    95 %       EED         95 %",
        "1–2   甲[1m                              66.7        50.3–79.8  90.3        84.0–94.0",
        "3     Second (4 still being graded)      33.3–100.0  –          40.0–100.0  –",
        "–     Third (answers to version 1)       –           –          –           –",
        "–     Human baseline (15 people)         –           –          69.9        60.1–79.7",
        "–     People without a study (6 people)  50.0        40.0–60.0  –           –",
    ]
    assert list(client.describe_board({"rows": [], "people": None})) == [
        "–, version –",
        "This board has no answers yet.",
    ]


def test_a_submission_says_each_mean_or_why_there_is_none() -> None:
    told = {"model": "A", "number": 1, "id": 3, "progress": {
        "state": "incomplete", "done": 2, "total": 2, "counts": {"FAILED": 2}, "missing": 0,
        "accuracy": figure(None), "accuracy_range": None,
        "eed": figure(None), "eed_range": {"low": 40.0, "high": 100.0},
    }}  # fmt: skip
    assert list(client.describe_submission(told))[2:] == [
        "  accuracy –: nothing is graded",
        "  eed 40.0 to 100.0: not all is graded",
    ]


OLD_PYTHONS = ("python3.6", "python3.7", "python3.8")


def list_old_pythons() -> Iterator[str]:
    """List what really starts; a name on PATH may be a version manager's own."""
    installed = map(str, Path(sys.base_prefix).parent.glob("3.[678].*/bin/python3"))
    for python in (*filter(shutil.which, OLD_PYTHONS), *installed):
        told = subprocess.run([python, "-V"], capture_output=True, text=True)
        if told.returncode == 0:
            yield python


def test_an_older_python_is_refused_in_a_sentence() -> None:
    pythons = list(list_old_pythons())
    if not pythons:
        pytest.skip(f"none of {', '.join(OLD_PYTHONS)} is here")
    for python in pythons:
        command = [python, Path(client.__file__), "--help"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (2, "")
        assert re.fullmatch(
            r"phybench\.py needs Python 3\.9 or newer, and this is Python 3\.[678]: start it with a"
            r" newer one, e\.g\. python3\.11 phybench\.py --help\.\n",
            done.stderr,
        )


def test_it_is_written_so_that_an_older_python_can_read_it_as_far_as_its_refusal() -> None:
    tree = ast.parse(Path(client.__file__).read_text(encoding="utf-8"), feature_version=(3, 7))
    imported = {one.module for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)}
    assert "__future__" not in imported, "3.6 has no annotations there"
