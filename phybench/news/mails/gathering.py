"""
Find what happened, and put it into e-mails: what is wanted at once each time, the rest once a day.

The clock does this again and again, looking back further than it ever stands still. Each thing is a
row that is there once, and in one e-mail: doing it twice, or two workers at once, changes nothing.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from phybench.news.mails.choosing import find_choices
from phybench.news.mails.kinds import MailKind, list_kinds
from phybench.news.mails.models import Mail, News, When
from phybench.people.models import User
from phybench.work.models import Priority

LOOK_BACK = timedelta(days=1)
"""What nobody found for so long, because nothing ran, is told on home alone."""


def gather(now: datetime) -> list[Mail]:
    """Write down what is new, and make the e-mails that are due; return those."""
    for kind in list_kinds():
        write_news(kind, now)
    return make_mails(now)


def write_news(kind: MailKind, now: datetime) -> None:
    """Write down what happened of one kind, for those who want to be told."""
    write_down(kind, kind.find(now - LOOK_BACK, now), now)


def write_down(kind: MailKind, happened: Iterable[tuple[int, str]], now: datetime) -> None:
    """Write down what happened, to whom it is told and by which key, as a kind finds it."""
    found = set(happened)
    # The demo's people have no mailbox.
    asked = User.objects.filter(pk__in={pk for pk, _key in found}, is_active=True, is_demo=False)
    if kind.roles:
        asked = asked.filter(roles__overlap=list(kind.roles))
    choices = find_choices(list(asked.values_list("pk", flat=True)), kind)
    News.objects.bulk_create(
        [
            News(person_id=pk, kind=kind.name, key=key, at=now)
            for pk, key in sorted(found)
            if choices.get(pk, When.NEVER) is not When.NEVER
        ],
        ignore_conflicts=True,
    )


@transaction.atomic
def make_mails(now: datetime) -> list[Mail]:
    """Put what is in no e-mail yet into one a person, as far as it is wanted now."""
    # What another worker is just putting into one is not ours.
    waiting = News.objects.filter(mail=None).select_for_update(skip_locked=True)
    at_once: dict[int, list[int]] = defaultdict(list)
    daily: dict[int, list[int]] = defaultdict(list)
    unwanted: list[int] = []
    by_kind: dict[str, list[News]] = defaultdict(list)
    for one in waiting:
        by_kind[one.kind].append(one)
    kinds = {kind.name: kind for kind in list_kinds()}
    for name, rows in by_kind.items():
        people = {one.person_id for one in rows}
        kind = kinds.get(name)
        choices = find_choices(people, kind) if kind else {}
        for one in rows:
            when = choices.get(one.person_id, When.NEVER)
            if when is When.NEVER:
                unwanted.append(one.pk)
            else:
                (at_once if when is When.AT_ONCE else daily)[one.person_id].append(one.pk)
    News.objects.filter(pk__in=unwanted).delete()
    made = [_make(_begin(pk), news) for pk, news in at_once.items()]
    if now.hour >= settings.DIGEST_FROM_HOUR:
        for pk, news in daily.items():
            mail, is_new = Mail.objects.get_or_create(
                person_id=pk, day=now.date(), defaults=_AS_SOON
            )
            # What comes after the one of the day is in tomorrow’s.
            if is_new:
                made.append(_make(mail, news))
    return made


_AS_SOON = {"priority": Priority.SOON.value}


def _begin(person: int) -> Mail:
    return Mail.objects.create(person_id=person, **_AS_SOON)


def _make(mail: Mail, news: list[int]) -> Mail:
    News.objects.filter(pk__in=news).update(mail=mail)
    return mail
