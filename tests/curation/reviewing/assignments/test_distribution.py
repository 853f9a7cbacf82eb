"""Assignment by a rule: what it proposes, why it leaves something, and carrying it out once."""

from datetime import timedelta

import pgtrigger
import pytest
from django.utils import timezone

from curation.authoring.drafts import actions
from curation.problems.translations.models import Translation
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments import distribution, loads
from curation.reviewing.assignments.distribution import DistributionRule, Outcome, Proposal, Weight
from curation.reviewing.rounds.models import Assignment, ReviewRound
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.assignments.given import assign, open_rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewers(db) -> list[User]:
    return [make_person(Role.REVIEWER, name) for name in ("ann", "bob", "cleo")]


def propose(**rule: str) -> list[Proposal]:
    return distribution.propose(rounds=ReviewRound.objects.all(), rule=DistributionRule(**rule))


def planned(proposed: list[Proposal]) -> list[tuple[int, str]]:
    return [(one.round.pk, str(one.reviewer)) for one in proposed if one.reviewer]


def whys(proposed: list[Proposal]) -> list[str]:
    return [translate(one.why) for one in proposed if one.why]


def carry_out(proposed: list[Proposal], admin: User) -> Outcome:
    pairs = [(one.round.pk, one.reviewer.pk) for one in proposed if one.reviewer]
    return distribution.carry_out(pairs=pairs, rule=DistributionRule(), admin=admin)


def test_whoever_holds_the_fewest_is_next_counting_what_is_proposed(contributor, reviewers, admin):
    rounds = open_rounds(contributor, count=4)
    assign(rounds[0], reviewers[0], admin)
    found = planned(propose())
    assert [name for _round, name in found] == ["Bob", "Cleo", "Ann"]
    assert not Assignment.objects.filter(how="BY_RULE").exists()


@pytest.mark.parametrize(
    ("weight", "names", "nobody"),
    [
        (Weight.FIRST, ["Cleo", "Ann"], 0),
        (Weight.MUST, ["Cleo"], 1),
        (Weight.ANY, ["Ann", "Bob"], 0),
    ],
)
def test_expertise_decides_comes_first_or_does_not_matter(
    contributor, reviewers, admin, weight, names, nobody
):
    open_rounds(contributor, {"reviews_needed": 2})
    User.objects.filter(pk=reviewers[2].pk).update(expertise=["MECHANICS"])
    plan = propose(domain=weight)
    assert [name for _round, name in planned(plan)] == names
    assert len(whys(plan)) == nobody


def test_a_language_is_the_problems_own_or_a_checked_translations(contributor, reviewers, admin):
    [waiting] = open_rounds(contributor)
    User.objects.filter(pk=reviewers[2].pk).update(review_languages=["zh"])
    assert planned(propose(language=Weight.MUST)) == []
    translation = Translation.objects.create(
        revision=waiting.revision, language="zh", statement="$m$"
    )
    assert planned(propose(language=Weight.MUST)) == []
    Translation.objects.filter(pk=translation.pk).update(
        checked_by=contributor, checked_at=waiting.opened_at
    )
    assert planned(propose(language=Weight.MUST)) == [(waiting.pk, "Cleo")]


def test_who_declined_it_is_not_offered_it_again(contributor, reviewer, admin):
    [waiting] = open_rounds(contributor)
    given = assign(waiting, reviewer, admin)
    assigning.decline(assignment=given, reviewer=reviewer, reason="Not my field.")
    plan = propose()
    assert planned(plan) == []
    assert whys(plan) == ["1 more review is needed. declined it: 1."]


def test_the_cap_holds_for_rules_and_the_rest_says_so(settings, contributor, reviewers, admin):
    settings.REVIEWS_OPEN_AT_MOST = 1
    open_rounds(contributor, count=4)
    plan = propose()
    assert len(planned(plan)) == 3
    assert whys(plan) == ["1 more review is needed. has the maximum number of open reviews: 3."]


def test_demo_people_get_no_real_problem(contributor, reviewer, admin):
    open_rounds(contributor)
    User.objects.filter(pk=reviewer.pk).update(is_demo=True)
    assert planned(propose()) == []


def test_a_round_that_is_full_and_one_without_reviewers_say_so(contributor, reviewer, admin):
    full, _other = open_rounds(contributor, count=2)
    assign(full, reviewer, admin)
    User.objects.filter(pk=reviewer.pk).update(roles=[])
    assert whys(propose()) == [
        "All its reviews are given or asked for.",
        "1 more review is needed. There are no other reviewers.",
    ]


def test_what_is_asked_is_what_was_shown(contributor, reviewers, admin):
    open_rounds(contributor, count=2)
    proposed = propose()
    # By now the rule would choose others.
    User.objects.filter(pk=reviewers[2].pk).update(expertise=["MECHANICS"])
    assert carry_out(proposed, admin) == Outcome(2, [])
    made = Assignment.objects.order_by("pk")
    assert [(one.round_id, str(one.reviewer)) for one in made] == planned(proposed)
    assert {(one.how, one.assigned_by) for one in made} == {("BY_RULE", admin)}


def test_what_became_impossible_is_left_out_and_says_why(contributor, reviewers, admin):
    ann, bob, _cleo = reviewers
    rounds = open_rounds(contributor, count=4)
    proposed = propose()
    assert [name for _round, name in planned(proposed)] == ["Ann", "Bob", "Cleo", "Ann"]
    actions.withdraw(problem=rounds[2].revision.problem, author=contributor)
    assigning.mark_conflict(
        person=bob, problem=rounds[1].revision.problem, admin=admin, reason="One group."
    )
    given = assign(rounds[0], ann, admin)
    assigning.decline(assignment=given, reviewer=ann, reason="No time.")
    outcome = carry_out(proposed, admin)
    assert [translate(why) for why in outcome.refused] == [
        "Ann can’t be asked to review “A falling ball”: declined it.",
        "Bob can’t be asked to review “A falling ball”: conflict of interest.",
        "Cleo can’t be asked to review “A falling ball”: the stage is closed.",
    ]
    assert Assignment.objects.open().get().round == rounds[3]


def test_who_is_needed_blind_by_now_is_not_asked(contributor, reviewers, admin):
    """Shown while three could solve it blind, and asked for when only the two needed are left."""
    blind = {"is_blind": True, "rule": "BLIND_SOLVES", "solves_needed": 2}
    open_rounds(contributor, {}, blind)
    proposed = propose()
    assert len(planned(proposed)) == 1
    User.objects.filter(pk=reviewers[2].pk).update(roles=[])
    [why] = carry_out(proposed, admin).refused
    assert "needed to solve it blind in a later stage" in translate(why)
    assert not Assignment.objects.exists()


def test_who_holds_as_many_as_they_may_by_now_is_not_asked(settings, contributor, reviewers, admin):
    settings.REVIEWS_OPEN_AT_MOST = 1
    first, _second = open_rounds(contributor, count=2)
    proposed = propose()
    assign(first, reviewers[1], admin)
    assert carry_out(proposed, admin).made == 0


def test_only_the_people_who_are_chosen_are_asked(contributor, reviewers, admin):
    open_rounds(contributor, count=2)
    found = distribution.propose(
        rounds=ReviewRound.objects.all(), rule=DistributionRule(), people=reviewers[1:]
    )
    assert [name for _round, name in planned(found)] == ["Bob", "Cleo"]


def test_only_an_admin_asks(contributor, reviewer, admin):
    open_rounds(contributor)
    with pytest.raises(NotAllowedNow):
        carry_out(propose(), reviewer)


def test_a_proposal_takes_as_many_queries_for_three_rounds_as_for_one(
    contributor, reviewers, admin, django_assert_num_queries
):
    open_rounds(contributor, {"reviews_needed": 2})
    with django_assert_num_queries(9):
        propose()
    benchmark = ReviewRound.objects.get().revision.problem.benchmark
    for _ in range(2):
        submit(make_draft(contributor, benchmark), contributor)
    with django_assert_num_queries(9):
        proposed = propose()
    assert len(planned(proposed)) == 6


# --- Who was late, or declined ----------------------------------------------------------------


def miss(waiting: ReviewRound, reviewer: User, admin: User, how: str, days_ago: int = 1) -> None:
    """Have a reviewer miss one review so many days ago, or not."""
    then = timezone.now() - timedelta(days=days_ago)
    given = assign(waiting, reviewer, admin)
    if how == "declined":
        assigning.decline(assignment=given, reviewer=reviewer, reason="No time.")
        with pgtrigger.ignore("curation.Assignment:ended_assignment_is_frozen"):
            Assignment.objects.filter(pk=given.pk).update(ended_at=then)
    elif how == "overdue":
        Assignment.objects.filter(pk=given.pk).update(due_at=then)
    else:
        due = then - timedelta(days=1 if how == "late" else -1)
        Assignment.objects.filter(pk=given.pk).update(due_at=due)
        Assignment.objects.filter(pk=given.pk).end(Assignment.State.DONE, by=reviewer)
        with pgtrigger.ignore("curation.Assignment:ended_assignment_is_frozen"):
            Assignment.objects.filter(pk=given.pk).update(ended_at=then)


@pytest.mark.parametrize(
    ("how", "days_ago", "counts"),
    [
        ("declined", 1, True),
        ("overdue", 1, True),
        ("late", 1, True),
        ("in time", 1, False),
        ("declined", 91, False),
        ("late", 91, False),
    ],
)
def test_what_somebody_missed_lately_counts_as_one_more_that_they_hold(
    contributor, reviewers, admin, how, days_ago, counts
):
    first, *_others = open_rounds(contributor, {"reviews_needed": 9}, count=2)
    ann = reviewers[0]
    miss(first, ann, admin, how, days_ago)
    assert loads.count_missed(reviewers) == ({ann.pk: 1} if counts else {})


def test_who_missed_one_is_asked_after_those_who_hold_as_many(contributor, reviewers, admin):
    first, second = open_rounds(contributor, count=2)
    miss(first, reviewers[0], admin, "declined")
    plan = distribution.propose(
        rounds=ReviewRound.objects.filter(pk=second.pk), rule=DistributionRule()
    )
    assert [name for _round, name in planned(plan)] == ["Bob"]


def test_who_missed_too_many_is_not_asked_by_a_rule_and_it_says_why(
    contributor, reviewer, admin, settings
):
    settings.REVIEWS_OPEN_AT_MOST = 2
    first, second, third = open_rounds(contributor, count=3)
    for one in (first, second):
        miss(one, reviewer, admin, "declined")
    plan = distribution.propose(
        rounds=ReviewRound.objects.filter(pk=third.pk), rule=DistributionRule()
    )
    [why] = whys(plan)
    assert "was late or declined too often in the last 90 days: 1" in why
    # By hand an admin still may.
    assert assign(third, reviewer, admin).state == "OPEN"


def test_who_declined_for_a_conflict_was_right_to(contributor, reviewer, admin):
    [waiting] = open_rounds(contributor)
    miss(waiting, reviewer, admin, "declined")
    assigning.mark_conflict(
        person=reviewer, author=contributor, admin=admin, reason="They share an office."
    )
    assert loads.count_missed([reviewer]) == {}


def test_who_is_deactivated_is_not_asked(contributor, reviewers, admin):
    User.objects.exclude(display_name="Cleo").filter(roles=["REVIEWER"]).update(is_active=False)
    open_rounds(contributor, {"reviews_needed": 2})
    assert [name for _round, name in planned(propose())] == ["Cleo"]
