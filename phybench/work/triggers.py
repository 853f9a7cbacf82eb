"""Rules that look at other rows, which a constraint can't."""

import pgtrigger


def require(
    name: str, *, when: pgtrigger.Q, found: str, at_commit: bool = False
) -> pgtrigger.Trigger:
    """
    Refuse a row, new or changed, that `when` holds for and for which nothing is `found`.

    `at_commit` lets what is to be found be written after it.
    """
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Insert | pgtrigger.Update,
        when=pgtrigger.After if at_commit else pgtrigger.Before,
        timing=pgtrigger.Deferred if at_commit else None,
        condition=when,
        func=f"""
            IF NOT EXISTS ({found})
            THEN RAISE EXCEPTION 'pgtrigger: {name}';
            END IF;
            RETURN NEW;
        """,
    )
