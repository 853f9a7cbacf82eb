"""Beside the headline stands what repaired answers would give, and what slips left out would."""

import pytest
from django.urls import reverse

from grading.answers.models import Attempt
from grading.studies.baselines.corrected import correct
from grading.studies.baselines.results import collect
from grading.studies.debriefings.actions import say
from grading.studies.models import Study
from grading.studies.repairs.actions import repair
from grading.studies.repairs.tasks import GRADING
from grading.studies.sessions import actions
from phybench.people.models import Role
from tests.conftest import make_person
from tests.grading.sessions.conftest import write
from tests.memory import remembered
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def ended(session, participant):
    """One answer right, one wrong, one that can't be read."""
    for place, text in enumerate(("m g h", "2 m g h", "m g h ))"), 1):
        write(session, place, text)
    actions.hand_in(session=session, person=participant)
    for attempt in Attempt.objects.all():
        grade_attempt(attempt.pk)
    session.refresh_from_db()
    return session


@pytest.fixture
def reader(db):
    return make_person(Role.REVIEWER, "reader")


def count(ended):
    study = Study.objects.get()
    return correct(study, collect(study).kept)


def test_an_unreadable_answer_counts_0_until_it_is_repaired_and_in_the_headline_for_good(
    ended, reader
):
    found = count(ended)
    assert (found.unreadable, found.to_repair) == (1, 1)
    assert found.repaired.accuracy.value == pytest.approx(100 / 3)
    repair(item=ended.items.get(place=3), by=reader, meant="m g h")
    assert count(ended).repaired.accuracy.ungraded == 1
    GRADING.do(GRADING.claim())
    found = count(ended)
    assert (found.mended, found.to_repair) == (1, 0)
    assert found.repaired.accuracy.value == pytest.approx(200 / 3)
    assert collect(Study.objects.get()).headline.accuracy.value == pytest.approx(100 / 3)


def test_what_can_not_be_made_out_counts_0(ended, reader):
    repair(item=ended.items.get(place=3), by=reader, meant="")
    found = count(ended)
    assert found.hopeless == 1
    assert found.repaired.accuracy.value == pytest.approx(100 / 3)


def test_a_slip_is_left_out_and_a_belief_is_not(ended, participant):
    say(item=ended.items.get(place=2), person=participant, said={"cause": "SLIP"})
    say(item=ended.items.get(place=3), person=participant, said={"cause": "BELIEF"})
    found = count(ended)
    assert (found.wrong, found.slips, found.beliefs) == (2, 1, 1)
    assert found.without_slips.accuracy.value == 50


def test_a_right_answer_that_is_called_a_slip_counts(ended, participant):
    say(item=ended.items.get(place=1), person=participant, said={"cause": "SLIP"})
    found = count(ended)
    assert found.slips == 0
    assert found.without_slips.accuracy.value == pytest.approx(100 / 3)


def test_the_page_of_results_shows_it(client, ended, admin, reader):
    client.force_login(admin)
    address = reverse("grading:study_results", args=[Study.objects.get().pk])
    assert "1 answer can’t be read: 0 repaired" in client.get(address).content.decode()
    repair(item=ended.items.get(place=3), by=reader, meant="m g h")
    GRADING.give_up(GRADING.claim())
    page = client.get(address).content.decode()
    assert "Grade repaired answers again" in page
    client.post(reverse("grading:grade_repairs_again", args=[Study.objects.get().pk]))
    assert GRADING.claim()
