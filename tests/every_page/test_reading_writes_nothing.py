"""Whoever reads pages makes the server keep nothing but who was shown what, once."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from curation.problems.exposures import models as exposures
from phybench.work import budgets
from tests.addresses import PEOPLE, World, ask_twice, client_of
from tests.every_page.shown import read
from tests.every_page.test_walk import list_addresses

WRITING = re.compile(
    r"(?:^|\(|\bAS )\s*(?:INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|COPY|TRUNCATE)\s+\"?(\w+)",
    re.IGNORECASE,
)


WRITTEN_ONCE = {
    "curation_exposure",  # who was shown what
    "curation_download",  # … and took it out as a file that has an address
    "grading_analysis",  # what a worker is asked to find out, for whoever comes
    "account_emailaddress",  # allauth's, of an account that was made without a form
}
"""Tables that reading a page for the first time may write to, and why."""


@contextmanager
def noting_writes(noted: list[str]) -> Iterator[None]:
    """Note the table of each statement that writes."""

    def note(execute: Callable[..., Any], sql: Any, *rest: Any) -> Any:
        noted.extend(WRITING.findall(str(sql)))
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield


def walk(client: Client, world: World) -> dict[str, set[str]]:
    """
    Read every page once, and say by its name into which tables reading it wrote.

    Seconds that a page computes for somebody are counted each time, in a table that no disk keeps.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for name, address in list_addresses(world):
        noted: list[str] = []
        with noting_writes(noted):
            for answer in ask_twice(client, address):
                read(answer)
        if kept := set(noted) - {budgets.TABLE}:
            found[name] |= kept
    return dict(found)


@pytest.mark.django_db
@pytest.mark.parametrize("person", PEOPLE)
def test_who_reads_every_page_again_writes_nothing(world, monkeypatch, person):
    # The ten minutes, in which what is shown again is written down once, may end between two pages.
    monkeypatch.setattr(exposures, "SLOT", timedelta(days=36_500))
    client = client_of(world.people[person])
    first = walk(client, world)
    assert set().union(*first.values()) <= WRITTEN_ONCE
    assert walk(client, world) == {}


def test_what_writes_is_told_from_what_only_locks():
    said = ["INSERT INTO a VALUES", '  UPDATE "a" SET', "WITH b AS (DELETE FROM a", "DELETE FROM a"]
    assert [WRITING.findall(one) for one in said] == [["a"]] * 4
    assert WRITING.findall("SELECT 1 FROM a FOR NO KEY UPDATE OF a") == []
