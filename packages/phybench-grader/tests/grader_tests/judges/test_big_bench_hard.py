"""
The deterministic stage on real responses: those published with BIG-bench Hard.

They are not kept here, since they ask not to be copied about. To run this, get the repository
suzgunmirac/BIG-Bench-Hard and name its folder `code-davinci-002-outputs/code-davinci-002-cot` in
the environment variable BIG_BENCH_HARD.
"""

import json
import os
import re
from pathlib import Path

import pytest

from phybench_grader.judges.deterministic import RuleOutcome, decide

FOLDER = os.environ.get("BIG_BENCH_HARD", "")
LEAST_DECIDED = 0.9
ENOUGH = 1_000
"""Responses from which on their share means something."""

pytestmark = pytest.mark.skipif(not FOLDER, reason="BIG_BENCH_HARD names no folder")


def read_responses() -> list[dict[str, str]]:
    files = sorted(Path(FOLDER).glob("*_few_shot_template_*.json"))
    return [row for file in files for row in json.loads(file.read_text())["outputs"]]


def read_literally(response: str) -> str | None:
    """Take what stands behind the last “the answer is”, to the end of its line."""
    found = re.findall(r"the answer is (.+?)\.?\s*$", response, re.IGNORECASE | re.MULTILINE)
    return found[-1] if found else None


def fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def test_what_is_decided_is_what_the_response_says_and_most_is_decided():
    rows = read_responses()
    assert rows
    decided, wrong = 0, []
    for row in rows:
        # The prompt has worked examples; the question itself comes last.
        question = row["input"].rpartition("\nQ:")[2]
        outcome = decide(row["prediction"], row["target"], question=question).outcome
        stated = read_literally(row["prediction"])
        if outcome is RuleOutcome.UNDECIDED or stated is None:
            continue
        decided += 1
        if (outcome is RuleOutcome.MATCH) is not (fold(stated) == fold(row["target"])):
            wrong.append((stated, row["target"], outcome.value))
    print(f"{decided} of {len(rows)} decided")
    assert wrong == []
    assert len(rows) < ENOUGH or decided >= LEAST_DECIDED * len(rows)
