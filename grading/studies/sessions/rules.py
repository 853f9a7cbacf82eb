"""Whom the rules of a study leave out of its results."""

from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from curation.problems.exposures.models import Exposure
from grading.studies.models import Study
from grading.studies.sessions.models import Exclusion, Session, SessionItem


def find_left_out(study: Study) -> dict[str, list[int]]:
    """
    Find by rule whom it leaves out.

    By hand somebody is left out whatever the rules are, and so is who was shown what tells a key
    of their session while they sat it: as a reviewer, a labeller or a judge they may be.
    """
    sessions = Session.objects.filter(
        participation__study=study,
        participation__withdrawn_at=None,
        ended_at__isnull=False,
    ).annotate(
        unopened=Count("items", filter=Q(items__opened_at=None)),
        answered=Count("items", filter=Q(items__outcome=SessionItem.Outcome.ANSWERED)),
        by_hand=Exists(Exclusion.objects.filter(participation=OuterRef("participation"))),
        was_shown=Exists(_list_shown()),
    )
    left_out: dict[str, list[int]] = {rule: [] for rule in (*study.rules, Study.Rule.BY_HAND)}
    for session in sessions:
        for rule, people in left_out.items():
            if _falls_under(session, rule, study.rules.get(rule, 0)):
                people.append(session.participation_id)
    shown = [one.participation_id for one in sessions if _falls_under(one, Study.Rule.SHOWN, 0)]
    return left_out | ({Study.Rule.SHOWN: shown} if shown else {})


def _list_shown() -> QuerySet[Exposure]:
    """List what told a key of a session to its person while they sat it, for queries."""
    problems = SessionItem.objects.filter(session=OuterRef(OuterRef("pk")))
    return Exposure.objects.telling_key().filter(
        person=OuterRef("participation__person"),
        at__range=(OuterRef("started_at"), OuterRef("ended_at")),
        revision__problem__in=problems.values("study_item__item__problem"),
    )


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
        case Study.Rule.SHOWN:
            return bool(session.was_shown)
        case Study.Rule.BY_HAND:
            return bool(session.by_hand)
    raise ValueError(f"no rule of a study: {rule}")
