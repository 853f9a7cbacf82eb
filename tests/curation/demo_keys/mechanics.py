"""The keys of `curation/demo/mechanics.toml`, found by numbers."""

from collections.abc import Sequence
from math import hypot, pi, sin, sqrt

import mpmath

from tests.curation.demo_keys import Check
from tests.curation.demo_keys.stepping import follow, follow_until

CRATE = {"v": 12.0, "a": 6.0, "d": 8.0, r"\mu": 0.3, "g": 9.8}


def brake_the_lorry() -> float:
    v, a, d, mu, g = CRATE.values()
    # The state: the lorry's place and speed, the crate's place and speed.
    _, stopped = follow_until(
        lambda state: (state[1], -a, state[3], -mu * g), (0, v, 0, v), 0.01, lambda s: -s[1]
    )
    assert stopped[2] - stopped[0] < d, "the crate must not arrive before the lorry stands"
    _, arrived = follow_until(
        lambda state: (0, 0, state[3], -mu * g), stopped, 0.01, lambda s: s[2] - s[0] - d
    )
    return arrived[3]


MAST = {"L": 1.7, "d": 0.8, "g": 9.81}


def circle_the_mast() -> float:
    length, d, g = MAST.values()
    # With both knots as its foci, the string lets the bead move on an ellipse. In the frame that
    # turns with it, the bead rests where its potential along that ellipse is stationary.
    half_axis, half_width = length / 2, sqrt((length / 2) ** 2 - (d / 2) ** 2)

    def radius(u: mpmath.mpf) -> mpmath.mpf:
        return half_width * mpmath.cos(u)

    def height(u: mpmath.mpf) -> mpmath.mpf:
        return half_axis * mpmath.sin(u)

    level = mpmath.findroot(lambda u: height(u) + d / 2, -0.3)

    def push(omega: mpmath.mpf) -> mpmath.mpf:
        return mpmath.diff(lambda u: g * height(u) - (omega * radius(u)) ** 2 / 2, level)

    return float(mpmath.findroot(push, (0.1, 100), solver="anderson"))


HELIX = {"g": 9.81, "R": 0.6, r"\alpha": 0.7, r"\mu": 0.35}


def slide_down_the_helix() -> float:
    g, radius, alpha, mu = HELIX.values()

    def place(s: mpmath.mpf) -> list[mpmath.mpf]:
        turn = s * mpmath.cos(alpha) / radius
        return [
            radius * mpmath.cos(turn),
            radius * mpmath.sin(turn),
            -s * mpmath.sin(alpha),
        ]

    def derive(order: int) -> mpmath.matrix:
        return mpmath.matrix(
            [mpmath.diff(lambda s, i=i: place(s)[i], 0.4, order) for i in range(3)]
        )

    along, bend = derive(1), derive(2)
    weight = mpmath.matrix([0, 0, -g])

    def excess(speed: mpmath.mpf) -> mpmath.mpf:
        """The drive along the wire less the friction, for a unit of mass at a steady speed."""
        from_wire = bend * speed**2 - weight
        braking = -(from_wire.T * along)[0]
        pressing = mpmath.norm(from_wire + along * braking)
        return braking - mu * pressing

    return float(mpmath.findroot(excess, (0.5, 20), solver="anderson"))


PLANK = {"L": 1.3, r"\mu": 0.4, "g": 9.81, "v_0": 3.1}


def slide_the_plank() -> float:
    length, mu, g, v0 = PLANK.values()

    def rates(state: Sequence[float]) -> tuple[float, float]:
        covered = min(state[0] / length, 1.0)
        return state[1], -mu * g * covered

    # The friction has a kink where the plank is wholly on the rough floor: stop there once.
    entering, inside = follow_until(rates, (0, v0), 0.001, lambda s: s[0] - length)
    sliding, _ = follow_until(rates, inside, 0.001, lambda s: -s[1])
    return entering + sliding


SHAFT = {
    "G": 0.9,
    "M": 2.3,
    "R": 1.4,
    r"\omega": 0.5,
    r"\rho": 1.7,
    "b": 0.6,
    r"\sigma": 0.8,
}


def hang_the_cable() -> float:
    gravity, mass, radius, omega, rho, b, sigma = SHAFT.values()
    density = mass / (4 / 3 * pi * radius**3)

    def rates(state: Sequence[float]) -> tuple[float, float]:
        r, tension = state
        pull = gravity * density * (4 / 3 * pi * r**3) / r**2 - omega**2 * r
        return 1.0, rho * (tension / sigma) * pull

    # The cross-section follows the tension, since the stress is the same everywhere.
    return follow(rates, (b, 1.0), radius - b, 2_000)[1]


LIFT = {"h": 1.1, "g": 1.0, "a": 0.8}


def bounce_in_the_lift() -> float:
    h, g, a = LIFT.values()
    ramp = 40_000.0
    # In the lift's frame the weight grows smoothly: g + a (3 s^2 - 2 s^3), with s = time / ramp.
    # A flight between two bounces is then a polynomial in the time since the first of them.
    time, speed = 0.0, sqrt(2 * g * h)
    while time < ramp:
        s = time / ramp
        rise = a * (6 * s - 6 * s**2) / ramp
        bend = a * (6 - 12 * s) / ramp**2
        weight = g + a * (3 * s**2 - 2 * s**3)
        jerk = -12 * a / ramp**3

        # The height is flight * (speed - weight flight / 2 - ...); its bracket vanishes on landing.
        flight = 2 * speed / weight
        for _ in range(4):
            bracket = (
                speed
                - weight * flight / 2
                - rise * flight**2 / 6
                - bend * flight**3 / 24
                - jerk * flight**4 / 120
            )
            slope = -weight / 2 - rise * flight / 3
            flight -= bracket / slope
        fall = (
            speed
            - weight * flight
            - rise * flight**2 / 2
            - bend * flight**3 / 6
            - jerk * flight**4 / 24
        )
        time, speed = time + flight, -fall
    return speed**2 / (2 * (g + a))


TURNTABLE = {"g": 9.81, r"\alpha": 0.2, r"\beta": 0.37, r"\Omega": 3.0}


def roll_on_the_turntable() -> float:
    g, alpha, beta, spin = TURNTABLE.values()
    mass, r = 1.3, 0.7
    inertia = beta * mass * r**2

    def respond(
        velocity: tuple[float, float], force: tuple[float, float]
    ) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
        """How the ball's velocity, its spin and its slip change under a force of friction."""
        push = (force[0] / mass + g * sin(alpha), force[1] / mass)
        # The arm is (0, 0, -r): the torque is arm x force, the contact's velocity v + spin x arm.
        twist = (r * force[1] / inertia, -r * force[0] / inertia)
        slip = (
            push[0] - r * twist[1] + spin * velocity[1],
            push[1] + r * twist[0] - spin * velocity[0],
        )
        return push, twist, slip

    def rates(state: Sequence[float]) -> tuple[float, ...]:
        velocity = (state[2], state[3])
        rest = respond(velocity, (0, 0))[2]
        first = respond(velocity, (1, 0))[2]
        second = respond(velocity, (0, 1))[2]
        # Friction is what keeps the contact from slipping: two linear equations.
        (p, q), (u, w) = (
            (first[0] - rest[0], second[0] - rest[0]),
            (first[1] - rest[1], second[1] - rest[1]),
        )
        determinant = p * w - q * u
        force = (
            (-rest[0] * w + rest[1] * q) / determinant,
            (-rest[1] * p + rest[0] * u) / determinant,
        )
        push, twist, _ = respond(velocity, force)
        return *velocity, *push, *twist

    _, turned = follow_until(rates, (0, 0, 0, 0, 0, 0), 0.005, lambda s: -s[2])
    x, y, vx, vy, turn_x, turn_y = turned
    slip = hypot(vx - r * turn_y + spin * y, vy + r * turn_x - spin * x)
    assert slip < 1e-6, "the ball must not slip"
    return x


TETHER = {"m_1": 2.1, "m_2": 0.8, "r_1": 1.3, "r_2": 1.5}


def cut_the_tether() -> float:
    """Find the rigid pair's rotation by virtual work, then follow the capsule to its far point."""
    station, capsule, near, far = TETHER.values()
    planet = 1.7

    def potential(shift: mpmath.mpf, spin: mpmath.mpf) -> mpmath.mpf:
        """Energy in the turning frame, with both bodies moved outwards by the same length."""
        return -sum(
            mass * (planet / (r + shift) + (spin * (r + shift)) ** 2 / 2)
            for mass, r in ((station, near), (capsule, far))
        )

    def push(spin: mpmath.mpf) -> mpmath.mpf:
        return mpmath.diff(lambda shift: potential(shift, spin), 0)

    spin = float(mpmath.findroot(push, (0.1, 10), solver="anderson"))

    def rates(state: Sequence[float]) -> tuple[float, float, float, float]:
        x, y, vx, vy = state
        pull = -planet / hypot(x, y) ** 3
        return vx, vy, pull * x, pull * y

    # The capsule moves away until its radial velocity turns round.
    _, there = follow_until(
        rates, (far, 0, 0, spin * far), 0.01, lambda s: -s[0] * s[2] - s[1] * s[3]
    )
    return hypot(there[0], there[1])


CHECKS = {
    "crate-behind-the-cab": Check(
        CRATE, brake_the_lorry, "Both motions in small steps, first braking, then at rest."
    ),
    "bead-about-a-mast": Check(
        MAST,
        circle_the_mast,
        "The rotating frame's potential, stationary along the ellipse that the string allows.",
    ),
    "bead-on-a-helix": Check(
        HELIX,
        slide_down_the_helix,
        "The curve differentiated numerically; the speed at which friction balances the drive.",
    ),
    "plank-onto-a-rough-floor": Check(
        PLANK, slide_the_plank, "The equation of motion in small steps until the plank rests."
    ),
    "cable-in-an-asteroid": Check(
        SHAFT, hang_the_cable, "The balance of each short piece of cable, from its foot upwards."
    ),
    "ball-bouncing-in-a-lift": Check(
        LIFT,
        bounce_in_the_lift,
        "Some twenty thousand single bounces while the lift's acceleration grows.",
    ),
    "ball-on-a-tilted-turntable": Check(
        TURNTABLE,
        roll_on_the_turntable,
        "The rigid body in small steps, friction solved for from the condition of no slip.",
    ),
    "capsule-cut-from-a-tether": Check(
        TETHER,
        cut_the_tether,
        "The pair's balance by virtual work; the freed capsule in small steps to its far point.",
    ),
}
