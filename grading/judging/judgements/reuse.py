"""Which judgements may be taken over by another run of the same judge on the same input."""

from django.db.models import QuerySet

from grading.judging.judgements.models import Judgement
from grading.judging.models import JudgeFile


def list_reusable(sha256: str, *, file_id: int | None) -> QuerySet[Judgement]:
    """
    Return what one configuration has said and a run may take over.

    A file's run takes over what was said of files of the same organisation, and a submission's
    what was said of submissions. Anything else would tell people whether the reference answer that
    they write into a file is the hidden one, or whether somebody else has the same item.
    """
    found = Judgement.objects.filter(configuration__sha256=sha256, status=Judgement.Status.SCORED)
    if file_id is None:
        return found.filter(item__run__file=None)
    theirs = JudgeFile.objects.filter(pk=file_id).values("organisation")
    return found.filter(item__run__file__organisation__in=theirs)
