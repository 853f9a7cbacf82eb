"""Admins decide instead of a rule and where reviews disagree, but not on what is theirs."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils import timezone

from curation.problems.models import Problem
from curation.problems.people.models import Conflict
from curation.reviewing.agreement.actions import adjudicate
from curation.reviewing.agreement.models import Adjudication
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.decisions.interests import say_who_decides
from curation.reviewing.decisions.permissions import can_override
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.errors.reports import decide as decide_report
from tests.curation.errors.reports import report_error, submit_correction
from tests.curation.reviewing.place import of_room
from tests.curation.reviewing.rounds.opened import (
    decide_round,
    make_benchmark,
    make_pipeline,
    open_round,
    review,
)
from tests.memory import remembered

pytestmark = pytest.mark.django_db
Arrange = Callable[[Problem, User], None]


@pytest.fixture
@remembered
def waiting(contributor) -> ReviewRound:
    """A round about which two have said different things."""
    pipeline = make_pipeline({"reviews_needed": 3})
    opened = submit(make_draft(contributor, make_benchmark(pipeline)), contributor)
    review(opened, make_person(Role.REVIEWER, "first"))
    review(opened, make_person(Role.REVIEWER, "second"), "REJECT")
    return opened


def be_the_author(problem: Problem, person: User) -> None:
    Problem.objects.filter(pk=problem.pk).update(author=person)


def be_named(role: str) -> Arrange:
    def arrange(problem: Problem, person: User) -> None:
        language = "zh" if role == "TRANSLATOR" else ""
        problem.credits.create(
            person=person,
            role=role,
            language=language,
            given_by=problem.author,
            accepted_at=timezone.now(),
        )

    return arrange


def write_a_revision(problem: Problem, person: User) -> None:
    problem.revisions.create(number=9).writers.add(person)


def be_in_conflict(**with_what: str) -> Arrange:
    def arrange(problem: Problem, person: User) -> None:
        marker = make_person(Role.ADMIN, "marker")
        theirs = {name: problem if name == "problem" else problem.author for name in with_what}
        assigning.mark_conflict(person=person, admin=marker, reason="One group.", **theirs)
        marker.is_active = False
        marker.save()

    return arrange


HAD_PART = "You contributed to this problem"
CONFLICT = "You have a conflict of interest with this problem"
INTERESTS: dict[str, tuple[Arrange, str]] = {
    "author": (be_the_author, HAD_PART),
    "co-author": (be_named("CO_AUTHOR"), HAD_PART),
    "supplier": (be_named("SUPPLIER"), HAD_PART),
    "translator": (be_named("TRANSLATOR"), HAD_PART),
    "writer of a revision": (write_a_revision, HAD_PART),
    "conflict with the problem": (be_in_conflict(problem=""), CONFLICT),
    "conflict with the author": (be_in_conflict(author=""), CONFLICT),
}


@pytest.mark.parametrize("interest", INTERESTS)
def test_an_admin_with_an_interest_neither_overrides_nor_adjudicates_and_is_told_who_can(
    client, waiting, admin, interest
):
    arrange, why = INTERESTS[interest]
    arrange(waiting.revision.problem, admin)
    make_person(Role.ADMIN, "somebody-else")
    client.force_login(admin)
    doors = {
        "override": lambda: decide_round(waiting, admin, "ACCEPT", "It is."),
        "adjudicate": lambda: adjudicate(
            review_round=waiting, admin=admin, step="", reason="r", known=0, heard=0
        ),
    }
    for enter in doors.values():
        with pytest.raises(NotAllowedNow, match=f"^{why}.*Ask another admin: Somebody-else"):
            enter()
    text = client.get(reverse("curation:decide", args=[waiting.pk])).content.decode()
    assert why in text
    assert 'name="step"' not in text
    assert "Ask another admin: Somebody-else." in text
    assert not Adjudication.objects.exists()
    assert ReviewRound.objects.open().get() == waiting


def test_who_has_nothing_to_do_with_it_decides_and_reads_no_such_sentence(client, waiting, admin):
    client.force_login(admin)
    page = client.get(waiting.revision.problem.get_absolute_url()).content.decode()
    assert reverse("curation:decide", args=[waiting.pk]) in page
    assert "so you can’t decide this" not in page
    assert say_who_decides(admin, waiting.revision.problem) == ""
    decide_round(waiting, admin, "ACCEPT", "It is.")


def test_the_only_admin_without_an_interest_is_named_and_the_others_are_not(waiting, admin):
    problem = waiting.revision.problem
    be_the_author(problem, admin)
    part, conflicted, away, demo, free = (
        make_person(Role.ADMIN, name) for name in ("part", "conflicted", "away", "demo", "free")
    )
    be_named("SUPPLIER")(problem, part)
    be_in_conflict(problem="")(problem, conflicted)
    User.objects.filter(pk=away.pk).update(is_active=False)
    User.objects.filter(pk=demo.pk).update(is_demo=True)
    waiting = open_round(problem)
    assert say_who_decides(admin, waiting.revision.problem).endswith("Ask another admin: Free.")
    Conflict.objects.create(person=free, problem=problem, reason="Kin.", marked_by=part)
    assert "No other admin can either" in say_who_decides(admin, waiting.revision.problem)


def test_the_only_admin_is_told_what_to_do_and_the_round_stays_open(client, waiting, admin):
    be_the_author(waiting.revision.problem, admin)
    client.force_login(admin)
    page = client.get(reverse("curation:decide", args=[waiting.pk])).content.decode()
    assert "give the admin role to someone" in page
    review(waiting, make_person(Role.REVIEWER, "third"))
    waiting.refresh_from_db()
    assert waiting.decision == ""
    page = client.get(reverse("curation:decide", args=[waiting.pk])).content.decode()
    assert "Invite one more reviewer" in page


def test_an_admin_who_wrote_a_correction_does_not_say_what_its_reviews_come_to(
    accepted_problem, participant, admin
):
    report = report_error(accepted_problem, participant)
    decide_report(report, admin, "KEY_FIXED")
    waiting = submit_correction(accepted_problem, admin)
    with pytest.raises(NotAllowedNow, match=HAD_PART):
        adjudicate(review_round=waiting, admin=admin, step="", reason="r", known=0, heard=0)


@pytest.mark.parametrize("interest", INTERESTS)
def test_that_there_is_no_error_is_said_by_somebody_with_no_interest(
    client, accepted_problem, participant, admin, interest
):
    arrange, why = INTERESTS[interest]
    report = report_error(accepted_problem, participant)
    client.force_login(admin)
    assert 'value="NO_ERROR"' in client.get(report.get_absolute_url()).content.decode()
    arrange(accepted_problem, admin)
    make_person(Role.ADMIN, "somebody-else")
    with pytest.raises(NotAllowedNow, match=f"^{why}.*Ask another admin: Somebody-else"):
        decide_report(report, admin, "NO_ERROR")
    page = client.get(report.get_absolute_url()).content.decode()
    assert why in page
    assert 'value="NO_ERROR"' not in page
    # Whoever owns up to an error needs nobody else.
    assert decide_report(report, admin, "KEY_FIXED").awaits_correction


def test_a_part_given_since_the_page_was_opened_counts(waiting, contributor, admin):
    """What the page had fetched of the problem says nothing of it."""
    opened = (
        ReviewRound.objects.select_related("revision__problem")
        .prefetch_related("revision__problem__credits")
        .get(pk=waiting.pk)
    )
    be_named("SUPPLIER")(waiting.revision.problem, admin)
    with pytest.raises(NotAllowedNow, match=HAD_PART):
        adjudicate(review_round=opened, admin=admin, step="", reason="r", known=0, heard=0)


def test_nobody_lifts_a_conflict_of_their_own(client, waiting, admin):
    other = make_person(Role.ADMIN, "other-admin")
    conflict = assigning.mark_conflict(
        person=admin, problem=waiting.revision.problem, admin=admin, reason="We share an office."
    )
    with pytest.raises(NotAllowedNow, match="Only another admin can lift"):
        assigning.lift_conflict(conflict=conflict, admin=admin)
    client.force_login(admin)
    page = client.get(of_room("review_settings") + "?show=conflicts").content.decode()
    assert "your own: another admin can lift it" in page
    assert f'name="conflict" value="{conflict.pk}"' not in page
    assigning.lift_conflict(conflict=conflict, admin=other)
    assert can_override(admin, waiting)


def test_a_conflict_of_an_admin_who_reviews_nothing_can_be_marked_on_the_page(
    client, waiting, admin
):
    client.force_login(admin)
    problem = waiting.revision.problem
    sent = {
        "do": "mark",
        "person": admin.pk,
        "problem": problem.identifier,
        "reason": "We share an office.",
    }
    client.post(of_room("review_settings") + "?show=conflicts", {"do": "mark", **sent})
    assert Conflict.objects.get().person == admin
    assert not can_override(admin, waiting)


@pytest.mark.parametrize("count", [1, 3])
def test_who_can_instead_is_found_in_as_many_queries_for_three_admins_as_for_one(
    waiting, admin, count, django_assert_num_queries
):
    be_the_author(waiting.revision.problem, admin)
    for number in range(count):
        make_person(Role.ADMIN, f"admin-{number}")
    opened = ReviewRound.objects.select_related("revision__problem").get(pk=waiting.pk)
    with django_assert_num_queries(2):
        assert say_who_decides(admin, opened.revision.problem)
