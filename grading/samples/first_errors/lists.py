"""The list of samples, and the files: of the list, of a sample's shares, and of its labels."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Case, Count, F, Q, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from grading.samples.first_errors.figures import ErrorRow, list_solvers, make_table, name_solvers
from grading.samples.first_errors.models import FirstErrorItem, FirstErrorLabel, FirstErrorSample
from grading.samples.first_errors.permissions import list_first_errors
from grading.samples.labelling.permissions import draws_samples
from phybench.pages.csv import csv_response
from phybench.pages.kept import for_everybody
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User
from phybench_grader.statistics.shares import Share

# Of any rows: what `list_samples` adds, no type knows.
COLUMNS: list[Column[Any]] = [
    Column("sample", _("Sample of"), by("version__benchmark__name", "version__number")),
    Column("id", value=lambda one: one.pk),
    Column("benchmark", value=lambda one: one.version.benchmark.slug),
    Column("version", value=lambda one: one.version.number),
    Column("grader", value=lambda one: one.grader_version),
    Column("drawn", _("Drawn"), by("drawn_at", begins_descending=True)),
    Column("drawn_at", value=lambda one: one.drawn_at.isoformat()),
    Column("solvers", _("Solvers"), by("chosen"), lambda one: one.chosen, is_number=True),
    Column("problems", _("Problems"), by("problems"), lambda one: one.problems, is_number=True),
    Column("settled", _("Decided"), value=lambda one: one.told_settled, is_number=True),
    Column("answers", value=lambda one: one.answers),
    Column("state", _("Status"), value=lambda one: one.state),
    Column("seed", value=lambda one: one.seed),
    Column("why", value=lambda one: one.why),
    Column("why_ended", value=lambda one: one.why_ended),
]


def list_samples() -> QuerySet[FirstErrorSample]:
    """
    Add how many solvers, problems and answers each sample has, and how many are settled.

    What is settled rises where two labels agree, so it is told once a sample is open no more.
    """
    over = Q(completed_at__isnull=False) | Q(ended_at__isnull=False)
    found = FirstErrorSample.objects.listed().annotate(
        chosen=Count("items__solver", distinct=True),
        problems=Count("items__revision", distinct=True),
        answers=Count("items"),
        settled=Count("items", filter=~Q(items__outcome="")),
    )
    return found.annotate(told_settled=Case(When(over, then=F("settled"))))


def _list(request: HttpRequest) -> Listing[Any]:
    return Listing(request, list_samples(), COLUMNS, default="-drawn")


@for_everybody
def first_errors(request: HttpRequest) -> HttpResponse:
    draws = isinstance(request.user, User) and draws_samples(request.user)
    return render(
        request, "grading/first_errors.html", {**_list(request).describe(), "draws": draws}
    )


@for_everybody
def first_errors_csv(request: HttpRequest) -> HttpResponse:
    return _list(request).write("first-error-samples")


# --- One sample -----------------------------------------------------------------------------


@for_everybody
def first_error_sample_csv(request: HttpRequest, pk: int) -> HttpResponse:
    """Write the table of a complete sample; of another only whose answers it asks about."""
    sample = get_object_or_404(FirstErrorSample.objects.listed(), pk=pk)
    table = make_table(sample, "all")
    name = f"first-errors-{sample.pk}"
    if table is None:
        names = name_solvers(list_solvers(sample))
        return csv_response(name, ["solver"], ([one] for one in names.values()))
    header = ["solver", "organisation", "submission", "accuracy", "accuracy_low", "accuracy_high"]
    header += ["problems", "labelled", "errors", "no_error", "key_wrong", "cant_tell"]
    for part, _share in table.pooled.shares:
        header += [part, f"{part}_low", f"{part}_high", f"{part}_n", f"{part}_of"]
    return csv_response(name, header, (_write(one) for one in [*table.rows, table.pooled]))


def _write(row: ErrorRow) -> list[object]:
    solver = row.solver
    line: list[object] = [row.name, "", "", "", "", "", ""]
    if solver is not None:
        line = [
            row.name,
            str(solver.submission.solver.organisation),
            solver.submission.number,
            *(_round(one) for one in (solver.accuracy, solver.accuracy_low, solver.accuracy_high)),
            solver.problems,
        ]
    line += [row.labelled, row.errors, row.no_error, row.key_wrong, row.cant_tell]
    for _name, share in row.shares:
        line += _write_share(share)
    return line


def _write_share(share: Share) -> list[object]:
    return [*(_round(one) for one in (share.value, share.low, share.high)), share.part, share.whole]


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


@role_required(Role.ADMIN)
@require_GET
def first_error_labels_csv(request: MemberRequest, pk: int) -> HttpResponse:
    """
    Write every label that stands, and what each answer came to.

    Of a sample that is not complete only what it asks about: admins label, too.
    """
    sample = get_object_or_404(list_first_errors(request.user), pk=pk)
    name = f"first-error-labels-{sample.pk}"
    items = list(
        sample.items.select_related(
            "revision__problem", "adjudication__person", "solver__submission__solver"
        )
    )
    if sample.state != sample.State.COMPLETE:
        rows = ([one.place, one.revision.problem.identifier] for one in items)
        return csv_response(name, ["place", "problem"], rows)
    labels: dict[int, list[FirstErrorLabel]] = {}
    standing = FirstErrorLabel.objects.standing().filter(item__sample=sample)
    for one in standing.select_related("person").order_by("number"):
        labels.setdefault(one.item_id, []).append(one)
    header = ["place", "problem", "solver", "attempt", "outcome", "labeller", "label", "passage"]
    header += ["start", "comment", "labelled_at", "adjudicator", "adjudicated", "passage_settled"]
    header += ["start_settled", "reason"]
    # What people say of an answer tells as much as what the grader says.
    ledger.write_verdicts(request.user, Reason.FIRST_ERROR, (one.revision_id for one in items))
    return csv_response(
        name, header, (line for item in items for line in _write_labels(item, labels[item.pk]))
    )


def _write_labels(item: FirstErrorItem, labels: list[FirstErrorLabel]) -> Iterator[list[object]]:
    own = [
        item.place,
        item.revision.problem.identifier,
        str(item.solver.submission.solver),
        item.attempt_id,
        item.outcome,
    ]
    end: list[object] = ["", "", "", "", ""]
    if settled := getattr(item, "adjudication", None):
        end = [
            str(settled.person),
            settled.choice,
            settled.passage,
            settled.start,
            settled.reason,
        ]
    for one in labels:
        given = [str(one.person), one.choice, one.passage, one.start, one.comment]
        yield [*own, *given, one.given_at.isoformat(), *end]
