"""
What workers do with drafts: read their files, put in what runs answered, queue their answers.

And what the clock does: discard those that nobody goes on with.
"""

from celery import shared_task
from django.db import transaction

from grading.model_runs.models import ModelRun
from grading.submissions.drafts import handing_over, reading, submitting
from grading.submissions.drafts.actions import GRADING_A_DRAFT
from grading.submissions.drafts.models import Draft, DraftFile
from phybench.news.jobs import kinds as jobs
from phybench.pages.api.refused import Refused
from phybench.work.kinds import Kind, register

READING = register(
    Kind(
        name="read_draft_file",
        rows=DraftFile.objects.to_read(),
        do=reading.read,
        give_up=reading.give_up,
    )
)

HANDING_OVER = register(
    Kind(
        name="hand_over_run",
        rows=ModelRun.objects.to_hand_over(),
        do=handing_over.hand_over,
        give_up=handing_over.give_up,
    )
)

jobs.register(jobs.JobKind(GRADING_A_DRAFT, submitting.carry_out, refusals=(Refused,)))


@shared_task
def discard_forgotten() -> int:
    """Discard drafts that nobody goes on with; return how many."""
    forgotten = Draft.objects.forgotten().values_list("pk", flat=True)
    return sum(map(_discard, list(forgotten)))


@transaction.atomic
def _discard(pk: int) -> bool:
    """Discard a draft, unless somebody has it open just now or went on with it meanwhile."""
    free = Draft.objects.select_for_update(of=["self"], skip_locked=True)
    held = free.filter(pk=pk).first()
    if held is None or not Draft.objects.forgotten().filter(pk=pk).exists():
        return False
    held.delete()
    return True
