"""The menu marks the place that the open page belongs to, on every page that belongs to one."""

import re

import pytest

from tests.addresses import EXPECTED, PEOPLE, WALKED, World, address_of, client_of, read
from tests.memory import remembered
from tests.world import make_world

MENU = re.compile(r'<nav class="site-nav".*?</nav>', re.DOTALL)
PERSON = re.compile(r'<div class="site-person".*?</div>', re.DOTALL)
MARKED = re.compile(r'<a [^>]*aria-current="page">([^<]*)</a>')
OWN = ("/profile/", "/accounts/")
"""Where the viewer’s name leads to, or for a visitor “Sign in” and “Sign up”."""
BELOW = ("/api/", "/contributions/", "/contributors/", "/e-mails/", "/how-grading-works/")
"""Pages that belong to no place: links below every page and on the profile lead there."""
WITHOUT_PLACE = {
    # The link is in an e-mail to a person who has no account yet.
    "visitor": ("/invitations/open/",),
    # One more would not fit: an admin finds studies at home, and can look at participants’ pages.
    "admin": ("/studies/", "/answer/"),
}
IN_THE_MENU = [
    ("visitor", "items", "Board"),
    ("visitor", "compare", "Board"),
    ("evaluator", "grading:receipt", "Submissions"),
    ("admin", "curation:export_dataset", "Board"),
    ("admin", "curation:compare", "Problems"),
    ("admin", "curation:decide", "Reviews"),
    ("admin", "grading:contests", "Submissions"),
    ("participant", "grading:sittings", "Studies"),
    ("participant", "grading:contests", "Answer"),
    ("reviewer", "grading:repairs", "Reviews (1)"),
]


@pytest.fixture
@remembered
def world(contributor, reviewer, participant, evaluator, admin, benchmark) -> World:
    return make_world(contributor, reviewer, participant, evaluator, admin, benchmark)


def list_marked(part: re.Pattern[str], page: str) -> list[str] | None:
    """List what is marked in a part of a page; None is a page without it."""
    found = part.search(page)
    return MARKED.findall(found[0]) if found else None


@pytest.mark.django_db
@pytest.mark.parametrize("person", PEOPLE)
def test_every_page_marks_the_one_place_that_it_belongs_to(world, person):
    client = client_of(world.people[person])
    elsewhere = (*OWN, *BELOW, *WITHOUT_PLACE.get(person, ()))
    unmarked, not_marked_as_own = [], []
    for name in WALKED:
        address = address_of(name, world)
        if EXPECTED[name].of(person) != 200:
            continue
        page = read(client.get(address)).decode(errors="replace")
        marked = list_marked(MENU, page)
        # What is no page, such as a file, has no menu.
        if marked is None:
            continue
        assert len(marked) <= 1, name
        if address.startswith(OWN) and person != "visitor" and not list_marked(PERSON, page):
            not_marked_as_own.append(name)
        if not marked and not address.startswith(elsewhere):
            unmarked.append(name)
    assert unmarked == []
    assert not_marked_as_own == []


@pytest.mark.django_db
def test_it_marks_where_the_viewer_would_look_for_the_page(world):
    found = [
        (person, name, (list_marked(MENU, page) or [None])[0])
        for person, name, _label in IN_THE_MENU
        for page in [read(client_of(world.people[person]).get(address_of(name, world))).decode()]
    ]
    assert found == IN_THE_MENU


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "label"), [("login", "Sign in"), ("signup", "Sign up")])
def test_a_visitor_sees_which_of_the_two_forms_is_open(client, address, label):
    page = client.get(f"/accounts/{address}/").content.decode()
    assert list_marked(PERSON, page) == [label]
