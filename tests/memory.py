"""
What many tests begin with is made once in a process, by the app's own actions, and then put back.

A fixture that is `remembered` makes its rows the first time that it is asked for in a given state
of the database: empty, or left by remembered fixtures before it, with these settings. What it added
and changed is kept as text, what it returned as a pickle; the next test in that state gets both in
one statement. In a state that something else wrote to it makes everything anew.

Numbers are never given twice in a process, rolled back or not, so rows that come back collide with
none, and those made after them have higher ones, as ever.
"""

import functools
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from django.conf import UserSettingsHolder, settings
from django.db import connection, transaction
from django.utils import timezone
from psycopg.sql import SQL, Composable, Identifier, Literal

from tests.databases import Rows, find_key, group, insert, join, read_rows

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
HARMLESS = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK", "SET", "SHOW")
"""How statements begin that leave the rows as they are."""


@dataclass(frozen=True, slots=True)
class Made:
    """What one fixture left behind."""

    statement: str
    returned: bytes


class Memory:
    """What made the rows that are there now, as far as that is known."""

    def __init__(self) -> None:
        self.made: dict[tuple[str, ...], Made] = {}
        self.state: tuple[str, ...] | None = None
        self.is_own = False

    @contextmanager
    def begin(self) -> Iterator[None]:
        """Watch a test that begins with an empty database."""
        self.state = ()
        with connection.execute_wrapper(self._watch):
            yield
        self.state = None

    def _watch(
        self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any
    ) -> Any:
        if not self.is_own and not str(sql)[:20].lstrip("( ").startswith(HARMLESS):
            self.state = None
        return execute(sql, params, many, context)

    @contextmanager
    def _known(self, state: tuple[str, ...]) -> Iterator[None]:
        self.is_own = True
        try:
            yield
        finally:
            self.is_own = False
        self.state = state

    def make(self, name: str, make: Callable[[], Result]) -> Result:
        if self.state is None:
            return make()
        # Whom a page has not seen today it writes down once more: at midnight all is made anew.
        state = (*self.state, f"{name} {timezone.localdate()} {read_changed_settings()}")
        with self._known(state):
            if state in self.made:
                made = self.made[state]
                with transaction.atomic(), connection.cursor() as cursor:
                    cursor.execute(made.statement)
                result: Result = pickle.loads(made.returned)
                return result
            before = read_rows()
            result = make()
            self.made[state] = Made(write(before, read_rows()), pickle.dumps(result))
            return result


def read_changed_settings() -> dict[str, Any]:
    """Read those that the test has changed so far: what is made may depend on them."""
    changed: dict[str, Any] = {}
    layer = settings._wrapped
    while isinstance(layer, UserSettingsHolder):
        changed = {**vars(layer), **changed}
        layer = layer.default_settings
    return {name: changed[name] for name in sorted(changed) if name.isupper()}


def write(before: Rows, after: Rows) -> str:
    """Write the statement that takes the database from one state to another."""
    gone = [place for place, row in before.items() if after.get(place) != row]
    new = [place for place, row in after.items() if before.get(place) != row]
    steps: list[Composable] = []
    for table, ids in group(gone):
        steps.append(
            SQL("DELETE FROM {} WHERE {} = ANY({})").format(
                Identifier(table), Identifier(find_key(table)), Literal(ids)
            )
        )
    steps.extend(insert({place: after[place] for place in new}))
    return join(steps)


memory = Memory()


def remembered(fixture: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Have a fixture's rows made once for each state of the database that it begins with."""

    @functools.wraps(fixture)
    def remember(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        return memory.make(
            f"{fixture.__module__}.{fixture.__qualname__}", lambda: fixture(*args, **kwargs)
        )

    return remember
