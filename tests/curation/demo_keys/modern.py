"""Values of the answers in `curation/demo/modern.toml`, by world lines, boosts and waves."""

import math
from collections.abc import Sequence

from tests.curation.demo_keys import Check
from tests.curation.demo_keys.searching import find_minimum, find_root
from tests.curation.demo_keys.stepping import follow, follow_until

ATOMS = {
    "m": 1.1,
    "v": 3.0,
    r"\lambda": 0.7,
    r"\tau": 0.9,
    r"\mu": 1.3,
    "h": 0.8,
    "z": 1.7,
}


def field_in_the_tube() -> float:
    """Slow the atom by its photons' momentum, then search for the field in which it absorbs."""
    planck, wavelength = ATOMS["h"], ATOMS[r"\lambda"]
    push = planck / wavelength / ATOMS[r"\tau"]

    def rates(state: Sequence[float]) -> Sequence[float]:
        _, momentum = state
        return momentum / ATOMS["m"], -push

    start = [0.0, ATOMS["m"] * ATOMS["v"]]
    _, (_, momentum) = follow_until(rates, start, 0.001, lambda state: state[0] - ATOMS["z"])
    at_rest = 7.0

    def miss(field: float) -> float:
        absorbed = at_rest + ATOMS[r"\mu"] * field / planck
        met = at_rest + momentum / ATOMS["m"] / wavelength
        return absorbed - met

    return find_root(miss, 0.0, 50.0)


SPHERE = {
    "a": 0.4,
    "b": 1.9,
    r"\lambda": 0.8,
    "W": 0.9,
    "e": 0.3,
    "h": 1.2,
    "c": 2.1,
    r"\varepsilon_0": 0.7,
}


def electrons_that_leave() -> float:
    """Let electrons fly out against the field of those that left, until the fastest turn back."""
    charge, photon = SPHERE["e"], SPHERE["h"] * SPHERE["c"] / SPHERE[r"\lambda"]
    steps = 2_000

    def left_at_the_shell(number: float) -> float:
        """Return the kinetic energy with which the fastest electron reaches the shell."""

        def rates(state: Sequence[float]) -> Sequence[float]:
            radius, _ = state
            field = number * charge / (SPHERE[r"\varepsilon_0"] * 4 * math.pi * radius**2)
            return 1.0, -charge * field

        start = [SPHERE["a"], photon - SPHERE["W"]]
        return follow(rates, start, SPHERE["b"] - SPHERE["a"], steps)[1]

    return find_root(left_at_the_shell, 0.0, 1e4, bisections=60)


SHIP = {"c": 2.5, "v": 1.4, "T": 0.8, r"\Theta": 0.33}


def reading_of_the_ship() -> float:
    """Find where world lines cross, event by event, in a frame in which both fly."""
    c, v = SHIP["c"], SHIP["v"]
    frame = 0.31 * c  # velocity of the station in this frame, away from which the ship flies

    def compose(first: float, second: float) -> float:
        return (first + second) / (1 + first * second / c**2)

    ship, station = compose(frame, v), frame

    def reading(velocity: float, time: float) -> float:
        # The interval from the meeting, at the origin, to the event on this world line.
        return math.sqrt(time**2 - (velocity * time / c) ** 2)

    def time_at(velocity: float, clock: float) -> float:
        return find_root(lambda t: reading(velocity, t) - clock, 0.0, 100.0)

    def arrival(sender: float, receiver: float, sent: float) -> float:
        def gap(time: float) -> float:
            return c * (time - sent) - abs(receiver * time - sender * sent)

        return find_root(gap, sent, 1000.0)

    asked = arrival(ship, station, time_at(ship, SHIP["T"]))
    answered = time_at(station, reading(station, asked) + SHIP[r"\Theta"])
    return reading(ship, arrival(station, ship, answered))


BOX = {"m": 1.2, "L": 1.7, "a": 0.6, "V_0": 0.35, r"\hbar": 0.9}


def energy_of_the_photon() -> float:
    """
    Find the exact levels for a very low step, and its effect on them by differences.

    To first order in the step is what the effect would be if it grew as it begins to.
    """
    m, length, width, hbar = BOX["m"], BOX["L"], BOX["a"], BOX[r"\hbar"]

    def level(step: float, odd: bool) -> float:
        def amplitude_at_wall(energy: float) -> float:
            # Even and odd states from the middle outwards; the wave number is different on
            # the step, the wave function and its slope are continuous at its edge.
            inner = math.sqrt(2 * m * (energy - step)) / hbar
            outer = math.sqrt(2 * m * energy) / hbar
            edge, rest = width / 2, (length - width) / 2
            if odd:
                value, slope = math.sin(inner * edge), inner * math.cos(inner * edge)
            else:
                value, slope = math.cos(inner * edge), -inner * math.sin(inner * edge)
            return value * math.cos(outer * rest) + slope / outer * math.sin(outer * rest)

        return (
            find_root(amplitude_at_wall, 3.0, 7.0)
            if odd
            else find_root(amplitude_at_wall, 0.5, 2.5)
        )

    def photon(step: float) -> float:
        return level(step, odd=True) - level(step, odd=False)

    small = 1e-4
    slope = (photon(small) - photon(-small)) / (2 * small)
    return photon(0.0) + BOX["V_0"] * slope


PION = {"M": 1.3, "m": 0.98, "c": 1.4, r"\theta": 0.52}


def hardest_neutrino() -> float:
    """Boost the decay, aim the neutrino at the detector, and search for the best speed."""
    c, theta = PION["c"], PION[r"\theta"]

    def surplus(energy: float) -> float:
        """Energy that is left over in the pion's frame if the neutrino has this energy."""
        muon = math.hypot(PION["m"] * c**2, energy)
        return PION["M"] * c**2 - muon - energy

    at_rest = find_root(surplus, 0.0, PION["M"] * c**2)

    def at_detector(beta: float) -> float:
        gamma = 1 / math.sqrt(1 - beta**2)

        def boost(angle: float) -> tuple[float, float, float]:
            along, across = at_rest * math.cos(angle), at_rest * math.sin(angle)
            return gamma * (at_rest + beta * along), gamma * (along + beta * at_rest), across

        def miss(angle: float) -> float:
            _, along, across = boost(angle)
            return math.atan2(across, along) - theta

        return boost(find_root(miss, 0.0, math.pi, bisections=60))[0]

    best = find_minimum(lambda beta: -at_detector(beta), 0.0, 0.9999, narrowings=50)
    return at_detector(best)


SAIL = {"m": 1.6, "c": 2.2, "P": 0.8, "v": 1.5}


def time_of_shining() -> float:
    """Reflect the light bit by bit in the sail's own frame, and trace the last of it back."""
    m, c, power = SAIL["m"], SAIL["c"], SAIL["P"]

    def rates(state: Sequence[float]) -> Sequence[float]:
        # State: place and velocity of the sail; the variable is the laser's time.
        _, v = state
        gamma = 1 / math.sqrt(1 - (v / c) ** 2)
        # In the sail's frame the light's energy density, and with it the power that falls on
        # the sail, is transformed by the square of the Doppler factor gamma (1 - v/c).
        falling = power * (gamma * (1 - v / c)) ** 2
        proper_acceleration = 2 * falling / c / m
        return v, proper_acceleration / gamma**3

    time, (place, _) = follow_until(rates, [0.0, 0.0], 0.02, lambda state: state[1] - SAIL["v"])
    return time - place / c


FOIL = {"R": 1.9, "T": 1.3, "t_1": 0.8, "t_2": 0.5, "t_3": 1.1}


def activity_of_the_foil() -> float:
    """Make and lose nuclei in small steps, and count the decays in a short time at the end."""

    def count(rate: float, state: Sequence[float], made: float, duration: float) -> list[float]:
        # State: nuclei that are there, and all that have decayed so far.
        return follow(lambda now: [made - rate * now[0], rate * now[0]], state, duration, steps=200)

    def left(rate: float) -> float:
        return count(rate, [1.0, 0.0], 0.0, FOIL["T"])[0] - 0.5

    rate = find_root(left, 0.01, 2.0, bisections=50)
    state = count(rate, [0.0, 0.0], FOIL["R"], FOIL["t_1"])
    state = count(rate, state, 0.0, FOIL["t_2"])
    short = 1e-4
    before = count(rate, state, FOIL["R"], FOIL["t_3"] - short)
    after = count(rate, before, FOIL["R"], 2 * short)
    return (after[1] - before[1]) / (2 * short)


CROSSING = {"M": 1.7, "Q": 1.1, "c": 1.3}


def speed_of_the_beam() -> float:
    """Balance energy and momentum, first for the emission and then for the absorption."""
    mass, c = CROSSING["M"], CROSSING["c"]
    excited = mass * c**2 + CROSSING["Q"]

    def surplus(photon: float) -> float:
        """Energy left over when the nucleus recoils from a photon of this energy."""
        return excited - photon - math.hypot(mass * c**2, photon)

    photon = find_root(surplus, 0.0, excited)

    def rest_energy(speed: float) -> float:
        """Of what a nucleus of this speed and the photon make together."""
        gamma = 1 / math.sqrt(1 - (speed / c) ** 2)
        energy = gamma * mass * c**2 + photon
        momentum = math.hypot(gamma * mass * speed, photon / c)
        return math.sqrt(energy**2 - (momentum * c) ** 2)

    return find_root(lambda speed: rest_energy(speed) - excited, 0.0, 0.9999 * c)


CHECKS: dict[str, Check] = {
    "field-that-keeps-atoms-in-step": Check(
        ATOMS, field_in_the_tube, "The atom slowed in small steps; the resonant field by bisection."
    ),
    "sphere-in-ultraviolet-light": Check(
        SPHERE,
        electrons_that_leave,
        "The fastest electron followed to the shell; the number left by bisection.",
    ),
    "reply-to-a-leaving-ship": Check(
        SHIP, reading_of_the_ship, "World lines crossed numerically in a frame where both move."
    ),
    "step-in-a-quantum-box": Check(
        BOX, energy_of_the_photon, "Exact levels of the box with a tiny step; slope by differences."
    ),
    "off-axis-neutrinos": Check(
        PION, hardest_neutrino, "Decays boosted and aimed at the detector; best speed searched."
    ),
    "how-long-to-shine-on-a-sail": Check(
        SAIL, time_of_shining, "The sail's equation of motion integrated; last light traced back."
    ),
    "irradiation-with-a-pause": Check(
        FOIL, activity_of_the_foil, "Nuclei made and lost in small steps; the last decays counted."
    ),
    "absorbed-from-the-side": Check(
        CROSSING, speed_of_the_beam, "Energy and momentum balanced by bisection, event by event."
    ),
}
