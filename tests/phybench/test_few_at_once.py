"""One person's previews and readings leave the others their share of the server."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django_htmx.middleware import HtmxDetails

from phybench.people.http import few_at_once
from phybench.people.models import User
from tests.addresses import address_of, client_of

PATIENCE_SECONDS = 20
pytestmark = pytest.mark.django_db


def request_of(person: User) -> HttpRequest:
    request = RequestFactory().post("/", headers={"HX-Request": "true"})
    request.user, request.htmx = person, HtmxDetails(request)
    return request


@pytest.mark.django_db(transaction=True)
def test_a_person_has_two_under_way_at_once_and_others_are_not_kept_waiting(settings):
    settings.PREVIEWS_AT_ONCE = 2
    begun, may_end = Barrier(3, timeout=PATIENCE_SECONDS), Event()
    one, other = User(pk=1), User(pk=2)

    @few_at_once
    def slow(request: HttpRequest) -> HttpResponse:
        begun.wait()
        assert may_end.wait(PATIENCE_SECONDS)
        return HttpResponse()

    @few_at_once
    def quick(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    def ask(view, person: User) -> int:
        answer = view(request_of(person))
        # Of this thread's own: the cache may be the database.
        connection.close()
        return answer.status_code

    with ThreadPoolExecutor(2) as threads:
        under_way = [threads.submit(ask, slow, one) for _ in range(2)]
        begun.wait()
        refused = quick(request_of(one))
        assert (refused.status_code, refused["Retry-After"]) == (429, "1")
        assert "follows in a moment" in refused.content.decode()
        assert ask(quick, other) == 200
        may_end.set()
        assert [one.result() for one in under_way] == [200, 200]
    assert ask(quick, one) == 200


def test_a_place_is_free_again_after_an_error(settings):
    settings.PREVIEWS_AT_ONCE = 1

    @few_at_once
    def fails(request: HttpRequest) -> HttpResponse:
        raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            fails(request_of(User(pk=1)))


LIMITED = {
    "curation:new?part=preview": "contributor",
    "curation:new?part=second": "contributor",
    "curation:translation?part=preview": "contributor",
    "grading:read_as": "participant",
    "grading:read_as?of=review": "reviewer",
    "grading:read_as?of=practice": "participant",
}


def test_all_that_is_made_while_somebody_types_is_so_limited(settings, world):
    settings.PREVIEWS_AT_ONCE = 0
    for name, person in LIMITED.items():
        answer = client_of(world.people[person]).post(address_of(name, world))
        assert answer.status_code == 429, name
        assert "Too many requests" in answer.content.decode()


def test_a_person_has_few_pages_under_way_that_try_a_whole_draft(settings, world):
    author = client_of(world.people["contributor"])
    settings.EDITORS_AT_ONCE = 1
    # One after the other there is no end to them.
    for _ in range(2):
        assert author.get(address_of("curation:new", world)).status_code == 200
    settings.EDITORS_AT_ONCE = 0
    for name in ("curation:new", "curation:edit", "curation:submit"):
        answer = author.post(address_of(name, world))
        assert (answer.status_code, answer["Retry-After"]) == (429, "1"), name
