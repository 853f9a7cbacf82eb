"""Count rows that wait for somebody, and say so in a line of their desk."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Min, QuerySet

from phybench.news.desks.lines import Line, Urgency

Counted = Any
"""What `ngettext_lazy(…, "count")` returns."""


def count_line(
    rows: QuerySet[Any, Any],
    since: str,
    urgency: Urgency,
    text: Counted,
    action: Counted,
    url: str,
) -> Iterator[Line]:
    """
    Tell how many rows wait and since when the first does, in one query; nothing where none do.

    Args:
        since: the field, or what is annotated, that says since when a row waits.
        action: as `text`, or the same for any number.
    """
    found = rows.order_by().aggregate(desk_count=Count("pk", distinct=True), desk_since=Min(since))
    if count := found["desk_count"]:
        named = {"count": count}
        yield Line(urgency, text % named, str(action % named), url, count, found["desk_since"])
