"""An unreadable answer counts 0; beside it stands what it was meant to say."""

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.texts.workflow import NotAllowedNow
from grading.answers.models import Attempt
from grading.studies.repairs.actions import grade_again, repair
from grading.studies.repairs.models import Repair
from grading.studies.repairs.tasks import GRADING
from grading.studies.sessions import actions
from grading.studies.sessions.models import SessionItem
from phybench.people.models import Role
from tests.conftest import make_person
from tests.grading.sessions.conftest import write
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db

UNREADABLE = "m g h ))"


@pytest.fixture
def reader(db):
    """A reviewer who had no part in the problems."""
    return make_person(Role.REVIEWER, "reader")


@pytest.fixture
def item(session, participant) -> SessionItem:
    write(session, 1, UNREADABLE)
    write(session, 2, "2 m g h")
    actions.hand_in(session=session, person=participant)
    for attempt in Attempt.objects.all():
        grade_attempt(attempt.pk)
    return session.items.get(place=1)


def grade() -> Repair:
    claimed = GRADING.claim()
    assert claimed
    GRADING.do(claimed)
    return Repair.objects.get()


def test_what_was_meant_is_graded_beside_the_answer(item, reader):
    repair(item=item, by=reader, meant="m g h")
    found = grade()
    assert (found.state, found.accuracy, found.eed) == ("GRADED", 100, 100)
    assert found.judge_version
    assert item.attempt.grades.get().accuracy == 0


def test_what_cannot_be_made_out_is_said_so_and_not_graded(item, reader):
    found = repair(item=item, by=reader, meant="  ")
    assert found.state == "HOPELESS"
    assert GRADING.claim() is None


def test_only_what_is_unreadable_is_repaired_and_only_once(item, reader):
    second = SessionItem.objects.get(place=2)
    with pytest.raises(PermissionDenied):
        repair(item=second, by=reader, meant="m g h")
    repair(item=item, by=reader, meant="m g h")
    with pytest.raises(NotAllowedNow):
        repair(item=item, by=reader, meant="2 m g h")


def test_who_knows_the_key_or_wrote_the_answer_repairs_nothing(item, reader, admin, participant):
    participant.roles.append(Role.REVIEWER)
    participant.save()
    ledger.record(reader, Reason.READ, item.study_item.item.revision, parts=ledger.KEY)
    for person in (reader, admin, participant):
        with pytest.raises(PermissionDenied):
            repair(item=item, by=person, meant="m g h")


def test_who_wrote_the_answer_does_not_repair_it_once_they_only_review(item, participant):
    """Of who may sit studies, the problem is closed anyhow."""
    participant.roles = [Role.REVIEWER]
    participant.save()
    with pytest.raises(PermissionDenied, match="the answer is yours"):
        repair(item=item, by=participant, meant="m g h")


def test_the_page_shows_the_answer_without_grade_key_or_pseudonym(client, item, reader):
    client.force_login(reader)
    page = client.get(reverse("grading:repairs")).content.decode()
    assert UNREADABLE in page
    assert item.session.participation.pseudonym not in page
    read = client.post(
        reverse("grading:read_as", args=[item.pk]) + "?of=repair", {"meant": "m*g*h"}
    )
    assert "Read as" in read.content.decode()
    client.post(reverse("grading:repair", args=[item.pk]), {"meant": "m*g*h"})
    page = client.get(reverse("grading:repairs")).content.decode()
    assert "No answer is waiting for you" in page
    assert Repair.objects.get().by == reader


def test_an_empty_box_is_asked_about(client, item, reader):
    client.force_login(reader)
    client.post(reverse("grading:repair", args=[item.pk]), {"meant": " "})
    assert not Repair.objects.exists()
    client.post(reverse("grading:repair", args=[item.pk]), {"meant": " ", "hopeless": "1"})
    assert Repair.objects.get().state == "HOPELESS"


def test_what_we_could_not_grade_is_no_0_and_is_graded_again(item, reader, admin):
    repair(item=item, by=reader, meant="m g h")
    GRADING.give_up(GRADING.claim())
    found = Repair.objects.get()
    assert (found.state, found.accuracy) == ("FAILED", None)
    with pytest.raises(PermissionDenied):
        grade_again(study=item.study_item.study, by=reader)
    assert grade_again(study=item.study_item.study, by=admin) == 1
    assert grade().accuracy == 100


def test_reviewers_find_it_from_their_home_while_something_waits(client, item, reader):
    client.force_login(reader)
    assert reverse("grading:repairs") in client.get("/inbox/").content.decode()
    repair(item=item, by=reader, meant="")
    assert reverse("grading:repairs") not in client.get("/inbox/").content.decode()
