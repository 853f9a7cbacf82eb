"""Stages of review: opened and closed once, in order, by what each said when its round opened."""

import pytest
from django.db import IntegrityError, transaction

from curation.authoring.drafts import actions
from curation.problems.models import Problem
from curation.reviewing.pipelines.models import StageVersion
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import list_awaiting
from curation.reviewing.rounds.stages import list_stages
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow, Status
from phybench.people.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.errors.reports import decide, report_error, submit_correction
from tests.curation.reviewing.rounds.opened import (
    list_states,
    make_benchmark,
    make_pipeline,
    open_round,
    pass_first_stages,
    review,
    solve,
)

pytestmark = pytest.mark.django_db


def test_a_benchmark_that_names_no_pipeline_goes_through_three_stages(problem, reviewer):
    assert list_states(problem) == [
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
    message = problem.events.last().message
    assert translate(message) == "Final solving: 2 accept, 2 of 2 blind solves agree"


@pytest.mark.parametrize(("verdict", "is_open"), [("REVISE", False), ("REJECT", True)])
def test_any_stage_can_send_a_problem_back_and_none_rejects_it(problem, reviewer, verdict, is_open):
    review(open_round(problem), reviewer)
    review(open_round(problem), reviewer, verdict)
    problem.refresh_from_db()
    assert problem.status == ("IN_REVIEW" if is_open else "RETURNED")
    assert ReviewRound.objects.split().exists() is is_open


def test_a_round_goes_by_what_its_stage_said_when_it_opened(problem, reviewer):
    waiting = open_round(problem)
    stage = waiting.version.stage
    stage.rule, stage.reviews_needed, stage.name = "MAJORITY", 5, "Another"
    stage.save()
    stage.questions.all().delete()
    waiting.refresh_from_db()
    asked = waiting.version
    assert (asked.rule, waiting.reviews_needed, asked.name) == ("UNANIMOUS", 1, "Screening")
    assert asked.questions.count() == 5
    review(waiting, reviewer)
    assert open_round(problem).version.name == "Ambiguity"


def test_rounds_share_a_version_until_their_stage_is_changed(problem, contributor):
    def open_another(title: str) -> StageVersion:
        made = make_draft(contributor, problem.benchmark, title=title)
        return submit(made, contributor).version

    first = open_round(problem).version
    assert (open_another("Two"), first.number) == (first, 1)
    question = first.stage.questions.get(place=1)
    question.text = "Is it, really?"
    question.save()
    second = open_another("Three")
    assert (second.stage, second.number) == (first.stage, 2)
    asked, again = (one.questions.get(place=1) for one in (first, second))
    assert (asked.key, again.key) == (str(question.pk), str(question.pk))
    assert (asked.text, again.text) == (
        "Is it well formed: complete sentences, formulas that are drawn?",
        "Is it, really?",
    )
    assert open_another("Four") == second


def test_how_many_reviews_a_stage_needs_is_the_setting_where_it_does_not_say(settings, contributor):
    settings.REVIEWS_PER_ROUND = 3
    pipeline = make_pipeline({}, {"reviews_needed": 2})
    assert [stage.count_needed() for stage in pipeline.stages.all()] == [3, 2]


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


# --- Another revision -----------------------------------------------------------------------


def write_next(problem: Problem, author: User, **fields: str) -> None:
    problem.refresh_from_db()
    actions.save_draft(
        problem=problem, author=author, saved_at="", reason="As the reviewers asked.", **fields
    )
    submit(problem, author)
    problem.refresh_from_db()


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
    assert blind not in list_awaiting(solvers[0])
    assert blind in list_awaiting(solvers[2])


def test_the_last_stage_is_asked_again_though_it_was_passed(contributor, reviewer, admin):
    pipeline = make_pipeline({"asks_again": False}, {"asks_again": False})
    problem = make_draft(contributor, make_benchmark(pipeline))
    submit(problem, contributor)
    review(open_round(problem), reviewer)
    review(open_round(problem), reviewer)
    problem.refresh_from_db()
    assert problem.status == Status.ACCEPTED
    report = report_error(problem, make_person(Role.PARTICIPANT))
    decide(report, admin, "KEY_FIXED")
    submit_correction(problem, contributor)
    # Something has to be open, or nothing could ever be accepted.
    assert list_states(problem) == [("Stage 1", "done"), ("Stage 2", "open")]
    assert open_round(problem).carried_from is None


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
    assert list_states(problem)[0] == ("Screening", "open")
