"""A run's pairs in its list of items, and in its file."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.pairs.matching import match_submissions, name_sides
from grading.judging.pairs.preferences import SAYS
from phybench.pages.listing import Column, by

SIDES = ("A", "B")
"""Of a run, in tables that names would be too long for; its title says who is who."""


def list_heads_of_pairs() -> list[Column[Any]]:
    of_first, of_second = (_("The grader on %(name)s") % {"name": one} for one in SIDES)
    return [
        Column("problem", _("Answers to"), by("attempt__revision__problem_id")),
        Column("judge", _("The judge"), by("value")),
        Column("grader", of_first, by("symbolic_verdict")),
        Column("other", of_second, by("other_symbolic_verdict")),
    ]


def list_said_of_pairs(run: JudgeRun) -> list[Column[Any]]:
    first, second = name_sides(run)
    return [
        Column("first", value=lambda one: "" if one.canary else first),
        Column("second", value=lambda one: "" if one.canary else second),
        Column("preferred", value=_name_preferred),
        Column("value", value=_find_value),
        Column("flags", value=lambda one: " ".join(one.flags or [])),
        Column("doubts", value=lambda one: " ".join(one.doubts or [])),
        Column("symbolic_verdict_of_first", value=lambda one: one.symbolic_verdict),
        Column("symbolic_verdict_of_second", value=lambda one: one.other_symbolic_verdict),
    ]


def _find_value(item: Any) -> float | None:
    return item.value if item.state == JudgeItem.State.SCORED else None


def _name_preferred(item: Any) -> str:
    value = _find_value(item)
    return "" if value is None else SAYS[value].value


def list_left_out(run: JudgeRun) -> Iterator[list[object]]:
    """List, as rows of the file, the answers that have none to be compared with."""
    assert run.submission is not None
    assert run.other is not None
    sides, sha256 = name_sides(run), run.configuration.sha256
    for attempt, why in match_submissions(run.submission, run.other).left_out:
        identifier = attempt.revision.problem.identifier
        yield [
            identifier, attempt.sample, "", "LEFT_OUT", why.value, *sides,
            "", None, "", "", "", "", False, sha256,
        ]  # fmt: skip
