"""
Say of submissions how many people behind them were shown texts of their version beforehand.

People are counted, and never named; nothing is told of single problems. Counted are the ledger of
what this site shows (`curation/exposures`) and who wrote or translated a problem. What somebody saw
elsewhere, or passed on, is in neither.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from django.db.models import Min

from curation.problems.exposures.models import Exposure
from curation.problems.people.models import Credit
from curation.versions.models import BenchmarkVersion, VersionItem
from grading.answers.submissions.models import Submission
from grading.solvers.models import Membership, Organisation

Part = Exposure.Part


class Shown(StrEnum):
    """What somebody was shown of a problem."""

    STATEMENT = "STATEMENT"
    KEY = "KEY"
    """Its reference answer or solution; who wrote or translated it knows that."""
    VERDICT = "VERDICT"
    """How an answer to it was graded."""


KINDS = {
    Part.STATEMENT: Shown.STATEMENT,
    **dict.fromkeys(Exposure.KEY, Shown.KEY),
    Part.VERDICT: Shown.VERDICT,
}
# By person: since when they were shown what of which part; the part by whether it is hidden.
Seen = Mapping[int, Mapping[tuple[Shown, bool], datetime]]


@dataclass(frozen=True, slots=True)
class PartAccess:
    """How many people were shown what of one part of a version."""

    statements: int = 0
    keys: int = 0
    verdicts: int = 0


@dataclass(frozen=True, slots=True)
class Access:
    """What was shown to people of one submission's organisation before they handed it in."""

    submission: Submission
    people: int
    """Who were of it by then, those who left again too, and who handed in."""
    public: PartAccess = field(default_factory=PartAccess)
    hidden: PartAccess = field(default_factory=PartAccess)


def state_access(version: BenchmarkVersion, submissions: Sequence[Submission]) -> list[Access]:
    """
    Count for each submission to a version who saw what of it before; five queries for any number.

    Args:
        submissions: with their solvers fetched.
    """
    if not submissions:
        return []
    joined = _list_members(submissions)
    behind = {
        one.pk: {
            one.uploaded_by_id,
            *(person for person, at in joined[one.solver.organisation_id] if at <= one.created_at),
        }
        for one in submissions
    }
    seen = _list_seen(version, set().union(*behind.values()))
    return [
        Access(
            submission=one,
            people=len(behind[one.pk]),
            public=_count(seen, behind[one.pk], one.created_at, is_hidden=False),
            hidden=_count(seen, behind[one.pk], one.created_at, is_hidden=True),
        )
        for one in submissions
    ]


def _list_members(
    submissions: Iterable[Submission],
) -> dict[int | None, set[tuple[int, datetime]]]:
    """Return who joined each organisation, or one that was merged into it, and when."""
    merged = dict(Organisation.objects.exclude(merged_into=None).values_list("pk", "merged_into"))
    ends = {one.solver.organisation_id for one in submissions}

    def find_end(organisation: int) -> int:
        # None is merged into what was itself merged into it: it comes to an end.
        while organisation not in ends and (into := merged.get(organisation)):
            organisation = into
        return organisation

    wanted = {pk for pk in ends if pk} | {pk for pk in merged if find_end(pk) in ends}
    memberships = Membership.objects.filter(organisation__in=wanted, joined_at__isnull=False)
    found: dict[int | None, set[tuple[int, datetime]]] = defaultdict(set)
    for organisation, person, at in memberships.values_list("organisation", "person", "joined_at"):
        if at is not None:
            found[find_end(organisation)].add((person, at))
    return found


def _list_seen(version: BenchmarkVersion, people: set[int]) -> Seen:
    """Return by person since when they were shown each kind of text of each part."""
    found: dict[int, dict[tuple[Shown, bool], datetime]] = defaultdict(dict)

    def write(person: int, what: Shown, is_hidden: bool, at: datetime) -> None:
        known = found[person].get((what, is_hidden))
        found[person][what, is_hidden] = min(at, known) if known else at

    items = VersionItem.objects.filter(version=version).order_by()
    shown = items.filter(problem__revisions__exposures__person__in=people).values_list(
        "problem__revisions__exposures__person",
        "problem__revisions__exposures__part",
        "is_hidden",
    )
    for person, part, is_hidden, at in shown.annotate(Min("problem__revisions__exposures__at")):
        write(person, KINDS[Part(part)], is_hidden, at)
    written = items.filter(problem__author__in=people).values_list("problem__author", "is_hidden")
    knowing = [*written.annotate(Min("problem__created_at"))]
    credited = items.filter(
        problem__credits__person__in=people,
        problem__credits__accepted_at__isnull=False,
        problem__credits__role__in=[Credit.Role.CO_AUTHOR, Credit.Role.TRANSLATOR],
    ).values_list("problem__credits__person", "is_hidden")
    knowing += [*credited.annotate(Min("problem__credits__accepted_at"))]
    for person, is_hidden, at in knowing:
        assert person is not None
        write(person, Shown.STATEMENT, is_hidden, at)
        write(person, Shown.KEY, is_hidden, at)
    return found


def _count(seen: Seen, people: Iterable[int], before: datetime, *, is_hidden: bool) -> PartAccess:
    def count(what: Shown) -> int:
        dates = (seen.get(one, {}).get((what, is_hidden)) for one in people)
        return sum(at is not None and at < before for at in dates)

    return PartAccess(count(Shown.STATEMENT), count(Shown.KEY), count(Shown.VERDICT))
