"""
What judges, calls and the grader say, in the reader's language.

The pure parts know no Django: their sentences are listed here for translators, and a test holds
that none is missing. With them stand those of workers. Rows keep a sentence by its code, since a
worker speaks no reader's language. What the codes of judges mean, in a few words, is in
`grading/judging/words.py`.
"""

from collections.abc import Mapping

from django.utils.translation import gettext, gettext_noop

from curation.references import sentences
from grading import endpoints, judges
from grading.endpoints.keys import WRONG_KEYS
from grading.judges.prompts.templates import WRONG_TEMPLATES

OF_CALLS = (
    gettext_noop("The endpoint does not accept the key. Enter a key that is valid there."),
    gettext_noop("The endpoint forbids this. Ask its provider what the key may do."),
    gettext_noop("The endpoint's credit or quota is used up. Top it up, then resume."),
    gettext_noop("The endpoint asks for fewer requests. It is tried again later."),
    gettext_noop("The endpoint does not know this model. Check the model's name."),
    gettext_noop(
        "Nothing at this address completes chats. Check the base URL; redirects are not followed."
    ),
    gettext_noop(
        "The endpoint refuses a parameter that it can't do without. Change the configuration."
    ),
    gettext_noop("The endpoint calls the request wrong. Its own words say what to change."),
    gettext_noop(
        "The text is longer than the model can read. Choose another model or a shorter text."
    ),
    gettext_noop("The provider's filter stopped the text or the reply."),
    gettext_noop("The model refused to reply."),
    gettext_noop("The reply was cut off at its largest length. Allow more tokens."),
    gettext_noop("The reply has no text."),
    gettext_noop("The endpoint reports an error of its own."),
    gettext_noop("The endpoint is overloaded or down for the moment."),
    gettext_noop("The endpoint reports success and sends no completion."),
    gettext_noop("The endpoint fails on this text every time. Try another endpoint for it."),
    gettext_noop(
        "What came back is not JSON in UTF-8: often a gateway's page. Check the base URL."
    ),
    gettext_noop("The response is larger than allowed and was not read to its end."),
    gettext_noop("The endpoint's name has no address. Check the base URL."),
    gettext_noop("No connection to the endpoint could be made."),
    gettext_noop("The endpoint could not show that it is who it says. Check its certificate."),
    gettext_noop("The connection broke, or what came was not HTTP, before the response was whole."),
    gettext_noop("The endpoint was silent for too long."),
    gettext_noop("The response was not whole within the time for one call."),
    gettext_noop("This installation does not connect to that address. An admin can list it."),
)
"""Why a call gave no reply."""

OF_SETTING_UP = (
    gettext_noop("Write a URL without spaces, in ASCII, of at most 500 characters."),
    gettext_noop("Write a URL such as https://api.example.com/v1."),
    gettext_noop("Begin the URL with https://, or http:// for a listed address."),
    gettext_noop("Leave user name and password out of the URL."),
    gettext_noop("Leave everything from “?” or “#” on out of the URL."),
    gettext_noop("Write a plain path, such as /v1."),
    gettext_noop("Choose a port between 1 and 65535."),
    gettext_noop("Write only an IPv6 address in square brackets."),
    gettext_noop("Write the IPv6 address in its usual form."),
    gettext_noop("Write the IPv6 address without a zone."),
    gettext_noop("Write the IPv4 address as four decimal numbers."),
    gettext_noop("Write a host name of letters, digits and dots; others in their xn-- form."),
    gettext_noop("A key is one word of printable ASCII characters."),
    gettext_noop("A key has 8 characters or more. Leave it out if the endpoint asks for none."),
    gettext_noop(
        "FIELD_KEYS is not set, so endpoints' keys can't be kept. "
        "Set it to what grading.endpoints.generate_field_key returns."
    ),
    gettext_noop("FIELD_KEYS holds something that is no Fernet key (32 bytes in URL-safe base64)."),
    gettext_noop(
        "None of FIELD_KEYS opens this endpoint's key. Add the one it was written with, "
        "or enter the endpoint's key again."
    ),
    gettext_noop("There is no template for {variant}: choose another one."),
    gettext_noop("{file} cannot be opened ({why}): put it beside the configuration."),
    gettext_noop("{file} cannot be read as UTF-8 text."),
    gettext_noop("{file} is too long: at most {count} characters."),
    gettext_noop("{file} has text before its first part: put it into one."),
    gettext_noop("{file} must have one part “--- user”, and no part twice."),
    gettext_noop("{file} lacks {names} in the user's message: add it."),
    gettext_noop("{file} has {names}, which {variant} does not know: remove it."),
    gettext_noop("{file} has placeholders outside of the user's message."),
)
"""What is wrong with an address, a key or a prompt."""

OF_JUDGES = (
    gettext_noop("The reply was cut off before its verdict: allow it more tokens."),
    gettext_noop("The reply was empty."),
    gettext_noop("The reply holds no verdict."),
    gettext_noop("The reply is no JSON that could be read."),
    gettext_noop("The reply lacks a field, or one is of no use."),
    gettext_noop("The verdict lies outside of the scale."),
    gettext_noop("The verdict can be read in several ways."),
    gettext_noop("The reply holds several verdicts that differ."),
    gettext_noop("The reply contradicts itself: verdict and score do not go together."),
    gettext_noop(
        "The judge preferred a place, not a solution: it changed its mind with the order."
    ),
    gettext_noop("The judges are evenly split: let a person rule."),
    gettext_noop("The rules could not decide, and no model was to be asked."),
    gettext_noop("The judge compares with a reference, and there is none: add it."),
    gettext_noop("The judge looks at two turns, and there is one: add the other."),
    gettext_noop("There is no response to judge: the solver's call had failed."),
    gettext_noop("A model may not judge itself here: choose another judge."),
    gettext_noop("The run's budget is used up: raise it, then resume."),
    gettext_noop("The run was stopped: resume it."),
)
"""Why a judgement is missing, besides a call that failed."""

LISTED = frozenset({*OF_CALLS, *OF_SETTING_UP, *OF_JUDGES})
"""What is listed here."""

SENTENCES: Mapping[str, str] = {
    **sentences.SENTENCES,
    **{f"call_{reason}": rule.message for reason, rule in endpoints.RULES.items()},
    **{f"judge_{reason}": rule.message for reason, rule in judges.RULES.items()},
    **{f"keys_{code}": text for code, text in WRONG_KEYS.items()},
    **{f"prompt_{code}": text for code, text in WRONG_TEMPLATES.items()},
    "grading_lost": gettext_noop(
        "Every worker that tried to grade this answer was stopped. An admin can try again."
    ),
    "trial_grading_lost": gettext_noop("Every worker that tried to grade this answer was stopped."),
    "asking_lost": gettext_noop("Every worker that asked the model was stopped."),
    "judging_lost": gettext_noop("Every worker that had this judged was stopped."),
    "judges_changed": gettext_noop(
        "The judges’ own code has changed since this run began. Start a new run."
    ),
    "endpoint_moved": gettext_noop(
        "{endpoint} has another address now, so nothing is sent there. Start a new run."
    ),
    "endpoint_paused": gettext_noop("An admin has paused this endpoint."),
    "endpoint_calls_used": gettext_noop(
        "This endpoint has had its calls for today. Ask again tomorrow."
    ),
    "endpoint_tokens_used": gettext_noop(
        "This endpoint has had its tokens for today. Ask again tomorrow."
    ),
    "endpoint_money_used": gettext_noop(
        "What may be spent at this endpoint today is spent. Ask again tomorrow."
    ),
    "run_spent": gettext_noop("What this run may spend is spent. Allow it more, then resume it."),
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
