"""Collect what came of a study's sessions."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import nan
from typing import Any

from django.db.models import Count, F, OuterRef, Q, Subquery, Sum
from django.utils.crypto import salted_hmac

from grading.answers.models import Attempt, with_grade
from grading.studies.models import Deviation, Participation, Study
from grading.studies.sessions.late import LATE_ANSWER
from grading.studies.sessions.models import Save, SessionItem, Trace
from grading.studies.sessions.rules import find_left_out
from phybench_grader.statistics.studies import (
    SatProblem,
    StudyFigures,
    compare_rules,
    drop,
    find_exact,
    summarise,
)

Outcome = SessionItem.Outcome


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """What a rule alone changes."""

    label: str
    left_out: int
    figures: StudyFigures
    is_exact: bool
    """Whether its figures tell of no few people; see `find_exact`."""


@dataclass(frozen=True, slots=True)
class Results:
    """All that a study's pages, files and report say of its sessions."""

    rows: list[SatProblem]
    """Of all whose session has ended."""
    kept: list[SatProblem]
    """Without those whom the study's rules leave out."""
    all_people: StudyFigures
    is_all_exact: bool
    """Whether these tell of no few people beside the headline."""
    headline: StudyFigures
    rules: list[RuleFigures]
    flow: dict[str, int]
    outcomes: dict[str, int]
    """How often each came; of all whose session has ended."""


def collect(study: Study) -> Results:
    """Collect a study's results: by its rules, by each alone, and without any."""
    rows = _list_rows(study)
    left_out = find_left_out(study)
    gone = {person for people in left_out.values() for person in people}
    kept = drop(rows, gone)
    figures = compare_rules(rows, left_out)
    people = {row.person for row in rows}
    without = [people - set(left_out[rule]) for rule in left_out]
    _headline, is_all_exact, *are_exact = find_exact([people - gone, people, *without])
    items = SessionItem.objects.filter(
        session__participation__study=study, session__ended_at__isnull=False
    )
    counted = dict(items.order_by().values_list("outcome").annotate(Count("pk")))
    return Results(
        rows=rows,
        kept=kept,
        all_people=summarise(rows),
        is_all_exact=is_all_exact,
        headline=summarise(kept),
        rules=[
            RuleFigures(_label(rule, study.rules), len(left_out[rule]), figures[rule], is_exact)
            for rule, is_exact in zip(left_out, are_exact, strict=True)
        ],
        flow=_find_flow(study, len(gone)),
        outcomes={one.value: counted.get(one.value, 0) for one in Outcome},
    )


def _label(rule: str, rules: Mapping[str, int]) -> str:
    label = str(Study.Rule(rule).label)
    return f"{label} {rules[rule]}" if rule == Study.Rule.SHORT else label


def _list_rows(study: Study) -> list[SatProblem]:
    """List what counts: not what somebody had seen before."""
    newest = Save.objects.in_time().filter(item=OuterRef("pk"), kind=Save.Kind.ANSWER)
    items = list(
        SessionItem.objects.filter(
            session__participation__study=study,
            session__participation__withdrawn_at=None,
            session__ended_at__isnull=False,
        )
        .annotate(
            shown=Sum("traces__amount", filter=Q(traces__kind=Trace.Kind.SHOWN)),
            saved_at=Subquery(newest.order_by("-number").values("arrived_at")[:1]),
        )
        .order_by("pk")
        .values(
            *("pk", "place", "shown", "outcome", "attempt", "saved_at"),
            person=F("session__participation"),
            problem=F("study_item__item__problem"),
            domain=F("study_item__item__problem__domain"),
            difficulty=F("study_item__item__problem__difficulty"),
            started_at=F("session__started_at"),
            ended_at=F("session__ended_at"),
        )
    )
    grades = _find_grades(study)
    late = _find_counted_late(study)
    each = Counter(one["person"] for one in items)
    rows = []
    for one in items:
        if one["outcome"] == Outcome.SEEN:
            continue
        is_answered = one["outcome"] == Outcome.ANSWERED
        accuracy, eed = grades[one["attempt"]] if is_answered else (0.0, 0.0)
        saved_at = late.get(one["pk"], one["saved_at"]) if is_answered else None
        rows.append(
            SatProblem(
                person=one["person"],
                problem=one["problem"],
                place=one["place"],
                accuracy=nan if accuracy is None else accuracy,
                eed=nan if eed is None else eed,
                seconds=_find_shown(one),
                domain=one["domain"],
                difficulty=one["difficulty"],
                outcome=one["outcome"],
                answered_after=(saved_at - one["started_at"]).total_seconds() if saved_at else nan,
                sat=(one["ended_at"] - one["started_at"]).total_seconds(),
                of=each[one["person"]],
            )
        )
    return rows


def _find_shown(row: Mapping[str, Any]) -> float:
    """Return for how long a problem was shown: as its browser says, within its session."""
    if row["shown"] is None:
        return nan
    session: timedelta = row["ended_at"] - row["started_at"]
    shown: float = row["shown"] / 1000
    return min(shown, session.total_seconds())


def _find_grades(study: Study) -> dict[int, tuple[float | None, float | None]]:
    """Find accuracy and EED of each answer; None where it is not graded."""
    graded = with_grade(
        Attempt.objects.filter(sat__session__participation__study=study),
        benchmark=study.version.benchmark,
    )
    return {
        pk: (accuracy, eed) for pk, accuracy, eed in graded.values_list("pk", "accuracy", "eed")
    }


def _find_counted_late(study: Study) -> dict[int, datetime]:
    """Find by problem of a session when an answer came that counts though it was late."""
    late = Deviation.objects.filter(study=study, field=LATE_ANSWER).order_by("pk")
    found = {}
    for after in late.values_list("after", flat=True):
        assert isinstance(after, dict)
        found[int(str(after["item"]))] = datetime.fromisoformat(str(after["arrived_at"]))
    return found


def _find_flow(study: Study, left_out: int) -> dict[str, int]:
    """Count people from the list to the result; who is left out by a rule, or by hand."""
    people = Participation.objects.filter(study=study).count_flow()
    return {"invited": study.invitations.count(), **people, "left_out": left_out}


def number_people(study: Study) -> dict[int, int]:
    """
    Number the people of a study for a file, by their rows: from 1, in no order that tells anything.

    The same study gives the same numbers as long as nobody joins it.
    """
    people = dict(Participation.objects.filter(study=study).values_list("pk", "pseudonym"))

    def draw(pk: int) -> bytes:
        # Without this site's secret whoever knows the pseudonyms would know the numbers too.
        return salted_hmac(f"people of study {study.pk}", people[pk], algorithm="sha256").digest()

    return {pk: number for number, pk in enumerate(sorted(people, key=draw), 1)}
