"""An admin sees what people of a study see; nothing is kept but that they saw the statements."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET, require_POST

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.typed_answers import show_reading
from grading.studies.models import Study, StudyItem
from grading.studies.sessions import practice
from grading.studies.sessions.assigning import Candidate, choose
from grading.studies.sessions.forms import JoinForm, PracticeForm
from grading.studies.sessions.models import SessionItem
from grading.studies.sessions.session_views import LONGEST_READ, SIGNS
from grading.studies.views import find
from phybench.people.http import MemberRequest, few_at_once, role_required
from phybench.people.models import Role
from phybench_grader.statement.response import find_answer

SEED = 1
"""A preview is the same each time."""


@role_required(Role.ADMIN)
@require_GET
def preview_join(request: MemberRequest, pk: int) -> HttpResponse:
    study = find(pk)
    context = {"study": study, "form": JoinForm(study), "is_preview": True}
    return render(request, "grading/join.html", context)


@role_required(Role.ADMIN)
@require_GET
def preview_practice(request: MemberRequest, pk: int) -> HttpResponse:
    context = {
        "study": find(pk),
        "form": PracticeForm(),
        "practice": practice,
        "statement": str(practice.STATEMENT),
        "is_preview": True,
    }
    return render(request, "grading/practise.html", context)


@role_required(Role.ADMIN)
@require_GET
def preview_session(request: MemberRequest, pk: int) -> HttpResponse:
    study = find(pk)
    items = [
        SessionItem(place=place, study_item=one) for place, one in enumerate(_assign(study), 1)
    ]
    revisions = [one.study_item.item.revision for one in items]
    ledger.record(request.user, Reason.READ, *revisions)
    context = {
        "study": study,
        "items": [(one, {"answer": "", "notes": ""}) for one in items],
        "signs": SIGNS,
        "state": {"numbers": {}},
        "is_preview": True,
    }
    return render(request, "grading/session.html", context)


def _assign(study: Study) -> list[StudyItem]:
    """Assign problems as to somebody who knows none of them."""
    rows = study.items.values_list("pk", "item__problem__domain", "item__problem__difficulty")
    pool = [Candidate(pk, domain, level, 0) for pk, domain, level in rows]
    chosen = choose(pool, study.problems, SEED)
    found = study.items.select_related("study", "item__revision__problem").in_bulk(chosen)
    return [found[pk] for pk in chosen]


@role_required(Role.ADMIN)
@require_POST
@few_at_once
def read_in_preview(request: MemberRequest, pk: int) -> HttpResponse:
    """Show how an answer to this problem of a pool is read while it is typed."""
    items = StudyItem.objects.select_related("item__revision__problem")
    item = get_object_or_404(items, pk=pk)
    text = request.POST.get("response", "")[:LONGEST_READ]
    context = show_reading(find_answer(text), item.item.revision)
    return render(request, "_read_as.html", context)
