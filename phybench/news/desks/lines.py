"""What a room can say on somebody's desk."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum

from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

A_MINUTE = timedelta(minutes=1)


class Urgency(IntEnum):
    """What comes first in an inbox; of the same, what has waited longest."""

    NOW = 0
    """It is late, or others can't go on without it."""
    SOON = 1
    """Somebody waits for it."""
    LATER = 2
    """It waits for nobody but the reader."""
    NEWS = 3
    """Nothing is to be done: it happened since the reader last marked the news as read."""


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of thing that waits for somebody, and the one place where they see to it."""

    urgency: Urgency
    text: str
    """What waits, in a sentence."""
    action: str
    """What the button does, as a verb."""
    url: str
    count: int = 1
    since: datetime | None = None
    """Since when the first of them waits."""

    @property
    def is_late(self) -> bool:
        return self.urgency is Urgency.NOW

    @property
    def is_news(self) -> bool:
        return self.urgency is Urgency.NEWS

    @property
    def age(self) -> str:
        """Say for how long the first has waited; "" where that is not known, or no minute."""
        if self.since is None or timezone.now() - self.since < A_MINUTE:
            return ""
        past = timesince(self.since, depth=1)
        if self.is_news:
            return _("%(time)s ago") % {"time": past}
        return _("waiting for %(time)s") % {"time": past}


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One of what an empty benchmark needs until models stand on its board."""

    number: int
    """Its place among them, from 1."""
    label: str
    """What is to be done, as a verb."""
    state: Callable[[], str]
    """Say how far that is, in a line; asked where it is shown alone, as it may cost."""
    is_done: bool
    next: str
    """What the page begins with while this is what comes next, in a sentence."""
    action: str
    """What the button does, as a verb."""
    url: str
    other: tuple[str, str] | None = None
    """Another way to do it, and its page."""
    can_wait: bool = False
    """Whether one may go on without it."""
