"""Who was shown what, for admins."""

from collections.abc import Iterator
from functools import cache

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from curation.exposures.forms import ExposureFilterForm
from curation.exposures.models import Exposure
from curation.problems.models import Problem
from phybench.csv import stream_csv
from phybench.http import MemberRequest, role_required
from phybench.models import Role, User

A_PAGE = 50
SORTS = {
    "at": ["at", "pk"],
    "-at": ["-at", "-pk"],
    "person": ["person__display_name", "person", "-at", "-pk"],
    "problem": ["revision__problem", "revision__number", "-at", "-pk"],
}


def _list(request: MemberRequest, form: ExposureFilterForm) -> QuerySet[Exposure]:
    form.full_clean()
    order = SORTS.get(request.GET.get("sort", ""), SORTS["-at"])
    return form.narrow(Exposure.objects.all()).order_by(*order)


@role_required(Role.ADMIN)
@require_GET
def exposures(request: MemberRequest) -> HttpResponse:
    form = ExposureFilterForm(request.GET)
    found = _list(request, form).select_related("revision__problem", "person")
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    sort = request.GET.get("sort", "")
    context = {"form": form, "page": page, "sort": sort if sort in SORTS else "-at"}
    return render(request, "curation/exposures.html", context)


@role_required(Role.ADMIN)
@require_GET
def exposures_csv(request: MemberRequest) -> StreamingHttpResponse:
    header = ["at", "person", "email", "problem", "title", "revision", "part", "reason"]
    return stream_csv("exposures", header, _write(_list(request, ExposureFilterForm(request.GET))))


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
