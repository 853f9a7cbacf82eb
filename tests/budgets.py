"""What tests of budgets measure: how much a database grew, and how long ago something was used."""

from typing import Self

from django.db import connection

from phybench.work.budgets import TABLE


def pass_time(seconds: float) -> None:
    """Have what was used be so much older."""
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {TABLE} SET at = at - make_interval(secs => %s)", [float(seconds)])


def forget_used() -> None:
    """Have nobody have used anything."""
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {TABLE}")


class Grown:
    """How many bytes the whole database grew by meanwhile, indexes and all."""

    bytes = 0

    def __enter__(self) -> Self:
        self._before = measure()
        return self

    def __exit__(self, *_error: object) -> None:
        self.bytes = measure() - self._before


def measure() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        [size] = cursor.fetchone()
    return int(size)
