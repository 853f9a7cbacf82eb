"""The queue, the page of a review in each of its phases, the stages and an override on a page."""

import pytest
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from curation.reviewing.pipelines.shipped import make_pipeline as make_shipped
from curation.reviewing.reviews import actions as reviewing
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.stage_texts import LEADS_TO_ANSWER, ONE_REVIEWER
from curation.texts.workflow import Status
from phybench.people.models import Role
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.place import of_room
from tests.curation.reviewing.rounds.opened import (
    make_benchmark,
    make_pipeline,
    open_round,
    pass_first_stages,
    review,
    solve,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def problem(contributor) -> Problem:
    made = make_draft(contributor, make_benchmark(), answer="9 m g h / 9")
    submit(made, contributor)
    made.refresh_from_db()
    return made


def page_of(review_round: ReviewRound) -> str:
    return reverse("curation:review", args=[review_round.pk])


def filled_in(review_round: ReviewRound, **more: str) -> dict[str, str]:
    answers = {
        f"question_{one.key}": "4" if one.kind == "SCALE" else "yes"
        for one in review_round.version.questions.all()
    }
    return {"recommendation": "ACCEPT", "comment": "", **answers, **more}


def test_who_could_solve_it_blind_later_is_asked_before_the_answer_is_shown(
    client, problem, reviewer, solvers
):
    # The first stage shows no answer.
    review(open_round(problem), reviewer)
    client.force_login(reviewer)
    address = page_of(open_round(problem))
    page = client.get(address)
    assert page.context["phase"] == "warn"
    assert "9 m g h" not in page.content.decode()
    assert not Exposure.objects.of_key().exists()
    page = client.post(page_of(open_round(problem)), {"do": "show"}, follow=True)
    assert page.context["phase"] == "judge"
    assert "9 m g h" in page.content.decode()
    assert {one.person for one in Exposure.objects.of_key()} == {reviewer}


def test_after_a_review_one_reads_what_became_of_the_stage_and_what_is_next(
    client, contributor, reviewer
):
    pipeline = make_pipeline({}, {}, {"reviews_needed": 2})
    made = make_draft(contributor, make_benchmark(pipeline))
    submit(made, contributor)
    client.force_login(reviewer)
    for said in ("“Stage 1” is passed. Next: “Stage 2”.", "“Stage 2” is passed. Next: “Stage 3”."):
        opened = open_round(made)
        reviewing.show_key(opened.revision, reviewer)
        page = client.post(page_of(opened), filled_in(opened), follow=True)
        assert said in page.text
    opened = open_round(made)
    page = client.post(page_of(opened), filled_in(opened), follow=True)
    assert "This stage needs more reviews." in page.text


def test_an_incomplete_review_is_told_each_question_that_is_missing(client, problem, reviewer):
    client.force_login(reviewer)
    waiting = open_round(problem)
    reviewing.show_key(waiting.revision, reviewer)
    sent = filled_in(waiting)
    left_out = f"question_{waiting.version.questions.all()[1].key}"
    del sent[left_out]
    page = client.post(page_of(waiting), sent)
    assert page.status_code == 200
    assert list(page.context["form"].errors) == [left_out]
    assert "Can it be understood from its text alone" in page.content.decode()
    assert not Review.objects.exists()
    client.post(page_of(waiting), filled_in(waiting))
    assert Review.objects.get().answers == {
        one.key: True for one in waiting.version.questions.all()
    }


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        ({}, "kind"),
        ({"kind": "ANSWER"}, "answer"),
        ({"kind": "ANSWER", "answer": r"\frac{m"}, "answer"),
        ({"kind": "NEEDS_FIGURE"}, "reason"),
    ],
)
def test_a_solve_that_is_none_is_refused_at_its_place_and_shows_no_key(
    client, problem, reviewer, sent, wrong
):
    blind = pass_first_stages(problem, make_person(Role.REVIEWER, "early"))
    client.force_login(reviewer)
    page = client.post(page_of(blind) + "?do=solve", sent)
    assert wrong in page.context["form"].errors
    assert "9 m g h" not in page.content.decode()
    assert not BlindSolve.objects.exists()


def test_a_solve_with_a_symbol_that_the_problem_lacks_is_taken_once_that_is_confirmed(
    client, problem, reviewer
):
    blind = pass_first_stages(problem, make_person(Role.REVIEWER, "early"))
    client.force_login(reviewer)
    sent = {"kind": "ANSWER", "answer": "M g h"}
    page = client.post(page_of(blind) + "?do=solve", sent).content.decode()
    assert "This contains symbols that are not in the problem." in page
    assert 'data-write="m g h"' in page
    assert '<input type="hidden" name="as_it_is" value="M g h">' in page
    assert "9 m g h" not in page
    assert not BlindSolve.objects.exists()
    client.post(page_of(blind) + "?do=solve", {**sent, "as_it_is": "M g h"})
    assert BlindSolve.objects.get().answer == "M g h"


@pytest.mark.parametrize(
    ("answer", "said"),
    [("m g h", "agrees with the reference answer"), ("m g", "differs from the reference answer")],
)
def test_after_the_solve_the_page_says_what_came_of_it_and_shows_the_key(
    client, problem, reviewer, answer, said
):
    blind = pass_first_stages(problem, make_person(Role.REVIEWER, "early"))
    client.force_login(reviewer)
    sent = {"kind": "ANSWER", "answer": answer}
    page = client.post(page_of(blind) + "?do=solve", sent, follow=True)
    assert page.context["phase"] == "judge"
    content = page.content.decode()
    assert said in content
    assert "9 m g h" in content


def test_a_solve_that_differs_says_which_symbols_the_problem_does_not_have(
    client, problem, reviewer
):
    blind = pass_first_stages(problem, make_person(Role.REVIEWER, "early"))
    client.force_login(reviewer)
    sent = {"kind": "ANSWER", "answer": "q g h", "as_it_is": "q g h"}
    page = client.post(page_of(blind) + "?do=solve", sent, follow=True)
    assert "is not a symbol of this problem" in page.content.decode()
    [solve] = BlindSolve.objects.all()
    assert dict(solve.message.values)["symbol"] == "q"


def test_a_second_blind_answer_is_refused_in_words_and_the_same_one_sent_twice_is_not(
    client, problem, reviewer
):
    blind = pass_first_stages(problem, make_person(Role.REVIEWER, "early"))
    client.force_login(reviewer)
    address = page_of(blind) + "?do=solve"
    for answer, is_told in (("m g h", False), ("m g h", False), ("2 m g h", True)):
        page = client.post(address, {"kind": "ANSWER", "answer": answer}, follow=True)
        content = page.content.decode()
        assert ("Your first answer counts: “m g h”." in content) is is_told
        assert ("not recorded: “2 m g h”" in content) is is_told
    assert BlindSolve.objects.get().answer == "m g h"


def test_the_solution_is_asked_about_only_where_there_is_one(client, contributor, reviewer):
    benchmark = make_benchmark(make_shipped(ONE_REVIEWER))
    client.force_login(reviewer)
    for solution, is_asked in (("", False), ("Energy.", True)):
        problem = make_draft(contributor, benchmark, title=f"So {solution}", solution=solution)
        waiting = submit(problem, contributor)
        asked = waiting.version.questions.get(text=LEADS_TO_ANSWER)
        solve(waiting, reviewer)
        page = client.get(reverse("curation:review", args=[waiting.pk]))
        assert (f"question_{asked.key}" in page.context["form"].fields) is is_asked
        given = review(waiting, reviewer)
        assert (asked.key in given.answers) is is_asked


def test_a_review_is_changed_on_the_page_it_was_given_on(client, settings, draft, contributor):
    settings.REVIEWS_PER_ROUND = 2
    reviewer = make_person(Role.REVIEWER, "first")
    waiting = actions.submit(problem=draft, author=contributor)
    review(waiting, reviewer, "REVISE", "Which $g$?")
    client.force_login(reviewer)
    queue = client.get(of_room("queue"))
    assert list(queue.context["rounds"]) == []
    assert list(queue.context["given"]) == [waiting]
    page = client.get(page_of(waiting))
    assert page.context["form"].initial["comment"] == "Which $g$?"
    assert "Change it, then next" in page.content.decode()
    client.post(page_of(waiting), {"recommendation": "ACCEPT", "replaces": "1"})
    assert [one.number for one in Review.objects.all()] == [1, 2]


def test_a_later_revision_shows_ones_own_review_and_what_changed_since(
    client, draft, contributor, reviewer
):
    review(actions.submit(problem=draft, author=contributor), reviewer, "REVISE", "Which $g$?")
    draft.refresh_from_db()
    actions.save_draft(
        problem=draft, author=contributor, saved_at="", reason="Said which.", solution="More."
    )
    waiting = submit(draft, contributor)
    client.force_login(reviewer)
    page = client.get(page_of(waiting))
    content = page.content.decode()
    changes = reverse("curation:compare", args=[draft.pk]) + "?from=1&amp;to=2"
    assert changes in content
    assert "Which" in content
    # Shown, not filled in.
    assert page.context["form"].initial == {"replaces": 0}
    assert client.get(changes.replace("&amp;", "&")).status_code == 200


@pytest.mark.parametrize(("reveals", "seen"), [("AFTER_OWN", True), ("AFTER_ROUND", False)])
def test_others_reviews_are_shown_after_ones_own_or_after_the_round(
    client, contributor, reviewer, reveals, seen
):
    pipeline = make_pipeline({"reviews_needed": 3, "reveals_others": reveals})
    waiting = submit(make_draft(contributor, make_benchmark(pipeline)), contributor)
    review(waiting, make_person(Role.REVIEWER, "other"), "REVISE", "Their own words.")
    client.force_login(reviewer)
    assert "Their own words." not in client.get(page_of(waiting)).content.decode()
    review(waiting, reviewer)
    assert ("Their own words." in client.get(page_of(waiting)).content.decode()) is seen


def test_an_admin_who_reviews_does_not_begin_with_what_others_said(
    client, admin, contributor, reviewer
):
    admin.roles = [Role.ADMIN, Role.REVIEWER]
    admin.save()
    pipeline = make_pipeline({"reviews_needed": 3})
    waiting = submit(make_draft(contributor, make_benchmark(pipeline)), contributor)
    review(waiting, reviewer, "REVISE", "Their own words.")
    client.force_login(admin)
    assert "Their own words." not in client.get(page_of(waiting)).content.decode()
    review(waiting, admin)
    assert "Their own words." in client.get(page_of(waiting)).content.decode()


def test_an_override_needs_a_reason_and_shows_on_the_problem(client, problem, admin, contributor):
    client.force_login(admin)
    address = reverse("curation:decide", args=[open_round(problem).pk])
    assert address in client.get(problem.get_absolute_url()).content.decode()
    page = client.post(address, {"step": "REJECT", "reason": "", "known": 0, "heard": 0})
    assert page.context["form"].errors
    assert ReviewRound.objects.open().exists()
    sent = {"step": "REJECT", "reason": "It is in a textbook.", "known": 0, "heard": 0}
    client.post(address, sent)
    problem.refresh_from_db()
    assert problem.status == Status.REJECTED
    client.force_login(contributor)
    content = client.get(problem.get_absolute_url()).content.decode()
    assert content.count("decided by a person") == 2  # the stage and the history
    assert "It is in a textbook." in content
    assert "an admin decided in place of the reviewers" in " ".join(content.split())


def test_of_a_closed_round_it_is_said_that_it_is_closed(client, problem, admin, reviewer):
    review_round = open_round(problem)
    client.force_login(admin)
    decision = {"step": "RETURN", "reason": "It is too short.", "known": 0, "heard": 0}
    client.post(reverse("curation:decide", args=[review_round.pk]), decision)
    client.force_login(reviewer)
    page = client.get(reverse("curation:review", args=[review_round.pk]), follow=True)
    assert "That stage is closed." in page.content.decode()


def test_the_stages_show_how_far_it_is_to_who_may_know(client, problem, contributor, reviewer):
    for person in (contributor, reviewer):
        client.force_login(person)
        page = client.get(problem.get_absolute_url())
        assert [stage.state for stage in page.context["stages"]] == ["open", "ahead", "ahead"]
        assert "0 of 1 reviews are in" in page.content.decode()


def test_the_queue_takes_as_many_queries_for_three_rows_as_for_one_also_of_those_given(
    client, settings, contributor, reviewer, benchmark, django_assert_num_queries
):
    settings.REVIEWS_PER_ROUND = 2

    def fill() -> None:
        review(submit(make_draft(contributor, benchmark), contributor), reviewer)
        submit(make_draft(contributor, benchmark), contributor)

    client.force_login(reviewer)
    fill()
    queue = of_room("queue")
    with django_assert_num_queries(18):
        client.get(queue)
    fill()
    fill()
    with django_assert_num_queries(18):
        page = client.get(queue)
    assert len(page.context["given"]) == len(page.context["rounds"]) == 3


def test_a_problem_takes_as_many_queries_for_three_rounds_as_for_one(
    client, contributor, reviewer, django_assert_num_queries
):
    pipeline = make_pipeline(*[{"reviews_needed": 1}] * 4)
    problem = make_draft(contributor, make_benchmark(pipeline))
    submit(problem, contributor)
    client.force_login(contributor)
    review(open_round(problem), reviewer)
    client.get(problem.get_absolute_url())
    with django_assert_num_queries(21):
        client.get(problem.get_absolute_url())
    for _ in range(2):
        review(open_round(problem), reviewer)
    with django_assert_num_queries(21):
        page = client.get(problem.get_absolute_url())
    assert len(page.context["rounds"]) == 3


def test_the_page_names_every_stage_done_open_and_to_come(client, problem, reviewer, solvers):
    blind = pass_first_stages(problem, reviewer)
    client.force_login(solvers[0])
    page = " ".join(client.get(page_of(blind)).content.decode().split())
    for name in ("1. Screening", "2. Ambiguity", "3. Final solving"):
        assert f'<span class="stage-name">{name}</span>' in page
