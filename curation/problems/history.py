"""Hold a problem, move it along the table of transitions, and write it into its history."""

from django.utils import timezone

from curation.problems.models import Event, Problem, Revision
from curation.workflow import Step, move
from phybench.models import User


def locked(problem: Problem) -> Problem:
    """Fetch the problem again and hold it: two people may click at once."""
    return Problem.objects.select_for_update().get(pk=problem.pk)


def take_step(
    problem: Problem,
    step: Step,
    *,
    revision: Revision | None,
    actor: User | None,
    note: str = "",
    is_override: bool = False,
) -> None:
    """Move the problem along the table, or raise `NotAllowedNow`."""
    before = problem.status
    problem.status = move(step, before)
    if step is Step.ACCEPT:
        problem.accepted_revision = revision
        # A correction changes what is graded from now on, not since when there is a problem.
        problem.accepted_at = problem.accepted_at or timezone.now()
    problem.save(update_fields=["status", "accepted_at", "accepted_revision"])
    Event.objects.create(
        problem=problem,
        revision=revision,
        actor=actor,
        kind=step,
        from_status=before,
        to_status=problem.status,
        note=note,
        is_override=is_override,
    )
