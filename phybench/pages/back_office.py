"""What every list of the back office shares: rows are found and read there, and not written."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import FieldDoesNotExist
from django.db import DataError
from django.db.models import Count, Model, Q, QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import SimpleTemplateResponse
from django.urls import reverse
from django.utils.html import format_html

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

AdminView = Callable[..., HttpResponseBase]
Column = str | Callable[[Any], object]


def empty(field: str) -> tuple[str, type[admin.FieldListFilter]]:
    """Narrow a list by whether its rows have this."""
    return field, admin.EmptyFieldListFilter


def count_column(
    title: "_StrOrPromise", count: str, model: type[Model], field: str, **filters: object
) -> Callable[[Any], str]:
    """
    Make a column of how many rows of another list are of this one, with a link to them.

    Args:
        count: what the list has counted, by `annotations`.
        field: of the other rows, by which they are of this one.
        filters: what else narrows the other list.
    """

    def link(row: Any) -> str:
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        query = urlencode({f"{field}__id__exact": row.pk, **filters})
        return format_html('<a href="{}?{}">{}</a>', address, query, getattr(row, count))

    link.__name__ = count
    return admin.display(link, description=title, ordering=count)


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

    limit_to = Q()
    annotations: Mapping[str, Count] = {}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request).filter(self.limit_to)
        counted: QuerySet[Any] = rows.annotate(**self.annotations)
        return counted

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
        rows: QuerySet[Any] = super().get_queryset(request)
        # With no names it would fetch all that there is.
        related = self.list_select_related
        return rows.select_related(*related) if related else rows

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return self.fields or ()

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def inline(
    model: type[Model], *fields: Column, related: Sequence[str] = (), **others: Any
) -> type[ReadOnlyInline]:
    """Make what shows a table's rows below those they are of; without fields, all they have."""
    attributes = {"model": model, "fields": fields or None, "list_select_related": related}
    return type(f"{model.__name__}Inline", (ReadOnlyInline,), {**attributes, **others})


def read_only(
    model: type[Model],
    *columns: Column,
    filters: Sequence[Any] = (),
    search: Sequence[str] = (),
    related: Sequence[str] = (),
    by_date: str | None = None,
    counts: bool = True,
    bases: tuple[type[admin.ModelAdmin], ...] = (ReadOnlyAdmin,),
    **others: Any,
) -> None:
    """
    Show a table's rows, to be found and read.

    Args:
        columns: of the list; where none is given, what a row is called.
        filters, search, by_date: `list_filter`, `search_fields` and `date_hierarchy`.
        related: what the rows name, to be fetched with them.
        counts: whether the list says how many rows there are in all, which costs a scan.
        others: what else the admin has, under Django's names; `limit_to`, the rows that it shows,
            and `annotations`, what it counts of each.
    """
    attributes = {
        "list_display": columns or ("__str__",),
        "list_filter": filters,
        "search_fields": search,
        "list_select_related": related or False,
        "date_hierarchy": by_date,
        "show_full_result_count": counts,
    }
    admin.site.register(model, type(f"{model.__name__}Admin", bases, {**attributes, **others}))
