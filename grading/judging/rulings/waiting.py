"""
Answers that judges or the grader left open, and that wait for somebody to rule on them.

Whoever rules sees the answer and the reference, and neither what judges said nor why it waits.
"""

from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from grading.answers.models import LEFT_TO_A_PERSON, Attempt
from grading.judging.judgements.models import Judgement
from grading.judging.models import JudgeRun
from grading.samples.labels.models import Ruling
from grading.samples.labels.permissions import list_rulable
from phybench.people.models import User


def list_doubted() -> QuerySet[Judgement]:
    """Return what judges were in doubt of, of the answer of the query around."""
    found = Judgement.objects.filter(attempt=OuterRef("pk")).exclude(doubts=[])
    return found.exclude(item__run__state=JudgeRun.State.CANCELLED)


def list_waiting(user: User) -> QuerySet[Attempt]:
    """Return those that a judge or the grader left open, and that nobody could tell of yet."""
    doubted = list_doubted()
    first = doubted.order_by().values("attempt").annotate(since=Min("created_at"))
    rulings = Ruling.objects.filter(attempt=OuterRef("pk"))
    return (
        list_rulable(user)
        .filter(Q(Exists(doubted)) | LEFT_TO_A_PERSON, submission__withdrawn_at=None)
        .exclude(Exists(rulings.exclude(choice=Ruling.Choice.CANT_TELL)))
        .exclude(Exists(rulings.filter(ruled_by=user, label_file=None)))
        .annotate(waits_since=Coalesce(Subquery(first.values("since")), F("created_at")))
        .select_related("revision__problem")
        .order_by("pk")
    )
