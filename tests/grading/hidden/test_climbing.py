"""
Ten people of one organisation climb the Ladder as high as they can, by the app's own rows.

There are two answers to each of 400 hidden problems, one of them right: guessing settles 50 %. The
same attackers, by counts alone and in more numbers, are in the grader's `test_ladder.py`.
"""

import random

import pytest
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.versions.models import BenchmarkVersion
from grader_tests.statistics.test_ladder import (
    EVERY,
    ITEMS,
    HiddenPart,
    flip_blocks,
    settle,
    vote,
)
from grading.answers.hidden.models import HiddenAnswer, HiddenBatch
from grading.answers.submissions.models import Submission
from grading.solvers.models import Organisation, Solver
from grading.submissions.hidden import actions
from phybench.people.models import Role, User
from phybench_grader.statistics.ladder import BUDGET
from tests.boards import make_problems
from tests.conftest import make_person
from tests.organisations import join, organisation_of
from tests.versions import publish_version

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PEOPLE = 10
TEAMS = 2
"""Whose figures are the app's own; by counts alone there are as many as a mean needs."""
MANY = 400
MOST = 54.0
"""Percent of the choices that are settled after twenty figures."""


@pytest.fixture
def version(benchmark: Benchmark) -> BenchmarkVersion:
    _public, *hidden = make_problems(benchmark, ITEMS + 1)
    return publish_version(benchmark, hidden=tuple(one.identifier for one in hidden))


class Team:
    """Ten people of one organisation, of whom each may have another besides."""

    def __init__(self, version: BenchmarkVersion, number: int, key: int, *, apart: bool) -> None:
        self.version, self.key, self.told = version, key, 0
        self.people = [make_person(Role.EVALUATOR, f"p{number}x{one}") for one in range(PEOPLE)]
        self.shared = organisation_of(self.people[0])
        for person in self.people[1:]:
            join(self.shared, person)
        self.organisations = [
            self._found(person) if apart else self.shared for person in self.people
        ]
        self.revisions = list(version.items.hidden().values_list("revision", flat=True))

    def _found(self, person: User) -> Organisation:
        # The first one's is the one that all are in.
        name = f"Another of {person}"
        found = Organisation.objects.create(
            name=name, made_by=person, confirmed_by=person, confirmed_at=timezone.now()
        )
        join(found, person)
        return found

    def ask(self, choices: int, organisation: int) -> float | None:
        """Have the next of them ask; None where no new figure is told."""
        turn = organisation % PEOPLE
        batch = self._hand_in(self.organisations[turn], self.people[turn], choices)
        asked = actions.ask(batch=batch, by=self.people[turn])
        self.told += 1
        return asked.figure if asked.is_better else None

    def _hand_in(self, organisation: Organisation, by: User, choices: int) -> HiddenBatch:
        solver, _ = Solver.objects.get_or_create(
            name="A model", kind=Solver.Kind.MODEL, organisation=organisation
        )
        submission = Submission.objects.create(
            solver=solver,
            benchmark=self.version.benchmark,
            version=self.version,
            number=1 + solver.submissions.count(),
            uploaded_by=by,
            file_name="answers.json",
            file_sha256="0" * 64,
            expected=1,
        )
        batch = HiddenBatch.objects.create(submission=submission, organisation=organisation)
        right = ~(choices ^ self.key) & EVERY
        HiddenAnswer.objects.bulk_create(
            HiddenAnswer(
                batch=batch,
                revision_id=revision,
                response="a" if choices >> place & 1 else "b",
                status=HiddenAnswer.Status.GRADED,
                accuracy=100.0 * (right >> place & 1),
            )
            for place, revision in enumerate(self.revisions)
        )
        return batch


def begin_part(key: int) -> HiddenPart:
    return HiddenPart(key, start=actions.START.figure)


@pytest.mark.parametrize("apart", [False, True], ids=["one organisation", "one each besides"])
@pytest.mark.parametrize("size", [100, 200, 0], ids=["100 flipped", "200 flipped", "vote"])
def test_ten_people_of_one_organisation_settle_little_by_twenty_figures(
    version: BenchmarkVersion, size: int, apart: bool
) -> None:
    attack = flip_blocks(size, PEOPLE) if size else vote
    for number in range(TEAMS):
        key = random.Random(number).getrandbits(ITEMS)
        team = Team(version, number, key, apart=apart)
        found = attack(team, random.Random(-number))
        assert team.told == BUDGET
        # Not one of them, in not one of their organisations, is told another.
        assert {actions.measure_left(one) for one in [team.shared, *team.organisations]} == {0}
        # What they were told is what one person is told: they put nothing together.
        assert found == attack(begin_part(key), random.Random(-number))
    settled = settle(attack, begin_part, repetitions=MANY)
    print(f"\n{MANY} attackers settle {settled:.1f} % of {ITEMS} choices")
    assert settled <= MOST
