"""
Calling models at any endpoint that speaks as OpenAI's does: no Django, no database.

`ChatClient` makes one attempt and returns a `Reply` or raises an `EndpointError` with one of the
reasons in `RULES`. What comes of a failure, when the next attempt is made, how fast and at what
cost are pure rules over values that the caller keeps. See docs/endpoints.md.
"""

from grading.endpoints.addresses import Egress
from grading.endpoints.base_url import BadURL, BaseURL
from grading.endpoints.breaker import Breaker
from grading.endpoints.budget import (
    Allowance,
    Budget,
    Cost,
    Exhausted,
    Prices,
    cost_of,
    estimate_cost,
)
from grading.endpoints.client import ChatClient
from grading.endpoints.errors import EndpointError
from grading.endpoints.keys import (
    APIKey,
    Keyring,
    KeyringError,
    generate_field_key,
    must_clear_key,
    scrub,
)
from grading.endpoints.limiter import Admitted, InMemory, Kept, Limiter, LimiterState, Rate
from grading.endpoints.negotiation import Capabilities
from grading.endpoints.pace import attempt, estimate_tokens
from grading.endpoints.replies import Exchange, Message, Parameters, Reply, Usage
from grading.endpoints.retries import CallFailure, GiveUp, Policy, Wait, decide
from grading.endpoints.wire import Limits
from phybench_grader.judges.call_reasons import RULES, Cause, CauseRule, Consequence

__all__ = [
    "RULES",
    "APIKey",
    "Admitted",
    "Allowance",
    "BadURL",
    "BaseURL",
    "Breaker",
    "Budget",
    "CallFailure",
    "Capabilities",
    "Cause",
    "CauseRule",
    "ChatClient",
    "Consequence",
    "Cost",
    "Egress",
    "EndpointError",
    "Exchange",
    "Exhausted",
    "GiveUp",
    "InMemory",
    "Kept",
    "Keyring",
    "KeyringError",
    "Limiter",
    "LimiterState",
    "Limits",
    "Message",
    "Parameters",
    "Policy",
    "Prices",
    "Rate",
    "Reply",
    "Usage",
    "Wait",
    "attempt",
    "cost_of",
    "decide",
    "estimate_cost",
    "estimate_tokens",
    "generate_field_key",
    "must_clear_key",
    "scrub",
]
