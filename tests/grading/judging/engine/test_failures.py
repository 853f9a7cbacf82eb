"""What fails is missing with its reason, and is tried again where that may help."""

import json
import logging
import time

import pytest

from grading.demo.fake_judge import read_token
from tests.grading.endpoints import steps
from tests.grading.judging.engine.conftest import count_asked, each_time, item, semantic

KEY = "sk-test-0123456789abcdefwxyz"
NO_NAMES = ("SECRET_KEY", KEY)
AGAIN = "Then run the same command again to continue."
ANEW = "That makes another configuration: run the command with another --output, or with --fresh."


@pytest.mark.parametrize(
    ("first", "purposes"),
    [
        (steps.rate_limited(), ["first", "retry"]),
        (steps.rate_limited(retry_after="0.05"), ["first", "retry"]),
        (steps.server_error(), ["first", "retry"]),
        (steps.server_error(503), ["first", "retry"]),
        (steps.error_in_200(), ["first", "retry"]),
        (steps.no_choices(), ["first", "retry"]),
        (steps.html_200(), ["first", "retry"]),
        (steps.reset(), ["first", "retry"]),
        (steps.close_early(), ["first", "retry"]),
        (steps.null_content(), ["first", "reminder"]),
        (steps.ok("I find it right."), ["first", "reminder"]),
        (steps.two_jsons(), ["first", "reminder"]),
        (steps.cut_off(), ["first", "more_room"]),
    ],
)
def test_what_may_go_better_is_tried_again_and_every_call_is_kept(files, serve, first, purposes):
    files.configure(serve(each_time(first, semantic)))
    files.list_items(item(1))

    done = files.judge()

    assert files.column("status", "attempts", "calls") == [("scored", 2, 2)]
    assert [call["purpose"] for call in files.calls()] == purposes
    assert files.calls()[0]["parsed"]["reason"] is not None
    assert (done.status, done.summary["calls"]) == (0, 2)


def test_while_an_endpoint_is_to_be_left_alone_it_is_said_once_until_when_and_why(files, serve):
    asked = iter([steps.rate_limited(retry_after="3")] * 2)
    files.configure(serve(lambda request: next(asked, None) or semantic(request)))
    files.list_items(item(1), item(2))

    done = files.judge("--at-once", 2)

    assert (done.status, files.column("status")) == (0, ["scored", "scored"])
    [said] = [line for line in done.err.splitlines() if "No call is made before" in line]
    assert "The endpoint asks for fewer requests" in said
    assert said.startswith("127.0.0.1:")


def test_an_endpoint_that_is_to_be_left_alone_for_a_day_ends_the_run_and_it_is_said_until_when(
    files, serve
):
    server = serve(lambda _request: steps.rate_limited(retry_after="86400"))
    files.configure(server)
    files.list_items(item(1), item(2))

    done = files.judge("--at-once", 1)

    assert len(server.requests) == 1
    assert done.status == 1
    assert "left alone for longer than an hour" in done.err
    assert "No call is made before" in done.err
    assert set(files.column("status")) == {"pending"}


@pytest.mark.parametrize(
    ("step", "reason", "calls"),
    [
        (steps.refusal(), "refusal", 1),
        (steps.filtered(), "content_filtered", 1),
        (steps.context_overflow(), "context_overflow", 1),
        (steps.complain(400, "Malformed."), "bad_request", 1),
        (steps.html_200(), "not_json", 2),
        (steps.ok("I find it right."), "no_verdict", 2),
        (steps.ok('{"is_correct": "perhaps"}'), "untied", 2),
        (steps.cut_off(), "truncated", 2),
        (steps.server_error(), "provider_rejects_input", 3),
        (steps.server_error(503), "overloaded", 3),
    ],
)
def test_what_does_not_go_better_is_unscored_with_its_reason(files, serve, step, reason, calls):
    server = serve(each_time(step))
    files.configure(server, limits={"attempts": 3})
    files.list_items(item(1))

    done = files.judge()

    [record] = files.records()
    assert (record["status"], record["verdict"]) == ("unscored", None)
    assert (record["unscored_reason"], record["calls"]) == (reason, calls)
    assert record["message"].endswith(".")
    assert (done.status, done.summary["reasons"]) == (1, {reason: 1})
    assert (done.summary["mean"], done.summary["lowest_mean"]) == (None, 0.0)


def test_a_reminder_shows_the_judge_what_it_said(files, serve):
    server = serve(each_time(steps.ok("I find it right."), semantic))
    files.configure(server)
    files.list_items(item(1))
    files.judge()
    roles = [message["role"] for message in server.requests[1].json["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert server.requests[1].json["messages"][2]["content"] == "I find it right."


def test_a_reply_that_was_cut_off_gets_twice_the_room(files, serve):
    server = serve(each_time(steps.cut_off(), semantic))
    files.configure(server, parameters={"max_tokens": 100})
    files.list_items(item(1))
    files.judge()
    assert [request.json["max_tokens"] for request in server.requests] == [100, 200]


@pytest.mark.parametrize("second", [semantic, steps.refusal(), steps.ok("Hm.")])
def test_a_verdict_that_contradicts_its_score_is_asked_about_once_and_then_stands(
    files, serve, second
):
    def contradict(request):
        return semantic(request, reasoning_score=1)

    server = serve(each_time(contradict, contradict if second is semantic else second))
    files.configure(server)
    files.list_items(item(1))

    files.judge()

    [record] = files.records()
    assert (record["verdict"]["is_correct"], record["verdict"]["reasoning_score"]) == (True, None)
    assert record["flags"] == ["INCONSISTENT"]
    assert len(server.requests) == 2


def test_a_refused_parameter_is_left_out_for_all_that_follows(files, serve):
    def answer(request):
        if "temperature" in request.json:
            return steps.refuse_parameter("temperature")
        return semantic(request)

    server = serve(answer)
    files.configure(server)
    files.list_items(item(1), item(2))
    files.judge("--at-once", 1)
    assert files.column("status", "attempts", "calls") == [("scored", 1, 2), ("scored", 1, 1)]
    assert len(files.calls()[0]["exchanges"]) == 2


@pytest.mark.parametrize(
    ("step", "reason", "asked"),
    [
        (steps.wrong_key(), "auth", 1),
        (steps.complain(403, "No."), "forbidden", 1),
        (steps.insufficient_quota(), "quota_exhausted", 1),
        (steps.no_such_model(), "model_not_found", 1),
        (steps.not_found(), "bad_endpoint", 1),
        (steps.redirect(), "bad_endpoint", 1),
        # Twice for each of two, and once for the third: five in a row.
        (steps.html_200(), "not_json", 5),
    ],
)
def test_an_endpoint_that_fails_for_all_is_asked_no_more_and_the_rest_waits(
    files, serve, step, reason, asked
):
    server = serve(each_time(step))
    files.configure(server)
    files.list_items(*(item(number) for number in range(9)), item(9, response="The answer is 7."))

    done = files.judge("--at-once", 1)

    assert len(server.requests) == asked
    assert set(files.column("unscored_reason")) == {reason, None}
    assert "pending" in files.column("status")
    # What the rules can decide needs no endpoint.
    assert files.column("status")[9] == "scored"
    assert done.status == 1
    assert "The run ended early: " in done.err


def test_what_waits_is_judged_once_the_endpoint_is_well_again(files, serve):
    ill, well = serve(steps.wrong_key()), serve(semantic)
    files.configure(ill)
    files.list_items(item(1), item(2))
    files.judge("--at-once", 1)
    # The same address, since another endpoint would be another configuration.
    ill._script = well._script
    assert files.judge().status == 0
    assert files.column("status") == ["scored", "scored"]


def test_an_address_that_is_not_listed_is_not_called(files, serve):
    server = serve(semantic)
    files.configure(server)
    files.list_items(item(1))
    done = files.judge("--allow", "")
    assert done.status == 1
    assert "In detail: 127.0.0.1 is neither public nor listed." in done.err
    assert "--allow 127.0.0.0/8" in done.err
    assert files.column("status", "unscored_reason") == [("pending", "egress_denied")]
    assert server.requests == []


# --- What it may spend -----------------------------------------------------------------------


@pytest.mark.parametrize("at_once", [1, 8])
@pytest.mark.parametrize(
    ("fields", "least", "most"),
    [
        ({"limits": {"calls": 7}}, 7, 7),
        # A call is taken to need some 0.0013 and needs 0.00012: calls that are under way must not
        # end the run for those that could still be paid for after them.
        ({"limits": {"money": "0.0025"}, "prices": {"prompt": "1"}}, 8, 14),
    ],
)
def test_a_run_ends_with_its_budget_and_the_rest_waits(files, serve, fields, least, most, at_once):
    server = serve(semantic)
    files.configure(server, **fields)
    files.list_items(*(item(number) for number in range(20)))

    done = files.judge("--at-once", at_once)

    scored = done.summary["scored"]
    assert len(server.requests) == scored
    assert least <= scored <= most
    assert done.summary["reasons"] == {"budget": 20 - scored}
    assert done.summary["pending"] == 20 - scored
    assert done.status == 1


def test_a_budget_is_not_had_again_by_starting_again_and_more_of_it_goes_on(files, serve):
    server = serve(each_time(steps.rate_limited(), semantic))
    files.configure(server, limits={"calls": 5})
    files.list_items(*(item(number) for number in range(6)))
    files.judge("--at-once", 1)
    assert len(server.requests) == 5

    assert files.judge().status == 1
    assert len(server.requests) == 5

    files.configure(server, limits={"calls": 100})
    assert files.judge().summary["scored"] == 6
    # The third was cut short between its two calls; its retry needed no third.
    assert len(server.requests) == 12


def test_what_an_endpoint_does_not_tell_is_estimated_and_said_to_be(files, serve):

    def answer(request):
        return steps.no_usage(json.dumps({**steps.VERDICT, "id": read_token(request.prompt)}))

    files.configure(serve(answer), mode="model_only")
    files.list_items(item(1))
    summary = files.judge().summary
    assert summary["estimated_calls"] == 1
    assert summary["tokens"] > 4_000


# --- The key -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "step",
    [
        steps.wrong_key(KEY),
        steps.complain(500, f"Bearer {KEY}"),
        steps.ok(f'{{"is_correct": true, "comment": "{KEY}"}}'),
        steps.refusal(KEY),
        steps.respond(200, f"<p>{KEY}".encode(), "text/html"),
    ],
)
def test_the_key_goes_to_the_endpoint_and_is_written_nowhere(
    files, serve, step, monkeypatch, caplog
):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("JUDGE_KEY_TEST", KEY)
    server = serve(each_time(step))
    files.configure(server)
    files.list_items(item(1))

    done = files.judge("--key-env", "JUDGE_KEY_TEST", "--at-once", 1)

    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}
    written = [path.read_text() for path in files.folder.iterdir()]
    assert [text for text in [*written, done.out, done.err, caplog.text] if KEY in text] == []
    assert [text for text in written if "uthorization" in text] == []


def test_without_being_told_no_key_is_sent(files, serve, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY_TEST", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server = serve(semantic)
    files.configure(server)
    files.list_items(item(1))
    files.judge()
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize(
    ("named", "says"),
    [
        *((name, "name an environment variable that begins with JUDGE_KEY_") for name in NO_NAMES),
        ("JUDGE_KEY_UNSET", "the environment variable JUDGE_KEY_UNSET is not set or is empty."),
        ("JUDGE_KEY_EMPTY", "the environment variable JUDGE_KEY_EMPTY is not set or is empty."),
        ("JUDGE_KEY_UNSET", "for example with “export JUDGE_KEY_UNSET=…”, or leave out --key-env"),
        ("JUDGE_KEY_WORDS", "JUDGE_KEY_WORDS: An API key is one word of printable ASCII"),
        (
            "nobody=JUDGE_KEY_TEST",
            "no judge is called “nobody”. Judges of the configuration: fake-judge.",
        ),
    ],
)
def test_only_variables_for_keys_can_be_named(files, serve, monkeypatch, named, says):
    monkeypatch.setenv("SECRET_KEY", KEY)
    monkeypatch.setenv("JUDGE_KEY_TEST", KEY)
    monkeypatch.setenv("JUDGE_KEY_EMPTY", " ")
    monkeypatch.setenv("JUDGE_KEY_WORDS", f"{KEY} {KEY}")
    server = serve(semantic)
    files.configure(server)
    files.list_items(item(1))
    done = files.judge("--key-env", named)
    assert done.status == 2
    assert done.err.startswith("--key-env: ")
    assert says in done.err
    assert KEY not in done.err
    assert server.requests == []


@pytest.mark.parametrize(
    ("step", "change", "go_on"),
    [
        (steps.wrong_key(), "name that variable with --key-env.", AGAIN),
        (steps.insufficient_quota(), "Top up the account at the provider.", AGAIN),
        (steps.no_such_model(), "Correct “model” in the configuration.", ANEW),
        (steps.not_found(), "Correct “base_url” in the configuration.", ANEW),
    ],
)
def test_a_run_that_ended_early_says_what_to_change_and_how_to_go_on(
    files, serve, step, change, go_on
):
    files.configure(serve(each_time(step)))
    files.list_items(item(1))
    done = files.judge("--at-once", 1)
    assert done.status == 1
    assert f"{change} {go_on}" in done.err


def test_a_run_without_calls_left_says_which_limit_to_raise(files, serve):
    files.configure(serve(semantic), limits={"calls": 1})
    files.list_items(item(1), item(2))
    done = files.judge("--at-once", 1)
    assert "Raise “calls”, “tokens” or “money” under “limits” in the configuration" in done.err
    assert done.err.count(AGAIN) == 1


def test_one_key_is_not_given_to_two_hosts(files, serve, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY_TEST", KEY)
    servers = [serve(semantic), serve(semantic)]
    files.configure(
        judges=[
            {"name": f"j{n}", "base_url": str(one.base_url), "model": "m"}
            for n, one in enumerate(servers)
        ]
    )
    files.list_items(item(1))
    assert files.judge("--key-env", "JUDGE_KEY_TEST").status == 2
    files.judge("--key-env", "j1=JUDGE_KEY_TEST")
    assert ["authorization" in one.requests[0].headers for one in servers] == [False, True]


def test_each_item_is_asked_about_once_where_nothing_fails(files, serve):
    server = serve(semantic)
    files.configure(server)
    files.list_items(*(item(number) for number in range(30)))
    files.judge("--at-once", 8)
    assert set(count_asked(server).values()) == {1}
    assert files.column("id") == list(range(30))


def test_a_run_keeps_to_the_rate_that_it_is_given(files, serve):
    server = serve(semantic)
    # Ten seconds' worth at once, after that one in half a second.
    files.configure(server, limits={"requests_per_minute": 120})
    files.list_items(*(item(number) for number in range(22)))
    started = time.monotonic()
    assert files.judge("--at-once", 8).summary["scored"] == 22
    assert time.monotonic() - started >= 0.9
