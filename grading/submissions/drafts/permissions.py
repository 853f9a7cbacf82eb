"""Whose drafts somebody sees."""

from grading.solvers.permissions import list_hand_in_for
from grading.submissions.drafts.models import Draft, DraftQuerySet
from phybench.people.models import User


def list_drafts(user: User) -> DraftQuerySet:
    """Return the drafts that `user` may see and change: those of their organisations."""
    found = Draft.objects.select_related(
        "organisation", "benchmark", "version__benchmark", "made_by"
    )
    return found.filter(organisation__in=list_hand_in_for(user))
