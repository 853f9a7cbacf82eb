"""A credit counts once its person accepts it; what somebody else types bars nobody."""

import re
from collections.abc import Callable
from datetime import timedelta

import pgtrigger
import pytest
from django.core import mail
from django.db import DatabaseError, transaction
from django.db.models import F
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.authoring.translations import actions as translations
from curation.members import requests
from curation.problems.credits import actions as crediting
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from curation.problems.people.models import Contribution, Credit
from curation.problems.permissions import (
    Interests,
    can_edit,
    can_see_key,
    had_part,
    list_foreign,
    list_visible,
    list_with_key,
)
from curation.reviewing.pipelines.models import ReviewSettings
from curation.reviewing.rounds.lifecycle import submit_review
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import can_review, list_awaiting
from curation.texts.workflow import NotAllowedNow
from curation.versions.permissions import may_answer
from phybench.people.models import Role, User
from tests.conftest import accept, make_person
from tests.curation.reviewing.assignments.given import assign
from tests.work import send_mails

pytestmark = pytest.mark.django_db

CO_AUTHOR, SUPPLIER, TRANSLATOR = Credit.Role


Offer = Callable[[str], Credit]


@pytest.fixture
def offer(draft: Problem, contributor: User, other: User) -> Offer:
    def ask(role: str) -> Credit:
        if role == TRANSLATOR:
            return translations.assign_translator(
                problem=draft, by=contributor, person=other, language="zh"
            )
        return crediting.give_credit(problem=draft, author=contributor, person=other, role=role)

    return ask


# --- Before it is accepted ------------------------------------------------------------------


@pytest.mark.parametrize("role", Credit.Role)
@pytest.mark.parametrize("becomes", ["offered", "withdrawn", "declined"])
def test_who_is_only_offered_a_credit_reviews_and_answers_as_before(
    draft, contributor, other, offer, role, becomes
):
    credit = offer(role)
    if becomes == "withdrawn":
        crediting.remove_credit(credit=credit, by=contributor)
    elif becomes == "declined":
        requests.decline_offer(credit=credit, person=other)
    review_round = actions.submit(problem=draft, author=contributor)
    problem = Problem.objects.get()
    assert not had_part(other, problem)
    assert not Interests({draft.pk}, [other]).had_part(draft.pk, other)
    assert draft in list_foreign(other)
    assert list(list_awaiting(other)) == [review_round]
    assert can_review(other, review_round)
    assert not can_see_key(other, problem)
    assert draft not in list_with_key(other)
    solver = make_person(Role.PARTICIPANT, "solver")
    other.roles = [Role.CONTRIBUTOR, Role.PARTICIPANT]
    other.save()
    accept_by_another(draft, review_round)
    assert may_answer(solver, draft.revisions.get())
    assert may_answer(other, draft.revisions.get())


def accept_by_another(draft: Problem, review_round: ReviewRound) -> None:
    submit_review(
        review_round=review_round,
        reviewer=make_person(Role.REVIEWER, "another"),
        recommendation="ACCEPT",
        comment="",
    )
    draft.refresh_from_db()
    assert draft.status == "ACCEPTED"


@pytest.mark.parametrize("role", Credit.Role)
def test_an_offer_shows_nothing_of_the_problem(client, draft, other, offer, role):
    credit = offer(role)
    other.roles = [Role.CONTRIBUTOR]
    other.save()
    assert not can_edit(other, draft)
    assert draft not in list_visible(other)
    client.force_login(other)
    assert client.get(draft.get_absolute_url()).status_code == 404
    desk = client.get(reverse("inbox")).content.decode()
    assert "1 credit on a problem is offered to you." in desk
    for address in (
        reverse("inbox"),
        reverse("profile") + "?tab=credits",
        f"{draft.get_absolute_url()}?do=uncredit&credit={credit.pk}",
    ):
        # A token may hold two signs that a problem is called by.
        text = re.sub(r"\w{64}", "", client.get(address, follow=True).content.decode())
        for secret in (draft.title, "m g h", draft.identifier):
            assert secret not in text
    page = client.get(reverse("profile") + "?tab=credits").content.decode()
    assert "offered by Contributor" in page
    assert draft.benchmark.name in page
    assert not Exposure.objects.filter(person=other).exists()


def test_an_offer_is_told_by_e_mail_once_and_without_the_problem(draft, contributor, other, offer):
    offer(CO_AUTHOR)
    send_mails()
    [told] = [one for one in mail.outbox if other.email in one.to]
    assert "Contributor offers to credit you on a problem" in told.body
    assert draft.title not in told.subject + told.body
    # Withdrawn and offered again, it is no second e-mail.
    crediting.remove_credit(credit=Credit.objects.get(), by=contributor)
    offer(CO_AUTHOR)
    send_mails()
    assert len([one for one in mail.outbox if other.email in one.to]) == 1


def test_others_do_not_read_who_is_only_offered_a_credit(
    client, draft, contributor, reviewer, participant, offer
):
    offer(CO_AUTHOR)
    accept(draft, contributor, reviewer)
    client.force_login(participant)
    assert "Other" not in client.get(draft.get_absolute_url()).content.decode()
    kinds = Contribution.objects.values_list("person__display_name", "kind")
    assert ("Other", "AUTHORED") not in kinds


def test_no_colleague_of_who_is_only_offered_it_is_in_conflict(
    draft, contributor, reviewer, other, offer
):
    ReviewSettings.objects.update(institutions_conflict=True)
    for one in (reviewer, other):
        one.institution = "Peking University"
        one.save()
    credit = offer(CO_AUTHOR)
    review_round = actions.submit(problem=draft, author=contributor)
    assert can_review(reviewer, review_round)
    Credit.objects.update(accepted_at=F("given_at"))
    assert not can_review(reviewer, review_round)
    # To take the name off again frees nobody.
    credit.refresh_from_db()
    crediting.remove_credit(credit=credit, by=other)
    assert not can_review(reviewer, review_round)
    assert Interests({draft.pk}, [reviewer]).has_conflict(draft.pk, reviewer)


# --- Accepting and declining ----------------------------------------------------------------


@pytest.mark.parametrize(("role", "is_shown"), [(CO_AUTHOR, 1), (TRANSLATOR, 1), (SUPPLIER, 0)])
def test_accepted_it_counts_and_the_page_that_opens_writes_down_what_it_shows(
    client, draft, contributor, other, offer, role, is_shown
):
    other.roles = [Role.CONTRIBUTOR]
    other.save()
    credit = offer(role)
    if role != TRANSLATOR:
        # Of what is not submitted nothing is written down.
        requests.accept_offer(credit=credit, person=other)
        actions.submit(problem=draft, author=contributor)
        client.force_login(other)
        client.get(draft.get_absolute_url())
    else:
        actions.submit(problem=draft, author=contributor)
        client.force_login(other)
        client.post(reverse("profile") + "?do=accept", {"credit": credit.pk}, follow=True)
    assert had_part(other, Problem.objects.get())
    shown = Exposure.objects.of_key().filter(person=other)
    assert shown.exists() is bool(is_shown)


def test_who_accepts_after_the_acceptance_is_counted_with_the_others(
    draft, contributor, reviewer, other, offer
):
    credit = offer(CO_AUTHOR)
    accept(draft, contributor, reviewer)
    requests.accept_offer(credit=credit, person=other)
    assert Contribution.objects.filter(person=other, kind="AUTHORED").count() == 1


def test_nobody_else_answers_an_offer_and_nobody_twice(client, draft, contributor, other, offer):
    credit = offer(CO_AUTHOR)
    client.force_login(contributor)
    for name in ("accept", "decline"):
        answer = client.post(f"{reverse('profile')}?do={name}", {"credit": credit.pk})
        assert answer.status_code == 404
    with pytest.raises(NotAllowedNow):
        requests.accept_offer(credit=credit, person=contributor)
    requests.accept_offer(credit=credit, person=other)
    for answer in (requests.accept_offer, requests.decline_offer):
        with pytest.raises(NotAllowedNow, match="not offered to you any more"):
            answer(credit=credit, person=other)


def test_who_declines_is_asked_again_after_a_week(client, other, offer):
    credit = offer(CO_AUTHOR)
    client.force_login(other)
    client.post(reverse("profile") + "?do=decline", {"credit": credit.pk})
    with pytest.raises(NotAllowedNow, match="You can ask again from"):
        offer(CO_AUTHOR)
    with pgtrigger.ignore(
        "curation.Credit:removed_credit_is_frozen",
        "curation.Credit:credit_is_only_accepted_or_removed",
    ):
        Credit.objects.update(removed_at=F("removed_at") - timedelta(days=8))
    assert offer(CO_AUTHOR).is_offered


def test_asked_twice_it_is_one_offer(other, offer):
    offer(CO_AUTHOR)
    with pytest.raises(NotAllowedNow, match="asked already"):
        offer(CO_AUTHOR)


def test_an_offer_is_withdrawn_also_once_the_problem_is_frozen(draft, contributor, offer):
    credit = offer(CO_AUTHOR)
    actions.submit(problem=draft, author=contributor)
    crediting.remove_credit(credit=credit, by=contributor)
    assert not Credit.objects.standing().exists()


def test_who_translates_themselves_has_accepted_it(draft, contributor):
    made = translations.assign_translator(
        problem=draft, by=contributor, person=contributor, language="zh"
    )
    assert made.is_current


def test_an_admin_does_not_make_themselves_translator_of_what_they_review(
    draft, contributor, admin
):
    admin.roles = [Role.ADMIN, Role.CONTRIBUTOR, Role.REVIEWER]
    admin.save()
    review_round = actions.submit(problem=draft, author=contributor)
    assign(review_round, admin, admin)
    with pytest.raises(NotAllowedNow, match="You review this problem"):
        translations.assign_translator(problem=draft, by=admin, person=admin, language="zh")
    assert not Credit.objects.exists()


def test_what_was_accepted_is_not_unsaid_in_the_database(other, offer):
    requests.accept_offer(credit=offer(CO_AUTHOR), person=other)
    for change in ({"accepted_at": None}, {"accepted_at": F("given_at")}):
        with pytest.raises(DatabaseError, match="pgtrigger"), transaction.atomic():
            Credit.objects.update(**change)
