"""
Every reason for which a judgement can be missing: played by an endpoint or by an item, through the
command, with what its rule entails.
"""

from collections.abc import Callable
from typing import Any

import pytest

from grading.demo.fake_endpoint import Request
from grading.demo.fake_replies import FakeReply
from grading.judging.engine.records import STATUSES, RecordStatus
from phybench_grader.judges import Effect, Reason, Retry
from tests.grading.endpoints import steps
from tests.grading.judging.engine.conftest import item, semantic

ATTEMPTS = 4
RATING = {"kind": "rating", "with_reference": False}


def refuse_any_length(request: Request) -> FakeReply:
    """Refuse `max_tokens`, and what is put in its place as well."""
    sent = "max_tokens" if "max_tokens" in request.json else "max_completion_tokens"
    return steps.refuse_parameter(sent)


CALLS: dict[Reason, FakeReply | Callable[[Request], FakeReply]] = {
    Reason.AUTH: steps.wrong_key(),
    Reason.FORBIDDEN: steps.complain(403, "Not from there."),
    Reason.QUOTA_EXHAUSTED: steps.insufficient_quota(),
    Reason.RATE_LIMITED: steps.rate_limited(),
    Reason.CLOSED: steps.rate_limited(retry_after="86400"),
    Reason.MODEL_NOT_FOUND: steps.no_such_model(),
    Reason.BAD_ENDPOINT: steps.redirect(),
    Reason.UNSUPPORTED_PARAM: refuse_any_length,
    Reason.BAD_REQUEST: steps.complain(400, "Malformed."),
    Reason.CONTEXT_OVERFLOW: steps.context_overflow(),
    Reason.CONTENT_FILTERED: steps.filtered(),
    Reason.REFUSAL: steps.refusal(),
    Reason.OVERLOADED: steps.server_error(503),
    Reason.ERROR_IN_200: steps.error_in_200(),
    Reason.PROVIDER_REJECTS_INPUT: steps.server_error(),
    Reason.NOT_JSON: steps.html_200(),
    Reason.RESPONSE_TOO_LARGE: steps.large(9 * 1024**2),
    Reason.DISCONNECTED: steps.reset(),
    Reason.TIMEOUT: steps.complain(408, "Too slow."),
    Reason.TRUNCATED: steps.cut_off(),
    Reason.EMPTY: steps.null_content(),
}
"""What an endpoint does each time."""

REPLIES: dict[Reason, tuple[str, dict[str, Any]]] = {
    Reason.NO_VERDICT: ("I find it right.", {}),
    Reason.INVALID_JSON: ('{"is_correct": tru', {}),
    Reason.SCHEMA: ('{"is_correct": "perhaps", "id": "TOKEN"}', {}),
    Reason.CONFLICTING_VERDICTS: ("Rating: [[3]]\nRating: [[9]] TOKEN", RATING),
    Reason.UNTIED: ('{"is_correct": true}', {}),
    Reason.OUT_OF_RANGE: ("[[11]]", RATING),
    Reason.AMBIGUOUS: ("[[7-8]]", RATING),
}
"""What a judge says each time, and the configuration it is asked in."""

ITEMS: dict[Reason, tuple[dict[str, Any], dict[str, Any]]] = {
    Reason.MISSING_REFERENCE: ({"ground_truth": None}, {}),
    Reason.MISSING_TURN: ({}, {**RATING, "turns": 2}),
    Reason.TOO_MANY_TURNS: (
        {"question": None, "response": None, "turns": [{"question": "Q?", "response": "A."}] * 2},
        RATING,
    ),
    Reason.TOO_MANY_REFERENCES: ({"ground_truth": ["41", "42"]}, {}),
    Reason.NO_PROMPT: ({"language": "zh"}, {**RATING, "language": "by_item"}),
    Reason.RESPONSE_ERRORED: ({"response": None}, {}),
    Reason.SELF_JUDGE: ({"model": "fake-judge"}, {}),
    Reason.BUDGET: ({}, {"limits": {"calls": 0}}),
}
"""What is lacking in an item or in a run."""

SHOWN_ELSEWHERE = {
    Reason.SERVER_ERROR,  # below, since a third is the input's
    Reason.DEADLINE,  # below, with a time of its own
    Reason.CONNECT,  # below, with no server
    Reason.TLS,
    Reason.EGRESS_DENIED,  # in test_failures
    Reason.DNS,  # in endpoints/test_wire, with a resolver: no name is looked up here
    Reason.POSITION_INCONSISTENT,  # in test_kinds_and_modes, as is what follows
    Reason.NO_CONSENSUS,
    Reason.UNDECIDED,
    Reason.CANCELLED,  # in test_resuming
    Reason.BAD_ITEM,  # in test_mixed_files, beside one that is judged
}
TIMES = {
    Retry.NO: 1,
    Retry.ONCE: 2,
    Retry.REMINDED: 2,
    Retry.ADAPTED: 2,
    Retry.TWICE: 3,
    Retry.YES: ATTEMPTS,
}
"""How often a question is asked by the rule of its reason."""
ASKED_OTHERWISE = {
    # One call that was adapted once.
    Reason.UNSUPPORTED_PARAM: 2,
    # It is known by the third of its kind.
    Reason.PROVIDER_REJECTS_INPUT: 3,
}


def test_every_reason_is_played():
    played = {*CALLS, *REPLIES, *ITEMS}
    assert played | SHOWN_ELSEWHERE == set(Reason)
    assert played & SHOWN_ELSEWHERE == set()


def judge(files, serve, step, **fields):
    server = serve(step if callable(step) else lambda request: step)
    limits = {"attempts": ATTEMPTS, **fields.pop("limits", {})}
    files.configure(server, limits=limits, **fields)
    files.list_items(item(1))
    files.judge()
    [record] = files.records()
    return record, len(server.requests)


@pytest.mark.parametrize("reason", CALLS)
def test_a_call_that_fails_is_made_again_and_ends_as_its_rule_says(files, serve, reason):
    record, asked = judge(files, serve, CALLS[reason])
    rule = reason.rule
    assert (record["unscored_reason"], record["verdict"]) == (reason.value, None)
    assert record["status"] == STATUSES[rule.effect]
    assert asked == ASKED_OTHERWISE.get(reason, TIMES[rule.retry])


@pytest.mark.parametrize("reason", REPLIES)
def test_a_reply_of_no_use_is_asked_for_once_more(files, serve, reason):
    said, fields = REPLIES[reason]
    record, asked = judge(files, serve, lambda request: steps.answer(request, said), **fields)
    assert (record["unscored_reason"], record["status"]) == (reason.value, RecordStatus.UNSCORED)
    assert asked == TIMES[reason.rule.retry] == 2


@pytest.mark.parametrize("reason", ITEMS)
def test_what_is_lacking_costs_no_call(files, serve, reason):
    row, fields = ITEMS[reason]
    server = serve(semantic)
    files.configure(server, **fields)
    files.list_items(item(1, **row))
    files.judge()
    assert files.column("status", "unscored_reason") == [
        (STATUSES[reason.rule.effect], reason.value)
    ]
    assert server.requests == []


def test_an_error_of_the_endpoints_is_its_own_until_the_third_time(files, serve):
    record, asked = judge(files, serve, steps.server_error(), limits={"attempts": 2})
    assert (record["unscored_reason"], asked) == ("server_error", 2)


def test_a_response_that_never_ends_is_asked_for_three_times(files, serve):
    record, asked = judge(files, serve, steps.drip(0.02), limits={"seconds_per_call": 0.2})
    assert (record["unscored_reason"], asked) == ("deadline", TIMES[Reason.DEADLINE.rule.retry])


def test_where_nobody_listens_or_speaks_tls_no_verdict_comes(files, serve):
    server = serve(semantic)
    server.__exit__(None, None, None)
    files.configure(server, limits={"attempts": ATTEMPTS})
    files.list_items(item(1))
    files.judge()
    assert files.column("unscored_reason", "attempts") == [("connect", ATTEMPTS)]

    spoken = serve(semantic)
    files.configure(base_url=str(spoken.base_url).replace("http:", "https:"), model="fake-judge")
    files.judge("--fresh")
    assert files.column("status", "unscored_reason") == [("pending", "tls")]
    assert Reason.TLS.rule.effect is Effect.FAIL_RUN
