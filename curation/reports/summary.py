"""What a problem's page says of errors in it, and of who has seen it."""

from typing import Any

from django.db.models import Count, Q

from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from curation.reports.models import Erratum, ErrorReport
from curation.reports.permissions import can_report, list_reports
from phybench.people.models import User

MOST_REPORTS = 5
"""Reports that the page links to; the list has all of them."""


def describe_errors(user: User, problem: Problem) -> dict[str, Any]:
    """Return what `problem.html` says of errors; of what was accepted four queries."""
    if not problem.is_published:
        return {}
    reports = ErrorReport.objects.filter(revision__problem=problem)
    readable = list_reports(user).filter(revision__problem=problem)
    return {
        "seen_by": count_seen(problem),
        "errata": list_errata(problem),
        "can_report": can_report(user, problem),
        "reports": reports.aggregate(
            total=Count("pk"),
            open=Count("pk", filter=Q(closed_at=None)),
        ),
        "readable_reports": list(readable.select_related("revision")[:MOST_REPORTS]),
    }


def list_errata(problem: Problem) -> list[Erratum]:
    found = Erratum.objects.filter(revision__problem=problem)
    return list(found.select_related("revision", "corrected_by", "report"))


def count_seen(problem: Problem) -> dict[str, int]:
    """Count the people who were shown the statement, and those who were shown the key."""
    return Exposure.objects.filter(revision__problem=problem).aggregate(
        statement=Count("person", distinct=True, filter=Q(part=Exposure.Part.STATEMENT)),
        key=Count("person", distinct=True, filter=Q(part__in=Exposure.KEY)),
    )
