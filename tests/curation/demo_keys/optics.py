"""Values of the answers in `curation/demo/optics.toml`, by tracing rays and adding waves."""

import cmath
import math
from collections.abc import Sequence

from mpmath import mp

from tests.curation.demo_keys import Check
from tests.curation.demo_keys.searching import find_minimum, find_root
from tests.curation.demo_keys.stepping import follow

TANK = {"u": 0.013, r"\theta": 0.9, "n": 1.37}


def speed_of_the_dot() -> float:
    u, theta, n = TANK["u"], TANK[r"\theta"], TANK["n"]
    height = 2.0  # of the laser above the bottom; the dot in the empty tank is at x = d
    empty = height * math.tan(theta)

    def travel_time(surface: float, dot: float, depth: float) -> float:
        return math.hypot(surface, height - depth) + n * math.hypot(dot - surface, depth)

    def dot_at(depth: float) -> float:
        # The beam's direction is given, so the place where it meets the surface is too;
        # the dot is where that place makes the travel time from the laser stationary.
        surface = (height - depth) / height * empty
        step = 1e-5

        def slope(dot: float) -> float:
            later = travel_time(surface + step, dot, depth)
            return later - travel_time(surface - step, dot, depth)

        return find_root(slope, surface, surface + 50 * depth)

    return abs(dot_at(0.7 + 0.3) - dot_at(0.7)) / (0.3 / u)


FISH = {"h": 0.31, "R": 0.22, "n_w": 1.33, "n_g": 1.58}


def apparent_depth() -> float:
    """Trace one ray very close to the axis, by Snell's law in vectors, through a very thin lens."""
    with mp.workdps(60):
        h, radius = mp.mpf(FISH["h"]), mp.mpf(FISH["R"])
        water, glass = mp.mpf(FISH["n_w"]), mp.mpf(FISH["n_g"])
        thickness = mp.mpf(10) ** -12
        tilt = mp.mpf(10) ** -10
        # Flat face at z = 0, fish at z = -h, vertex of the convex face at z = thickness.
        x = h * mp.tan(tilt)
        inside = mp.asin(water / glass * mp.sin(tilt))
        direction = (mp.sin(inside), mp.cos(inside))
        centre = thickness - radius
        # Where the ray meets the sphere round (0, centre): |(x, -centre) + s direction| = radius.
        half = x * direction[0] - centre * direction[1]
        s = -half + mp.sqrt(half**2 - x**2 - centre**2 + radius**2)
        x, z = x + s * direction[0], s * direction[1]
        normal = mp.asin(x / radius)  # the angle of the outward normal with the axis
        out = normal + mp.asin(glass * mp.sin(inside - normal))
        # Extended backwards, the ray crosses the axis at the image.
        return float(x / mp.tan(out) - z)


SLITS = {
    "I_0": 1.7,
    "T": 0.43,
    r"\varphi": 1.1,
    "d": 2.9e-6,
    r"\theta": 0.37,
    r"\lambda": 0.61e-6,
}


def intensity_of_three_slits() -> float:
    """Add three oscillations at a very distant point and average the square over a period."""
    wavelength, d, theta = SLITS[r"\lambda"], SLITS["d"], SLITS[r"\theta"]
    with mp.workdps(40):
        far = mp.mpf(10) ** 9
        point = (far * mp.sin(theta), far * mp.cos(theta))
        waves = []
        for place, amplitude, delay in (
            (d, 1.0, 0.0),
            (0.0, math.sqrt(SLITS["T"]), SLITS[r"\varphi"]),
            (-d, 1.0, 0.0),
        ):
            distance = mp.hypot(point[0] - place, point[1])
            turns = distance / wavelength
            waves.append((amplitude, float((turns - mp.floor(turns)) * 2 * mp.pi) + delay))

    def mean_square(open_waves: list[tuple[float, float]]) -> float:
        times = [2 * math.pi * k / 64 for k in range(64)]
        fields = [sum(a * math.cos(t - phase) for a, phase in open_waves) for t in times]
        return sum(field**2 for field in fields) / len(fields)

    return SLITS["I_0"] * mean_square(waves) / mean_square(waves[:1])


PLATE = {
    "I_0": 2.3,
    r"\alpha": 0.41,
    "n_e": 1.5534,
    "n_o": 1.5443,
    "L": 1.27e-5,
    r"\lambda": 0.633e-6,
}


def intensity_back_from_the_mirror() -> float:
    """Send the field of every direction of polarisation through the parts, one by one."""
    alpha, thickness = PLATE[r"\alpha"], PLATE["L"]
    polariser = (1.0, 0.0)
    axis = (math.cos(alpha), math.sin(alpha))
    across = (-math.sin(alpha), math.cos(alpha))
    wave_number = 2 * math.pi / PLATE[r"\lambda"]
    Field = tuple[complex, complex]

    def part(field: Field, along: tuple[float, float]) -> complex:
        return field[0] * along[0] + field[1] * along[1]

    def polarise(field: Field) -> Field:
        kept = part(field, polariser)
        return kept * polariser[0], kept * polariser[1]

    def cross_plate(field: Field) -> Field:
        slow = part(field, axis) * cmath.exp(1j * wave_number * PLATE["n_e"] * thickness)
        fast = part(field, across) * cmath.exp(1j * wave_number * PLATE["n_o"] * thickness)
        return slow * axis[0] + fast * across[0], slow * axis[1] + fast * across[1]

    def reflect(field: Field) -> Field:
        return -field[0], -field[1]

    total = 0.0
    directions = 32
    for k in range(directions):
        angle = math.pi * k / directions
        field: Field = (complex(math.cos(angle)), complex(math.sin(angle)))
        for step in (polarise, cross_plate, reflect, cross_plate, polarise):
            field = step(field)
        total += abs(field[0]) ** 2 + abs(field[1]) ** 2
    return PLATE["I_0"] * total / directions


AIR = {"n_0": 1.4, "c": 3.0, "D": 2.3, "H": 1.1}


def time_gained() -> float:
    """Shoot rays through the medium until one hits the detector; the clock runs along."""
    n_0, c, distance, scale = AIR["n_0"], AIR["c"], AIR["D"], AIR["H"]

    def index(z: float) -> float:
        return n_0 * math.exp(z / scale)

    def rates(state: Sequence[float]) -> Sequence[float]:
        # d/ds (n dr/ds) = grad n, across the ray, and n ds = c dt; all for each unit of x.
        z, angle, _ = state
        step = 1e-5
        gradient = (index(z + step) - index(z - step)) / (2 * step)
        return math.tan(angle), gradient / index(z), index(z) / c / math.cos(angle)

    def shoot(angle: float) -> list[float]:
        return follow(rates, [0.0, angle, 0.0], duration=distance, steps=300)

    launch = find_root(lambda angle: shoot(angle)[0], -1.09, -0.9, bisections=40)
    return n_0 * distance / c - shoot(launch)[2]


PRISM = {"P": 5.0, "c": 3.0, "n": 1.52, "A": 1.05}


def force_on_the_prism() -> float:
    """Trace rays at many angles, keep the least turned one, and compare the momenta."""
    n, apex = PRISM["n"], PRISM["A"]
    # Outward normals of the two faces; the edge points up, the light goes to the right.
    first = (-math.cos(apex / 2), math.sin(apex / 2))
    second = (math.cos(apex / 2), math.sin(apex / 2))

    def refract(
        ray: tuple[float, float], normal: tuple[float, float], ratio: float
    ) -> tuple[float, float]:
        """Keep n times the part along the face; `normal` points where the ray goes."""
        along = (-normal[1], normal[0])
        tangential = ratio * (ray[0] * along[0] + ray[1] * along[1])
        straight = math.sqrt(1 - tangential**2)
        return (
            tangential * along[0] + straight * normal[0],
            tangential * along[1] + straight * normal[1],
        )

    def change(incidence: float) -> float:
        angle = -apex / 2 + incidence
        ray = (math.cos(angle), math.sin(angle))
        inside = refract(ray, (-first[0], -first[1]), 1 / n)
        out = refract(inside, second, n)
        return math.hypot(out[0] - ray[0], out[1] - ray[1])

    # The change of direction is smallest where the deviation is.
    incidence = find_minimum(change, 0.55, 1.4)
    return PRISM["P"] / PRISM["c"] * change(incidence)


PANE = {"f": 0.31, "a": 0.52, "t": 0.083, "n": 1.57}


def way_of_the_lamp() -> float:
    """Move the lamp until a ray from it goes through lens and plate to the middle of the screen."""
    f, thickness, n = PANE["f"], PANE["t"], PANE["n"]
    gap = 0.2  # from the lens to the plate

    def miss(lamp: float, screen: float, index: float) -> float:
        """How far from the axis a ray that is close to it meets the screen."""
        slope = 1e-5
        height = lamp * slope
        slope -= height / f
        inside = math.tan(math.asin(math.sin(math.atan(slope)) / index))
        height += slope * gap
        height += inside * thickness
        return height + slope * (screen - gap - thickness)

    screen = find_root(lambda place: miss(PANE["a"], place, 1.0), gap + thickness, 10.0)
    return find_root(lambda lamp: miss(lamp, screen, n), f, 10.0) - PANE["a"]


SPINNING = {"I_0": 2.1, "T_1": 0.83, "T_2": 0.17, r"\alpha": 0.71}


def intensity_behind_the_third() -> float:
    """Send every direction of polarisation through every position of the second polariser."""

    def along(angle: float) -> tuple[float, float]:
        return math.cos(angle), math.sin(angle)

    def pass_through(
        field: tuple[float, float], angle: float, with_axis: float, across: float
    ) -> tuple[float, float]:
        one, other = along(angle), along(angle + math.pi / 2)
        kept = math.sqrt(with_axis) * (field[0] * one[0] + field[1] * one[1])
        leak = math.sqrt(across) * (field[0] * other[0] + field[1] * other[1])
        return kept * one[0] + leak * other[0], kept * one[1] + leak * other[1]

    count = 24
    total = 0.0
    for polarisation in range(count):
        for position in range(count):
            field = along(math.pi * polarisation / count)
            field = pass_through(field, 0.0, 1.0, 0.0)
            turned = 2 * math.pi * position / count
            field = pass_through(field, turned, SPINNING["T_1"], SPINNING["T_2"])
            field = pass_through(field, SPINNING[r"\alpha"], 1.0, 0.0)
            total += field[0] ** 2 + field[1] ** 2
    return SPINNING["I_0"] * total / count**2


CHECKS: dict[str, Check] = {
    "dot-in-a-filling-tank": Check(
        TANK,
        speed_of_the_dot,
        "The dot's place at two depths, by Fermat's principle for a beam of fixed direction.",
    ),
    "fish-under-a-floating-lens": Check(
        FISH, apparent_depth, "One ray traced exactly, close to the axis of a very thin lens."
    ),
    "three-slits-and-a-film": Check(
        SLITS, intensity_of_three_slits, "Oscillations added at a distant point, squared, averaged."
    ),
    "crystal-plate-before-a-mirror": Check(
        PLATE, intensity_back_from_the_mirror, "Fields of all polarisations sent there and back."
    ),
    "shortcut-through-thinner-air": Check(
        AIR, time_gained, "The ray equation integrated; the launch angle found by shooting."
    ),
    "push-of-light-on-a-prism": Check(
        PRISM, force_on_the_prism, "Rays traced in vectors; the least change of direction found."
    ),
    "plate-behind-a-lens": Check(
        PANE, way_of_the_lamp, "A ray close to the axis traced by Snell's law; the lamp searched."
    ),
    "spinning-polariser": Check(
        SPINNING,
        intensity_behind_the_third,
        "Fields of all polarisations sent through all positions of the second polariser.",
    ),
}
