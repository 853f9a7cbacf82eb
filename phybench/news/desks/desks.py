"""What waits for one person in all their roles, most urgent first, and how they are doing."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from phybench.news.desks.lines import Line
from phybench.news.desks.registry import desk_lines, desk_sentences
from phybench.people.models import User


@dataclass(frozen=True, slots=True)
class Inbox:
    lines: list[Line]
    sentences: list[str]

    @property
    def waiting(self) -> int:
        """How many kinds of things wait; news waits for nothing."""
        return sum(not line.is_news for line in self.lines)

    @property
    def has_news(self) -> bool:
        return any(line.is_news for line in self.lines)


def read_inbox(user: User) -> Inbox:
    lines = sorted(desk_lines.tell(user), key=_order)
    return Inbox(lines, list(desk_sentences.tell(user)))


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
