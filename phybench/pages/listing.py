"""
A list as its address asks for it: narrowed, sorted, a page of it, or all of it as a file.

What is not understood in the address is ignored. `_listing.html` draws its parts. A `ListPage` is
the view of one: its page, its rows alone for htmx, and its file, at one address.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

import django_filters
from django.core.paginator import Page, Paginator
from django.db.models import F, OrderBy, QuerySet
from django.db.models.expressions import Combinable
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from phybench.pages.csv import csv_response
from phybench.people.http import MemberRequest

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

P = ParamSpec("P")
Row = TypeVar("Row")
Key = str | Combinable | OrderBy


@dataclass(frozen=True, slots=True)
class Order:
    """What to sort by, one way and the other; empty where the address has no such way."""

    ascending: Sequence[Key] = ()
    descending: Sequence[Key] = ()
    begins_descending: bool = False
    """What the first click on the heading does."""


def by(*fields: str, begins_descending: bool = False) -> Order:
    """Sort by these; what has no value comes last, and rows never change places by chance."""
    keys = [F(one) for one in (*fields, "pk")]
    return Order(
        [one.asc(nulls_last=True) for one in keys],
        [one.desc(nulls_last=True) for one in keys],
        begins_descending,
    )


def most_by(*fields: str) -> Order:
    """Sort by these, and begin with the most or the latest."""
    return by(*fields, begins_descending=True)


def by_index(*fields: str, begins_descending: bool = False) -> Order:
    """Sort by these as the database does, which can read them from an index either way."""
    return Order(fields, [f"-{one}" for one in fields], begins_descending)


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """What a list shows of each row, sorts by, or writes to its file."""

    name: str
    """In the address where one sorts by it, and at the head of the file."""
    label: "_StrOrPromise" = ""
    """Its heading; empty for what is only sorted by or written."""
    order: Order = Order()
    value: Callable[[Row], object] | None = None
    """What the file says of a row; None for what is only shown."""
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """The top of a column; a link where the list can be sorted by it."""

    label: "_StrOrPromise"
    direction: str
    """`ascending`, `descending`, or "" where the list is not sorted by it."""
    address: str
    is_number: bool
    name: str = ""
    """Of its column."""


@dataclass(frozen=True, slots=True)
class Tab:
    """One of the lists that a page chooses from."""

    address: str
    label: "_StrOrPromise"
    is_current: bool


def make_tabs(
    labels: Iterable["tuple[str, _StrOrPromise]"], current: str, parameter: str = "show"
) -> list[Tab]:
    return [Tab(f"?{parameter}={name}", label, name == current) for name, label in labels]


class ListFilter(django_filters.FilterSet):
    """What narrows a list; what is not understood is ignored."""

    def is_active(self) -> bool:
        """Whether the list was narrowed."""
        return any(self.form.cleaned_data.values())

    @property
    def qs(self) -> Any:
        """Return rows of the kind that was handed in, with the queries that its model names."""
        return super().qs

    def offer(self, name: str, choices: Iterable["tuple[str, _StrOrPromise]"]) -> None:
        """Say what one may choose from, where that is in the database."""
        self.filters[name].extra["choices"] = list(choices)


def choice(
    label: "_StrOrPromise",
    choices: Iterable["tuple[str, _StrOrPromise]"] = (),
    field_name: str | None = None,
    **options: Any,
) -> django_filters.ChoiceFilter:
    return django_filters.ChoiceFilter(
        field_name=field_name, label=label, choices=list(choices), empty_label=_("any"), **options
    )


def read_sort(
    request: HttpRequest, columns: Iterable[Column], default: str, parameter: str = "sort"
) -> str:
    """Return the column to sort by, with a minus before it to begin with its last."""
    asked = request.GET.get(parameter, "")
    return asked if _find_keys(columns, asked) else default


def _find_keys(columns: Iterable[Column], sort: str) -> Sequence[Key]:
    name = sort.removeprefix("-")
    is_reversed = sort != name
    for one in columns:
        if one.name == name and (
            keys := one.order.descending if is_reversed else one.order.ascending
        ):
            return keys
    return ()


class Listing(Generic[Row]):
    """
    One list, as somebody asked for it.

    Args:
        rows: as they are narrowed; a queryset is sorted, a sequence is taken as it lies.
        columns: in the order in which they are shown, and written.
        default: the column to sort by, with a minus before it to begin with its last.
        filters: what narrowed it, to be drawn.
        hides: names of columns that this list does not show.
        keeps: parameters that narrowing it leaves in the address.
        more: what a page of it shows besides.
    """

    def __init__(
        self,
        request: HttpRequest,
        rows: QuerySet[Any] | Sequence[Row],
        columns: Sequence[Column[Row]] = (),
        *,
        default: str = "",
        filters: ListFilter | None = None,
        tabs: Sequence[Tab] = (),
        hides: Iterable[str] = (),
        keeps: Mapping[str, str] | None = None,
        a_page: int = 25,
        parameter: str = "sort",
        more: Callable[[Page], Mapping[str, Any]] | None = None,
    ) -> None:
        self.request = request
        self.columns = columns
        self.filters = filters
        self.tabs = tabs
        self.shown = {one.name for one in columns if one.label}.difference(hides)
        self.a_page = a_page
        self.parameter = parameter
        self.more = more
        self.sort = read_sort(request, columns, default, parameter)
        self.kept = dict(keeps or {})
        self.clear = "?" + "&".join(f"{name}={value}" for name, value in self.kept.items())
        if self.sort != default:
            self.kept[parameter] = self.sort
        keys = _find_keys(columns, self.sort)
        # Of the kind that was handed in, with the queries that its model names.
        self.rows: Any = rows.order_by(*keys) if keys and isinstance(rows, QuerySet) else rows

    def list_headings(self) -> list[Heading]:
        return [self._head(one) for one in self.columns if one.label and one.name in self.shown]

    def _head(self, column: Column[Row]) -> Heading:
        order, up, down = column.order, column.name, f"-{column.name}"
        ways = [name for name, keys in ((up, order.ascending), (down, order.descending)) if keys]
        if not ways:
            return Heading(column.label, "", "", column.is_number)
        if order.begins_descending:
            ways.reverse()
        asked = self.request.GET.copy()
        asked[self.parameter] = ways[-1] if self.sort == ways[0] else ways[0]
        asked.pop("page", None)
        direction = {up: "ascending", down: "descending"}.get(self.sort, "")
        address = f"?{asked.urlencode()}"
        return Heading(column.label, direction, address, column.is_number, column.name)

    def describe(self) -> dict[str, Any]:
        """Return what `_listing.html` and the page around it draw."""
        page = Paginator(self.rows, self.a_page).get_page(self.request.GET.get("page"))
        return {
            "listing": self,
            "filters": self.filters,
            "page": page,
            "headings": self.list_headings(),
            **(self.more(page) if self.more else {}),
        }

    def write(self, name: str, more: Iterable[Iterable[object]] = ()) -> HttpResponse:
        """Answer with all rows as a file, as narrowed and sorted, and `more` after them."""
        written = [(one.name, one.value) for one in self.columns if one.value]
        rows = ([value(row) for _name, value in written] for row in self.rows)
        return csv_response(name, [name for name, _value in written], chain(rows, more))


@dataclass(frozen=True)
class ListPage(Generic[P, Row]):
    """The view of a list: its page, its rows alone for htmx that asks for `#rows`, or its file."""

    listing: Callable[Concatenate[MemberRequest, P], Listing[Row]]
    """The list as somebody asked for it."""
    template: str
    """Its partial `rows` is what changes where the list is narrowed or sorted."""
    file: str
    """Name of the file, without its ending."""

    def __call__(self, request: MemberRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        listing = self.listing(request, *args, **kwargs)
        if request.GET.get("as") == "csv":
            return listing.write(self.file)
        is_part = request.htmx.target == "rows"
        file = request.GET.copy()
        for name, value in (*listing.kept.items(), ("as", "csv")):
            file[name] = value
        file.pop("page", None)
        context = {**listing.describe(), "is_part": is_part, "file": f"?{file.urlencode()}"}
        return render(request, self.template + "#rows" * is_part, context)
