"""Locks held by another connection, so that what happens at once happens so every time."""

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from django.contrib.messages import get_messages
from django.db import connection, connections
from django.http.response import HttpResponseBase

from phybench.people.models import User
from tests.addresses import client_of
from tests.development.checkout import wait_until

Result = TypeVar("Result")


@contextlib.contextmanager
def hold(statement: str, *parameters: object) -> Iterator[Callable[[], None]]:
    """
    Keep what a statement locks in an open transaction, and roll it back.

    What it gives ends it before the block does.
    """
    other = connection.copy()
    try:
        other.connect()
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(statement, parameters)
        yield other.close
    finally:
        other.close()


def post_in_turn(table: str, pk: int, *posts: Callable[[], HttpResponseBase]) -> list[int]:
    """Have all wait for one row, then let them go on one after the other; return the statuses."""
    return [answer.status_code for answer in answer_in_turn(table, pk, *posts)]


def answer_in_turn(
    table: str, pk: int, *posts: Callable[[], HttpResponseBase]
) -> list[HttpResponseBase]:
    """Do as `post_in_turn`, and return the answers."""
    with contextlib.ExitStack() as waiting:
        held = f'select 1 from "{table}" where id = %s for update'
        release = waiting.enter_context(hold(held, pk))
        futures = [waiting.enter_context(meanwhile(post)) for post in posts]
        release()
        return [future.result() for future in futures]


def double_click(table: str, pk: int, address: str, by: User, sent: dict[str, Any]) -> str:
    """Send a form twice at once, then once more; return where all were led, none with an error."""
    posts = [partial(client_of(by).post, address, sent) for _ in range(3)]
    answers: list[Any] = [*answer_in_turn(table, pk, *posts[:2]), posts[2]()]
    assert [one.status_code for one in answers] == [302] * 3
    levels = {one.level_tag for answer in answers for one in get_messages(answer.wsgi_request)}
    assert levels <= {"success"}
    [address] = {one["Location"] for one in answers}
    return address


def count_waiting() -> int:
    """Count the connections that wait for a lock."""
    with connection.cursor() as cursor:
        # Within a transaction it would be what it was at first.
        cursor.execute("select pg_stat_clear_snapshot()")
        cursor.execute(
            "select count(*) from pg_stat_activity"
            " where datname = current_database() and wait_event_type = 'Lock'"
        )
        count: int = cursor.fetchone()[0]
    return count


@contextlib.contextmanager
def meanwhile(function: Callable[[], Result]) -> Iterator[Future[Result]]:
    """
    Run a function on a connection of its own, and go on once it waits for a lock.

    What it returned, or raised, is in the future; ask after the transaction that it waits for.
    """

    def run() -> Result:
        try:
            return function()
        finally:
            connections.close_all()

    before = count_waiting()
    with ThreadPoolExecutor(1) as thread:
        future = thread.submit(run)
        # One that doesn't wait has ended, rightly or not: the test will tell.
        assert wait_until(lambda: future.done() or count_waiting() > before)
        yield future
