"""Organisations: who makes, joins, confirms and merges them, and what each step is refused for."""

import json

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, transaction
from django.urls import reverse

from grading.model_runs.permissions import may_steer
from grading.solvers import actions
from grading.solvers.actions import CannotChange
from grading.solvers.models import Membership, Organisation, Solver
from grading.solvers.permissions import can_hand_in, can_see_members
from grading.submissions.drafts import submitting
from grading.submissions.drafts.models import Draft
from phybench.people.models import Role, User
from tests import drafts, versions
from tests.addresses import client_of
from tests.conftest import make_person
from tests.grading.concurrency import double_click
from tests.grading.conftest import make_file
from tests.grading.model_runs.running import begin as begin_run
from tests.grading.trials.trials import make_endpoint
from tests.organisations import join, organisation_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def organisation(evaluator) -> Organisation:
    return actions.make_organisation(name="Cavendish", by=evaluator)


@pytest.fixture
def other():
    return make_person(Role.EVALUATOR, "other")


def list_members(organisation):
    current = organisation.memberships.current().order_by("pk")
    return [one.person for one in current.select_related("person")]


# --- Making and joining ---------------------------------------------------------------------


def test_who_makes_one_is_its_first_member_and_it_waits_for_an_admin(organisation, evaluator):
    assert list_members(organisation) == [evaluator]
    assert organisation.confirmed_at is None
    assert can_hand_in(evaluator, organisation)


def test_an_admin_who_makes_one_has_it_confirmed_at_once():
    both = make_person(None, "both")
    both.roles = [Role.ADMIN, Role.EVALUATOR]
    both.save()
    assert actions.make_organisation(name="Ours", by=both).confirmed_by == both


@pytest.mark.parametrize("role", [*sorted(set(Role) - {Role.EVALUATOR}), None])
def test_only_evaluators_make_one(role):
    with pytest.raises(PermissionDenied):
        actions.make_organisation(name="Cavendish", by=make_person(role, "somebody"))


def test_a_name_is_taken_once_in_any_case(organisation, other):
    with pytest.raises(CannotChange, match="Ask to join it"):
        actions.make_organisation(name="cavendish", by=other)


def test_nobody_makes_a_second_before_the_first_is_confirmed(organisation, evaluator, admin):
    with pytest.raises(CannotChange, match="has yet to confirm"):
        actions.make_organisation(name="Another", by=evaluator)
    actions.confirm(organisation=organisation, by=admin)
    assert actions.make_organisation(name="Another", by=evaluator).name == "Another"


@pytest.mark.django_db(transaction=True)
def test_who_clicks_twice_makes_one_organisation(evaluator):
    address = reverse("grading:new_organisation")
    double_click("phybench_user", evaluator.pk, address, evaluator, {"name": "Cavendish"})
    assert Organisation.objects.count() == 1


def test_who_asks_is_of_it_once_a_member_takes_them(organisation, evaluator, other):
    asked = [actions.ask_to_join(organisation=organisation, person=other) for _twice in range(2)]
    assert asked[0] == asked[1]
    assert not can_hand_in(other, organisation)
    assert not can_see_members(other, organisation)
    with pytest.raises(PermissionDenied):
        actions.accept(membership=asked[0], by=other)
    actions.accept(membership=asked[0], by=evaluator)
    assert can_hand_in(other, organisation)
    with pytest.raises(PermissionDenied):
        actions.ask_to_join(organisation=organisation, person=other)


def test_who_is_turned_down_may_ask_again(organisation, evaluator, other):
    first = actions.ask_to_join(organisation=organisation, person=other)
    actions.end_membership(membership=first, by=evaluator)
    actions.accept(membership=first, by=evaluator)
    assert list_members(organisation) == [evaluator]
    assert actions.ask_to_join(organisation=organisation, person=other) != first


def test_members_leave_and_only_admins_take_others_off(organisation, evaluator, other, admin):
    theirs, own = join(organisation, other), evaluator.memberships.get()
    with pytest.raises(PermissionDenied):
        actions.end_membership(membership=theirs, by=evaluator)
    actions.end_membership(membership=own, by=evaluator)
    assert list_members(organisation) == [other]
    with pytest.raises(CannotChange, match="last member"):
        actions.end_membership(membership=theirs, by=admin)
    assert not can_hand_in(evaluator, organisation)


def test_the_database_keeps_who_was_ever_of_an_organisation(organisation, evaluator, other):
    join(organisation, other)
    actions.end_membership(membership=evaluator.memberships.get(), by=evaluator)
    theirs = Membership.objects.filter(person=evaluator)
    for change in (theirs.delete, lambda: theirs.update(left_at=None)):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


# --- Admins ---------------------------------------------------------------------------------


def test_only_admins_confirm_rename_and_merge(organisation, evaluator, other):
    second = organisation_of(other)
    for act in (
        lambda: actions.confirm(organisation=organisation, by=evaluator),
        lambda: actions.rename(organisation=organisation, name="New", by=evaluator),
        lambda: actions.merge(organisation=second, into=organisation, by=evaluator),
    ):
        with pytest.raises(PermissionDenied):
            act()


def hand_in(person, problem, *models):
    for model in models:
        versions.hand_in(
            organisation=Organisation.objects.of(person).get(),
            benchmark=problem.benchmark,
            uploaded_by=person,
            file_name="answers.json",
            content=make_file((problem, "m g h"), model=model),
        )


def test_what_is_merged_brings_models_and_members_and_names_stay_apart(
    organisation, evaluator, other, admin, problems
):
    asking = make_person(Role.EVALUATOR, "asking")
    second = organisation_of(other)
    hand_in(evaluator, problems[0], "alpha")
    hand_in(other, problems[0], "alpha", "beta", "x" * 120)
    hand_in(evaluator, problems[0], "x" * 120)
    actions.ask_to_join(organisation=second, person=asking)
    with pytest.raises(CannotChange, match="Confirm Cavendish first"):
        actions.merge(organisation=second, into=organisation, by=admin)
    actions.confirm(organisation=organisation, by=admin)
    actions.merge(organisation=second, into=organisation, by=admin)
    names = set(organisation.solvers.values_list("name", flat=True))
    assert names >= {"alpha", "beta", f"alpha ({second.name})", "x" * 120}
    assert len(names) == 5
    assert Solver.objects.get(name=f"alpha ({second.name})").submissions.get().number == 1
    assert list_members(organisation) == [evaluator, other]
    assert not can_hand_in(other, second)
    with pytest.raises(CannotChange, match="was merged into Cavendish"):
        actions.confirm(organisation=second, by=admin)
    page = client_of(other).get(second.get_absolute_url())
    assert page["Location"] == organisation.get_absolute_url()


def test_what_waits_in_a_draft_or_a_run_is_there_to_be_graded_after_a_merge(
    organisation, other, admin, problems
):
    version = versions.publish_version(problems[0].benchmark)
    second = organisation_of(other)
    draft = drafts.make_draft(
        organisation=second,
        benchmark=version.benchmark,
        by=other,
        content=make_file((problems[0], "m g h")),
    )
    run = begin_run(version, make_endpoint(), other)
    actions.confirm(organisation=organisation, by=admin)
    actions.merge(organisation=second, into=organisation, by=admin)
    run.refresh_from_db()
    assert run.organisation == organisation
    assert may_steer(other, run)
    [submission] = submitting.grade(draft=draft, by=other)
    assert submission.solver.organisation == organisation


def test_one_is_not_merged_into_itself_nor_into_what_is_gone(organisation, other, admin):
    with pytest.raises(CannotChange, match="another team"):
        actions.merge(organisation=organisation, into=organisation, by=admin)
    actions.confirm(organisation=organisation, by=admin)
    second, third = organisation_of(other), organisation_of(make_person(Role.EVALUATOR, "third"))
    actions.merge(organisation=second, into=organisation, by=admin)
    with pytest.raises(CannotChange, match="was merged"):
        actions.merge(organisation=third, into=second, by=admin)


# --- Pages ----------------------------------------------------------------------------------


def test_who_is_of_an_organisation_is_told_to_its_members_and_admins_alone(
    organisation, evaluator, other, admin
):
    for person, is_told in ((evaluator, True), (admin, True), (other, False)):
        text = client_of(person).get(organisation.get_absolute_url()).content.decode()
        assert ("<h2>Members</h2>" in text) is is_told
        assert ("Ask to join" in text) is (person == other)


def test_an_organisation_is_made_joined_confirmed_and_renamed_on_its_pages(evaluator, other, admin):
    made = client_of(evaluator).post(reverse("grading:new_organisation"), {"name": "Cavendish"})
    organisation = Organisation.objects.get()
    assert made["Location"] == organisation.get_absolute_url()
    client_of(other).post(reverse("grading:ask_to_join", args=[organisation.pk]))
    asking = organisation.memberships.asked().get()
    settle = reverse("grading:settle_membership", args=[organisation.pk, asking.pk])
    assert "Accept Other" in client_of(evaluator).get(made["Location"]).content.decode()
    told = client_of(evaluator).post(settle, {"step": "accept"}, follow=True)
    assert "Other is a member now." in told.content.decode()
    assert list_members(organisation) == [evaluator, other]
    client_of(admin).post(reverse("grading:confirm_organisation", args=[organisation.pk]))
    address = reverse("grading:rename_organisation", args=[organisation.pk])
    client_of(admin).post(address, {"name": "Cavendish Laboratory"})
    organisation.refresh_from_db()
    assert (organisation.name, organisation.confirmed_by) == ("Cavendish Laboratory", admin)
    assert client_of(admin).post(address, {"name": ""}).status_code == 400
    assert client_of(other).post(settle, {"step": "x"}).status_code == 400
    assert list_members(organisation) == [evaluator, other]
    told = client_of(other).post(settle, {"step": "end"}, follow=True)
    assert "You have left Cavendish Laboratory." in told.content.decode()
    assert list_members(organisation) == [evaluator]


def test_who_accepts_somebody_after_another_declined_them_is_told_so(
    organisation, evaluator, other
):
    asking = actions.ask_to_join(organisation=organisation, person=other)
    actions.end_membership(membership=asking, by=evaluator)
    settle = reverse("grading:settle_membership", args=[organisation.pk, asking.pk])
    told = client_of(evaluator).post(settle, {"step": "accept"}, follow=True)
    assert "Declined: Other does not join." in told.content.decode()
    assert list_members(organisation) == [evaluator]


def test_a_name_that_is_taken_is_refused_at_its_field(organisation, other, admin):
    address = reverse("grading:new_organisation")
    refused = client_of(other).post(address, {"name": "CAVENDISH"})
    assert refused.status_code == 400
    assert "Ask to join it" in refused.content.decode()
    second = organisation_of(other)
    rename = reverse("grading:rename_organisation", args=[second.pk])
    refused = client_of(admin).post(rename, {"name": "cavendish"})
    assert refused.status_code == 400
    assert "Merge the two, or choose another name" in refused.content.decode()
    merge = reverse("grading:merge_organisation", args=[second.pk])
    meant = {"is_meant": "on"}
    refused = [{"into": second.pk, **meant}, {"into": organisation.pk, **meant}]
    assert [client_of(admin).post(merge, one).status_code for one in refused] == [400, 400]
    actions.confirm(organisation=organisation, by=admin)
    assert client_of(admin).post(merge, {"into": organisation.pk}).status_code == 400
    led = client_of(admin).post(merge, {"into": organisation.pk, **meant})
    assert led["Location"] == organisation.get_absolute_url()


def test_admins_are_told_what_waits_for_them_and_find_it_first(organisation, other, admin):
    organisation_of(other)
    home = client_of(admin).get(reverse("inbox")).content.decode()
    assert "1 team to confirm" in home
    address = reverse("grading:organisations") + "?sort=stands"
    assert address in home
    page = client_of(admin).get(address).context["page"]
    assert next(iter(page)) == organisation


def test_who_asks_to_join_is_told_so_and_members_who_asks(organisation, evaluator, other):
    actions.ask_to_join(organisation=organisation, person=other)
    home = client_of(other).get(reverse("inbox")).content.decode()
    assert "You have asked to join Cavendish" in home
    home = client_of(evaluator).get(reverse("inbox")).content.decode()
    assert "1 person asks to join your team." in home
    assert organisation.get_absolute_url() in home


def test_a_first_upload_makes_an_organisation_with_one_s_name(other, problems, evaluator):
    version = versions.publish_version(problems[0].benchmark)
    rows = [{"problem_id": problems[0].identifier, "model": "m", "response": "m g h"}]
    for number, person in enumerate((other, evaluator)):
        # To the database they are one name, whatever the case.
        User.objects.filter(pk=person.pk).update(display_name=("Kay", "kay")[number])
        sent = {
            "benchmark": version.benchmark_id,
            "answers": SimpleUploadedFile(f"{number}.json", json.dumps(rows).encode()),
        }
        page = client_of(User.objects.get(pk=person.pk)).post(reverse("grading:upload"), sent)
        assert page.status_code == 302
    names = [draft.organisation.name for draft in Draft.objects.order_by("pk")]
    assert names == ["Kay", "kay 2"]
    # Whether it may publish under that name an admin says.
    assert not Organisation.objects.exclude(confirmed_at=None).exists()
    assert [one.name for one in Organisation.objects.of(other)] == ["Kay"]
