"""What the command `judge` says of a run once it has come to its end."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from grading.judging.trust_words import say_empty
from phybench_grader.judges.empty_answers import EmptyTally, Withstood


def describe(summary: dict[str, Any]) -> Iterator[str]:
    """Say a summary in sentences."""
    if summary["mean"] is None:
        yield _("No mean: there are no verdicts.")
    else:
        yield _(
            "Mean %(mean).3f over %(scored)d of %(items)d. With the missing ones at "
            "either end of the scale: %(low).3f to %(high).3f (scale %(least)g to "
            "%(most)g)"
        ) % {
            "mean": summary["mean"],
            "scored": summary["scored"],
            "items": summary["items"],
            "low": summary["lowest_mean"],
            "high": summary["highest_mean"],
            "least": summary["scale"][0],
            "most": summary["scale"][1],
        }
    yield (
        _("Scored: %(scored)d. Unscored: %(unscored)d. Skipped: %(skipped)d. Pending: %(pending)d.")
        % summary
    )
    if summary["reasons"]:
        yield _("Why: ") + ", ".join(f"{name} {n}" for name, n in summary["reasons"].items())
    yield _("Coverage %(coverage).1f %%: %(may)s.") % {
        "coverage": 100 * (summary["coverage"] or 0.0),
        "may": _("enough to rank") if summary["covers_enough"] else _("too little to rank"),
    }
    yield _("By rules: %(by_rule)d. By models: %(by_model)d. Needs a person: %(needs_ruling)d.") % (
        summary
    )
    yield _("Calls: %(calls)d. Tokens: %(tokens)d. Cost: %(cost)s.") % summary
    if summary["flags"]:
        yield _("Flags: ") + ", ".join(f"{name} {n}" for name, n in summary["flags"].items())
    canaries = summary["canaries"]
    if any(canaries[name] for name in ("passed", "failed", "missing")):
        yield _("Trap items: %(passed)d passed, %(failed)d failed, %(missing)d missing.") % canaries
    if canaries["failed"]:
        yield _(
            "This judge was wrong about trap items, whose verdict is known. Don’t rely on "
            "this judge."
        )
    if summary["empty_answers"]["outcome"] != Withstood.NOT_NEEDED.lower():
        yield say_empty(read_tally(summary["empty_answers"]))


def read_tally(found: dict[str, Any]) -> EmptyTally:
    """Take back what a summary says of empty answers."""
    return EmptyTally(found["passed"], tuple(found["accepted"]), found["missing"])
