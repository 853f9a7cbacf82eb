"""The problems of a submission as an address asks for them, on its page and beside an answer."""

from typing import Any

from django.db.models import Count
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _

from grading.answers.submissions.models import Submission
from grading.submissions.results.filters import ResultFilter
from grading.submissions.results.rows import list_problems, with_score
from phybench.pages.listing import Column, Listing, by

A_PAGE = 50
COLUMNS: list[Column[Any]] = [
    Column("id", _("Problem"), by("pk")),
    # What is wrong comes first: that is what its people look for.
    Column("answers", _("Answers"), by("turn")),
    Column("read", _("Read as")),
    Column("eed", _("EED"), by("score"), is_number=True),
]


def list_results(request: HttpRequest, submission: Submission, *, most: int) -> Listing[Any]:
    """
    List the problems of a submission, narrowed and sorted.

    Args:
        most: answers that the problem has that has most of them.
    """
    problems = with_score(list_problems(submission), submission, most=most)
    filters = ResultFilter(request.GET, problems, submission, most=most)
    return Listing(request, filters.qs, COLUMNS, default="answers", filters=filters, a_page=A_PAGE)


def write_narrowed(asked: QueryDict) -> str:
    """
    Return what an address says of the list that somebody came from, as one ends: "" or "?…".

    An answer's page has it in each link, so that the next answer is the next of that list.
    """
    kept = asked.copy()
    for name in set(kept) - {*ResultFilter.base_filters, "sort"}:
        del kept[name]
    return f"?{kept.urlencode()}" if any(kept.values()) else ""


def count_most(submission: Submission) -> int:
    """Count the answers to the problem that has most of them."""
    counted = submission.attempts.order_by().values("revision__problem").annotate(Count("pk"))
    return max(counted.values_list("pk__count", flat=True), default=0)
