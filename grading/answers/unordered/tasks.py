"""What workers do of unordered scores, and what the clock calls."""

from celery import shared_task

from grading.answers.unordered import work
from grading.answers.unordered.models import UnorderedPart
from phybench.work.kinds import Kind, register
from phybench.work.tasks import wake

MEASURING = register(
    Kind(
        name="measure_unordered",
        rows=UnorderedPart.objects.select_related("run"),
        do=work.measure_part,
        give_up=work.give_up,
    )
)


@shared_task
def queue_new() -> int:
    """Leave what was graded and shown since to workers; return how many parts that is."""
    parts = work.queue_new()
    wake(MEASURING, parts)
    return len(parts)
