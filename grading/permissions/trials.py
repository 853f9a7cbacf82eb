"""Who may try a problem on models, and look after endpoints."""

from curation import permissions as of_curation
from curation.problems.models import Problem, ProblemQuerySet
from phybench.models import Role, User


def list_tried(user: User) -> ProblemQuerySet:
    """Return the problems whose trials `user` may see: their own; all of them for an admin."""
    return of_curation.list_in_charge(user)


def may_try(user: User, problem: Problem) -> bool:
    """Whether `user` may send this problem to models: who may open it in the editor."""
    return user.has_role(Role.CONTRIBUTOR) and of_curation.can_edit(user, problem)


def keeps_endpoints(user: User) -> bool:
    """Whether `user` looks after endpoints, and so reads what a provider says of itself."""
    return user.has_role(Role.ADMIN)
