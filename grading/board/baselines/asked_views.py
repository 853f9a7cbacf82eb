"""The page of what people saw beside what models are sent."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from grading.board.baselines.asked import count_kinds
from grading.board.baselines.comparing import (
    Beside,
    compare,
    find_words,
    list_conditions,
    list_pool,
    name_kind,
    name_kinds,
)
from grading.studies.models import Study
from grading.studies.views import find
from phybench.pages.csv import csv_response
from phybench.pages.listing import Listing
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

A_PAGE = 10


@role_required(Role.ADMIN)
@require_GET
def study_asked(request: MemberRequest, pk: int) -> HttpResponse:
    study = find(pk)
    words = find_words(study)
    found = [compare(one, words) for one in list_pool(study)]
    listing: Listing[Beside] = Listing(request, found, a_page=A_PAGE)
    described = listing.describe()
    shown: list[Beside] = list(described["page"])
    ledger.record(request.user, Reason.READ, *(one.item.item.revision for one in shown))
    context: dict[str, Any] = {
        **described,
        "study": study,
        "words": words,
        "conditions": list_conditions(study),
        "counts": [
            (name_kind(kind), count)
            for kind, count in count_kinds([one.differences for one in found]).items()
        ],
        "shown": [(one, name_kinds(one.differences.kinds)) for one in shown],
    }
    return render(request, "grading/study_asked.html", context)


@role_required(Role.ADMIN)
@require_GET
def study_asked_csv(request: MemberRequest, pk: int) -> HttpResponse:
    """Write how the two differ for each problem, without a word of it."""
    study = find(pk)
    header = ["problem", "language_of_people", "language_of_models", "differs_in"]
    header += ["lines_only_people_see", "lines_only_models_are_sent"]
    return csv_response(f"study-{study.pk}-asked", header, _list_lines(study))


def _list_lines(study: Study) -> Iterator[list[object]]:
    words = find_words(study)
    for item in list_pool(study):
        one = compare(item, words)
        yield [
            item.item.identifier,
            one.people.language,
            one.models.language,
            " ".join(one.differences.kinds),
            len(one.differences.only_people),
            len(one.differences.only_models),
        ]
