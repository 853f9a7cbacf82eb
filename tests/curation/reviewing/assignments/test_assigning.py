"""Assignments: given, taken, declined, taken back, passed on, done; and who can't have any."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.authoring.drafts import actions
from curation.authoring.translations import actions as crediting
from curation.problems.models import Problem
from curation.problems.people.models import Conflict, Credit
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.permissions import list_takeable
from curation.reviewing.reviews import actions as reviewing
from curation.reviewing.rounds.models import Assignment, Review, ReviewRound
from curation.reviewing.rounds.permissions import Eligibility, choose_readable, list_awaiting
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from phybench_grader.numbers.sentences import Sentence
from tests.conftest import make_draft, make_person, submit
from tests.curation.drafts.test_actions import REFUSED_BY_A_TRIGGER
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.curation.reviewing.rounds.opened import (
    decide_round,
    make_benchmark,
    make_pipeline,
    open_round,
    pass_first_stages,
    review,
    solve,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(contributor) -> ReviewRound:
    return open_rounds(contributor, {"due_days": 5})[0]


@pytest.fixture
def second(db) -> User:
    return make_person(Role.REVIEWER, "second")


# --- The life of an assignment --------------------------------------------------------------


def test_an_assignment_is_due_when_its_stage_says_or_when_the_admin_does(
    waiting, reviewer, second, admin
):
    given = assign(waiting, reviewer, admin)
    assert (given.how, given.state, given.assigned_by) == ("BY_HAND", "OPEN", admin)
    assert timedelta(days=4) < given.due_at - timezone.now() <= timedelta(days=5)
    tomorrow = timezone.now() + timedelta(days=1)
    assert assign(waiting, second, admin, due_at=tomorrow, exceeds=True).due_at == tomorrow


def test_a_review_does_the_assignment_and_ends_the_others_with_its_round(
    waiting, reviewer, second, admin
):
    done, other = assign(waiting, reviewer, admin), assign(waiting, second, admin, exceeds=True)
    review(waiting, reviewer)
    done.refresh_from_db()
    other.refresh_from_db()
    assert (done.state, done.ended_by) == ("DONE", reviewer)
    assert (other.state, other.ended_by) == ("ENDED", None)


def test_a_review_that_is_refused_leaves_the_assignment_open(contributor, reviewer, admin):
    waiting = open_rounds(contributor, {"is_blind": True})[0]
    given = assign(waiting, reviewer, admin)
    with pytest.raises(NotAllowedNow, match="Solve it first"):
        review(waiting, reviewer)
    given.refresh_from_db()
    assert given.state == "OPEN"


@pytest.mark.parametrize("how", ["withdrawn", "overridden"])
def test_an_assignment_ends_with_its_round_however_that_closes(
    waiting, reviewer, contributor, admin, how
):
    given = assign(waiting, reviewer, admin)
    if how == "withdrawn":
        actions.withdraw(problem=waiting.revision.problem, author=contributor)
    else:
        decide_round(waiting, admin, "REJECT", "Known.")
    given.refresh_from_db()
    assert given.state == "ENDED"


def test_a_declined_assignment_says_why_and_its_place_is_free_again(waiting, reviewer, second):
    given = assigning.take(review_round=waiting, reviewer=reviewer)
    assert waiting not in list_takeable(second)
    with pytest.raises(NotAllowedNow, match="Say why"):
        assigning.decline(assignment=given, reviewer=reviewer, reason=" ")
    with pytest.raises(NotAllowedNow, match="Someone else is asked"):
        assigning.decline(assignment=given, reviewer=second, reason="Not mine.")
    assigning.decline(assignment=given, reviewer=reviewer, reason="No time.")
    given.refresh_from_db()
    assert (given.state, given.reason, given.ended_by) == ("DECLINED", "No time.", reviewer)
    assert waiting in list_takeable(second)
    with pytest.raises(NotAllowedNow, match="over: declined"):
        assigning.decline(assignment=given, reviewer=reviewer, reason="No time.")


def test_passed_on_what_the_first_one_wrote_stays_theirs(contributor, reviewer, second, admin):
    terms = {"is_blind": True, "reviews_needed": 2, "rule": "UNANIMOUS"}
    waiting = open_rounds(contributor, terms)[0]
    first = assign(waiting, reviewer, admin)
    solve(waiting, reviewer)
    fresh = assign(first.round, second, admin, instead_of=first, reason="They are ill.")
    first.refresh_from_db()
    assert (first.state, first.reason, first.ended_by) == ("REVOKED", "They are ill.", admin)
    assert (fresh.reviewer, fresh.instead_of, fresh.state) == (second, first, "OPEN")
    assert waiting.solves.get().reviewer == reviewer


def test_where_the_other_can_not_have_it_nothing_is_taken_back(
    waiting, reviewer, contributor, admin
):
    first = assign(waiting, reviewer, admin)
    contributor.roles = [Role.CONTRIBUTOR, Role.REVIEWER]
    contributor.save()
    with pytest.raises(NotAllowedNow, match="contributed"):
        assign(first.round, contributor, admin, instead_of=first, reason="Ill.")
    first.refresh_from_db()
    assert first.state == "OPEN"


def test_only_an_admin_assigns_takes_back_and_marks(waiting, reviewer, second, admin):
    given = assign(waiting, reviewer, admin)
    for attempt in (
        lambda: assign(waiting, second, reviewer, exceeds=True),
        lambda: assigning.revoke(assignment=given, admin=reviewer, reason="Mine."),
        lambda: assigning.mark_conflict(
            person=second, admin=reviewer, reason="Mine.", problem=waiting.revision.problem
        ),
    ):
        with pytest.raises(NotAllowedNow, match="Only an admin"):
            attempt()


def test_the_database_keeps_what_became_of_an_assignment(waiting, reviewer, admin):
    given = assign(waiting, reviewer, admin)
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(
            round=waiting, reviewer=reviewer, how="TAKEN", assigned_by=reviewer
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.update(state="DECLINED", ended_at=timezone.now(), ended_by=reviewer)
    assigning.revoke(assignment=given, admin=admin, reason="By mistake.")
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        Assignment.objects.update(reason="Another.")
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        Assignment.objects.all()._raw_delete("default")


# --- Places and the cap ---------------------------------------------------------------------


def test_who_holds_as_many_as_they_may_takes_no_more_and_an_admin_exceeds_it_knowingly(
    settings, contributor, reviewer, admin
):
    settings.REVIEWS_OPEN_AT_MOST = 1
    first, more = open_rounds(contributor, count=2)
    assigning.take(review_round=first, reviewer=reviewer)
    with pytest.raises(assigning.Full, match="one open review"):
        assigning.take(review_round=more, reviewer=reviewer)
    with pytest.raises(assigning.Exceeds, match="holds one open review"):
        assign(more, reviewer, admin)
    assert assign(more, reviewer, admin, exceeds=True).state == "OPEN"


def test_no_cap_is_no_cap(settings, contributor, reviewer):
    settings.REVIEWS_OPEN_AT_MOST = 0
    for one in open_rounds(contributor, count=2):
        assigning.take(review_round=one, reviewer=reviewer)
    assert reviewer.assignments.open().count() == 2


def test_a_round_has_as_many_places_as_reviews_it_still_needs(contributor, reviewer, second, admin):
    waiting = open_rounds(contributor, {"reviews_needed": 2})[0]
    review(waiting, reviewer)
    assert ReviewRound.objects.with_places().get().free == 1
    assign(waiting, second, admin)
    assert ReviewRound.objects.with_places().get().free == 0
    with pytest.raises(assigning.Exceeds, match="given or asked for"):
        assign(waiting, make_person(Role.REVIEWER, "third"), admin)


def test_a_round_that_has_its_reviews_and_stays_open_asks_for_one_more(
    contributor, reviewer, second
):
    terms = {"is_blind": True, "rule": "BLIND_SOLVES", "solves_needed": 1}
    waiting = open_rounds(contributor, terms)[0]
    solve(waiting, reviewer, "2 m g h")
    review(waiting, reviewer)
    assert waiting in list_takeable(second)


def test_take_the_next_passes_over_what_others_took(contributor, reviewer, second):
    first, more = open_rounds(contributor, count=2)
    queue = list_takeable(reviewer).order_by("pk")
    assert list(queue) == [first, more]
    # Between the page and the click.
    assigning.take(review_round=first, reviewer=second)
    stale = ReviewRound.objects.filter(pk__in=[first.pk, more.pk]).order_by("pk")
    assert assigning.take_next(queue=stale, reviewer=reviewer).round == more
    assert assigning.take_next(queue=stale, reviewer=reviewer) is None


# --- A stage for whom an admin assigned ------------------------------------------------------


def test_a_stage_that_is_not_open_to_all_is_for_who_is_assigned(
    contributor, reviewer, second, admin
):
    waiting = open_rounds(contributor, {"is_open_to_all": False})[0]
    assert waiting not in list_awaiting(reviewer)
    with pytest.raises(NotAllowedNow):
        review(waiting, reviewer)
    with pytest.raises(NotAllowedNow, match="whom an admin asked"):
        assigning.take(review_round=waiting, reviewer=reviewer)
    given = assign(waiting, reviewer, admin)
    assert waiting in list_awaiting(reviewer)
    assign(given.round, second, admin, instead_of=given, reason="Ill.")
    with pytest.raises(NotAllowedNow):
        review(waiting, reviewer)
    review(waiting, second)


def test_who_reviewed_where_only_some_are_asked_may_change_it_until_it_closes(
    contributor, reviewer, admin
):
    waiting = open_rounds(contributor, {"is_open_to_all": False, "reviews_needed": 2})[0]
    assign(waiting, reviewer, admin)
    review(waiting, reviewer)
    assert review(waiting, reviewer, "REVISE", replaces=1).number == 2


def test_who_is_not_asked_reads_no_earlier_verdict_since_they_may_be_asked_yet(
    contributor, reviewer, second, admin
):
    benchmark = make_benchmark(make_pipeline({"reviews_needed": 2}, {"is_open_to_all": False}))
    problem = make_draft(contributor, benchmark)
    first = submit(problem, contributor)
    review(first, reviewer)
    review(first, second)
    problem.refresh_from_db()
    first.refresh_from_db()
    assert open_round(problem) not in list_awaiting(reviewer)
    assert choose_readable(reviewer, problem, [first]) == []


# --- Who can't have one, at each door -------------------------------------------------------


def have_part(role: str) -> Callable[[ReviewRound, User, User], None]:
    def arrange(waiting: ReviewRound, person: User, admin: User) -> None:
        language = "zh" if role == "TRANSLATOR" else ""
        waiting.revision.problem.credits.create(
            person=person,
            role=role,
            language=language,
            given_by=admin,
            accepted_at=timezone.now(),
        )

    return arrange


def be_in_conflict(with_what: str) -> Callable[[ReviewRound, User, User], None]:
    def arrange(waiting: ReviewRound, person: User, admin: User) -> None:
        problem = waiting.revision.problem
        theirs = {"problem": problem} if with_what == "problem" else {"author": problem.author}
        if with_what == "co-author":
            writer = make_person(Role.CONTRIBUTOR, "co-author")
            problem.credits.create(
                person=writer,
                role="CO_AUTHOR",
                given_by=problem.author,
                accepted_at=timezone.now(),
            )
            theirs = {"author": writer}
        assigning.mark_conflict(person=person, admin=admin, reason="One group.", **theirs)

    return arrange


def be_the_author(waiting: ReviewRound, person: User, admin: User) -> None:
    Problem.objects.update(author=person)


def have_seen(waiting: ReviewRound, person: User, admin: User) -> None:
    reviewing.show_key(waiting.revision, person)


def be_admin(waiting: ReviewRound, person: User, admin: User) -> None:
    person.roles = [Role.REVIEWER, Role.ADMIN]
    person.save()


def be_no_reviewer(waiting: ReviewRound, person: User, admin: User) -> None:
    person.roles = [Role.CONTRIBUTOR]
    person.save()


OBSTACLES = {
    "author": (be_the_author, "contributed to the problem"),
    "co-author": (have_part(Credit.Role.CO_AUTHOR), "contributed to the problem"),
    "supplier": (have_part(Credit.Role.SUPPLIER), "contributed to the problem"),
    "translator": (have_part(Credit.Role.TRANSLATOR), "contributed to the problem"),
    "conflict with the problem": (be_in_conflict("problem"), "conflict of interest"),
    "conflict with the author": (be_in_conflict("author"), "conflict of interest"),
    "conflict with a co-author": (be_in_conflict("co-author"), "conflict of interest"),
    "has seen the answer": (have_seen, "has seen the answer"),
    "admin": (be_admin, "sees every answer, as an admin"),
    "no longer a reviewer": (be_no_reviewer, "no longer a reviewer"),
    "nothing": (lambda *_: None, ""),
}


def test_what_bars_somebody_is_said_before_that_they_were_asked(contributor, reviewer, admin):
    waiting = open_rounds(contributor, {"is_blind": True})[0]
    assigning.assign(review_round=waiting, reviewer=reviewer, admin=admin)
    assert Eligibility([waiting], [reviewer]).find_obstacle(waiting, reviewer).code == "is_assigned"
    have_seen(waiting, reviewer, admin)
    assert (
        Eligibility([waiting], [reviewer]).find_obstacle(waiting, reviewer).code
        == "has_seen_answer"
    )


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_what_is_in_the_way_closes_each_door_and_is_said(
    contributor, reviewer, admin, second, obstacle
):
    waiting = open_rounds(contributor, {"is_blind": True})[0]
    arrange, why = OBSTACLES[obstacle]
    arrange(waiting, reviewer, admin)
    reviewer.refresh_from_db()
    waiting = ReviewRound.objects.select_related("revision__problem").get(pk=waiting.pk)
    assert translate(Eligibility([waiting], [reviewer]).find_obstacle(waiting, reviewer)) == why
    passed_on = assign(waiting, second, admin)
    doors = {
        "assign": lambda: assign(waiting, reviewer, admin, exceeds=True),
        "reassign": lambda: assign(
            passed_on.round, reviewer, admin, instead_of=passed_on, reason="Ill.", exceeds=True
        ),
        "solve": lambda: solve(waiting, reviewer),
        "review": lambda: review(waiting, reviewer),
    }
    if why:
        for name, enter in doors.items():
            with pytest.raises(NotAllowedNow), transaction.atomic():
                enter()
            assert not Review.objects.exists(), name
    assigning.revoke(assignment=passed_on, admin=admin, reason="For this test.")
    if why:
        with pytest.raises(NotAllowedNow):
            assigning.take(review_round=waiting, reviewer=reviewer)
        assert not reviewer.assignments.exists()
    else:
        assigning.take(review_round=waiting, reviewer=reviewer)
        doors["solve"]()
        doors["review"]()


def test_a_conflict_takes_back_what_was_assigned_and_lifted_it_lets_in_again(
    waiting, reviewer, contributor, admin
):
    given = assign(waiting, reviewer, admin)
    conflict = assigning.mark_conflict(
        person=reviewer, author=contributor, admin=admin, reason="Married."
    )
    given.refresh_from_db()
    assert (given.state, given.ended_by, given.reason) == ("REVOKED", admin, "Married.")
    assert given.message == Sentence("released_conflict")
    with pytest.raises(NotAllowedNow, match="marked already"):
        assigning.mark_conflict(person=reviewer, author=contributor, admin=admin, reason="Again.")
    assigning.lift_conflict(conflict=conflict, admin=admin)
    with pytest.raises(NotAllowedNow, match="lifted already"):
        assigning.lift_conflict(conflict=conflict, admin=admin)
    assign(waiting, reviewer, admin)
    assert Conflict.objects.get().lifted_by == admin


def test_a_conflict_leaves_other_problems_assigned(contributor, reviewer, admin):
    first, other = open_rounds(contributor, count=2)
    kept = assign(other, reviewer, admin)
    assign(first, reviewer, admin)
    assigning.mark_conflict(
        person=reviewer, problem=first.revision.problem, admin=admin, reason="One group."
    )
    assert list(reviewer.assignments.open()) == [kept]


def test_who_is_asked_to_translate_stays_asked_to_review(waiting, contributor, admin):
    both = make_person(Role.REVIEWER, "both")
    both.roles = [Role.REVIEWER, Role.CONTRIBUTOR]
    both.save()
    given = assign(waiting, both, admin)
    crediting.assign_translator(
        problem=waiting.revision.problem, by=contributor, person=both, language="zh"
    )
    given.refresh_from_db()
    assert given.state == "OPEN"


def test_who_reviewed_an_earlier_stage_can_not_be_assigned_the_blind_one(
    contributor, reviewer, second, admin
):
    problem = make_draft(contributor, make_benchmark())
    submit(problem, contributor)
    blind = pass_first_stages(problem, reviewer)
    with pytest.raises(NotAllowedNow, match="has seen the answer"):
        assign(blind, reviewer, admin)
    assign(blind, second, admin)
