"""The keys of `curation/demo/electricity.toml`, found by numbers."""

from collections.abc import Sequence
from math import pi

import mpmath

from tests.curation.demo_keys import Check
from tests.curation.demo_keys.searching import find_minimum, find_root
from tests.curation.demo_keys.stepping import follow, follow_until

WIRE_RING = {"R": 11.0, "r": 1.6}


def heat_the_ring() -> float:
    whole, inner = WIRE_RING.values()

    def heating(angle: mpmath.mpf) -> mpmath.mpf:
        """Kirchhoff's rules for the two arcs' currents, and the heat of both."""
        short, long = whole * angle / (2 * mpmath.pi), whole * (1 - angle / (2 * mpmath.pi))
        currents = mpmath.lu_solve(
            mpmath.matrix([[short + inner, inner], [inner, long + inner]]), mpmath.matrix([1, 1])
        )
        return currents[0] ** 2 * short + currents[1] ** 2 * long

    best = mpmath.findroot(lambda x: mpmath.diff(heating, x), (0.05, 2.9), solver="anderson")
    assert all(heating(best) > heating(mpmath.pi * k / 20) for k in range(1, 21))
    return float(best)


BEAD = {"g": 9.81, "h": 0.5, "q": 1.1, "Q": 0.8, r"\epsilon_0": 0.3, "m": 0.2}


def drop_the_bead() -> float:
    g, h, q, source, epsilon, m = BEAD.values()

    def rates(state: Sequence[float]) -> tuple[float, float]:
        return state[1], q * source / (4 * pi * epsilon * m * state[0] ** 2) - g

    assert rates((h, 0))[1] < 0, "the bead must fall at first"
    _, fastest = follow_until(rates, (h, 0), 1e-4, lambda s: rates(s)[1])
    return m * fastest[1] ** 2 / 2


RAILS = {"m": 0.7, "R": 1.9, "C": 0.4, "B": 1.2, "l": 0.9}


def heat_the_resistor() -> float:
    m, resistance, capacitance, field, width = RAILS.values()

    def rates(state: Sequence[float]) -> tuple[float, float, float]:
        charge, speed, _ = state
        current = (charge / capacitance - field * width * speed) / resistance
        return -current, field * width * current / m, current**2 * resistance

    at_first = (1.0, 0.0, 0.0)
    whole = follow(rates, at_first, 40.0, 4_000)[2]
    return follow_until(rates, at_first, 0.005, lambda s: s[2] - whole / 2)[0]


LEAKY = {r"\epsilon": 0.6, "a": 0.7, "b": 1.9, "V": 2.3}


def charge_the_medium() -> float:
    epsilon, a, b, voltage = LEAKY.values()
    slope = 1.37

    def area(r: mpmath.mpf) -> mpmath.mpf:
        return 4 * mpmath.pi * r**2

    # Thin shells are resistors in series; the current is the same through all of them.
    resistance = mpmath.quad(lambda r: 1 / (slope * r * area(r)), [a, b])
    current = voltage / resistance

    def leaving(r: mpmath.mpf) -> mpmath.mpf:
        """The flux of D through the sphere of radius r."""
        return epsilon * current / (slope * r * area(r)) * area(r)

    return float(mpmath.quad(lambda r: mpmath.diff(leaving, r), [a, b]))


MAGNET = {
    "v_0": 2.0,
    r"\mu_0": 1.3,
    "M": 1.6,
    "a": 0.8,
    "m": 0.5,
    "L": 0.9,
    "z": 0.6,
}


def throw_the_ring() -> float:
    v0, mu0, moment, a, m, inductance, z = MAGNET.values()

    # Followed in w = 1 / distance, so that "far away" is w = 0.
    def rates(state: Sequence[float]) -> tuple[float, float, float]:
        w, current, _ = state
        # The dipole's radial field at the wire, over w^2 (from dz = -dw / w^2).
        radial = mu0 / (4 * pi) * 3 * moment * a * w**2 / (1 + (a * w) ** 2) ** 2.5
        linked = 2 * pi * a * radial
        # No voltage round a superconductor: L dI is the motional one, 2 pi a B_radial dz.
        # The force 2 pi a I B_radial does the work.
        return 1.0, -linked / inductance, linked * current / m

    _, _, energy = follow(rates, (0.0, 0.0, v0**2 / 2), 1 / z, 2_000)
    return float(mpmath.sqrt(2 * energy))


CABLE = {"V": 3.1, "R_1": 5.3, "R_2": 2.2}
SECTIONS = 200


def load_the_cable() -> float:
    """Follow currents along many short sections, and search for the best resistor."""
    voltage, when_open, when_shorted = CABLE.values()

    def reach(series: float, leak: float, u: float, i: float) -> tuple[float, float]:
        """Go from the far end, with this voltage and current, to the near one."""
        for _ in range(SECTIONS):
            u += series / 2 * i
            i += leak * u
            u += series / 2 * i
        return u, i

    def measure(series: float, leak: float, *at_far_end: float) -> float:
        u, i = reach(series, leak, *at_far_end)
        return u / i

    def ratio(leak: float) -> float:
        return measure(1 / SECTIONS, leak, 1, 0) / measure(1 / SECTIONS, leak, 0, 1)

    # A cable of one ohm with the right ratio of both resistances, then all its parts scaled.
    leak = find_root(lambda leak: ratio(leak) - when_open / when_shorted, 1e-6, 1.0)
    scale = when_open / measure(1 / SECTIONS, leak, 1, 0)
    series, leak = scale / SECTIONS, leak / scale
    assert abs(measure(series, leak, 0, 1) - when_shorted) < 1e-9

    def power(load: float) -> float:
        u, _ = reach(series, leak, load, 1)
        return load * (voltage / u) ** 2

    return power(find_minimum(lambda load: -power(load), 0.01, 20.0))


PORTIONS = {"C_1": 0.7, "C_2": 1.9, "U": 2.3, "n": 3.0}


def carry_the_charge() -> float:
    """Let every current flow through a resistor until it has died away; count up the heat."""
    small, large, voltage, rounds = PORTIONS.values()
    resistance = 0.8

    def charge_up(state: Sequence[float]) -> tuple[float, float, float]:
        """At the battery. The state: both capacitors' charges, and the heat so far."""
        current = (voltage - state[0] / small) / resistance
        return current, 0.0, current**2 * resistance

    def share(state: Sequence[float]) -> tuple[float, float, float]:
        current = (state[0] / small - state[1] / large) / resistance
        return -current, current, current**2 * resistance

    state: Sequence[float] = (0.0, 0.0, 0.0)
    for _ in range(round(rounds)):
        state = follow(charge_up, state, 20.0, 1_000)
        state = follow(share, state, 20.0, 1_000)
    return state[2]


LAYERS = {"a": 0.8, "b": 1.3, r"\epsilon": 0.6, r"\sigma": 0.9, r"\kappa": 2.4, r"\lambda": 1.7}


def wait_for_equal_fields() -> float:
    a, b, epsilon, sigma, kappa, lam = LAYERS.values()
    voltage = 1.9

    def fields(charge: float) -> mpmath.matrix:
        """Both fields, from the voltage and the free charge on a unit of area between them."""
        return mpmath.lu_solve(
            mpmath.matrix([[a, b], [-epsilon, kappa * epsilon]]), mpmath.matrix([voltage, charge])
        )

    def rates(state: Sequence[float]) -> tuple[float]:
        first, second = fields(state[0])
        return (float(lam * sigma * first - sigma * second),)

    def lead_of_the_second(state: Sequence[float]) -> float:
        first, second = fields(state[0])
        return float(second - first)

    return follow_until(rates, (0.0,), 0.01, lead_of_the_second)[0]


CHECKS = {
    "ring-heated-hardest": Check(
        WIRE_RING, heat_the_ring, "Kirchhoff's rules solved, the power's slope brought to zero."
    ),
    "bead-above-a-charge": Check(
        BEAD, drop_the_bead, "The fall in small steps, until the net force turns round."
    ),
    "half-of-the-heat": Check(
        RAILS, heat_the_resistor, "Circuit and rod in small steps; the heat counted up on the way."
    ),
    "charge-in-a-leaky-medium": Check(
        LEAKY,
        charge_the_medium,
        "Shells in series by quadrature; the divergence of D taken numerically and added up.",
    ),
    "ring-thrown-at-a-magnet": Check(
        MAGNET,
        throw_the_ring,
        "Motional voltage and force from the dipole's radial field alone, in small steps.",
    ),
    "power-through-a-leaky-cable": Check(
        CABLE,
        load_the_cable,
        "Currents followed along 200 sections of a cable; the best resistor by golden section.",
    ),
    "charge-carried-in-portions": Check(
        PORTIONS,
        carry_the_charge,
        "Every current followed in small steps, its heat counted up, round by round.",
    ),
    "equal-fields-in-two-layers": Check(
        LAYERS,
        wait_for_equal_fields,
        "The charge between the layers in small steps, until their fields agree.",
    ),
}
