"""What workers do with drafts: read their files, put in what runs answered, queue their answers."""

from grading.model_runs.models import ModelRun
from grading.submissions.drafts import handing_over, reading, submitting
from grading.submissions.drafts.actions import GRADING_A_DRAFT
from grading.submissions.drafts.models import DraftFile
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
