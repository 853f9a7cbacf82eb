"""
Which web worker a request goes to: one of the members' or that of the visitors.

Visitors may ask as often as they like: a worker of their own, which gives way to the others, does
what they ask. Members are recognised by their session, before any thread or query is spent on it.
"""

import mmap
import re
import secrets
from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from urllib.parse import unquote_to_bytes

SLOTS = 2**16
"""Sessions that are remembered at most: a megabyte, for more people than there will be."""
HASH, NUMBER = 8, 4
WIDTH = HASH + NUMBER
"""Bytes of one: which session, and whose."""
MOST_SECONDS, REFILL = 0.3, 1 / 60
"""
Processor time that one person has of one worker at once ahead of visitors, and that comes back.

Not one session: whoever signs in fifty times has fifty. And little at once, since all of it would
be used at once, in the way of saves.

Somebody who types in a study saves and asks "read as" every five seconds: 24 requests of 10 to 15
ms a minute. Whoever wants more is served like a visitor until then: nothing is refused.
"""
MOST_AT_ONCE = 4
"""Requests that one person has under way in one worker: a page and what it loads."""


class KnownSessions:
    """
    Sessions of people who are signed in, shared by all processes that are forked from this one.

    Of two that fall into one slot the later is kept: the other person's next request goes the
    visitors' way, once.
    """

    def __init__(self) -> None:
        self._slots = mmap.mmap(-1, SLOTS * WIDTH)
        # Nobody outside can make sessions that push others out.
        self._key = secrets.token_bytes(16)

    def hash(self, session: str | bytes) -> bytes:
        text = session.encode() if isinstance(session, str) else session
        return blake2b(text, key=self._key, digest_size=HASH).digest()

    def note(self, session: str, person: int) -> None:
        hashed = self.hash(session)
        self._slots[_place(hashed)] = hashed + person.to_bytes(NUMBER)

    def forget(self, session: str) -> None:
        if self.find_person(session):
            self._slots[_place(self.hash(session))] = bytes(WIDTH)

    def find_person(self, session: str | bytes) -> int:
        """Return whose a session is; 0 where that is not known."""
        hashed = self.hash(session)
        kept = self._slots[_place(hashed)]
        return int.from_bytes(kept[HASH:]) if kept[:HASH] == hashed else 0


def _place(hashed: bytes) -> slice:
    number = int.from_bytes(hashed[:4]) % SLOTS
    return slice(number * WIDTH, (number + 1) * WIDTH)


KNOWN = KnownSessions()
"""Of this server: made before its workers are forked."""


def find_cookie(head: bytes, name: str) -> bytes:
    """Return a cookie's value in the head of a request; nothing where there is none."""
    lines = head.partition(b"\r\n\r\n")[0]
    found = re.search(
        rb"^cookie:[^\r\n]*?(?<![^ ;:])" + re.escape(name.encode()) + rb'="?([^;"\s]*)',
        lines,
        re.IGNORECASE | re.MULTILINE,
    )
    return unquote_to_bytes(found[1]) if found else b""


@dataclass
class Fairness:
    """What each person has of one worker: its thread alone changes it."""

    spent: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Seconds of processor time, and at which moment they were so many."""
    under_way: Counter[int] = field(default_factory=Counter)

    def admits(self, person: int, now: float) -> bool:
        """Say whether a person may have another request done ahead of visitors."""
        is_little = self.find_spent(person, now) < MOST_SECONDS
        return is_little and self.under_way[person] < MOST_AT_ONCE

    def find_spent(self, person: int, now: float) -> float:
        seconds, at = self.spent.get(person, (0.0, now))
        return max(0.0, seconds - (now - at) * REFILL)

    def begin(self, person: int) -> None:
        self.under_way[person] += 1

    def end(self, person: int, seconds: float, now: float) -> None:
        self.spent[person] = self.find_spent(person, now) + seconds, now
        self.under_way[person] -= 1
        if not self.under_way[person]:
            del self.under_way[person]
