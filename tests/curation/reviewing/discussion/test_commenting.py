"""Who may raise a matter, answer and settle it, and who reads it when."""

import pytest
from django.db import DatabaseError, transaction

from curation.authoring.drafts import actions
from curation.problems.models import Problem
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.models import AdminNote, Comment, Thread, ThreadStep
from curation.reviewing.discussion.permissions import list_notes
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.at_once import at_once
from tests.curation.reviewing.discussion.talk import heard, say, write_next
from tests.curation.reviewing.rounds.opened import (
    decide_round,
    make_benchmark,
    make_pipeline,
    open_round,
    review,
    solve,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def second(db) -> User:
    return make_person(Role.REVIEWER, "second")


def wait_for_two(contributor: User, **terms: str) -> ReviewRound:
    """Open a round that two reviews decide, and that nothing but its end reveals."""
    pipeline = make_pipeline({"reviews_needed": 2, **terms})
    made = make_draft(contributor, make_benchmark(pipeline))
    return submit(made, contributor)


@pytest.fixture
def waiting(contributor) -> ReviewRound:
    return wait_for_two(contributor)


@pytest.fixture
def problem(waiting) -> Problem:
    found: Problem = waiting.revision.problem
    return found


def test_a_comment_keeps_the_passage_it_is_about(waiting, reviewer):
    thread = say(waiting, reviewer)
    assert thread.quote == "the height $h$"
    assert waiting.revision.statement[thread.start : thread.end] == thread.quote
    assert waiting.revision.statement.startswith(thread.suffix, thread.end)
    assert [one.text for one in thread.comments.all()] == ["Which height?"]


def test_sent_twice_it_is_one(waiting, reviewer):
    assert say(waiting, reviewer) == say(waiting, reviewer)
    thread = Thread.objects.get()
    for _ in range(2):
        commenting.reply(thread=thread, writer=reviewer, text="Above the ground?")
        commenting.settle(thread=thread, by=reviewer, is_resolved=True)
        commenting.write_note(review_round=waiting, writer=reviewer, text="I know the author.")
    assert Comment.objects.count() == 2
    assert ThreadStep.objects.count() == AdminNote.objects.count() == 1


def test_while_the_round_is_open_a_comment_is_its_writers_and_admins(
    waiting, problem, contributor, reviewer, second, admin
):
    say(waiting, reviewer)
    assert heard(reviewer, problem) == heard(admin, problem) == [["Which height?"]]
    for person in (contributor, second, make_person(Role.PARTICIPANT, "third")):
        assert heard(person, problem) == []
    # Their own review changes nothing where only the end of the round does.
    review(waiting, second)
    assert heard(second, problem) == []


def test_a_stage_that_reveals_reviews_after_ones_own_reveals_comments_so_too(
    contributor, reviewer, second
):
    waiting = wait_for_two(contributor, reveals_others="AFTER_OWN")
    problem = waiting.revision.problem
    say(waiting, reviewer)
    assert heard(second, problem) == []
    review(waiting, second)
    assert heard(second, problem) == [["Which height?"]]
    # What they answer is read by none who has yet to review, though it is in their own thread.
    commenting.reply(thread=Thread.objects.get(), writer=second, text="I accept it.")
    assert heard(reviewer, problem) == [["Which height?"]]
    assert heard(contributor, problem) == []
    review(waiting, reviewer)
    assert heard(contributor, problem) == [["Which height?", "I accept it."]]


def test_once_the_round_is_closed_author_and_reviewer_talk(
    waiting, problem, contributor, reviewer, second
):
    thread = say(waiting, reviewer)
    review(waiting, reviewer, "REVISE")
    review(waiting, second, "REVISE")
    commenting.reply(thread=thread, writer=contributor, text="Above the ground.")
    assert heard(reviewer, problem) == [["Which height?", "Above the ground."]]
    commenting.reply(thread=thread, writer=reviewer, text="Say so.")
    assert heard(contributor, problem) == [["Which height?", "Above the ground.", "Say so."]]


def test_who_is_asked_again_reads_the_authors_answer_and_no_other_reviewers_word(
    waiting, problem, contributor, reviewer, second
):
    thread = say(waiting, reviewer)
    say(waiting, second, "I find it wrong.")
    review(waiting, reviewer, "REVISE")
    review(waiting, second, "REVISE")
    commenting.reply(thread=thread, writer=contributor, text="Above the ground.")
    again = write_next(problem, contributor, solution="More.")
    assert heard(reviewer, problem) == [["Which height?", "Above the ground."]]
    assert heard(make_person(Role.REVIEWER, "third"), problem) == []
    # What a reviewer says in an old thread belongs to the round that is open now.
    review(again, second)
    commenting.reply(thread=thread, writer=second, text="It is still wrong.")
    assert heard(reviewer, problem) == [["Which height?", "Above the ground."]]
    assert heard(contributor, problem)[0] == ["Which height?", "Above the ground."]
    review(again, reviewer)
    assert heard(contributor, problem)[0][-1] == "It is still wrong."


@pytest.mark.parametrize("part", ["ANSWER", "SOLUTION"])
def test_comments_on_the_key_are_for_who_may_see_it(
    contributor, benchmark, reviewer, second, admin, part
):
    pipeline = make_pipeline({"reviews_needed": 2, "is_blind": True})
    blind = submit(make_draft(contributor, make_benchmark(pipeline)), contributor)
    problem = blind.revision.problem
    with pytest.raises(NotAllowedNow):
        say(blind, reviewer, part=part, quote="Its energy")
    assert say(blind, reviewer).part == "STATEMENT"
    solve(blind, reviewer)
    say(blind, reviewer, "Twice this.", part=part, quote="Its energy")
    review(blind, reviewer)
    solve(blind, second)
    review(blind, second)
    problem.refresh_from_db()
    assert problem.status == "ACCEPTED"
    assert ["Twice this."] in heard(contributor, problem)
    assert ["Twice this."] in heard(admin, problem)
    # Accepted, its key is no reviewer's any more.
    assert ["Twice this."] not in heard(reviewer, problem)
    assert heard(make_person(Role.PARTICIPANT, "third"), problem) == []


def test_a_matter_is_settled_by_who_began_it_the_author_or_an_admin_and_by_no_other(
    waiting, contributor, reviewer, second, admin
):
    thread = say(waiting, reviewer)
    for person in (contributor, second):
        with pytest.raises(NotAllowedNow):
            commenting.settle(thread=thread, by=person, is_resolved=True)
    commenting.settle(thread=thread, by=reviewer, is_resolved=True)
    commenting.settle(thread=thread, by=admin, is_resolved=False)
    review(waiting, reviewer, "REVISE")
    review(waiting, second, "REVISE")
    commenting.settle(thread=thread, by=contributor, is_resolved=True)
    with pytest.raises(NotAllowedNow):
        commenting.settle(thread=thread, by=second, is_resolved=False)
    steps = [(step.by, step.is_resolved) for step in thread.steps.all()]
    assert steps == [(reviewer, True), (admin, False), (contributor, True)]


def test_of_a_decided_problem_nothing_more_is_said(waiting, contributor, reviewer, second, admin):
    thread = say(waiting, reviewer)
    review(waiting, reviewer)
    review(waiting, second)
    for person in (contributor, reviewer, admin):
        with pytest.raises(NotAllowedNow):
            commenting.reply(thread=thread, writer=person, text="Late.")
        with pytest.raises(NotAllowedNow):
            commenting.settle(thread=thread, by=person, is_resolved=True)
    with pytest.raises(NotAllowedNow):
        say(waiting, reviewer, "Late.")
    with pytest.raises(NotAllowedNow):
        commenting.write_note(review_round=waiting, writer=reviewer, text="Late.")


def test_a_passage_that_is_none_is_refused(waiting, reviewer):
    for start, end in ((0, 0), (10**6, 10**6 + 5)):
        with pytest.raises(NotAllowedNow):
            commenting.open_thread(
                review_round=waiting,
                writer=reviewer,
                part="STATEMENT",
                text="Here.",
                start=start,
                end=end,
            )
    assert not Thread.objects.exists()


def test_notes_are_for_their_writer_and_admins(
    waiting, problem, contributor, reviewer, second, admin
):
    commenting.write_note(review_round=waiting, writer=reviewer, text="I know the author.")
    commenting.write_note(review_round=waiting, writer=second, text="It is in a textbook.")
    assert [one.text for one in list_notes(reviewer, problem)] == ["I know the author."]
    assert len(list_notes(admin, problem)) == 2
    assert not list_notes(contributor, problem).exists()
    # Nor does an admin who is to review begin with what others say.
    admin.roles = [Role.ADMIN, Role.REVIEWER]
    admin.save()
    assert not list_notes(admin, problem).exists()


def test_what_was_said_is_never_changed(waiting, reviewer):
    thread = say(waiting, reviewer)
    commenting.settle(thread=thread, by=reviewer, is_resolved=True)
    commenting.write_note(review_round=waiting, writer=reviewer, text="A note.")
    for model in (Thread, Comment, ThreadStep, AdminNote):
        with pytest.raises(DatabaseError), transaction.atomic():
            model.objects.update(id=10**6)
        with pytest.raises(DatabaseError), transaction.atomic():
            model.objects.all().delete()


# --- At once: each thread has a connection of its own ---------------------------------------


@pytest.mark.django_db(transaction=True)
def test_sent_twice_at_once_it_is_one_and_settled_twice_at_once_is_settled_once(waiting, reviewer):
    assert at_once(*[lambda: say(waiting, reviewer)] * 2) == ["done", "done"]
    thread = Thread.objects.get()
    settle = [lambda: commenting.settle(thread=thread, by=reviewer, is_resolved=True)] * 2
    assert at_once(*settle) == ["done", "done"]
    assert ThreadStep.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_comment_and_the_withdrawal_of_its_problem_at_once_leave_one_of_both_orders(
    waiting, problem, contributor, reviewer
):
    [said, withdrawn] = at_once(
        lambda: say(waiting, reviewer),
        lambda: actions.withdraw(problem=problem, author=contributor),
    )
    assert withdrawn == "done"
    assert Thread.objects.count() == (1 if said == "done" else 0)
    assert not ReviewRound.objects.open().exists()


def test_a_comment_begun_while_solving_blind_is_kept_and_shows_no_key(contributor, reviewer):
    pipeline = make_pipeline({"reviews_needed": 2, "is_blind": True})
    problem = make_draft(contributor, make_benchmark(pipeline))
    submit(problem, contributor)
    blind = open_round(problem)
    say(blind, reviewer)
    decide_round(blind, make_person(Role.ADMIN, "chief"), "RETURN", "Mend it.")
    commenting.reply(thread=Thread.objects.get(), writer=contributor, text="It is $m g h$.")
    # They can still solve the next revision blind: the author's words may tell the key.
    assert heard(reviewer, problem) == [["Which height?"]]
    write_next(problem, contributor, solution="More.")
    assert heard(reviewer, problem) == [["Which height?"]]
