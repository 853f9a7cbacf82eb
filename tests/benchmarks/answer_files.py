"""
How quickly files of models' answers are read, beside `json.loads` of each line alone.

    python -m tests.benchmarks.answer_files
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import resource
import time

from django.conf import settings

from phybench.files.answer_files.answers import Reading
from phybench.files.answer_files.guessing import guess
from phybench.files.answer_files.rows import open_rows

ROWS, SAMPLES = 20_000, 40
RESPONSE = 'The energy is \\frac{1}{2} m v^2, so\n\\[ v = \\sqrt{2 g h} \\] and "v" is it. ' * 100


def make_rows() -> list[dict[str, object]]:
    return [
        {
            "id": number // SAMPLES,
            "model": "A model",
            "repeat_index": number % SAMPLES,
            "response": f"{number}: {RESPONSE}",
            "usage": {"completion_tokens": number},
        }
        for number in range(ROWS)
    ]


def make_files(rows: list[dict[str, object]]) -> dict[str, bytes]:
    lines = "\n".join(map(json.dumps, rows)).encode()
    table = io.StringIO()
    writer = csv.DictWriter(table, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return {
        "JSON lines": lines,
        "JSON lines, gzip": gzip.compress(lines, 6),
        "JSON": json.dumps(rows).encode(),
        "JSON, indented": json.dumps(rows, indent=2).encode(),
        "JSON, in an object": json.dumps({"model": "A model", "results": rows}).encode(),
        "CSV": table.getvalue().encode(),
    }


def measure_bare(lines: bytes) -> float:
    began = time.process_time()
    for line in io.BytesIO(lines):
        json.loads(line)
    return time.process_time() - began


def main() -> None:
    # Sentences are said in English, and nothing else of the project is needed.
    settings.configure(USE_I18N=False)
    files = make_files(make_rows())
    bare = measure_bare(files["JSON lines"])
    print(f"{ROWS} rows; json.loads of each line: {ROWS / bare:.0f} rows a second\n")
    print(f"{'':22}{'MB':>8}{'rows/s':>10}{'times json.loads':>20}")
    for name, content in files.items():
        began = time.process_time()
        found = open_rows(io.BytesIO(content))
        reading = Reading(found, guess(found.head()))
        answers = sum(1 for _answer in reading)
        seconds = time.process_time() - began
        assert answers == reading.counts.answers["A model"] == ROWS, reading.counts
        times = seconds / bare
        print(f"{name:22}{len(content) / 1e6:>8.1f}{ROWS / seconds:>10.0f}{times:>20.2f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{peak:.0f} MB at most, with the files themselves")


if __name__ == "__main__":
    main()
