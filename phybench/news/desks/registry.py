"""
What the rooms have for each desk. A room's `desk.py` registers it, and nothing here knows a room.

They are found when the first desk is shown: the rooms load SymPy, which most commands can do
without.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from phybench.news.desks.lines import Line, Link, Progress
from phybench.news.mails.kinds import load
from phybench.people.models import Role, User

Told = TypeVar("Told")
Source = Callable[[User], Iterable[Told]]


class Kind(Generic[Told]):
    """One thing that desks show; used as a decorator, it registers who tells it, and to whom."""

    def __init__(self) -> None:
        self._sources: list[tuple[tuple[Role, ...], Source[Told]]] = []

    def __call__(
        self, *roles: Role, is_first: bool = False
    ) -> Callable[[Source[Told]], Source[Told]]:
        """Register a source for these roles; who holds several reads it on the first one's desk."""

        def register(source: Source[Told]) -> Source[Told]:
            self._sources.insert(0 if is_first else len(self._sources), (roles, source))
            return source

        return register

    def tell(self, user: User, role: Role) -> Iterator[Told]:
        """Tell what is for `user` on the desk of one role that they hold."""
        load()
        for roles, source in self._sources:
            if role == next((one for one in roles if user.has_role(one)), None):
                yield from source(user)


desk_lines: Kind[Line] = Kind()
desk_links: Kind[Link] = Kind()
"""The first one told is what one does with nothing waiting."""
desk_sentences: Kind[str] = Kind()
"""How somebody is doing."""
desk_progress: Kind[Progress] = Kind()
