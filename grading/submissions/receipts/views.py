"""The receipt of a submission: a page that says what it proves, and its files."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from grading.answers.permissions import list_receipted, list_submissions, sees_answers_of
from grading.answers.submissions.models import Submission
from grading.submissions.receipts.making import make_receipt
from grading.submissions.receipts.receipt import Receipt
from grading.submissions.receipts.shown import list_columns, list_reasons, list_rows
from grading.submissions.results.exposing import record_verdicts
from phybench.pages.kept import for_everybody
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User


@for_everybody
def receipt(request: HttpRequest, pk: int) -> HttpResponse:
    viewer, found = _find(request, pk)
    sees_answers = sees_answers_of(viewer, found)
    made = make_receipt(found, kind="public")
    columns = list_columns(made)
    context = {
        "submission": found,
        "receipt": made,
        "sees_answers": sees_answers,
        "columns": columns,
        "rows": list_rows(columns),
        "by_reason": list_reasons(made),
    }
    page = render(request, "grading/receipt.html", context)
    _record(viewer, found)
    return page


@for_everybody
def receipt_json(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the public receipt: every figure, and no single answer."""
    viewer, found = _find(request, pk)
    answer = _write(make_receipt(found, kind="public"))
    _record(viewer, found)
    return answer


@role_required(Role.EVALUATOR)
@require_GET
def full_receipt_json(request: MemberRequest, pk: int) -> HttpResponse:
    """Give the receipt with single answers to those who see them anyway."""
    found = get_object_or_404(list_submissions(request.user), pk=pk)
    answer = _write(make_receipt(found, kind="full"))
    record_verdicts(request.user, found)
    return answer


def _find(request: HttpRequest, pk: int) -> tuple[User | None, Submission]:
    viewer = request.user if isinstance(request.user, User) else None
    return viewer, get_object_or_404(list_receipted(viewer), pk=pk)


def _record(viewer: User | None, found: Submission) -> None:
    """Write down who is told figures that are not on the board; those are everybody's."""
    is_shown = found.published_at is not None and found.withdrawn_at is None
    if viewer and not is_shown:
        record_verdicts(viewer, found)


def _write(made: Receipt) -> HttpResponse:
    response = HttpResponse(made.write(), content_type="application/json")
    name = f"receipt-{made.submission.id}" + ("-full" if made.kind == "full" else "")
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response
