"""A list as its address asks for it."""

import django_filters
import pytest
from django.test import RequestFactory

from phybench.pages.listing import (
    Column,
    ListFilter,
    Listing,
    Order,
    by,
    by_index,
    choice,
    make_tabs,
)
from phybench.people.models import User

COLUMNS = [
    Column("name", "Name", by("display_name"), lambda one: one.display_name),
    Column("email", value=lambda one: one.email),
    Column("since", "Since", by_index("joined_at", "pk", begins_descending=True)),
    Column("number", "Number", Order(["pk"]), is_number=True),
    Column("roles", "Roles"),
]


class PersonFilter(ListFilter):
    name = django_filters.CharFilter(field_name="display_name", max_length=5)
    language = choice("Language", [("en", "English"), ("zh-hans", "Chinese")], "interface_language")


@pytest.fixture
def people(db) -> list[User]:
    return [
        User.objects.create_user(f"{name}@test.example", display_name=name)
        for name in ("Bo", "Al", "Cy")
    ]


def make_listing(address: str, **options) -> Listing[User]:
    request = RequestFactory().get(address)
    filters = PersonFilter(request.GET, User.objects.all())
    return Listing(request, filters.qs, COLUMNS, default="name", filters=filters, **options)


def list_names(listing: Listing[User]) -> list[str]:
    return [one.display_name for one in listing.describe()["page"]]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/", ["Al", "Bo", "Cy"]),
        ("/?sort=-name", ["Cy", "Bo", "Al"]),
        ("/?sort=number", ["Bo", "Al", "Cy"]),
        ("/?name=o", []),
        ("/?name=Bo", ["Bo"]),
        # What is not understood is ignored: no such column, no such way, nothing to sort by.
        ("/?sort=shoes", ["Al", "Bo", "Cy"]),
        ("/?sort=-number", ["Al", "Bo", "Cy"]),
        ("/?sort=roles", ["Al", "Bo", "Cy"]),
        ("/?name=longer&language=klingon&page=last", ["Al", "Bo", "Cy"]),
        ("/?name=%00", ["Al", "Bo", "Cy"]),
    ],
)
def test_the_address_says_which_rows_are_shown_and_in_which_order(people, address, expected):
    assert list_names(make_listing(address)) == expected


def test_a_page_holds_as_many_rows_as_it_may_and_the_file_all(people):
    listing = make_listing("/?page=2&sort=-name", a_page=2)
    assert list_names(listing) == ["Al"]
    lines = listing.write("people").content.decode().splitlines()
    assert lines == [
        "name,email",
        *("Cy,Cy@test.example", "Bo,Bo@test.example", "Al,Al@test.example"),
    ]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/", ["?sort=-name", "?sort=-since", "?sort=number", ""]),
        ("/?sort=-name", ["?sort=name", "?sort=-since", "?sort=number", ""]),
        ("/?sort=-since", ["?sort=name", "?sort=since", "?sort=number", ""]),
        ("/?sort=number", ["?sort=name", "?sort=-since", "?sort=number", ""]),
        (
            "/?page=2&name=o",
            [f"?name=o&sort={one}" for one in ("-name", "-since", "number")] + [""],
        ),
    ],
)
def test_a_heading_sorts_one_way_then_the_other_and_leaves_the_page(db, address, expected):
    assert [one.address for one in make_listing(address).list_headings()] == expected


def test_only_the_heading_that_is_sorted_by_says_so(db):
    headings = make_listing("/?sort=-since").list_headings()
    assert [one.direction for one in headings] == ["", "descending", "", ""]


def test_a_column_that_is_hidden_can_still_be_sorted_by(people):
    listing = make_listing("/?sort=number", hides=["number"])
    assert [one.label for one in listing.list_headings()] == ["Name", "Since", "Roles"]
    assert list_names(listing) == ["Bo", "Al", "Cy"]


def test_narrowing_keeps_the_list_and_the_order_and_clearing_the_list_alone(db):
    listing = make_listing("/?show=all&sort=-name&name=Bo", keeps={"show": "all"})
    assert listing.kept == {"show": "all", "sort": "-name"}
    assert listing.clear == "?show=all"
    assert make_listing("/?sort=name").kept == {}


@pytest.mark.parametrize(("address", "expected"), [("/?name=Bo", True), ("/?sort=-name", False)])
def test_a_list_is_narrowed_by_filters_only(db, address, expected):
    assert make_listing(address).describe()["filters"].is_active() is expected


def test_one_tab_at_most_is_current():
    tabs = make_tabs([("", "all"), ("late", "late")], "late", "state")
    assert [(one.address, one.is_current) for one in tabs] == [
        ("?state=", False),
        ("?state=late", True),
    ]
