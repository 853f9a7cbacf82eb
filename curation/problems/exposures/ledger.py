"""
Write down who is shown what of a revision, where it is shown.

One query, however many revisions, asks what is there already: who reads a page again writes
nothing. What is new takes one statement more. Whoever adds a page that shows a statement, an
answer, a solution or a verdict calls this; a test walks all of them.
"""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from itertools import islice

from django.utils import timezone

from curation.problems.exposures.models import Exposure
from curation.problems.models import Revision, among
from phybench.people.models import User

Part = Exposure.Part
Reason = Exposure.Reason

STATEMENT = (Part.STATEMENT,)
KEY = Exposure.KEY
ALL = (Part.STATEMENT, *Exposure.KEY)

AT_ONCE = 5_000
"""Parts of one statement: more than any page, fewer than a large download."""

SLOT = timedelta(minutes=10)
"""Who is shown the same part again for the same reason in one of these has one row."""


def begin_slot(at: datetime) -> datetime:
    """
    Return when the ten minutes began in which something was.

    >>> begin_slot(datetime(2026, 1, 2, 3, 47, 59, tzinfo=UTC)).isoformat()
    '2026-01-02T03:40:00+00:00'
    """
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    return at - (at - epoch) % SLOT


def record(
    person: User, reason: Exposure.Reason, *revisions: Revision, parts: Collection[Part] = STATEMENT
) -> None:
    """Write down that `person` is shown these; drafts are their writers' alone and are left out."""
    submitted = (one.pk for one in revisions if one.submitted_at is not None)
    write(person, reason, ((pk, part) for pk in submitted for part in parts))


def write_verdicts(person: User, reason: Exposure.Reason, revisions: Iterable[int]) -> None:
    """Write down that somebody is told how answers to revisions (their numbers) were graded."""
    write(person, reason, ((pk, Part.VERDICT) for pk in revisions))


def write(person: User, reason: Exposure.Reason, seen: Iterable[tuple[int, Part]]) -> None:
    """Write down parts of submitted revisions, given by the numbers of their rows, once a slot."""
    now = timezone.now()
    slot = begin_slot(now)
    told = iter(dict.fromkeys(seen))
    while some := list(islice(told, AT_ONCE)):
        there = Exposure.objects.filter(
            person=person, reason=reason, slot=slot, revision__in=among({pk for pk, _ in some})
        )
        known = set(there.values_list("revision", "part"))
        # Of two pages at once one writes it down.
        Exposure.objects.bulk_create(
            [
                Exposure(revision_id=pk, person=person, part=part, reason=reason, at=now, slot=slot)
                for pk, part in some
                if (pk, part) not in known
            ],
            ignore_conflicts=True,
        )
