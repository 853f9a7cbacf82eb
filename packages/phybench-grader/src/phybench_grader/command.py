"""
`phybench-grade REFERENCES ANSWERS`: grade a file of answers, without anything but this package.

Both files are JSON (a list of objects) or JSON lines. A reference has an `id` and an `answer`, and
may have `symbols`, a list of LaTeX names. An answer has the `id` of its reference and a `response`
(or `answer`), which may be a whole response with a boxed answer.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from phybench_grader import JudgeError, explain, grade

Row = dict[str, Any]


class BadFile(Exception):
    """A file that can't be used; the text says why and where."""


def main(arguments: list[str] | None = None) -> int:
    """Grade the files that the command line names; return 2 where one can't be read."""
    parser = argparse.ArgumentParser(
        prog="phybench-grade",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("references", type=Path)
    parser.add_argument("answers", type=Path)
    parser.add_argument("--output", type=Path, help="a file for the grades, a JSON line each")
    options = parser.parse_args(arguments)
    try:
        references = {str(row["id"]): row for row in read_rows(options.references, "answer")}
        answers = read_rows(options.answers, "response", "answer")
        output = options.output.open("w", encoding="utf-8") if options.output else sys.stdout
    except (BadFile, OSError) as error:
        print(f"phybench-grade: {error}", file=sys.stderr)
        return 2
    counts: Counter[str] = Counter()
    scores = []
    for line in grade_rows(references, answers):
        print(json.dumps(line, ensure_ascii=False), file=output, flush=True)
        counts[line["status"]] += 1
        if line["status"] == "graded":
            scores.append((line["accuracy"], line["eed"]))
    if options.output:
        output.close()
    print(summarise(counts, scores), file=sys.stderr)
    return 0


def read_rows(path: Path, *fields: str) -> list[Row]:
    """Read a list of objects, or one object a line; each with an `id` and a text in a field."""
    text = path.read_text(encoding="utf-8-sig")
    is_list = text.lstrip().startswith("[")
    rows: list[Any] = []
    try:
        if is_list:
            rows = json.loads(text)
        else:
            for line in filter(str.strip, text.splitlines()):
                rows.append(json.loads(line))
    except ValueError as error:
        where = "" if is_list else f", line {len(rows) + 1} that is not empty"
        raise BadFile(f"{path}{where}: this is no JSON ({error})") from None
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict) or "id" not in row:
            raise BadFile(f"{path}, row {number}: it has no “id”")
        if not any(isinstance(row.get(field), str) for field in fields):
            names = " or ".join(f"“{field}”" for field in fields)
            raise BadFile(f"{path}, row {number}: it has no text in {names}")
    return rows


def grade_rows(references: dict[str, Row], answers: list[Row]) -> Iterator[Row]:
    """
    Grade each answer, then name each reference without one.

    Yields:
        What `explain` says, with `id` and `status`: `graded`, `not_graded` (for a reason of ours:
        never a 0), `unknown_id` or `missing`.
    """
    for row in answers:
        reference = references.get(str(row["id"]))
        if reference is None:
            yield {"id": row["id"], "status": "unknown_id"}
            continue
        response = row["response"] if isinstance(row.get("response"), str) else row["answer"]
        try:
            graded = grade(response, reference["answer"], declared=reference.get("symbols", ()))
        except JudgeError as error:
            reason = {
                "reason": error.reason,
                "message": str(error),
                "answer_read": error.answer_read,
            }
            yield {"id": row["id"], "status": "not_graded", **reason}
        else:
            yield {"id": row["id"], "status": "graded", **explain(graded)}
    answered = {str(row["id"]) for row in answers}
    for identifier, reference in references.items():
        if identifier not in answered:
            yield {"id": reference["id"], "status": "missing"}


def summarise(counts: Counter[str], scores: list[tuple[float, float]]) -> str:
    """Say how many answers were graded and what they came to; a missing one counts 0."""
    total = len(scores) + counts["missing"]
    said = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in counts.items())
    if not total:
        return said or "no answers"
    accuracy, eed = (sum(score[place] for score in scores) / total for place in (0, 1))
    return f"{said}; accuracy {accuracy:.1f} %, EED {eed:.1f} (of {total})"


if __name__ == "__main__":
    sys.exit(main())
