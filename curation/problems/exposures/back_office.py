"""What the back office shows of revisions is written down like anything else that is shown."""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, cast

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from phybench.pages.back_office import Column, ReadOnlyAdmin, read_only
from phybench.people.models import User

Seen = Iterable[tuple[int, Part]]
ListSeen = Callable[[Sequence[Any], bool], Seen]
"""As `RecordingAdmin.list_shown`."""


class RecordingAdmin(admin.ModelAdmin):
    """Rows that show texts of revisions, or verdicts on answers to them; each kind says which."""

    # How many were right is told by counts beside the filters, with no row shown.
    show_facets = admin.ShowFacets.NEVER

    def list_shown(self, rows: Sequence[Any], in_full: bool) -> Seen:
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
            self._record(request, list(listing.result_list), False)
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
            self._record(request, [obj], True)
        return super().render_change_form(request, context, add, change, form_url, obj)

    def _record(self, request: HttpRequest, rows: Sequence[Any], in_full: bool) -> None:
        shown = self.list_shown(rows, in_full)
        ledger.write(cast("User", request.user), Reason.BACK_OFFICE, shown)


def parts(path: str, *listed: Part, in_full: Sequence[Part] = ()) -> ListSeen:
    """
    Make what says that each row shows parts of the one revision it is of.

    Args:
        path: leads from a row to the number of its revision.
        listed: what the list shows.
        in_full: what a row's own page shows beside that.
    """
    revision_of = attrgetter(path)
    on_its_page = (*listed, *in_full)
    return lambda rows, is_in_full: (
        (revision_of(row), part) for row in rows for part in (on_its_page if is_in_full else listed)
    )


def recorded(model: type[Model], *columns: Column, shows: ListSeen, **options: Any) -> None:
    """Show a table's rows as `read_only` does, and write down what they show of revisions."""
    bases = (RecordingAdmin, ReadOnlyAdmin)
    read_only(model, *columns, bases=bases, list_shown=staticmethod(shows), **options)
