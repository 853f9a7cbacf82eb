"""A study of many simulated people: its rows could have come about, and its figures are meant."""

import random
from statistics import fmean

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from curation.problems.exposures.models import Exposure
from grading.answers.models import Attempt
from grading.demo import bank
from grading.demo.bank_rows import Size
from grading.demo.study_plan import EXPECTED, PERSONS, PROBLEMS, draw, find_chance, plan
from grading.demo.study_rows import NoVersion, Simulated, StudySize, make
from grading.studies.baselines.results import collect
from grading.studies.models import Participation, Study
from grading.studies.sessions.models import GRACE, Extension, Save, Session, SessionItem
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.memory import remembered
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db
SMALL = StudySize(people=6, problems=3)


CAME = set(Session.Ending)
"""How sessions end that have a clock."""


@pytest.fixture
@remembered
def simulated(db: None) -> Simulated:
    bank.make(Size(40, 60))
    return make(SMALL)


def test_it_has_every_outcome_and_every_ending(simulated):
    sessions = Session.objects.filter(participation__study=simulated.study)
    assert sessions.count() == SMALL.people
    assert set(sessions.values_list("ending", flat=True)) == CAME
    items = SessionItem.objects.filter(session__in=sessions)
    assert items.count() == SMALL.people * SMALL.problems
    assert set(items.values_list("outcome", flat=True)) == set(SessionItem.Outcome)
    assert set(sessions.values_list("kept_to_aids", flat=True)) == {True, False, None}
    assert Save.objects.filter(is_late=True).count() == 1
    assert Extension.objects.count() == 1
    assert collect(simulated.study).flow == {
        "invited": 0,
        "joined": 9,
        "practised": 8,
        "started": 6,
        "finished": 6,
        "withdrawn": 1,
        # One stopped, one did not keep to the aids, one is left out by hand.
        "left_out": 3,
    }


def test_its_sessions_could_have_happened(simulated):
    study = simulated.study
    assert study.opened_at < study.preregistration.frozen_at < study.ended_at
    for session in Session.objects.select_related("participation"):
        part = session.participation
        assert study.opened_at < part.consented_at < part.practised_at < session.started_at
        assert session.ended_at < study.ended_at
        is_up = session.ending == Session.Ending.TIME_UP
        assert is_up == (session.ended_at == session.ends_at + GRACE)
        assert is_up or session.ended_at < session.ends_at
        for item in session.items.all():
            saves = item.saves.in_time().order_by("number")
            times = [one.arrived_at for one in saves]
            assert times == sorted(times)
            if item.opened_at is None:
                assert not times
                assert item.outcome == SessionItem.Outcome.EMPTY
            elif times:
                assert item.opened_at < times[0] <= times[-1] <= session.ends_at
            newest = saves.newest(Save.Kind.ANSWER)
            assert (newest.text if newest else None) == (
                item.attempt.response if item.attempt else None
            )
    opened = SessionItem.objects.exclude(opened_at=None).count()
    assert Exposure.objects.filter(reason=Exposure.Reason.ANSWER).count() == opened


def test_graded_it_is_as_right_as_was_meant_and_nothing_waits(simulated):
    attempts = Attempt.objects.filter(sat__session__participation__study=simulated.study)
    for attempt in attempts:
        grade_attempt(attempt.pk)
    assert not attempts.waiting().exists()
    assert set(attempts.values_list("status", flat=True)) == {Attempt.Status.GRADED}
    meant = [one.does for each in simulated.plans for one in each.problems]
    found = collect(simulated.study)
    accuracy = found.all_people.accuracy
    assert (accuracy.answers, accuracy.ungraded) == (len(meant) - meant.count("S"), 0)
    assert accuracy.value == pytest.approx(100 * meant.count("R") / accuracy.answers)
    # Of 17 answers, three standard errors of what is expected at random.
    assert accuracy.value == pytest.approx(simulated.expected, abs=36)
    assert found.headline.people == 3


def test_one_seed_makes_one_study_and_a_second_stands_beside_the_first(simulated):
    again = make(SMALL)
    assert again.plans == simulated.plans
    assert again.study.pk != simulated.study.pk
    assert Study.objects.count() == 2
    assert make(StudySize(6, 3, seed=2)).plans != simulated.plans


def test_its_people_say_that_they_are_simulated_and_can_not_sign_in(simulated):
    people = User.objects.filter(participations__study=simulated.study)
    assert people.count() == 8
    for person in (*people, simulated.study.made_by):
        assert person.display_name.startswith("Simulated")
        assert person.is_demo
        assert not person.has_usable_password()
    assert simulated.study.title.startswith("Simulated")
    assert Participation.objects.filter(withdrawn_at__isnull=False).get().person is None


def test_the_command_says_what_it_made_and_which_page_to_open(db, capsys):
    bank.make(Size(40, 60))
    call_command("seed_study", people=2, problems=2)
    study = Study.objects.get()
    printed = capsys.readouterr().out
    assert "2 people, 4 problems sat" in printed
    assert reverse("grading:study_results", args=[study.pk]) in printed


def test_beside_real_people_it_wants_a_yes_and_even_then_takes_a_demos_version(db):
    make_person(Role.ADMIN)
    with pytest.raises(CommandError, match="--yes"):
        call_command("seed_study", people=2, problems=2)
    with pytest.raises(CommandError, match="seed_demo"):
        call_command("seed_study", people=2, problems=2, yes=True)
    assert not Study.objects.exists()
    bank.make(Size(40, 60))
    call_command("seed_study", people=2, problems=2, yes=True)
    assert Study.objects.get().version.benchmark.is_demo


def test_more_problems_than_a_version_has_are_refused(db):
    bank.make(Size(20, 30))
    with pytest.raises(NoVersion):
        make(StudySize(2, 50))
    with pytest.raises(CommandError, match="At least one"):
        call_command("seed_study", people=0)


def test_abilities_and_difficulties_bring_the_accuracy_that_is_aimed_at():
    chance = random.Random(1)
    chances = [find_chance(draw(PERSONS, chance), draw(PROBLEMS, chance)) for _ in range(20_000)]
    assert 100 * fmean(chances) == pytest.approx(EXPECTED, abs=1)
    # Far apart: what is the same for everybody would need no random effects.
    assert min(chances) < 0.1
    assert max(chances) > 0.95


def test_harder_problems_take_longer_and_nobody_works_longer_than_they_may():
    chance = random.Random(2)
    spent = {-2.0: 0.0, 2.0: 0.0}
    for number in range(200):
        planned = plan(number, 0.0, [-2.0, 2.0], 60, chance)
        assert planned.lasts.total_seconds() <= 60 * (60 + planned.extension)
        for difficulty, sat in zip(spent, planned.problems, strict=True):
            if sat.opens is not None and sat.leaves is not None:
                spent[difficulty] += (sat.leaves - sat.opens).total_seconds()
    assert spent[2.0] > 1.5 * spent[-2.0]
