"""Values of the answers in `curation/demo/advanced.toml`, by motion, counting and matrices."""

import math
from collections.abc import Sequence
from itertools import product

from tests.curation.demo_keys import Check
from tests.curation.demo_keys.searching import find_root
from tests.curation.demo_keys.stepping import follow_until

PLASMA = {"n": 2.3, "q": 0.7, r"\varepsilon_0": 0.6, "m": 0.4, "M": 3.1, "Z": 2.0}


def frequency_of_the_clouds() -> float:
    """Move two overlapping charged slabs by the field that their charges make."""
    n, q, charge = PLASMA["n"], PLASMA["q"], PLASMA["Z"] * PLASMA["q"]
    ions = n / PLASMA["Z"]
    thickness = 10.0

    def field(electrons_at: float, ions_at: float, place: float) -> float:
        """Add what all sheets to the left and to the right make; each gives s / (2 epsilon_0)."""
        total = 0.0
        for centre, density in ((electrons_at, -n * q), (ions_at, ions * charge)):
            left = min(max(place - (centre - thickness / 2), 0.0), thickness)
            total += density * (left - (thickness - left)) / (2 * PLASMA[r"\varepsilon_0"])
        return total

    def rates(state: Sequence[float]) -> Sequence[float]:
        x_e, x_i, v_e, v_i = state
        middle = field(x_e, x_i, 0.0)
        return v_e, v_i, -q * middle / PLASMA["m"], charge * middle / PLASMA["M"]

    # Released from rest, the clouds are at their first turning point after half a period.
    half, _ = follow_until(rates, [0.1, 0.0, 0.0, 0.0], 0.01, lambda s: s[2] - s[3])
    return math.pi / half


HOLES = {"M": 3.7, "m": 0.8, "N": 5.0, "c": 1.9}


def largest_radiated_energy() -> float:
    """Merge the holes one by one, each time leaving the smallest mass that entropy allows."""
    mass, radiated = HOLES["M"], 0.0

    def entropy(mass: float) -> float:
        return 0.37 * mass**2

    def merge(first: float, second: float) -> float:
        before = entropy(first) + entropy(second)
        return find_root(lambda left: entropy(left) - before, 0.0, first + second)

    for _ in range(round(HOLES["N"])):
        together = mass + HOLES["m"]
        smallest = merge(mass, HOLES["m"])
        radiated += (together - smallest) * HOLES["c"] ** 2
        mass = smallest
    return radiated


CHAIN = {
    "N": 5.0,
    "a": 0.9,
    "b": 2.3,
    "g": 3.0,
    r"\varepsilon": 1.8,
    "f": 0.6,
    "k_B": 0.8,
    "T": 1.3,
}


def mean_length() -> float:
    """Count every state of the whole chain, each unfolded state of a domain by itself."""
    states = [(0.0, CHAIN["a"])] + [(CHAIN[r"\varepsilon"], CHAIN["b"])] * round(CHAIN["g"])
    total = weighted = 0.0
    for chain in product(states, repeat=round(CHAIN["N"])):
        energy = sum(energy for energy, _ in chain)
        length = sum(length for _, length in chain)
        # The weight at the chain's end sinks when the chain grows: that energy counts too.
        weight = math.exp(-(energy - CHAIN["f"] * length) / (CHAIN["k_B"] * CHAIN["T"]))
        total += weight
        weighted += weight * length
    return weighted / total


ORBIT = {"a": 1.9, "R": 1.3}


def angle_between_closest_approaches() -> float:
    """Follow an almost circular orbit in the plane, from one closest approach to the next."""
    a, radius, strength = ORBIT["a"], ORBIT["R"], 1.7

    def potential(r: float) -> float:
        return -strength / r * math.exp(-r / a)

    def pull(r: float) -> float:
        step = 1e-3
        near = potential(r + step) - potential(r - step)
        far = potential(r + 2 * step) - potential(r - 2 * step)
        return (8 * near - far) / (12 * step)

    def rates(state: Sequence[float]) -> Sequence[float]:
        x, y, vx, vy = state
        r = math.hypot(x, y)
        acceleration = -pull(r) / r
        return vx, vy, acceleration * x, acceleration * y

    def turn(excess: float) -> float:
        """Start in an apsis, a little off the circle's speed, and stop in the next of its kind."""
        speed = math.sqrt(pull(radius) * radius) * (1 + excess)
        _, (x, y, _, _) = follow_until(
            rates,
            [radius, 0.0, 0.0, speed],
            0.02,
            lambda s: math.copysign(1.0, excess) * (s[0] * s[2] + s[1] * s[3]),
        )
        return math.atan2(y, x) + 2 * math.pi

    # Faster, the start is the closest point, and the orbit lies outside the circle; slower,
    # inside. In the mean of the two what is linear in the deviation goes away.
    return (turn(1e-4) + turn(-1e-4)) / 2


CRYSTAL = {"K": 1.9, "M": 2.6, "m": 1.1}


def frequency_of_the_local_mode() -> float:
    """Find the highest frequency of a long, finite chain, by counting sign changes."""
    stiffness, neighbours = CRYSTAL["K"], 60
    masses = [CRYSTAL["M"]] * (2 * neighbours + 1)
    masses[neighbours] = CRYSTAL["m"]

    def modes_above(squared: float) -> int:
        """Count positive pivots of (stiffness matrix) - squared * (masses), ends held fast."""
        count, pivot = 0, math.inf
        for mass in masses:
            pivot = 2 * stiffness - squared * mass - stiffness**2 / pivot
            count += pivot > 0
        return count

    # One mode alone lies above the band, and nothing lies above 4 K / m.
    low, high = 0.0, 4 * stiffness / CRYSTAL["m"]
    for _ in range(60):
        middle = (low + high) / 2
        if modes_above(middle) > 0:
            low = middle
        else:
            high = middle
    return math.sqrt(low)


CLOCKS = {"G": 1.3, "M": 0.7, "c": 1.6, "r": 2.9}


def difference_of_the_clocks() -> float:
    """Find the circular orbit as the free fall that keeps its distance, then read both clocks."""
    c, r, mass = CLOCKS["c"], CLOCKS["r"], CLOCKS["G"] * CLOCKS["M"]

    def rate(radius: float, angular_velocity: float) -> float:
        """Proper time for each unit of coordinate time, on a circle, by the metric."""
        metric = 1 - 2 * mass / (c**2 * radius) - (radius * angular_velocity / c) ** 2
        return math.sqrt(metric)

    def slope(angular_velocity: float) -> float:
        # A free orbit makes the proper time stationary; for circles this means that the rate,
        # at the same angular velocity, does not change with the radius to first order.
        step = 1e-3
        near = rate(r + step, angular_velocity) - rate(r - step, angular_velocity)
        far = rate(r + 2 * step, angular_velocity) - rate(r - 2 * step, angular_velocity)
        return 8 * near - far

    angular_velocity = find_root(slope, 0.01, 0.3)
    turn = 2 * math.pi / angular_velocity
    return turn * (rate(r, 0.0) - rate(r, angular_velocity))


STRING = {"a": 1.3, "b": 2.1, r"\varphi": 2.7, r"\delta": 1.0, "c": 1.4}


def delay_of_the_second_flash() -> float:
    """Shoot rays from the observer around both sides of the string, and time those that hit."""
    full_turn = 2 * math.pi - STRING[r"\delta"]

    def rates(state: Sequence[float]) -> Sequence[float]:
        """Follow a straight line where lengths are dr^2 + r^2 d(angle)^2, at unit speed."""
        r, _, outwards, turning = state
        return outwards, turning, r * turning**2, -2 * outwards * turning / r

    def shoot(aim: float, angle: float) -> tuple[float, float]:
        """
        How far out a ray crosses the star's direction, and how long its path is then.

        A ray that gets very far from the string before it crosses is stopped there.
        """
        start = [STRING["a"], 0.0, -math.cos(aim), math.sin(aim) / STRING["a"]]
        length, (r, *_) = follow_until(
            rates, start, 0.01, lambda state: max(state[1] - angle, state[0] - 5.0)
        )
        return r, length

    def path(angle: float) -> float:
        # Aimed closer to the string, a ray crosses nearer to it.
        aim = find_root(lambda aim: shoot(aim, angle)[0] - STRING["b"], 0.1, 0.6, bisections=40)
        return shoot(aim, angle)[1]

    around = STRING[r"\varphi"]
    return abs(path(around) - path(full_turn - around)) / STRING["c"]


PULSES = {"f_1": 1.1, "f_2": 1.7, "t_1": 3.2, "t_2": 4.1, "c": 1.5}


def height_of_the_turn() -> float:
    """Follow rays through layers of all kinds, until one gives both echoes."""
    c = PULSES["c"]

    def climb(frequency: float, growth: float) -> tuple[float, float]:
        """How long a ray climbs in the plasma, and how far, by Hamilton's equations."""

        def rates(state: Sequence[float]) -> Sequence[float]:
            place, wave_number = state
            square = (growth * place) + (c * wave_number) ** 2
            return c**2 * wave_number / math.sqrt(square), -growth / (2 * math.sqrt(square))

        entering = [0.0, 2 * math.pi * frequency / c]
        time, (place, _) = follow_until(rates, entering, 0.01, lambda state: -state[1])
        return time, place

    def surplus(growth: float) -> float:
        """How much the echoes' times differ, less the difference that was observed."""
        later = 2 * (climb(PULSES["f_2"], growth)[0] - climb(PULSES["f_1"], growth)[0])
        return later - (PULSES["t_2"] - PULSES["t_1"])

    growth = find_root(surplus, 20.0, 1000.0, bisections=45)
    time, place = climb(PULSES["f_2"], growth)
    # What is left of the time passes below the plasma.
    return c * (PULSES["t_2"] / 2 - time) + place


CHECKS: dict[str, Check] = {
    "both-clouds-of-a-plasma": Check(
        PLASMA,
        frequency_of_the_clouds,
        "Two charged slabs moved by their own field until they turn round.",
    ),
    "swallowing-black-holes": Check(
        HOLES, largest_radiated_energy, "Mergers one by one, each with the least mass allowed."
    ),
    "chain-of-folded-domains": Check(
        CHAIN, mean_length, "All states of a chain of five domains counted with their weights."
    ),
    "orbit-around-a-short-ranged-force": Check(
        ORBIT,
        angle_between_closest_approaches,
        "An almost circular orbit integrated from one closest approach to the next.",
    ),
    "light-isotope-in-a-chain": Check(
        CRYSTAL,
        frequency_of_the_local_mode,
        "The highest frequency of a chain of 121 atoms, by bisection on the count of modes.",
    ),
    "hovering-and-orbiting-clock": Check(
        CLOCKS,
        difference_of_the_clocks,
        "The orbit of stationary proper time found by differences in the metric.",
    ),
    "flash-around-a-cosmic-string": Check(
        STRING,
        delay_of_the_second_flash,
        "Geodesics of the cone shot around both sides until they meet the star; lengths compared.",
    ),
    "where-a-radio-pulse-turns": Check(
        PULSES,
        height_of_the_turn,
        "Rays by Hamilton's equations; the layer searched that gives the echoes observed.",
    ),
}
