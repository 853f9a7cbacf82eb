"""Endpoints as an admin keeps them: the key goes in and never comes out."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from grading.demo.fake_answers import MODELS, make_script
from grading.demo.fake_endpoint import FakeEndpoint, Request
from grading.endpoints import APIKey, KeyringError, generate_field_key
from grading.model_runs.trials.prompt import write_prompt
from grading.runs import actions as endpoint_actions
from grading.runs import calls as calling
from grading.runs.models import Endpoint, Spending
from phybench_grader.numbers.sentences import Sentence
from tests.grading.endpoints import steps
from tests.grading.endpoints.scripted_server import ScriptedServer
from tests.grading.trials.trials import KEY, MODEL, box, make_endpoint, try_on, work_off
from tests.work import ask_model

pytestmark = pytest.mark.usefixtures("commits")

FIELDS = {
    "name": "A provider",
    "base_url": "https://api.example.com/v1",
    "offered": "one\n two \n\none",
    "price_prompt": "0.5",
    "price_completion": "2",
    "currency": "EUR",
    "calls_at_once": "4",
    "seconds_a_call": "300",
    "longest_reply": "16000",
}


@pytest.fixture
def pages(client, admin):
    client.force_login(admin)
    return client


def add(pages, **fields):
    return pages.post(reverse("grading:new_endpoint"), {**FIELDS, **fields})


def edit(pages, endpoint: Endpoint, **fields):
    address = reverse("grading:edit_endpoint", args=[endpoint.pk])
    return pages.post(address, {**FIELDS, "base_url": endpoint.base_url, **fields})


def test_an_admin_adds_an_endpoint_and_its_key_is_kept_encrypted(pages):
    answer = add(pages, key=KEY)
    endpoint = Endpoint.objects.get()
    assert answer["Location"] == endpoint.get_absolute_url()
    assert endpoint.offered == ["one", "two"]
    assert KEY not in str(Endpoint.objects.values().get())
    assert endpoint.key_hint == "…tabc"[:1] + KEY[-4:]
    read = calling.read_key(endpoint)
    assert read is not None
    assert read.reveal() == KEY


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("base_url", "ftp://api.example.com", "Begin the URL with https://"),
        ("base_url", "https://me:secret@api.example.com/", "Leave user name and password"),
        ("base_url", "https://api.example.com/v1?key=1", "out of the URL"),
        ("key", "short", "at least 8 characters"),
        ("key", "two words of it", "one word"),
        ("price_prompt", "-1", "greater than or equal to 0"),
        ("calls_at_once", "0", "greater than or equal to 1"),
        ("requests_a_minute", "0", "greater than or equal to 1"),
        ("tokens_a_minute", "0", "greater than or equal to 1"),
        ("offered", "x" * 201, "not a model name"),
    ],
)
def test_what_can_not_be_is_refused_with_what_to_do(pages, field, value, says):
    answer = add(pages, **{field: value})
    assert answer.status_code == 400
    assert says in answer.content.decode()
    assert not Endpoint.objects.exists()


def test_a_refused_form_does_not_say_the_key_back(pages):
    answer = add(pages, key=KEY, base_url="nowhere")
    assert answer.status_code == 400
    assert KEY not in answer.content.decode()


def test_a_key_left_empty_stays_and_one_to_forget_goes(pages):
    endpoint = make_endpoint()
    edit(pages, endpoint, key="")
    assert Endpoint.objects.get().key_fingerprint == APIKey(KEY).fingerprint
    edit(pages, endpoint, clear_key="on")
    assert Endpoint.objects.get().key_encrypted == ""


@pytest.mark.parametrize(
    ("address", "stays"),
    [
        ("http://127.0.0.1:9/v2", True),
        ("https://127.0.0.1:9/v1", False),
        ("http://127.0.0.1:10/v1", False),
        ("http://127.0.0.2:9/v1", False),
    ],
)
def test_another_host_never_gets_the_key_of_the_one_before(pages, address, stays):
    edit(pages, make_endpoint(), base_url=address)
    endpoint = Endpoint.objects.get()
    assert endpoint.base_url == address
    assert bool(endpoint.key_encrypted) is stays


def test_another_host_can_be_given_a_key_at_once(pages):
    edit(pages, make_endpoint(), base_url="https://else.test", key="sk-another-0123456789")
    assert Endpoint.objects.get().key_fingerprint == APIKey("sk-another-0123456789").fingerprint


def test_without_field_keys_no_key_is_taken(pages, settings):
    settings.FIELD_KEYS = ""
    answer = add(pages, key=KEY)
    assert answer.status_code == 400
    assert "The setting FIELD_KEYS is empty" in answer.content.decode()
    assert not Endpoint.objects.exists()
    assert add(pages).status_code == 302, "one that asks for no key can be added"


def test_a_key_that_none_of_field_keys_opens_stops_calls_with_a_reason(draft, settings, serve):
    server = serve(steps.ok())
    endpoint = make_endpoint(server)
    settings.FIELD_KEYS = generate_field_key()
    trial = try_on(endpoint, draft)
    [answer] = work_off(trial)
    assert (answer.failure_reason, server.requests) == ("key_unreadable", [])
    endpoint_actions.probe(endpoint)
    assert Endpoint.objects.get().probe_message == Sentence("keys_none_opens")


def test_saving_does_not_undo_what_calls_changed_meanwhile(pages):
    endpoint = make_endpoint()
    stale = Endpoint.objects.get()
    Endpoint.objects.update(open_for="auth", limiter={"at": 1}, capabilities={"m": {}})
    stale.name = "Renamed"
    endpoint_actions.save(stale, key=None)
    endpoint.refresh_from_db()
    assert (endpoint.name, endpoint.open_for, endpoint.limiter) == ("Renamed", "auth", {"at": 1})


def test_refused_by_the_keyring_nothing_is_stored(settings):
    settings.FIELD_KEYS = "nonsense"
    with pytest.raises(KeyringError):
        make_endpoint()
    assert not Endpoint.objects.exists()


# --- Asking which models there are ----------------------------------------------------------


def probe(pages, endpoint: Endpoint) -> str:
    address = reverse("grading:probe_endpoint", args=[endpoint.pk])
    return pages.post(address, follow=True).content.decode()


def test_an_endpoint_that_answers_names_its_models_and_they_can_be_offered(pages, serve):
    with ScriptedServer([], models=["large", "small"]) as server:
        endpoint = make_endpoint(server)
        assert "It responds and lists 2 models." in probe(pages, endpoint)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    address = reverse("grading:offer_models", args=[endpoint.pk])
    pages.post(address, {"model": ["small", "made up by the browser"]})
    assert Endpoint.objects.get().offered == ["small"]
    page = pages.post(address, {}, follow=True)
    assert "No model is offered now" in page.content.decode()


@pytest.mark.parametrize(
    ("changed", "is_of_this"),
    [
        ({"name": "Another name"}, True),
        ({"base_url": "http://127.0.0.1:9/v2"}, False),
        ({"key": "sk-test-another-one-0123"}, False),
        ({"clear_key": "1"}, False),
    ],
)
def test_what_it_answered_at_another_address_or_to_another_key_is_forgotten(
    pages, changed, is_of_this
):
    with ScriptedServer([], models=["large", "small"]) as server:
        endpoint = make_endpoint(server)
        probe(pages, endpoint)
    edit(pages, endpoint, offered="small", **changed)
    endpoint.refresh_from_db()
    assert (endpoint.models_found == ["large", "small"]) is is_of_this
    assert (endpoint.probed_at is not None) is is_of_this
    assert endpoint.offered == ["small"]


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (steps.wrong_key(KEY), "An admin enters a valid one with “Edit”"),
        (steps.html_200(), "often the page of a gateway"),
        (steps.redirect(), "redirects are not followed"),
        (steps.reset(), "The connection broke"),
    ],
)
def test_one_that_does_not_says_why_and_never_the_key(pages, step, says):
    class Odd(ScriptedServer):
        def answer(self, request: Request) -> steps.FakeReply:
            return step

    with Odd([]) as server:
        page = probe(pages, make_endpoint(server))
    assert says in page
    assert KEY not in page


def test_an_address_that_is_not_listed_is_not_called(pages, settings, serve):
    settings.ENDPOINT_EGRESS_ALLOW = ""
    server = serve()
    assert "does not allow connections to that address" in probe(pages, make_endpoint(server))
    assert server.requests == []


def test_paused_and_resumed_it_forgets_how_it_failed(pages):
    endpoint = make_endpoint()
    pages.post(reverse("grading:pause_endpoint", args=[endpoint.pk]))
    assert not Endpoint.objects.get().can_be_called
    Endpoint.objects.update(open_for="auth", failing_for="auth", failing_streak=1)
    pages.post(reverse("grading:resume_endpoint", args=[endpoint.pk]))
    found = Endpoint.objects.get()
    assert (found.can_be_called, found.failing_for, found.failing_streak) == (True, "", 0)


def read(pages, endpoint: Endpoint) -> str:
    return str(pages.get(endpoint.get_absolute_url()).content.decode())


def test_an_endpoint_that_asks_to_be_left_alone_says_until_when_and_why_until_it_is_resumed(
    pages, serve, draft
):
    server = serve(steps.rate_limited(retry_after="3000"), box("m g h"))
    endpoint = make_endpoint(server)
    trial = try_on(endpoint, draft)
    [pk] = trial.answers.values_list("pk", flat=True)
    ask_model(pk)
    endpoint.refresh_from_db()
    assert endpoint.can_be_called
    until = f'datetime="{endpoint.closed_until:%Y-%m-%dT%H:%M:%S}'
    trials = reverse("grading:trials", args=[draft.pk])
    for page in (read(pages, endpoint), pages.get(trials).content.decode()):
        assert "The endpoint asks for fewer requests" in page
        assert "No call is made before" in page
        assert until in page
    assert "on hold" in pages.get(reverse("grading:endpoints")).content.decode()

    pages.post(reverse("grading:pause_endpoint", args=[endpoint.pk]))
    pages.post(reverse("grading:resume_endpoint", args=[endpoint.pk]))
    assert "No call is made before" not in read(pages, endpoint)
    # Nothing else is needed: what was put off is due.
    ask_model(pk)
    assert len(server.requests) == 2
    assert r"\boxed{m g h}" in trial.answers.get().response


def test_one_that_asks_for_more_than_an_hour_stops_as_one_whose_quota_is_used_up(
    pages, serve, draft
):
    server = serve(steps.rate_limited(retry_after="86400"), box("m g h"))
    endpoint = make_endpoint(server)
    trial = try_on(endpoint, draft)
    [pk] = trial.answers.values_list("pk", flat=True)
    ask_model(pk)
    endpoint.refresh_from_db()
    assert endpoint.open_for == "closed"
    assert trial.answers.get().failure_reason == "closed"
    page = read(pages, endpoint)
    assert "left alone for longer than an hour" in page
    assert f"{endpoint.closed_until:%Y-%m-%dT%H:%M:%S}" in page
    pages.post(reverse("grading:resume_endpoint", args=[endpoint.pk]))
    endpoint.refresh_from_db()
    assert endpoint.can_be_called
    assert endpoint.closed_until is None


# --- Pages ----------------------------------------------------------------------------------


def test_the_list_takes_as_many_queries_for_three_as_for_one(
    pages, django_assert_num_queries, django_assert_max_num_queries
):
    address = reverse("grading:endpoints")
    assert "Add the first endpoint" in pages.get(address).content.decode()

    def spend(name: str) -> None:
        endpoint = make_endpoint(name=name)
        for model in ("a", "b"):
            calling._spend(endpoint.pk, model, calling.Cost(2, 10))

    spend("one")
    with django_assert_max_num_queries(8) as few:
        answer = pages.get(address)
    [row] = answer.context["endpoints"]
    assert (row.calls_today, row.tokens_today) == (4, 20)
    spend("two")
    spend("three")
    with django_assert_num_queries(len(few.captured_queries)):
        pages.get(address)


def test_a_page_takes_as_many_queries_for_three_days_as_for_one(
    pages, django_assert_num_queries, django_assert_max_num_queries
):
    endpoint = make_endpoint()
    Spending.objects.create(endpoint=endpoint, model="m", day="2026-01-01", calls=1)
    with django_assert_max_num_queries(9) as few:
        pages.get(endpoint.get_absolute_url())
    for day in ("2026-01-02", "2026-01-03"):
        Spending.objects.create(endpoint=endpoint, model="=m", day=day, calls=1)
    with django_assert_num_queries(len(few.captured_queries)):
        pages.get(endpoint.get_absolute_url())
    lines = pages.get(reverse("grading:spending_csv", args=[endpoint.pk])).content.decode().split()
    assert lines[1:] == [
        "2026-01-03,'=m,1,0,0.000000,USD,0",
        "2026-01-02,'=m,1,0,0.000000,USD,0",
        "2026-01-01,m,1,0,0.000000,USD,0",
    ]


def test_no_page_shows_the_key_or_what_encrypts_it(pages):
    endpoint = make_endpoint()
    for address in (
        reverse("grading:endpoints"),
        endpoint.get_absolute_url(),
        reverse("grading:edit_endpoint", args=[endpoint.pk]),
        reverse("admin:grading_endpoint_changelist"),
        reverse("admin:grading_endpoint_change", args=[endpoint.pk]),
    ):
        page = pages.get(address).content.decode()
        assert "An endpoint" in page
        assert KEY not in page
        assert endpoint.key_encrypted not in page


# --- The fake one ---------------------------------------------------------------------------


def test_the_fake_endpoint_gives_answers_of_each_kind_and_the_same_ones_again():
    prompt = write_prompt("A ball falls.", symbols=["$m$", "$g$", "$h$"])
    body = b'{"model": "fake-hasty", "messages": [{"role": "user", "content": "%s"}]}'
    content = prompt.replace("\\", "\\\\").replace("\n", "\\n").encode()
    request = Request("POST", "/v1/chat/completions", {}, body % content)

    def run() -> list[bytes]:
        script = make_script()
        return [script(request).sent for _ in range(60)]

    first = run()
    assert first == run()
    texts = b"\n".join(first)
    for part in (rb"\\boxed{m g h}", rb"\\sqrt{2 m g h}", b"429", b'"length"', b"can\xe2\x80\x99t"):
        assert part in texts, part


def test_the_command_adds_a_plainly_named_endpoint_and_keeps_what_an_admin_set(monkeypatch, capsys):
    def stop(self: FakeEndpoint) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(FakeEndpoint, "serve_forever", stop)
    call_command("fake_endpoint", port=0)
    Endpoint.objects.update(calls_at_once=2, is_active=False)
    call_command("fake_endpoint", port=0)
    endpoint = Endpoint.objects.get()
    assert endpoint.name == "Fake endpoint (made-up answers)"
    assert (endpoint.offered, endpoint.calls_at_once, endpoint.is_active) == ([*MODELS], 2, True)
    assert endpoint.base_url in capsys.readouterr().out
    assert MODEL not in endpoint.offered
