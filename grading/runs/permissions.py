"""Who steers a run."""

from grading.judging.permissions import list_runs
from grading.judging.runs.models import JudgeRun
from grading.model_runs.models import ModelRun
from grading.model_runs.permissions import list_model_runs
from grading.solvers.permissions import judges
from phybench.people.models import User


def may_go_on(user: User, run: JudgeRun) -> bool:
    """Whether `user` may pause a run, have gone on with it, or cancel it."""
    return judges(user) and list_runs(user).filter(pk=run.pk).exists()


def may_steer(user: User, run: ModelRun) -> bool:
    """Whether `user` may pause a run of a model, go on with it, or cancel it."""
    return judges(user) and list_model_runs(user).filter(pk=run.pk).exists()
