"""The page of one answer: what it explains, and to whom."""

import json
import re
from collections.abc import Callable

import pgtrigger
import pytest
from django.test import Client
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from grading.answers import actions
from grading.answers.models import Attempt, Grade
from grading.answers.responses import AROUND
from phybench.people.models import Role, User
from tests import versions
from tests.conftest import accept, make_draft, make_person
from tests.grading.answers.test_views import HTMX, count_queries, grade_all, read
from tests.grading.conftest import HandIn
from tests.memory import remembered
from tests.organisations import join, organisation_of

pytestmark = pytest.mark.django_db

TELLTALE = "7351935"
REFERENCE = rf"\frac{{{TELLTALE} m g h}}{{\sin l}}"
ANSWER = r"So it is \boxed{\frac{2 m g h v_0^2}{\cos l}}, I think."
MARKS = ("tree-delete", "tree-insert", "tree-relabel", "deleted", "inserted", "relabelled")
"""What a page says of the edits, in shapes and in words."""


@pytest.fixture
@remembered
def problem(contributor: User, reviewer: User, benchmark: Benchmark) -> Problem:
    draft = make_draft(
        contributor,
        benchmark,
        statement="Given are $m$, $g$, $h$, $l$ and $v_0$. What comes of them?",
        answer=REFERENCE,
    )
    return accept(draft, contributor, reviewer)


@pytest.fixture
@remembered
def attempt(problem: Problem, hand_in: HandIn) -> Attempt:
    attempt = hand_in((problem, ANSWER)).attempts.get()
    grade_all()
    attempt.refresh_from_db()
    return attempt


@pytest.fixture
def key_holder(contributor: User, evaluator: User, attempt: Attempt) -> User:
    """The problem's author, who is of the organisation that handed the answer in."""
    join(organisation_of(evaluator), contributor)
    return contributor


# --- The trees ------------------------------------------------------------------------------


def count_nodes(page: str) -> int:
    return page.count('class="tree-node') - page.count('aria-hidden="true"><g class="tree-node')


@pytest.mark.parametrize("who", ["admin", "key_holder"])
def test_who_may_see_the_key_sees_both_trees_with_the_edits(
    request: pytest.FixtureRequest, client: Client, attempt: Attempt, who: str
) -> None:
    client.force_login(request.getfixturevalue(who))
    page = read(client, attempt.get_absolute_url())
    trees = attempt.grades.get().trees
    assert "answer-tree-title" in page
    assert "reference-tree-title" in page
    assert count_nodes(page) == len(trees["answer"]) + len(trees["reference"])
    assert f"{TELLTALE}</text>" in page
    assert [mark for mark in MARKS if mark in page] == [*MARKS]
    assert "cos: relabelled, sin in the reference answer" in page
    assert "sin: relabelled, cos in the answer" in page


def test_others_see_the_answer_s_tree_and_no_mark_of_what_differs(
    client: Client, attempt: Attempt, evaluator: User
) -> None:
    client.force_login(evaluator)
    for headers in ({}, HTMX):
        page = read(client, attempt.get_absolute_url(), **headers)
        assert "answer-tree-title" in page
        assert count_nodes(page) == len(attempt.grades.get().trees["answer"])
        assert [mark for mark in (*MARKS, TELLTALE, "reference-tree", "sin<") if mark in page] == []


def test_a_person_sees_the_tree_of_their_own_answer(
    client: Client, problem: Problem, participant: User
) -> None:
    revision = problem.revisions.get()
    own = actions.answer(revision=revision, person=participant, response=ANSWER)
    grade_all()
    client.force_login(participant)
    page = read(client, own.get_absolute_url())
    assert "answer-tree-title" in page
    assert [mark for mark in (*MARKS, TELLTALE, "reference-tree") if mark in page] == []


@pytest.mark.parametrize("role", [*sorted(set(Role) - {Role.ADMIN}), None])
def test_a_stranger_finds_no_page(client: Client, attempt: Attempt, role: Role | None) -> None:
    client.force_login(make_person(role, "stranger"))
    assert client.get(attempt.get_absolute_url()).status_code == 404


def test_who_sees_the_reference_s_tree_has_the_key_written_down(
    client: Client, attempt: Attempt, admin: User, evaluator: User
) -> None:
    shown = Exposure.objects.filter(revision=attempt.revision, part=Exposure.Part.ANSWER)
    for person, is_written in ((admin, True), (evaluator, False)):
        client.force_login(person)
        read(client, attempt.get_absolute_url())
        assert shown.filter(person=person).exists() is is_written


def test_of_an_older_grade_the_page_says_that_it_has_no_drawing(
    client: Client, attempt: Attempt, admin: User, evaluator: User
) -> None:
    with pgtrigger.ignore("grading.Grade:grade_is_append_only"):
        Grade.objects.update(trees=None, answer_start=None, answer_end=None)
    for person, is_told in ((admin, True), (evaluator, False)):
        client.force_login(person)
        page = read(client, attempt.get_absolute_url())
        assert "<svg" not in page
        assert "graded-part" not in page
        assert ("This grade was made before trees were saved" in page) is is_told


@pytest.mark.parametrize("answer", [rf"\boxed{{{REFERENCE}}}", r"\boxed{\frac{x}"])
def test_a_right_answer_and_one_that_can_not_be_read_have_no_trees(
    client: Client, problem: Problem, hand_in: HandIn, admin: User, answer: str
) -> None:
    attempt = hand_in((problem, answer)).attempts.get()
    grade_all()
    assert attempt.grades.get().trees is None
    client.force_login(admin)
    assert "<svg" not in read(client, attempt.get_absolute_url())


# --- The graded part ------------------------------------------------------------------------


def test_the_graded_part_is_marked_where_it_stands(
    client: Client, attempt: Attempt, evaluator: User
) -> None:
    client.force_login(evaluator)
    page = read(client, attempt.get_absolute_url())
    graded = r"\frac{2 m g h v_0^2}{\cos l}"
    assert rf'So it is \boxed{{<mark id="graded-part">{graded}</mark>}}, I think.</pre>' in page
    assert 'href="#graded-part"' in page


def test_what_could_not_be_read_is_marked_too(
    client: Client, problem: Problem, hand_in: HandIn, evaluator: User
) -> None:
    attempt = hand_in((problem, r"It is \boxed{<b>\foo} m")).attempts.get()
    grade_all()
    client.force_login(evaluator)
    page = read(client, attempt.get_absolute_url())
    assert r'<mark id="graded-part">&lt;b&gt;\foo</mark>' in page


def test_of_a_long_response_what_is_around_the_graded_part_is_shown_and_all_when_asked(
    client: Client, problem: Problem, hand_in: HandIn, evaluator: User
) -> None:
    response = "0123456789" * 50_000 + r" \boxed{m g} " + "9876543210" * 50_000
    attempt = hand_in((problem, response)).attempts.get()
    grade_all()
    client.force_login(evaluator)
    page = read(client, attempt.get_absolute_url())
    assert '<mark id="graded-part">m g</mark>' in page
    assert len(page) < 4 * AROUND
    left_out = len("0123456789" * 50_000) + len(r" \boxed{") - AROUND
    assert f"{left_out} characters before this are not shown." in page
    assert response not in page
    whole = read(client, f"{attempt.get_absolute_url()}?whole")
    assert re.sub(r"<mark[^>]*>(.*?)</mark>", r"\1", whole).count(response) == 1
    assert "left out" not in whole


def test_the_response_comes_anew_with_the_grade_that_marks_it(
    client: Client, problem: Problem, hand_in: HandIn, evaluator: User
) -> None:
    attempt = hand_in((problem, ANSWER)).attempts.get()
    client.force_login(evaluator)
    assert 'id="response"' not in read(client, attempt.get_absolute_url(), **HTMX)
    grade_all()
    fragment = read(client, attempt.get_absolute_url(), **HTMX)
    assert '<section id="response" hx-swap-oob="true">' in fragment
    assert "graded-part" in fragment
    assert "hx-swap-oob" not in read(client, attempt.get_absolute_url())


# --- In the order in which one asks -----------------------------------------------------------


def test_a_page_says_what_was_read_then_why_then_the_score_then_who_graded_it(
    client: Client, attempt: Attempt, admin: User
) -> None:
    client.force_login(admin)
    headings = re.findall(r"<h2[^>]*>(.*?)</h2>", read(client, attempt.get_absolute_url()))
    assert headings == [
        "Readings",
        "Why",
        "The two expressions as trees",
        "How the score was calculated",
        "Grader",
        "The answer as submitted",
        "The problem",
    ]


def test_the_edits_that_are_listed_say_what_each_costs(
    client: Client, attempt: Attempt, admin: User
) -> None:
    client.force_login(admin)
    page = read(client, attempt.get_absolute_url())
    costs = [float(one) for one in re.findall(r"\(costs ([\d.]+)\)", page)]
    assert sum(costs) == pytest.approx(attempt.grades.get().distance)


# --- Beside it --------------------------------------------------------------------------------


Sample = Callable[..., list[Attempt]]


@pytest.fixture
def sample(problems: list[Problem], benchmark: Benchmark, evaluator: User) -> Sample:
    """Hand in several answers to the first problem, and one to the second."""

    def run(*answers: str, model: str = "A model") -> list[Attempt]:
        rows = [
            {"id": problems[0].identifier, "model_answer": answer, "repeat_index": count}
            for count, answer in enumerate(answers)
        ]
        rows.append({"id": problems[1].identifier, "model_answer": "a/b"})
        [submission] = versions.hand_in(
            organisation=organisation_of(evaluator),
            benchmark=benchmark,
            uploaded_by=evaluator,
            file_name="answers.json",
            content=json.dumps([{"model": model, **row} for row in rows]).encode(),
        )
        return list(submission.attempts.order_by("pk"))

    return run


@pytest.fixture
@remembered
def sampled(sample: Sample) -> list[Attempt]:
    attempts = sample("m g h", "m g", r"\foo")
    grade_all()
    return attempts


def test_answers_lead_to_the_ones_before_and_behind_in_the_order_of_the_list(
    client: Client, sampled: list[Attempt], evaluator: User
) -> None:
    client.force_login(evaluator)
    found = re.compile(r'<a rel="(prev|next)" href="([^"]+)"')
    pages = [read(client, one.get_absolute_url()) for one in sampled]
    assert [found.findall(page) for page in pages] == [
        [("next", sampled[1].get_absolute_url())],
        *(
            [
                ("prev", sampled[place - 1].get_absolute_url()),
                ("next", sampled[place + 1].get_absolute_url()),
            ]
            for place in (1, 2)
        ),
        [("prev", sampled[2].get_absolute_url())],
    ]


def test_the_next_answer_is_the_next_of_the_list_that_its_reader_came_from(
    client: Client, sampled: list[Attempt], evaluator: User
) -> None:
    client.force_login(evaluator)
    addresses = [one.get_absolute_url() for one in sampled]
    assert sampled[0].submission
    narrowed = "?verdict=UNREADABLE"
    listed = read(client, sampled[0].submission.get_absolute_url() + narrowed)
    assert f'href="{addresses[2]}{narrowed}"' in listed
    found = re.compile(r'<a rel="(prev|next)" href="([^"]+)"')
    page = read(client, f"{addresses[2]}{narrowed}&whole=1")
    assert found.findall(page) == [("prev", addresses[1] + narrowed)]
    page = read(client, f"{addresses[3]}?sort=-id")
    assert found.findall(page) == [("next", f"{addresses[0]}?sort=-id")]
    # What has left the narrowed list meanwhile stands in the whole one.
    page = read(client, addresses[3] + narrowed)
    assert found.findall(page) == [("prev", addresses[2] + narrowed)]


def test_the_samples_of_a_problem_stand_side_by_side_with_their_verdicts(
    client: Client, sampled: list[Attempt], evaluator: User
) -> None:
    client.force_login(evaluator)
    page = read(client, sampled[1].get_absolute_url())
    [samples] = re.findall(r'<nav class="samples".*?</nav>', page, re.DOTALL)
    assert re.findall(r'href="([^"]+)" title="([^"]+)"', samples) == [
        (sampled[0].get_absolute_url(), "Sample 1: correct"),
        (sampled[1].get_absolute_url(), "Sample 2: partial"),
        (sampled[2].get_absolute_url(), "Sample 3: could not be read"),
    ]
    assert re.findall(r'aria-hidden="true">(.)<', samples) == ["●", "◐", "⌀"]
    assert samples.count("aria-current") == 1
    # One answer to a problem has no samples beside it.
    assert 'class="samples"' not in read(client, sampled[3].get_absolute_url())


def test_the_verdicts_of_other_samples_are_told_and_so_written_down(
    client: Client, sample: Sample, evaluator: User
) -> None:
    first, second, _ = sample("m g h", "m g")
    told = Exposure.objects.filter(person=evaluator, part=Exposure.Part.VERDICT)
    client.force_login(evaluator)
    read(client, second.get_absolute_url())
    assert not told.exists()
    Attempt.objects.filter(pk=second.pk).update(
        status="FAILED", failure_reason="timeout", queued_at=timezone.now()
    )
    grade_all()
    read(client, second.get_absolute_url())
    assert told.filter(revision=first.revision).exists()


def test_a_person_s_own_answer_has_nothing_beside_it(
    client: Client, problem: Problem, participant: User
) -> None:
    revision = problem.revisions.get()
    own = actions.answer(revision=revision, person=participant, response=ANSWER)
    client.force_login(participant)
    page = read(client, own.get_absolute_url())
    assert 'rel="next"' not in page
    assert 'class="samples"' not in page


def test_a_page_takes_as_many_queries_for_many_samples_and_neighbours_as_for_few(
    client: Client, sample: Sample, evaluator: User
) -> None:
    client.force_login(evaluator)
    few, more = (sample(*["m g"] * count, model=str(count))[1] for count in (3, 7))
    grade_all()
    assert count_queries(client, few.get_absolute_url()) == count_queries(
        client, more.get_absolute_url()
    )
