"""Who decides on reference answers in doubt."""

from curation.reports.permissions import decides_reports
from phybench.people.models import User


def decides_keys(user: User) -> bool:
    """Whether `user` says what is found of keys in doubt, and has wrong ones corrected."""
    return decides_reports(user)
