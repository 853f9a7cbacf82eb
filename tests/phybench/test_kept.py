"""Pages that visitors are shown, made once for all of them."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.test import Client, override_settings
from django.urls import path

from phybench.pages import kept
from phybench.people.models import User
from phybench.urls import urlpatterns as ours
from tests.development.checkout import wait_until

made: list[str] = []


@kept.for_everybody
def page(request: HttpRequest) -> HttpResponse:
    made.append(request.get_full_path())
    return HttpResponse(f"page {len(made)}")


@kept.for_everybody
def missing(request: HttpRequest) -> HttpResponse:
    raise Http404


@kept.for_everybody
def page_with_form(request: HttpRequest) -> HttpResponse:
    made.append(request.get_full_path())
    return render(request, "phybench/how_grading_works.html")


urlpatterns = [*ours, path("page/", page), path("missing/", missing), path("form/", page_with_form)]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.own_server,
    pytest.mark.urls("tests.phybench.test_kept"),
]


@pytest.fixture(autouse=True)
def empty_shelf(monkeypatch):
    monkeypatch.setattr(kept, "SHELF", kept.Shelf())
    monkeypatch.setattr(kept, "CHECKED_SECONDS", 0.0)
    made.clear()
    with override_settings(KEEPS_PAGES=True):
        yield


def count_changes() -> None:
    """Have PostgreSQL count what this connection wrote: else it does so after a while."""
    connection.close()


def test_a_page_is_made_once_while_nothing_changes_and_again_after_a_change(admin):
    count_changes()
    first, second = Client().get("/page/"), Client().get("/page/")
    assert (first.content, second.content, len(made)) == (b"page 1", b"page 1", 1)
    User.objects.filter(pk=admin.pk).update(display_name="Somebody Else")
    count_changes()
    assert Client().get("/page/").content == b"page 2"


@pytest.mark.parametrize("path", ["/page/", "/form/"])
def test_who_has_a_page_is_told_so_until_it_changes(admin, path):
    count_changes()
    client = Client()
    tag = client.get(path).headers["ETag"]
    again = client.get(path, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    User.objects.filter(pk=admin.pk).update(display_name="Somebody Else")
    count_changes()
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200


def is_kept(path: str) -> bool:
    """Ask for a page, and tell whether it was kept: others' changes may be counted late."""
    before = len(made)
    Client().get(path)
    return len(made) == before


def test_each_visitor_has_a_token_of_their_own_which_is_taken(db):
    count_changes()
    assert wait_until(lambda: is_kept("/form/"))
    made.clear()
    tokens = set()
    for client in (Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)):
        content = client.get("/form/").content
        [*found] = set(kept.TOKEN.findall(content))
        [token] = found
        tokens.add(token)
        sent = {"csrfmiddlewaretoken": token.decode(), "language": "zh-hans", "next": "/"}
        assert client.post("/language/", sent).status_code == 302
    assert len(tokens) == 2
    assert made == []


def test_what_somebody_writes_into_an_address_does_not_become_a_token(db):
    count_changes()
    asked = {"asked": "0" * 64}
    # Where one was is written into the form of languages.
    assert b"asked=" + b"0" * 64 in Client().get("/form/", asked).content


def test_while_a_page_is_made_anew_the_one_before_is_shown_for_a_moment(monkeypatch, admin):
    count_changes()
    assert Client().get("/page/").content == b"page 1"
    User.objects.filter(pk=admin.pk).update(display_name="Somebody Else")
    count_changes()
    with kept.SHELF.making:
        assert Client().get("/page/").content == b"page 1"
    assert Client().get("/page/").content == b"page 2"
    User.objects.filter(pk=admin.pk).update(display_name="Somebody Else Again")
    count_changes()
    monkeypatch.setattr(kept, "LATE_SECONDS", 0.0)
    with ThreadPoolExecutor(1) as threads, kept.SHELF.making:
        waiting = threads.submit(ask_and_leave)
        with pytest.raises(TimeoutError):
            waiting.result(timeout=0.5)
        kept.SHELF.making.release()
        assert waiting.result(timeout=30) == b"page 3"
        kept.SHELF.making.acquire()


def ask_and_leave() -> bytes:
    try:
        content: bytes = Client().get("/page/").content
        return content
    finally:
        connection.close()


def test_who_is_signed_in_has_their_own_page_and_leaves_nothing_of_it_to_visitors(admin):
    count_changes()
    member = Client()
    member.force_login(admin)
    for _time in range(2):
        assert admin.display_name in member.get("/form/").content.decode()
    assert admin.display_name not in Client().get("/form/").content.decode()
    assert len(made) == 3


def test_where_visitors_are_served_a_member_s_page_is_kept_for_nobody_else(
    monkeypatch, admin, contributor
):
    monkeypatch.setattr(kept.SHELF, "is_for_members", True)
    count_changes()
    members = {person: Client() for person in (admin, contributor)}
    for person, client in members.items():
        client.force_login(person)
        client.get("/me/")  # the day of a visit is written once
    count_changes()
    tags = set()
    for _time in range(2):
        for person, client in members.items():
            response = client.get("/form/")
            assert person.display_name in response.content.decode()
            tags.add(response.headers["ETag"])
        assert b"Sign in" in Client().get("/form/").content
    assert len(made) == 3
    assert len(tags) == 2


def test_pages_in_two_languages_are_two(db):
    count_changes()
    speaking = [Client().get("/form/", headers={"Accept-Language": one}) for one in ("en", "zh")]
    assert speaking[0].content != speaking[1].content
    assert {one.headers["ETag"] for one in speaking} != {speaking[0].headers["ETag"]}


def test_no_more_is_kept_than_there_is_room_for(monkeypatch, db):
    count_changes()
    monkeypatch.setattr(kept, "MOST_KEPT", 60)
    for number in range(40):
        Client().get(f"/page/?{number}")
    assert 0 < kept.SHELF.size <= 60
    assert kept.SHELF.size == sum(len(one.content) for one in kept.SHELF.pages.values())


def test_whoever_claims_to_have_any_page_is_told_of_one_that_there_is_not(db):
    count_changes()
    asked = {"If-None-Match": "*"}
    assert Client().get("/missing/", headers=asked).status_code == 404
    assert Client().get("/page/", headers=asked).status_code == 304
