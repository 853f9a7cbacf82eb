"""What waits for one person in all their roles, most urgent first, and how they are doing."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from phybench.news.desks.lines import Line
from phybench.news.desks.registry import desk_lines, desk_sentences
from phybench.people.models import User

KEPT_SECONDS = 60
"""For how long the header says what others may have changed meanwhile."""


@dataclass(frozen=True, slots=True)
class Inbox:
    lines: list[Line]
    sentences: list[str]

    @property
    def waiting(self) -> int:
        return _count(self.lines)

    @property
    def has_news(self) -> bool:
        return any(line.is_news for line in self.lines)


def read_inbox(user: User) -> Inbox:
    inbox = Inbox(sorted(desk_lines.tell(user), key=_order), list(desk_sentences.tell(user)))
    cache.set(_key(user), inbox.waiting, KEPT_SECONDS)
    return inbox


def read_count(user: User) -> int | None:
    """Return how much waits, as the header says it on every page; None where it is not kept."""
    kept: int | None = cache.get(_key(user))
    return kept


def count_waiting(user: User) -> int:
    """Count what waits, and keep the number for the pages to come: it takes dozens of queries."""
    if (count := read_count(user)) is None:
        count = _count(desk_lines.tell(user))
        cache.set(_key(user), count, KEPT_SECONDS)
    return count


def forget_count(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Have it counted anew after a step of one’s own; what is saved while one types is none."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        is_step = request.method == "POST" and response.status_code == HTTPStatus.FOUND
        if is_step and isinstance(request.user, User):
            cache.delete(_key(request.user))
        return response

    return middleware


def _key(user: User) -> str:
    return f"inbox-{user.pk}"


def _count(lines: Iterable[Line]) -> int:
    """Count kinds of things; news waits for nothing."""
    return sum(not line.is_news for line in lines)


def _order(line: Line) -> tuple[int, datetime]:
    """Put what is urgent first, and of that what has waited longest; of news the newest."""
    now = timezone.now()
    since = line.since or now
    return line.urgency, now - (since - now) if line.is_news else since


def mark_read(user: User, until: datetime) -> None:
    """Let a person's news be read up to a time; what came since stays news."""
    until = min(until, timezone.now())
    if until <= user.news_read_at:
        return  # nor could the database compare with every time that can be written
    User.objects.filter(pk=user.pk, news_read_at__lt=until).update(news_read_at=until)
