"""Write down, with the acceptance of a correction, what it corrects."""

from django.conf import settings
from django.utils import timezone

from curation.problems.models import Problem, Revision
from curation.problems.people import contributions
from curation.reports.models import Erratum, ErrorReport
from phybench.work import sandbox
from phybench_grader.equality.equality import Equality
from phybench_grader.reading.reading import Unreadable
from phybench_grader.verdict.corrected import compare_references
from phybench_grader.verdict.declarations import Undeclarable


def write(problem: Problem, accepted: Revision) -> None:
    """
    Close the error reports that this correction was written for, each with its erratum.

    Whoever calls this holds the problem's row.
    """
    reports = ErrorReport.objects.awaiting_correction().filter(revision__problem=problem)
    for report in reports.select_related("reporter", "revision__problem").order_by("pk"):
        close_with_erratum(report, accepted)


def have_equal_answers(before: Revision, after: Revision) -> bool:
    """
    Whether two revisions surely have reference answers of one value.

    Where that can't be told it is not sure: somebody has decided that the answer was wrong.
    """
    try:
        found = sandbox.run(
            compare_references,
            before.answer,
            after.answer,
            declared_before=before.reference.question,
            declared_after=after.reference.question,
            deadline=settings.READING_DEADLINE_SECONDS,
        )
    except (sandbox.Stopped, Undeclarable, Unreadable):
        return False
    return found is Equality.EQUAL


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
        is_of_key=(
            report.outcome == ErrorReport.Outcome.KEY_FIXED
            and not have_equal_answers(report.revision, corrected_by)
        ),
        text=report.reason,
    )
