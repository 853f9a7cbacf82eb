"""Whether the reviewers there are suffice for a pipeline."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.reviewing.pipelines.models import Stage
from curation.texts.prospects import count_fewest, count_safe
from phybench.people.permissions import is_admin, list_reviewers


def warn(stages: Iterable[Stage]) -> str:
    """Say why problems can't pass these stages, or can get stuck in them; "" where none does."""
    demands = [stage.demand for stage in stages]
    if not any(demand.is_blind for demand in demands):
        return ""
    # Admins see every answer, so that nobody asks them for a blind solve.
    solvers = sum(not is_admin(person) for person in list_reviewers())
    there_are = ngettext(
        "There is %(count)d reviewer who is not an admin.",
        "There are %(count)d reviewers who are not admins.",
        solvers,
    ) % {"count": solvers}
    if (fewest := count_fewest(demands)) > solvers:
        return _(
            "No problem can pass these stages: that takes %(fewest)d reviewers who do not see "
            "every answer as an admin does. %(there_are)s"
        ) % {"fewest": fewest, "there_are": there_are}
    if (safe := count_safe(demands)) > solvers:
        return _(
            "A problem can get stuck: each person who reviews a stage that shows the "
            "answer can’t do the blind stage after it. With %(safe)d reviewers it "
            "can’t get stuck. %(there_are)s Let an earlier stage be reviewed from the "
            "statement alone, ask the same person for the stages that show the answer, "
            "or invite another reviewer."
        ) % {"safe": safe, "there_are": there_are}
    return ""
