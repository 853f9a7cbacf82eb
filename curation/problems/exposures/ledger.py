"""
Write down who is shown what of a revision, where it is shown.

One statement, however many revisions: nobody looks first whether it is there already. Whoever adds
page that shows a statement, an answer, a solution or a verdict calls this; a test walks all of
them.
"""

from collections.abc import Collection, Iterable

from django.utils import timezone

from curation.problems.exposures.models import Exposure, begin_slot
from curation.problems.models import Revision
from phybench.people.models import User

Part = Exposure.Part
Reason = Exposure.Reason

STATEMENT = (Part.STATEMENT,)
KEY = Exposure.KEY
ALL = (Part.STATEMENT, *Exposure.KEY)

AT_ONCE = 5_000
"""Rows of one statement: more than any page, fewer than a large download."""


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
    """Write down parts of submitted revisions, given by the numbers of their rows."""
    now = timezone.now()
    Exposure.objects.bulk_create(
        [
            Exposure(
                revision_id=revision_id,
                person=person,
                part=part,
                reason=reason,
                at=now,
                slot=begin_slot(now),
            )
            for revision_id, part in dict.fromkeys(seen)
        ],
        ignore_conflicts=True,
        batch_size=AT_ONCE,
    )
