"""Requests that no view gets."""

import io
import logging

import pytest
from django.http import HttpResponse
from django.urls import NoReverseMatch, reverse
from django.utils.log import log_response

from tests.addresses import ADDRESSES, EXPECTED, add_asked, client_of, reverse_asked

pytestmark = pytest.mark.django_db


def list_addresses() -> list[str]:
    """List every address that takes no argument with a query, and the others with a text in it."""
    found = []
    for name, pattern in ADDRESSES.items():
        wanted = pattern.pattern.regex.groupindex
        try:
            address = reverse_asked(name, kwargs=dict.fromkeys(wanted, "a\0b") or None)
        except NoReverseMatch:  # a number, or a word of letters alone
            continue
        found.append(address if wanted else add_asked(address, "q=a%00b"))
    return found


def test_a_nul_in_an_address_or_its_query_is_refused_wherever_it_is(admin):
    client = client_of(admin)
    addresses = [*list_addresses(), "/%00", "/?%00=1", "/submissions/?benchmark=%00"]
    assert len(addresses) > len(EXPECTED) / 2
    answered = {address: client.get(address).status_code for address in addresses}
    assert answered == dict.fromkeys(addresses, 400)


def test_a_nul_in_a_cookie_is_refused(client):
    client.cookies["sessionid"] = "a\0b"
    assert client.get("/").status_code == 400


def test_a_refused_request_is_answered_in_the_language_that_was_asked_for(client):
    answer = client.get("/?q=%00", headers={"Accept-Language": "zh-hans"})
    assert "服务器" in answer.content.decode()


@pytest.fixture
def log(monkeypatch) -> io.StringIO:
    [console] = [one for one in logging.getLogger().handlers if one.get_name() == "console"]
    written = io.StringIO()
    monkeypatch.setattr(console, "stream", written)
    return written


def test_what_was_refused_is_one_line_of_the_log(participant, log):
    client = client_of(participant)
    assert client.get("/b/test/problems/import/").status_code == 403
    assert client.get("/?q=%00").status_code == 400
    forbidden, not_understood = log.getvalue().splitlines()
    assert "/problems/import/" in forbidden
    assert "It holds a NUL" in not_understood


def test_a_fault_of_ours_is_logged_with_its_place(log):
    try:
        raise ZeroDivisionError
    except ZeroDivisionError as error:
        log_response("Fault", response=HttpResponse(status=500), exception=error)
    assert "Traceback" in log.getvalue()


def test_where_there_is_no_page_a_visitor_is_shown_the_way_in_and_others_home(client, participant):
    for visitor, wanted in ((client, "account_login"), (client_of(participant), "home")):
        answer = visitor.get("/no-such-page/")
        shown = answer.content.decode().partition("<main")[2].partition("</main>")[0]
        assert answer.status_code == 404
        assert {name for name in ("account_login", "home") if reverse(name) in shown} == {wanted}
