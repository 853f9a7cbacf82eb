"""Naming people on a problem: who may, what it opens to them and what it bars them from."""

from collections.abc import Callable

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.problems.credits import actions as people
from curation.problems.models import Problem
from curation.problems.people.models import Credit
from curation.problems.permissions import can_edit, can_see_key, list_visible
from curation.reviewing.rounds.lifecycle import submit_review
from curation.reviewing.rounds.permissions import can_review, list_awaiting
from curation.texts.workflow import NotAllowedNow
from curation.versions.permissions import list_to_answer, may_answer
from grading.answers import actions as grading
from grading.answers.actions import CannotAnswer
from phybench.people.models import Role, User
from tests.conftest import (
    accept,
    ask_to_translate,
    make_draft,
    make_person,
    name_person,
    submit,
)

pytestmark = pytest.mark.django_db

CO_AUTHOR, SUPPLIER, TRANSLATOR = Credit.Role


@pytest.fixture
def give(draft: Problem, contributor: User, other: User) -> Callable[[str], Credit]:
    """Name somebody, who accepts it: `test_offers` has what is before that."""

    def name_other(role: str) -> Credit:
        if role == TRANSLATOR:
            return ask_to_translate(draft, contributor, other)
        return name_person(draft, contributor, other, role)

    return name_other


def sees(client, person: User, problem: Problem) -> str:
    client.force_login(person)
    page = client.get(problem.get_absolute_url())
    return page.content.decode() if page.status_code == 200 else ""


# --- What it opens --------------------------------------------------------------------------


def test_a_co_author_reads_and_edits_the_draft(draft, other, give):
    assert not can_edit(other, draft)
    give(CO_AUTHOR)
    draft = Problem.objects.of(other).get()
    assert can_edit(other, draft)
    assert draft in list_visible(other)
    assert can_see_key(other, draft)
    saved_at = draft.revisions.get().saved_at.isoformat()
    saved = actions.save_draft(problem=draft, author=other, saved_at=saved_at, title="Ours")
    assert list(saved.writers.order_by("pk")) == [draft.author, other]


def test_a_co_author_neither_submits_nor_withdraws_nor_deletes(
    client, draft, contributor, other, give
):
    give(CO_AUTHOR)
    with pytest.raises(NotAllowedNow, match="Only its author can submit"):
        actions.submit(problem=draft, author=other)
    with pytest.raises(NotAllowedNow):
        actions.delete_draft(problem=draft, author=other)
    client.force_login(other)
    editor = client.get(reverse("curation:edit", args=[draft.pk])).content.decode()
    assert "Save draft" in editor
    assert "Submit for review" not in editor
    actions.submit(problem=draft, author=contributor)
    with pytest.raises(NotAllowedNow):
        actions.withdraw(problem=draft, author=other)
    for asked in ("", "?do=delete"):
        leave = reverse("curation:leave", args=[draft.pk])
        assert client.post(leave + asked).status_code == 404


def test_a_co_author_reads_the_reviews_as_the_author_does(client, draft, contributor, other, give):
    give(CO_AUTHOR)
    other.roles = [Role.CONTRIBUTOR]
    other.save()
    submit_review(
        review_round=actions.submit(problem=draft, author=contributor),
        reviewer=make_person(Role.REVIEWER),
        recommendation="REVISE",
        comment="Say which way it falls.",
    )
    assert "Say which way it falls." in sees(client, other, draft)
    assert "m g h" in sees(client, other, draft)


def test_who_supplied_the_idea_sees_no_more_than_before(client, draft, other, give):
    give(SUPPLIER)
    assert sees(client, other, draft) == ""
    client.force_login(other)
    for end in ("edit/", "?part=people", "submit/", "leave/", "leave/?do=delete"):
        assert client.post(draft.get_absolute_url() + end).status_code == 404


def test_to_be_named_on_one_problem_opens_no_other(draft, contributor, benchmark, other, give):
    give(CO_AUTHOR)
    another = make_draft(contributor, benchmark, title="Another")
    assert not can_edit(other, another)
    assert list(Problem.objects.of(other)) == [draft]
    assert another not in list_visible(other)


# --- What it bars from ----------------------------------------------------------------------


@pytest.mark.parametrize("role", Credit.Role)
@pytest.mark.parametrize("is_removed", [False, True])
def test_whoever_was_named_does_not_review_it(
    client, draft, contributor, benchmark, other, give, role, is_removed
):
    credit = give(role)
    if is_removed:
        people.remove_credit(credit=credit, by=contributor)
    review_round = actions.submit(problem=draft, author=contributor)
    free = submit(make_draft(contributor, benchmark), contributor)
    assert list(list_awaiting(other)) == [free]
    assert not can_review(other, review_round)
    with pytest.raises(NotAllowedNow):
        submit_review(
            review_round=review_round, reviewer=other, recommendation="ACCEPT", comment=""
        )
    client.force_login(other)
    assert client.get(reverse("curation:review", args=[review_round.pk])).status_code == 404
    needs_it = role in {CO_AUTHOR, TRANSLATOR} and not is_removed
    assert ("m g h" in sees(client, other, draft)) == needs_it


@pytest.mark.parametrize("role", Credit.Role)
@pytest.mark.parametrize("is_removed", [False, True])
def test_whoever_was_named_does_not_answer_it(
    client, draft, contributor, reviewer, other, give, role, is_removed
):
    credit = give(role)
    if is_removed:
        people.remove_credit(credit=credit, by=contributor)
    accept(draft, contributor, reviewer)
    revision = draft.revisions.get()
    assert not may_answer(other, revision)
    assert list(list_to_answer(other)) == []
    with pytest.raises(CannotAnswer):
        grading.answer(revision=revision, person=other, response="m g h")
    client.force_login(other)
    assert list(client.get(reverse("grading:to_answer")).context["page"]) == []
    assert "open for you to answer" not in client.get(reverse("inbox")).content.decode()


def test_who_may_answer_one_is_told_the_same_by_the_list(
    draft, contributor, reviewer, participant, other
):
    accept(draft, contributor, reviewer)
    revision = draft.revisions.get()
    for person in (contributor, reviewer, participant, other):
        person.roles = [*person.roles, Role.PARTICIPANT]
        listed = draft in list_to_answer(person)
        assert listed == may_answer(person, revision)


# --- Who says so ----------------------------------------------------------------------------


def test_only_the_author_says_who_is_named_and_only_while_it_can_be_edited(
    draft, contributor, other, give
):
    give(CO_AUTHOR)
    third = make_person(Role.CONTRIBUTOR, "third")
    with pytest.raises(NotAllowedNow):
        people.give_credit(problem=draft, author=other, person=third, role=SUPPLIER)
    actions.submit(problem=draft, author=contributor)
    with pytest.raises(NotAllowedNow):
        people.give_credit(problem=draft, author=contributor, person=third, role=SUPPLIER)
    with pytest.raises(NotAllowedNow):
        people.remove_credit(credit=Credit.objects.get(), by=contributor)


def test_others_do_not_take_a_name_off(client, draft, other, give):
    credit = give(CO_AUTHOR)
    client.force_login(make_person(Role.CONTRIBUTOR, "third"))
    address = f"{draft.get_absolute_url()}?do=uncredit&credit={credit.pk}"
    assert client.post(address).status_code == 404
    assert Credit.objects.current().count() == 1


def test_everybody_takes_their_own_name_off_at_any_time(
    client, draft, contributor, reviewer, other, give
):
    credit = give(CO_AUTHOR)
    accept(draft, contributor, reviewer)
    address = f"{draft.get_absolute_url()}?do=uncredit&credit={credit.pk}"
    assert address.replace("&", "&amp;") in sees(client, other, draft)
    assert "Remove your name from “A falling ball”" in client.get(address).content.decode()
    page = client.post(address, follow=True)
    assert "no longer credited" in page.content.decode()
    assert "Remove my name" not in page.content.decode()
    assert "can’t be removed now" in client.post(address, follow=True).content.decode()
    credit.refresh_from_db()
    assert (credit.removed_by, credit.is_current) == (other, False)


def test_who_takes_their_name_off_a_draft_reads_it_no_more(client, draft, other, give):
    credit = give(CO_AUTHOR)
    client.force_login(other)
    address = f"{draft.get_absolute_url()}?do=uncredit&credit={credit.pk}"
    assert client.post(address, follow=True).status_code == 200
    assert sees(client, other, draft) == ""


def test_a_name_is_given_again_after_it_was_taken_off_and_never_twice(
    draft, contributor, other, give
):
    people.remove_credit(credit=give(CO_AUTHOR), by=contributor)
    give(CO_AUTHOR)
    with pytest.raises(NotAllowedNow, match="already"):
        give(CO_AUTHOR)
    assert Credit.objects.count() == 2
    assert Credit.objects.current().count() == 1


@pytest.mark.parametrize("who", ["the author", "a reviewer", "who left", "a demo person"])
def test_only_other_contributors_are_named(draft, contributor, reviewer, other, who):
    person = {"the author": contributor, "a reviewer": reviewer}.get(who, other)
    other.is_active, other.is_demo = who != "who left", who == "a demo person"
    other.save()
    with pytest.raises(NotAllowedNow):
        people.give_credit(problem=draft, author=contributor, person=person, role=CO_AUTHOR)


def test_who_was_named_stays_in_the_history_of_what_was_submitted(draft, contributor, give):
    credit = give(CO_AUTHOR)
    for change in (
        lambda: Credit.objects.update(role=SUPPLIER),
        lambda: Credit.objects.update(given_by=credit.person),
    ):
        with pytest.raises(DatabaseError, match="pgtrigger"), transaction.atomic():
            change()
    actions.submit(problem=draft, author=contributor)
    with pytest.raises(DatabaseError, match="pgtrigger"), transaction.atomic():
        credit.delete()


def test_a_draft_nobody_saw_goes_with_its_names(draft, contributor, give):
    give(CO_AUTHOR)
    actions.delete_draft(problem=draft, author=contributor)
    assert not Credit.objects.exists()


# --- The pages ------------------------------------------------------------------------------


def test_an_author_finds_somebody_by_name_and_names_them(client, draft, contributor, other):
    client.force_login(contributor)
    address = reverse("curation:problem", args=[draft.pk]) + "?part=people"
    found = client.get(f"{address}&q=OTH").content.decode()
    assert f'value="{other.pk}"' in found
    assert other.email not in found
    page = client.post(address, {"person": other.pk, "role": CO_AUTHOR}, follow=True)
    assert "Other is asked, and credited once they accept: co-author." in page.content.decode()
    assert draft.credits.get().person == other


def test_in_the_editor_only_the_list_is_answered(client, draft, contributor, other):
    client.force_login(contributor)
    address = reverse("curation:problem", args=[draft.pk]) + "?part=people"
    assert 'id="people-q"' in client.get(reverse("curation:edit", args=[draft.pk])).content.decode()
    page = client.post(
        address, {"person": other.pk, "role": SUPPLIER}, headers={"HX-Request": "true"}
    ).content.decode()
    assert "<html" not in page
    assert "supplier of the idea" in page


@pytest.mark.parametrize("data", [{}, {"person": "1' OR"}, {"person": "0", "role": "KING"}])
def test_what_names_nobody_is_refused_kindly(client, draft, contributor, data):
    client.force_login(contributor)
    page = client.post(
        reverse("curation:problem", args=[draft.pk]) + "?part=people", data, follow=True
    )
    assert "Search again" in page.content.decode()
    assert not Credit.objects.exists()


def test_a_search_without_a_hit_says_what_to_ask_for(client, draft, contributor):
    client.force_login(contributor)
    page = client.get(draft.get_absolute_url(), {"part": "people", "q": "%_"})
    assert "No other contributor has a name like this" in page.content.decode()


def test_a_co_author_sees_who_is_named_and_changes_nothing(client, draft, other, give):
    give(CO_AUTHOR)
    client.force_login(other)
    address = reverse("curation:problem", args=[draft.pk]) + "?part=people"
    page = client.get(f"{address}&q=o").content.decode()
    assert "decides who is credited here" in page
    assert "people-q" not in page
    third = make_person(Role.CONTRIBUTOR, "third")
    client.post(address, {"person": third.pk, "role": CO_AUTHOR})
    assert Credit.objects.count() == 1


def test_a_problem_says_who_is_behind_it_by_display_name(
    client, draft, contributor, reviewer, participant, other, give
):
    give(CO_AUTHOR)
    idea = make_person(Role.CONTRIBUTOR, "idea")
    name_person(draft, contributor, idea, SUPPLIER)
    accept(draft, contributor, reviewer)
    page = sees(client, participant, draft)
    for person in (contributor, other, idea):
        assert str(person) in page
        assert person.email not in page


def test_pages_take_as_many_queries_for_three_names_as_for_one(
    client, draft, contributor, give, django_assert_num_queries
):
    give(CO_AUTHOR)
    client.force_login(contributor)
    address = reverse("curation:problem", args=[draft.pk]) + "?part=people"
    with django_assert_num_queries(8):
        client.get(f"{address}&q=person")
    for number in range(2):
        person = make_person(Role.CONTRIBUTOR, f"person-{number}")
        people.give_credit(problem=draft, author=contributor, person=person, role=SUPPLIER)
    with django_assert_num_queries(8):
        client.get(f"{address}&q=person")


@pytest.mark.parametrize(("role", "times"), [("PARTICIPANT", 5), ("REVIEWER", 4)])
def test_a_problem_s_page_asks_who_is_named_however_many_are(
    client, contributor, reviewer, benchmark, role, times
):
    viewer = make_person(Role(role), "viewer")

    client.force_login(viewer)
    counts = []
    for names in (1, 3):
        problem = make_draft(contributor, benchmark, title=f"With {names}")
        for number in range(names):
            person = make_person(Role.CONTRIBUTOR, f"person-{names}-{number}")
            name_person(problem, contributor, person, CO_AUTHOR)
        accept(problem, contributor, reviewer)
        with CaptureQueriesContext(connection) as queries:
            client.get(problem.get_absolute_url())
        counts.append(len(queries))
    assert counts[0] == counts[1]
    asking = [one["sql"] for one in queries if 'FROM "curation_credit"' in one["sql"]]
    # For its page, for whether this viewer may see it at all, for which texts of it and which
    # reports on it; of a participant, for whether they may answer it.
    assert len(asking) == times
