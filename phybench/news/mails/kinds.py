"""The kinds of e-mails that there are. A room registers its own in its `desk.py`."""

import functools
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from phybench.news.mails.models import When
from phybench.people.models import Role, User
from phybench.work import rooms


@dataclass(frozen=True, slots=True)
class Item:
    """One thing as an e-mail tells it, and the page that has more of it."""

    text: str
    path: str


def find_nothing(since: datetime, now: datetime) -> Iterable[tuple[int, str]]:
    return ()


def tell_nothing(person: User, keys: Collection[str]) -> Iterable[Item]:
    return ()


@dataclass(frozen=True, eq=False)
class MailKind:
    """One kind of e-mails, as people choose of it, and as its room finds and tells it."""

    name: str
    label: Any
    """What it is about, in a translated sentence without a full stop."""
    roles: tuple[Role, ...]
    """Whom it can be for; empty: everybody, also those who hold no role."""
    find: Callable[[datetime, datetime], Iterable[tuple[int, str]]] = find_nothing
    """
    Finds what happened since a time up to now: to whom it is told, and a key.

    The same thing has the same key each time that it is found: it is told once. Where nothing is
    ever found, another room writes such e-mails itself, and asks only who wants them.
    """
    tell: Callable[[User, Collection[str]], Iterable[Item]] = tell_nothing
    """Tells of keys what is still true, and still theirs to read."""
    default: When = When.AT_ONCE
    choices: tuple[When, ...] = (When.AT_ONCE, When.DAILY, When.NEVER)


_registered: dict[str, MailKind] = {}


def register(kind: MailKind) -> MailKind:
    _registered[kind.name] = kind
    return kind


@functools.cache
def load() -> None:
    """Have the rooms register what they tell on desks and in e-mails, once."""
    for app in rooms.APPS:
        for name in ("desk", "news"):
            rooms.load(app, name)


def list_kinds() -> list[MailKind]:
    load()
    return [*_registered.values()]


def list_kinds_for(person: User) -> list[MailKind]:
    """List the kinds that somebody may get by the roles that they hold."""
    kinds = list_kinds()
    return [kind for kind in kinds if not kind.roles or any(map(person.has_role, kind.roles))]
