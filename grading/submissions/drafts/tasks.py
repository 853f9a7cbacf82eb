"""What workers do with drafts: read their files."""

from grading.submissions.drafts import reading
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
