"""What every list of the back office shares: rows are found and read there, and not written."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import FieldDoesNotExist
from django.db import DataError
from django.db.models import Model, QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import SimpleTemplateResponse
from django.urls import reverse
from django.utils.html import format_html

AdminView = Callable[..., HttpResponseBase]


def link_to_rows(model: type[Model], text: object, **filters: object) -> str:
    """Link to another list of the back office, narrowed to some rows."""
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    query = "&".join(f"{name}={value}" for name, value in filters.items())
    return format_html('<a href="{}?{}">{}</a>', address, query, text)


def leave_out_wrong_values(make: Callable[..., AdminView]) -> Callable[..., AdminView]:
    """Where a list can't be narrowed as its address says, show all of it, as Django often does."""

    @wraps(make)
    def make_view(view: AdminView, cacheable: bool = False) -> AdminView:
        @wraps(view)
        def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            try:
                answer = view(request, *args, **kwargs)
                # Rows are fetched no later than that.
                return answer.render() if isinstance(answer, SimpleTemplateResponse) else answer
            except (OverflowError, ValueError, DataError):
                # Without what was asked for, it is no fault of that.
                if request.method != "GET" or not set(request.GET) - {ERROR_FLAG}:
                    raise
                return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")

        return make(shown, cacheable)

    return make_view


class NarrowedAdmin(admin.ModelAdmin):
    """
    A list whose address narrows it by what its pages show, and by nothing else.

    Django takes any field of a row, and what other rows point at it, whether a page shows them:
    by trying, one finds what was left out, such as who is behind a pseudonym.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        name = lookup.split(LOOKUP_SEP)[0]
        if name in (self.exclude or ()):
            return False
        try:
            field = self.model._meta.get_field(name)
        except FieldDoesNotExist:
            return super().lookup_allowed(lookup, value, request)
        return field.concrete and super().lookup_allowed(lookup, value, request)


class ReadOnlyAdmin(NarrowedAdmin):
    """Rows that only the project's own actions write; here they are to be found and read."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnlyInline(admin.TabularInline):
    """Rows below another; only the project's own actions write them."""

    extra = 0
    can_delete = False
    list_select_related: Sequence[str] = ()
    """As that of a list: what the rows name is fetched with them."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found: QuerySet[Any] = super().get_queryset(request)
        # With no names it would fetch all that there is.
        named = self.list_select_related
        return found.select_related(*named) if named else found

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def read_only(
    model: type[Model],
    *columns: str,
    filters: Sequence[Any] = (),
    search: Sequence[str] = (),
    related: Sequence[str] = (),
    by_date: str | None = None,
    counts: bool = True,
    **others: Any,
) -> None:
    """
    Show a table's rows, to be found and read.

    Args:
        columns: of the list; where none is given, what a row is called.
        filters, search, by_date: `list_filter`, `search_fields` and `date_hierarchy`.
        related: what the rows name, to be fetched with them.
        counts: whether the list says how many rows there are in all, which costs a scan.
        others: what else the admin has, under Django's names.
    """
    attributes = {
        "list_display": columns or ("__str__",),
        "list_filter": filters,
        "search_fields": search,
        "list_select_related": related or False,
        "date_hierarchy": by_date,
        "show_full_result_count": counts,
    }
    admin.site.register(
        model, type(f"{model.__name__}Admin", (ReadOnlyAdmin,), {**attributes, **others})
    )
