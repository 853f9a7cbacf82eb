"""
Triggers that count a submission's answers by what became of them, whoever changes that.

They write `grading_submissiontally` in the transaction that changes an answer, once a statement,
so that pages need not count rows. Several submissions' tallies are held in the order of their
numbers: else two statements could wait for each other.
"""

import pgtrigger

COUNTED = {
    "waiting": ("QUEUED", "GRADING"),
    "graded": ("GRADED",),
    "failed": ("FAILED",),
    "cancelled": ("CANCELLED",),
}
"""Columns of a tally, and answers of which status each counts."""


def count(name: str, operation: pgtrigger.Operation, **rows: str) -> pgtrigger.Trigger:
    """
    Count the answers that a statement changed.

    Args:
        rows: names of the tables of them, as they were (`old`) and as they are (`new`).
    """
    changed = " UNION ALL ".join(
        f"SELECT submission_id, status, {1 if when == 'new' else -1} AS change FROM {table}"
        " WHERE submission_id IS NOT NULL"
        for when, table in rows.items()
    )
    sums = ", ".join(
        f"coalesce(sum(change) FILTER (WHERE status = ANY('{{{','.join(statuses)}}}')), 0)"
        f" AS {column}"
        for column, statuses in COUNTED.items()
    )
    some = " OR ".join(f"found.{column} <> 0" for column in COUNTED)
    begin = f"""
                INSERT INTO grading_submissiontally (submission_id, {", ".join(COUNTED)})
                VALUES (one.submission_id, {", ".join("0" for _column in COUNTED)})
                ON CONFLICT DO NOTHING;"""
    return pgtrigger.Trigger(
        name=name,
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=operation,
        referencing=pgtrigger.Referencing(**rows),  # type: ignore[no-untyped-call]
        declare=[("one", "RECORD")],
        func=f"""
            FOR one IN
                SELECT * FROM (
                    SELECT submission_id, {sums} FROM ({changed}) answer GROUP BY submission_id
                ) found
                WHERE {some} ORDER BY submission_id
            LOOP
                {begin if "old" not in rows else ""}
                UPDATE grading_submissiontally SET
                    {", ".join(f"{column} = {column} + one.{column}" for column in COUNTED)},
                    graded_at = CASE
                        WHEN one.graded > 0 THEN clock_timestamp() ELSE graded_at
                    END,
                    scores = NULL
                WHERE submission_id = one.submission_id;
            END LOOP;
            RETURN NULL;
        """,
    )


COUNTING = [
    count("answers_that_come_are_counted", pgtrigger.Insert, new="new_rows"),
    count("answers_that_change_are_counted", pgtrigger.Update, new="new_rows", old="old_rows"),
    count("answers_that_go_are_counted", pgtrigger.Delete, old="old_rows"),
]
