"""A grade as a table of plain values, for a page, a log or a file."""

from __future__ import annotations

from typing import Any

from phybench_grader.verdict.grade import GRADER_VERSION, GradedAnswer


def explain(graded: GradedAnswer) -> dict[str, Any]:
    """
    Explain a grade in values that JSON can hold, in English.

    Returns:
        `verdict`; `accuracy` (0 or 100) and `eed` (0 to 100); `distance`, `size` and `relative`,
        which is their quotient (arXiv 2504.16074, equations 1 to 6), or None where none was needed;
        `reference_read` and `answer_read` in LaTeX; `reason`, a code, and `message`, both "" where
        the answer could be read; `notes`, sentences; `edits` from the answer to the reference, each
        with its `price`; `trees`, the nodes of both in postorder, or None; `grader_version`.

    >>> from phybench_grader import grade
    >>> explained = explain(grade("2 m g h", "m g h"))
    >>> explained["verdict"], explained["edits"][0]["kind"], round(explained["eed"], 1)
    ('PARTIAL', 'delete', 35.0)
    """
    return {
        "verdict": graded.verdict.value,
        "accuracy": graded.accuracy,
        "eed": graded.eed,
        "distance": graded.distance,
        "size": graded.size,
        "relative": graded.relative,
        "reference_read": graded.reference_read,
        "answer_read": graded.answer_read,
        "reason": graded.reason,
        "message": str(graded.message or ""),
        "notes": [str(note) for note in graded.notes],
        "edits": [
            {"kind": edit.kind, "before": edit.before, "after": edit.after, "price": edit.price}
            for edit in graded.edits
        ],
        "trees": graded.trees.write() if graded.trees else None,
        "grader_version": GRADER_VERSION,
    }
