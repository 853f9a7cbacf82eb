"""What pages show of a pairwise judge: preferences by name, places, what was left out."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from grading.answers.models import Grade
from grading.answers.submissions.models import Submission
from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.pairs.lists import SIDES
from grading.judging.pairs.matching import LeftOut, match_submissions, name_both, name_sides
from grading.judging.pairs.preferences import Graded, SaidOfPair, collect, count_places
from phybench_grader.judges.items import Item

Sides = tuple[str, str]
MOVED = "position_inconsistent"
PANEL = "PANEL"
"""In place of which one a judge ranks first."""


def describe_pairs(run: JudgeRun) -> dict[str, Any]:
    """Say what the preferences of a run come to, whom it leans to, and how it stands to grades."""
    assert run.submission is not None
    assert run.other is not None
    matched = match_submissions(run.submission, run.other)
    found = collect(run, left_out=len(matched.left_out))
    graded_labels, said_labels = _label_graded(), _label_said()
    left_out_labels = label_left_out(SIDES)
    return {
        "names": name_sides(run),
        "sides": SIDES,
        "pairs": found,
        "by_place": count_places(run),
        "moved_canaries": run.items.exclude(canary="").filter(reason=MOVED).count(),
        # A panel has to beat its best member on labels, and of pairs there are none.
        "leads": PANEL if len(run.configuration.described_judges) > 1 else found.leads.value,
        "graded_labels": list(graded_labels.values()),
        "beside_grader": [
            (said_labels[said], [(graded_labels[graded], number) for graded, number in counts])
            for said, counts in found.beside_grader
        ],
        "left_out": [
            (left_out_labels[why], number, _list_identifiers(matched.left_out, why))
            for why, number in matched.reasons
        ],
    }


def describe_match(first: Submission, second: Submission) -> dict[str, Any]:
    """Say how many pairs two submissions make, before they are compared, and what is left out."""
    matched = match_submissions(first, second)
    labels = label_left_out(name_both(first, second))
    return {
        "matched": matched,
        "left_out": [(labels[why], number) for why, number in matched.reasons],
    }


def _list_identifiers(left_out: Iterable[tuple[Any, LeftOut]], wanted: LeftOut) -> str:
    found = (one.revision.problem.identifier for one, why in left_out if why is wanted)
    return _(", ").join(dict.fromkeys(found))


def _label_said() -> dict[SaidOfPair, str]:
    return {
        SaidOfPair.FIRST: _("%(name)s is better") % {"name": SIDES[0]},
        SaidOfPair.SECOND: _("%(name)s is better") % {"name": SIDES[1]},
        SaidOfPair.TIE: _("a tie"),
        SaidOfPair.NOTHING: _("no verdict"),
    }


def _label_graded() -> dict[Graded, str]:
    """In the order in which they are shown."""
    return {
        Graded.ONLY_FIRST: _("only %(name)s right") % {"name": SIDES[0]},
        Graded.ONLY_SECOND: _("only %(name)s right") % {"name": SIDES[1]},
        Graded.BOTH: _("both right"),
        Graded.NEITHER: _("neither right"),
        Graded.UNTOLD: _("could not tell"),
    }


def label_left_out(sides: Sides) -> dict[LeftOut, str]:
    return {
        LeftOut.ONLY_FIRST: _("only %(name)s answered") % {"name": sides[0]},
        LeftOut.ONLY_SECOND: _("only %(name)s answered") % {"name": sides[1]},
        LeftOut.ANOTHER_REVISION: _("the text changed between the two submissions"),
    }


# --- One pair -------------------------------------------------------------------------------


def describe_pair(item: JudgeItem, grades: Iterable[Grade]) -> dict[str, Any]:
    """Say what a page shows of one pair, or of a canary that is one."""
    current = {grade.attempt_id: grade for grade in grades}
    sides = find_sides(item)
    if item.attempt and item.other:
        answers: list[dict[str, Any]] = [
            {"name": name, "text": one.response, "attempt": one, "grade": current.get(one.pk)}
            for name, one in zip(sides, (item.attempt, item.other), strict=True)
        ]
        return {"answers": answers, "sides": sides}
    canary, is_tie = _find_canary(item)
    return {
        "answers": [
            {"name": sides[0], "text": canary.first},
            {"name": sides[1], "text": canary.second},
        ],
        "question": canary.question,
        "known": _("a tie: both are the same answer")
        if is_tie
        else _("the right answer is better"),
        "sides": sides,
    }


def find_sides(item: JudgeItem) -> Sides:
    """Name the two that an item compares; nothing of one that compares none."""
    if item.run.other is None:
        return "", ""
    if not item.canary:
        return name_sides(item.run)
    _canary, is_tie = _find_canary(item)
    if is_tie:
        return _("an answer"), _("the same answer again")
    return _("the right answer"), _("the wrong answer")


def _find_canary(item: JudgeItem) -> tuple[Item, bool]:
    """Find what a canary is about, and whether it is one answer twice."""
    canaries = item.run.configuration.judge_kind.list_canaries(turns=1)
    [canary] = [one for one in canaries if one.canary == item.canary]
    return canary, canary.first == canary.second
