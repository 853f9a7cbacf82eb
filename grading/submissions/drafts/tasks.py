"""What workers do with drafts: read their files, and put in what runs of models answered."""

from grading.model_runs.models import ModelRun
from grading.submissions.drafts import handing_over, reading
from grading.submissions.drafts.models import DraftFile
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
