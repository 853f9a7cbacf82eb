"""Who was shown what, for admins."""

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from curation.models import Exposure
from curation.report_forms import ExposureFilterForm
from phybench.csv import csv_response
from phybench.http import MemberRequest, role_required
from phybench.models import Role

A_PAGE = 50
SORTS = {
    "at": ["at", "pk"],
    "-at": ["-at", "-pk"],
    "person": ["person__display_name", "person", "-at", "-pk"],
    "problem": ["revision__problem", "revision__number", "-at", "-pk"],
}


def _list(request: MemberRequest, form: ExposureFilterForm) -> QuerySet[Exposure]:
    form.full_clean()
    found = Exposure.objects.select_related("revision__problem", "person")
    order = SORTS.get(request.GET.get("sort", ""), SORTS["-at"])
    return form.narrow(found).order_by(*order)


@role_required(Role.ADMIN)
@require_GET
def exposures(request: MemberRequest) -> HttpResponse:
    form = ExposureFilterForm(request.GET)
    page = Paginator(_list(request, form), A_PAGE).get_page(request.GET.get("page"))
    sort = request.GET.get("sort", "")
    context = {"form": form, "page": page, "sort": sort if sort in SORTS else "-at"}
    return render(request, "curation/exposures.html", context)


@role_required(Role.ADMIN)
@require_GET
def exposures_csv(request: MemberRequest) -> HttpResponse:
    header = ["at", "person", "email", "problem", "title", "revision", "part", "reason"]
    rows = (
        [
            one.at.isoformat(timespec="seconds"),
            str(one.person),
            one.person.email,
            one.revision.problem.identifier,
            one.revision.problem.title,
            one.revision.number,
            one.part,
            one.reason,
        ]
        for one in _list(request, ExposureFilterForm(request.GET)).iterator()
    )
    return csv_response("exposures", header, rows)
