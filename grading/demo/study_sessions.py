"""Rows of simulated sessions: what people saved and when, what their browsers said, the answers."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from grading.answers.models import Attempt
from grading.demo.bank_rows import store
from grading.demo.simulated import EMPTY, GAVE_UP, RIGHT, SEEN, UNREADABLE
from grading.demo.study_plan import Plan, Sat
from grading.demo.study_texts import EXTENDED, WHY_GAVE_UP
from grading.demo.wordings import Wordings
from grading.solvers.models import Solver
from grading.studies.models import Participation, StudyItem
from grading.studies.sessions.models import GRACE, Extension, Save, Session, SessionItem, Trace
from phybench.people.models import User

TAB = "simulated"
BETWEEN = timedelta(minutes=3)
"""Of two words of a browser; a real one speaks every five seconds."""
OUTCOMES = {
    EMPTY: SessionItem.Outcome.EMPTY,
    GAVE_UP: SessionItem.Outcome.GAVE_UP,
    SEEN: SessionItem.Outcome.SEEN,
}
"""What is none of them was answered."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One person's session, as it is planned, and what it is stored with."""

    participation: Participation
    solver: Solver
    seed: int
    begins_at: datetime
    items: Sequence[StudyItem]
    plan: Plan

    @property
    def ends_at(self) -> datetime:
        """When they hand in, or the worker does."""
        return self.begins_at + self.plan.lasts + (GRACE if self.plan.is_time_up else timedelta())

    @property
    def ending(self) -> Session.Ending:
        if self.plan.is_time_up:
            return Session.Ending.TIME_UP
        is_whole = all(one.does != EMPTY for one in self.plan.problems)
        return Session.Ending.HANDED_IN if is_whole else Session.Ending.STOPPED


def store_sessions(
    sittings: Sequence[Sitting],
    wordings: Mapping[str, Wordings],
    chance: random.Random,
    runner: User,
) -> list[Attempt]:
    """Store all that came of these sessions; return the answers, which wait to be graded."""
    sessions = store([_make_session(one) for one in sittings])
    texts = [[_type(*one, wordings, chance) for one in _zip(each)] for each in sittings]
    attempts = store(
        [
            Attempt(
                solver=sitting.solver,
                revision=item.item.revision,
                origin=Attempt.Origin.STUDY,
                response=text,
                created_at=sitting.ends_at,
            )
            for sitting, typed in zip(sittings, texts, strict=True)
            for item, text in zip(sitting.items, typed, strict=True)
            if text
        ]
    )
    by_answer = {(one.solver_id, one.revision_id): one for one in attempts}
    items = []
    for sitting, session in zip(sittings, sessions, strict=True):
        for place, (item, sat) in enumerate(_zip(sitting), 1):
            attempt = by_answer.get((sitting.solver.pk, item.item.revision_id))
            items.append(_make_item(sitting, session, place, item, sat, attempt, chance))
    stored = iter(store(items))
    saves: list[Save] = []
    traces: list[Trace] = []
    for sitting, typed in zip(sittings, texts, strict=True):
        last, count = None, 0
        for sat, text in zip(sitting.plan.problems, typed, strict=True):
            row = next(stored)
            own = list(_list_saves(sitting, row, sat, text, chance))
            if sat.opens is not None:
                last, count = row, len(own)
            saves += own
            traces += _list_traces(sitting, row, sat, chance)
        if sitting.plan.is_late and last:
            # To the one that they worked at when the time was up.
            late_at = sitting.ends_at + timedelta(seconds=20 + 60 * chance.random())
            late = _save(last, count + 1, Save.Kind.ANSWER, "2 m g", late_at, is_late=True)
            saves.append(late)
    store(saves)
    store(traces)
    store(
        [
            Extension(
                session=session,
                minutes=sitting.plan.extension,
                why=EXTENDED,
                by=runner,
                at=sitting.begins_at + timedelta(minutes=40),
            )
            for sitting, session in zip(sittings, sessions, strict=True)
            if sitting.plan.extension
        ]
    )
    return attempts


def _zip(sitting: Sitting) -> Iterator[tuple[StudyItem, Sat]]:
    return zip(sitting.items, sitting.plan.problems, strict=True)


def _make_session(sitting: Sitting) -> Session:
    study = sitting.participation.study
    minutes = study.minutes + sitting.plan.extension
    return Session(
        participation=sitting.participation,
        seed=sitting.seed,
        started_at=sitting.begins_at,
        ends_at=sitting.begins_at + timedelta(minutes=minutes),
        ended_at=sitting.ends_at,
        ending=sitting.ending,
        tab=TAB,
        seen_at=sitting.ends_at,
        kept_to_aids=sitting.plan.kept_to_aids,
    )


def _make_item(
    sitting: Sitting,
    session: Session,
    place: int,
    item: StudyItem,
    sat: Sat,
    attempt: Attempt | None,
    chance: random.Random,
) -> SessionItem:
    opened_at = None if sat.opens is None else sitting.begins_at + sat.opens
    left_at = None if sat.leaves is None else sitting.begins_at + sat.leaves
    gave_up = sat.does == GAVE_UP
    return SessionItem(
        session=session,
        place=place,
        study_item=item,
        opened_at=opened_at,
        is_marked=chance.random() < 0.1,
        seen_before_at=left_at if sat.does == SEEN else None,
        gave_up_at=left_at if gave_up else None,
        why_gave_up=WHY_GAVE_UP if gave_up else "",
        outcome=OUTCOMES.get(sat.does, SessionItem.Outcome.ANSWERED),
        attempt=attempt,
    )


def _type(
    item: StudyItem, sat: Sat, wordings: Mapping[str, Wordings], chance: random.Random
) -> str:
    """Return what is handed in; nothing where there is no answer."""
    if sat.does in OUTCOMES:
        return ""
    words = wordings[item.item.revision.answer.strip()]
    if sat.does == UNREADABLE:
        return f"({words.right[0]}"
    return chance.choice(words.right if sat.does == RIGHT else words.wrong)


def _list_saves(
    sitting: Sitting, row: SessionItem, sat: Sat, text: str, chance: random.Random
) -> Iterator[Save]:
    """List what stood in the boxes while somebody worked: notes, then an answer that grows."""
    if sat.opens is None or sat.leaves is None or sat.does == SEEN:
        return
    steps = chance.randint(1, 3) if text else 0
    typed = [text[: len(text) * step // (steps + 1)] for step in range(1, steps + 1)]
    said = [(Save.Kind.NOTES, "What is kept? What is given?")]
    said += [(Save.Kind.ANSWER, one) for one in [*typed, text] if one]
    for number, (kind, one) in enumerate(said, 1):
        # Most of the time goes by before anybody types.
        share = 0.3 if number == 1 else 0.7 + 0.3 * number / len(said)
        at = sitting.begins_at + sat.opens + share * (sat.leaves - sat.opens)
        yield _save(row, number, kind, one, at)


def _save(
    row: SessionItem, number: int, kind: str, text: str, at: datetime, *, is_late: bool = False
) -> Save:
    return Save(
        item=row, number=number, kind=kind, text=text, tab=TAB, arrived_at=at, is_late=is_late
    )


def _list_traces(
    sitting: Sitting, row: SessionItem, sat: Sat, chance: random.Random
) -> Iterator[Trace]:
    """List what a browser says of the time on a problem."""
    if sat.opens is None or sat.leaves is None:
        return
    at, end = sitting.begins_at + sat.opens, sitting.begins_at + sat.leaves
    while at < end:
        spent = min(BETWEEN, end - at)
        at += spent
        amount = int(spent.total_seconds() * 1000)
        yield _trace(row, Trace.Kind.SHOWN, at, amount)
        focus = int(amount * chance.uniform(0.85, 1.0))
        yield _trace(row, Trace.Kind.FOCUS, at, focus)
    if chance.random() < 0.15:
        yield _trace(row, Trace.Kind.AWAY, end)
    if chance.random() < 0.04:
        yield _trace(row, Trace.Kind.PASTE, end, chance.randint(3, 90))


def _trace(row: SessionItem, kind: str, at: datetime, amount: int = 0) -> Trace:
    moment = int(at.timestamp() * 1000)
    return Trace(item=row, kind=kind, moment=moment, amount=amount, at=at)
