"""
What the rooms have for the inbox and for the steps. A room's `desk.py` registers it, and nothing
here knows a room.

They are found when the first desk is shown: the rooms load SymPy, which most commands can do
without.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Generic, TypeVar

from phybench.news.desks.lines import Line, SetupStep
from phybench.news.mails.kinds import load
from phybench.people.models import Role, User

Told = TypeVar("Told")
Source = Callable[[User], Iterable[Told]]


class Kind(Generic[Told]):
    """One thing that desks show; used as a decorator, it registers who tells it, and to whom."""

    def __init__(self) -> None:
        self._sources: list[tuple[tuple[Role, ...], Source[Told]]] = []

    def __call__(self, *roles: Role) -> Callable[[Source[Told]], Source[Told]]:
        """Register a source for these roles; who holds several reads it once."""

        def register(source: Source[Told]) -> Source[Told]:
            self._sources.append((roles, source))
            return source

        return register

    def tell(self, user: User, *roles: Role) -> Iterator[Told]:
        """Tell what is for `user` in these roles, or in all that they hold."""
        load()
        for meant, source in self._sources:
            if any(user.has_role(one) for one in meant if not roles or one in roles):
                yield from source(user)


desk_lines: Kind[Line] = Kind()
desk_sentences: Kind[str] = Kind()
"""How somebody is doing."""

benchmark_lines: list[Callable[[str], Iterable[Line]]] = []
"""What admins are told of the benchmark with a slug, whether it waits or not: who works on it."""

setup_steps: dict[int, Callable[[str], SetupStep]] = {}
"""
From an empty benchmark to a model on its board. By its number, each room says how far a step is,
of the benchmark with a slug.
"""


def list_benchmark_lines(slug: str) -> list[Line]:
    load()
    return [line for tell in benchmark_lines for line in tell(slug)]


def list_steps(slug: str) -> list[SetupStep]:
    load()
    return [tell(slug) for _number, tell in sorted(setup_steps.items())]


def find_next_step(slug: str, put_off: Collection[int]) -> SetupStep | None:
    """Find the first that is not done; None where the last one is."""
    load()
    if setup_steps[max(setup_steps)](slug).is_done:
        return None
    asked = (setup_steps[one](slug) for one in sorted(setup_steps) if one not in put_off)
    return next((step for step in asked if not step.is_done), None)
