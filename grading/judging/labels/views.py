"""Labels from files: bring one, see what each row would do, take it."""

from collections import Counter
from collections.abc import Iterator

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.exchange.files import Refused
from grading import permissions
from grading.judging.labels import actions as labels
from grading.judging.labels.actions import Outcome, Planned
from grading.judging.labels.files import FIELDS
from grading.judging.labels.forms import LabelForm
from grading.judging.labels.models import LabelFile
from phybench.csv import csv_response
from phybench.http import MemberRequest, role_required
from phybench.models import Role
from phybench.sorting import read_sorting

A_PAGE = 50
OUTCOMES = {
    Outcome.NEW: gettext_lazy("new"),
    Outcome.TAKEN: gettext_lazy("taken"),
    Outcome.SAME: gettext_lazy("there already"),
    Outcome.REFUSED: gettext_lazy("left out"),
}


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def label_files(request: MemberRequest) -> HttpResponse:
    form = LabelForm()
    if request.method == "POST":
        form = LabelForm(request.POST, request.FILES)
        if form.is_valid() and (file := _bring(request, form)):
            return redirect(file)
    columns = {
        "file": (_("File"), "file_name"),
        "by": (_("Brought by"), "brought_by__display_name"),
        "when": (_("Brought"), "created_at"),
        "labels": (_("Labels taken"), "count"),
    }
    sorting = read_sorting(request, columns, "-when")
    found = (
        permissions.list_label_files(request.user)
        .annotate(count=Count("labels"))
        .order_by(*sorting.order)
    )
    context = {
        "form": form,
        "fields": FIELDS,
        "page": Paginator(found, A_PAGE).get_page(request.GET.get("page")),
        "columns": sorting.columns,
        "numbers": {"labels"},
    }
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/label_files.html", context, status=status)


def _bring(request: MemberRequest, form: LabelForm) -> LabelFile | None:
    file = form.cleaned_data["file"]
    try:
        return labels.bring(
            by=request.user,
            file_name=file.name,
            content=file.read(),
            origin=form.cleaned_data["origin"],
        )
    except Refused as refused:
        form.add_error("file", str(refused))
        return None


@role_required(Role.EVALUATOR)
@require_GET
def label_file(request: MemberRequest, pk: int) -> HttpResponse:
    file = get_object_or_404(permissions.list_label_files(request.user), pk=pk)
    planned = labels.plan(file)
    counts = Counter(one.outcome for one in planned)
    context = {
        "file": file,
        "taken": file.labels.count(),
        "new": counts[Outcome.NEW],
        "rows": len(planned),
        "counts": [
            (one, words, counts[one])
            for one, words in OUTCOMES.items()
            if one is not (Outcome.NEW if file.taken_at else Outcome.TAKEN)
        ],
        "show": request.GET.get("show", ""),
        "page": Paginator(_narrow(request, planned), A_PAGE).get_page(request.GET.get("page")),
        "may_take": file.taken_at is None and permissions.can_take_labels(request.user, file),
    }
    return render(request, "grading/label_file.html", context)


def _narrow(request: MemberRequest, planned: list[Planned]) -> list[Planned]:
    show = request.GET.get("show", "")
    return [one for one in planned if show in ("", one.outcome)]


@role_required(Role.EVALUATOR)
@require_GET
def label_file_csv(request: MemberRequest, pk: int) -> HttpResponse:
    """Write what each row of a file does, or did, as they are filtered."""
    file = get_object_or_404(permissions.list_label_files(request.user), pk=pk)
    header = ["row", "line", "outcome", "why", "attempt", "id", "model", "label", "labeller"]
    return csv_response(f"labels-{file.pk}", header, _write(_narrow(request, labels.plan(file))))


def _write(planned: list[Planned]) -> Iterator[list[object]]:
    for one in planned:
        label = one.label
        yield [
            label.row,
            label.line,
            one.outcome,
            one.message,
            one.attempt or label.attempt,
            label.id,
            label.model,
            label.choice,
            label.labeller,
        ]


@role_required(Role.EVALUATOR)
@require_POST
def take_labels(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a file's labels: only who brought it can, who answers for where they come from."""
    file = get_object_or_404(permissions.list_label_files(request.user), pk=pk)
    if not permissions.can_take_labels(request.user, file):
        raise Http404
    count = labels.take(file)
    text = ngettext("%(count)d label is taken.", "%(count)d labels are taken.", count)
    messages.success(request, text % {"count": count})
    return redirect(file)


@role_required(Role.EVALUATOR)
@require_POST
def discard_labels(request: MemberRequest, pk: int) -> HttpResponse:
    """Forget a file that was only looked at."""
    file = get_object_or_404(permissions.list_label_files(request.user), pk=pk)
    if labels.discard(file):
        messages.success(request, _("Forgotten: nothing of it was taken."))
        return redirect("grading:label_files")
    messages.warning(request, _("Its labels were taken, so it stays."))
    return redirect(file)
