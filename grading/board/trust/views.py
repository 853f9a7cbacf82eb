"""How far a board can be trusted: a page for everybody, and its two files."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.versions.citing import cite_board
from curation.versions.models import BenchmarkVersion
from grading.board.reported.actions import list_reported
from grading.board.scores.collecting import find_field
from grading.board.scores.scope import Scope
from grading.board.table import say_why_unranked, show_board
from grading.board.trust import contamination
from grading.board.trust.changes import Change, list_changes
from grading.board.trust.coverage import cover_kinds
from grading.samples.audits.figures import find_for_board
from grading.submissions.access.statement import state_access
from phybench.pages.csv import csv_response
from phybench.pages.kept import for_everybody
from phybench.pages.listing import Column, Listing

CHANGES: list[Column[Change]] = [
    Column("at", _("When"), value=lambda one: one.at.isoformat(timespec="seconds")),
    Column("kind", _("What"), value=lambda one: one.kind),
    Column("title", _("Change"), value=lambda one: one.title),
    Column("why", value=lambda one: one.text),
]


def _find(slug: str, number: int) -> BenchmarkVersion:
    published = BenchmarkVersion.objects.published().select_related("benchmark")
    return get_object_or_404(published, benchmark__slug=slug, number=number)


def _list_changes(request: HttpRequest, version: BenchmarkVersion) -> Listing[Change]:
    return Listing(request, list_changes(version), CHANGES, a_page=20)


@for_everybody
def trust(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    version = _find(slug, number)
    board = show_board(Scope.of(version))
    audit = find_for_board(version)
    context = {
        **_list_changes(request, version).describe(),
        "version": version,
        "benchmark": version.benchmark,
        "board": board,
        "audit": audit,
        "accepted": audit.current.accepted_share if audit and audit.current else None,
        "kinds": cover_kinds(board),
        "rows": [(row, say_why_unranked(row.unranked)) for row in board.rows],
        "known": contamination.describe(version),
        "access": state_access(version, [row.submission for row in board.rows]),
        "access_csv": reverse("access_csv", args=[slug, number]),
        "reported": list_reported(version.benchmark),
        "citation": cite_board(version, timezone.localdate()),
    }
    return render(request, "grading/trust.html", context)


@for_everybody
def changes_csv(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return _list_changes(request, _find(slug, number)).write(f"{slug}-version-{number}-changes")


@for_everybody
def access_csv(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Write for each submission on the board how many people saw what before."""
    header = ["organisation", "solver", "submission", "handed_in_at", "people"]
    header += [
        f"{part}_{what}"
        for part in ("public", "hidden")
        for what in ("statements", "keys", "verdicts")
    ]
    version = _find(slug, number)
    rows = [
        [
            one.submission.solver.organisation,
            one.submission.solver,
            one.submission.number,
            one.submission.created_at.isoformat(timespec="seconds"),
            one.people,
            *(
                count
                for part in (one.public, one.hidden)
                for count in (part.statements, part.keys, part.verdicts)
            ),
        ]
        for one in state_access(version, find_field(Scope.of(version)).submissions)
    ]
    return csv_response(f"{slug}-version-{number}-access", header, rows)
