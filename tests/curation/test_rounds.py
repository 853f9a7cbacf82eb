"""Stages of review: opened and closed once, decided by their rule, blind where they say so."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import IntegrityError, connection, transaction

from curation import actions, permissions, pipelines, reviewing
from curation.models import BlindSolve, Contribution, Exposure, Problem, Review, ReviewRound
from curation.reviewing import Incomplete, Unreadable
from curation.stages import list_stages
from curation.workflow import NotAllowedNow, Status
from phybench.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.rounds import (
    make_benchmark,
    make_pipeline,
    open_round,
    pass_first_stages,
    review,
    solve,
)
from tests.curation.test_actions import REFUSED_BY_A_TRIGGER

pytestmark = pytest.mark.django_db
LONG_TO_SIMPLIFY = "+".join(rf"\frac{{a_{n}}}{{b_{n}+c}}" for n in range(10))


@pytest.fixture
def problem(contributor) -> Problem:
    """In the first of the three stages."""
    made = make_draft(contributor, make_benchmark())
    submit(made, contributor)
    made.refresh_from_db()
    return made


@pytest.fixture
def solvers(db) -> list[User]:
    return [make_person(Role.REVIEWER, f"solver-{number}") for number in (1, 2, 3)]


def write_next(problem: Problem, author: User, **fields: str) -> None:
    problem.refresh_from_db()
    actions.save_draft(
        problem=problem, author=author, saved_at="", reason="As the reviewers asked.", **fields
    )
    submit(problem, author)
    problem.refresh_from_db()


def names(problem: Problem) -> list[tuple[str, str]]:
    return [(stage.name, stage.state) for stage in list_stages(problem)]


# --- Stages ---------------------------------------------------------------------------------


def test_a_benchmark_that_names_no_pipeline_goes_through_three_stages(problem, reviewer):
    assert names(problem) == [
        ("Screening", "open"),
        ("Ambiguity", "ahead"),
        ("Final solving", "ahead"),
    ]
    assert open_round(problem).due_at is not None


def test_each_stage_passed_opens_the_next_and_the_last_accepts(problem, reviewer, solvers):
    blind = pass_first_stages(problem, reviewer)
    problem.refresh_from_db()
    assert problem.status == Status.IN_REVIEW
    for person in solvers[:2]:
        solve(blind, person)
        review(blind, person)
    problem.refresh_from_db()
    assert problem.status == Status.ACCEPTED
    assert list(problem.events.values_list("kind", flat=True)) == [
        *("CREATE", "SUBMIT", "PASS", "PASS", "ACCEPT"),
    ]
    assert problem.events.last().note == "Final solving: 2 accept, 2 of 2 blind solves agree"


@pytest.mark.parametrize(("verdict", "status"), [("REVISE", "RETURNED"), ("REJECT", "REJECTED")])
def test_any_stage_can_send_a_problem_back_or_reject_it(problem, reviewer, verdict, status):
    review(open_round(problem), reviewer)
    review(open_round(problem), reviewer, verdict)
    problem.refresh_from_db()
    assert problem.status == status
    assert not ReviewRound.objects.open().exists()


def test_a_round_goes_by_what_its_stage_said_when_it_opened(problem, reviewer):
    waiting = open_round(problem)
    stage = waiting.stage
    stage.rule, stage.reviews_needed, stage.name = "MAJORITY", 5, "Another"
    stage.save()
    stage.questions.all().delete()
    waiting.refresh_from_db()
    assert (waiting.rule, waiting.reviews_needed, waiting.name) == ("ANY_VETO", 1, "Screening")
    assert len(waiting.questions) == 4
    review(waiting, reviewer)
    assert open_round(problem).name == "Ambiguity"


def test_how_many_reviews_a_stage_needs_is_the_setting_where_it_does_not_say(settings, contributor):
    settings.REVIEWS_PER_ROUND = 3
    pipeline = make_pipeline({}, {"reviews_needed": 2})
    assert [stage.copy_terms()["reviews_needed"] for stage in pipeline.stages.all()] == [3, 2]


@pytest.mark.parametrize(
    "fields",
    [
        {"rule": "BLIND_SOLVES", "is_blind": False, "solves_needed": 1},
        {"rule": "BLIND_SOLVES", "is_blind": True, "solves_needed": 0},
        {"rule": "MAJORITY", "solves_needed": 1},
        {"reviews_needed": 0},
    ],
)
def test_a_stage_whose_rule_can_never_be_met_is_refused_by_the_database(fields):
    with pytest.raises(IntegrityError), transaction.atomic():
        make_pipeline(fields)


def test_a_pipeline_without_stages_takes_no_problem_and_says_so(contributor):
    made = make_draft(contributor, make_benchmark(make_pipeline()))
    with pytest.raises(NotAllowedNow, match="has no stages yet"):
        submit(made, contributor)
    assert made.revisions.get().submitted_at is None


def test_there_is_one_default_pipeline(db):
    pipelines.make_pipeline(pipelines.THREE_STAGES, is_default=True)
    another = pipelines.make_pipeline(pipelines.ONE_REVIEW)
    another.is_default = True
    with pytest.raises(IntegrityError), transaction.atomic():
        another.save()


# --- Blind solving --------------------------------------------------------------------------


def test_a_blind_stage_takes_no_review_before_the_solve(problem, reviewer, solvers):
    blind = pass_first_stages(problem, reviewer)
    with pytest.raises(NotAllowedNow, match="Solve it first"):
        review(blind, solvers[0])
    assert not permissions.can_see_key(solvers[0], problem)
    solve(blind, solvers[0])
    assert permissions.can_see_key(solvers[0], problem)
    review(blind, solvers[0])


def test_who_has_seen_the_answer_can_not_solve_it_blind(problem, reviewer, solvers, admin):
    blind = pass_first_stages(problem, reviewer)
    looked = solvers[0]
    reviewing.show_key(blind.revision, looked)
    admin.roles = [Role.ADMIN, Role.REVIEWER]
    admin.save()
    for person in (reviewer, looked, admin):
        assert blind not in ReviewRound.objects.awaiting(person)
        with pytest.raises(NotAllowedNow, match="seen its answer"):
            solve(blind, person)
    assert blind in ReviewRound.objects.awaiting(solvers[1])


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [("h g m", "AGREES"), ("2 m g h", "DISAGREES"), (r"\boxed{g h m}", "AGREES")],
)
def test_a_blind_answer_is_graded_at_once(problem, reviewer, solvers, answer, outcome):
    solve(pass_first_stages(problem, reviewer), solvers[0], answer)
    kept = BlindSolve.objects.get()
    assert (kept.outcome, kept.answer) == (outcome, answer)


def test_an_answer_that_can_not_be_read_is_not_taken_and_shows_nothing(problem, reviewer, solvers):
    blind = pass_first_stages(problem, reviewer)
    with pytest.raises(Unreadable):
        solve(blind, solvers[0], r"\frac{m")
    assert not BlindSolve.objects.exists()
    assert not permissions.can_see_key(solvers[0], problem)


def test_what_we_could_not_grade_counts_neither_way_and_somebody_else_is_asked(
    settings, problem, reviewer, solvers
):
    blind = pass_first_stages(problem, reviewer)
    settings.GRADING_DEADLINE_SECONDS = 0.5
    solve(blind, solvers[0], LONG_TO_SIMPLIFY)
    settings.GRADING_DEADLINE_SECONDS = 60
    kept = BlindSolve.objects.get()
    assert (kept.outcome, kept.not_told_reason) == ("NOT_TOLD", "timeout")
    solve(blind, solvers[1])
    for person in solvers[:2]:
        review(blind, person)
    blind.refresh_from_db()
    assert blind.closed_at is None
    assert blind in ReviewRound.objects.awaiting(solvers[2])
    solve(blind, solvers[2])
    review(blind, solvers[2])
    problem.refresh_from_db()
    assert problem.status == Status.ACCEPTED


def test_no_answer_has_a_reason_instead(problem, reviewer, solvers):
    blind = pass_first_stages(problem, reviewer)
    with pytest.raises(IntegrityError), transaction.atomic():
        reviewing.solve_blind(review_round=blind, reviewer=solvers[0], kind="AMBIGUOUS")
    reviewing.solve_blind(
        review_round=blind, reviewer=solvers[0], kind="AMBIGUOUS", reason="Which $h$?"
    )
    assert BlindSolve.objects.get().outcome == "NO_ANSWER"


def test_a_solve_is_given_once_and_stays(problem, reviewer, solvers):
    blind = pass_first_stages(problem, reviewer)
    solve(blind, solvers[0], "2 m g h")
    # Whoever has seen the key can't better their answer.
    with pytest.raises(NotAllowedNow):
        solve(blind, make_person(Role.CONTRIBUTOR, "no-reviewer"))
    solve(blind, solvers[0], "m g h")
    assert BlindSolve.objects.get().answer == "2 m g h"
    for rows in (BlindSolve.objects.all(), Exposure.objects.all()):
        with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
            rows._raw_delete(rows.db)
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        BlindSolve.objects.update(outcome="AGREES")


def test_a_participant_who_was_shown_the_key_does_not_answer(problem, reviewer, solvers):
    blind = pass_first_stages(problem, reviewer)
    seen, unseen = solvers[0], solvers[1]
    reviewing.show_key(blind.revision, seen)
    Problem.objects.update(
        status=Status.ACCEPTED, accepted_at=blind.opened_at, accepted_revision=blind.revision
    )
    problem.refresh_from_db()
    for person in (seen, unseen):
        person.roles = [Role.REVIEWER, Role.PARTICIPANT]
    blind.revision.problem = problem
    assert not permissions.may_answer(seen, blind.revision)
    assert permissions.may_answer(unseen, blind.revision)
    assert problem not in permissions.list_to_answer(seen)


# --- Reviews --------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [{}, {"answer": "perhaps"}, {"answer": 6}, {"answer": 1}])
def test_a_review_without_an_answer_that_is_needed_says_which(problem, reviewer, missing):
    waiting = open_round(problem)
    answers = {question["id"]: True for question in waiting.questions[1:]}
    if missing:
        answers[waiting.questions[0]["id"]] = missing["answer"]
    with pytest.raises(Incomplete, match="Is it well formed"):
        review(waiting, reviewer, answers=answers)
    assert not Review.objects.exists()


def test_a_review_can_be_changed_until_the_round_closes_and_all_stay(
    settings, draft, contributor, reviewer
):
    settings.REVIEWS_PER_ROUND = 2
    waiting = actions.submit(problem=draft, author=contributor)
    review(waiting, reviewer, "REVISE", "Which $g$?")
    review(waiting, reviewer, "ACCEPT", replaces=1)
    # From another window, where the change is not known.
    with pytest.raises(NotAllowedNow, match="another window"):
        review(waiting, reviewer, "REJECT", "No.", replaces=1)
    assert [(one.number, one.recommendation) for one in waiting.reviews.all()] == [
        (1, "REVISE"),
        (2, "ACCEPT"),
    ]
    assert Contribution.objects.filter(kind="REVIEWED").count() == 1
    draft.refresh_from_db()
    assert draft.status == Status.IN_REVIEW  # one person is not two
    review(waiting, make_person(Role.REVIEWER, "second"))
    draft.refresh_from_db()
    assert draft.status == Status.ACCEPTED  # the newest counts
    with pytest.raises(NotAllowedNow):
        review(waiting, reviewer, "REJECT", "Too late.", replaces=2)


# --- Another revision -----------------------------------------------------------------------


def test_a_new_revision_asks_again_where_the_stage_says_so_and_carries_over_the_rest(
    problem, contributor, reviewer, solvers
):
    blind = pass_first_stages(problem, reviewer)
    solve(blind, solvers[0])
    review(blind, solvers[0], "REVISE")
    solve(blind, solvers[1])
    review(blind, solvers[1])
    write_next(problem, contributor, solution="In more words.")
    shown = list_stages(problem)
    assert [(stage.name, stage.state, stage.carried_from) for stage in shown] == [
        ("Screening", "done", 1),
        ("Ambiguity", "open", None),
        ("Final solving", "ahead", None),
    ]
    review(open_round(problem), reviewer)
    # Solves count on the revision that was solved, and these people have seen the answer.
    blind = open_round(problem)
    assert not blind.solves.exists()
    assert blind not in ReviewRound.objects.awaiting(solvers[0])
    assert blind in ReviewRound.objects.awaiting(solvers[2])


def test_what_was_carried_over_says_where_it_was_really_reviewed(problem, contributor, reviewer):
    first = open_round(problem)
    review(first, reviewer)
    for _ in range(2):
        review(open_round(problem), reviewer, "REVISE")
        write_next(problem, contributor)
    carried = ReviewRound.objects.get(revision__number=3, number=1)
    assert carried.carried_from == first
    assert list_stages(problem)[0].carried_from == 1


def test_what_was_withdrawn_in_a_stage_is_asked_there_again(problem, contributor, reviewer):
    actions.withdraw(problem=problem, author=contributor)
    write_next(problem, contributor)
    assert names(problem)[0] == ("Screening", "open")


# --- Override -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "status"),
    [
        ("PASS", Status.IN_REVIEW),
        ("ACCEPT", Status.ACCEPTED),
        ("RETURN", Status.RETURNED),
        ("REJECT", Status.REJECTED),
    ],
)
def test_an_admin_decides_instead_of_the_rule_and_it_shows(problem, admin, step, status):
    waiting = open_round(problem)
    reviewing.override(review_round=waiting, admin=admin, step=step, reason="Asked by mail.")
    problem.refresh_from_db()
    waiting.refresh_from_db()
    assert problem.status == status
    assert (waiting.decision, waiting.decided_by) == (step, admin)
    assert waiting.override_reason == "Asked by mail."
    event = problem.events.last()
    assert (event.kind, event.actor, event.is_override) == (step, admin, True)
    assert ReviewRound.objects.open().exists() is (step == "PASS")
    assert list_stages(problem)[0].is_override


def test_to_pass_the_last_stage_by_override_accepts(draft, contributor, admin):
    waiting = actions.submit(problem=draft, author=contributor)
    reviewing.override(review_round=waiting, admin=admin, step="PASS", reason="Known by all.")
    draft.refresh_from_db()
    assert draft.status == Status.ACCEPTED
    assert Contribution.objects.filter(kind="AUTHORED").exists()


def test_an_override_needs_a_reason_an_admin_and_an_open_round(problem, admin, reviewer):
    waiting = open_round(problem)
    for person, step, reason in [
        (admin, "ACCEPT", "  "),
        (admin, "WITHDRAW", "Because."),
        (reviewer, "ACCEPT", "Because."),
    ]:
        with pytest.raises(NotAllowedNow):
            reviewing.override(review_round=waiting, admin=person, step=step, reason=reason)
    reviewing.override(review_round=waiting, admin=admin, step="REJECT", reason="Because.")
    with pytest.raises(NotAllowedNow, match="closed"):
        reviewing.override(review_round=waiting, admin=admin, step="ACCEPT", reason="Because.")


def test_nobody_overrides_the_rule_on_a_problem_of_their_own(draft, contributor):
    contributor.roles = [Role.CONTRIBUTOR, Role.ADMIN]
    contributor.save()
    waiting = actions.submit(problem=draft, author=contributor)
    with pytest.raises(NotAllowedNow):
        reviewing.override(review_round=waiting, admin=contributor, step="ACCEPT", reason="Mine.")


# --- At once: each thread has a connection of its own ---------------------------------------


def at_once(review_round: ReviewRound, steps: list[Callable[[ReviewRound], object]]) -> list[str]:
    ready = Barrier(len(steps), timeout=10)

    def attempt(step: Callable[[ReviewRound], object]) -> str:
        try:
            mine = ReviewRound.objects.select_related("revision__problem").get(pk=review_round.pk)
            ready.wait()
            step(mine)
        except NotAllowedNow:
            return "refused"
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(len(steps)) as threads:
        return list(threads.map(attempt, steps))


@pytest.fixture
def two_needed(contributor) -> ReviewRound:
    pipeline = make_pipeline({"reviews_needed": 2}, {})
    return submit(make_draft(contributor, make_benchmark(pipeline)), contributor)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_two_last_reviews_at_once_close_a_stage_once_and_open_the_next_once(
    two_needed, reviewer, turn
):
    second = make_person(Role.REVIEWER, "second")
    results = at_once(
        two_needed, [lambda mine: review(mine, reviewer), lambda mine: review(mine, second)]
    )
    assert results == ["done", "done"]
    problem = two_needed.revision.problem
    assert problem.events.filter(kind="PASS").count() == 1
    assert names(problem) == [("Stage 1", "done"), ("Stage 2", "open")]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_one_review_sent_twice_at_once_is_one_review(two_needed, reviewer, turn):
    assert at_once(two_needed, [lambda mine: review(mine, reviewer)] * 2) == ["done", "done"]
    assert Review.objects.count() == 1
    two_needed.refresh_from_db()
    assert two_needed.closed_at is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_of_a_changed_review_and_the_last_one_at_once_each_counts_or_is_refused(
    two_needed, reviewer, turn
):
    second = make_person(Role.REVIEWER, "second")
    review(two_needed, reviewer)
    changed, last = at_once(
        two_needed,
        [
            lambda mine: review(mine, reviewer, "REJECT", replaces=1),
            lambda mine: review(mine, second),
        ],
    )
    assert last == "done"
    problem = Problem.objects.get()
    # What the author is told fits what was decided upon.
    assert problem.status == (Status.REJECTED if changed == "done" else Status.IN_REVIEW)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_of_a_withdrawal_an_override_and_the_last_review_at_once_one_wins(
    two_needed, reviewer, contributor, admin, turn
):
    review(two_needed, make_person(Role.REVIEWER, "second"))
    results = at_once(
        two_needed,
        [
            lambda mine: review(mine, reviewer, "REJECT"),
            lambda mine: actions.withdraw(problem=mine.revision.problem, author=contributor),
            lambda mine: reviewing.override(
                review_round=mine, admin=admin, step="ACCEPT", reason="It is."
            ),
        ],
    )
    assert sorted(results) == ["done", "refused", "refused"]
    assert two_needed.revision.rounds.filter(closed_at__isnull=False).count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_solve_sent_twice_at_once_is_one_solve(contributor, reviewer, transactional_db):
    pipeline = make_pipeline({"is_blind": True, "rule": "BLIND_SOLVES", "solves_needed": 1})
    blind = submit(make_draft(contributor, make_benchmark(pipeline)), contributor)
    assert at_once(blind, [lambda mine: solve(mine, reviewer)] * 2) == ["done", "done"]
    assert BlindSolve.objects.count() == 1
