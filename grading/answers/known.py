"""
Find the grades of answers that were judged before, so that none is judged twice.

A verdict hangs on the key, the words, the grader and SymPy: where all of them are the same, so is
the verdict. What could not be graded has no grade, and so is never taken for known. Answers to the
hidden part are no attempts: they are always judged, and nothing here tells of them.

That one comes back sooner tells nothing that matters: who waits for it is told the verdict, which
says more of the key than that somebody, at some time, gave the same answer to a public problem.
"""

from collections.abc import Iterable, Sequence

from django.db.models import Exists, F, OuterRef, Subquery
from django.db.models.functions import MD5

from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun


def find_known(run: GradingRun, attempts: Sequence[Attempt], **by: str) -> dict[int, Grade]:
    """
    Find for each attempt what was said of the same answer, judged by the same key.

    Args:
        run: whose keys they are to be graded by.
        by: which judge, and its versions, as its grades say them.
    """
    # The sum finds them by an index; that the words are the same is asked for itself. Another
    # revision may ask in other words, which the sum of a key leaves out.
    alike = (
        Grade.objects.filter(
            attempt__revision=OuterRef("revision"),
            attempt__response=OuterRef("response"),
            run__keys__revision=OuterRef("revision"),
            run__keys__sha256=OuterRef("key_sha256"),
            # What a person ruled is no word of the grader's.
            override=None,
            **by,
        )
        .alias(words=MD5("attempt__response"))
        .filter(words=MD5(OuterRef("response")))
        .order_by()
    )
    known = dict(
        Attempt.objects.filter(pk__in=[one.pk for one in attempts], revision__run_keys__run=run)
        .annotate(key_sha256=F("revision__run_keys__sha256"))
        .annotate(same=Subquery(alike.values("pk")[:1]))
        .filter(same__isnull=False)
        .values_list("pk", "same")
        .order_by()
    )
    grades = Grade.objects.in_bulk(known.values())
    return {pk: grades[same] for pk, same in known.items()}


def find_wrong(attempts: Iterable[Attempt]) -> set[int]:
    """Find those whose words were just found to be wrong in another file, as yet ungraded too."""
    pks = [one.pk for one in attempts]
    if not pks:
        return set()
    alike = (
        Attempt.objects.waiting()
        .filter(revision=OuterRef("revision"), response=OuterRef("response"))
        .filter(wrong_at__isnull=False)
        .alias(words=MD5("response"))
        .filter(words=MD5(OuterRef("response")))
    )
    found = Attempt.objects.filter(Exists(alike), pk__in=pks).order_by()
    return set(found.values_list("pk", flat=True))
