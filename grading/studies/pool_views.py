"""An admin chooses which problems of its version a study asks."""

from collections import Counter
from typing import Any

from django.contrib import messages
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_POST

from curation.problems.models import Difficulty, PhysicsField
from curation.problems.translations.models import Translation
from curation.texts.workflow import NotAllowedNow
from curation.versions.models import VersionItem
from grading.studies import actions
from grading.studies.models import Study, StudyItem
from grading.studies.views import find
from phybench.pages.listing import Column, ListFilter, Listing, by, choice
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

A_PAGE = 50
IN, OUT = "in", "out"


class PoolFilter(ListFilter):
    domain = choice(gettext_lazy("Domain"), PhysicsField.choices, "problem__domain")
    difficulty = choice(gettext_lazy("Difficulty"), Difficulty.choices, "problem__difficulty")
    pool = choice(
        gettext_lazy("Pool"),
        [(IN, gettext_lazy("in the pool")), (OUT, gettext_lazy("not in the pool"))],
        method="keep_pool",
    )

    def keep_pool(self, rows: QuerySet[Any], _name: str, value: str) -> QuerySet[Any]:
        return rows.filter(is_chosen=value == IN)


COLUMNS: list[Column[Any]] = [
    Column("problem", gettext_lazy("Problem"), by("identifier"), lambda one: one.identifier),
    Column("domain", gettext_lazy("Domain"), by("problem__domain"), lambda one: one.problem.domain),
    Column(
        "difficulty",
        gettext_lazy("Difficulty"),
        by("problem__difficulty"),
        lambda one: one.problem.difficulty,
    ),
    Column(
        "sat",
        gettext_lazy("Sat by"),
        by("sat", begins_descending=True),
        lambda one: one.sat,
        is_number=True,
    ),
    Column("pool", gettext_lazy("Pool"), by("is_chosen"), lambda one: int(one.is_chosen)),
]


def _list_items(study: Study) -> QuerySet[VersionItem]:
    """List the problems of a study's version that it may ask, each with whether it does."""
    chosen = StudyItem.objects.filter(study=study, item=OuterRef("pk"))
    sat = chosen.order_by().annotate(count=Count("sat"))
    worded = Translation.objects.checked().filter(
        revision=OuterRef("revision"), language=study.language
    )
    return (
        study.version.items.public()
        .standing()
        .select_related("problem", "revision")
        .annotate(
            is_chosen=Exists(chosen),
            sat=Coalesce(Subquery(sat.values("count")[:1]), 0),
            is_worded=Exists(worded) | Q(problem__language=study.language),
        )
        .order_by("pk")
    )


def _narrow(request: MemberRequest, study: Study) -> PoolFilter:
    return PoolFilter(request.GET, _list_items(study))


@role_required(Role.ADMIN)
@require_GET
def study_pool(request: MemberRequest, pk: int) -> HttpResponse:
    study = find(pk)
    filters = _narrow(request, study)
    listing = Listing(request, filters.qs, COLUMNS, filters=filters, a_page=A_PAGE)
    chosen = study.items.values_list("item__problem__domain", "item__problem__difficulty")
    domains = Counter(domain for domain, _level in chosen)
    levels = Counter(level for _domain, level in chosen)
    context = {
        **listing.describe(),
        "study": study,
        "is_fixed": study.is_frozen or study.state == Study.State.ENDED,
        "matching": listing.rows.count(),
        "count": sum(domains.values()),
        "domains": [(label, domains[one]) for one, label in PhysicsField.choices if domains[one]],
        "levels": [(label, levels[one]) for one, label in Difficulty.choices if levels[one]],
    }
    return render(request, "grading/study_pool.html", context)


@role_required(Role.ADMIN)
@require_GET
def study_pool_csv(request: MemberRequest, pk: int) -> HttpResponse:
    study = find(pk)
    return Listing(request, _narrow(request, study).qs, COLUMNS).write(f"study-{pk}-pool")


@role_required(Role.ADMIN)
@require_POST
def change_pool(request: MemberRequest, pk: int) -> HttpResponse:
    """Take the ticked problems, or all that the filter leaves, into the pool or out of it."""
    study = find(pk)
    rows = _narrow(request, study).qs
    if "all" not in request.POST:
        ticked = [one for one in request.POST.getlist("item") if one.isdecimal()]
        rows = rows.filter(pk__in=ticked)
    if request.POST.get("do") not in ("add", "remove"):
        return HttpResponseBadRequest()
    is_in = request.POST["do"] == "add"
    try:
        changed = actions.change_pool(study=study, by=request.user, items=rows, is_in=is_in)
    except NotAllowedNow as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _say(changed, is_in=is_in))
    query = request.GET.urlencode()
    return redirect(reverse("grading:study_pool", args=[pk]) + (f"?{query}" if query else ""))


def _say(changed: int, *, is_in: bool) -> str:
    if not changed:
        return _("Nothing changed: tick problems first.")
    if is_in:
        said = ngettext("One problem is added.", "%(count)d problems are added.", changed)
    else:
        said = ngettext("One problem is removed.", "%(count)d problems are removed.", changed)
    return said % {"count": changed}
