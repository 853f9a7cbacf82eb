"""
Compute what the demo's keys say, by numbers and from their statements alone.

Each module holds the checks of one file in `curation/demo`: a point at which to compare, and a
numerical method that knows the physics of the statement and nothing of the closed form.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One key's value at one point, found without the key."""

    point: dict[str, float]
    """A value for each symbol of the answer, by its LaTeX."""
    value: Callable[[], float]
    how: str
    tolerance: float = 1e-6
    """How far, relatively, the numbers may lie from the key."""
