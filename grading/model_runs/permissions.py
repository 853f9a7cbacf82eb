"""Who may have models answer, and who sees the runs."""

from curation.problems.models import Problem, ProblemQuerySet
from curation.problems.permissions import can_edit, list_in_charge
from grading.model_runs.models import ModelRun, ModelRunQuerySet
from grading.solvers.permissions import judges, list_hand_in_for
from phybench.people.models import Role, User


def list_model_runs(user: User) -> ModelRunQuerySet:
    """Return the runs of models that `user` may see: their organisations'; all for an admin."""
    found = ModelRun.objects.select_related(
        "organisation", "version__benchmark", "endpoint", "started_by", "file__draft"
    )
    if user.has_role(Role.ADMIN):
        return found
    return found.filter(organisation__in=list_hand_in_for(user))


def may_steer(user: User, run: ModelRun) -> bool:
    """Whether `user` may pause a run of a model, go on with it, or cancel it."""
    return judges(user) and list_model_runs(user).filter(pk=run.pk).exists()


def list_tried(user: User) -> ProblemQuerySet:
    """Return the problems whose trials `user` may see: their own; all of them for an admin."""
    return list_in_charge(user)


def may_try(user: User, problem: Problem) -> bool:
    """Whether `user` may send this problem to models: who may open it in the editor."""
    return user.has_role(Role.CONTRIBUTOR) and can_edit(user, problem)


def keeps_endpoints(user: User) -> bool:
    """Whether `user` looks after endpoints, and so reads what a provider says of itself."""
    return user.has_role(Role.ADMIN)
