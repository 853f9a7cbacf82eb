"""What changes who may review something under way waits for an admin, who sees what it undoes."""

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from curation.members import requests
from curation.members.models import Request
from curation.problems.models import Problem
from curation.problems.permissions import had_part
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.permissions import list_takeable
from curation.reviewing.pipelines.models import ReviewSettings
from curation.reviewing.rounds.models import Assignment, ReviewRound
from curation.reviewing.rounds.permissions import can_review
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.assignments.given import assign
from tests.curation.reviewing.rounds.opened import make_benchmark, make_pipeline, review
from tests.work import send_mails

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewers(db) -> list[User]:
    """Two of Peking University, who write as well, and one of nowhere."""
    found = [make_person(Role.REVIEWER, name) for name in ("first", "second", "free")]
    for one in found[:2]:
        one.roles = [Role.REVIEWER, Role.CONTRIBUTOR]
        one.institution = "Peking University"
        one.save()
    return found


@pytest.fixture
def waiting(contributor, reviewers, admin) -> ReviewRound:
    """A round of three reviews, where one is asked and another has reviewed."""
    benchmark = make_benchmark(make_pipeline({"reviews_needed": 3}))
    ReviewSettings.objects.update(institutions_conflict=True)
    found = submit(make_draft(contributor, benchmark), contributor)
    assign(found, reviewers[0], admin)
    review(found, reviewers[1], "REJECT")
    return found


@pytest.fixture
def asked(client, contributor, waiting) -> Request:
    """The author says that they work where two of their reviewers do."""
    client.force_login(contributor)
    client.post(reverse("profile") + "?tab=institution", {"institution": "PEKING University"})
    return contributor.requests.get()


def show(client, asked: Request, admin: User) -> str:
    """Have an admin look at what is asked, and return what the page says of what they saw."""
    client.force_login(admin)
    page = client.get(reverse("curation:request", args=[asked.pk]))
    return str(page.context["undone"].known)


# --- Institutions ---------------------------------------------------------------------------


def test_an_author_s_new_institution_takes_no_reviewer_away(asked, waiting, contributor, reviewers):
    contributor.refresh_from_db()
    assert contributor.institution == ""
    assert reviewers[0].assignments.get().state == "OPEN"
    assert can_review(reviewers[1], waiting)
    assert waiting.disagreement.reject == 1


def test_a_reviewer_s_own_new_institution_waits_too(waiting, reviewers):
    assert isinstance(requests.change_institution(person=reviewers[1], name="Tsinghua"), Request)
    free = requests.change_institution(person=reviewers[2], name="Tsinghua")
    assert not isinstance(free, Request)


def test_to_leave_one_waits_for_nobody_and_frees_nobody(waiting, reviewers, contributor):
    User.objects.filter(pk=contributor.pk).update(institution="Peking University")
    assert waiting not in list_takeable(reviewers[0])
    assert not isinstance(requests.change_institution(person=reviewers[0], name=""), Request)
    reviewers[0].refresh_from_db()
    assert reviewers[0].institution == ""
    assert waiting not in list_takeable(reviewers[0])


def test_where_the_benchmark_minds_none_nothing_waits(waiting, contributor):
    ReviewSettings.objects.update(institutions_conflict=False)
    made = requests.change_institution(person=contributor, name="Peking University")
    assert not isinstance(made, Request)


def test_an_admin_sees_what_it_undoes_and_agreeing_undoes_exactly_that(
    client, asked, waiting, contributor, reviewers, admin
):
    client.force_login(admin)
    assert (
        "institution PEKING University"
        in client.get(reverse("curation:members") + "?show=requests").content.decode()
    )
    page = client.get(reverse("curation:request", args=[asked.pk]))
    text = page.content.decode()
    assert "First is no longer asked to review" in text
    assert "What Second said of" in text
    known = page.context["undone"].known
    client.post(reverse("curation:request", args=[asked.pk]) + "?do=grant", {"known": known})
    contributor.refresh_from_db()
    assert contributor.institution == "PEKING University"
    assert contributor.changes.get().how == "ON_REQUEST"
    given = reviewers[0].assignments.get()
    assert (given.state, given.ended_by) == ("REVOKED", admin)
    assert translate(given.message) == "Conflict: of an author’s institution."
    waiting.refresh_from_db()
    assert waiting.disagreement.reject == 0
    assert [one.person for one in waiting.set_aside.all()] == [reviewers[1]]
    [counted] = ReviewRound.objects.with_places()
    assert (counted.given, counted.free) == (0, 3)
    # What was set aside decides nothing: three others do.
    for number in range(3):
        review(waiting, make_person(Role.REVIEWER, f"other-{number}"))
    assert Problem.objects.get().status == "ACCEPTED"


def test_what_keeps_a_round_from_its_decision_and_is_set_aside_keeps_it_no_more(
    client, asked, waiting, admin
):
    for number in range(3):
        one = make_person(Role.REVIEWER, f"other-{number}")
        assign(waiting, one, admin, exceeds=True)
        review(waiting, one)
    assert Problem.objects.get().status == "IN_REVIEW"
    requests.grant(request=asked, by=admin, known=show(client, asked, admin))
    assert Problem.objects.get().status == "ACCEPTED"


def test_what_came_since_the_admin_looked_is_not_undone_unseen(
    client, asked, waiting, reviewers, admin
):
    known = show(client, asked, admin)
    review(waiting, reviewers[0])
    with pytest.raises(NotAllowedNow, match="Look at what this undoes first"):
        requests.grant(request=asked, by=admin, known=known)
    assert Request.objects.waiting().get() == asked


def test_declined_nothing_changes_and_the_person_reads_why(
    client, asked, contributor, reviewers, admin
):
    client.force_login(admin)
    address = reverse("curation:request", args=[asked.pk]) + "?do=decline"
    client.post(address, {"reason": "You left there in May."})
    contributor.refresh_from_db()
    assert contributor.institution == ""
    assert reviewers[0].assignments.get().state == "OPEN"
    client.force_login(contributor)
    page = reverse("profile") + "?tab=institution"
    assert "You left there in May." in client.get(page).content.decode()
    refused = client.post(page, {"institution": "PEKING University"})
    assert "You can ask again from" in refused.content.decode()


def test_one_takes_ones_own_request_back(client, asked, contributor):
    client.force_login(contributor)
    client.post(reverse("profile") + "?do=take_back", {"request": asked.pk})
    assert not Request.objects.waiting().exists()


def test_neither_oneself_nor_who_wrote_the_problem_agrees(client, asked, contributor, admin):
    contributor.roles = [*contributor.roles, Role.ADMIN]
    contributor.save()
    with pytest.raises(NotAllowedNow, match="Another admin decides"):
        requests.grant(request=asked, by=contributor)
    Problem.objects.get().credits.create(
        person=admin, role="CO_AUTHOR", given_by=contributor, accepted_at=timezone.now()
    )
    client.force_login(admin)
    page = client.get(reverse("curation:request", args=[asked.pk])).content.decode()
    assert "You contributed to this problem" in page
    assert "Agree" not in page
    for decide in (requests.grant, lambda **one: requests.decline(reason="No.", **one)):
        with pytest.raises(NotAllowedNow, match="You contributed to this problem"):
            decide(request=asked, by=admin)


def test_an_admin_who_says_where_somebody_works_sees_what_it_undoes_first(
    client, waiting, contributor, reviewers, admin
):
    client.force_login(admin)
    address = reverse("curation:member", args=[contributor.pk]) + "?do=institution"
    page = client.post(address, {"institution": "Peking University"})
    assert page.status_code == 409
    assert "First is no longer asked to review" in page.content.decode()
    contributor.refresh_from_db()
    assert contributor.institution == ""
    known = page.context["institution_form"]["known"].value()
    page = client.post(address, {"institution": "Peking University", "known": known})
    assert page.status_code == 302
    assert reviewers[0].assignments.get().state == "REVOKED"


# --- Credits --------------------------------------------------------------------------------


def offer(waiting: ReviewRound, person: User, role: str, by: User) -> None:
    """Have a credit on a problem in review be offered; of a co-author, from before."""
    waiting.revision.problem.credits.create(
        person=person, role=role, language="zh" if role == "TRANSLATOR" else "", given_by=by
    )


@pytest.mark.parametrize("role", ["TRANSLATOR", "SUPPLIER", "CO_AUTHOR"])
@pytest.mark.parametrize("place", [0, 1])
def test_a_credit_that_its_reviewer_accepts_waits_and_undoes_what_the_admin_saw(
    client, waiting, contributor, reviewers, admin, role, place
):
    offer(waiting, reviewers[place], role, contributor)
    credit = reviewers[place].credits.get()
    client.force_login(reviewers[place])
    page = client.post(reverse("profile") + "?do=accept", {"credit": credit.pk}, follow=True)
    assert "an admin decides" in page.content.decode()
    assert can_review(reviewers[place], waiting)
    asked = reviewers[place].requests.get()
    known = show(client, asked, admin)
    requests.grant(request=asked, by=admin, known=known)
    assert had_part(reviewers[place], Problem.objects.get())
    assert not can_review(reviewers[place], waiting)
    # A co-author's colleagues are in conflict as well.
    is_all = role == "CO_AUTHOR"
    assert Assignment.objects.open().exists() is (place == 1 and not is_all)
    assert waiting.set_aside.exists() is (place == 1 or is_all)


def test_a_co_author_s_colleagues_and_who_is_marked_with_them_are_undone_too(
    client, waiting, contributor, reviewers, admin
):
    other = make_person(Role.CONTRIBUTOR, "other")
    User.objects.filter(pk=other.pk).update(institution="Peking University")
    offer(waiting, other, "CO_AUTHOR", contributor)
    asked = requests.accept_offer(credit=other.credits.get(), person=other)
    assert isinstance(asked, Request)
    known = show(client, asked, admin)
    requests.grant(request=asked, by=admin, known=known)
    assert not Assignment.objects.open().exists()
    assert [one.person for one in waiting.set_aside.all()] == [reviewers[1]]


@pytest.mark.parametrize("role", ["TRANSLATOR", "SUPPLIER"])
def test_who_is_no_reviewer_of_it_translates_without_an_admin(waiting, contributor, role):
    other = make_person(Role.CONTRIBUTOR, "other")
    offer(waiting, other, role, contributor)
    made = requests.accept_offer(credit=other.credits.get(), person=other)
    assert not isinstance(made, Request)


def test_declined_by_an_admin_the_reviewer_goes_on(client, waiting, contributor, reviewers, admin):
    offer(waiting, reviewers[0], "TRANSLATOR", contributor)
    asked = requests.accept_offer(credit=reviewers[0].credits.get(), person=reviewers[0])
    requests.decline(request=asked, by=admin, reason="We need the review.")
    assert can_review(reviewers[0], waiting)
    client.force_login(reviewers[0])
    assert "We need the review." in client.get(reverse("profile") + "?tab=credits").content.decode()


def test_withdrawn_meanwhile_it_waits_for_nobody(client, waiting, contributor, reviewers, admin):
    offer(waiting, reviewers[0], "TRANSLATOR", contributor)
    credit = reviewers[0].credits.get()
    asked = requests.accept_offer(credit=credit, person=reviewers[0])
    client.force_login(contributor)
    client.post(f"{credit.problem.get_absolute_url()}?do=uncredit&credit={credit.pk}")
    assert not Request.objects.waiting().exists()
    with pytest.raises(NotAllowedNow, match="not offered any more"):
        requests.grant(request=asked, by=admin)
    assert reviewers[0].assignments.get().state == "OPEN"


def test_what_an_admin_decided_is_told_by_e_mail(asked, contributor, admin):
    requests.decline(request=asked, by=admin, reason="You left there in May.")
    send_mails()
    [told] = [one for one in mail.outbox if contributor.email in one.to]
    assert "An admin declined the institution that you gave." in told.body
    assert "You left there in May." in told.body


# --- Admins and their own problems ----------------------------------------------------------


def test_an_admin_takes_no_reviewer_from_a_problem_of_their_own(waiting, reviewers, admin):
    Problem.objects.update(author=admin)
    problem = Problem.objects.get()
    for with_what in ({"problem": problem}, {"author": admin}):
        with pytest.raises(NotAllowedNow, match="Ask another admin"):
            assigning.mark_conflict(person=reviewers[0], admin=admin, reason="Kin.", **with_what)
    with pytest.raises(NotAllowedNow, match="Ask another admin"):
        assigning.revoke(assignment=reviewers[0].assignments.get(), admin=admin, reason="Late.")
    other = make_person(Role.ADMIN, "other")
    assigning.mark_conflict(person=reviewers[0], admin=other, reason="Kin.", problem=problem)
    assert reviewers[0].assignments.get().state == "REVOKED"
