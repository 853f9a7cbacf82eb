"""What the pure core says, who runs it, and what rows record, in the reader's language."""

from collections.abc import Mapping

from django.utils.translation import gettext, gettext_noop

from curation.texts.records import RECORDED
from phybench_grader.numbers.sentences import SENTENCES as EXPRESSIONS
from phybench_grader.numbers.sentences import Sentence

SENTENCES: Mapping[str, str] = {
    **EXPRESSIONS,
    **RECORDED,
    "solving_stopped": gettext_noop("Grading this took more time or memory than it may."),
    "listing_stopped": gettext_noop(
        "Listing what is to be tried took more time or memory than it may."
    ),
    "case_stopped": gettext_noop("This took more time or memory than it may."),
    "grader_failed": gettext_noop("The grader made an error on this; it is in the log."),
    "grader_changed": gettext_noop("The grader was changed before this was finished."),
    "certifiers_lost": gettext_noop("Each worker that tried the cases was stopped."),
    # What keeps KaTeX from displaying a formula.
    "tex_unknown_command": gettext_noop(
        "The command {what} is not known: use another one, or write it out."
    ),
    "tex_mistyped_command": gettext_noop("The command {what} is not known: did you mean {meant}?"),
    "tex_unknown_environment": gettext_noop(
        "The environment {what} is not known: use another one, such as aligned or cases."
    ),
    "tex_unclosed": gettext_noop("What begins here is never closed: add {what}."),
    "tex_unopened": gettext_noop("This {what} closes nothing: remove it, or add what it closes."),
    "tex_ampersand": gettext_noop(
        "An & aligns lines, but there are no lines here: put them into an aligned environment."
    ),
    "tex_ends_early": gettext_noop(
        "This formula ends too early: an argument or a closing bracket is missing."
    ),
    "tex_expected": gettext_noop("{what} is missing here: there is {found} instead."),
    "tex_double_superscript": gettext_noop(
        "Two superscripts follow each other: put braces around one of them, as in {{x^a}}^b."
    ),
    "tex_double_subscript": gettext_noop(
        "Two subscripts follow each other: put both into one, as in x_{{a,b}}."
    ),
    "tex_argument": gettext_noop("Nothing follows {what}: write its argument in braces."),
    "tex_braces": gettext_noop("Put {what} and its argument into braces."),
    "tex_not_in_text": gettext_noop(r"{what} is not allowed in words: move it out of \text."),
    "tex_not_in_mathematics": gettext_noop("{what} is not allowed in a formula: remove it."),
    "tex_display_only": gettext_noop(
        "{what} needs a formula on its own: write two dollar signs at each end instead of one."
    ),
    "tex_mismatch": gettext_noop(
        "The environment {what} is closed as {found}: write the same name at both ends."
    ),
    "tex_untrusted": gettext_noop("{what} is not shown in a formula: leave it out."),
    "tex_too_deep": gettext_noop("This formula is nested too deeply to be displayed: simplify it."),
    "tex_too_large": gettext_noop(
        "Displaying this formula takes too much time or memory: write it in a simpler form."
    ),
    "tex_other": gettext_noop("KaTeX can’t display this formula: {message}."),
    # LaTeX that is no formula.
    "tex_outside": gettext_noop(
        "{what} is outside a formula, so readers see its source: put formulas between "
        "dollar signs, and write headings, lists and emphasis in Markdown."
    ),
    "environment_outside": gettext_noop(
        "{what} is outside a formula, so readers see its source: write two dollar "
        "signs before and after the formula instead."
    ),
}
"""Every sentence by its code."""


def translate(said: object, sentences: Mapping[str, str] = SENTENCES) -> str:
    r"""
    Say a sentence in the language of the page; a text is in it already.

    >>> translate(Sentence.of("unknown_command", what=r"\foo"))
    'The command \\foo is not known here: write it another way.'
    """
    return said.say(gettext, sentences) if isinstance(said, Sentence) else str(said or "")
