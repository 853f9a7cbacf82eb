"""The desks of one person: for each role an inbox in order of urgency, then how they are doing."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from phybench.news.desks.lines import Line, Link, Progress, Urgency
from phybench.news.desks.registry import desk_lines, desk_links, desk_progress, desk_sentences
from phybench.people.models import Role, User


@dataclass(frozen=True, slots=True)
class Desk:
    """What one role of somebody's asks of them, and how that goes."""

    role: Role
    inbox: list[Line]
    links: list[Link]
    sentences: list[str]
    progress: list[Progress]

    @property
    def urgency(self) -> int:
        return self.inbox[0].urgency if self.inbox else len(Urgency)

    @property
    def has_news(self) -> bool:
        return any(line.is_news for line in self.inbox)


def list_desks(user: User) -> list[Desk]:
    """Return a desk for each role held, the most urgent first."""
    desks = [lay_out(user, role) for role in Role if user.has_role(role)]
    return sorted(desks, key=lambda desk: desk.urgency)


def lay_out(user: User, role: Role) -> Desk:
    return Desk(
        role,
        sorted(desk_lines.tell(user, role), key=_order),
        list(desk_links.tell(user, role)),
        list(desk_sentences.tell(user, role)),
        list(desk_progress.tell(user, role)),
    )


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
