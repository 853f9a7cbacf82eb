"""
Addresses of endpoints and webhooks as a way into this machine: no request gets there.

All is the app's own from the page down to the socket. What the attacker has is the resolver, which
says what their name server says, and another thing a moment later.
"""

import os
import socket
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from curation.problems.models import Problem
from grading.endpoints import BadURL, EndpointError, Message, Parameters
from grading.runs.calls import make_client
from grading.runs.models import Endpoint
from grading.submissions.drafts.models import Draft
from grading.submissions.notices import actions as notices
from grading.submissions.notices.models import Notice
from grading.submissions.notices.tasks import SENDING
from phybench.people.models import User
from tests.grading.api.conftest import program, version
from tests.grading.attacks.inner import PUBLIC, Inner, Names, staying_here
from tests.grading.notices.test_notices import finish, queue
from tests.grading.trials.trials import MODEL, make_endpoint
from tests.tokens import Program
from tests.work import do

__all__ = ["program", "version"]
pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SPELLED = """
    127.0.0.1 127.0.0.1. 127.1 127.0.1 0 0.0.0.0 0.0.0.0. 127.127.127.127 2130706433 0x7f000001
    0x7f.0.0.1 0x7f.1 0177.0.0.1 017700000001 00.0.0.0 127.0.0.1%00 127.0.0.01 0000127.0.0.1
    localhost LOCALHOST localhost. localhost.localdomain ip6-localhost ip6-loopback
    [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:0:127.0.0.1]
    [::127.0.0.1] [::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1]
    [2002:7f00:1::] [2001:0:7f00:1::] [::1%lo] [::ffff:127.0.0.1%25lo] [fe80::1%25lo]
    [fe80::5efe:7f00:1] [2001:db8::5efe:7f00:1] [::ffff:0.0.0.0] [127.0.0.1] [localhost]
    \uff11\uff12\uff17.0.0.1 127\u30020\u30020\u30021 \u2460\u2461\u2466.\u24ea.\u24ea.\u2460
    \u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3 \uff4cocalhost 127.0.0.1\u00ad
    user@127.0.0.1 example.org@127.0.0.1 127.0.0.1\\@example.org example.org\\@127.0.0.1
    10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 169.254.169.254 [fd00::1] [fec0::1]
""".split()  # noqa: SIM905
AROUND = (
    "{scheme}://{host}:{port}/hook",
    "{scheme}://{host}:0{port}/hook",
    "{scheme}://{host}:{port}:443/hook",
    "{scheme}://{host}:443:{port}/hook",
    "{scheme}://example.org:{port}@{host}:{port}/hook",
    "{scheme}://example.org#@{host}:{port}/hook",
    "{scheme}:{host}:{port}/hook",
    "{scheme}:///{host}:{port}/hook",
    "{scheme}://{host}:{port}/a/../../hook?x=1#y",
    "{scheme}://{host}:{port}\r\nHost: example.org/",
)
SCHEMES = ("https", "http", "HTTP", "ftp", "file", "gopher", "unix")
URLS = [
    form.replace("{scheme}", scheme).replace("{host}", host)
    for host in SPELLED
    for scheme in SCHEMES
    for form in (AROUND if scheme in {"http", "https"} else AROUND[:1])
]
REBINDING = {
    "first public, then here": (PUBLIC, "127.0.0.1"),
    "first here, then public": ("127.0.0.1", PUBLIC),
    "both at once": (f"{PUBLIC} 127.0.0.1",),
    "both, the other way": (f"127.0.0.1 {PUBLIC}",),
    "this machine in IPv6": (PUBLIC, "::1", "::ffff:127.0.0.1", "::"),
    "any address": (PUBLIC, "0.0.0.0"),
    "a gateway": (PUBLIC, "64:ff9b::7f00:1", "2002:7f00:1::"),
}
Sender = Callable[[str], str]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Iterator[Names]:
    made = Names()
    monkeypatch.setattr(socket, "getaddrinfo", made.look_up)
    with staying_here():
        yield made


@pytest.fixture
def inner(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Inner]:
    # An installation that lists nothing; that of developers lists this machine.
    settings.WEBHOOK_EGRESS_ALLOW = settings.ENDPOINT_EGRESS_ALLOW = ""
    with Inner() as made:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setitem(os.environ, name, f"http://127.0.0.1:{made.port}")
            monkeypatch.setitem(os.environ, name.upper(), f"http://127.0.0.1:{made.port}")
        yield made


@pytest.fixture
def hook(program: Program, problems: list[Problem], evaluator: User) -> Sender:
    """Send a webhook as a worker does; return why it was not sent, or ""."""
    draft = finish(queue(program, problems, webhook="https://127.0.0.1/")).draft

    def send(url: str) -> str:
        Notice.objects.all().delete()
        try:
            [notice] = notices.ask(draft=Draft.objects.get(pk=draft.pk), by=evaluator, webhook=url)
        except notices.BadAddress as why:
            return str(why)
        do(SENDING, notice.pk)
        notice.refresh_from_db()
        return notice.failure

    return send


def ask_endpoint(url: str) -> str:
    """Set an endpoint up and ask it as a run does; return why it did not answer, or ""."""
    try:
        endpoint = make_endpoint(base_url=url, name="Another")
        make_client(endpoint).complete([Message("user", "Well?")], Parameters(model=MODEL))
    except (BadURL, ValidationError) as why:
        return str(why)
    except EndpointError as why:
        return f"{why.reason}: {why.detail}"
    finally:
        Endpoint.objects.all().delete()
    return ""


@pytest.mark.parametrize("answers", REBINDING.values(), ids=REBINDING)
def test_a_name_that_points_elsewhere_a_moment_later_leads_nowhere(
    answers: tuple[str, ...], names: Names, inner: Inner, hook: Sender
) -> None:
    for ask in (hook, ask_endpoint):
        names.change("rebound.test", *answers)
        names.asked.clear()
        for scheme in ("https", "http"):
            for _turn in range(4):
                assert ask(f"{scheme}://rebound.test:{inner.port}/v1")
        # Else nothing was tried.
        assert len(names.asked) >= 4
    print(f"\n{len(inner.reached)} requests reached this machine")
    assert inner.reached == []


def test_no_spelling_of_an_address_leads_to_this_machine(
    names: Names, inner: Inner, hook: Sender
) -> None:
    for ask in (hook, ask_endpoint):
        for number, url in enumerate(URLS):
            # Most are refused by their looks, alike by both.
            if ask is hook or number % 7 == 0:
                assert ask(url.replace("{port}", str(inner.port)))
    print(f"\n{len(URLS)} addresses: {len(inner.reached)} requests reached this machine")
    assert inner.reached == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 200])
def test_a_server_that_redirects_here_is_not_followed(
    status: int, names: Names, inner: Inner, hook: Sender, settings: Any
) -> None:
    # That server is listed, and this machine's other addresses are not.
    settings.WEBHOOK_EGRESS_ALLOW = settings.ENDPOINT_EGRESS_ALLOW = "127.0.0.2"
    asked = []

    class Redirecting(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            asked.append(self.path)
            there = f"http://127.0.0.1:{inner.port}/"
            self.send_response(status)
            for name in ("Location", "Content-Location", "Link"):
                self.send_header(name, there)
            self.send_header("Refresh", f"0; url={there}")
            self.send_header("Alt-Svc", f'http/1.1="127.0.0.1:{inner.port}"')
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments: Any) -> None:
            pass

    with HTTPServer(("127.0.0.2", 0), Redirecting) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        url = f"http://127.0.0.2:{server.server_port}/v1"
        told = hook(url), ask_endpoint(url), hook(url)
        server.shutdown()
        thread.join()
    assert len(asked) >= 3
    assert bool(told[0]) == (status != 200)
    assert told[1]
    print(f"\n{len(inner.reached)} requests reached this machine")
    assert inner.reached == []
