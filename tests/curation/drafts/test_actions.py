import pytest
from django.db import InternalError, NotSupportedError, ProgrammingError, transaction

from curation.authoring.drafts import actions
from curation.problems import actions as problems_actions
from curation.problems.models import Event, Problem, Revision
from curation.reviewing.rounds.lifecycle import submit_review
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.reviewing.rounds.permissions import list_awaiting
from curation.texts.workflow import NotAllowedNow, Status
from phybench.people.models import Role
from tests.certificates import give_certificate
from tests.conftest import STATEMENT, make_draft, make_person
from tests.curation.at_once import at_once, with_copies

pytestmark = pytest.mark.django_db
REFUSED_BY_A_TRIGGER = (InternalError, NotSupportedError, ProgrammingError)


def draft_of(problem: Problem) -> Revision:
    return problem.revisions.get(submitted_at=None)


def review(review_round, reviewer, recommendation="ACCEPT", comment="") -> Review:
    return submit_review(
        review_round=review_round,
        reviewer=reviewer,
        recommendation=recommendation,
        comment=comment,
    )


# --- Submitting -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ("E^2 = m g h", "equation"),
        ("0.5 m g h", "float"),
        (r"\pm m g h", "several"),
    ],
)
def test_a_reference_that_breaks_a_rule_is_refused_by_that_rule(
    contributor, benchmark, answer, rule
):
    problem = make_draft(contributor, benchmark, answer=answer)
    with pytest.raises(actions.RulesBroken) as refused:
        actions.submit(problem=problem, author=contributor)
    assert rule in [broken.code for broken in refused.value.broken]
    problem.refresh_from_db()
    assert problem.status == Status.DRAFT
    assert draft_of(problem).answer == answer


@pytest.mark.parametrize(
    ("statement", "rule"),
    [("![A ball](ball.svg)", "image"), ("The figure below shows it.", "figure")],
)
def test_a_statement_that_needs_a_figure_is_refused_as_such(
    contributor, benchmark, statement, rule
):
    problem = make_draft(contributor, benchmark, statement=f"{STATEMENT} {statement}")
    with pytest.raises(actions.RulesBroken) as refused:
        actions.submit(problem=problem, author=contributor)
    assert rule in [broken.code for broken in refused.value.broken]


@pytest.mark.parametrize("missing", ["statement", "answer"])
def test_without_a_statement_and_an_answer_there_is_nothing_to_submit(
    contributor, benchmark, missing
):
    problem = make_draft(contributor, benchmark, **{missing: " "})
    with pytest.raises(actions.Incomplete) as refused:
        actions.submit(problem=problem, author=contributor)
    assert [field for field, _message in refused.value.missing] == [missing]


def test_submitting_freezes_the_draft_and_opens_a_round(draft, contributor):
    review_round = actions.submit(problem=draft, author=contributor)
    draft.refresh_from_db()
    assert draft.status == Status.IN_REVIEW
    assert review_round.revision.submitted_at is not None
    assert list(ReviewRound.objects.open()) == [review_round]


def test_only_its_author_submits_a_draft(draft, reviewer):
    with pytest.raises(NotAllowedNow):
        actions.submit(problem=draft, author=reviewer)


def test_what_is_in_review_can_not_be_submitted_again(draft, contributor):
    actions.submit(problem=draft, author=contributor)
    with pytest.raises(NotAllowedNow):
        actions.submit(problem=draft, author=contributor)


# --- What is frozen -------------------------------------------------------------------------


def test_a_submitted_revision_can_not_be_changed_even_past_the_model(accepted_problem):
    revisions = Revision.objects.filter(problem=accepted_problem)
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        revisions.update(answer="0")
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        revisions._raw_delete(revisions.db)
    assert revisions.get().answer == "m g h"


def test_a_review_can_not_be_changed_or_deleted(accepted_problem):
    reviews = Review.objects.all()
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        reviews.update(comment="I never said that")
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        reviews._raw_delete(reviews.db)


def test_history_can_not_be_rewritten(accepted_problem):
    events = Event.objects.exclude(kind="CREATE")
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        Event.objects.update(note="nothing happened")
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        events._raw_delete(events.db)


def test_history_tells_each_step_with_its_actor(accepted_problem, contributor):
    steps = accepted_problem.events.values_list("kind", "from_status", "to_status", "actor")
    assert list(steps) == [
        ("CREATE", "", "DRAFT", contributor.pk),
        ("SUBMIT", "DRAFT", "IN_REVIEW", contributor.pk),
        # The rule decided, not the reviewer who happened to be last.
        ("ACCEPT", "IN_REVIEW", "ACCEPTED", None),
    ]


# --- Reviewing ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("second", "status"),
    [("ACCEPT", Status.ACCEPTED), ("REVISE", Status.RETURNED), ("REJECT", Status.IN_REVIEW)],
)
def test_the_last_review_closes_the_round_unless_it_rejects(
    settings, draft, contributor, reviewer, second, status
):
    settings.REVIEWS_PER_ROUND = 2
    review_round = actions.submit(problem=draft, author=contributor)
    review(review_round, reviewer)
    draft.refresh_from_db()
    assert draft.status == Status.IN_REVIEW
    review(review_round, make_person(Role.REVIEWER, "second"), second, "Because.")
    draft.refresh_from_db()
    assert draft.status == status


def test_nobody_reviews_their_own_problem(draft, contributor):
    contributor.roles = [Role.CONTRIBUTOR, Role.REVIEWER]
    contributor.save()
    review_round = actions.submit(problem=draft, author=contributor)
    assert not list_awaiting(contributor).exists()
    with pytest.raises(NotAllowedNow):
        review(review_round, contributor)


def test_nobody_reviews_a_round_twice(settings, draft, contributor, reviewer):
    settings.REVIEWS_PER_ROUND = 2
    review_round = actions.submit(problem=draft, author=contributor)
    first = review(review_round, reviewer)
    # The same form, sent twice, is one review; another one has to be meant as a change.
    assert review(review_round, reviewer) == first
    with pytest.raises(NotAllowedNow, match="already reviewed this"):
        review(review_round, reviewer, "REVISE", "I see it now.")


def test_without_the_role_nobody_reviews(draft, contributor, participant):
    review_round = actions.submit(problem=draft, author=contributor)
    with pytest.raises(NotAllowedNow):
        review(review_round, participant)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_two_reviewers_finishing_at_once_close_the_round_once(
    settings, draft, contributor, reviewer, turn
):
    settings.REVIEWS_PER_ROUND = 2
    review_round = actions.submit(problem=draft, author=contributor)
    second = make_person(Role.REVIEWER, "second")
    steps = [lambda mine: review(mine, reviewer), lambda mine: review(mine, second)]
    assert at_once(*with_copies(review_round, *steps)) == ["done", "done"]
    draft.refresh_from_db()
    assert draft.status == Status.ACCEPTED
    assert draft.events.filter(kind="ACCEPT").count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_a_withdrawal_and_a_last_review_at_once_one_wins(draft, contributor, reviewer):
    review_round = actions.submit(problem=draft, author=contributor)
    results = at_once(
        *with_copies(
            review_round,
            lambda mine: review(mine, reviewer),
            lambda mine: actions.withdraw(problem=mine.revision.problem, author=contributor),
        )
    )
    assert sorted(results) == ["done", "refused"]
    review_round.refresh_from_db()
    assert review_round.closed_at is not None


# --- Editing --------------------------------------------------------------------------------


def test_withdrawing_returns_the_problem_and_closes_the_round(draft, contributor, reviewer):
    review_round = actions.submit(problem=draft, author=contributor)
    actions.withdraw(problem=draft, author=contributor)
    draft.refresh_from_db()
    review_round.refresh_from_db()
    assert (draft.status, review_round.decision) == (Status.RETURNED, "WITHDRAW")
    with pytest.raises(NotAllowedNow):
        review(review_round, reviewer)
    with pytest.raises(NotAllowedNow):
        actions.withdraw(problem=draft, author=contributor)


def test_editing_what_was_returned_begins_the_next_revision(draft, contributor, reviewer):
    review_round = actions.submit(problem=draft, author=contributor)
    review(review_round, reviewer, "REVISE", "What is $g$?")
    draft.refresh_from_db()
    saved = actions.save_draft(problem=draft, author=contributor, saved_at="", answer="g h m")
    assert saved.number == 2
    give_certificate(draft)
    with pytest.raises(NotAllowedNow, match="what this revision changes"):
        actions.submit(problem=draft, author=contributor)
    saved_at = draft_of(draft).saved_at.isoformat()
    reason = "The factors in alphabetical order."
    actions.save_draft(problem=draft, author=contributor, saved_at=saved_at, reason=reason)
    actions.submit(problem=draft, author=contributor)
    first, second = draft.revisions.all()
    assert (first.reason, second.reason) == ("", reason)
    assert (first.answer, second.answer) == ("m g h", "g h m")
    # What its author did not touch stays as it was.
    assert (second.statement, second.solution) == (first.statement, first.solution)


def test_saving_over_what_another_window_saved_is_refused(draft, contributor):
    started_from = draft_of(draft).saved_at.isoformat()
    actions.save_draft(problem=draft, author=contributor, saved_at=started_from, answer="first")
    with pytest.raises(NotAllowedNow, match="another window"):
        actions.save_draft(
            problem=draft, author=contributor, saved_at=started_from, answer="second"
        )
    assert draft_of(draft).answer == "first"


def test_a_problem_in_review_can_not_be_edited(draft, contributor):
    actions.submit(problem=draft, author=contributor)
    with pytest.raises(NotAllowedNow):
        actions.save_draft(problem=draft, author=contributor, saved_at="", answer="0")


def test_a_draft_can_be_deleted_by_its_author_alone(draft, contributor, reviewer):
    with pytest.raises(NotAllowedNow):
        actions.delete_draft(problem=draft, author=reviewer)
    actions.delete_draft(problem=draft, author=contributor)
    assert not Problem.objects.exists()


def test_what_was_submitted_once_can_not_be_deleted(draft, contributor):
    actions.submit(problem=draft, author=contributor)
    actions.withdraw(problem=draft, author=contributor)
    with pytest.raises(NotAllowedNow):
        actions.delete_draft(problem=draft, author=contributor)


def test_an_accepted_problem_can_be_retired_once(accepted_problem, admin):
    problems_actions.retire(problem=accepted_problem, admin=admin, note="The key was published.")
    accepted_problem.refresh_from_db()
    assert accepted_problem.status == Status.RETIRED
    assert accepted_problem.events.last().note == "The key was published."
    with pytest.raises(NotAllowedNow):
        problems_actions.retire(problem=accepted_problem, admin=admin, note="Again.")
