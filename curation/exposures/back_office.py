"""What the back office shows of revisions is written down like anything else that is shown."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

from curation.certificates.models import Certificate
from curation.exposures import ledger
from curation.exposures.ledger import Part, Reason
from curation.problems.models import Problem, Revision
from curation.translations.models import Translation
from phybench.models import User

Seen = Iterable[tuple[int, Part]]


class RecordingAdmin(admin.ModelAdmin):
    """Rows that show texts of revisions; each kind says which."""

    def list_shown(self, rows: Sequence[Any], *, in_full: bool) -> Seen:
        """
        Return the parts of submitted revisions that these rows show.

        Args:
            in_full: on a row's own page, with all its fields; False for the list of rows.
        """
        raise NotImplementedError

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        response = super().changelist_view(request, extra_context)
        listing = (getattr(response, "context_data", None) or {}).get("cl")
        if listing is not None:
            self._record(request, list(listing.result_list), in_full=False)
        return response

    def render_change_form(
        self,
        request: HttpRequest,
        context: Any,
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Model | None = None,
    ) -> HttpResponse:
        if obj is not None:
            self._record(request, [obj], in_full=True)
        return super().render_change_form(request, context, add, change, form_url, obj)

    def _record(self, request: HttpRequest, rows: Sequence[Any], *, in_full: bool) -> None:
        shown = self.list_shown(rows, in_full=in_full)
        ledger.write(cast("User", request.user), Reason.BACK_OFFICE, shown)


def of_revisions(rows: Sequence[Revision], *, in_full: bool) -> Seen:
    parts = ledger.ALL if in_full else (Part.ANSWER,)
    return ((row.pk, part) for row in rows if row.submitted_at for part in parts)


def of_problems(rows: Sequence[Problem], *, in_full: bool) -> Seen:
    """Below a problem stand the answers of its revisions; the list of problems has none."""
    if not in_full:
        return ()
    shown = Revision.objects.submitted().filter(problem__in=rows).values_list("pk", flat=True)
    return ((pk, Part.ANSWER) for pk in shown)


def of_certificates(rows: Sequence[Certificate]) -> Seen:
    """A certificate holds a copy of the answer, whichever revisions have that."""
    copied = {(row.problem_id, row.answer) for row in rows}
    revisions = Revision.objects.submitted().filter(problem__in={row.problem_id for row in rows})
    found = revisions.values_list("pk", "problem", "answer")
    return ((pk, Part.ANSWER) for pk, *copy in found if tuple(copy) in copied)


def of_translations(rows: Sequence[Translation], *, in_full: bool) -> Seen:
    if not in_full:
        return ()
    parts = (Part.STATEMENT, Part.SOLUTION)
    return ((row.revision_id, part) for row in rows for part in parts)
