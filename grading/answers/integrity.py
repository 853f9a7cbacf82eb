"""What holds of answers and their grades."""

from collections.abc import Iterable

from django.db.models import Count, Exists, Min, OuterRef, QuerySet
from django.db.models.functions import MD5

from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun, RunKey, hash_key
from grading.answers.submissions.models import Submission
from grading.answers.tallies.keeping import find_wrong_tallies
from phybench.work.integrity import Invariant, each, register, those

_counting = Grade.objects.current().filter(attempt=OuterRef("pk"))
_earlier = Grade.objects.filter(
    run=OuterRef("run"), attempt=OuterRef("attempt"), pk__lt=OuterRef("pk")
)
_other_adopted = GradingRun.objects.adopted().filter(
    benchmark=OuterRef("benchmark"), pk__lt=OuterRef("pk")
)


def _find_told_apart(grades: QuerySet[Grade]) -> Iterable[int]:
    """Find grades of the same words by the same key and grader that say something else."""
    same = ("run", "attempt__revision", "words", "judge", "judge_version", "sympy_version")
    told = grades.order_by().annotate(words=MD5("attempt__response")).values(*same)
    return (
        told.annotate(first=Min("pk"), verdicts=Count("verdict", distinct=True))
        .filter(verdicts__gt=1)
        .values_list("first", flat=True)
        .iterator()
    )


register(
    Invariant(
        Attempt.objects.graded(),
        those(~Exists(_counting)),
        "is graded, but has no grade by the run that its benchmark goes by",
    ),
    Invariant(
        Attempt.objects.filter(status=Attempt.Status.FAILED),
        those(Exists(_counting)),
        "is not graded, but has a grade by the run that its benchmark goes by",
    ),
    Invariant(
        Grade.objects.all(),
        those(Exists(_earlier)),
        "is the second grade of its answer by its run",
    ),
    Invariant(
        # What a person ruled is no word of the grader's, nor are the grades of a bank of the demo,
        # which name no SymPy.
        Grade.objects.filter(override=None).exclude(sympy_version="-"),
        _find_told_apart,
        "says something else than another grade of the same words by the same key",
    ),
    Invariant(
        GradingRun.objects.adopted(),
        those(Exists(_other_adopted)),
        "is the second run that its benchmark goes by",
    ),
    Invariant(
        RunKey.objects.select_related("key"),
        each(lambda one: one.sha256 != hash_key(one.key)),
        "has another hash than the reference answer that it names",
    ),
    Invariant(
        Submission.objects.all(),
        lambda _rows: find_wrong_tallies(),
        "has a tally that says something else than its answers (`recount()` counts them anew)",
    ),
)
