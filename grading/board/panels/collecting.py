"""Which panels a version has, and the scores of those who are in one."""

from curation.versions.models import BenchmarkVersion
from grading.answers.submissions.models import Submission
from grading.board.panels.models import Panel
from grading.board.scores.collecting import Field, Standing
from grading.board.scores.scope import Scope


def list_panels(version: BenchmarkVersion | None) -> list[Panel]:
    """Return a version's panels, the newest first."""
    return list(version.panels.select_related("made_by")) if version else []


def find_newest(version: BenchmarkVersion | None) -> Panel | None:
    return version.panels.first() if version else None


def find_members(*panels: Panel) -> Field:
    """Return who is in any of these panels, also who has left the board since."""
    found = (
        Submission.objects.filter(in_panels__panel__in=panels)
        .select_related("solver__organisation")
        .defer("left_out")
        .distinct()
    )
    return Field([Standing(one, waiting=0, handed_in=0) for one in found if panels], [])


def find_field_of_newest(scope: Scope) -> Field:
    """Return who is in the newest panel of a scope's version."""
    newest = find_newest(scope.version)
    return find_members(*([newest] if newest else []))
