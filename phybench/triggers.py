"""Rules that look at other rows, which a constraint can't."""

import pgtrigger


def require(name: str, *, when: pgtrigger.Q, found: str) -> pgtrigger.Trigger:
    """Refuse a row, new or changed, that `when` holds for and for which nothing is `found`."""
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Insert | pgtrigger.Update,
        when=pgtrigger.Before,
        condition=when,
        func=f"""
            IF NOT EXISTS ({found})
            THEN RAISE EXCEPTION 'pgtrigger: {name}';
            END IF;
            RETURN NEW;
        """,
    )
