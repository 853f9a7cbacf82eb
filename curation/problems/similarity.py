"""Find problems whose statement is like another's, so that none is written twice."""

from django.contrib.postgres.search import TrigramSimilarity
from django.db import connection, transaction
from django.db.models import Case, F, FloatField, Value, When

from curation import permissions
from curation.problems.models import Problem, Revision
from phybench.models import User

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

    Those of the same domain are listed from `LIKE` on, and before others that are as similar.

    Only what `seen_by` may read is compared: an answer must not tell what is in others' drafts.
    """
    handicap = Case(
        When(problem__domain=problem.domain, then=Value(0.0)),
        default=Value(-OTHER_DOMAIN),
        output_field=FloatField(),
    )
    newest = Revision.objects.current().filter(problem__in=permissions.list_visible(seen_by))
    found = (
        # By the index; what ranks from `LIKE` on is at least as similar.
        newest.filter(statement__trigram_similar=statement)
        .exclude(problem=problem)
        .annotate(similarity=TrigramSimilarity("statement", statement))
        .annotate(rank=F("similarity") + handicap)
        .filter(rank__gte=LIKE)
        .select_related("problem")
        .order_by("-rank", "pk")
    )
    with transaction.atomic(), connection.cursor() as cursor:
        # From where on the index finds a text; for this transaction only.
        cursor.execute("SELECT set_config('pg_trgm.similarity_threshold', %s, true)", [str(LIKE)])
        return list(found[:MOST])
