"""Write down, with the acceptance of a correction, what it corrects."""

from django.utils import timezone

from curation.errors.models import Erratum, ErrorReport
from curation.people import contributions
from curation.problems.models import Problem, Revision


def write(problem: Problem, accepted: Revision) -> None:
    """
    Close the error reports that this correction was written for, each with its erratum.

    Whoever calls this holds the problem's row.
    """
    reports = ErrorReport.objects.awaiting_correction().filter(revision__problem=problem)
    for report in reports.select_related("reporter", "revision__problem").order_by("pk"):
        close_with_erratum(report, accepted)


def close_with_erratum(report: ErrorReport, corrected_by: Revision) -> Erratum:
    """Close a decided report: its revision was wrong, and this one isn't."""
    assert report.revision is not None
    report.closed_at = timezone.now()
    report.save(update_fields=["closed_at"])
    if report.reporter is not None:
        note = f"error report {report.pk}"
        contributions.record_error(report.reporter, report.revision, note=note)
    return Erratum.objects.create(
        revision=report.revision,
        corrected_by=corrected_by,
        report=report,
        is_of_key=report.outcome == ErrorReport.Outcome.KEY_FIXED,
        text=report.reason,
    )
