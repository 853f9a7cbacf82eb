"""Splits: what no rule decides stays open until a person does, who had no part in it."""

from itertools import combinations_with_replacement

import pytest
from django.contrib.messages import get_messages
from django.db import ProgrammingError, transaction
from django.urls import reverse
from django.utils import timezone

from curation.authoring.drafts import actions
from curation.problems.exposures import ledger
from curation.problems.exposures.models import could_know_key
from curation.problems.news import TOLD
from curation.problems.news import tell as tell_of_decisions
from curation.problems.people.models import Conflict
from curation.reviewing.agreement import news
from curation.reviewing.agreement.actions import adjudicate, count_heard, reject_all
from curation.reviewing.assignments.permissions import list_queue
from curation.reviewing.decisions import actions as deciding
from curation.reviewing.decisions.permissions import can_override
from curation.reviewing.discussion.threads import find_letters
from curation.reviewing.rounds.lifecycle import weigh
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import can_review, is_asked
from curation.texts.workflow import (
    NotAllowedNow,
    Opinion,
    Recommendation,
    Rule,
    SolveOutcome,
    Status,
    Step,
    decide,
    is_split,
)
from phybench.news.desks.desks import read_inbox
from phybench.people.models import Role, User
from tests.addresses import client_of
from tests.conftest import make_draft, make_person, set_review, submit
from tests.curation.at_once import at_once, with_copies
from tests.curation.reviewing.assignments.given import assign
from tests.curation.reviewing.place import of_room, of_splits
from tests.curation.reviewing.rounds.opened import (
    decide_round,
    make_benchmark,
    make_pipeline,
    open_round,
    review,
    solve,
)

pytestmark = pytest.mark.django_db

SAID = [
    *((one, None) for one in Recommendation),
    *((Recommendation.ACCEPT, outcome) for outcome in SolveOutcome),
    (Recommendation.REVISE, SolveOutcome.DISAGREES),
    (Recommendation.REJECT, SolveOutcome.AGREES),
]
SOLVED = {
    SolveOutcome.NO_ANSWER: {"kind": "CANT_SOLVE", "reason": "I got stuck."},
    SolveOutcome.NOT_TOLD: {"kind": "ANSWER", "answer": "x", "not_told_reason": "timeout"},
}


def say(review_round: ReviewRound, person: User, said: Recommendation, outcome) -> None:
    """Store a review and a blind solve as the actions do, without having it graded."""
    if outcome:
        fields = SOLVED.get(outcome, {"kind": "ANSWER", "answer": "x"})
        review_round.solves.create(reviewer=person, outcome=outcome, **fields)
    review_round.reviews.create(reviewer=person, recommendation=said, comment="Because.")


@pytest.mark.parametrize("rule", Rule)
def test_what_the_rule_says_becomes_of_a_round_and_the_database_finds_the_same_splits(
    rule, contributor
):
    blind = {"is_blind": True, "solves_needed": 2} if rule is Rule.BLIND_SOLVES else {}
    pipeline = make_pipeline({"rule": rule, "reviews_needed": 2, **blind}, {})
    review_round = submit(make_draft(contributor, make_benchmark(pipeline)), contributor)
    people = [make_person(Role.REVIEWER, f"judge-{number}") for number in range(2)]
    for pair in combinations_with_replacement(SAID, 2):
        with transaction.atomic():
            for count, (person, (said, outcome)) in enumerate(zip(people, pair, strict=True), 1):
                say(review_round, person, said, outcome)
                mine = ReviewRound.objects.get(pk=review_round.pk).locked()
                weigh(mine)
                opinions = [Opinion(*one) for one in pair[:count]]
                step = decide(mine.terms, opinions)
                stays = ReviewRound.objects.split().filter(pk=mine.pk).exists()
                assert (mine.decision, stays) == (step or "", is_split(mine.terms, opinions)), pair
                assert mine.revision.problem.status != Status.REJECTED
            transaction.set_rollback(True)


def test_the_database_takes_no_rejection_by_a_rule(two_needed):
    two_needed.decision, two_needed.closed_at = Step.REJECT, timezone.now()
    with pytest.raises(ProgrammingError, match="Cannot insert or update"), transaction.atomic():
        two_needed.save()


@pytest.fixture
def two_needed(contributor) -> ReviewRound:
    pipeline = make_pipeline({"reviews_needed": 2})
    return submit(make_draft(contributor, make_benchmark(pipeline)), contributor)


@pytest.fixture
def other() -> User:
    return make_person(Role.REVIEWER, "other")


@pytest.fixture
def split(two_needed, reviewer, other) -> ReviewRound:
    review(two_needed, reviewer)
    review(two_needed, other, "REJECT", "Off by a root of two.")
    return two_needed


def make_admin(person: User) -> User:
    person.roles = [*person.roles, Role.ADMIN]
    person.save()
    return person


def read(person: User, role: Role) -> str:
    return " ".join(str(line.text) for line in read_inbox(person).lines)


def test_who_solved_rightly_is_not_overruled_by_who_did_not(contributor, reviewer, other):
    needs = {"rule": "BLIND_SOLVES", "is_blind": True, "reviews_needed": 2, "solves_needed": 2}
    draft = make_draft(contributor, make_benchmark(make_pipeline(needs)))
    waiting = submit(draft, contributor)
    solve(waiting, reviewer)
    review(waiting, reviewer)
    solve(waiting, other, r"\sqrt{2} m g h")
    review(waiting, other, "REJECT", "I get more.")
    draft.refresh_from_db()
    assert draft.status == Status.IN_REVIEW
    assert ReviewRound.objects.split().get() == waiting


def test_a_reviewer_of_a_split_may_change_their_review_and_the_rule_then_decides(split, other):
    assert other.pk in {person for person, _key in news.find(split.opened_at, timezone.now())}
    assert "you can change your review" in read(other, Role.REVIEWER)
    page = client_of(other).get(reverse("curation:review", args=[split.pk]))
    assert "someone else decides" in page.content.decode()
    review(split, other, "ACCEPT", replaces=1)
    split.refresh_from_db()
    assert split.decision == Step.ACCEPT
    assert split.decided_by is None


def test_who_has_not_reviewed_neither_learns_of_a_split_nor_may_add_to_it(
    split, contributor, admin
):
    third = make_person(Role.REVIEWER, "third")
    client = client_of(third)
    assert split not in list_queue(third)
    assert not can_review(third, split)
    assert "settle" not in read(third, Role.REVIEWER)
    assert client.get(reverse("curation:decide", args=[split.pk])).status_code == 404
    page = client.get(split.revision.problem.get_absolute_url()).content.decode()
    assert "settle" not in page
    assert "root of two" not in page
    assert third.pk not in {person for person, _key in news.find(split.opened_at, timezone.now())}
    # An admin may still ask one more, who then reviews without others' verdicts.
    assign(split, third, admin, exceeds=True)
    page = client.get(reverse("curation:review", args=[split.pk])).content.decode()
    assert "root of two" not in page
    assert "settle" not in page
    review(split, third)
    assert ReviewRound.objects.split().get() == split


def test_a_split_waits_for_a_decision_and_not_for_reviewers(split, admin):
    assert not ReviewRound.objects.open().with_free_places().exists()
    told = read(admin, Role.ADMIN)
    assert "do not settle it: you decide" in told
    assert "needs reviewers" not in told
    assert "too few people" not in told


def test_the_author_is_told_that_a_person_decides_and_of_no_verdict(split, contributor):
    keys = [key for person, key in news.find(split.opened_at, timezone.now())
            if person == contributor.pk]  # fmt: skip
    [item] = news.tell(contributor, keys)
    assert "do not settle it" in item.text
    page = client_of(contributor).get(split.revision.problem.get_absolute_url()).content.decode()
    assert "reviews do not settle it" in page
    assert "root of two" not in page
    own = reverse("curation:problems", args=[split.revision.problem.benchmark.slug])
    listed = client_of(contributor).get(f"{own}?show=mine")
    assert "someone else decides" in listed.content.decode()


def decide_on(review_round: ReviewRound, by: User, step: str = "PASS", known: int = 0):
    form = {"known": known, "heard": count_heard(review_round), "step": step}
    address = reverse("curation:decide", args=[review_round.pk])
    return client_of(by).post(address, {**form, "reason": "I solved it."})


def show(review_round: ReviewRound, person: User):
    """Have a reviewer ask for what was said, and for the answer."""
    address = reverse("curation:decide", args=[review_round.pk])
    return client_of(person).post(address, {"show": "1"}, follow=True)


@pytest.mark.parametrize("step", ["PASS", "RETURN", "REJECT"])
def test_to_decide_a_split_overrides_no_rule_and_is_not_said_to(
    split, contributor, reviewer, admin, step
):
    problem = split.revision.problem
    [message] = get_messages(decide_on(split, admin, step).wsgi_request)
    assert str(message) == "Decided. Your reason is in the history."
    page = client_of(admin).get(reverse("curation:decide", args=[split.pk]))
    assert not problem.events.filter(is_override=True).exists()
    for person in (contributor, reviewer, admin):
        text = client_of(person).get(problem.get_absolute_url()).content.decode()
        assert "override" not in (text + page.content.decode()).lower()
        assert "decided by an admin" in text
        if person != reviewer:
            assert "decided, since the reviews did not settle it." in text


def test_what_all_reviewers_reject_is_rejected_by_an_admin_and_not_by_override(
    two_needed, contributor, reviewer, other, admin
):
    for person in (reviewer, other):
        review(two_needed, person, "REJECT", "Off by a root of two.")
    reject_all(rounds=[two_needed], admin=admin, reason="Known.")
    text = client_of(contributor).get(two_needed.revision.problem.get_absolute_url()).content
    assert "override" not in text.decode().lower()
    assert "decided by an admin" in text.decode()


def test_to_decide_what_the_rule_would_still_decide_is_an_override(
    two_needed, contributor, reviewer, admin
):
    review(two_needed, reviewer, "REJECT", "Off by a root of two.")
    decide_round(two_needed, admin, "REJECT", "Known.")
    text = client_of(contributor).get(two_needed.revision.problem.get_absolute_url()).content
    assert text.decode().count("decided by a person") == 2


@pytest.mark.parametrize(("step", "status"), [("PASS", "ACCEPTED"), ("REJECT", "REJECTED")])
def test_an_admin_decides_a_split_and_the_author_reads_why(split, contributor, admin, step, status):
    assert decide_on(split, admin, step).status_code == 302
    problem = split.revision.problem
    problem.refresh_from_db()
    assert problem.status == status
    assert "I solved it." in client_of(contributor).get(problem.get_absolute_url()).content.decode()


def test_who_wrote_it_or_is_in_conflict_does_not_decide_a_split(split, contributor, admin):
    make_admin(contributor)
    rival = make_person(Role.ADMIN, "rival")
    Conflict.objects.create(
        person=rival, problem=split.revision.problem, reason="Rivals.", marked_by=admin
    )
    for person in (contributor, rival):
        decide_on(split, person)
        with pytest.raises(NotAllowedNow):
            decide_round(split, person, "ACCEPT", "Mine.")
    split.refresh_from_db()
    assert split.closed_at is None
    page = client_of(contributor).get(split.revision.problem.get_absolute_url()).content.decode()
    assert f"Ask another admin: {admin}." in page


def test_where_no_admin_may_a_reviewer_without_a_part_decides_and_else_one_more_is_invited(
    split, contributor, reviewer, other
):
    make_admin(contributor)
    told = read(contributor, Role.ADMIN)
    assert "Invite one more" in told
    for person in (reviewer, other):
        assert not can_override(person, split)
        assert decide_on(split, person).status_code == 404
    page = client_of(contributor).get(split.revision.problem.get_absolute_url()).content.decode()
    assert "Invite one more reviewer" in page

    third = make_person(Role.REVIEWER, "third")
    rival = make_person(Role.REVIEWER, "rival")
    Conflict.objects.create(
        person=rival, author=contributor, reason="Rivals.", marked_by=contributor
    )
    assert "Invite one more" not in read(contributor, Role.ADMIN)
    assert "you decide" in read(third, Role.REVIEWER)
    assert "you decide" not in read(rival, Role.REVIEWER)
    assert not can_override(rival, split)
    assert "root of two" in show(split, third).content.decode()
    # Who has read them to decide does not review with them in mind.
    with pytest.raises(NotAllowedNow, match="has read its reviews"):
        assign(split, third, contributor, exceeds=True)
    assert decide_on(split, third, "PASS").status_code == 302
    split.refresh_from_db()
    assert (split.decision, split.decided_by) == (Step.ACCEPT, third)
    page = client_of(reviewer).get(split.revision.problem.get_absolute_url())
    assert str(third) not in page.content.decode()


def test_a_reviewer_decides_nothing_where_an_admin_may_or_reviews_still_come(
    two_needed, reviewer, admin, contributor
):
    third = make_person(Role.REVIEWER, "third")
    review(two_needed, reviewer, "REJECT")
    admin.is_active = False
    admin.save()
    assert not can_override(third, two_needed)
    review(two_needed, make_person(Role.REVIEWER, "other"))
    assert can_override(third, two_needed)
    admin.is_active = True
    admin.save()
    assert not can_override(third, two_needed)


def test_nothing_is_decided_by_what_was_read_before_a_reviewer_changed_their_review(
    split, admin, other
):
    heard = count_heard(split)
    review(split, other, "REVISE", replaces=1)
    split.refresh_from_db()
    assert split.decision == Step.RETURN
    again = split.revision.problem
    actions.save_draft(problem=again, author=again.author, saved_at="", reason="Said so.")
    waiting = submit(again, again.author)
    for person, said in ((other, "REJECT"), (make_person(Role.REVIEWER, "x"), "ACCEPT")):
        review(waiting, person, said)
    review(waiting, other, "REJECT", "For another reason.", replaces=1)
    with pytest.raises(NotAllowedNow, match="in the meantime"):
        adjudicate(
            review_round=waiting,
            admin=admin,
            step="REJECT",
            reason="r",
            known=0,
            heard=heard,
        )
    waiting.refresh_from_db()
    assert waiting.closed_at is None


# --- One more person ------------------------------------------------------------------------


def test_one_more_person_is_asked_reads_no_other_review_and_then_a_person_decides_again(
    split, contributor, admin
):
    third = make_person(Role.REVIEWER, "third")
    problem = split.revision.problem
    [message] = get_messages(decide_on(split, admin, "ASK").wsgi_request)
    assert str(message).startswith("One more person is asked.")
    split.refresh_from_db()
    assert split.closed_at is None
    assert not ReviewRound.objects.split().exists()
    assert "I solved it." in client_of(contributor).get(problem.get_absolute_url()).content.decode()
    assert split in list_queue(third)
    page = client_of(third).get(reverse("curation:review", args=[split.pk])).content.decode()
    for hidden in ("root of two", "I solved it."):
        assert hidden not in page
    review(split, third)
    assert ReviewRound.objects.split().get() == split
    assert decide_on(split, admin, "PASS", known=1).status_code == 302
    problem.refresh_from_db()
    assert problem.status == Status.ACCEPTED
    assert [one.step for one in split.adjudications.order_by("number")] == ["ASK", "PASS"]


def test_one_more_is_asked_only_of_a_split_and_offered_only_where_somebody_is_left(
    two_needed, reviewer, other, admin
):
    def list_choices() -> set[str]:
        page = client_of(admin).get(reverse("curation:decide", args=[two_needed.pk]))
        return set(dict(page.context["form"].fields["step"].choices))

    review(two_needed, reviewer, "REJECT")
    with pytest.raises(NotAllowedNow, match="still waits for a review"):
        decide_round(two_needed, admin, "ASK", "One more.")
    assert "ASK" not in list_choices()
    review(two_needed, other)
    assert "ASK" not in list_choices()
    make_person(Role.REVIEWER, "third")
    assert list_choices() == {"PASS", "RETURN", "ASK", "REJECT", "NOTE"}


def test_answers_stand_beside_the_reference_with_values_at_points(contributor, admin, reviewer):
    needs = {"rule": "BLIND_SOLVES", "is_blind": True, "reviews_needed": 1, "solves_needed": 1}
    waiting = submit(make_draft(contributor, make_benchmark(make_pipeline(needs))), contributor)
    solve(waiting, reviewer, r"\sqrt{2} m g h")
    review(waiting, reviewer, "REJECT", "I get more.")
    client, address = client_of(admin), reverse("curation:decide", args=[waiting.pk])
    page = client.get(address).content.decode()
    assert "○ differs" in page
    assert "I get more." in page
    assert reverse("grading:tries", args=[waiting.revision_id]) in page
    [letter] = find_letters([waiting.revision.problem_id]).values()
    values = client.get(address, {"values": letter})
    assert len(values.context["points"]) == 5
    assert client.get(address, {"values": letter * 2}).status_code == 404


def test_the_right_problem_of_a_wrong_reviewer_is_accepted_in_three_clicks(
    contributor, admin, reviewer
):
    needs = {"rule": "BLIND_SOLVES", "is_blind": True, "reviews_needed": 1, "solves_needed": 1}
    waiting = submit(make_draft(contributor, make_benchmark(make_pipeline(needs))), contributor)
    solve(waiting, reviewer, r"\sqrt{2} m g h")
    review(waiting, reviewer, "REJECT", "Off by a root of two.")
    problem = waiting.revision.problem
    problem.refresh_from_db()
    assert problem.status == Status.IN_REVIEW
    told = {person for person, _key in news.find(waiting.opened_at, timezone.now())}
    assert contributor.pk in told
    # One click on the line, one on the outcome, one on Decide.
    [line] = [one for one in read_inbox(admin).lines if "you decide" in one.text]
    client = client_of(admin)
    form = client.get(line.url).context["form"]
    sent = {**form.initial, "step": "PASS", "reason": "The reviewer lost a factor."}
    assert dict(form.fields["step"].choices)["PASS"] == "Accept"
    client.post(line.url, sent)
    problem.refresh_from_db()
    assert problem.status == Status.ACCEPTED


# --- What all reject ------------------------------------------------------------------------


def reject_by_all(benchmark, author, people, title) -> ReviewRound:
    waiting = submit(make_draft(author, benchmark, title=title), author)
    for person in people:
        review(waiting, person, "REJECT", "Known since 1905.")
    return waiting


def test_what_all_reject_is_rejected_by_one_click_several_at_once(
    split, contributor, reviewer, other, admin
):
    benchmark = split.revision.problem.benchmark
    rounds = [
        reject_by_all(benchmark, contributor, (reviewer, other), f"Old {number}")
        for number in range(3)
    ]
    client, address = client_of(admin), of_splits()
    page = client.get(address + "&state=split").content.decode()
    assert page.count('type="checkbox"') == 3
    ticked = [one.pk for one in (*rounds[:2], split)]
    asked = client.post(address, {"do": "reject", "round": ticked}).content.decode()
    assert "Reject these 2 problems" in asked
    assert ReviewRound.objects.open().count() == 4
    assert (
        client.post(address, {"do": "reject", "round": ticked, "reason": " "})
        .context["form"]
        .errors
    )
    client.post(address, {"do": "reject", "round": ticked, "reason": "It is well known."})
    assert set(ReviewRound.objects.filter(decision=Step.REJECT)) == {*rounds[:2]}
    assert set(ReviewRound.objects.open()) == {rounds[2], split}
    page = client_of(contributor).get(rounds[0].revision.problem.get_absolute_url())
    assert "It is well known." in page.content.decode()


def test_of_several_those_are_left_out_that_a_reviewer_thought_better_of(
    two_needed, contributor, reviewer, other, admin
):
    benchmark = two_needed.revision.problem.benchmark
    rounds = [
        reject_by_all(benchmark, contributor, (reviewer, other), f"Old {number}")
        for number in range(2)
    ]
    review(rounds[0], other, "ACCEPT", replaces=1)
    assert reject_all(rounds=rounds, admin=admin, reason="Known.") == rounds[1:]
    make_admin(contributor)
    with pytest.raises(NotAllowedNow):
        reject_all(
            rounds=[reject_by_all(benchmark, contributor, (reviewer, other), "Third")],
            admin=contributor,
            reason="Mine.",
        )


# --- The way back ---------------------------------------------------------------------------


@pytest.fixture
def rejected(split, admin) -> ReviewRound:
    decide_on(split, admin, "REJECT")
    return split


def test_an_admin_reopens_what_was_rejected_and_its_author_submits_it_again(
    rejected, contributor, admin
):
    problem = rejected.revision.problem
    address = reverse("curation:leave", args=[problem.pk]) + "?do=reopen"
    assert address in client_of(admin).get(problem.get_absolute_url()).content.decode()
    assert "Reopen it" in client_of(admin).get(address).content.decode()
    client_of(admin).post(address, {"reason": ""})
    problem.refresh_from_db()
    assert problem.status == Status.REJECTED
    client_of(admin).post(address, {"reason": "The reviewer erred."})
    problem.refresh_from_db()
    assert problem.status == Status.RETURNED
    assert problem.events.last().note == "The reviewer erred."
    actions.save_draft(problem=problem, author=contributor, saved_at="", reason="Clearer.")
    assert submit(problem, contributor).revision.number == 2


def test_of_a_rejection_that_no_longer_holds_only_its_reopening_is_told_with_its_reason(
    rejected, contributor, admin
):
    problem = rejected.revision.problem
    assert "was rejected" in read(contributor, Role.CONTRIBUTOR)
    deciding.reopen(problem=problem, admin=admin, reason="The reviewer erred.")
    told = read(contributor, Role.CONTRIBUTOR)
    assert "was rejected" not in told
    assert "was reopened: you can revise and submit it again." in told
    assert "came back from review" not in told
    events = problem.events.filter(kind__in=TOLD)
    mail = " ".join(
        one.text for one in tell_of_decisions(contributor, [str(one.pk) for one in events])
    )
    assert "was rejected" not in mail
    assert "was reopened" in mail
    page = client_of(contributor).get(problem.get_absolute_url())
    assert page.context["reopened_why"] == "The reviewer erred."
    top = page.content.decode().split('class="stages"')[0]
    assert "An admin reopened this problem" in top
    assert "The reviewer erred." in top
    # The next revision is another matter.
    actions.save_draft(problem=problem, author=contributor, saved_at="", reason="Clearer.")
    submit(problem, contributor)
    page = client_of(contributor).get(problem.get_absolute_url())
    assert page.context["reopened_why"] == ""


def test_no_author_reopens_their_own_nor_does_who_is_no_admin(rejected, contributor, reviewer):
    problem = rejected.revision.problem
    problem.refresh_from_db()
    make_admin(contributor)
    for person in (contributor, reviewer):
        with pytest.raises(NotAllowedNow):
            deciding.reopen(problem=problem, admin=person, reason="Because.")


def test_an_author_starts_again_from_the_text_of_what_was_rejected(rejected, contributor, other):
    problem, text = rejected.revision.problem, rejected.revision
    address = reverse("curation:new", args=[problem.benchmark.slug]) + f"?from={problem.pk}"
    page = client_of(contributor).get(problem.get_absolute_url())
    assert address in page.content.decode()
    form = client_of(contributor).get(address).context["form"]
    assert form.initial["statement"] == text.statement
    assert form.initial["answer"] == text.answer
    assert (form.initial["source"], form.initial["adaptation"]) == (problem.identifier, "CHANGED")
    assert "problem" not in form.initial
    other.roles = [Role.CONTRIBUTOR]
    other.save()
    assert client_of(other).get(address).status_code == 404


def test_a_split_waits_since_what_was_said_last_and_not_since_its_round_opened(
    two_needed, reviewer, other, admin
):
    review(two_needed, reviewer)
    review(two_needed, other, "REJECT", "Off by a root of two.")
    last = two_needed.reviews.latest("submitted_at").submitted_at
    [line] = [one for one in read_inbox(admin).lines if "settle" in one.text]
    assert line.since == last > two_needed.opened_at


def test_on_the_page_of_a_review_it_is_said_when_its_revision_was_submitted(problem, reviewer):
    first = open_round(problem)
    review(first, reviewer)
    second = open_round(problem)
    person = make_person(Role.REVIEWER, "later")
    page = client_of(person).get(reverse("curation:review", args=[second.pk])).content.decode()
    assert second.revision.submitted_at < second.opened_at
    assert f'datetime="{second.revision.submitted_at.isoformat()}"' in page
    assert f'datetime="{second.opened_at.isoformat()}"' not in page


def test_an_admin_with_a_part_is_told_who_decides_a_split_and_nothing_before_it_is_one(
    two_needed, contributor, reviewer, other
):
    make_admin(contributor)
    client, problem = client_of(contributor), two_needed.revision.problem
    page = client.get(problem.get_absolute_url()).content.decode()
    assert "so you can’t decide this" not in page
    review(two_needed, reviewer)
    review(two_needed, other, "REJECT", "Off by a root of two.")
    page = client.get(problem.get_absolute_url()).content.decode()
    assert "so you can’t decide this" in page


# --- At once --------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_of_a_changed_review_and_a_decision_at_once_one_wins(split, other, admin, turn):
    heard = count_heard(split)

    def decide_so(mine):
        return adjudicate(
            review_round=mine,
            admin=admin,
            step="REJECT",
            reason="r",
            known=0,
            heard=heard,
        )

    results = at_once(
        *with_copies(split, lambda mine: review(mine, other, "ACCEPT", replaces=1), decide_so)
    )
    assert sorted(results) == ["done", "refused"]
    split.refresh_from_db()
    assert split.decision == (Step.ACCEPT if results[0] == "done" else Step.REJECT)


@pytest.mark.django_db(transaction=True)
def test_of_two_admins_who_reject_several_at_once_each_problem_is_rejected_once(
    two_needed, contributor, reviewer, other, admin
):
    benchmark = two_needed.revision.problem.benchmark
    rounds = [
        reject_by_all(benchmark, contributor, (reviewer, other), f"Old {number}")
        for number in range(2)
    ]
    second = make_person(Role.ADMIN, "second")
    assert at_once(
        lambda: reject_all(rounds=rounds, admin=admin, reason="Known."),
        lambda: reject_all(rounds=rounds, admin=second, reason="Known."),
    ) == ["done", "done"]
    for one in rounds:
        assert one.revision.problem.events.filter(kind=Step.REJECT).count() == 1


def test_what_was_shown_to_decide_is_written_down(split, contributor):
    make_admin(contributor)
    third = make_person(Role.REVIEWER, "third")
    show(split, third)
    shown = third.exposures.filter(reason=ledger.Reason.ADJUDICATE).values_list("part", flat=True)
    assert {*shown} == {ledger.Part.STATEMENT, ledger.Part.ANSWER}
    assert open_round(split.revision.problem) == split


def test_a_split_shows_its_reviews_and_answer_only_to_who_asks_and_says_first_what_that_costs(
    split, contributor, other
):
    make_admin(contributor)
    third = make_person(Role.REVIEWER, "third")
    client, address = client_of(third), reverse("curation:decide", args=[split.pk])
    before = client.get(address)
    text = before.content.decode()
    assert "can no longer solve it blind" in text
    assert "A ball of mass" in text
    for hidden in (split.revision.answer, "root of two", "With its solution"):
        assert hidden not in text
    assert "form" not in before.context
    # To decide unseen is to ask first.
    decide_on(split, third, "PASS")
    split.refresh_from_db()
    assert split.closed_at is None
    assert not could_know_key(third, split.revision.problem)
    assert is_asked(third, split.revision.problem)
    after = show(split, third).content.decode()
    assert "root of two" in after
    assert split.revision.answer in after
    assert could_know_key(third, split.revision.problem)
    # From now on at once.
    assert "root of two" in client.get(address).content.decode()


def test_who_has_seen_the_answer_before_is_shown_a_split_at_once(split, contributor):
    make_admin(contributor)
    third = make_person(Role.REVIEWER, "third")
    ledger.record(third, ledger.Reason.REVIEW, split.revision, parts=ledger.KEY)
    page = client_of(third).get(reverse("curation:decide", args=[split.pk]))
    assert "root of two" in page.content.decode()


def test_a_reviewer_who_decides_a_split_passes_its_stage_and_skips_none(contributor, reviewer):
    pipeline = make_pipeline({"reviews_needed": 2}, {})
    split = submit(make_draft(contributor, make_benchmark(pipeline)), contributor)
    review(split, reviewer)
    review(split, make_person(Role.REVIEWER, "other"), "REJECT", "Off by a root of two.")
    make_admin(contributor)
    third = make_person(Role.REVIEWER, "third")
    steps = dict(show(split, third).context["form"].fields["step"].choices)
    assert Step.ACCEPT not in steps
    assert "step" in decide_on(split, third, "ACCEPT").context["form"].errors
    with pytest.raises(NotAllowedNow, match="Only an admin skips"):
        decide_round(split, third, "ACCEPT", "Mine.")
    decide_on(split, third, "PASS")
    split.refresh_from_db()
    assert (split.decision, split.revision.problem.status) == (Step.PASS, Status.IN_REVIEW)


@pytest.mark.parametrize("admin_decides", [False, True])
def test_who_decides_a_split_too_late_keeps_their_text_and_reads_which_role_decided_and_when(
    split, contributor, admin_decides
):
    make_admin(contributor)
    first, second = (make_person(Role.REVIEWER, name) for name in ("first", "second"))
    for person in (first, second):
        show(split, person)
    decider = make_person(Role.ADMIN, "decider") if admin_decides else first
    decide_on(split, decider, "PASS")
    split.refresh_from_db()
    page = decide_on(split, second, "REJECT")
    text = page.content.decode()
    assert page.status_code == 200
    assert "I solved it.</textarea>" in text
    role = "An admin" if admin_decides else "A reviewer without a part in it"
    assert f"{role} decided this: <time datetime" in text.replace("\n", " ")
    assert f'datetime="{split.closed_at.isoformat()}"' in text
    assert str(decider) not in text
    assert 'name="step"' not in text
    assert split.adjudications.count() == 1
    # Whoever follows an old link reads it as well; a second click of the first is the first.
    address = reverse("curation:decide", args=[split.pk])
    assert f"{role} decided this" in client_of(second).get(address).content.decode()
    if not admin_decides:
        [message] = get_messages(decide_on(split, first, "PASS").wsgi_request)
        assert str(message).startswith("Decided.")


def test_who_is_told_of_a_split_and_comes_when_it_is_decided_is_led_to_the_queue(
    split, contributor
):
    make_admin(contributor)
    first, second = (make_person(Role.REVIEWER, name) for name in ("first", "second"))
    show(split, first)
    decide_on(split, first, "PASS")
    page = client_of(second).get(reverse("curation:decide", args=[split.pk]), follow=True)
    assert page.redirect_chain == [(of_room("queue"), 302)]
    assert "That stage is closed." in page.content.decode()


def test_to_decide_a_split_is_not_called_instead_of_a_rule(two_needed, reviewer, other, admin):
    client, problem = client_of(admin), two_needed.revision.problem
    address = reverse("curation:decide", args=[two_needed.pk])
    assert address in client.get(problem.get_absolute_url()).content.decode()
    assert "yourself, in the stage" in client.get(address).content.decode()
    review(two_needed, reviewer)
    review(two_needed, other, "REJECT", "Off by a root of two.")
    page = client.get(problem.get_absolute_url()).content.decode()
    assert "Decide between the reviewers" in page
    assert "yourself, in the stage" not in client.get(address).content.decode()


def test_of_what_is_closed_or_not_rejected_nobody_is_told_who_decides(
    two_needed, contributor, reviewer, admin
):
    make_admin(contributor)
    client, problem = client_of(contributor), two_needed.revision.problem
    reopen = reverse("curation:leave", args=[problem.pk]) + "?do=reopen"
    decide_round(two_needed, admin, "RETURN", "Unclear.")
    decide = reverse("curation:decide", args=[two_needed.pk])
    for address in (reopen, decide):
        page = client.get(address, follow=True).content.decode()
        assert "so you can’t decide this" not in page
        assert "This problem is not rejected" in page or "can’t record a finding" in page


def be_in_conflict(review_round: ReviewRound, person: User, admin: User) -> None:
    Conflict.objects.create(
        person=person, problem=review_round.revision.problem, reason="Rivals.", marked_by=admin
    )


def be_of_the_institution(review_round: ReviewRound, person: User, admin: User) -> None:
    set_review(review_round.revision.problem.benchmark, institutions_conflict=True)
    for one in (person, review_round.revision.problem.author):
        one.institution = "ETH"
        one.save()


def have_read_the_reviews(review_round: ReviewRound, person: User, admin: User) -> None:
    ledger.record(person, ledger.Reason.ADJUDICATE, review_round.revision, parts=ledger.ALL)


def have_seen_the_answer(review_round: ReviewRound, person: User, admin: User) -> None:
    ledger.record(person, ledger.Reason.READ, review_round.revision, parts=ledger.ALL)


REFUSED = {
    "a split": ({}, lambda *_: None, "enough reviews"),
    "a conflict": ({}, be_in_conflict, "conflict of interest"),
    "an institution": ({}, be_of_the_institution, "from your institution"),
    "to decide it": ({}, have_read_the_reviews, "to decide between them"),
    "its answer": ({"is_blind": True}, have_seen_the_answer, "have seen the answer"),
    "an admin": (
        {"is_blind": True},
        lambda _round, person, _admin: make_admin(person),
        "admins see every answer",
    ),
    "the assigned": (
        {"is_open_to_all": False},
        lambda *_: None,
        "only for reviewers who are",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_reviewer_who_is_refused_a_round_reads_the_true_reason(
    contributor, reviewer, admin, case
):
    stage, arrange, why = REFUSED[case]
    waiting = submit(make_draft(contributor, make_benchmark(make_pipeline(stage))), contributor)
    if not stage:
        review(waiting, reviewer, "REJECT", "Off by a root of two.")
    third = make_person(Role.REVIEWER, "third")
    arrange(waiting, third, admin)
    client = client_of(third)
    address = reverse("curation:review", args=[waiting.pk])
    for ask in (
        lambda: client.get(address, follow=True),
        lambda: client.post(f"{address}?do=solve", follow=True),
        lambda: client.post(address, {"do": "show"}, follow=True),
    ):
        page = ask()
        [message] = [str(one) for one in page.context["messages"]]
        assert why in message
        assert "disagree" not in message
