"""Search an interval: for a root by bisection, for a minimum by the golden section."""

import math
from collections.abc import Callable

GOLDEN = (math.sqrt(5) - 1) / 2


def find_root(
    function: Callable[[float], float], low: float, high: float, bisections: int = 100
) -> float:
    """Find where `function` changes sign between `low` and `high`."""
    sign = math.copysign(1.0, function(low))
    assert sign * function(high) <= 0, "no change of sign"
    for _ in range(bisections):
        middle = (low + high) / 2
        if sign * function(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def find_minimum(
    function: Callable[[float], float], low: float, high: float, narrowings: int = 60
) -> float:
    """Find where `function`, which has one minimum between `low` and `high`, is smallest."""
    for _ in range(narrowings):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        if function(left) < function(right):
            high = right
        else:
            low = left
    return (low + high) / 2
