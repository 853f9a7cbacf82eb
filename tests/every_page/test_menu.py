"""The menu marks where the viewer would look for a page; that each has one is in `test_walk.py`."""

import pytest

from tests.addresses import address_of, client_of, read
from tests.every_page.menu import MENU, PERSON, list_marked

IN_THE_MENU = [
    ("visitor", "items", "Board"),
    ("visitor", "compare", "Board"),
    ("evaluator", "grading:receipt", "Models"),
    ("admin", "curation:export?of=dataset", "Problems"),
    ("admin", "curation:compare", "Problems"),
    ("admin", "curation:decide", "Review"),
    ("admin", "grading:contests", "Review"),
    ("participant", "grading:sittings", "Human baseline"),
    ("participant", "grading:contests", "Human baseline"),
    ("reviewer", "grading:repairs", "Review"),
]


@pytest.mark.django_db
def test_it_marks_where_the_viewer_would_look_for_the_page(world):
    found = [
        (person, name, (list_marked(MENU, page) or [None])[0])
        for person, name, _label in IN_THE_MENU
        for page in [read(client_of(world.people[person]).get(address_of(name, world))).decode()]
    ]
    assert found == IN_THE_MENU


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "label"), [("login", "Sign in"), ("signup", "Join")])
def test_a_visitor_sees_which_of_the_two_forms_is_open(client, address, label):
    page = client.get(f"/accounts/{address}/").content.decode()
    assert list_marked(PERSON, page) == [label]
