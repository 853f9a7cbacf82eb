"""Why an answer could not be read or graded, in a few words: what a chip says."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

UNREADABLE: Mapping[str, "_StrPromise"] = {
    "no_answer": _("no box"),
    "several": _("several values"),
    "empty": _("nothing in it"),
    "words": _("words"),
    "units": _("units"),
    "equation": _("an equation"),
    "no_equality": _("no “=”"),
    "other_quantity": _("another quantity"),
    "negated": _("a denial"),
    "too_long": _("too long"),
    "too_deep": _("nested too deeply"),
    "too_large": _("too large for the grader"),
    "bracket": _("a lone bracket"),
    "sum": _("a sum or product"),
    "integral": _("an integral"),
    "limit": _("a limit"),
    "derivative": _("a derivative"),
    "differential": _("a differential"),
    "vectors": _("vectors"),
    "matrix": _("a matrix"),
    "piecewise": _("cases"),
    "environment": _("a LaTeX environment"),
    "dots": _("dots"),
    "infinity": _("infinity"),
    "undefined": _("no value"),
    "unknown_command": _("an unknown command"),
    "unknown_function": _("an unknown function"),
    "unknown_character": _("an unknown character"),
    "numbers": _("two adjacent numbers"),
    "missing": _("a missing part"),
    "script": _("a lone index or exponent"),
    "relation_missing": _("no relation"),
}
"""As `phybench_grader.REFUSALS`."""
OURS: Mapping[str, "_StrPromise"] = {
    "undecided": _("equality not decided"),
    "left_side": _("unclear quantity"),
    "remark": _("a remark to consider"),
    "reference_unreadable": _("reference answer unreadable"),
    "timeout": _("out of time"),
    "memory": _("out of memory"),
    "crashed": _("grader stopped"),
    "grader_error": _("grader error"),
    "worker_lost": _("worker stopped"),
}
"""Why we could not grade an answer."""


def say(reason: str) -> str:
    """Say a reason in a few words; one that is no more is shown by its code."""
    return str(UNREADABLE.get(reason) or OURS.get(reason) or reason)
