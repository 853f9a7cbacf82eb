"""Find problems that are like another: in their statements, and in their answers."""

from dataclasses import dataclass, replace

from django.conf import settings
from django.contrib.postgres.search import TrigramSimilarity
from django.db import connection, transaction
from django.db.models import Case, F, FloatField, Value, When
from django.db.models.functions import Left

from curation.problems.models import COMPARED, Problem, Revision
from curation.problems.permissions import list_visible, may_be_told_answer
from curation.texts.references.reference import Reference
from phybench.people.models import User
from phybench.work import sandbox
from phybench_grader import JudgeError, Verdict, grade
from phybench_grader.verdict.declarations import Undeclarable

LIKE = 0.4
"""
From what similarity on (0 to 1, shared three-letter runs) a statement is worth a look. Of the 3,321
pairs among our 36 problems and 50 published ones, half are above 0.24 and five above 0.4.
"""
OTHER_DOMAIN = 0.1
"""What a problem of another domain has to have more: the same words mean the same in one domain."""
MOST = 5


def list_similar(problem: Problem, statement: str, *, seen_by: User) -> list[Revision]:
    """
    List the newest text of the problems most like this one, each with its `similarity`, 0 to 1.

    Of each statement, the first `COMPARED` characters count. Those of the same domain are listed
    from `LIKE` on, and before others that are as similar.

    Only what `seen_by` may read is compared: an answer must not tell what is in others' drafts.
    """
    handicap = Case(
        When(problem__domain=problem.domain, then=Value(0.0)),
        default=Value(-OTHER_DOMAIN),
        output_field=FloatField(),
    )
    newest = Revision.objects.current().filter(problem__in=list_visible(seen_by))
    found = (
        # By the index; what ranks from `LIKE` on is at least as similar.
        newest.annotate(start=Left("statement", COMPARED))
        .filter(start__trigram_similar=statement[:COMPARED])
        .exclude(problem=problem)
        .annotate(similarity=TrigramSimilarity("start", statement[:COMPARED]))
        .annotate(rank=F("similarity") + handicap)
        .filter(rank__gte=LIKE)
        .select_related("problem")
        .order_by("-rank", "pk")
    )
    with transaction.atomic(), connection.cursor() as cursor:
        # From where on the index finds a text; for this transaction only.
        cursor.execute("SELECT set_config('pg_trgm.similarity_threshold', %s, true)", [str(LIKE)])
        return list(found[:MOST])


@dataclass(frozen=True, slots=True)
class SimilarCount:
    """How many problems are much like one, and of how many the answer is equal."""

    total: int
    equal: list[Revision]
    different: list[Revision]
    """Whose answer is another one: that much of it is told."""
    withheld: int
    """Not compared: the person may yet be asked to solve them, and would learn their answer."""
    untold: int
    """The grader could not tell."""


def count_similar(revision: Revision, *, seen_by: User) -> SimilarCount:
    """Count the problems like this one, for who may have their answers compared with its own."""
    similar = list_similar(revision.problem, revision.statement, seen_by=seen_by)
    equal: list[Revision] = []
    different: list[Revision] = []
    withheld = untold = 0
    for other in similar:
        if not may_be_told_answer(seen_by, other.problem):
            withheld += 1
            continue
        is_equal = are_equal(revision.reference, other.reference)
        if is_equal is None:
            untold += 1
        else:
            (equal if is_equal else different).append(other)
    return SimilarCount(len(similar), equal, different, withheld, untold)


def are_equal(before: Reference, after: Reference) -> bool | None:
    """Whether two reference answers are one expression to the grader; None if it can't tell."""
    is_same = before.answer.strip() == after.answer.strip()
    if is_same and replace(before, statement="") == replace(after, statement=""):
        return True
    try:
        judgement = sandbox.run(
            grade,
            after.answer,
            before.answer,
            declared=before.question,
            deadline=settings.READING_DEADLINE_SECONDS,
        )
    except (JudgeError, Undeclarable, sandbox.Stopped):
        return None
    if judgement.verdict is Verdict.UNREADABLE:
        return None
    return judgement.verdict is Verdict.CORRECT
