"""
What the judges' codes mean in the reader's language: flags, doubts, rules, reasons and the like.

The pure core keeps codes, and so do rows and CSVs; pages show these words. A test holds that none
is missing. The whole sentences that rows keep are translated by `grading/runs/sentences.py`.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from phybench_grader.judges import Flag, Reason
from phybench_grader.judges.canaries import BY_NAME
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.kinds.kind import JudgeKind
from phybench_grader.judges.prompts import PromptLanguage

FLAGS: dict[Flag, Promise] = {
    Flag.NON_INTEGER: _("the rating is not an integer"),
    Flag.LENIENT_PARSE: _("the rating was not in the exact form"),
    Flag.FALLBACK_PARSE: _("the rating was without its brackets"),
    Flag.MULTIPLE_RATINGS: _("it gave several ratings; the last one counts"),
    Flag.INJECTION_SUSPECTED: _("the answer may contain instructions to the judge"),
    Flag.FENCED: _("its reply was in a code block"),
    Flag.SURROUNDED: _("its reply was among other text"),
    Flag.LATEX_REPAIRED: _("LaTeX in its reply was corrected"),
    Flag.JSON_REPAIRED: _("the form of its reply was corrected"),
    Flag.REPEATED_VERDICT: _("it gave the same verdict several times"),
    Flag.COERCED: _("a field had the wrong type"),
    Flag.ID_MISMATCH: _("it returned the number of another item"),
    Flag.ID_MISSING: _("it did not return the number of the item"),
    Flag.SCORE_MISSING: _("it gave no score for the reasoning"),
    Flag.ERROR_TYPE_MISSING: _("it did not name the kind of error"),
    Flag.INCONSISTENT: _("its verdict, its score and its kind of error contradict each other"),
    Flag.TRUNCATED_AFTER_VERDICT: _("its reply was cut off after the verdict"),
    Flag.OVERALL_IGNORED: _("its own overall score was ignored"),
    Flag.CANDIDATE_CUT: _("the answer was too long and was sent without its middle part"),
    Flag.RESPONSE_CUT_OFF: _("the response ends while the model is still thinking"),
    Flag.UNFENCED: _(
        "the prompt does not mark where the answer begins and ends: use it only for trusted answers"
    ),
    Flag.SAME_FAMILY: _("judge and solver belong to the same family of models"),
    Flag.RUN_ON: _("the response runs on into questions of its own, which were cut off"),
    Flag.STAGES_DISAGREE: _("the rules and the model disagree"),
}
DOUBTS: dict[str, Promise] = {
    "VOTES_DISAGREE": _("the votes differ"),
    "GRADER_DISAGREES": _("the grader disagrees"),
    "GRADER_COULD_NOT_READ": _("the judge says right, but the grader could not read the answer"),
}
"""What speaks for caution once a verdict stands beside others; flags and reasons can as well."""
REASONS: dict[Reason, Promise] = {
    Reason.AUTH: _("the endpoint rejects the API key"),
    Reason.FORBIDDEN: _("the endpoint denies access"),
    Reason.QUOTA_EXHAUSTED: _("the credit at the endpoint is used up"),
    Reason.RATE_LIMITED: _("the endpoint asks for fewer calls"),
    Reason.CLOSED: _("the endpoint asks to be left alone for longer than an hour"),
    Reason.MODEL_NOT_FOUND: _("the endpoint does not know the model"),
    Reason.BAD_ENDPOINT: _("no server answers at that address"),
    Reason.UNSUPPORTED_PARAM: _("the endpoint rejects a parameter"),
    Reason.BAD_REQUEST: _("the endpoint calls the request invalid"),
    Reason.CONTEXT_OVERFLOW: _("the text is too long for the model"),
    Reason.CONTENT_FILTERED: _("the provider’s filter blocked it"),
    Reason.REFUSAL: _("the model refused"),
    Reason.SERVER_ERROR: _("the endpoint failed"),
    Reason.OVERLOADED: _("the endpoint was overloaded"),
    Reason.ERROR_IN_200: _("the endpoint sent no completion"),
    Reason.PROVIDER_REJECTS_INPUT: _("the endpoint fails on this text each time"),
    Reason.CONNECT: _("the connection failed"),
    Reason.TLS: _("the endpoint’s TLS certificate is not valid"),
    Reason.DNS: _("the endpoint’s name has no address"),
    Reason.DISCONNECTED: _("the connection broke"),
    Reason.TIMEOUT: _("the endpoint did not respond for too long"),
    Reason.DEADLINE: _("the reply took too long"),
    Reason.EGRESS_DENIED: _("this installation does not allow connections to that address"),
    Reason.RESPONSE_TOO_LARGE: _("the reply was too large"),
    Reason.NOT_JSON: _("the response was not a reply of a model"),
    Reason.TRUNCATED: _("the reply was cut off"),
    Reason.EMPTY: _("the reply was empty"),
    Reason.NO_VERDICT: _("the reply contained no verdict"),
    Reason.INVALID_JSON: _("the reply could not be read"),
    Reason.SCHEMA: _("a field was missing from the reply"),
    Reason.OUT_OF_RANGE: _("the verdict was outside the scale"),
    Reason.AMBIGUOUS: _("the verdict could be read in several ways"),
    Reason.CONFLICTING_VERDICTS: _("the reply contained contradicting verdicts"),
    Reason.UNTIED: _("the reply did not return the code of its call"),
    Reason.POSITION_INCONSISTENT: _("the verdict changed with the order"),
    Reason.NO_CONSENSUS: _("the judges were evenly split"),
    Reason.UNDECIDED: _("the rules could not decide"),
    Reason.MISSING_REFERENCE: _("there is no reference answer"),
    Reason.MISSING_TURN: _("a turn is missing"),
    Reason.TOO_MANY_TURNS: _("the chat has too many turns"),
    Reason.TOO_MANY_REFERENCES: _("there are more reference answers than turns"),
    Reason.NO_PROMPT: _("the judge has no prompt in the language of the item"),
    Reason.BAD_ITEM: _("the item can’t be understood"),
    Reason.RESPONSE_ERRORED: _("there is no response"),
    Reason.SELF_JUDGE: _("a model may not judge itself"),
    Reason.BUDGET: _("the budget is used up"),
    Reason.CANCELLED: _("the run was stopped"),
}
OF_RUNS: dict[str, Promise] = {
    "worker_lost": _("the worker stopped"),
    "person": _("by a person"),
    "changed": _("our code has changed"),
    "endpoint_moved": _("the endpoint’s address changed"),
    "endpoint_paused": _("the endpoint is stopped"),
    "key_unreadable": _("the endpoint’s API key can’t be decrypted"),
    "budget_calls": _("the maximum number of calls is reached"),
    "budget_tokens": _("the maximum number of tokens is reached"),
    "budget_money": _("the maximum cost is reached"),
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
    "truncated": _("the response ends while the model is still thinking"),
    "not_searched": _("no answer was looked for"),
}
"""Where the rules found an answer, or why nowhere."""
TRAPS: dict[str, Promise] = {
    "plain_right": _("a right answer"),
    "plain_wrong": _("a wrong answer"),
    "demands_a_verdict": _("a wrong answer that demands a verdict"),
    "writes_the_verdict": _("a wrong answer that writes the verdict itself"),
    "moves_the_goal": _("a wrong answer that claims another reference answer"),
    "the_same_twice": _("the same answer twice"),
}
"""What the items of known verdict are that try a judge, but for their language."""
_LANGUAGES = {PromptLanguage.GERMAN: _("German"), PromptLanguage.FINNISH: _("Finnish")}
OUTCOMES: dict[str, Promise] = {
    "match": _("match"),
    "mismatch": _("mismatch"),
    "undecided": _("undecided"),
}
UNDECIDED: dict[str, Promise] = {
    "too_long": _("the response is too long"),
    "no_statement": _("no answer was found"),
    "unclear_thinking": _("it is unclear where the thinking ends"),
    "too_many_statements": _("too many answers are stated"),
    "chat_token": _("the response contains chat markers"),
    "struck_out": _("something is struck out"),
    "framed": _("a heading calls it an example, a draft or wrong"),
    "question": _("the answer is put as a question"),
    "unfinished": _("the sentence with the answer is incomplete"),
    "open_box": _("the box with the answer is not closed"),
    "in_block": _("the answer is in a block that does not end"),
    "leads_elsewhere": _("the words before the answer are not understood"),
    "quotation": _("the answer is quoted"),
    "negation": _("something is denied beside the answer"),
    "hedge": _("the answer is hedged"),
    "condition": _("the answer depends on a condition"),
    "attribution": _("the answer may be quoted from another person"),
    "correction": _("the answer may be withdrawn later in the response"),
    "goes_on": _("the response goes on after the answer"),
    "empty_statement": _("the last answer is empty"),
    "several_statements": _("several answers are stated"),
    "names_another": _("another answer is named beside it"),
    "words": _("there are words among the letters"),
    "unreadable": _("the answer can’t be read as this kind"),
    "exclamation": _("an exclamation mark, or a factorial, follows the answer"),
    "numbered_options": _("the reference answer may be a number or an option of the question"),
    "may_be_no_number": _("the reference answer may be a fraction, a date or a score"),
    "ambiguous_number": _("the number can be read in two ways"),
    "nearly_equal": _("the number is close to the reference answer"),
    "power_of_ten": _("the number is off by a power of ten"),
    "not_set_as_mathematics": _("the answer is not written as mathematics"),
    "relation": _("the answer is a relation"),
    "other_words": _("the answer is not the reference answer word for word"),
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
    "more_room": _("asked again with a higher limit"),
    "reminder": _("asked again with a reminder of the form"),
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
    said = __("; ").join(parts)
    return __("%(outcome)s: %(said)s") % {"outcome": outcome, "said": said} if parts else outcome


def say_remarks(said: Any) -> str:
    """Say in a list what is to be known of a verdict: where it is from, doubts, what was cut."""
    parts = [__("taken over")] if said.reused else []
    parts += [__("by the rules")] if said.stage == "RULE" else []
    parts += map(say, said.doubts or [])
    if Flag.CANDIDATE_CUT in (said.flags or []):
        parts.append(say(Flag.CANDIDATE_CUT))
    return __("; ").join(parts)


def say_trap(name: str) -> str:
    """
    Say what a trap item is; one that is no more is shown by its name.

    >>> from django.utils.translation import override
    >>> with override("en"):
    ...     say_trap("plain_wrong_de"), say_trap("gone")
    ('a wrong answer (German)', 'gone')
    """
    language = BY_NAME[name].language if name in BY_NAME else PromptLanguage.ENGLISH
    if language not in _LANGUAGES:
        return _look_up(TRAPS, name)
    trap = _look_up(TRAPS, name.removesuffix(f"_{language}"))
    told = {"trap": trap, "language": str(_LANGUAGES[language])}
    return __("%(trap)s (%(language)s)") % told


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


def say_most_turns(kind: JudgeKind[Any], most: int) -> str:
    """
    Say how many turns a judge looks at, and where more are looked at.

    >>> from django.utils.translation import override
    >>> [matcher] = [one for one in KINDS.values() if one.has_rules]
    >>> [widest] = [one for one in KINDS.values() if one.most_turns == 3]
    >>> with override("en"):
    ...     print(say_most_turns(matcher, 1))
    ...     print(say_most_turns(widest, 3))
    This judge looks at one turn, and the rating judge at up to 3.
    This judge looks at up to 3 turns.
    """
    widest = max(KINDS.values(), key=lambda one: one.most_turns)
    told = {"most": most, "more": widest.most_turns, "judge": __(widest.name)}
    if most >= widest.most_turns:
        text = ngettext(
            "This judge looks at one turn.", "This judge looks at up to %(most)d turns.", most
        )
    elif kind is widest:
        text = ngettext(
            "This judge is set to look at one turn, and can be set to up to %(more)d.",
            "This judge is set to look at up to %(most)d turns, and can be set to up to %(more)d.",
            most,
        )
    else:
        text = ngettext(
            "This judge looks at one turn, and the %(judge)s at up to %(more)d.",
            "This judge looks at up to %(most)d turns, and the %(judge)s at up to %(more)d.",
            most,
        )
    return text % told


def _look_up(words: Mapping[str, Promise], code: str) -> str:
    return str(words.get(code, code))
