"""Two people say blind what an answer's first error is; a third settles where they differ."""

from functools import partial

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from grading.samples.first_errors import actions
from grading.samples.first_errors.actions import list_to_adjudicate, list_to_label
from grading.samples.first_errors.models import (
    FirstErrorAdjudication,
    FirstErrorItem,
    FirstErrorLabel,
)
from grading.samples.first_errors.progress import find_own, find_shortage
from grading.samples.labelling.actions import CannotChange, CannotLabel
from grading.samples.labelling.served import seal
from tests.addresses import client_of
from tests.grading.concurrency import post_in_turn
from tests.grading.first_errors.conftest import PASSAGE, label, label_all
from tests.organisations import join, organisation_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def item(sample) -> FirstErrorItem:
    return sample.items.get(place=1)


def test_two_who_name_the_same_kind_settle_an_answer_wherever_they_see_it(item, admin, other_admin):
    actions.label(item=item, by=admin, choice="PERCEPTION", passage=PASSAGE, start=0)
    item.refresh_from_db()
    assert item.outcome == ""
    actions.label(item=item, by=other_admin, choice="PERCEPTION", passage="Its", start=0)
    item.refresh_from_db()
    assert item.outcome == "PERCEPTION"


@pytest.mark.parametrize("other", ["SEMANTICS", "NO_ERROR", "KEY_WRONG", "CANT_TELL"])
def test_where_two_differ_a_third_settles_it(item, sample, admin, other_admin, third_admin, other):
    label(item, {admin: "PERCEPTION", other_admin: other})
    assert not list_to_adjudicate(third_admin, sample).exists()
    for another in sample.items.exclude(pk=item.pk):
        label(another, {third_admin: "SYMBOLIC"})
    assert list(list_to_adjudicate(third_admin, sample)) == [item]
    actions.adjudicate(
        item=item, by=third_admin, choice="SEMANTICS", passage=PASSAGE, start=0, reason="So."
    )
    item.refresh_from_db()
    assert item.outcome == "SEMANTICS"


def test_who_labelled_an_answer_does_not_settle_it(item, admin, other_admin):
    label(item, {admin: "PERCEPTION", other_admin: "CANT_TELL"})
    with pytest.raises(CannotLabel, match="Ask another admin"):
        actions.adjudicate(item=item, by=admin, choice="CANT_TELL", reason="So.")


def test_the_same_label_twice_is_one_and_another_passage_is_refused(item, admin):
    give = partial(actions.label, item=item, by=admin, choice="SYMBOLIC", passage="Its", start=0)
    assert give() == give()
    with pytest.raises(CannotLabel, match="Take your label back"):
        give(passage="weight", start=4)


def test_ones_last_label_is_taken_back_until_somebody_else_labelled_the_answer(
    item, sample, admin, other_admin
):
    label(item, {admin: "PERCEPTION"})
    actions.take_back(sample=sample, by=admin)
    assert list_to_label(admin, sample).first() == item
    label(item, {admin: "SYMBOLIC", other_admin: "SYMBOLIC"})
    with pytest.raises(CannotLabel, match="Another person"):
        actions.take_back(sample=sample, by=admin)


def test_the_last_label_completes_a_sample_and_then_nothing_changes(sample, admin, other_admin):
    label_all(sample, admin, other_admin, lambda item: "PERCEPTION")
    assert sample.state == "COMPLETE"
    with pytest.raises(CannotLabel, match="has ended"):
        actions.take_back(sample=sample, by=admin)
    with pytest.raises(CannotChange):
        actions.end(sample=sample, by=admin, why="I don't like it.")


def test_a_sample_that_ended_early_takes_no_labels(sample, item, admin):
    actions.end(sample=sample, by=admin, why="The wrong solvers.")
    with pytest.raises(CannotLabel, match="has ended"):
        label(item, {admin: "PERCEPTION"})


# --- Who may label --------------------------------------------------------------------------


def test_who_was_asked_labels_and_others_find_nothing(sample, reviewer, contributor, admin):
    assert not list_to_label(reviewer, sample).exists()
    asked = actions.ask(sample=sample, person=reviewer, by=admin)
    assert find_own(reviewer, sample).total == 6
    actions.take_off(labeller=asked, by=admin)
    assert not list_to_label(reviewer, sample).exists()
    with pytest.raises(CannotChange):
        actions.ask(sample=sample, person=contributor, by=admin)
    with pytest.raises(PermissionDenied):
        actions.ask(sample=sample, person=reviewer, by=reviewer)


def test_no_one_labels_answers_of_their_own_organisation_not_even_an_admin(
    sample, evaluator, rival, other_admin, admin
):
    actions.ask(sample=sample, person=evaluator, by=admin)
    join(organisation_of(rival), other_admin)
    for person, organisation in ((evaluator, rival), (other_admin, evaluator)):
        left = list_to_label(person, sample)
        assert left.count() == 3
        of = {one.attempt.solver.organisation for one in left.select_related("attempt")}
        assert of == {organisation_of(organisation)}
    own = sample.items.filter(solver__submission__uploaded_by=evaluator).first()
    with pytest.raises(CannotLabel, match="can’t label"):
        label(own, {evaluator: "NO_ERROR"})


def test_an_answer_with_too_few_who_may_label_it_is_counted(sample, evaluator, admin, reviewer):
    actions.ask(sample=sample, person=evaluator, by=admin)
    shortage = find_shortage(sample)
    assert (shortage.to_label, shortage.organisations) == (3, [organisation_of(evaluator)])
    actions.ask(sample=sample, person=reviewer, by=admin)
    assert not find_shortage(sample).is_any


# --- What the database refuses --------------------------------------------------------------


def refuse(rule: str, do) -> None:
    def do_and_check() -> None:
        with transaction.atomic():
            do()
            connection.check_constraints()

    with pytest.raises(DatabaseError, match=rule):
        do_and_check()


def test_the_database_wants_the_passage_of_an_error_in_the_response(item, admin):
    make = partial(FirstErrorLabel.objects.create, item=item, person=admin, number=1)
    refuse("labelled_error_has_a_passage", partial(make, choice="SYMBOLIC"))
    refuse("stands_in_the_response", partial(make, choice="SYMBOLIC", passage="Its"))
    refuse(
        "labelled_passage_stands_in_the_response",
        partial(make, choice="SYMBOLIC", passage="Its mass", start=0),
    )
    refuse(
        "labelled_passage_stands_in_the_response",
        partial(make, choice="CANT_TELL", passage="Its", start=1),
    )
    make(choice="SYMBOLIC", passage="weight", start=4)


def test_the_database_holds_the_rules_of_labels(item, sample, admin, other_admin, third_admin):
    label(item, {admin: "PERCEPTION", other_admin: "CANT_TELL"})
    make = partial(
        FirstErrorLabel.objects.create, item=item, person=third_admin, choice="CANT_TELL"
    )
    refuse("one_first_error_label_a_number", partial(make, number=2))
    refuse("at_most_two_first_error_labels", partial(make, number=3))
    given = item.labels.filter(person=admin)
    refuse("first_error_label_is_only_taken_back", partial(given.update, choice="CANT_TELL"))
    own = FirstErrorItem.objects.filter(pk=item.pk)
    refuse("first_error_outcome_is_what_people_said", partial(own.update, outcome="SYMBOLIC"))
    settle = partial(FirstErrorAdjudication.objects.create, item=item, reason="So.")
    refuse("adjudicator_gave_no_label", partial(settle, person=admin, choice="CANT_TELL"))
    refuse(
        "adjudicated_error_has_a_passage", partial(settle, person=third_admin, choice="SYMBOLIC")
    )
    stands = type(sample).objects.filter(pk=sample.pk)
    refuse("first_error_sample_stays", partial(stands._raw_delete, "default"))
    refuse("first_error_solver_is_append_only", partial(sample.solvers.update, accuracy=1))
    refuse("first_error_domain_is_append_only", partial(sample.domains.update, problems=9))


def test_the_database_takes_wrong_answers_of_published_submissions_alone(
    sample, submissions, problems
):
    solver = sample.solvers.get(submission=submissions[0])
    right = submissions[0].attempts.get(revision__problem=problems[3])
    make = partial(
        FirstErrorItem.objects.create,
        sample=sample,
        place=9,
        solver=solver,
        revision=right.revision,
        key=right.revision,
    )
    refuse("first_error_item_was_graded_wrong", partial(make, attempt=right))
    other = submissions[1].attempts.get(revision__problem=problems[3])
    refuse("first_error_item_was_graded_wrong", partial(make, attempt=other))


# --- At once --------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_at_once_never_give_a_third_label(sample, item, admin, other_admin, third_admin):
    label(item, {admin: "PERCEPTION"})
    address = reverse("grading:label_first_error", args=[sample.pk])
    posts = [
        partial(
            client_of(one).post,
            address,
            {"item": seal(item, person=one, step="label"), "choice": "CANT_TELL"},
        )
        for one in (other_admin, third_admin)
    ]
    assert post_in_turn("grading_firsterrorsample", sample.pk, *posts) == [302, 302]
    assert item.labels.standing().count() == 2
