import gzip

import pytest
from django.urls import reverse

from tests.addresses import EXPECTED, LOGIN, PEOPLE, WALKED, address_of, client_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "person", ["visitor", *(pytest.param(one, marks=pytest.mark.slow) for one in PEOPLE[1:])]
)
def test_every_page_answers_head_as_it_answers_get(world, person):
    client = client_of(world.people[person])
    for name in WALKED:
        head = client.head(address_of(name, world))
        expected = EXPECTED[name].of(person)
        assert head.status_code == (302 if expected == LOGIN else expected), name
        assert head.getvalue() == b"", name


def test_head_changes_nothing_where_a_post_would(client, contributor):
    client.force_login(contributor)
    assert client.head(reverse("profile")).status_code == 200
    assert client.head(reverse("prefer_language")).status_code == 405


def test_a_file_for_somebody_signed_in_is_not_stored(client, contributor, benchmark):
    client.force_login(contributor)
    assert (
        client.get(reverse("curation:problems", args=["test"]) + "?as=csv")["Cache-Control"]
        == "private, no-store"
    )
    assert client.get(reverse("inbox"))["Cache-Control"] == "private, no-cache"


def test_a_public_page_says_nothing_of_caches_to_a_visitor(client, benchmark):
    assert not client.get(reverse("board")).has_header("Cache-Control")


def test_pages_are_compressed_for_whoever_takes_that(client, benchmark):
    plain = client.get(reverse("board"))
    packed = client.get(reverse("board"), headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert b"</html>" in gzip.decompress(packed.content)
    assert len(packed.content) < len(plain.content) / 2


@pytest.mark.parametrize("name", ["board", "admin:index", "admin:phybench_user_add"])
def test_every_page_has_our_picture_in_its_tab(client, admin, name):
    client.force_login(admin)
    page = client.get(reverse(name)).content.decode()
    assert page.count('<link rel="icon" type="image/svg+xml" href="/static/favicon.svg">') == 1


@pytest.mark.parametrize(
    ("name", "varies"), [("inbox", False), ("curation:my_contributions", True)]
)
def test_a_page_that_answers_htmx_otherwise_says_so_to_caches(client, contributor, name, varies):
    client.force_login(contributor)
    assert ("HX-Request" in client.get(reverse(name))["Vary"]) is varies
