"""The shape and the words of each kind of outcome; the colour goes by the kind's name."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from grading.answers.models import VerdictChoice
from grading.submissions.results.rows import MISSING, WAITING

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

MARKS: Mapping[str, str] = {
    "CORRECT": "●",
    "PARTIAL": "◐",
    "INCORRECT": "○",
    "UNREADABLE": "⌀",
    "FAILED": "?",
    "CANCELLED": "×",
    WAITING: "…",
    MISSING: "–",
}
WORDS: "Mapping[str, str | _StrPromise]" = {
    **dict(VerdictChoice.choices),
    "FAILED": gettext_lazy("not graded"),
    "CANCELLED": gettext_lazy("cancelled"),
    WAITING: gettext_lazy("not graded yet"),
    MISSING: gettext_lazy("missing"),
}


def say_kind(kind: str, eed: float | None = None) -> str:
    """Say what became of an answer; of a partial one, its EED."""
    if kind == VerdictChoice.PARTIAL and eed is not None:
        return _("partial: %(eed)s") % {"eed": f"{eed:.1f}"}
    return str(WORDS.get(kind, kind))
