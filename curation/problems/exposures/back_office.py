"""What the back office shows of revisions is written down like anything else that is shown."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from phybench.people.models import User

Seen = Iterable[tuple[int, Part]]


class RecordingAdmin(admin.ModelAdmin):
    """Rows that show texts of revisions, or verdicts on answers to them; each kind says which."""

    # How many were right is told by counts beside the filters, with no row shown.
    show_facets = admin.ShowFacets.NEVER

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
