"""What pages and files show of a pairwise judge: preferences by name, places, what was left out."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from grading.answers.models import Grade, Submission
from grading.judges.prompts import Family, Variant
from grading.judging.engine.trials import SAME_TWICE, list_canaries
from grading.judging.models.runs import JudgeItem, JudgeRun
from grading.judging.pairs import (
    SAYS,
    Graded,
    LeftOut,
    Said,
    collect,
    count_places,
    match_submissions,
    name_both,
    name_sides,
)
from phybench.csv import csv_response

Sides = tuple[str, str]
SIDES = ("A", "B")
"""Of a run, in tables that names would be too long for; its title says who is who."""
MOVED = "position_inconsistent"


def describe_pairs(run: JudgeRun) -> dict[str, Any]:
    """Say what the preferences of a run come to, whom it leans to, and how it stands to grades."""
    assert run.other is not None
    matched = match_submissions(run.submission, run.other)
    found = collect(run, left_out=len(matched.left_out))
    labels = label_graded(SIDES)
    return {
        "names": name_sides(run),
        "sides": SIDES,
        "pairs": found,
        "by_place": count_places(run),
        "moved_canaries": run.items.exclude(canary="").filter(reason=MOVED).count(),
        "leads": found.leads.value,
        "graded_labels": [labels[graded] for graded in Graded],
        "beside_grader": [
            (label_said(SIDES)[said], [(labels[graded], number) for graded, number in counts])
            for said, counts in found.beside_grader
        ],
        "left_out": [
            (label_left_out(SIDES)[why], number, _list_identifiers(matched.left_out, why))
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
    return ", ".join(dict.fromkeys(found))


def label_said(sides: Sides) -> dict[Said, str]:
    return {
        Said.FIRST: _("%(name)s is better") % {"name": sides[0]},
        Said.SECOND: _("%(name)s is better") % {"name": sides[1]},
        Said.TIE: _("a tie"),
        Said.NOTHING: _("no verdict"),
    }


def label_graded(sides: Sides) -> dict[Graded, str]:
    return {
        Graded.ONLY_FIRST: _("only %(name)s right") % {"name": sides[0]},
        Graded.ONLY_SECOND: _("only %(name)s right") % {"name": sides[1]},
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
    canaries = list_canaries(Variant(Family.PAIRWISE))
    [canary] = [one for one in canaries if one.canary == item.canary]
    is_tie = item.canary == SAME_TWICE
    return {
        "answers": [
            {"name": sides[0], "text": canary.first},
            {"name": sides[1], "text": canary.second},
        ],
        "question": canary.question,
        "known": _("a tie: it is one answer twice") if is_tie else _("the right answer is better"),
        "sides": sides,
    }


def find_sides(item: JudgeItem) -> Sides:
    """Name the two that an item compares; nothing of one that compares none."""
    if item.run.other is None:
        return "", ""
    if not item.canary:
        return name_sides(item.run)
    if item.canary == SAME_TWICE:
        return _("an answer"), _("the same once more")
    return _("the right answer"), _("the wrong answer")


# --- The file -------------------------------------------------------------------------------


def pairs_csv(run: JudgeRun, items: Iterable[JudgeItem], *, is_whole: bool) -> HttpResponse:
    """Give a run's pairs as a file; at the end of the whole one, what was left out."""
    header = [
        "id", "sample", "canary", "state", "reason", "first", "second", "preferred", "value",
        "flags", "doubts", "symbolic_verdict_of_first", "symbolic_verdict_of_second", "reused",
        "configuration_sha256",
    ]  # fmt: skip
    return csv_response(f"judge-run-{run.pk}", header, _list_rows(run, items, is_whole))


def _list_rows(run: JudgeRun, items: Iterable[JudgeItem], is_whole: bool) -> Iterable[list[object]]:
    assert run.other is not None
    sides, sha256 = name_sides(run), run.configuration.sha256
    for item in items:
        said: Any = item
        value = said.value if item.state == JudgeItem.State.SCORED else None
        yield [
            item.attempt.revision.problem.identifier if item.attempt else "",
            item.attempt.sample if item.attempt else "",
            item.canary,
            item.state,
            item.reason,
            *(("", "") if item.canary else sides),
            "" if value is None else SAYS[value].value,
            value,
            " ".join(said.flags or []),
            " ".join(said.doubts or []),
            said.symbolic_verdict or "",
            said.other_symbolic_verdict or "",
            said.reused is not None,
            sha256,
        ]
    if not is_whole:
        return
    for attempt, why in match_submissions(run.submission, run.other).left_out:
        identifier = attempt.revision.problem.identifier
        yield [
            identifier, attempt.sample, "", "LEFT_OUT", why.value, *sides,
            "", None, "", "", "", "", False, sha256,
        ]  # fmt: skip
