"""
What judges, calls and the grader say, in the reader's language.

The pure parts know no Django: their sentences are listed here for translators, and a test holds
that none is missing. With them stand those of workers. Rows keep a sentence by its code, since a
worker speaks no reader's language. What the codes of judges mean, in a few words, is in
`grading/judging/words.py`.
"""

from collections.abc import Mapping

from django.utils.translation import gettext, gettext_noop

from curation.texts import sentences
from grading import endpoints
from grading.endpoints.keys import WRONG_KEYS
from phybench.files.json_errors import JSON_FAULTS
from phybench_grader import judges
from phybench_grader.judges.faults import FAULTS
from phybench_grader.judges.prompts.templates import WRONG_TEMPLATES

OF_CALLS = (
    gettext_noop("The endpoint rejects the API key. Enter a valid one."),
    gettext_noop("The endpoint denies access. Ask its provider what the API key may do."),
    gettext_noop("The endpoint's credit or quota is used up. Top it up, then resume."),
    gettext_noop("The endpoint asks for fewer requests. We will try again later."),
    gettext_noop("The endpoint asks to be left alone for longer than an hour. Go on after that."),
    gettext_noop("The endpoint does not know this model. Check the model's name."),
    gettext_noop(
        "No chat completions are served at this address. Check the base URL; redirects "
        "are not followed."
    ),
    gettext_noop(
        "The endpoint rejects a parameter that this configuration needs. Change the configuration."
    ),
    gettext_noop("The endpoint calls the request invalid. Its message says what to change."),
    gettext_noop(
        "The text is longer than the model can read. Choose another model or a shorter text."
    ),
    gettext_noop("The provider's filter blocked the text or the reply."),
    gettext_noop("The model refused to reply."),
    gettext_noop("The reply was cut off at its largest length. Allow more tokens."),
    gettext_noop("The reply has no text."),
    gettext_noop("The endpoint reports an internal error."),
    gettext_noop("The endpoint is overloaded or temporarily down."),
    gettext_noop("The endpoint reports success but sent no completion."),
    gettext_noop("The endpoint fails on this text every time. Try another endpoint for it."),
    gettext_noop(
        "The response is not JSON in UTF-8; it is often the page of a gateway. Check the base URL."
    ),
    gettext_noop("The response is larger than allowed, so we stopped reading it."),
    gettext_noop("The endpoint's name has no address. Check the base URL."),
    gettext_noop("We could not connect to the endpoint."),
    gettext_noop("The endpoint could not prove its identity. Check its TLS certificate."),
    gettext_noop("The connection broke, or was not HTTP, before the response was complete."),
    gettext_noop("The endpoint did not respond for too long."),
    gettext_noop("The response was not complete within the time for one call."),
    gettext_noop(
        "This installation does not allow connections to that address. The person who runs it "
        "can allow the address."
    ),
)
"""Why a call gave no reply."""

OF_SETTING_UP = (
    gettext_noop("Write a URL without spaces, in ASCII, of at most 500 characters."),
    gettext_noop("Write a URL such as https://api.example.com/v1."),
    gettext_noop("Begin the URL with https://, or with http:// for an allowed address."),
    gettext_noop("Leave user name and password out of the URL."),
    gettext_noop("Leave everything from “?” or “#” on out of the URL."),
    gettext_noop("Write a plain path, such as /v1."),
    gettext_noop("Choose a port between 1 and 65535."),
    gettext_noop("Write only an IPv6 address in square brackets."),
    gettext_noop("Write the IPv6 address in its usual form."),
    gettext_noop("Write the IPv6 address without a zone."),
    gettext_noop("Write the IPv4 address as four decimal numbers."),
    gettext_noop("Write a host name of letters, digits and dots; others in their xn-- form."),
    gettext_noop("An API key is one word of printable ASCII characters."),
    gettext_noop(
        "An API key has at least 8 characters. Leave it empty if the endpoint needs none."
    ),
    gettext_noop(
        "The setting FIELD_KEYS is empty, so API keys of endpoints can't be saved or used. "
        "The person who runs this installation sets it (docs/endpoints.md says how) and restarts."
    ),
    gettext_noop(
        "An entry of the setting FIELD_KEYS is not a Fernet key (32 bytes in URL-safe base64). "
        "The person who runs this installation corrects it and restarts."
    ),
    gettext_noop(
        "None of the entries of FIELD_KEYS decrypts the API key of this endpoint. An admin enters "
        "the API key again, or the person who runs this installation adds the entry that "
        "encrypted it."
    ),
    gettext_noop("There is no template for {variant}: choose another one."),
    gettext_noop("{file} can't be opened ({why}): put it beside the configuration."),
    gettext_noop("{file} is not UTF-8 text: save it as UTF-8."),
    gettext_noop("{file} is too long: shorten it to {count} characters."),
    gettext_noop("{file} has text before its first part: move it into a part."),
    gettext_noop("{file} must have one part “--- user”, and no part twice: correct its parts."),
    gettext_noop("{names} is missing from the user's message of {file}: add it."),
    gettext_noop("{names} are missing from the user's message of {file}: add them."),
    gettext_noop("{file} has {names}, which {variant} does not use: remove it."),
    gettext_noop("{file} has {names}, which {variant} does not use: remove them."),
    gettext_noop("{file} has placeholders outside the user's message: move them there."),
)
"""What is wrong with an address, a key or a prompt."""

OF_JUDGES = (
    gettext_noop("The reply was cut off before its verdict: allow more tokens."),
    gettext_noop("The reply was empty."),
    gettext_noop("The reply contains no verdict."),
    gettext_noop("The reply is not valid JSON."),
    gettext_noop("A field of the reply is missing or unusable."),
    gettext_noop("The verdict is outside the scale."),
    gettext_noop("The verdict can be read in several ways."),
    gettext_noop("The reply contains several different verdicts."),
    gettext_noop(
        "The reply does not bear the code of its call, so its verdict may be one that it quotes."
    ),
    gettext_noop("The reply contradicts itself: verdict and score do not match."),
    gettext_noop(
        "The judge preferred a position, not a solution: its verdict changed with the order."
    ),
    gettext_noop("The judges are evenly split: a person has to rule."),
    gettext_noop("The rules could not decide, and no model was asked."),
    gettext_noop(
        "The judge compares with a reference answer for each turn, and one is missing: add it."
    ),
    gettext_noop(
        "The chat has fewer turns than the judge looks at: add the others, or change “turns”."
    ),
    gettext_noop(
        "The chat has more turns than the judge looks at: choose another judge or more turns, or"
        " leave this chat out."
    ),
    gettext_noop(
        "The item has more reference answers than turns, and each turn is judged by one: keep the"
        " one that counts."
    ),
    gettext_noop(
        "The judge has no prompt in the language of this item: choose one language of the prompt"
        " for all items, such as English."
    ),
    gettext_noop("The item can't be understood: correct it in the file."),
    gettext_noop(
        "There is no response to judge: the call to the solver failed, or the item has no"
        " “response”. Add it, or leave the item out."
    ),
    gettext_noop("A model may not judge itself: choose another judge."),
    gettext_noop("The run's budget is used up: raise it, then resume."),
    gettext_noop("The run was stopped: resume it."),
)
"""Why a judgement is missing, besides a call that failed."""

ON_PAGES: Mapping[str, str] = {
    "auth": gettext_noop(
        "The endpoint rejects the API key. An admin enters a valid one with “Edit” on the "
        "endpoint’s page, then resumes the endpoint."
    ),
    "forbidden": gettext_noop(
        "The endpoint denies access. An admin asks its provider what the API key may do, then "
        "resumes the endpoint."
    ),
    "quota_exhausted": gettext_noop(
        "The endpoint’s credit or quota is used up. An admin tops it up at the provider, then "
        "resumes the endpoint."
    ),
    "closed": gettext_noop(
        "The endpoint asks to be left alone for longer than an hour. An admin resumes it after "
        "that, with “Resume the endpoint” on its page."
    ),
    "model_not_found": gettext_noop(
        "The endpoint does not know this model. Choose another one, or ask an admin to check the "
        "models on the endpoint’s page."
    ),
    "bad_endpoint": gettext_noop(
        "No chat completions are served at this address. An admin corrects the base URL with "
        "“Edit” on the endpoint’s page; redirects are not followed."
    ),
    "unsupported_param": gettext_noop(
        "The endpoint rejects a parameter that is needed. Choose a model at another endpoint."
    ),
    "not_json": gettext_noop(
        "The response is not JSON in UTF-8; it is often the page of a gateway. An admin checks "
        "the base URL with “Edit” on the endpoint’s page."
    ),
    "dns": gettext_noop(
        "The endpoint’s name has no address. An admin checks the base URL with “Edit” on the "
        "endpoint’s page."
    ),
    "connect": gettext_noop(
        "We could not connect to the endpoint. Try again later; if it happens again, an admin "
        "checks the base URL on the endpoint’s page."
    ),
    "tls": gettext_noop(
        "The endpoint could not prove its identity. An admin asks its provider to check the TLS "
        "certificate, or corrects the base URL."
    ),
    "egress_denied": gettext_noop(
        "This installation does not allow connections to that address. The person who runs it "
        "can add the address to the setting ENDPOINT_EGRESS_ALLOW and restart."
    ),
}
"""Why a call gave no reply, by its cause, where pages can say more exactly who does what."""

LISTED = frozenset({*OF_CALLS, *OF_SETTING_UP, *OF_JUDGES})
"""What is listed here."""

SENTENCES: Mapping[str, str] = {
    **sentences.SENTENCES,
    **{f"call_{reason}": rule.message for reason, rule in endpoints.RULES.items()},
    **{f"judge_{reason}": rule.message for reason, rule in judges.RULES.items()},
    **{f"{of}_{reason}": text for of in ("call", "judge") for reason, text in ON_PAGES.items()},
    **{f"keys_{code}": text for code, text in WRONG_KEYS.items()},
    **{f"prompt_{code}": text for code, text in WRONG_TEMPLATES.items()},
    **FAULTS,
    **JSON_FAULTS,
    "grading_lost": gettext_noop(
        "The worker stopped each time it tried to grade this answer. An admin can try again."
    ),
    "trial_grading_lost": gettext_noop(
        "The worker stopped each time it tried to grade this answer."
    ),
    "asking_lost": gettext_noop("The worker stopped each time it asked the model."),
    "judging_lost": gettext_noop("The worker stopped each time it had this judged."),
    "judges_changed": gettext_noop(
        "The program of the judges has changed since this run began. Start a new run."
    ),
    "endpoint_moved": gettext_noop(
        "The address of {endpoint} has changed, so nothing is sent there. Start a new run."
    ),
    "endpoint_paused": gettext_noop(
        "An admin has paused this endpoint. Ask an admin to resume it, or choose a model at "
        "another endpoint."
    ),
    "endpoint_calls_used": gettext_noop(
        "This endpoint has no calls left today. Go on after midnight (UTC), or ask an admin to "
        "raise “Calls a day” with “Edit” on the endpoint’s page."
    ),
    "endpoint_tokens_used": gettext_noop(
        "This endpoint has no tokens left today. Go on after midnight (UTC), or ask an admin to "
        "raise “Tokens a day” with “Edit” on the endpoint’s page."
    ),
    "endpoint_money_used": gettext_noop(
        "This endpoint has reached its cost for today. Go on after midnight (UTC), or ask an "
        "admin to raise “Cost a day” with “Edit” on the endpoint’s page."
    ),
    "run_spent": gettext_noop(
        "This run has reached its limit. Write a higher limit, or leave it empty for unlimited, "
        "then choose “Resume”."
    ),
    "run_paused": gettext_noop("Paused by {person}."),
}
"""Every sentence that a row may keep, by its code."""


def translate(said: object) -> str:
    """
    Say a sentence in the language of the page; any other text stays as it is.

    >>> translate(Sentence("judge_no_verdict")), translate("The reply holds no verdict.")
    ('The reply holds no verdict.', 'The reply holds no verdict.')
    """
    text = sentences.translate(said, SENTENCES)
    return gettext(text) if text in LISTED else text
