"""A day and a seed that stay: what is made within `fixed` is the same on any day, and each time."""

import datetime as clocks
import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest
from django.db import connection
from django.test import override_settings
from django.utils import timezone

from grading.judging.engine import conversation

NOW = clocks.datetime(2026, 9, 1, 9, 30, tzinfo=clocks.UTC)
SEED = 1
KEY = "of the golden files alone"
CLOCKS: tuple[ModuleType, ...] = (timezone, conversation)
"""Modules that read the clock. Django's own stands behind every `timezone.now` there is."""


class Stopped(clocks.datetime):
    @classmethod
    def now(cls, tz: clocks.tzinfo | None = None) -> clocks.datetime:
        return NOW.astimezone(tz) if tz else NOW.replace(tzinfo=None)


@contextmanager
def fixed() -> Iterator[None]:
    """
    Stop the clock, draw by a seed, and count rows from 1, or from what migrations left.

    The key of the installation is fixed too: receipts are salted with it, and it orders what is to
    tell nothing by its order.
    """
    drawing = random.Random(SEED)
    with (
        pytest.MonkeyPatch.context() as patch,
        override_settings(SECRET_KEY=KEY),
        count_from_the_start(),
    ):
        for module in CLOCKS:
            patch.setattr(module, "datetime", Stopped)
        patch.setattr(secrets, "token_bytes", lambda length=32: drawing.randbytes(length or 32))
        patch.setattr(secrets, "token_hex", lambda length=32: drawing.randbytes(length).hex())
        patch.setattr(secrets, "randbelow", drawing.randrange)
        patch.setattr(secrets, "choice", drawing.choice)
        patch.setattr(secrets, "token_urlsafe", lambda length=32: drawing.randbytes(length).hex())
        yield


@contextmanager
def count_from_the_start() -> Iterator[None]:
    """
    Give new rows the numbers that they have in a new database.

    Afterwards it goes on above all that were given: numbers are never given twice in a process, or
    rows that `tests/memory.py` puts back would collide.
    """
    given = read_numbers()
    set_numbers(dict.fromkeys(given, 0))
    try:
        yield
    finally:
        now = read_numbers()
        set_numbers({one: max(number, now[one]) for one, number in given.items()})


def read_numbers() -> dict[str, int]:
    """Return by sequence the last number that it gave; 0 of none."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT quote_ident(sequencename), coalesce(last_value, 0) FROM pg_sequences"
            " WHERE schemaname = current_schema"
        )
        return dict(cursor.fetchall())


def set_numbers(last: dict[str, int]) -> None:
    """Let each sequence go on after a number, or after the highest in its table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT quote_ident(s.relname), quote_ident(t.relname), quote_ident(a.attname)"
            " FROM pg_class s JOIN pg_depend d ON d.objid = s.oid AND d.deptype IN ('a', 'i')"
            " JOIN pg_class t ON t.oid = d.refobjid"
            " JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid"
            " WHERE s.relkind = 'S'"
        )
        for sequence, table, column in cursor.fetchall():
            cursor.execute(f"SELECT coalesce(max({column}), 0) FROM {table}")
            [highest] = cursor.fetchone()
            after = max(highest, last.get(sequence, 0))
            cursor.execute("SELECT setval(%s, %s, %s)", [sequence, max(after, 1), after > 0])
