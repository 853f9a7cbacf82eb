"""The people who sit the demo's studies: made up, without a password, and what each does."""

from dataclasses import dataclass

from django.contrib.auth.hashers import make_password

from phybench.people.models import Role, User

RIGHT, WRONG, UNREADABLE, EMPTY, GAVE_UP, SEEN = "R", "W", "U", "_", "G", "S"
"""What becomes of a problem."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody's session: one letter a problem, in the order in which they come."""

    does: str
    pace: float = 1.0
    """How long they take, beside others."""
    is_late: bool = False
    """They save once more after the time is up."""
    extension: int = 0
    """Minutes."""
    kept_to_aids: bool | None = True
    left_out: str = ""
    """Why an admin leaves them out."""


SITTERS = (
    Sitter("RRWRRW"),
    Sitter("RWRRGW", pace=1.2),
    Sitter("RRRRWR", pace=0.8),
    Sitter("WRSRRW"),
    # Hands in with two left empty: that is to stop early.
    Sitter("RWWR__", pace=0.7),
    # The time is up while they work.
    Sitter("RRWR__", pace=1.7, is_late=True),
    Sitter("WRWWRU", kept_to_aids=None),
    Sitter("RRRWRR", pace=1.3, extension=15),
    Sitter("WWRWW_", pace=1.8),
    Sitter("RWRRWR", left_out="A fellow student sat beside this person, the supervisor wrote."),
    Sitter("RRRRRR", pace=0.6, kept_to_aids=False),
    Sitter("WRRGRR"),
)
"""Sessions of the study that has ended; shorter ones have the first of each."""
WHO_WITHDRAWS = Sitter("RRWWRR")
"""Joins last, sits, and takes their consent back."""
ONLY_JOIN = 2
"""More who join that study: one of them does not even practise."""
ONLY_INVITED = 2
"""More on its list, who never join."""
VISITORS = 2
"""Who join the study that is open: one of them hands in."""


def make_people() -> list[User]:
    """Make all of them; nobody is told a password, and no table names them."""
    password = make_password(None)
    count = len(SITTERS) + ONLY_JOIN + 1 + ONLY_INVITED + VISITORS
    return User.objects.bulk_create(
        User(
            email=f"simulated{number}@demo.example",
            password=password,
            display_name=f"Demo simulated person {number}",
            roles=[Role.PARTICIPANT],
            is_named=False,
            is_demo=True,
        )
        for number in range(1, count + 1)
    )
