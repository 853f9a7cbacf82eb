"""Answers from before there were studies become a study of their version, without a clock."""

from datetime import timedelta
from importlib import import_module
from math import isnan

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from curation.problems.models import Problem
from curation.versions.models import BenchmarkVersion
from grading.answers import actions as answering
from grading.answers.models import Attempt
from grading.studies.baselines.results import collect
from grading.studies.models import Study
from grading.studies.permissions import list_own_participations, list_problems_of_studies
from grading.studies.sessions.models import Participation, Session, SessionItem
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.grading.sessions.conftest import draft_study, other, pool, session, study, version
from tests.work import grade_attempt

__all__ = ["draft_study", "other", "pool", "session", "study", "version"]
pytestmark = pytest.mark.django_db
migration = import_module("grading.migrations.0022_answers_before_studies")


def answer(problem: Problem, person: User, text: str = "m g h") -> Attempt:
    assert problem.accepted_revision
    attempt = answering.answer(revision=problem.accepted_revision, person=person, response=text)
    grade_attempt(attempt.pk)
    return attempt


def make_studies() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    migration.make_studies(apps, None)


@pytest.fixture
def legacy(version: BenchmarkVersion, pool: list[Problem], participant: User, other: User) -> Study:
    """Of three answers of one person and one of another."""
    for problem in pool[:3]:
        answer(problem, participant)
    answer(pool[0], other, "2 m g h")
    make_studies()
    return Study.objects.get()


def test_it_holds_each_answer_once_by_a_pseudonym(legacy: Study, participant: User) -> None:
    assert (legacy.is_legacy, legacy.state, legacy.made_by) == (True, Study.State.ENDED, None)
    assert set(SessionItem.objects.values_list("attempt", flat=True)) == set(
        Attempt.objects.values_list("pk", flat=True)
    )
    own = Participation.objects.get(person=participant)
    assert (own.consented_at, own.consent_sha256, own.consent_version) == (None, "", 0)
    assert own.pseudonym.startswith("P-")
    given = Attempt.objects.filter(solver__user=participant).order_by("pk")
    items = own.session.items.order_by("place").values_list("attempt", flat=True)
    assert list(items) == [one.pk for one in given]
    assert own.session.started_at == given[0].created_at
    assert own.session.ended_at == given[2].created_at


def test_its_times_are_not_known_and_no_0(legacy: Study) -> None:
    found = collect(legacy)
    assert len(found.rows) == 4
    assert all(isnan(row.seconds) for row in found.rows)
    assert found.headline.accuracy.value == 75


def test_a_version_without_answers_of_people_gets_no_study(version: BenchmarkVersion) -> None:
    make_studies()
    assert not Study.objects.exists()


def test_an_answer_of_a_session_or_given_since_the_first_study_is_not_of_it(
    study: Study, pool: list[Problem], participant: User
) -> None:
    Study.objects.update(ended_at=timezone.now(), ended_by=study.made_by)
    answer(pool[0], participant)
    make_studies()
    assert not Study.objects.filter(is_legacy=True).exists()


def test_taken_back_it_leaves_the_answers(legacy: Study) -> None:
    count = Attempt.objects.count()
    migration.remove_studies(apps, None)
    assert not Study.objects.exists()
    assert not Session.objects.exists()
    assert Attempt.objects.count() == count
    make_studies()
    assert SessionItem.objects.count() == count


def test_it_closes_no_problem_and_is_nothing_to_sit(legacy: Study, participant: User) -> None:
    assert not list_problems_of_studies(participant).exists()
    assert not list_own_participations(participant).exists()


def test_who_answered_is_led_to_their_answer_as_before(
    legacy: Study, client, participant: User, pool: list[Problem]
) -> None:
    client.force_login(participant)
    attempt = Attempt.objects.filter(solver__user=participant).earliest("pk")
    response = client.get(reverse("grading:answer", args=[pool[0].pk]))
    assert response.url == attempt.get_absolute_url()


def test_only_it_has_no_clock_and_is_made_by_nobody(legacy: Study, study: Study) -> None:
    for fields in ({"minutes": 0}, {"made_by": None}, {"is_legacy": True}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Study.objects.filter(pk=study.pk).update(**fields)
    with pytest.raises(IntegrityError), transaction.atomic():
        Session.objects.filter(participation__study=legacy).create(
            participation=Participation.objects.create(
                study=study,
                person=make_person(Role.PARTICIPANT, "third"),
                pseudonym="P-X",
                consent_version=1,
                consent_sha256="1",
            ),
            seed=1,
            started_at=timezone.now(),
            ends_at=timezone.now() - timedelta(1),
        )


def test_its_pages_say_what_there_was_not_and_offer_nothing_of_it(
    legacy: Study, client, admin: User
) -> None:
    client.force_login(admin)
    results = client.get(reverse("grading:study_results", args=[legacy.pk])).content.decode()
    assert "There was no clock, no consent text and no assignment" in results
    assert "Place in the session" not in results
    assert "From the list to the result" not in results
    page = client.get(legacy.get_absolute_url()).content.decode()
    assert "no clock, no consent text" in page
    # Its table has the last answer in place of a clock that there was not.
    for heading in ("Last seen", "Ends", "Late saves"):
        assert heading not in page
    assert "Last answer" in page
    file = client.get(reverse("grading:study_csv", args=[legacy.pk])).content.decode()
    assert file.splitlines()[0] == "person,state,answered,ended_at"
    assert all(line.split(",")[3] for line in file.splitlines()[1:])
    for text in ("Open the study", "Put people on the list", "Give more time", "End the study"):
        assert text not in page
    written = client.get(reverse("grading:study_results_csv", args=[legacy.pk])).content.decode()
    assert ",100.0,100.0,,MECHANICS" in written
