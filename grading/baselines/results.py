"""Collect what came of a study's sessions."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, Sum

from grading.answers.models import Attempt, with_grade
from grading.sessions.models import Exclusion, Participation, Session, SessionItem, Trace
from grading.statistics.studies import SatProblem, StudyFigures, compare_rules, drop, summarise
from grading.studies.models import Study

Outcome = SessionItem.Outcome


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """What a rule alone changes."""

    label: str
    left_out: int
    figures: StudyFigures


@dataclass(frozen=True, slots=True)
class Results:
    """All that a study's pages, files and report say of its sessions."""

    rows: list[SatProblem]
    """Of all whose session has ended."""
    kept: list[SatProblem]
    """Without those whom the study's rules leave out."""
    all_people: StudyFigures
    headline: StudyFigures
    rules: list[RuleFigures]
    flow: dict[str, int]
    outcomes: dict[str, int]
    """How often each came; of all whose session has ended."""


def collect(study: Study) -> Results:
    """Collect a study's results: by its rules, by each alone, and without any."""
    rows = _list_rows(study)
    left_out = _find_left_out(study)
    gone = {person for people in left_out.values() for person in people}
    kept = drop(rows, gone)
    figures = compare_rules(rows, left_out)
    items = SessionItem.objects.filter(
        session__participation__study=study, session__ended_at__isnull=False
    )
    counted = dict(items.order_by().values_list("outcome").annotate(Count("pk")))
    return Results(
        rows=rows,
        kept=kept,
        all_people=summarise(rows),
        headline=summarise(kept),
        rules=[
            RuleFigures(_label(rule, study.rules), len(left_out[rule]), figures[rule])
            for rule in left_out
        ],
        flow=_find_flow(study, len(gone)),
        outcomes={one.value: counted.get(one.value, 0) for one in Outcome},
    )


def _label(rule: str, rules: Mapping[str, int]) -> str:
    label = str(Study.Rule(rule).label)
    return f"{label} {rules[rule]}" if rule == Study.Rule.SHORT else label


def _list_rows(study: Study) -> list[SatProblem]:
    """List what counts: not what somebody had seen before."""
    items = (
        SessionItem.objects.filter(
            session__participation__study=study,
            session__participation__withdrawn_at=None,
            session__ended_at__isnull=False,
        )
        .exclude(outcome=Outcome.SEEN)
        .annotate(shown=Sum("traces__amount", filter=Q(traces__kind=Trace.Kind.SHOWN)))
        .order_by("pk")
        .values_list(
            *("session__participation", "study_item__item__problem", "place", "shown"),
            *("study_item__item__problem__domain", "study_item__item__problem__difficulty"),
            *("attempt", "outcome"),
        )
    )
    benchmark = study.version.benchmark
    graded = with_grade(
        Attempt.objects.filter(sat__session__participation__study=study), benchmark=benchmark
    )
    grades = {pk: scores for pk, *scores in graded.values_list("pk", "accuracy", "eed")}
    rows = []
    for person, problem, place, shown, domain, difficulty, attempt, outcome in items:
        accuracy, eed = grades[attempt] if outcome == Outcome.ANSWERED else (0.0, 0.0)
        rows.append(
            SatProblem(
                person,
                problem,
                place,
                nan if accuracy is None else accuracy,
                nan if eed is None else eed,
                (shown or 0) / 1000,
                domain,
                difficulty,
            )
        )
    return rows


def _find_left_out(study: Study) -> dict[str, list[int]]:
    """Find by rule whom it leaves out; by hand somebody is left out whatever the rules are."""
    sessions = Session.objects.filter(
        participation__study=study,
        participation__withdrawn_at=None,
        ended_at__isnull=False,
    ).annotate(
        unopened=Count("items", filter=Q(items__opened_at=None)),
        answered=Count("items", filter=Q(items__outcome=Outcome.ANSWERED)),
        by_hand=Exists(Exclusion.objects.filter(participation=OuterRef("participation"))),
    )
    left_out: dict[str, list[int]] = {rule: [] for rule in (*study.rules, Study.Rule.BY_HAND)}
    for session in sessions:
        for rule, people in left_out.items():
            if _falls_under(session, rule, study.rules.get(rule, 0)):
                people.append(session.participation_id)
    return left_out


def _falls_under(session: Any, rule: str, amount: int) -> bool:
    match rule:
        case Study.Rule.STOPPED:
            return bool(session.ending == Session.Ending.STOPPED)
        case Study.Rule.SHORT:
            return bool((session.ended_at - session.started_at).total_seconds() < 60 * amount)
        case Study.Rule.UNOPENED:
            return bool(session.unopened)
        case Study.Rule.NO_ANSWER:
            return not session.answered
        case Study.Rule.AIDS:
            return session.kept_to_aids is False
        case Study.Rule.BY_HAND:
            return bool(session.by_hand)
    raise ValueError(f"no rule of a study: {rule}")


def _find_flow(study: Study, left_out: int) -> dict[str, int]:
    """Count people from the list to the result."""
    people = Participation.objects.filter(study=study).aggregate(
        joined=Count("pk"),
        practised=Count("pk", filter=Q(practised_at__isnull=False)),
        started=Count("session"),
        finished=Count("session", filter=Q(session__ended_at__isnull=False)),
        withdrawn=Count("pk", filter=Q(withdrawn_at__isnull=False)),
    )
    return {"invited": study.invitations.count(), **people, "left_out": left_out}
