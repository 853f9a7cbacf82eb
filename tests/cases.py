"""Many cases in one test: as tests of their own they would cost more than what they try."""

from collections.abc import Callable, Collection
from typing import Any


def try_each(
    cases: Collection[Any], attempt: Callable[[Any], None], name: Callable[[Any], str] = str
) -> None:
    """Try every case; fail with all that failed, each by its name."""
    assert cases
    failed = []
    for case in cases:
        try:
            attempt(case)
        except Exception as error:
            error.add_note(f"The case: {name(case)}")
            failed.append(error)
    if failed:
        raise ExceptionGroup(f"{len(failed)} of {len(cases)} cases failed", failed)
