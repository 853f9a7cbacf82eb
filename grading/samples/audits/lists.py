"""The list of samples, and the files: of the list, and of one sample's labels."""

from typing import Any

from django.db.models import Case, Count, F, Q, QuerySet, When
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from grading.samples.audits.models import AuditItem, AuditLabel, AuditSample
from grading.samples.audits.permissions import list_audits
from grading.samples.labelling.permissions import draws_samples
from phybench.pages.csv import csv_response
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User

# Of any rows: what `list_with_progress` adds, no type knows.
COLUMNS: list[Column[Any]] = [
    Column("sample", _("Sample of"), by("version__benchmark__name", "version__number")),
    Column("id", value=lambda one: one.pk),
    Column("benchmark", value=lambda one: one.version.benchmark.slug),
    Column("version", value=lambda one: one.version.number),
    Column("grader", _("Grader"), by("grader_version"), lambda one: one.grader_version),
    Column("drawn", _("Drawn"), by("drawn_at", begins_descending=True)),
    Column("drawn_at", value=lambda one: one.drawn_at.isoformat()),
    Column("settled", _("Decided"), value=lambda one: one.told_settled, is_number=True),
    Column("answers", value=lambda one: one.told_answers),
    Column("state", _("Status"), value=lambda one: one.state),
    Column("why", value=lambda one: one.why),
    Column("why_ended", value=lambda one: one.why_ended),
]


def list_with_progress(user: User) -> QuerySet[AuditSample]:
    """
    Add how many answers each sample has, and how many are settled.

    Others than admins are told of complete samples alone, as on the board: a count of their own
    beside that one would tell how many are hidden. What is settled rises where two labels agree,
    so it is told to nobody while the sample is open.
    """
    complete = Q(completed_at__isnull=False)
    ended = complete | Q(ended_at__isnull=False)
    draws = draws_samples(user)
    found = list_audits(user).annotate(
        answers=Count("items"),
        settled=Count("items", filter=~Q(items__outcome="") & Q(items__isnull=False)),
    )
    return found.annotate(
        told_answers=F("answers") if draws else Case(When(complete, then=F("answers"))),
        told_settled=Case(When(ended if draws else complete, then=F("settled"))),
    )


def _list(request: MemberRequest) -> Listing[Any]:
    return Listing(request, list_with_progress(request.user), COLUMNS, default="-drawn")


@role_required(Role.REVIEWER, Role.EVALUATOR)
@require_GET
def audits(request: MemberRequest) -> HttpResponse:
    context = {
        **_list(request).describe(),
        "draws": draws_samples(request.user),
    }
    return render(request, "grading/audits.html", context)


@role_required(Role.REVIEWER, Role.EVALUATOR)
@require_GET
def audits_csv(request: MemberRequest) -> HttpResponse:
    return _list(request).write("audit-samples")


@role_required(Role.ADMIN)
@require_GET
def audit_csv(request: MemberRequest, pk: int) -> HttpResponse:
    """
    Write every label that stands, and what each answer came to.

    Of a sample that is not complete only what it asks about: admins label, too, and would count
    rates before they end it.
    """
    sample = get_object_or_404(list_audits(request.user), pk=pk)
    name = f"audit-sample-{sample.pk}"
    items = sample.items.select_related("revision__problem", "adjudication__person")
    if sample.state != sample.State.COMPLETE:
        return csv_response(
            name, ["place", "problem"], ([one.place, _name_problem(one)] for one in items)
        )
    labels: dict[int, list[AuditLabel]] = {}
    standing = AuditLabel.objects.standing().filter(item__sample=sample).select_related("person")
    for one in standing.order_by("number"):
        labels.setdefault(one.item_id, []).append(one)
    header = ["place", "problem", "attempt", "is_hidden", "stratum", "verdict", "outcome"]
    header += ["labeller", "label", "note", "labelled_at", "adjudicator", "adjudicated", "reason"]
    rows: list[list[object]] = []
    for item in items:
        settled = getattr(item, "adjudication", None)
        own = [
            item.place,
            _name_problem(item),
            item.attempt_id,
            "yes" if item.is_hidden else "no",
            item.stratum,
            item.verdict,
            item.outcome,
        ]
        end: list[object] = (
            [str(settled.person), settled.choice, settled.reason] if settled else ["", "", ""]
        )
        given = [
            [str(one.person), one.choice, one.note, one.given_at.isoformat()]
            for one in labels.get(item.pk, [])
        ]
        rows += [[*own, *one, *end] for one in given or [["", "", "", ""]]]
    # What people say of an answer tells as much as what the grader says.
    told = (item.revision_id for item in items if not item.is_hidden)
    ledger.write_verdicts(request.user, Reason.AUDIT, told)
    return csv_response(name, header, rows)


def _name_problem(item: AuditItem) -> str:
    return "" if item.is_hidden else item.revision.problem.identifier
