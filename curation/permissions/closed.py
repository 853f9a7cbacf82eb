"""Problems that a person may not read for now: a study asks them, and all are to begin alike."""

from collections.abc import Iterable

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from curation.problems.models import Problem
from phybench.models import User


def list_closed(user: User) -> QuerySet[Problem, int]:
    """
    Return the numbers of problems that `user` may not read now.

    Studies belong to another app, which knows this one, so a setting names who says it.
    """
    found: QuerySet[Problem, int] = import_string(settings.PROBLEMS_CLOSED_BY)(user)
    return found


def refuse_closed(user: User, problems: Iterable[int]) -> None:
    """
    Refuse a file with problems of a study that `user` has still to sit.

    Raises:
        PermissionDenied: it has; the message says when it can be had.
    """
    if not set(problems).isdisjoint(list_closed(user)):
        raise PermissionDenied(
            _(
                "You take part in a study that asks some of these problems. You can download "
                "them after your session."
            )
        )
