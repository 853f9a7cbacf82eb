"""References that tests go by: the published ones where they are at hand, and our own always."""

import json
import os
import tomllib
from pathlib import Path

import pytest

FILE = "shared/data/phybench/with-answers-50.json"
DEMO = Path(__file__).parents[5] / "curation" / "demo"


def find_published() -> dict[int, str]:
    """Find the published answers in a parent folder, or in that which PHYBENCH_DATA names."""
    folders = [Path(folder) for folder in (os.environ.get("PHYBENCH_DATA", ""),) if folder]
    candidates = [folder / "with-answers-50.json" for folder in folders]
    candidates += [folder / FILE for folder in Path(__file__).parents]
    for candidate in candidates:
        if candidate.is_file():
            return {row["id"]: row["answer"] for row in json.loads(candidate.read_text())}
    return {}


PUBLISHED = find_published()
needs_published = pytest.mark.skipif(
    not PUBLISHED, reason=f"the published answers are not here: no {FILE} in a parent folder"
)
one_of_them = pytest.mark.parametrize(
    "number",
    [
        number if place % 10 == 0 else pytest.param(number, marks=pytest.mark.slow)
        for place, number in enumerate(sorted(PUBLISHED))
    ],
)
"""Gives a test a tenth of their numbers, and all where it may take long."""
OWN = {
    problem["key"]: problem["answer"]
    for file in sorted(DEMO.glob("*.toml"))
    for problem in tomllib.loads(file.read_text(encoding="utf-8"))["problem"]
}
"""The demo problems' answers."""
