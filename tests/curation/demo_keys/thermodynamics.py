"""The keys of `curation/demo/thermodynamics.toml`, found by numbers."""

from collections.abc import Sequence
from math import exp, pi, sqrt

import mpmath

from tests.curation.demo_keys import Check
from tests.curation.demo_keys.stepping import follow, follow_until

STICKING = {"S": 0.8, "f": 0.5, "p_0": 1.7, "L": 1.3}


def heat_and_cool() -> float:
    """Heat and cool in small steps; the piston creeps whenever friction can't hold it."""
    area, friction, outside, start = STICKING.values()
    creep, steps = 2e-6, 400
    length = start

    def force(temperature: float) -> float:
        """Return the force outwards on the piston, without friction."""
        return (outside * start * temperature / length - outside) * area

    hottest = 2.5
    rising = [1 + (hottest - 1) * count / steps for count in range(steps + 1)]
    for temperature in [*rising, *reversed(rising)]:
        while force(temperature) > friction:
            length += creep
        while force(temperature) < -friction:
            length -= creep
    return length - start


WEIGHT = {"x": 1.7}


def load_the_piston() -> float:
    (x,) = WEIGHT.values()
    friction = 1.1

    def settle(state: Sequence[float], mass: float) -> list[float]:
        """Let the piston come to rest, all the heat of the damping staying in the gas."""

        def rates(now: Sequence[float]) -> tuple[float, float, float]:
            height, speed, energy = now
            push = 2 / 3 * energy / height
            return (
                speed,
                push / mass - 1 - friction * speed / mass,
                friction * speed**2 - push * speed,
            )

        height, speed, energy = follow(rates, state, 120.0, 6_000)
        assert abs(speed) < 1e-9, "the piston must have come to rest"
        return [height, 0.0, energy]

    # Units: the piston's mass, g, and the gas's first height are 1, so that its energy is 3/2.
    loaded = settle([1.0, 0.0, 1.5], 1 + x)
    return settle(loaded, 1.0)[2] / 1.5


CRYSTAL = {r"\alpha": 0.7, "T_0": 1.9, "T_1": 0.6}


def cool_the_crystal() -> float:
    alpha, surroundings, goal = CRYSTAL.values()

    def work(temperature: mpmath.mpf) -> mpmath.mpf:
        """The work for one degree: a Carnot cycle between the crystal and its surroundings."""
        heat = alpha * temperature**3
        return heat * surroundings / temperature - heat

    return float(mpmath.quad(work, [goal, surroundings]))


DRUM = {
    "N": 3.1,
    "m": 1.2,
    r"\omega": 0.9,
    "L": 1.5,
    "a": 1.3,
    "k_B": 0.8,
    "T": 0.7,
}


def spin_the_drum() -> float:
    molecules, m, omega, length, a, boltzmann, temperature = DRUM.values()

    def rates(state: Sequence[float]) -> tuple[float, float, float]:
        r, pressure, _ = state
        density = pressure / (boltzmann * temperature)
        return 1.0, density * m * omega**2 * r, density * 2 * pi * r * length

    # Both the pressure at the wall and the number of molecules go with the pressure at the axis.
    _, at_the_wall, held = follow(rates, (0.0, 1.0, 0.0), a, 1_000)
    return at_the_wall * molecules / held


ENGINE = {"K_1": 1.3, "K_2": 0.7, "T_h": 3.1, "T_c": 1.2}


def run_the_engine() -> float:
    warm_wall, cold_wall, hot, cold = ENGINE.values()

    def power(taken: mpmath.mpf) -> mpmath.mpf:
        """What the engine gives when it takes in so much heat in a unit of time."""
        warm_side = hot - taken / warm_wall
        entropy = taken / warm_side
        # Its cold side is as warm as it takes to drive the same entropy out through the wall.
        cold_side = mpmath.findroot(
            lambda y: cold_wall * (y - cold) - entropy * y, (cold, 1000 * hot), solver="anderson"
        )
        return taken - entropy * cold_side

    low, high = mpmath.mpf("0.01"), mpmath.mpf("1")
    assert power(low) > 0 > power(high), "the best rate must lie between"
    # Golden section; near its top the power is flat, so that it is found better than the rate.
    golden = (mpmath.sqrt(5) - 1) / 2
    while high - low > mpmath.mpf("1e-6"):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if power(left) < power(right):
            low = left
        else:
            high = right
    return float(power((low + high) / 2))


LEAK = {"V": 2.3, "m": 1.4, "T_0": 0.9, "A": 0.07, "x": 0.31, "k_B": 0.8}


def empty_the_vessel() -> float:
    """Sum what the molecules of every velocity carry out of the hole, and take it from the gas."""
    volume, m, first, hole, fraction, boltzmann = LEAK.values()

    def rates(state: Sequence[float]) -> tuple[float, float]:
        molecules, energy = state
        # Of three equal directions; the steps are those of a normal distribution's width.
        width = sqrt(2 / 3 * energy / molecules / m)
        step = width / 20
        normal = [(k * step, exp(-((k * step / width) ** 2) / 2)) for k in range(-200, 201)]
        all_of_them = sum(weight for _, weight in normal)
        sideways = sum(m * u**2 / 2 * weight for u, weight in normal) / all_of_them
        # Simpson's rule for those that fly towards the hole.
        towards = normal[200:]
        shares = [step / 3 * (1 if k in {0, 200} else 4 if k % 2 else 2) for k in range(201)]
        leaving = [
            (u, share * u * weight / (all_of_them * step))
            for share, (u, weight) in zip(shares, towards, strict=True)
        ]
        rate = hole * molecules / volume
        return (
            -rate * sum(weight for _, weight in leaving),
            -rate * sum((m * u**2 / 2 + 2 * sideways) * weight for u, weight in leaving),
        )

    # The pressure goes with the energy, as the volume stays.
    at_first = 1.5 * boltzmann * first
    return follow_until(rates, [1.0, at_first], 2.0, lambda state: fraction * at_first - state[1])[
        0
    ]


CHECKS = {
    "piston-that-sticks": Check(
        STICKING,
        heat_and_cool,
        "Heating and cooling in small steps, the piston creeping when friction can't hold it.",
        tolerance=1e-5,
    ),
    "weight-put-on-and-taken-off": Check(
        WEIGHT,
        load_the_piston,
        "A damped piston in small steps, twice to rest, the damping's heat kept in the gas.",
    ),
    "cooling-a-crystal": Check(
        CRYSTAL, cool_the_crystal, "Many tiny Carnot cycles, their work added up by quadrature."
    ),
    "gas-in-a-spinning-drum": Check(
        DRUM,
        spin_the_drum,
        "The balance of thin layers of gas from the axis to the wall, the molecules counted.",
    ),
    "engine-behind-two-walls": Check(
        ENGINE,
        run_the_engine,
        "The balance of entropy solved for each rate of heat, the power's top by golden section.",
    ),
    "vessel-leaking-into-space": Check(
        LEAK,
        empty_the_vessel,
        "Molecules of all velocities summed at the hole; their energy taken from the gas stepwise.",
    ),
}
