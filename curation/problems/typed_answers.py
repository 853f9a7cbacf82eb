"""What somebody who does not know the key is shown of an answer while they type it."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from curation.problems.models import Revision
from curation.texts.formulas import list_formulas
from curation.texts.references.reference import Reference
from phybench.work import sandbox
from phybench_grader.reading.reading import Unreadable
from phybench_grader.statement.unknown import read_for
from phybench_grader.verdict.declarations import Undeclarable


def show_reading(text: str, revision: Revision) -> dict[str, Any]:
    """
    Return what `_read_as.html` shows of a text: how it is read, or why not.

    Of the symbol table only those rows count that the page shows or the statement mentions: it is
    filled from the key as well, and what it declares decides how an answer is read.
    """
    context: dict[str, Any] = {"text": text}
    if not text.strip():
        return context
    try:
        reading = sandbox.run(
            read_for,
            text,
            find_told(revision).question,
            deadline=settings.READING_DEADLINE_SECONDS,
        )
        strange = [one.latex for one in reading.unknown if not one.meant]
        context |= {"reading": reading, "unknown": reading.unknown, "strange": strange}
    except Unreadable as unreadable:
        context["unreadable"] = unreadable
    except Undeclarable:
        context["stopped"] = _("The symbols of this problem can’t be read; tell an admin.")
    except sandbox.Stopped:
        context["stopped"] = _("This takes too long to read. Write it in a shorter form.")
    return context


def find_told(revision: Revision) -> Reference:
    """Return a reference that declares what a reader of the statement is told, without the key."""
    told = [
        row
        for row in revision.symbol_rows
        if not row.says_nothing or mentions(revision.statement, row.latex)
    ]
    declarations = tuple(row.declaration for row in told)
    return Reference("", declarations, wanted=revision.wanted, statement=revision.statement)


def mentions(statement: str, latex: str) -> bool:
    """Whether a formula of the statement has this symbol, however it is spaced."""
    wanted = "".join(latex.split())
    return any(wanted in "".join(one.source.split()) for one in list_formulas(statement))
