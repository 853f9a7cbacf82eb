"""
Why a call gave no reply: one code for each cause, whether to try again, and what it means.

The codes describe the instrument, never the model that is judged: none of them is a score.
"""

from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    AUTH = "auth"
    FORBIDDEN = "forbidden"
    QUOTA_EXHAUSTED = "quota_exhausted"
    RATE_LIMITED = "rate_limited"
    CLOSED = "closed"
    MODEL_NOT_FOUND = "model_not_found"
    BAD_ENDPOINT = "bad_endpoint"
    UNSUPPORTED_PARAM = "unsupported_param"
    BAD_REQUEST = "bad_request"
    CONTEXT_OVERFLOW = "context_overflow"
    CONTENT_FILTERED = "content_filtered"
    REFUSAL = "refusal"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    SERVER_ERROR = "server_error"
    OVERLOADED = "overloaded"
    ERROR_IN_200 = "error_in_200"
    PROVIDER_REJECTS_INPUT = "provider_rejects_input"
    NOT_JSON = "not_json"
    RESPONSE_TOO_LARGE = "response_too_large"
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    DISCONNECTED = "disconnected"
    TIMEOUT = "timeout"
    DEADLINE = "deadline"
    EGRESS_DENIED = "egress_denied"


class Consequence(StrEnum):
    NONE = "tried again, then not scored"
    UNSCORED = "this one is not scored"
    PAUSES = "the endpoint is paused"
    STOPS = "the run is stopped early"


@dataclass(frozen=True, slots=True)
class CauseRule:
    """What follows from a reason."""

    message: str
    """What happened and what to do, for everybody to read: never words of the provider's."""
    retries: int | None
    """How often to try again; None is as often as the policy allows."""
    effect: Consequence
    billed: bool
    """Whether the provider may charge for such a call: a budget counts it as if."""


ANY = None
NONE, UNSCORED, PAUSES, STOPS = (
    Consequence.NONE,
    Consequence.UNSCORED,
    Consequence.PAUSES,
    Consequence.STOPS,
)

RULES: dict[Cause, CauseRule] = {
    Cause.AUTH: CauseRule("The endpoint rejects the API key. Enter a valid one.", 0, PAUSES, False),
    Cause.FORBIDDEN: CauseRule(
        "The endpoint denies access. Ask its provider what the API key may do.", 0, PAUSES, False
    ),
    Cause.QUOTA_EXHAUSTED: CauseRule(
        "The endpoint's credit or quota is used up. Top it up, then resume.", 0, PAUSES, False
    ),
    Cause.RATE_LIMITED: CauseRule(
        "The endpoint asks for fewer requests. We will try again later.", ANY, NONE, False
    ),
    Cause.CLOSED: CauseRule(
        "The endpoint asks to be left alone for longer than an hour. Go on after that.",
        0,
        PAUSES,
        False,
    ),
    Cause.MODEL_NOT_FOUND: CauseRule(
        "The endpoint does not know this model. Check the model's name.", 0, STOPS, False
    ),
    Cause.BAD_ENDPOINT: CauseRule(
        "No chat completions are served at this address. Check the base URL; redirects "
        "are not followed.",
        0,
        STOPS,
        False,
    ),
    Cause.UNSUPPORTED_PARAM: CauseRule(
        "The endpoint rejects a parameter that this configuration needs. Change the configuration.",
        0,
        STOPS,
        False,
    ),
    Cause.BAD_REQUEST: CauseRule(
        "The endpoint calls the request invalid. Its message says what to change.",
        0,
        UNSCORED,
        False,
    ),
    Cause.CONTEXT_OVERFLOW: CauseRule(
        "The text is longer than the model can read. Choose another model or a shorter text.",
        0,
        UNSCORED,
        False,
    ),
    Cause.CONTENT_FILTERED: CauseRule(
        "The provider's filter blocked the text or the reply.", 0, UNSCORED, True
    ),
    Cause.REFUSAL: CauseRule("The model refused to reply.", 0, UNSCORED, True),
    Cause.TRUNCATED: CauseRule(
        "The reply was cut off at its largest length. Allow more tokens.", 1, UNSCORED, True
    ),
    Cause.EMPTY: CauseRule("The reply has no text.", 1, UNSCORED, True),
    Cause.SERVER_ERROR: CauseRule("The endpoint reports an internal error.", ANY, NONE, True),
    Cause.OVERLOADED: CauseRule(
        "The endpoint is overloaded or temporarily down.", ANY, NONE, False
    ),
    Cause.ERROR_IN_200: CauseRule(
        "The endpoint reports success but sent no completion.", ANY, NONE, True
    ),
    Cause.PROVIDER_REJECTS_INPUT: CauseRule(
        "The endpoint fails on this text every time. Try another endpoint for it.",
        0,
        UNSCORED,
        True,
    ),
    Cause.NOT_JSON: CauseRule(
        "The response is not JSON in UTF-8; it is often the page of a gateway. Check the base URL.",
        1,
        UNSCORED,
        True,
    ),
    Cause.RESPONSE_TOO_LARGE: CauseRule(
        "The response is larger than allowed, so we stopped reading it.", 0, UNSCORED, True
    ),
    Cause.DNS: CauseRule(
        "The endpoint's name has no address. Check the base URL.", ANY, NONE, False
    ),
    Cause.CONNECT: CauseRule("We could not connect to the endpoint.", ANY, NONE, False),
    Cause.TLS: CauseRule(
        "The endpoint could not prove its identity. Check its TLS certificate.",
        0,
        STOPS,
        False,
    ),
    Cause.DISCONNECTED: CauseRule(
        "The connection broke, or was not HTTP, before the response was complete.",
        ANY,
        NONE,
        True,
    ),
    Cause.TIMEOUT: CauseRule("The endpoint did not respond for too long.", 2, UNSCORED, True),
    Cause.DEADLINE: CauseRule(
        "The response was not complete within the time for one call.", 2, UNSCORED, True
    ),
    Cause.EGRESS_DENIED: CauseRule(
        "This installation does not allow connections to that address. The person who "
        "runs it can allow the address.",
        0,
        STOPS,
        False,
    ),
}
"""Every reason, in the order in which the documentation lists them."""
