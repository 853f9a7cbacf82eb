"""What a draft is missing before it can be submitted, each at the field where it is filled in."""

from django.utils.translation import gettext as _

from curation.problems.models import Problem, Revision
from curation.texts.origin import say_missing


def list_missing(draft: Revision, problem: Problem) -> list[tuple[str, str]]:
    """List the fields that are still to be filled in, each with what to do."""
    missing = []
    if not problem.domain:
        missing.append(("domain", _("Choose a domain.")))
    if not problem.difficulty:
        missing.append(("difficulty", _("Choose a difficulty.")))
    if draft.number > 1 and not draft.reason.strip():
        missing.append(("reason", _("Say in a sentence what this revision changes and why.")))
    if not draft.statement.strip():
        missing.append(("statement", _("Write the statement.")))
    if not draft.answer.strip():
        missing.append(("answer", _("Write the reference answer.")))
    if origin := say_missing(draft.adaptation, draft.source):
        missing.append(origin)
    return missing
