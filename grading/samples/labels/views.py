"""Labels from files: bring one, see what each row would do, take it."""

from collections import Counter

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grading.samples.labels import actions as labels
from grading.samples.labels.actions import Outcome, Planned
from grading.samples.labels.forms import LabelForm
from grading.samples.labels.models import LabelFile
from grading.samples.labels.permissions import can_take_labels, list_label_files
from phybench.files.problem_files import Refused
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench.work import budgets

A_PAGE = 50
FILES: list[Column[LabelFile]] = [
    Column("file", gettext_lazy("File"), by("file_name")),
    Column("by", gettext_lazy("Uploaded by"), by("brought_by__display_name")),
    Column("when", gettext_lazy("Uploaded"), by("created_at")),
    Column("labels", gettext_lazy("Labels accepted"), by("count"), is_number=True),
]
ROWS: list[Column[Planned]] = [
    Column("row", gettext_lazy("Row"), value=lambda one: one.label.row, is_number=True),
    Column("line", value=lambda one: one.label.line),
    Column("outcome", value=lambda one: one.outcome),
    Column("why", value=lambda one: one.message),
    Column("attempt", gettext_lazy("Answer"), value=lambda one: one.attempt or one.label.attempt),
    Column("id", value=lambda one: one.label.id),
    Column("model", value=lambda one: one.label.model),
    Column("label", gettext_lazy("Label"), value=lambda one: one.label.choice),
    Column("labeller", gettext_lazy("By"), value=lambda one: one.label.labeller),
    Column("becomes", gettext_lazy("Outcome")),
]


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def label_files(request: MemberRequest) -> HttpResponse:
    form = LabelForm()
    if request.method == "POST":
        form = LabelForm(request.POST, request.FILES)
        if form.is_valid() and (file := _bring(request, form)):
            return redirect(file)
    found = list_label_files(request.user).annotate(count=Count("labels"))
    listing = Listing(request, found, FILES, default="-when", a_page=A_PAGE)
    context = {**listing.describe(), "form": form}
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
    file = get_object_or_404(list_label_files(request.user), pk=pk)
    planned = labels.plan(file)
    counts = Counter(one.outcome for one in planned)
    context = {
        **_list_rows(request, planned).describe(),
        "file": file,
        "taken": file.labels.count(),
        "new": counts[Outcome.NEW],
        "rows": len(planned),
        "counts": [
            (one, one.label, counts[one])
            for one in Outcome
            if one is not (Outcome.NEW if file.taken_at else Outcome.TAKEN)
        ],
        "show": request.GET.get("show", ""),
        "may_take": file.taken_at is None and can_take_labels(request.user, file),
    }
    return render(request, "grading/label_file.html", context)


def _list_rows(request: MemberRequest, planned: list[Planned]) -> Listing[Planned]:
    show = request.GET.get("show", "")
    found = [one for one in planned if show in ("", one.outcome)]
    return Listing(request, found, ROWS, a_page=A_PAGE)


@role_required(Role.EVALUATOR)
@require_GET
def label_file_csv(request: MemberRequest, pk: int) -> HttpResponse:
    """Write what each row of a file does, or did, as they are narrowed."""
    file = get_object_or_404(list_label_files(request.user), pk=pk)
    return _list_rows(request, labels.plan(file)).write(f"labels-{file.pk}")


@role_required(Role.EVALUATOR)
@require_POST
def take_labels(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a file's labels: only who brought it can, who answers for where they come from."""
    file = get_object_or_404(list_label_files(request.user), pk=pk)
    if not can_take_labels(request.user, file):
        raise Http404
    notes = sum(len(row["note"].encode()) for row in file.rows)
    size = notes + budgets.A_ROW * len(file.rows)
    budgets.begin_work(budgets.name_person(request.user.pk), size=size)
    try:
        count = labels.take(file)
    except LabelFile.DoesNotExist:
        # Discarded at this moment.
        raise Http404 from None
    text = ngettext("%(count)d label was accepted.", "%(count)d labels were accepted.", count)
    messages.success(request, text % {"count": count})
    return redirect(file)


@role_required(Role.EVALUATOR)
@require_POST
def discard_labels(request: MemberRequest, pk: int) -> HttpResponse:
    """Forget a file that was only looked at."""
    file = get_object_or_404(list_label_files(request.user), pk=pk)
    if labels.discard(file):
        messages.success(request, _("Discarded. No label was accepted."))
        return redirect("grading:label_files")
    messages.warning(request, _("Its labels were accepted, so the file is kept."))
    return redirect(file)
