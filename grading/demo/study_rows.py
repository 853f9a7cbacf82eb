"""
Make a study of many simulated people, with all that their browsers would have sent.

The study itself is planned, opened, frozen and ended by the actions; what happens in its sessions
is stored as rows at once, as the actions would have left them. Answers wait to be graded: workers
do that.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from curation.problems.exposures.ledger import begin_slot
from curation.problems.exposures.models import Exposure
from curation.versions.models import BenchmarkVersion, VersionItem
from grading.answers.models import Attempt
from grading.answers.tasks import GRADING
from grading.demo import benchmark as demo
from grading.demo import study_sessions
from grading.demo.bank_rows import store
from grading.demo.simulated import SEEN
from grading.demo.study_plan import PERSONS, PROBLEMS, Plan, draw, plan
from grading.demo.study_texts import QUESTIONS, STUDY
from grading.demo.wordings import Wordings, find_wordings
from grading.solvers.models import Solver
from grading.studies import actions as studying
from grading.studies.models import Participation, Study, StudyItem
from grading.studies.sessions.actions import LETTERS
from grading.studies.sessions.assigning import Candidate, choose
from grading.studies.sessions.models import Exclusion
from phybench.people.models import Role, User
from phybench.work.tasks import wake

MINUTES = 180
WEEKS = 3
MOST_POOL = 100
WHY_LEFT_OUT = "A supervisor saw this person talk with another one about a problem."


class NoVersion(Exception):
    """No version of a demo has problems enough."""


@dataclass(frozen=True, slots=True)
class StudySize:
    people: int
    """Who sit a session; a few more join and don't."""
    problems: int
    seed: int = 1
    pool: int = MOST_POOL


@dataclass(slots=True)
class Simulated:
    """A study, and what its answers were meant to be."""

    study: Study
    plans: list[Plan] = field(default_factory=list)

    @property
    def expected(self) -> float:
        """Return the accuracy that its people and problems bring on average, in per cent."""
        counted = [one for each in self.plans for one in each.problems if one.does != SEEN]
        return 100 * sum(one.expected for one in counted) / len(counted)


@transaction.atomic
def make(size: StudySize) -> Simulated:
    """
    Make a study; all of it, or nothing. One seed makes one study of a version.

    Raises:
        NoVersion: no version of a demo has problems enough.
    """
    wordings = find_wordings(demo.read_problems(demo.PROBLEMS))
    version, pool = _find_pool(size, wordings)
    chance = random.Random(size.seed)
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    begins_at = midnight - timedelta(weeks=WEEKS + 1)
    runner, people = _make_people(size)
    study = _make_study(size, version, pool, runner, len(people), begins_at)
    parts = store(list(_make_participations(study, people, size.people, begins_at, chance)))
    made = Simulated(study)
    solvers = store(
        [
            Solver(name=str(person), kind=Solver.Kind.HUMAN, user=person, is_demo=True)
            for person in people[: size.people]
        ]
    )
    items = list(study.items.select_related("item__problem", "item__revision").order_by("pk"))
    difficulties = {one.pk: draw(PROBLEMS, chance) for one in items}
    by_number = {one.pk: one for one in items}
    given: Counter[int] = Counter()
    sittings = []
    for number, (part, solver) in enumerate(zip(parts, solvers, strict=False)):
        seed = chance.randrange(2**31)
        chosen = choose([_describe(one, given[one.pk]) for one in items], size.problems, seed)
        given.update(chosen)
        planned = plan(
            number,
            draw(PERSONS, chance),
            [difficulties[pk] for pk in chosen],
            MINUTES,
            chance,
        )
        made.plans.append(planned)
        assert part.practised_at is not None
        sittings.append(
            study_sessions.Sitting(
                participation=part,
                solver=solver,
                seed=seed,
                begins_at=part.practised_at + timedelta(minutes=2),
                items=[by_number[pk] for pk in chosen],
                plan=planned,
            )
        )
    # Before the first session is stored, as the first who starts does it.
    studying.freeze(study=study, at=min(one.begins_at for one in sittings))
    attempts = study_sessions.store_sessions(sittings, wordings, chance, runner)
    store(
        [
            Exclusion(participation=one.participation, why=WHY_LEFT_OUT, by=runner, at=one.ends_at)
            for one in sittings
            if one.plan.is_left_out
        ]
    )
    store([one for each in sittings for one in _list_exposures(each)])
    studying.end_study(study=study, by=runner, at=begins_at + timedelta(weeks=WEEKS))
    study.refresh_from_db()
    wake(GRADING, attempts)
    return made


def _find_pool(
    size: StudySize, wordings: dict[str, Wordings]
) -> tuple[BenchmarkVersion, list[VersionItem]]:
    """Find the demo's version with the most public problems, and choose a pool, evenly from all."""
    public = Count("items", filter=Q(items__is_hidden=False, items__withdrawal=None))
    version = (
        BenchmarkVersion.objects.published()
        .filter(benchmark__is_demo=True)
        .annotate(public=public)
        .order_by("-public", "-pk")
        .first()
    )
    if version is None:
        raise NoVersion
    items = version.items.public().standing().select_related("revision").order_by("pk")
    known = [one for one in items if one.revision.answer.strip() in wordings]
    if len(known) < size.problems:
        raise NoVersion
    count = min(len(known), max(size.pool, size.problems))
    return version, [known[place * len(known) // count] for place in range(count)]


def _make_people(size: StudySize) -> tuple[User, list[User]]:
    """Make an admin and people who can't sign in: nobody is told a password."""
    password = make_password(None)
    number = 1 + Study.objects.count()
    host = f"study-{number}.example"
    [runner] = store(
        [
            User(
                email=f"admin@{host}",
                password=password,
                display_name=f"Simulated admin of study {number}",
                roles=[Role.ADMIN],
                is_named=False,
                is_demo=True,
            )
        ]
    )
    people = [
        User(
            email=f"simulated-{place}@{host}",
            password=password,
            display_name=f"Simulated person {place} of study {number}",
            roles=[Role.PARTICIPANT],
            is_named=False,
            is_demo=True,
        )
        for place in range(1, size.people + 1 + sum(_count_others(size.people)))
    ]
    return runner, store(people)


def _count_others(people: int) -> tuple[int, int, int]:
    """Return how many more only join, only practise, and withdraw before they start."""
    return 1 + people // 20, 1 + people // 27, 1 + people // 40


def _make_study(
    size: StudySize,
    version: BenchmarkVersion,
    pool: Sequence[VersionItem],
    runner: User,
    people: int,
    begins_at: datetime,
) -> Study:
    study = studying.make(
        version=version,
        by=runner,
        made_at=begins_at - timedelta(days=5),
        problems=size.problems,
        minutes=MINUTES,
        most_people=people,
        joining=Study.Joining.LINK,
        opens_at=begins_at,
        closes_at=begins_at + timedelta(weeks=WEEKS),
        questions=QUESTIONS,
        **{**STUDY, "title": f"Simulated: {size.people} people × {size.problems} problems"},
    )
    studying.choose_pool(study=study, items=pool, by=runner)
    studying.open_study(study=study, by=runner, at=begins_at)
    return Study.objects.get(pk=study.pk)


def _make_participations(
    study: Study, people: Sequence[User], sitting: int, begins_at: datetime, chance: random.Random
) -> Iterator[Participation]:
    """Who sit come first, then who only join, only practise, and withdraw."""
    consent = hashlib.sha256(study.consent.encode()).hexdigest()
    only_join, _only_practise, withdraw = _count_others(sitting)
    for number, person in enumerate(people):
        # Spread over what is left of the time when the last one still has all of a session.
        days = (7 * WEEKS - 1) * number / len(people)
        joined_at = begins_at + timedelta(days=int(days), hours=8 + 8 * chance.random())
        practises = not sitting <= number < sitting + only_join
        withdraws = number >= len(people) - withdraw
        yield Participation(
            study=study,
            person=None if withdraws else person,
            pseudonym="P-" + "".join(chance.choices(LETTERS, k=6)),
            consent_version=study.consent_version,
            consent_sha256=consent,
            consented_at=joined_at,
            attested_at=joined_at,
            practised_at=joined_at + timedelta(minutes=7) if practises else None,
            withdrawn_at=joined_at + timedelta(days=1) if withdraws else None,
            answers={} if withdraws else {str(QUESTIONS[0]["ask"]): "yes"},
        )


def _describe(item: StudyItem, given: int) -> Candidate:
    problem = item.item.problem
    return Candidate(item.pk, problem.domain, problem.difficulty, given)


def _list_exposures(sitting: study_sessions.Sitting) -> Iterator[Exposure]:
    person = sitting.participation.person
    for item, sat in zip(sitting.items, sitting.plan.problems, strict=True):
        if sat.opens is not None:
            at = sitting.begins_at + sat.opens
            yield Exposure(
                revision_id=item.item.revision_id,
                person=person,
                part=Exposure.Part.STATEMENT,
                reason=Exposure.Reason.ANSWER,
                at=at,
                slot=begin_slot(at),
            )


def count(study: Study) -> dict[str, int]:
    """Count what a study holds."""
    sat = Q(sat__session__participation__study=study)
    return {
        "people": study.participations.exclude(session=None).count(),
        "problems sat": study.items.aggregate(count=Count("sat"))["count"],
        "answers to grade": Attempt.objects.waiting().filter(sat).count(),
    }
