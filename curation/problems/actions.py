"""What an admin does to a problem that is accepted."""

from django.db import transaction

from curation.problems.models import Problem
from curation.texts.workflow import Step
from phybench.people.models import User


@transaction.atomic
def retire(*, problem: Problem, admin: User, note: str) -> None:
    """Take an accepted problem out of use; what was graded against it stays."""
    problem = problem.locked()
    problem.take_step(Step.RETIRE, revision=None, actor=admin, note=note)
