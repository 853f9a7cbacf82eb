"""Many cases: in one test, since tests of their own cost more, or left to `make slow` but a few."""

from collections.abc import Callable, Collection
from typing import Any

import pytest


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


def leave_most_to_slow(cases: Collection[Any], *, one_of: int = 3) -> list[Any]:
    """Try one of three cases, or of more, at once, and the others in `make slow`."""
    return [
        pytest.param(case, marks=() if number % one_of == 0 else pytest.mark.slow)
        for number, case in enumerate(cases)
    ]
