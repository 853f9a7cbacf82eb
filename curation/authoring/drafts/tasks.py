"""What workers do with drafts: submit those whose author asked for it and whose answer passed."""

from curation.authoring.drafts import submitting
from curation.authoring.drafts.models import SubmitRequest
from phybench.work.kinds import Kind, register

SUBMITTING = register(
    Kind(
        name="submit_problem",
        rows=SubmitRequest.objects.ready().select_related("problem", "by", "certificate"),
        do=submitting.carry_out,
        give_up=submitting.give_up,
    )
)
