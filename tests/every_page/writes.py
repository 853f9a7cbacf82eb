"""What reading a page writes."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from phybench.work import budgets

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
def noting_writes() -> Iterator[list[str]]:
    """
    Note the table of each statement that writes.

    Seconds that a page computes for somebody are counted each time, in a table that no disk keeps.
    """
    noted: list[str] = []

    def note(execute: Callable[..., Any], sql: Any, *rest: Any) -> Any:
        noted.extend(table for table in WRITING.findall(str(sql)) if table != budgets.TABLE)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield noted
