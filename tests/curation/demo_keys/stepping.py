"""Follow differential equations in small steps: the fourth-order Runge-Kutta rule, and events."""

from collections.abc import Callable, Sequence

State = list[float]
Rates = Callable[[Sequence[float]], Sequence[float]]

BISECTIONS = 60


def advance(rates: Rates, state: Sequence[float], step: float) -> State:
    """Take one step."""

    def moved(by: Sequence[float], length: float) -> State:
        return [x + length * slope for x, slope in zip(state, by, strict=True)]

    first = rates(state)
    second = rates(moved(first, step / 2))
    third = rates(moved(second, step / 2))
    fourth = rates(moved(third, step))
    mean = [
        (a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(first, second, third, fourth, strict=True)
    ]
    return moved(mean, step)


def follow(rates: Rates, state: Sequence[float], duration: float, steps: int) -> State:
    """Advance `state` by `duration` in equal steps."""
    for _ in range(steps):
        state = advance(rates, state, duration / steps)
    return list(state)


def follow_until(
    rates: Rates,
    state: Sequence[float],
    step: float,
    event: Callable[[Sequence[float]], float],
    steps: int = 200_000,
) -> tuple[float, State]:
    """Advance `state` until `event` rises through zero, and return that time and state."""
    for count in range(steps):
        following = advance(rates, state, step)
        if event(state) < 0 <= event(following):
            early, late = 0.0, step
            for _ in range(BISECTIONS):
                middle = (early + late) / 2
                if event(advance(rates, state, middle)) < 0:
                    early = middle
                else:
                    late = middle
            return count * step + late, advance(rates, state, late)
        state = following
    raise AssertionError(f"no event within {steps} steps")
