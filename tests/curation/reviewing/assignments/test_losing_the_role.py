"""Who is no reviewer any more holds no places that others wait for."""

import pytest
from django.contrib.messages import get_messages
from django.db import transaction
from django.urls import reverse

from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.permissions import list_takeable
from curation.reviewing.rounds.models import Assignment
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from phybench_grader.numbers.sentences import Sentence
from tests.conftest import make_person
from tests.curation.at_once import at_once
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.curation.reviewing.rounds.opened import review

pytestmark = pytest.mark.django_db


@pytest.fixture
def second(db) -> User:
    return make_person(Role.REVIEWER, "second")


def edit(client, person: User, roles: list[str]) -> None:
    """Save a person's roles on their page."""
    person.refresh_from_db()
    sent = {"roles": roles, "known": ",".join(person.roles)}
    assert (
        client.post(reverse("curation:member", args=[person.pk]) + "?do=roles", sent).status_code
        == 302
    )


def deactivate(client, person: User) -> None:
    address = reverse("curation:member", args=[person.pk]) + "?do=deactivate"
    page = client.post(address, {"reason": "Has left the group."})
    [told] = get_messages(page.wsgi_request)
    assert "2 open reviews were given back" in str(told)


@pytest.mark.parametrize(
    "change",
    [
        lambda client, person: edit(client, person, ["CONTRIBUTOR"]),
        lambda client, person: edit(client, person, []),
        deactivate,
    ],
    ids=["another role", "no role", "deactivated"],
)
def test_a_role_taken_away_takes_back_what_was_assigned_and_frees_the_places(
    client, contributor, reviewer, second, admin, change
):
    first, other = open_rounds(contributor, count=2)
    given = [assign(first, reviewer, admin), assigning.take(review_round=other, reviewer=reviewer)]
    assert first not in list_takeable(second)
    client.force_login(admin)
    change(client, reviewer)
    for one in given:
        one.refresh_from_db()
        assert (one.state, one.ended_by) == ("REVOKED", admin)
        assert one.message == Sentence("released")
    assert set(list_takeable(second)) == {first, other}


def test_what_was_done_stays_done_and_the_review_counts(client, contributor, reviewer, admin):
    [waiting] = open_rounds(contributor, {"reviews_needed": 2})
    done = assign(waiting, reviewer, admin)
    review(waiting, reviewer)
    client.force_login(admin)
    edit(client, reviewer, [])
    done.refresh_from_db()
    assert done.state == "DONE"
    assert waiting.reviews.get().reviewer == reviewer


def test_another_role_given_or_taken_changes_nothing(client, contributor, reviewer, admin):
    [waiting] = open_rounds(contributor)
    given = assign(waiting, reviewer, admin)
    client.force_login(admin)
    edit(client, reviewer, ["REVIEWER", "PARTICIPANT"])
    edit(client, reviewer, ["REVIEWER"])
    given.refresh_from_db()
    assert given.state == "OPEN"


def test_given_the_role_again_they_can_be_asked_again(client, contributor, reviewer, admin):
    [waiting] = open_rounds(contributor)
    assign(waiting, reviewer, admin)
    client.force_login(admin)
    edit(client, reviewer, [])
    edit(client, reviewer, ["REVIEWER"])
    reviewer.refresh_from_db()
    assert assign(waiting, reviewer, admin).state == "OPEN"


def test_only_an_admin_ends_what_others_are_assigned(contributor, reviewer, second):
    with pytest.raises(NotAllowedNow, match="Only an admin"):
        assigning.release(person=reviewer, admin=second)


def take_role(person: User, admin: User) -> None:
    """Take the role as the back office does, without its page."""
    with transaction.atomic():
        User.objects.filter(pk=person.pk).update(roles=[])
        assigning.release(person=person, admin=admin)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_a_role_taken_while_its_holder_is_assigned_leaves_nothing_open(
    contributor, reviewer, admin, turn
):
    """The admin who assigns has fetched the reviewer before: what holds is what they are now."""
    [waiting] = open_rounds(contributor)
    _assigned, taken = at_once(
        lambda: assign(waiting, reviewer, admin), lambda: take_role(reviewer, admin)
    )
    assert taken == "done"
    assert not Assignment.objects.open().exists()
    with pytest.raises(NotAllowedNow, match="no longer a reviewer"):
        assign(waiting, reviewer, admin)
