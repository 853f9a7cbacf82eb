"""Assignment by a rule: what it proposes, why it leaves something, and carrying it out once."""

import pytest
from django.db import transaction

from curation.drafts import actions
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments import distribution
from curation.reviewing.assignments.distribution import DistributionRule, Weight
from curation.reviewing.assignments.models import Assignment, AssignmentPlan
from curation.reviewing.rounds.models import ReviewRound
from curation.translations.models import Translation
from curation.workflow import NotAllowedNow
from phybench.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.drafts.test_actions import REFUSED_BY_A_TRIGGER
from tests.curation.reviewing.assignments.given import assign, open_rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewers(db) -> list[User]:
    return [make_person(Role.REVIEWER, name) for name in ("ann", "bob", "cleo")]


def plan_for(admin: User, **rule: str) -> AssignmentPlan:
    return distribution.make_plan(
        rounds=ReviewRound.objects.all(), admin=admin, rule=DistributionRule(**rule)
    )


def planned(plan: AssignmentPlan) -> list[tuple[int, str]]:
    return [(row.round_id, str(row.reviewer)) for row in plan.rows.exclude(reviewer=None)]


def whys(plan: AssignmentPlan) -> list[str]:
    return [row.why_nobody for row in plan.rows.filter(reviewer=None)]


def test_whoever_holds_the_fewest_is_next_counting_what_is_proposed(contributor, reviewers, admin):
    rounds = open_rounds(contributor, count=4)
    assign(rounds[0], reviewers[0], admin)
    found = planned(plan_for(admin))
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
    plan = plan_for(admin, domain=weight)
    assert [name for _round, name in planned(plan)] == names
    assert len(whys(plan)) == nobody


def test_a_language_is_the_problems_own_or_a_checked_translations(contributor, reviewers, admin):
    [waiting] = open_rounds(contributor)
    User.objects.filter(pk=reviewers[2].pk).update(review_languages=["zh"])
    assert planned(plan_for(admin, language=Weight.MUST)) == []
    translation = Translation.objects.create(
        revision=waiting.revision, language="zh", statement="$m$"
    )
    assert planned(plan_for(admin, language=Weight.MUST)) == []
    Translation.objects.filter(pk=translation.pk).update(
        checked_by=contributor, checked_at=waiting.opened_at
    )
    assert planned(plan_for(admin, language=Weight.MUST)) == [(waiting.pk, "Cleo")]


def test_who_declined_it_is_not_offered_it_again(contributor, reviewer, admin):
    [waiting] = open_rounds(contributor)
    given = assign(waiting, reviewer, admin)
    assigning.decline(assignment=given, reviewer=reviewer, reason="Not my field.")
    plan = plan_for(admin)
    assert planned(plan) == []
    assert whys(plan) == ["1 place stays free. declined it: 1."]


def test_the_cap_holds_for_rules_and_the_rest_says_so(settings, contributor, reviewers, admin):
    settings.REVIEWS_OPEN_AT_MOST = 1
    open_rounds(contributor, count=4)
    plan = plan_for(admin)
    assert len(planned(plan)) == 3
    assert whys(plan) == ["1 place stays free. holds as many as one may: 3."]


def test_demo_people_get_no_real_problem(contributor, reviewer, admin):
    open_rounds(contributor)
    User.objects.filter(pk=reviewer.pk).update(is_demo=True)
    assert planned(plan_for(admin)) == []


def test_a_round_that_is_full_and_one_without_reviewers_say_so(contributor, reviewer, admin):
    full, _other = open_rounds(contributor, count=2)
    assign(full, reviewer, admin)
    User.objects.filter(pk=reviewer.pk).update(roles=[])
    assert whys(plan_for(admin)) == [
        "All the reviews it asks for are given or assigned.",
        "1 place stays free. There are no other reviewers.",
    ]


def test_what_is_confirmed_is_what_was_shown(contributor, reviewers, admin):
    open_rounds(contributor, count=2)
    plan = plan_for(admin)
    shown = planned(plan)
    # By now the rule would choose others.
    User.objects.filter(pk=reviewers[2].pk).update(expertise=["MECHANICS"])
    distribution.carry_out(plan=plan, admin=admin)
    made = Assignment.objects.order_by("pk")
    assert [(one.round_id, str(one.reviewer)) for one in made] == shown
    assert {(one.how, one.assigned_by) for one in made} == {("BY_RULE", admin)}


def test_what_became_impossible_is_left_out_and_says_why(contributor, reviewers, admin):
    ann, bob, _cleo = reviewers
    rounds = open_rounds(contributor, count=4)
    plan = plan_for(admin)
    assert [name for _round, name in planned(plan)] == ["Ann", "Bob", "Cleo", "Ann"]
    actions.withdraw(problem=rounds[2].revision.problem, author=contributor)
    assigning.mark_conflict(
        person=bob, problem=rounds[1].revision.problem, admin=admin, reason="One group."
    )
    given = assign(rounds[0], ann, admin)
    assigning.decline(assignment=given, reviewer=ann, reason="No time.")
    distribution.carry_out(plan=plan, admin=admin)
    refusals = [row.refusal for row in plan.rows.all()]
    assert refusals == [
        "Ann has declined it meanwhile.",
        "Bob can’t be assigned “A falling ball”: conflict of interest.",
        "Cleo can’t be assigned “A falling ball”: the round is closed.",
        "",
    ]
    assert Assignment.objects.open().get().round == rounds[3]


def test_a_plan_is_carried_out_once_and_frozen_then(contributor, reviewer, admin):
    open_rounds(contributor)
    plan = distribution.carry_out(plan=plan_for(admin), admin=admin)
    given = Assignment.objects.get()
    assigning.decline(assignment=given, reviewer=reviewer, reason="No time.")
    distribution.carry_out(plan=plan, admin=admin)
    assert Assignment.objects.count() == 1
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        AssignmentPlan.objects.update(carried_out_at=None)


def test_only_an_admin_plans_and_confirms(contributor, reviewer, admin):
    open_rounds(contributor)
    with pytest.raises(NotAllowedNow):
        plan_for(reviewer)
    with pytest.raises(NotAllowedNow):
        distribution.carry_out(plan=plan_for(admin), admin=reviewer)


def test_a_plan_takes_as_many_queries_for_three_rounds_as_for_one(
    contributor, reviewers, admin, django_assert_num_queries
):
    open_rounds(contributor, {"reviews_needed": 2})
    with django_assert_num_queries(19):
        plan_for(admin)
    benchmark = ReviewRound.objects.get().revision.problem.benchmark
    for _ in range(2):
        submit(make_draft(contributor, benchmark), contributor)
    with django_assert_num_queries(19):
        plan = plan_for(admin)
    assert len(planned(plan)) == 6
