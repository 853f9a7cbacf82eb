"""A study of six public problems, open to participants, and people who may join it."""

from collections.abc import Callable
from datetime import timedelta

import pgtrigger
import pytest
from django.db import transaction
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.versions.models import BenchmarkVersion
from grading.studies import actions as studying
from grading.studies.models import Participation, Study
from grading.studies.sessions import actions
from grading.studies.sessions.models import GRACE, Session
from grading.studies.sessions.sync import Event, Told, take
from phybench.people.models import Role, User
from tests.boards import make_problems
from tests.conftest import make_person
from tests.memory import remembered
from tests.versions import publish_version

Join = Callable[[User], Participation]


@pytest.fixture
@remembered
def pool(benchmark: Benchmark) -> list[Problem]:
    return make_problems(benchmark, 6)


@pytest.fixture
@remembered
def version(benchmark: Benchmark, pool: list[Problem]) -> BenchmarkVersion:
    return publish_version(benchmark)


@pytest.fixture
@remembered
def draft_study(version: BenchmarkVersion, admin: User) -> Study:
    """Sessions of three problems, an hour each."""
    return studying.make(
        version=version,
        title="Students",
        by=admin,
        problems=3,
        minutes=60,
        joining=Study.Joining.OPEN,
        consent="I take part of my own will.",
        most_people=4,
    )


@pytest.fixture
@remembered
def study(draft_study: Study, admin: User) -> Study:
    studying.open_study(study=draft_study, by=admin)
    return Study.objects.get(pk=draft_study.pk)


@pytest.fixture
@remembered
def other(db: None) -> User:
    return make_person(Role.PARTICIPANT, "other")


def join(study: Study, person: User, *, attests: bool = False) -> Participation:
    return actions.join(study=study, person=person, consents=True, attests=attests, answers={})


def practise(study: Study, person: User) -> Participation:
    """Have somebody join and answer the practice problem."""
    participation = join(study, person, attests=True)
    actions.practise(participation=participation)
    return participation


@pytest.fixture
@remembered
def session(study: Study, participant: User) -> Session:
    return actions.start(participation=practise(study, participant), seed=1)


def write(
    session: Session, place: int, text: str, number: int = 1, tab: str = "one", kind: str = "ANSWER"
) -> Told:
    """Save what somebody typed, as their browser does."""
    person = session.participation.person
    assert person is not None
    return take(session=session, person=person, tab=tab, events=[Event(place, kind, number, text)])


def pass_deadline(session: Session, *, by: timedelta = GRACE + timedelta(seconds=1)) -> None:
    """Let the time of a session have been up for so long."""
    ends_at = timezone.now() - by
    person = session.participation.person
    assert person is not None
    with pgtrigger.ignore("grading.Session:session_stays_as_it_started"), transaction.atomic():
        Session.objects.filter(pk=session.pk).update(
            started_at=ends_at - timedelta(hours=1), ends_at=ends_at, next_at=ends_at + GRACE
        )
        actions.note_sitting(person)
    session.refresh_from_db()
