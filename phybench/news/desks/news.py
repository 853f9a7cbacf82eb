"""What admins are told by e-mail once a day: what waits on their desk."""

from collections.abc import Collection, Iterator
from datetime import datetime
from html import unescape

from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from phybench.news.desks.lines import Urgency
from phybench.news.desks.registry import desk_lines
from phybench.news.mails.kinds import Item, MailKind, register
from phybench.news.mails.models import When
from phybench.people.models import Role, User


def find(since: datetime, now: datetime) -> Iterator[tuple[int, str]]:
    for person in User.objects.get_queryset().with_role(Role.ADMIN):
        yield person.pk, f"{now:%Y-%m-%d}"


def tell(person: User, keys: Collection[str]) -> Iterator[Item]:
    """Tell what somebody waits for; with nothing of that there is no e-mail."""
    if not person.has_role(Role.ADMIN):
        return
    lines = sorted(desk_lines.tell(person, Role.ADMIN), key=lambda line: line.urgency)
    for line in lines:
        if line.urgency <= Urgency.SOON:
            yield Item(_read(line.text), line.url)


def _read(text: str) -> str:
    """Take the words out of what a page shows, which may be marked up as safe."""
    return unescape(strip_tags(text)) if isinstance(text, SafeString) else str(text)


WAITING = register(
    MailKind(
        name="waiting",
        label=gettext_lazy("What waits for admins"),
        roles=(Role.ADMIN,),
        find=find,
        tell=tell,
        default=When.DAILY,
        choices=(When.DAILY, When.NEVER),
    )
)
