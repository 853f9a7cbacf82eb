import pytest
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.problems.permissions import (
    can_delete,
    can_edit,
    can_see_key,
    can_withdraw,
    list_visible,
)
from curation.reviewing.reviews import actions as reviewing
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import can_review, can_see_notes
from curation.versions.permissions import may_answer
from phybench.people.models import Role
from tests.conftest import make_person, set_review, submit
from tests.curation.reviewing.rounds.opened import make_pipeline, open_round, review

EVERYBODY = ["author", "reviewer", "participant", "evaluator", "admin", "nobody"]


@pytest.fixture
def people(contributor, participant, evaluator, admin, request):
    # `reviewer` has reviewed the accepted problem; this one has not.
    return {
        "author": contributor,
        "reviewer": make_person(Role.REVIEWER, "another-reviewer"),
        "participant": participant,
        "evaluator": evaluator,
        "admin": admin,
        "nobody": make_person(None),
    }


def allowed(people, rule, subject) -> set[str]:
    return {name for name, person in people.items() if rule(person, subject)}


def sees_statement(user, problem) -> bool:
    return list_visible(user).filter(pk=problem.pk).exists()


def test_a_draft_is_its_authors_and_the_admins(people, draft):
    assert allowed(people, sees_statement, draft) == {"author", "admin"}
    assert allowed(people, can_see_key, draft) == {"author", "admin"}
    assert allowed(people, can_edit, draft) == {"author"}
    assert allowed(people, can_delete, draft) == {"author"}
    assert allowed(people, can_withdraw, draft) == set()


def test_what_is_in_review_is_seen_by_reviewers_and_edited_by_nobody(people, draft, contributor):
    review_round = actions.submit(problem=draft, author=contributor)
    draft.refresh_from_db()
    assert allowed(people, sees_statement, draft) == {"author", "reviewer", "admin"}
    # A reviewer might be asked to solve it blind, until they were shown the key.
    assert allowed(people, can_see_key, draft) == {"author", "admin"}
    reviewing.show_key(review_round.revision, people["reviewer"])
    assert allowed(people, can_see_key, draft) == {"author", "reviewer", "admin"}
    assert allowed(people, can_review, review_round) == {"reviewer"}
    assert allowed(people, can_edit, draft) == set()
    assert allowed(people, can_withdraw, draft) == {"author"}
    assert allowed(people, can_delete, draft) == set()


def test_an_accepted_problem_is_everybodys_to_read_and_its_key_is_not(people, accepted_problem):
    assert allowed(people, sees_statement, accepted_problem) == set(EVERYBODY)
    assert allowed(people, can_see_key, accepted_problem) == {"author", "admin"}


def test_a_closed_round_is_nobodys_to_review(people, accepted_problem):
    review_round = ReviewRound.objects.get()
    assert allowed(people, can_review, review_round) == set()


def test_participants_answer_and_who_saw_the_key_does_not(people, accepted_problem, reviewer):
    for person in [*people.values(), reviewer]:
        person.roles = [*person.roles, Role.PARTICIPANT]
    revision = accepted_problem.revisions.get()
    assert not may_answer(reviewer, revision)
    may = allowed(people, may_answer, revision)
    assert may == set(EVERYBODY) - {"author", "admin"}, "admins can read all reference answers"


def test_who_is_asked_in_a_later_stage_reads_the_history_once_they_have_reviewed(
    client, draft, contributor, reviewer, benchmark
):
    set_review(benchmark, pipeline=make_pipeline({}, {"reviews_needed": 2}))
    first = submit(draft, contributor)
    client.force_login(reviewer)
    client.get(reverse("curation:review", args=[first.pk]))
    review(first, reviewer)
    draft.refresh_from_db()
    assert can_see_key(reviewer, draft)
    assert not can_see_notes(reviewer, draft)
    review(open_round(draft), reviewer)
    assert can_see_notes(reviewer, draft)


def test_who_may_not_sign_in_holds_no_role(draft, contributor, reviewer):
    review_round = actions.submit(problem=draft, author=contributor)
    reviewer.is_active = False
    assert not can_review(reviewer, review_round)
