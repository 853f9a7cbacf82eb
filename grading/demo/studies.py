"""
The demo's studies of people: one that has ended, and one that a visitor can join and sit.

Everything goes through the actions that people use, with the times of a study that went on for
three weeks. Its answers are then graded by the worker like any others.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from curation.versions.models import BenchmarkVersion, VersionItem
from grading.demo import simulated
from grading.demo.simulated import EMPTY, GAVE_UP, RIGHT, SEEN, SITTERS, UNREADABLE, Sitter
from grading.demo.study_texts import (
    EXTENDED,
    MOVED,
    QUESTIONS,
    STUDY,
    TRIAL,
    WHY_GAVE_UP,
)
from grading.demo.wordings import Wordings, find_wordings
from grading.studies import actions as studying
from grading.studies.models import Participation, Study
from grading.studies.sessions import actions
from grading.studies.sessions.models import GRACE, Session, SessionItem
from grading.studies.sessions.sync import Event, take
from grading.studies.withdrawals.actions import withdraw
from phybench.people.models import User

PROBLEMS, MINUTES, PEOPLE = 6, 90, 16
"""Of the study that has ended."""
TRIED, TRIAL_MINUTES, TRIAL_POOL, TRIAL_PEOPLE = 3, 30, 8, 40
"""Of the one that is open. Its pool is small: who may join sees it nowhere else."""
LEAST = TRIAL_POOL
"""Problems of a version: of fewer there is no study."""
TAB = "simulated"
DAYS = 21


@dataclass(frozen=True, slots=True)
class Typist:
    """Types an answer to any problem, one of several ways."""

    wordings: Mapping[str, Wordings]
    """By reference answer."""
    chance: random.Random

    def write(self, key: str, does: str) -> str:
        words = self.wordings[key.strip()]
        if does == UNREADABLE:
            return f"({words.right[0]}"
        return self.chance.choice(words.right if does == RIGHT else words.wrong)


def make(
    version: BenchmarkVersion,
    admin: User,
    participants: Sequence[User],
    problems: Sequence[dict[str, Any]],
) -> None:
    """
    Make both studies of a published version of `LEAST` problems or more.

    Args:
        participants: who shall be able to sit the open one, and still find other problems.
        problems: as their files have them, with what people may answer.
    """
    people = simulated.make_people()
    at = len(people) - simulated.VISITORS
    typist = Typist(find_wordings(problems), random.Random(1))
    _make_ended(version, admin, people[:at], typist)
    _make_open(version, admin, participants, people[at:], typist)


def _make_ended(
    version: BenchmarkVersion, admin: User, people: Sequence[User], typist: Typist
) -> None:
    begins_at = find_beginning()
    study = studying.make(
        version=version,
        by=admin,
        made_at=begins_at - timedelta(days=6),
        problems=PROBLEMS,
        minutes=MINUTES,
        most_people=PEOPLE,
        joining=Study.Joining.LIST,
        opens_at=begins_at,
        closes_at=begins_at + timedelta(days=14),
        questions=QUESTIONS,
        **STUDY,
    )
    addresses = [one.email for one in people]
    studying.invite(study=study, addresses=addresses, by=admin, at=begins_at)
    studying.open_study(study=study, by=admin, at=begins_at)
    joining = people[: len(SITTERS) + simulated.ONLY_JOIN]
    for number, person in enumerate(joining):
        sitter = SITTERS[number] if number < len(SITTERS) else None
        joined_at = begins_at + timedelta(days=1 + number, hours=9, minutes=13 * number)
        part = _join(study, person, number, joined_at)
        if number < len(joining) - 1:
            actions.practise(participation=part, at=joined_at + timedelta(minutes=6))
        if number == len(SITTERS) // 2:
            closes_at = begins_at + timedelta(days=DAYS)
            fields = {"closes_at": closes_at}
            studying.change(study=study, by=admin, fields=fields, why=MOVED, at=joined_at)
        if sitter:
            _sit(part, person, sitter, joined_at + timedelta(minutes=15), typist, admin)
    leaving_at = begins_at + timedelta(days=2 + len(joining), hours=10)
    _sit_and_withdraw(study, people[len(joining)], len(joining), leaving_at, typist, admin)
    ends_at = begins_at + timedelta(days=DAYS)
    studying.end_study(study=study, by=admin, at=ends_at)
    study.refresh_from_db()
    studying.name_baseline(study=study, by=admin, at=ends_at + timedelta(hours=20))


def _sit_and_withdraw(
    study: Study, person: User, number: int, joined_at: datetime, typist: Typist, admin: User
) -> None:
    """Have somebody sit a session and then take their consent back, a day later."""
    part = _join(study, person, number, joined_at)
    actions.practise(participation=part, at=joined_at + timedelta(minutes=6))
    begins_at = joined_at + timedelta(minutes=15)
    _sit(part, person, simulated.WHO_WITHDRAWS, begins_at, typist, admin)
    withdraw(participation=part, person=person, at=joined_at + timedelta(days=1))


def _make_open(
    version: BenchmarkVersion,
    admin: User,
    participants: Sequence[User],
    people: Sequence[User],
    typist: Typist,
) -> None:
    opened_at = _midnight() - timedelta(hours=16)
    pool = _choose_pool(version, participants)
    study = studying.make(
        version=version,
        by=admin,
        made_at=opened_at - timedelta(days=1),
        problems=TRIED,
        minutes=TRIAL_MINUTES,
        most_people=TRIAL_PEOPLE,
        joining=Study.Joining.OPEN,
        **TRIAL,
    )
    studying.choose_pool(study=study, items=pool, by=admin)
    studying.open_study(study=study, by=admin, at=opened_at)
    for number, person in enumerate(people):
        joined_at = opened_at + timedelta(hours=2 + number)
        part = _join(study, person, number, joined_at)
        if number == 0:
            begun = joined_at + timedelta(minutes=9)
            actions.practise(participation=part, at=begun)
            sitter = Sitter("RWR", pace=0.5)
            _sit(part, person, sitter, begun, typist, admin)


def find_beginning() -> datetime:
    """Return when the study began that has ended."""
    return _midnight() - timedelta(days=DAYS + 2)


def _midnight() -> datetime:
    """Return when today began: people work by day."""
    return timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)


def _choose_pool(version: BenchmarkVersion, participants: Sequence[User]) -> list[VersionItem]:
    """Choose what the fewest of these people have answered, so that all of them can sit it."""
    theirs = Q(
        revision__attempts__submission=None, revision__attempts__solver__user__in=participants
    )
    items = version.items.public().standing().annotate(known=Count("pk", filter=theirs))
    return list(items.order_by("known", "pk")[:TRIAL_POOL])


def _join(study: Study, person: User, number: int, at: datetime) -> Participation:
    # Of each question of the study, one of the answers that it can have.
    answers = {str(one["ask"]): _answer(one, number) for one in study.questions}
    return actions.join(
        study=study, person=person, consents=True, attests=True, answers=answers, at=at
    )


def _answer(question: dict[str, object], number: int) -> str:
    match question:
        case {"choices": list(choices)}:
            return str(choices[number % len(choices)])
        case {"kind": "YES"}:
            return "yes"
        case {"kind": "NUMBER"}:
            return str(1.0 + number % 4)
        case _:
            return ("Mechanics", "Optics", "Thermodynamics")[number % 3]


def _sit(
    part: Participation,
    person: User,
    sitter: Sitter,
    begins_at: datetime,
    typist: Typist,
    admin: User,
) -> None:
    """Have somebody sit their session from beginning to end."""
    # The same problems come in each new demo.
    seed = typist.chance.randrange(2**31)
    session = actions.start(participation=part, seed=seed, at=begins_at)
    items = list(session.items.select_related("study_item__item__revision"))
    times = _spread(begins_at, session, sitter, typist.chance)
    for item, does, (opens_at, leaves_at) in zip(items, sitter.does, pairwise(times), strict=True):
        if opens_at > session.ends_at:
            break
        if sitter.extension and item.place == len(items) // 2:
            minutes = sitter.extension
            actions.extend(session=session, by=admin, minutes=minutes, why=EXTENDED, at=opens_at)
            session.refresh_from_db()
        _work(session, person, item, does, opens_at, leaves_at, typist)
    _end(session, person, times[-1], is_late=sitter.is_late)
    if sitter.kept_to_aids is not None:
        actions.say_aids(session=session, person=person, kept=sitter.kept_to_aids)
    if sitter.left_out:
        at = begins_at + timedelta(days=1)
        actions.leave_out(participation=part, by=admin, why=sitter.left_out, at=at)


def _spread(
    begins_at: datetime, session: Session, sitter: Sitter, chance: random.Random
) -> list[datetime]:
    """Say when each problem is opened, and when the last one is left."""
    whole = 0.75 * (session.ends_at - begins_at) * sitter.pace
    shares = [chance.uniform(0.6, 1.4) for _one in sitter.does]
    times = [begins_at]
    for share in shares:
        times.append(times[-1] + whole * share / len(shares))
    return times


def _work(
    session: Session,
    person: User,
    item: SessionItem,
    does: str,
    opens_at: datetime,
    leaves_at: datetime,
    typist: Typist,
) -> None:
    """Have somebody work at one problem, as their browser tells it."""
    place = item.place

    def send(at: datetime, *events: Event) -> None:
        take(session=session, person=person, tab=TAB, events=events, at=at)

    leaves_at = min(leaves_at, session.ends_at)
    if does == SEEN:
        send(opens_at, Event(place, "OPENED"), Event(place, "SEEN"))
        return
    half = opens_at + (leaves_at - opens_at) / 2
    send(opens_at, Event(place, "OPENED"))
    send(half, *_list_traces(place, half - opens_at), Event(place, "NOTES", 1, "What is kept?"))
    events = [*_list_traces(place, leaves_at - half)]
    if typist.chance.random() < 0.2:
        events.append(Event(place, "AWAY"))
    if does == GAVE_UP:
        events.append(Event(place, "GAVE_UP", text=WHY_GAVE_UP))
    elif does != EMPTY:
        text = typist.write(item.study_item.item.revision.answer, does)
        # What stood there while they typed comes as well.
        typed = [text[: len(text) // 2], text]
        events += [Event(place, "ANSWER", number, one) for number, one in enumerate(typed, 2)]
    send(leaves_at, *events)


def _list_traces(place: int, spent: timedelta) -> Iterable[Event]:
    milliseconds = int(spent.total_seconds() * 1000)
    return (
        Event(place, "SHOWN", milliseconds),
        Event(place, "FOCUS", int(0.93 * milliseconds)),
    )


def _end(session: Session, person: User, done_at: datetime, *, is_late: bool) -> None:
    """Hand in, or let the time be up as a worker does, which then refuses what comes late."""
    if done_at <= session.ends_at:
        actions.hand_in(session=session, person=person, at=done_at)
    else:
        held = actions.hold(session, person)
        actions.end(held, Session.Ending.TIME_UP, held.ends_at + GRACE)
    if is_late:
        last = session.items.get(place=session.items.count())
        late = Event(last.place, "ANSWER", last.saves.count() + 1, "I was about to write m g")
        after = session.ends_at + GRACE + timedelta(seconds=35)
        take(session=session, person=person, tab=TAB, events=[late], at=after)
