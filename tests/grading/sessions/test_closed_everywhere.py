"""What a running study asks is on no page for those who may take part, but where they sit it."""

import pgtrigger
import pytest
from django.urls import reverse

from curation.problems.models import Revision
from grading.studies.models import StudyItem
from grading.studies.sessions import actions
from phybench.people.models import Role
from tests.addresses import client_of, find_said, read_everything
from tests.conftest import make_person
from tests.grading.sessions.conftest import practise

pytestmark = pytest.mark.django_db

ASKED, ANSWERED, SOLVED, COPIED = "4418801", "4418802", "4418803", "4418804"
EVERYTHING = (ASKED, ANSWERED, SOLVED, COPIED)


@pytest.fixture
def marked(study, pool):
    """Put numbers into what is asked, and return the numbers by which addresses could name it."""
    with pgtrigger.ignore(
        "curation.Revision:submitted_revision_is_frozen",
        "grading.StudyItem:pool_of_a_frozen_study_stays",
    ):
        revisions = Revision.objects.filter(problem__in=pool)
        revisions.update(
            statement=f"A ball falls for {ASKED} m.",
            answer=f"{ANSWERED} m g h",
            solution=f"It is {SOLVED}.",
        )
        StudyItem.objects.filter(study=study).update(statement=f"A ball falls for {COPIED} m.")
    return {pool[0].pk, revisions[0].pk, study.pk, study.items.all()[0].pk}


@pytest.mark.parametrize(
    ("roles", "takes_part"),
    [([], False), ([Role.EVALUATOR], True)],
    ids=["somebody who may join", "an evaluator who has joined"],
)
def test_no_page_shows_what_is_asked_before_it_is_sat(marked, study, benchmark, roles, takes_part):
    person = make_person(Role.PARTICIPANT, "student")
    person.roles = [Role.PARTICIPANT, *roles]
    person.save()
    if takes_part:
        practise(study, person)
    client = client_of(person)
    for _name, address, answer in read_everything(client, marked, benchmark):
        assert find_said(answer, EVERYTHING) == [], address
    sent = {"format": "JSON", "columns": ["statement"]}
    assert (
        find_said(
            client.post(reverse("curation:export", args=["test"]), sent, follow=True), EVERYTHING
        )
        == []
    )
    listed = client.get(reverse("curation:problems", args=["test"])).content.decode()
    assert "6 more problems belong to a study" in listed
    assert "No problem is accepted yet" not in listed


def test_who_sits_it_sees_it_there_and_nothing_of_its_answer_anywhere(
    marked, study, benchmark, participant
):
    session = actions.start(participation=practise(study, participant), seed=1)
    client = client_of(participant)
    page = client.get(session.get_absolute_url())
    assert find_said(page, EVERYTHING) == [COPIED]
    shown = set()
    for name, address, answer in read_everything(client, {*marked, session.pk}, benchmark):
        said = find_said(answer, EVERYTHING)
        assert not {ANSWERED, SOLVED} & set(said), address
        if said:
            shown.add(name)
    # The others lead to the session.
    assert shown == {
        f"grading:{name}" for name in ("session", "start", "join", "debrief", "own_data")
    }


def test_what_was_read_as_an_evaluator_is_not_asked_in_a_session(marked, study, pool, benchmark):
    """So it need not be closed to those who may join and have not."""
    person = make_person(Role.PARTICIPANT, "student")
    person.roles = [Role.PARTICIPANT, Role.EVALUATOR]
    person.save()
    client = client_of(person)
    page = client.get(pool[0].get_absolute_url())
    assert find_said(page, EVERYTHING) == [ASKED]
    session = actions.start(participation=practise(study, person), seed=1)
    assert pool[0].pk not in session.items.values_list("study_item__item__problem", flat=True)


def test_a_file_of_problems_is_had_after_the_session(marked, study, benchmark):
    person = make_person(Role.PARTICIPANT, "student")
    person.roles = [Role.PARTICIPANT, Role.EVALUATOR]
    person.save()
    session = actions.start(participation=practise(study, person), seed=1)
    address = reverse("grading:task", args=[benchmark.slug, "inspect"])
    client = client_of(person)
    refused = client.get(address)
    assert refused.status_code == 403
    assert "after your session" in refused.content.decode()
    actions.hand_in(session=session, person=person)
    assert client.get(address).status_code == 200
