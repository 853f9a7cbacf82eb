"""Say who decides in a problem's review instead of an admin who must not."""

from django.utils.translation import gettext as _

from curation.problems import interests
from curation.problems.models import Problem
from curation.reviewing.decisions.permissions import Deciders
from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import User


def say_who_decides(admin: User, problem: Problem) -> str:
    """Say why an admin must not decide on a problem in review, and which admin or reviewer can."""
    return interests.say_who_decides(
        admin, problem, else_who=lambda: _say_who_decides_split(problem)
    )


def _say_who_decides_split(problem: Problem) -> str:
    """Say which reviewers decide the split of a problem, if it has one, where no admin may."""
    splits = ReviewRound.objects.split().filter(revision__problem=problem)
    split = splits.select_related("revision__problem__benchmark").first()
    if split is None:
        return ""
    names = ", ".join(str(person) for person in Deciders([split]).find(split))
    if names:
        return _(
            "No other admin can either, so a reviewer without a part in it decides: %(names)s."
        ) % {"names": names}
    return _("No one else can either. Invite one more reviewer, who can then decide it.")
