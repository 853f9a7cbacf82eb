"""Bring problems in from a file: hand it in, read what would happen, have it done."""

from collections import Counter
from collections.abc import Iterable, Sequence

from django.contrib import messages
from django.db import transaction
from django.db.models import BooleanField, Count, ExpressionWrapper, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.exchange import imports as running
from curation.exchange.forms import ImportForm, MissingForm
from curation.exchange.models import Import, ImportRow
from curation.exchange.permissions import can_carry_out, list_imports
from curation.exchange.tasks import IMPORTING
from curation.exchange.terms import DEFAULTS, ImportTerms
from curation.problems.benchmarks.models import Benchmark
from curation.texts.schema import BY_NAME, FIELDS
from curation.texts.workflow import NotAllowedNow
from phybench.files.problem_files import Refused
from phybench.pages.listing import Column, Listing, Tab, make_tabs
from phybench.pages.templatetags.typography import gap
from phybench.people.http import MemberRequest, role_required, saying_why_not
from phybench.people.models import Role
from phybench.work import budgets
from phybench.work.tasks import wake

Action = ImportRow.Action


COLUMNS: list[Column[Import]] = [
    Column("file", gettext_lazy("File")),
    Column("purpose", gettext_lazy("Imported as")),
    Column("at", gettext_lazy("Submitted")),
    Column("by", gettext_lazy("By")),
    Column("rows", gettext_lazy("Rows"), is_number=True),
    Column("result", gettext_lazy("Outcome")),
]


def _list_reasons(row: ImportRow) -> list[str]:
    faults = [
        f"{fault['field']}: {fault['message']}" if fault["field"] else fault["message"]
        for fault in row.faults
    ]
    return [one for one in (*faults, row.note, row.message) if one]


def _list_rules(row: ImportRow) -> Iterable[str]:
    return dict.fromkeys(fault["code"] for fault in row.faults if fault["code"])


ROW_COLUMNS: list[Column[ImportRow]] = [
    Column("row", gettext_lazy("Row"), value=lambda one: one.number, is_number=True),
    Column("line", gettext_lazy("Line"), value=lambda one: one.line, is_number=True),
    Column("id", gettext_lazy("Id"), value=lambda one: one.identifier),
    Column("title", gettext_lazy("Title"), value=lambda one: one.title),
    Column("action", gettext_lazy("What"), value=lambda one: one.action),
    Column("changes", value=lambda one: " ".join(one.changes)),
    Column("why", gettext_lazy("Why"), value=lambda one: " | ".join(_list_reasons(one))),
    Column("rules", value=lambda one: " ".join(_list_rules(one))),
    Column("result", value=lambda one: one.result),
    Column("problem", value=lambda one: one.problem and one.problem.identifier),
]


BAD_FIRST = ExpressionWrapper(Q(faults=[]), output_field=BooleanField())


@role_required(Role.CONTRIBUTOR)
@require_http_methods(["GET", "POST"])
def imports(request: MemberRequest, slug: str) -> HttpResponse:
    """Offer the form; what was imported before stands below it."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    if request.method == "POST":
        form = ImportForm(request.POST, request.FILES, user=request.user, benchmark=benchmark)
        if form.is_valid() and (made := _begin(request, form, benchmark)):
            wake(IMPORTING, [made])
            return redirect(made)
    else:
        form = ImportForm(user=request.user, benchmark=benchmark)
    past = list_imports(request.user).filter(benchmark=benchmark)
    past = past.annotate(
        problems=Count("rows"),
        done=Count("rows", filter=Q(rows__result=ImportRow.Result.DONE)),
    )
    context = {
        **Listing(request, past.order_by("-pk"), COLUMNS, a_page=50).describe(),
        "form": form,
        "field_names": FIELDS,
    }
    return render(request, "curation/imports.html", context, status=400 if form.errors else 200)


def _begin(request: MemberRequest, form: ImportForm, benchmark: Benchmark) -> Import | None:
    given = form.cleaned_data
    terms = ImportTerms(
        purpose=Import.Purpose(given["purpose"]),
        benchmark=benchmark,
        person=request.user,
        **{name: given[name] for name in DEFAULTS},
    )
    try:
        with transaction.atomic():
            made = running.begin(terms, file_name=given["file"].name, content=given["file"].read())
            # A row may say next to nothing: then what is wrong with it is kept.
            size = budgets.AN_IMPORTED_ROW * made.rows.count()
            budgets.charge(budgets.name_person(request.user.pk), size=size)
        return made
    except Refused as refused:
        form.add_error("file", str(refused))
        return None


@role_required(Role.CONTRIBUTOR)
@require_GET
def one_import(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    """Show what would come of each row, or what came of it; how far it is while it is under way."""
    transfer = get_object_or_404(list_imports(request.user), pk=pk, benchmark__slug=slug)
    counts = running.count_rows(transfer)
    show = request.GET.get("show", "")
    rows = transfer.rows.select_related("problem").order_by(BAD_FIRST, "number")
    if show in Action.values:
        rows = rows.filter(action=show)
    elif show == "TO_FIX":
        rows = rows.to_fix()
    elif show == "NOT_DONE":
        rows = rows.filter(result=ImportRow.Result.REFUSED)
    missing = running.list_missing(transfer) if counts[Action.REFUSE] else []
    context = {
        **Listing(request, rows, ROW_COLUMNS, a_page=50, tabs=_list_tabs(counts, show)).describe(),
        "transfer": transfer,
        "counts": counts,
        "looked_at": counts["ALL"] - counts["WAITING"],
        "carried_out": counts["RESULT_DONE"] + counts["RESULT_REFUSED"],
        "says": say_found(transfer, counts, missing) if transfer.planned_at else "",
        "rules": [] if transfer.is_under_way else running.count_rules(transfer),
        "is_own": can_carry_out(request.user, transfer),
        "missing": MissingForm(missing) if missing else None,
    }
    template = "curation/import.html#state" if request.htmx else "curation/import.html"
    return render(request, template, context)


def _list_tabs(counts: Counter[str], show: str) -> list[Tab]:
    """Name the choices above the table, each with how many rows it shows."""
    choices = [
        ("", _("all"), counts["ALL"]),
        *((one.value, str(one.label), counts[one]) for one in Action if counts[one]),
        ("TO_FIX", _("something to fix"), counts["TO_FIX"]),
        ("NOT_DONE", _("not carried out"), counts["RESULT_REFUSED"]),
    ]
    labels = [(name, f"{label} {count}") for name, label, count in choices if count or not name]
    return make_tabs(labels, show)


def say_found(transfer: Import, counts: Counter[str], missing: Sequence[str]) -> str:
    """Say in a sentence or two what was found in a file, and what can come of it."""
    every, to_do, to_fix = counts["ALL"], counts["TO_DO"], counts["TO_FIX"]
    found = ngettext("One problem found.", "%(count)d problems found.", every) % {"count": every}
    if counts[Action.NOTHING] == every:
        rest = _("Nothing to do: each is here already, the same as in the file.")
    elif counts[Action.REFUSE] == every:
        rest = _("Nothing can be imported yet: %(why)s") % {"why": _say_what_stops(missing)}
    else:
        drafts = transfer.purpose == Import.Purpose.DRAFTS
        here, refused = counts[Action.NOTHING], counts[Action.REFUSE]
        clauses = [
            (to_do - to_fix, ngettext("%(count)d is ready", "%(count)d are ready", to_do - to_fix)),
            (to_fix if drafts else 0, ngettext(
                "%(count)d becomes a draft with something to fix",
                "%(count)d become drafts with something to fix", to_fix)),
            (0 if drafts else to_fix, ngettext(
                "%(count)d breaks rules and is flagged",
                "%(count)d break rules and are flagged", to_fix)),
            (here, ngettext("%(count)d is here already", "%(count)d are here already", here)),
            (refused, _("%(count)d can’t be imported")),
        ]  # fmt: skip
        said = [text % {"count": count} for count, text in clauses if count]
        rest = _("%(clauses)s.") % {"clauses": _(", ").join(said)}
    return f"{found}{gap()}{rest}"


def _say_what_stops(missing: Sequence[str]) -> str:
    """Name what is missing; else send to the rows."""
    for name in missing:
        return _("the %(field)s is missing.") % {"field": BY_NAME[name].in_files}
    return _("each row says why.")


@role_required(Role.CONTRIBUTOR)
@require_GET
def import_csv(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    """Write the plan, and what came of it, without what is to be written."""
    transfer = get_object_or_404(list_imports(request.user), pk=pk, benchmark__slug=slug)
    rows = transfer.rows.select_related("problem").order_by("number")
    return Listing(request, rows, ROW_COLUMNS).write(f"import-{transfer.pk}")


def _get_own(request: MemberRequest, slug: str, pk: int) -> Import:
    found = Import.objects.select_related("benchmark")
    transfer = get_object_or_404(found, pk=pk, benchmark__slug=slug)
    if not can_carry_out(request.user, transfer):
        raise Http404
    return transfer


@role_required(Role.CONTRIBUTOR)
@require_POST
def fill_in_import(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    """Say for all rows what some do not say; the file is read already."""
    transfer = _get_own(request, slug, pk)
    form = MissingForm(running.list_missing(transfer), request.POST)
    if not form.is_valid():
        messages.warning(request, _("Choose what the rows do not say."))
        return redirect(transfer)
    with saying_why_not(request, NotAllowedNow, messages.WARNING):
        wake(IMPORTING, [running.fill_in(transfer, form.cleaned_data)])
    return redirect(transfer)


@role_required(Role.CONTRIBUTOR)
@require_POST
def carry_out_import(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    transfer = _get_own(request, slug, pk)
    is_new = transfer.ordered_at is None
    try:
        with transaction.atomic():
            transfer = running.order(transfer)
            if is_new:
                who = budgets.name_person(request.user.pk)
                budgets.begin_work(who, size=running.measure(transfer))
    except Import.DoesNotExist:
        # Discarded at this moment.
        raise Http404 from None
    except NotAllowedNow as refusal:
        messages.warning(request, str(refusal))
    else:
        if is_new:
            wake(IMPORTING, [transfer])
    return redirect(transfer)


@role_required(Role.CONTRIBUTOR)
@require_POST
def discard_import(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    transfer = _get_own(request, slug, pk)
    with saying_why_not(request, NotAllowedNow, messages.WARNING):
        running.discard(transfer)
        text = _("“%(file)s” is deleted. Nothing was kept.")
        messages.success(request, text % {"file": transfer.file_name})
        return redirect("curation:imports", slug)
    return redirect(transfer)
