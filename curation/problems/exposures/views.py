"""Who was shown what, for admins."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import cast

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _

from curation.problems.exposures.filters import ExposureFilter
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from phybench.pages.csv import stream_csv
from phybench.pages.listing import Column, Listing, ListPage, Order, by_index
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User

A_PAGE = 50
NEWEST_FIRST = ("-at", "-pk")
COLUMNS: list[Column[Exposure]] = [
    Column("at", _("When"), by_index("at", "pk", begins_descending=True)),
    Column("person", _("Who"), Order(["person__display_name", "person", *NEWEST_FIRST])),
    Column(
        "problem", _("Problem"), Order(["revision__problem", "revision__number", *NEWEST_FIRST])
    ),
    Column("part", _("What")),
    Column("reason", _("Why")),
]


class Exposures(Listing[Exposure]):
    def write(self, name: str, more: Iterable[Iterable[object]] = ()) -> HttpResponse:
        header = ["at", "person", "email", "problem", "title", "revision", "part", "reason"]
        # The longest table there is leaves as it is read.
        return cast("HttpResponse", stream_csv(name, header, _write(self.rows)))


def _list(request: MemberRequest) -> Listing[Exposure]:
    found = Exposure.objects.select_related("revision__problem", "person")
    filters = ExposureFilter(request.GET, found)
    return Exposures(request, filters.qs, COLUMNS, default="-at", filters=filters, a_page=A_PAGE)


exposures = role_required(Role.ADMIN)(ListPage(_list, "curation/exposures.html", file="exposures"))


def _write(found: QuerySet[Exposure]) -> Iterator[list[object]]:
    """
    Write a row for each.

    Rows are read as they are stored: to make objects of them, texts of problems and all, takes ten
    times as long, and this is the longest table there is.
    """
    rows = found.values_list(
        "at",
        "person",
        "person__display_name",
        "person__email",
        "revision__problem",
        "revision__problem__published_id",
        "revision__problem__title",
        "revision__number",
        "part",
        "reason",
    )
    # Of the same few people and problems again and again.
    name_person = cache(lambda pk, name: str(User(pk=pk, display_name=name)))
    identify = cache(lambda pk, published: Problem(pk=pk, published_id=published).identifier)
    for at, person, name, email, problem, published, *rest in rows.iterator():
        who, what = name_person(person, name), identify(problem, published)
        yield [at.isoformat(timespec="seconds"), who, email, what, *rest]
