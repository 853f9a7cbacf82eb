"""
The kinds of judges, a module each: its prompt, its reply, its rules, its options and its words.

A module makes one `KIND`, and is known by lying here.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from typing import Any

from phybench_grader.judges.kinds.kind import JudgeKind

_FOUND = [
    importlib.import_module(f"{__name__}.{module.name}")
    for module in pkgutil.iter_modules(__path__)
]
KINDS: dict[str, JudgeKind[Any]] = {
    kind.code: kind
    for kind in sorted(
        (module.KIND for module in _FOUND if hasattr(module, "KIND")), key=lambda kind: kind.place
    )
}
"""By their codes, in the order in which they are listed."""


def of_verdict(written: Mapping[str, Any]) -> JudgeKind[Any]:
    """
    Find the kind that a written verdict is of.

    >>> str(of_verdict({"rating": 7.5})), str(of_verdict({"preferred": "tie"}))
    ('rating', 'pairwise')
    """
    for kind in KINDS.values():
        if kind.field in written:
            return kind
    raise KeyError("verdict")


def count(written: Mapping[str, Any]) -> float:
    """
    Say which number a written verdict is in a mean; of a pair, the first one's share.

    >>> count({"rating": 7.5}), count({"preferred": "tie"})
    (7.5, 0.5)
    """
    return of_verdict(written).count(written)


def says_right(written: Mapping[str, Any]) -> bool | None:
    """
    Tell whether a written verdict takes the answer for right: on a scale, from its middle on.

    >>> says_right({"rating": 6.0}), says_right({"overall": 80.0, "answer": 49.0})
    (True, False)
    >>> says_right({"preferred": "tie"}) is None
    True
    """
    return of_verdict(written).says_right(written)
