"""
What the rooms have for the inbox and for the steps. A room's `desk.py` registers it, and nothing
here knows a room.

They are found when the first desk is shown: the rooms load SymPy, which most commands can do
without.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Generic, TypeVar

from phybench.news.desks.lines import Line, Milestone
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

MilestoneSource = Callable[[str], Milestone]


class Milestones:
    """From an empty benchmark to a model on its board; rooms register what they have of it."""

    def __init__(self) -> None:
        self._sources: dict[int, MilestoneSource] = {}

    def __call__(self, number: int) -> Callable[[MilestoneSource], MilestoneSource]:
        """Register who tells how far a step is, of the benchmark with a slug."""

        def register(source: MilestoneSource) -> MilestoneSource:
            self._sources[number] = source
            return source

        return register

    def tell(self, slug: str) -> list[Milestone]:
        load()
        return [self._sources[number](slug) for number in sorted(self._sources)]

    def find_next(self, slug: str, put_off: Collection[int]) -> Milestone | None:
        """Find the first that is not done; None where the last one is."""
        load()
        numbers = sorted(self._sources)
        if self._sources[numbers[-1]](slug).is_done:
            return None
        asked = (self._sources[one](slug) for one in numbers if one not in put_off)
        return next((step for step in asked if not step.is_done), None)


milestones = Milestones()
