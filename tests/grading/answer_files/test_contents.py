"""
What whole files come to, from their bytes to answers and what is left out.

The outcomes of `ROWS` were those of two readers, one of which was written apart from the other: the
command-line client's, until files were sent to be read.
"""

import csv
import gzip
import io
import json
from collections import Counter
from typing import Any

import pytest

from phybench.files.answer_files.answers import Answer, Reading
from phybench.files.answer_files.guessing import guess
from phybench.files.answer_files.rows import BrokenOff
from tests.grading.answer_files.files import open_file


def as_csv(rows: list[dict[str, Any]], delimiter: str = ",") -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


ROWS: list[dict[str, Any]] = [
    {"id": "C1", "model": "A", "response": 'so\n\\boxed{x}, "yes"', "epoch": 1},
    {"id": "C1", "model": "A", "response": "y", "epoch": 1},
    {"id": "C1", "model": "A", "response": "z", "epoch": 2},
    {"id": "C2", "model": " A\u200b ", "response": "", "epoch": 1},
    {"id": "", "model": "A", "response": "x", "epoch": 1},
    {"id": "C3", "model": "", "response": "x", "epoch": 1},
    {"id": 4.0, "model": "B", "response": "x", "epoch": 7.5},
    {"id": "C5", "model": "B", "response": "x", "epoch": 2},
]
LINES = "".join(json.dumps(one) + "\n" for one in ROWS).encode()
NAN = b'[{"id": "C1", "model": "A", "response": NaN}, {"id": 1, "model": "A", "response": "x"},]'
# One epoch is no whole number: no field numbers the samples, and the third row is the first again.
LEFT = {"A TWICE": 2, "A EMPTY": 1, "A NO_ID": 1, " NO_MODEL": 1}
FIRST, LAST = ["A C1 1", "B 4 1"], "B C5 1"
# A table has no numbers: its id stays as it is written.
OF_TABLE = ["A C1 1", "B 4.0 1"]
TWICE = {name: 2 * count for name, count in LEFT.items()} | {"A TWICE": 5, "B TWICE": 2}
Outcome = tuple[str, int, list[str], dict[str, int], bool]
"""Format, rows, answers, what is left out by model and reason, and whether it breaks off."""
FILES: dict[str, tuple[bytes, Outcome]] = {
    "list.json": (
        json.dumps(ROWS, indent=1).encode(),
        ("json", 8, [*FIRST, LAST], LEFT, False),
    ),
    "lines.jsonl": (LINES, ("jsonl", 8, [*FIRST, LAST], LEFT, False)),
    "lines.json": (LINES, ("jsonl", 8, [*FIRST, LAST], LEFT, False)),
    "broken-line.jsonl": (
        LINES + b'{"id": broken}\n\n[1]\n' + LINES,
        ("jsonl", 18, [*FIRST, LAST], TWICE | {" NO_ROW": 2}, False),
    ),
    "cut.jsonl": (LINES[:-20], ("jsonl", 7, FIRST, LEFT, True)),
    "cut.json": (json.dumps(ROWS).encode()[:-25], ("json", 7, FIRST, LEFT, True)),
    "table.csv": (as_csv(ROWS), ("csv", 8, [*OF_TABLE, LAST], LEFT, False)),
    "semicolons.csv": (as_csv(ROWS, ";"), ("csv", 8, [*OF_TABLE, LAST], LEFT, False)),
    "short.csv": (
        as_csv(ROWS) + b"C9,A\nC10,A,x,1\n",
        ("csv", 10, [*OF_TABLE, LAST, "A C10 1"], LEFT | {" NO_ROW": 1}, False),
    ),
    "cut.csv": (as_csv(ROWS)[:-9], ("csv", 7, OF_TABLE, LEFT, True)),
    "packed.jsonl.gz": (
        gzip.compress(LINES) + gzip.compress(LINES),
        ("jsonl", 16, [*FIRST, LAST], TWICE, False),
    ),
    "cut.jsonl.gz": (gzip.compress(LINES)[:-12], ("jsonl", 7, FIRST, LEFT, True)),
    "marked.csv": (
        b"\xef\xbb\xbf" + as_csv(ROWS),
        ("csv", 8, [*OF_TABLE, LAST], LEFT, False),
    ),
    "sixteen.jsonl": (
        LINES.decode().encode("utf-16"),
        ("jsonl", 8, [*FIRST, LAST], LEFT, False),
    ),
    "nan.json": (NAN, ("json", 2, ["A 1 1"], {"A EMPTY": 1}, False)),
    "in-a-field.json": (
        json.dumps({"config": {"model": "C"}, "results": ROWS}).encode(),
        ("json", 8, [*FIRST, LAST], LEFT, False),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_comes_to_these_answers_and_says_what_it_leaves_out(name: str) -> None:
    content, outcome = FILES[name]
    rows = open_file(content, name)
    reading = Reading(rows, guess(rows.head(), remarks=rows.remarks))
    answers: list[str] = []
    left_out: Counter[str] = Counter()
    is_cut = False
    try:
        for one in reading:
            if isinstance(one, Answer):
                answers.append(f"{one.model} {one.id} {one.sample}")
            else:
                left_out[f"{one.model} {one.reason.value}"] += 1
    except BrokenOff:
        is_cut = True
    assert (rows.format.value, reading.counts.rows, answers, left_out, is_cut) == outcome
