"""
Why a judgement is missing: every code, whether another try may help, and what it does to the run.

The codes describe the instrument, never the answer that was to be judged: a missing judgement is
no score. Those of a call that failed are the client's (`call_reasons`), and so is what they entail;
those of a reply, of an item and of a run are ours.
"""

from dataclasses import dataclass
from enum import StrEnum

from phybench_grader.judges import call_reasons as endpoints


class Retry(StrEnum):
    """Whether the same call is made again."""

    NO = "NO"
    ONCE = "ONCE"
    TWICE = "TWICE"
    YES = "YES"
    """As often as the attempts and the time of the judgement allow."""
    ADAPTED = "ADAPTED"
    """Once, without what the endpoint would not take, or with a larger cap."""
    REMINDED = "REMINDED"
    """Once, with a reminder of the form that was asked for."""
    RESUME = "RESUME"
    """When the run goes on."""


class Effect(StrEnum):
    """What becomes of the judgement, or of more than it, when no try is left."""

    UNSCORED = "UNSCORED"
    """It is counted as missing, with its reason."""
    SKIPPED = "SKIPPED"
    """It was not asked for, and is shown as such."""
    PENDING = "PENDING"
    """It waits for the run to go on."""
    PAUSE_ENDPOINT = "PAUSE_ENDPOINT"
    """Every further call to the endpoint would fail as well."""
    FAIL_RUN = "FAIL_RUN"
    """The run is set up wrongly, and says so before it spends more."""


@dataclass(frozen=True, slots=True)
class ReasonRule:
    """What one reason entails, and the sentence that a person reads."""

    retry: Retry
    effect: Effect
    message: str


class Reason(StrEnum):
    """Why there is no judgement."""

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
    SERVER_ERROR = "server_error"
    OVERLOADED = "overloaded"
    ERROR_IN_200 = "error_in_200"
    PROVIDER_REJECTS_INPUT = "provider_rejects_input"
    CONNECT = "connect"
    TLS = "tls"
    DNS = "dns"
    DISCONNECTED = "disconnected"
    TIMEOUT = "timeout"
    DEADLINE = "deadline"
    EGRESS_DENIED = "egress_denied"
    RESPONSE_TOO_LARGE = "response_too_large"
    NOT_JSON = "not_json"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    NO_VERDICT = "no_verdict"
    INVALID_JSON = "invalid_json"
    SCHEMA = "schema"
    OUT_OF_RANGE = "out_of_range"
    AMBIGUOUS = "ambiguous"
    CONFLICTING_VERDICTS = "conflicting_verdicts"
    UNTIED = "untied"
    POSITION_INCONSISTENT = "position_inconsistent"
    NO_CONSENSUS = "no_consensus"
    UNDECIDED = "undecided"
    MISSING_REFERENCE = "missing_reference"
    MISSING_TURN = "missing_turn"
    TOO_MANY_TURNS = "too_many_turns"
    TOO_MANY_REFERENCES = "too_many_references"
    NO_PROMPT = "no_prompt"
    BAD_ITEM = "bad_item"
    RESPONSE_ERRORED = "response_errored"
    SELF_JUDGE = "self_judge"
    BUDGET = "budget"
    CANCELLED = "cancelled"

    @property
    def rule(self) -> ReasonRule:
        return RULES[self]

    @property
    def message(self) -> str:
        """Say in a sentence what happened, and what to do where something can be done."""
        return RULES[self].message


def _unscored(retry: Retry, message: str) -> ReasonRule:
    return ReasonRule(retry, Effect.UNSCORED, message)


def _adopt(rule: endpoints.CauseRule) -> ReasonRule:
    """Say in our words what a failed call entails for a judgement."""
    retry = {0: Retry.NO, 1: Retry.ONCE, 2: Retry.TWICE}
    effect = {
        endpoints.Consequence.PAUSES: Effect.PAUSE_ENDPOINT,
        endpoints.Consequence.STOPS: Effect.FAIL_RUN,
    }
    return ReasonRule(
        Retry.YES if rule.retries is None else retry[rule.retries],
        effect.get(rule.effect, Effect.UNSCORED),
        rule.message,
    )


RULES: dict[Reason, ReasonRule] = {
    **{Reason(code.value): _adopt(rule) for code, rule in endpoints.RULES.items()},
    Reason.TRUNCATED: _unscored(
        Retry.ADAPTED, "The reply was cut off before its verdict: allow more tokens."
    ),
    Reason.EMPTY: _unscored(Retry.REMINDED, "The reply was empty."),
    Reason.NO_VERDICT: _unscored(Retry.REMINDED, "The reply contains no verdict."),
    Reason.INVALID_JSON: _unscored(Retry.REMINDED, "The reply is not valid JSON."),
    Reason.SCHEMA: _unscored(Retry.REMINDED, "A field of the reply is missing or unusable."),
    Reason.OUT_OF_RANGE: _unscored(Retry.REMINDED, "The verdict is outside the scale."),
    Reason.AMBIGUOUS: _unscored(Retry.REMINDED, "The verdict can be read in several ways."),
    Reason.CONFLICTING_VERDICTS: _unscored(
        Retry.REMINDED, "The reply contains several different verdicts."
    ),
    Reason.UNTIED: _unscored(
        Retry.REMINDED,
        "The reply does not bear the code of its call, so its verdict may be one that it quotes.",
    ),
    Reason.POSITION_INCONSISTENT: _unscored(
        Retry.NO,
        "The judge preferred a position, not a solution: its verdict changed with the order.",
    ),
    Reason.NO_CONSENSUS: _unscored(Retry.NO, "The judges are evenly split: a person has to rule."),
    Reason.UNDECIDED: _unscored(Retry.NO, "The rules could not decide, and no model was asked."),
    Reason.MISSING_REFERENCE: ReasonRule(
        Retry.NO,
        Effect.SKIPPED,
        "The judge compares with a reference answer for each turn, and one is missing: add it.",
    ),
    Reason.MISSING_TURN: ReasonRule(
        Retry.NO,
        Effect.SKIPPED,
        "The chat has fewer turns than the judge looks at: add the others, or change “turns”.",
    ),
    Reason.TOO_MANY_TURNS: ReasonRule(
        Retry.NO,
        Effect.SKIPPED,
        "The chat has more turns than the judge looks at: choose another judge or more turns, or"
        " leave this chat out.",
    ),
    Reason.TOO_MANY_REFERENCES: ReasonRule(
        Retry.NO,
        Effect.SKIPPED,
        "The item has more reference answers than turns, and each turn is judged by one: keep the"
        " one that counts.",
    ),
    Reason.NO_PROMPT: ReasonRule(
        Retry.NO,
        Effect.SKIPPED,
        "The judge has no prompt in the language of this item: choose one language of the prompt"
        " for all items, such as English.",
    ),
    Reason.BAD_ITEM: ReasonRule(
        Retry.NO, Effect.SKIPPED, "The item can't be understood: correct it in the file."
    ),
    Reason.RESPONSE_ERRORED: ReasonRule(
        Retry.NO,
        Effect.SKIPPED,
        "There is no response to judge: the call to the solver failed, or the item has no"
        " “response”. Add it, or leave the item out.",
    ),
    Reason.SELF_JUDGE: ReasonRule(
        Retry.NO, Effect.SKIPPED, "A model may not judge itself: choose another judge."
    ),
    Reason.BUDGET: ReasonRule(
        Retry.RESUME, Effect.PENDING, "The run's budget is used up: raise it, then resume."
    ),
    Reason.CANCELLED: ReasonRule(Retry.RESUME, Effect.PENDING, "The run was stopped: resume it."),
}
"""Every reason with what it entails."""
