"""
The demo's people, and the password that they share.

Apart from ``benchmark``, so that to print the logins need not wait for SymPy.
"""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.hashers import make_password

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import PhysicsField
from phybench.people.models import Language, Role, User


@dataclass(frozen=True, slots=True)
class DemoPerson:
    email: str
    display_name: str
    roles: tuple[Role, ...]
    is_named: bool = True
    expertise: tuple[PhysicsField, ...] = ()
    languages: tuple[Language, ...] = ()


CONTRIBUTORS = (
    DemoPerson("contributor@demo.example", "Demo contributor", (Role.CONTRIBUTOR,)),
    DemoPerson("contributor2@demo.example", "Demo contributor 2", (Role.CONTRIBUTOR,)),
)
PARTICIPANTS = (
    DemoPerson("participant@demo.example", "Demo participant", (Role.PARTICIPANT,)),
    DemoPerson("participant2@demo.example", "Demo participant 2", (Role.PARTICIPANT,)),
    # One who wants no name in the table of contributors.
    DemoPerson("participant3@demo.example", "Demo participant 3", (Role.PARTICIPANT,), False),
    # With these there are enough of them for the board to show people.
    *(
        DemoPerson(f"participant{n}@demo.example", f"Demo participant {n}", (Role.PARTICIPANT,))
        for n in range(4, 7)
    ),
)
EVALUATOR = DemoPerson("evaluator@demo.example", "Demo evaluator", (Role.EVALUATOR,))
ADMIN = DemoPerson("admin@demo.example", "Demo admin", (Role.ADMIN,))

FIELDS = (
    (PhysicsField.THERMODYNAMICS, PhysicsField.MODERN),
    (PhysicsField.MECHANICS, PhysicsField.OPTICS),
    (PhysicsField.ELECTRICITY, PhysicsField.ADVANCED),
)
"""Of the reviewers, in turn."""


def reviewers() -> tuple[DemoPerson, ...]:
    """
    As many as the stages ask for here.

    The first one has seen no answer of what is in review and the last one solved one of them
    blind; those between are as many as a round asks for, and let problems pass the first stages.
    """
    return tuple(
        DemoPerson(
            f"reviewer{number if number > 1 else ''}@demo.example",
            f"Demo reviewer{f' {number}' if number > 1 else ''}",
            (Role.REVIEWER,),
            # By these a rule has something to choose by.
            expertise=FIELDS[number % len(FIELDS)],
            languages=tuple(Language)[: 1 + number % 2],
        )
        for number in range(1, max(1, settings.REVIEWS_PER_ROUND) + 3)
    )


def is_made() -> bool:
    return Benchmark.objects.filter(is_demo=True).exists()


def is_in_use() -> bool:
    """Whether there are people or benchmarks that no demo made."""
    return (
        User.objects.filter(is_demo=False).exists()
        or Benchmark.objects.filter(is_demo=False).exists()
    )


def make_people(password: str) -> dict[str, User]:
    """Make everybody, by e-mail address."""
    # One password, one hash: to compute it is slow by design.
    hashed = make_password(password)
    people = (*CONTRIBUTORS, *reviewers(), *PARTICIPANTS, EVALUATOR, ADMIN)
    made = User.objects.bulk_create(
        User(
            email=person.email,
            password=hashed,
            display_name=person.display_name,
            roles=list(person.roles),
            is_named=person.is_named,
            expertise=list(person.expertise),
            review_languages=list(person.languages),
            is_demo=True,
        )
        for person in people
    )
    return {user.email: user for user in made}


def password_file() -> Path:
    return Path(settings.VAR_DIR) / "demo_password"


def choose_password() -> str:
    """
    Return `DEMO_PASSWORD`, or a new one that only this installation knows.

    A password in a public repository would open every installation that someone left running.
    """
    return os.environ.get("DEMO_PASSWORD") or "-".join(secrets.token_hex(3) for _ in range(3))


def remember_password(password: str) -> None:
    """Keep it where this installation keeps its own files, readable by its owner alone."""
    file = password_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(f"{password}\n")


def known_password() -> str:
    """Return the demo's password where it still is what we know, else an empty text."""
    admin = User.objects.filter(email=ADMIN.email, is_demo=True).first()
    known = [os.environ.get("DEMO_PASSWORD", "")]
    if password_file().is_file():
        known.append(password_file().read_text(encoding="utf-8").strip())
    for password in known:
        if admin and password and admin.check_password(password):
            return password
    return ""
