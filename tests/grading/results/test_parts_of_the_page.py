"""A submission's page: the strip of all answers, the vote, what is wrong, and what is folded."""

import re

import pgtrigger
import pytest
from django.test import Client

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem, Revision
from grading.answers.submissions.models import Submission
from grading.board.results import views
from grading.submissions.results.mistakes import MOST_SAID, list_mistakes
from phybench.people.models import User
from phybench_grader.reading.rules import list_symbols
from tests.addresses import client_of
from tests.conftest import accept, make_draft
from tests.grading.answers.test_views import count_queries, read
from tests.grading.conftest import HandIn
from tests.grading.submissions.samples import HandInSamples, grade_all
from tests.work import sort_answers

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(evaluator: User) -> Client:
    return client_of(evaluator)


def find_strip(page: str) -> list[str]:
    [strip] = re.findall(r'<ol aria-label="All answers">(.*?)</ol>', page, re.DOTALL)
    return re.findall(r'class="visually-hidden">(.*?)</span>', strip)


def test_the_strip_has_a_mark_for_each_answer_and_for_each_that_is_missing(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples
) -> None:
    made = hand_in_samples({problems[0]: ["m g h", "0"], problems[1]: ["?"]})
    page = read(client, made.get_absolute_url())
    names = [one.identifier for one in problems]
    assert find_strip(page) == [
        f"{names[0]}, sample 1, correct",
        f"{names[0]}, sample 2, incorrect",
        f"{names[1]}, sample 1, could not be read",
        f"{names[1]}, sample 2, missing",
        *(f"{name}, sample {number}, missing" for name in names[2:] for number in (1, 2)),
    ]
    for attempt in made.attempts.all():
        assert f'<li><a href="{attempt.get_absolute_url()}" title="' in page


def test_a_strip_that_would_be_endless_is_left_out(
    client: Client,
    problems: list[Problem],
    hand_in_samples: HandInSamples,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Five problems; where one has two answers, each has a second mark.
    for answers, most in ((1, 4), (2, 9)):
        monkeypatch.setattr(views, "MOST_MARKS", most)
        said = {problems[0]: [f"{number} m g h" for number in range(answers)]}
        made = hand_in_samples(said, model=f"Model {most}")
        page = read(client, made.get_absolute_url())
        assert "All answers" not in page
    assert "Problem 1" in page


def test_the_vote_is_told_once_wrong_answers_are_compared(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples
) -> None:
    """Of the first two of three are right, of the second two wrong ones say the same."""
    made = hand_in_samples(
        {
            problems[0]: ["m g h", "h g m", "2 m"],
            problems[1]: [r"\frac{a}{b}", r"\frac{b}{a}", "b a^{-1}"],
        }
    )
    page = read(client, made.get_absolute_url())
    assert "wrong answers compared on 0 of 1 problems" in page
    sort_answers()
    page = read(client, made.get_absolute_url())
    votes = re.findall(r'data-label="Vote of k right, %">([\d.]+)<', page)
    # Of one sample the vote is the accuracy; of three one of five problems is right.
    assert votes == ["20.0", "20.0", "20.0"]
    assert "equal answers form one group" in page


def test_problems_with_a_wrong_answer_come_first_and_right_ones_last(
    client: Client, problems: list[Problem], hand_in: HandIn
) -> None:
    made = hand_in((problems[0], "m g h"), (problems[1], "a + b"), (problems[3], "?"))
    grade_all(made)
    page = read(client, made.get_absolute_url())
    table = page.partition('<table class="data results">')[2]
    assert re.findall(r"Problem (\d)", table) == ["2", "4", "3", "5", "1"]
    # Who reads on from an answer gets the next of that list.
    wrong = made.attempts.get(revision__problem=problems[3])
    before = made.attempts.get(revision__problem=problems[1])
    answer = read(client, wrong.get_absolute_url())
    assert f'<a rel="prev" href="{before.get_absolute_url()}"' in answer


def test_what_does_more_with_a_submission_is_folded(
    client: Client, problems: list[Problem], hand_in: HandIn
) -> None:
    own = [hand_in((problems[0], "m g h")) for _twice in range(2)]
    other = hand_in((problems[0], "m g h"), model="Another model")
    for one in (*own, other):
        grade_all(one)
    page = read(client, own[1].get_absolute_url())
    _before, _summary, folded = page.partition("Compare, have it judged, receipt, withdraw")
    for words in ("Have it judged", "Receipt", "Withdraw this submission"):
        assert words in folded.partition("</details>")[0]
    # Its own model's come first, whatever was submitted since.
    assert re.findall(r'<option value="(\d+)">', folded) == [str(own[0].pk), str(other.pk)]


# --- What is wrong with an answer, of which nothing tells the key ------------------------------

KEY = r"k q m \sqrt{2 g h}"
"""Of these k and q are in no sentence of the statement."""


@pytest.fixture
def problem(contributor: User, reviewer: User, benchmark: Benchmark) -> Problem:
    statement = (
        "A body of mass $m$ falls from the height $h$; gravity is $g$. What is its momentum?"
    )
    told = f"{statement} Here are $k$ and $q$."
    draft = make_draft(contributor, benchmark, statement=told, answer=KEY, unit="kg m/s")
    accepted = accept(draft, contributor, reviewer)
    with pgtrigger.ignore():
        # As published problems are imported: these need not keep the rule.
        accepted.revisions.update(statement=statement)
    return accepted


def read_mistakes(client: Client, submission: Submission) -> list[str]:
    grade_all(submission)
    page = read(client, submission.get_absolute_url())
    found = re.findall(r'<p class="muted small">(.*?)</p>', page.partition('id="rows"')[2])
    return [re.sub(r"<[^>]*>", "", one) for one in found]


def test_a_symbol_that_the_statement_lacks_is_told_whether_the_key_has_it_or_not(
    problem: Problem, hand_in: HandIn, client: Client
) -> None:
    made = hand_in((problem, r"z q m h"))
    assert read_mistakes(client, made)[:2] == [
        "$q$ is not a symbol of this problem.".replace("$", ""),
        "$z$ is not a symbol of this problem.".replace("$", ""),
    ]


@pytest.mark.parametrize("answer", [r"-m \sqrt{2gh}", r"3 m \sqrt{g h}", r"\pi m h e^{2}", "m g"])
def test_a_wrong_sign_or_factor_is_not_told(
    problem: Problem, hand_in: HandIn, client: Client, answer: str
) -> None:
    assert read_mistakes(client, hand_in((problem, answer))) == []


@pytest.mark.parametrize(
    ("units", "told"),
    [
        ([r"\,\text{J}"], ["The unit is wrong: J in place of kg m/s."]),
        ([r"\mathrm{kg\,m/s}"], []),
        ([r"\text{N}\,\text{s}"], []),
        (["strange"], []),
    ],
)
def test_a_unit_of_another_kind_than_the_one_asked_for_is_told(
    problem: Problem, units: list[str], told: list[str]
) -> None:
    assert list_mistakes(problem.revisions.get(), [("m", units)]) == told


def test_of_many_wrong_answers_a_few_are_looked_at_and_each_thing_is_said_once(
    problem: Problem,
) -> None:
    revision = problem.revisions.get()
    assert len(list_mistakes(revision, [("z", [])] * 99)) == 1
    found = list_mistakes(revision, [(f"z_{{{number}}}", []) for number in range(99)])
    assert len(found) == MOST_SAID


def test_where_no_unit_is_asked_for_none_is_wrong(problems: list[Problem]) -> None:
    assert list_mistakes(Revision.objects.get(problem=problems[0]), [("m", [r"\text{J}"])]) == []


@pytest.mark.parametrize(
    "latex", [r"\frac{\sqrt{2} e^{i \pi}}{\sin{\left(x \right)}}", r"\operatorname{atan}{x} + 1"]
)
def test_constants_and_functions_are_no_symbols(latex: str) -> None:
    assert list_symbols(f"${latex}$", counts_upright=False) == {"x"}


def test_a_page_takes_as_many_queries_for_many_samples_as_for_two(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples
) -> None:
    few = hand_in_samples({problems[0]: ["m g h", "0"]}, model="few")
    many = hand_in_samples({one: ["m g h", "z", "?"] for one in problems[:4]}, model="many")
    for one in (few, many):
        client.get(one.get_absolute_url())
    sort_answers()
    counted = [count_queries(client, one.get_absolute_url()) for one in (few, many)]
    assert counted[0] == counted[1]
