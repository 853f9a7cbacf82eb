"""Two people label each answer blind; where they differ a third settles it; labels are kept."""

from functools import partial

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from grading.samples.audits import actions
from grading.samples.audits.actions import list_to_adjudicate, list_to_label
from grading.samples.audits.drawing import draw
from grading.samples.audits.models import AuditAdjudication, AuditItem, AuditLabel
from grading.samples.audits.progress import find_own, find_shortage
from grading.samples.labelling.actions import CannotChange, CannotLabel
from grading.samples.labelling.served import seal
from grading.solvers import actions as organising
from grading.solvers.models import Membership
from phybench.people.models import Role, User
from tests.addresses import client_of
from tests.conftest import make_person
from tests.grading.audits.conftest import (
    agree_with_grader,
    label,
    label_all,
)
from tests.grading.concurrency import post_in_turn
from tests.organisations import join, organisation_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def item(sample) -> AuditItem:
    return sample.items.get(place=1)


def test_two_who_agree_settle_an_answer(item, admin, other_admin):
    label(item, {admin: "RIGHT"})
    item.refresh_from_db()
    assert item.outcome == ""
    label(item, {other_admin: "RIGHT"})
    item.refresh_from_db()
    assert item.outcome == "RIGHT"


def test_two_who_cannot_tell_agree(item, admin, other_admin):
    label(item, {admin: "CANT_TELL", other_admin: "CANT_TELL"})
    item.refresh_from_db()
    assert item.outcome == "CANT_TELL"


@pytest.mark.parametrize("other", ["WRONG", "CANT_TELL"])
def test_where_two_differ_a_third_settles_it(item, sample, admin, other_admin, third_admin, other):
    label(item, {admin: "RIGHT", other_admin: other})
    assert not list_to_adjudicate(third_admin, sample).exists()
    for another in sample.items.exclude(pk=item.pk):
        label(another, {third_admin: "RIGHT"})
    assert list(list_to_adjudicate(third_admin, sample)) == [item]
    actions.adjudicate(item=item, by=third_admin, choice="WRONG", reason="A factor 2.")
    item.refresh_from_db()
    assert item.outcome == "WRONG"
    assert not list_to_adjudicate(third_admin, sample).exists()


def test_who_labelled_an_answer_does_not_adjudicate_it(item, sample, admin, other_admin):
    label(item, {admin: "RIGHT", other_admin: "WRONG"})
    assert not list_to_adjudicate(admin, sample).exists()
    with pytest.raises(CannotLabel, match="Ask another admin"):
        actions.adjudicate(item=item, by=admin, choice="RIGHT", reason="I said so.")


def test_who_took_their_label_back_does_not_adjudicate_either(
    item, sample, admin, other_admin, third_admin
):
    label(item, {admin: "RIGHT"})
    actions.take_back(sample=sample, by=admin)
    label(item, {other_admin: "RIGHT", third_admin: "WRONG"})
    with pytest.raises(CannotLabel, match="Ask another admin"):
        actions.adjudicate(item=item, by=admin, choice="RIGHT", reason="I said so.")


def test_what_is_settled_is_not_adjudicated(item, admin, other_admin, third_admin):
    label(item, {admin: "RIGHT", other_admin: "RIGHT"})
    with pytest.raises(CannotLabel, match="already decided"):
        actions.adjudicate(item=item, by=third_admin, choice="WRONG", reason="No.")


def test_a_third_person_gets_another_answer(item, sample, admin, other_admin, third_admin):
    label(item, {admin: "RIGHT", other_admin: "WRONG"})
    assert item not in list_to_label(third_admin, sample)
    with pytest.raises(CannotLabel, match="Two other people"):
        actions.label(item=item, by=third_admin, choice="RIGHT")


def test_the_same_label_twice_is_one_and_another_is_refused(item, admin):
    first = actions.label(item=item, by=admin, choice="RIGHT")
    assert actions.label(item=item, by=admin, choice="RIGHT") == first
    with pytest.raises(CannotLabel, match="Take your label back"):
        actions.label(item=item, by=admin, choice="WRONG")


def test_ones_last_label_is_taken_back_and_kept(item, sample, admin):
    label(item, {admin: "RIGHT"})
    actions.take_back(sample=sample, by=admin)
    assert list_to_label(admin, sample).first() == item
    label(item, {admin: "WRONG"})
    given = [(one.choice, one.taken_back_at is None) for one in item.labels.filter(person=admin)]
    assert given == [("RIGHT", False), ("WRONG", True)]


@pytest.mark.parametrize("other", ["RIGHT", "WRONG"])
def test_no_label_is_taken_back_once_somebody_else_labelled_the_answer(
    item, sample, admin, other_admin, other
):
    label(item, {admin: "RIGHT", other_admin: other})
    for person in (admin, other_admin):
        with pytest.raises(CannotLabel, match="Another person"):
            actions.take_back(sample=sample, by=person)
    assert item.labels.standing().count() == 2


def test_who_joined_the_organisation_since_takes_no_label_on_its_answers_back(
    item, sample, evaluator, admin
):
    label(item, {admin: "RIGHT"})
    join(organisation_of(evaluator), admin)
    with pytest.raises(CannotLabel, match="can’t label"):
        actions.take_back(sample=sample, by=admin)
    assert item.labels.standing().exists()


def test_no_label_is_taken_back_after_adjudication(item, sample, admin, other_admin, third_admin):
    label(item, {admin: "RIGHT", other_admin: "WRONG"})
    actions.adjudicate(item=item, by=third_admin, choice="WRONG", reason="A factor 2.")
    with pytest.raises(CannotLabel, match="Another person"):
        actions.take_back(sample=sample, by=admin)
    with pytest.raises(CannotLabel, match="no label"):
        actions.take_back(sample=sample, by=third_admin)


def test_the_last_label_completes_a_sample_and_then_nothing_changes(sample, admin, other_admin):
    label_all(sample, admin, other_admin, agree_with_grader)
    assert sample.state == "COMPLETE"
    with pytest.raises(CannotLabel, match="has ended"):
        actions.take_back(sample=sample, by=admin)
    with pytest.raises(CannotChange):
        actions.end(sample=sample, by=admin, why="I don't like it.")


def test_an_ended_sample_takes_no_labels(sample, item, admin):
    actions.end(sample=sample, by=admin, why="The wrong version.")
    with pytest.raises(CannotLabel, match="has ended"):
        actions.label(item=item, by=admin, choice="RIGHT")


# --- Who may label --------------------------------------------------------------------------


def count_to_label(person: User, sample) -> int:
    return list_to_label(person, sample).count()


def test_who_was_asked_labels_and_others_find_nothing(sample, reviewer, contributor, admin):
    assert count_to_label(reviewer, sample) == 0
    actions.ask(sample=sample, person=reviewer, by=admin)
    assert count_to_label(reviewer, sample) == 8
    [asked] = sample.labellers.all()
    actions.take_off(labeller=asked, by=admin)
    assert count_to_label(reviewer, sample) == 0
    with pytest.raises(CannotChange):
        actions.ask(sample=sample, person=contributor, by=admin)
    with pytest.raises(PermissionDenied):
        actions.ask(sample=sample, person=reviewer, by=reviewer)


def test_who_lost_the_role_labels_no_more(sample, reviewer, admin):
    actions.ask(sample=sample, person=reviewer, by=admin)
    reviewer.roles = []
    reviewer.save()
    assert count_to_label(reviewer, sample) == 0


def test_no_one_labels_what_their_organisation_handed_in_not_even_an_admin(
    sample, item, evaluator, other_admin, admin
):
    actions.ask(sample=sample, person=evaluator, by=admin)
    member = join(organisation_of(evaluator), other_admin)
    for person in (evaluator, other_admin):
        assert count_to_label(person, sample) == 0
        with pytest.raises(CannotLabel, match="can’t label"):
            actions.label(item=item, by=person, choice="RIGHT")
    # Nor after they have left.
    Membership.objects.filter(pk=member.pk).update(left_at=timezone.now())
    assert count_to_label(other_admin, sample) == 0


def test_who_left_an_organisation_that_was_merged_since_labels_nothing_of_it(
    sample, evaluator, reviewer, admin, other_admin
):
    own = organisation_of(evaluator)
    member = join(own, other_admin)
    Membership.objects.filter(pk=member.pk).update(left_at=timezone.now())
    organising.merge(organisation=own, into=organisation_of(reviewer), by=admin)
    assert count_to_label(other_admin, sample) == 0


def test_hidden_answers_are_for_admins_alone(with_hidden, version, admin, other_admin, reviewer):
    sample = draw(version=version, by=admin, size=40)
    actions.ask(sample=sample, person=reviewer, by=admin)
    hidden = sample.items.exclude(hidden_answer=None)
    assert hidden.count() == 2
    assert count_to_label(admin, sample) == 11
    assert find_own(reviewer, sample).total == 9
    assert not list_to_label(reviewer, sample).filter(pk__in=hidden).exists()
    with pytest.raises(CannotLabel):
        actions.label(item=hidden[0], by=reviewer, choice="RIGHT")
    # The database holds it as well.
    with pytest.raises(DatabaseError, match="hidden_answer_is_labelled_by_admins"):
        AuditLabel.objects.create(item=hidden[0], person=reviewer, number=1, choice="RIGHT")


def test_an_answer_with_too_few_who_may_label_it_is_counted_with_whose_it_is(
    sample, evaluator, admin, reviewer
):
    # One admin: a second label is wanted of each of eight; the evaluator can't give it.
    actions.ask(sample=sample, person=evaluator, by=admin)
    shortage = find_shortage(sample)
    assert (shortage.to_label, shortage.to_adjudicate) == (8, 0)
    assert shortage.organisations == [organisation_of(evaluator)]
    actions.ask(sample=sample, person=reviewer, by=admin)
    assert not find_shortage(sample).is_any
    label(sample.items.get(place=1), {admin: "RIGHT", reviewer: "WRONG"})
    assert find_shortage(sample).to_adjudicate == 1
    make_person(Role.ADMIN, "another-admin")
    assert not find_shortage(sample).is_any


# --- What the database refuses --------------------------------------------------------------


def refuse(rule: str, do) -> None:
    def do_and_check() -> None:
        with transaction.atomic():
            do()
            connection.check_constraints()

    with pytest.raises(DatabaseError, match=rule):
        do_and_check()


def test_the_database_holds_the_rules_of_labels(item, sample, admin, other_admin, third_admin):
    label(item, {admin: "RIGHT", other_admin: "WRONG"})
    make = partial(AuditLabel.objects.create, item=item, person=third_admin, choice="RIGHT")
    refuse("one_audit_label_a_number", partial(make, number=2))
    refuse("at_most_two_audit_labels", partial(make, number=3))
    given = item.labels.filter(person=admin)
    refuse("audit_label_is_only_taken_back", partial(given.update, choice="WRONG"))
    refuse("audit_label_stays", given.delete)
    own = AuditItem.objects.filter(pk=item.pk)
    refuse("audit_outcome_is_what_people_said", partial(own.update, outcome="RIGHT"))
    refuse("audit_item_is_frozen", partial(own.update, place=99))
    refuse(
        "complete_sample_is_settled",
        partial(type(sample).objects.filter(pk=sample.pk).update, completed_at=timezone.now()),
    )
    settle = partial(AuditAdjudication.objects.create, item=item, choice="RIGHT", reason="So.")
    refuse("adjudicator_gave_no_label", partial(settle, person=admin))
    other = sample.items.get(place=2)
    refuse("adjudicated_labels_differ", partial(settle, item=other, person=third_admin))


def test_the_database_keeps_samples_and_lets_one_be_open(sample, admin):
    stands = type(sample).objects.filter(pk=sample.pk)
    refuse("audit_sample_stays", partial(stands._raw_delete, "default"))
    refuse("audit_sample_is_only_ended", partial(stands.update, seed=1))
    refuse("audit_stratum_is_append_only", partial(sample.strata.update, population=1))
    again = {
        one.name: getattr(sample, one.name)
        for one in sample._meta.concrete_fields
        if one.name != "id"
    }
    refuse("one_open_sample", partial(type(sample).objects.create, **again))
    actions.end(sample=sample, by=admin, why="The wrong version.")
    refuse("audit_sample_ends_once", partial(stands.update, why_ended="Another reason."))
    type(sample).objects.create(**again)


# --- At once --------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_at_once_never_give_a_third_label(sample, item, admin, other_admin, third_admin):
    label(item, {admin: "RIGHT"})
    address = reverse("grading:label_audit", args=[sample.pk])
    posts = [
        partial(
            client_of(one).post,
            address,
            {"item": seal(item, person=one, step="label"), "choice": "RIGHT"},
        )
        for one in (other_admin, third_admin)
    ]
    assert post_in_turn("grading_auditsample", sample.pk, *posts) == [302, 302]
    assert item.labels.standing().count() == 2


@pytest.mark.django_db(transaction=True)
def test_of_the_last_two_labels_at_once_one_completes_the_sample(
    sample, admin, other_admin, third_admin
):
    *others, first, second = sample.items.all()
    for item in others:
        label(item, dict.fromkeys((admin, other_admin), "RIGHT"))
    label(first, {admin: "RIGHT"})
    label(second, {admin: "RIGHT"})
    address = reverse("grading:label_audit", args=[sample.pk])
    posts = [
        partial(
            client_of(one).post,
            address,
            {"item": seal(item, person=one, step="label"), "choice": "RIGHT"},
        )
        for one, item in ((other_admin, first), (third_admin, second))
    ]
    assert post_in_turn("grading_auditsample", sample.pk, *posts) == [302, 302]
    sample.refresh_from_db()
    assert sample.state == "COMPLETE"
