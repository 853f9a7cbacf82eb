"""
What the judges' codes mean in the reader's language: flags, doubts, rules, reasons and the like.

The pure core keeps codes, and so do rows and CSVs; pages show these words. A test holds that none
is missing. The whole sentences that rows keep are translated by `grading/sentences.py`.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from grading.judges import Flag, Reason
from grading.judges.kinds import KINDS
from grading.judges.kinds.kind import JudgeKind

FLAGS: dict[Flag, Promise] = {
    Flag.NON_INTEGER: _("the rating is no whole number"),
    Flag.LENIENT_PARSE: _("the rating was written loosely"),
    Flag.FALLBACK_PARSE: _("the rating stood without its brackets"),
    Flag.MULTIPLE_RATINGS: _("it named several ratings; the last counts"),
    Flag.INJECTION_SUSPECTED: _("the answer may speak to the judge"),
    Flag.FENCED: _("its reply stood in a code block"),
    Flag.SURROUNDED: _("its reply stood amid other text"),
    Flag.LATEX_REPAIRED: _("LaTeX in its reply was put right"),
    Flag.JSON_REPAIRED: _("the form of its reply was put right"),
    Flag.REPEATED_VERDICT: _("it gave the same verdict several times"),
    Flag.COERCED: _("a field had another type than was asked for"),
    Flag.ID_MISMATCH: _("it sent another item’s number back"),
    Flag.ID_MISSING: _("it did not send the item’s number back"),
    Flag.SCORE_MISSING: _("it gave no score of the reasoning"),
    Flag.ERROR_TYPE_MISSING: _("it did not name the kind of error"),
    Flag.INCONSISTENT: _("its verdict and its score contradict each other"),
    Flag.TRUNCATED_AFTER_VERDICT: _("its reply was cut off after the verdict"),
    Flag.OVERALL_IGNORED: _("its own overall score was passed over"),
    Flag.CANDIDATE_CUT: _("the answer was too long, and was sent without its middle"),
    Flag.RESPONSE_CUT_OFF: _("the response breaks off while it is thinking"),
    Flag.UNFENCED: _("the prompt does not set the answer apart: it is for answers that one trusts"),
    Flag.SAME_FAMILY: _("judge and solver are of one family of models"),
    Flag.STAGES_DISAGREE: _("the rules and the model disagree"),
}
DOUBTS: dict[str, Promise] = {
    "VOTES_DISAGREE": _("the votes differ"),
    "GRADER_DISAGREES": _("the grader says otherwise"),
    "GRADER_COULD_NOT_READ": _("the grader could not read what the judge calls right"),
}
"""What speaks for caution once a verdict stands beside others; flags and reasons can as well."""
REASONS: dict[Reason, Promise] = {
    Reason.AUTH: _("the endpoint does not accept the key"),
    Reason.FORBIDDEN: _("the endpoint forbids it"),
    Reason.QUOTA_EXHAUSTED: _("the endpoint’s credit is used up"),
    Reason.RATE_LIMITED: _("the endpoint asks for fewer calls"),
    Reason.MODEL_NOT_FOUND: _("the endpoint does not know the model"),
    Reason.BAD_ENDPOINT: _("nothing at that address answers"),
    Reason.UNSUPPORTED_PARAM: _("the endpoint refuses a parameter"),
    Reason.BAD_REQUEST: _("the endpoint calls the request wrong"),
    Reason.CONTEXT_OVERFLOW: _("the text is too long for the model"),
    Reason.CONTENT_FILTERED: _("the provider’s filter stopped it"),
    Reason.REFUSAL: _("the model refused"),
    Reason.SERVER_ERROR: _("the endpoint had an error"),
    Reason.OVERLOADED: _("the endpoint was overloaded"),
    Reason.ERROR_IN_200: _("the endpoint sent no completion"),
    Reason.PROVIDER_REJECTS_INPUT: _("the endpoint fails on this text each time"),
    Reason.CONNECT: _("no connection could be made"),
    Reason.TLS: _("the endpoint’s certificate is not good"),
    Reason.DNS: _("the endpoint’s name has no address"),
    Reason.DISCONNECTED: _("the connection broke"),
    Reason.TIMEOUT: _("the endpoint was silent for too long"),
    Reason.DEADLINE: _("the reply took too long"),
    Reason.EGRESS_DENIED: _("this installation does not connect there"),
    Reason.RESPONSE_TOO_LARGE: _("the reply was too large"),
    Reason.NOT_JSON: _("what came was no reply of a model"),
    Reason.TRUNCATED: _("the reply was cut off"),
    Reason.EMPTY: _("the reply was empty"),
    Reason.NO_VERDICT: _("the reply held no verdict"),
    Reason.INVALID_JSON: _("the reply could not be read"),
    Reason.SCHEMA: _("the reply lacked a field"),
    Reason.OUT_OF_RANGE: _("the verdict lay outside of the scale"),
    Reason.AMBIGUOUS: _("the verdict could be read in several ways"),
    Reason.CONFLICTING_VERDICTS: _("the reply held verdicts that differ"),
    Reason.POSITION_INCONSISTENT: _("the judge changed its mind with the order"),
    Reason.NO_CONSENSUS: _("the judges were evenly split"),
    Reason.UNDECIDED: _("the rules could not decide"),
    Reason.MISSING_REFERENCE: _("there is no reference"),
    Reason.MISSING_TURN: _("there is no second turn"),
    Reason.RESPONSE_ERRORED: _("there is no response"),
    Reason.SELF_JUDGE: _("a model may not judge itself"),
    Reason.BUDGET: _("the budget is spent"),
    Reason.CANCELLED: _("the run was stopped"),
}
OF_RUNS: dict[str, Promise] = {
    "worker_lost": _("its workers were stopped"),
    "judge_error": _("an error of ours"),
    "person": _("by a person"),
    "changed": _("our code has changed"),
    "endpoint_moved": _("the endpoint has moved"),
    "endpoint_paused": _("the endpoint is stopped"),
    "key_unreadable": _("the endpoint’s key can’t be read"),
    "budget_calls": _("the calls are spent"),
    "budget_tokens": _("the tokens are spent"),
    "budget_money": _("the money is spent"),
}
"""Why an item ended or a run paused, of what the pure core knows nothing."""
RULES: dict[str, Promise] = {
    "boxed": _("the last box"),
    "open_box": _("a box that is not closed"),
    "answer_tag": _("the last <answer>"),
    "phrase": _("the last “the answer is”"),
    "label": _("the last “Answer:”"),
    "whole": _("the whole response"),
    "last_line": _("the last line"),
    "no_statement": _("no answer was found"),
    "no_answer": _("nothing follows the thinking"),
    "truncated": _("the response breaks off in its thinking"),
}
"""Where the rules found an answer, or why nowhere."""
OUTCOMES: dict[str, Promise] = {
    "match": _("match"),
    "mismatch": _("mismatch"),
    "undecided": _("undecided"),
}
UNDECIDED: dict[str, Promise] = {
    "too_long": _("the response is too long"),
    "no_statement": _("no answer was found"),
    "unclear_thinking": _("it is not clear where the thinking ends"),
    "too_many_statements": _("too many answers are stated"),
    "chat_token": _("the response holds the marks of a chat"),
    "struck_out": _("something is struck out"),
    "framed": _("a heading calls it an example, a draft or wrong"),
    "question": _("the answer is put as a question"),
    "unfinished": _("the sentence with the answer breaks off"),
    "open_box": _("the box with the answer is not closed"),
    "leads_elsewhere": _("what leads to the answer is not understood"),
    "quotation": _("the answer is quoted"),
    "negation": _("something is denied beside the answer"),
    "hedge": _("the answer is hedged"),
    "condition": _("the answer depends on a condition"),
    "attribution": _("the answer may be somebody else’s"),
    "correction": _("the answer may be taken back"),
    "goes_on": _("the response goes on after the answer"),
    "empty_statement": _("the last statement of an answer is empty"),
    "several_statements": _("several answers are stated"),
    "names_another": _("another answer is named beside it"),
    "words": _("words stand among the letters"),
    "unreadable": _("the answer can’t be read as one of this kind"),
    "exclamation": _("an exclamation mark, or a factorial, follows the number"),
    "ambiguous_number": _("the number can be read in two ways"),
    "nearly_equal": _("the number is nearly the ground truth"),
    "power_of_ten": _("the number is off by a power of ten"),
    "not_set_as_mathematics": _("the answer is not set as mathematics"),
    "relation": _("the answer is a relation"),
    "other_words": _("the answer is not the ground truth word for word"),
    "symbolic": _("the symbolic grader could not decide"),
}
"""Why the rules left a response undecided."""
PATHS: dict[str, Promise] = {
    "json": _("JSON and nothing else"),
    "fenced": _("JSON in a code block"),
    "scanned": _("JSON amid other text"),
    "vote": _("the majority of the votes"),
    "median": _("the median of the votes"),
    **{path: _(words) for kind in KINDS.values() for path, words in kind.paths.items()},
}
"""How a reply was read, or several were joined."""
PURPOSES: dict[str, Promise] = {
    "first": _("first asked"),
    "retry": _("tried again"),
    "more_room": _("asked again with more room"),
    "reminder": _("reminded of the form"),
}
"""Why a call was made."""
_ALL: dict[str, Promise] = {
    **{str(code): words for code, words in REASONS.items()},
    **OF_RUNS,
    **{str(code): words for code, words in FLAGS.items()},
    **DOUBTS,
}
"""Flags are in capitals and reasons are not, so that no code is in two of these."""


def say(code: str) -> str:
    """Say what a flag, a doubt or a reason means; one that is no more is shown by its code."""
    return _look_up(_ALL, code)


def say_path(path: str) -> str:
    """Say how a verdict was read, or which rule it is from."""
    if path.startswith("rule:"):
        return _look_up(RULES, path.removeprefix("rule:"))
    return _look_up(PATHS | RULES, path)


def say_rule(rule: Mapping[str, str]) -> str:
    """
    Say what the rules made of a response: outcome, where, and why they did not decide.

    >>> from django.utils.translation import override
    >>> with override("en"):
    ...     say_rule({"outcome": "undecided", "rule": "boxed", "reason": "hedge"})
    'undecided: the last box; the answer is hedged'
    """
    where, why = rule.get("rule") or "", rule.get("reason") or ""
    parts = [_look_up(RULES, where)] if where else []
    if why and why != where:
        parts.append(_look_up(UNDECIDED, why))
    outcome = _look_up(OUTCOMES, rule.get("outcome") or "")
    return f"{outcome}: {'; '.join(parts)}" if parts else outcome


def say_purpose(purpose: str) -> str:
    return _look_up(PURPOSES, purpose)


def name_kinds(are_meant: Callable[[JudgeKind[Any]], bool]) -> str:
    """
    Name those kinds of judges in a sentence.

    >>> from django.utils.translation import override
    >>> with override("en"):
    ...     name_kinds(lambda kind: not kind.needs_reference)
    'rating judge and the pairwise judge'
    """
    names = [__(kind.name) for kind in KINDS.values() if are_meant(kind)]
    return reduce(
        lambda first, other: __("%(first)s and the %(other)s") % {"first": first, "other": other},
        names,
    )


def _look_up(words: Mapping[str, Promise], code: str) -> str:
    return str(words.get(code, code))
