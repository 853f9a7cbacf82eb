"""Rules that look at other rows, which a constraint can't."""

from collections.abc import Sequence

import pgtrigger


def require(
    name: str,
    *,
    when: pgtrigger.Q,
    found: str,
    at_commit: bool = False,
    changed: Sequence[str] = (),
) -> pgtrigger.Trigger:
    """
    Refuse a row, new or changed, that `when` holds for and for which nothing is `found`.

    `at_commit` lets what is to be found be written after it; `changed` names the columns whose
    change is looked at, where not that of any.
    """
    change = pgtrigger.UpdateOf(*changed) if changed else pgtrigger.Update  # type: ignore[no-untyped-call]
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Insert | change,
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
