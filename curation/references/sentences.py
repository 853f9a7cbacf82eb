"""What the pure core says, and what those who run it say of it, in the reader's language."""

from collections.abc import Mapping

from django.utils.translation import gettext, gettext_noop

from grading import expressions
from grading.expressions import Sentence

SENTENCES: Mapping[str, str] = {
    **expressions.SENTENCES,
    "solving_stopped": gettext_noop("Grading this took more time or memory than it may."),
    "listing_stopped": gettext_noop(
        "Listing what is to be tried took more time or memory than it may."
    ),
    "case_stopped": gettext_noop("This took more time or memory than it may."),
    "grader_failed": gettext_noop("The grader made an error on this; it is in the log."),
    "grader_changed": gettext_noop("The grader was changed before this was finished."),
    "certifiers_lost": gettext_noop("Every worker that tried the cases was stopped."),
}
"""Every sentence by its code."""


def translate(said: object, sentences: Mapping[str, str] = SENTENCES) -> str:
    r"""
    Say a sentence in the language of the page; a text is in it already.

    >>> translate(Sentence.of("unknown_command", what=r"\foo"))
    'The command \\foo is not known here: write it another way.'
    """
    return said.say(gettext, sentences) if isinstance(said, Sentence) else str(said or "")
