"""Blind solves of reviewers as evidence for and against a key, beside models and participants."""

import pytest
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.workflow import Status
from grading.disputes.keys.models import KeyCheck
from grading.disputes.keys.tasks import scan_keys
from grading.disputes.regrades import actions as regrades
from grading.disputes.regrades.comparison import compare_solves
from grading.disputes.regrades.tasks import REGRADING
from phybench.people.models import Role, User
from phybench.work.leases import carry_out
from tests.conftest import make_draft, make_person, set_review, submit
from tests.curation.reviewing.rounds.opened import (
    decide_round,
    make_pipeline,
    open_round,
    review,
    solve,
)
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db
RIGHT, WRONG = "m g h", "2 m g h"


@pytest.fixture
def panel(db):
    return [make_person(Role.REVIEWER, f"panel-{number}") for number in range(6)]


@pytest.fixture
def blind(benchmark):
    """The benchmark with one blind stage; where its reviewers differ, an admin decides."""

    def ask(reviewers: int) -> Benchmark:
        stage = {"is_blind": True, "rule": "MAJORITY", "reviews_needed": reviewers}
        set_review(benchmark, pipeline=make_pipeline(stage))
        return benchmark

    return ask


def solve_all(problem: Problem, people, answers, said: str = "ACCEPT") -> None:
    waiting = open_round(problem)
    for person, answer in zip(people, answers, strict=True):
        solve(waiting, person, answer)
        review(waiting, person, said)
    if ReviewRound.objects.split().filter(pk=waiting.pk).exists():
        # Where solves differ no rule decides.
        admin = User.objects.get_or_create(email="decider@test", defaults={"roles": [Role.ADMIN]})
        decide_round(waiting, admin[0], "ACCEPT", "It is.")
    problem.refresh_from_db()


def accept_solved(benchmark, author, people, answers, title="Solved blind") -> Problem:
    problem = make_draft(author, benchmark, title=title)
    submit(problem, author)
    solve_all(problem, people, answers)
    assert problem.status == Status.ACCEPTED
    return problem


def test_solves_that_agree_on_another_answer_speak_against_the_key(blind, contributor, panel):
    accept_solved(blind(3), contributor, panel[:3], [WRONG, r"h \cdot 2 g m", RIGHT])
    scan_keys()
    check = KeyCheck.objects.get()
    assert check.doubts == ["OTHER_LEADS"]
    assert (check.solvers, check.blind_solves, check.last_grade) == (3, 3, 0)
    assert [(one["is_key"], one["blind_solves"], one["solvers"]) for one in check.groups] == [
        (False, 2, []),
        (True, 1, []),
    ]


def test_that_nobody_ever_got_it_counts_them_too(blind, contributor, panel, hand_in):
    problem = accept_solved(blind(2), contributor, panel[:2], [WRONG, "m g"])
    scan_keys()
    # Two are too few to say so.
    assert KeyCheck.objects.get().doubts == []
    submission = hand_in((problem, "m h"), model="A")
    grade_attempt(submission.attempts.get().pk)
    scan_keys()
    check = KeyCheck.objects.get()
    assert check.doubts == ["NOBODY_RIGHT"]
    assert (check.solvers, check.blind_solves) == (3, 2)


def test_strong_blind_solvers_who_fail_where_weak_ones_do_not_are_noticed(
    blind, contributor, panel
):
    benchmark = blind(6)
    strong_right = [RIGHT] * 3 + [WRONG, "m g", "m h"]
    for number in range(2):
        accept_solved(benchmark, contributor, panel, strong_right, f"Elsewhere {number}")
    doubtful = accept_solved(
        benchmark, contributor, panel, [WRONG, "m g", "m h"] + [RIGHT] * 3, "Doubtful"
    )
    scan_keys()
    check = KeyCheck.objects.get(revision__problem=doubtful)
    assert check.doubts == ["STRONG_FAIL"]
    assert (check.strong, check.weak, check.in_half) == (0, 100, 3)


def test_solves_of_an_earlier_revision_count_while_the_key_is_the_same(blind, contributor, panel):
    problem = make_draft(contributor, blind(2))
    submit(problem, contributor)
    solve_all(problem, panel[:2], [WRONG, WRONG], said="REVISE")
    actions.save_draft(
        problem=problem, author=contributor, saved_at="", title="Clearer", reason="Clearer."
    )
    submit(problem, contributor)
    solve_all(problem, panel[2:4], [RIGHT, "m g"])
    scan_keys()
    check = KeyCheck.objects.get()
    assert (check.revision.number, check.blind_solves) == (2, 4)
    assert check.doubts == ["OTHER_LEADS"]


def test_solves_of_another_key_are_no_evidence_for_this_one(blind, contributor, panel):
    problem = make_draft(contributor, blind(2), answer="3 m g h")
    submit(problem, contributor)
    solve_all(problem, panel[:2], [WRONG, WRONG], said="REVISE")
    actions.save_draft(
        problem=problem, author=contributor, saved_at="", answer=RIGHT, reason="The key was wrong."
    )
    actions.submit(
        problem=problem,
        author=contributor,
        different_from=range(1, 10**9),
        needs_certificate=False,
    )
    solve_all(problem, panel[2:4], [RIGHT, RIGHT])
    scan_keys()
    check = KeyCheck.objects.get()
    assert (check.blind_solves, check.doubts) == (2, [])


def test_a_check_from_before_they_counted_is_made_again_and_then_left(blind, contributor, panel):
    accept_solved(blind(2), contributor, panel[:2], [WRONG, WRONG])
    assert scan_keys() == 1
    assert scan_keys() == 0
    KeyCheck.objects.update(blind_solves=0)
    assert scan_keys() == 1


def test_the_evidence_names_their_source_and_not_them(client, admin, blind, contributor, panel):
    accept_solved(blind(3), contributor, panel[:3], [WRONG, WRONG, RIGHT])
    scan_keys()
    client.force_login(admin)
    text = client.get(reverse("grading:key", args=[KeyCheck.objects.get().pk])).content.decode()
    assert "3 of them are reviewers who solved it blind" in text
    assert "2 reviewers" in text
    assert not any(str(person) in text for person in panel)
    line = client.get(reverse("grading:keys_csv")).content.decode("utf-8-sig").splitlines()[1]
    assert line.endswith("OTHER_LEADS,3,1,2,,,3,,,,,")


def test_more_solves_take_no_more_queries(
    blind, contributor, panel, benchmark, django_assert_max_num_queries
):
    benchmark = blind(2)
    for number in range(3):
        accept_solved(benchmark, contributor, panel[:2], [RIGHT, RIGHT], f"Number {number}")
    scan_keys()
    with django_assert_max_num_queries(6):
        assert scan_keys() == 0


def test_a_run_that_counts_says_anew_what_blind_solves_are_worth(
    blind, benchmark, contributor, panel, admin
):
    problem = accept_solved(blind(3), contributor, panel[:3], [WRONG, r"h \cdot 2 g m", RIGHT])
    scan_keys()
    solves = BlindSolve.objects.order_by("pk")
    run = regrades.begin(benchmark=benchmark, by=admin)
    regrades.queue(run)
    carry_out(REGRADING, REGRADING.claim_some())
    assert list(run.solves.order_by("solve").values_list("solve", "outcome")) == list(
        solves.values_list("pk", "outcome")
    )
    assert compare_solves(run).moved == 0
    # As if another grader had found all of them right.
    other = regrades.begin(benchmark=benchmark, by=admin)
    assert other == run, "nothing is new"
    other = benchmark.grading_runs.create(grader_version="9", why="A better grader.")
    other.find_keys({problem.accepted_revision_id})
    for one in solves:
        other.solves.create(solve=one, outcome="AGREES", grader_version="9")
    assert compare_solves(other).moved == 2
    assert KeyCheck.objects.get().doubts == ["OTHER_LEADS"]
    regrades.adopt(run=other, by=admin)
    assert scan_keys() == 1
    assert KeyCheck.objects.get().doubts == []
    assert scan_keys() == 0
