"""Two submissions beside each other: which problems are compared, what of them is said, to whom."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from grading.answers.submissions.models import Submission
from grading.submissions.comparison.matching import Cell, LeftOut, compare_submissions
from phybench.people.models import User
from phybench_grader.statistics.paired import Method
from tests.conftest import accept, make_draft, make_person
from tests.grading.answers.test_views import count_queries, read
from tests.grading.conftest import ANSWERS, STATEMENT
from tests.grading.submissions.samples import HandInSamples, fail
from tests.memory import remembered
from tests.versions import publish_version
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db

Pair = tuple[Submission, Submission]
NEAR = r"2mg + 2m\frac{v_0^2}{l}"


@pytest.fixture
@remembered
def pair(problems: list[Problem], hand_in_samples: HandInSamples) -> Pair:
    """Over five problems: both right, only the first, only the second, both wrong, missing."""
    first = {problems[0]: ["m g h"], problems[1]: [r"\frac{a}{b}"], problems[2]: [NEAR]}
    second = {problems[0]: ["h g m"], problems[1]: ["0"], problems[2]: [ANSWERS[2]]}
    return (
        hand_in_samples({**first, problems[3]: ["0"]}, model="First"),
        hand_in_samples({**second, problems[3]: ["7"], problems[4]: [ANSWERS[4]]}, model="Second"),
    )


def address_of(pair: Pair, name: str = "comparison") -> str:
    return reverse(f"grading:{name}", args=[one.pk for one in pair])


# --- What is compared -----------------------------------------------------------------------


def test_all_problems_that_both_were_asked_are_compared_and_missing_answers_count_0(
    pair: Pair,
) -> None:
    found = compare_submissions(*pair)
    assert [one.cell for one in found.graded.problems] == [
        *(Cell.BOTH, Cell.FIRST, Cell.SECOND, Cell.NEITHER, Cell.SECOND)
    ]
    assert [round(one.eed_difference, 1) for one in found.graded.problems] == [
        0,
        100,
        -53.3,
        0,
        -100,
    ]
    assert not found.left_out
    assert found.is_single
    assert found.means["accuracy"] == ((40, 40), (60, 60))
    assert found.left_open == 0
    assert (found.accuracy.value, found.accuracy.lower.method) == (pytest.approx(-20), Method.BAYES)
    assert (found.eed.value, found.eed.lower.method) == (pytest.approx(-32 / 3), Method.FEW)
    [table] = found.tables
    assert (table.both, table.first, table.second, table.neither) == (1, 1, 2, 1)


def test_to_exchange_the_two_turns_all_signs_round(pair: Pair) -> None:
    there, back = compare_submissions(*pair), compare_submissions(*pair[::-1])
    assert back.accuracy.value == -(there.accuracy.value or 0)
    assert back.eed.value == -(there.eed.value or 0)
    [ours], [theirs] = back.tables, there.tables
    assert (ours.first, ours.second) == (theirs.second, theirs.first)


def test_an_answer_that_is_not_graded_is_compared_at_both_ends_of_what_it_may_be_worth(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    whole = hand_in_samples({one: ["0"] for one in problems}, model="Whole")
    made = hand_in_samples({one: ["0"] for one in problems}, model="Not", is_graded=False)
    failed, waiting, *rest = made.attempts.order_by("pk")
    fail(failed)
    for one in rest:
        grade_attempt(one.pk)
    assert waiting.is_waiting
    client.force_login(evaluator)
    for two, ends in (((whole, made), (-40, 0)), ((made, whole), (0, 40))):
        found = compare_submissions(*two)
        assert not found.left_out
        assert (found.lower.count, found.graded.count, found.left_open) == (5, 3, 2)
        assert found.accuracy.ends == found.eed.ends == pytest.approx(ends)
        assert found.accuracy.is_open
        own = found.means["accuracy"][two.index(made)]
        assert own == (0, 40)
        page = read(client, address_of(two))
        assert "over 5 problems that both were given" in page
        assert "An answer of one of the two to 1 problem is not graded yet." in page
        assert "We could not grade an answer of one of the two to 1 problem." in page
        assert (found.waiting, found.failed) == (1, 1)
        assert "3 of 3 problems that are graded for both" in page
        assert "Right and wrong, at the low end" in page


def test_several_answers_to_a_problem_are_averaged_and_what_is_lacking_counts_0(
    problems: list[Problem], hand_in_samples: HandInSamples
) -> None:
    several = hand_in_samples(
        {problems[0]: ["m g h", "m g h", "0", "0"], problems[1]: [r"\frac{a}{b}"] * 3}, model="S"
    )
    once = hand_in_samples({one: ["0"] for one in problems}, model="Once")
    found = compare_submissions(several, once)
    assert not found.is_single
    # Half is not more than half; three of four are, one of them lacking.
    assert [one.accuracies[0] for one in found.graded.problems] == [50, 75, 0, 0, 0]
    [table] = found.tables
    assert (table.first, table.neither) == (1, 4)


def test_of_two_versions_only_what_stayed_the_same_is_compared(
    problems: list[Problem],
    benchmark: Benchmark,
    contributor: User,
    reviewer: User,
    hand_in_samples: HandInSamples,
) -> None:
    first = hand_in_samples({one: ["0"] for one in problems}, model="Old")
    added = make_draft(contributor, benchmark, title="Problem 6", statement=STATEMENT, answer="x y")
    accept(added, contributor, reviewer)
    publish_version(benchmark)
    second = hand_in_samples({one: ["0"] for one in [*problems, added]}, model="New")
    assert first.version != second.version
    found = compare_submissions(first, second)
    assert found.graded.count == 5
    assert found.left_out == {LeftOut.ONLY_SECOND: 1}
    assert compare_submissions(second, first).left_out == {LeftOut.ONLY_FIRST: 1}


# --- The page -------------------------------------------------------------------------------


def test_the_page_says_the_figures_and_shows_answers_side_by_side(
    client: Client, pair: Pair, evaluator: User
) -> None:
    client.force_login(evaluator)
    page = read(client, address_of(pair))
    assert "First against Second" in page
    assert "over 5 problems that both were given" in page
    assert "They differ on 3 problems: only First is right on 1, only Second on 2." in page
    assert "A Bayesian interval for paired proportions" in page
    assert "there are fewer than 15 problems" in page
    for one in pair:
        for attempt in one.attempts.all():
            assert f'href="{attempt.get_absolute_url()}"' in page


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", ["2", "1", "4", "3", "5"]),
        ("?sort=eed", ["5", "3", "1", "4", "2"]),
        ("?sort=id", ["1", "2", "3", "4", "5"]),
        ("?show=SECOND&sort=-id", ["5", "3"]),
        ("?show=what&sort=none", ["2", "1", "4", "3", "5"]),
    ],
)
def test_problems_are_sorted_by_difference_and_narrowed_by_who_is_right(
    client: Client, pair: Pair, problems: list[Problem], evaluator: User, asked: str,
    found: list[str],
) -> None:  # fmt: skip
    client.force_login(evaluator)
    table = read(client, address_of(pair, "comparison_csv") + asked)
    names = {one.identifier: one.title[-1] for one in problems}
    assert [names[row["id"]] for row in csv.DictReader(io.StringIO(table))] == found


def test_it_takes_as_many_queries_for_many_problems_as_for_one(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    client.force_login(evaluator)
    few = [hand_in_samples({problems[0]: ["0"]}, model=f"few {n}") for n in range(2)]
    many = [hand_in_samples({o: ["0", "1"] for o in problems}, model=f"m {n}") for n in range(2)]
    for name in ("comparison", "comparison_csv"):
        one, all_of_them = (
            count_queries(client, address_of((two[0], two[1]), name)) for two in (few, many)
        )
        assert one == all_of_them


def test_the_other_is_chosen_on_the_page_of_a_submission(
    client: Client, pair: Pair, evaluator: User
) -> None:
    client.force_login(evaluator)
    first, second = pair
    assert f'<option value="{second.pk}">' in read(client, first.get_absolute_url())
    address = reverse("grading:choose_comparison", args=[first.pk])
    assert client.get(address, {"other": second.pk})["Location"] == address_of(pair)
    for nothing in ("", "x", "²"):
        answer = client.get(address, {"other": nothing})
        assert answer["Location"] == first.get_absolute_url()
    for wrong in (first.pk, 7_000_000, 10**30):
        assert client.get(address, {"other": wrong}).status_code == 404


# --- Whose it is ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["comparison", "comparison_csv"])
def test_one_compares_only_what_one_may_see_both_of(
    client: Client, pair: Pair, problems: list[Problem], hand_in_samples: HandInSamples, name: str
) -> None:
    stranger = make_person("EVALUATOR", "stranger")
    own = hand_in_samples({problems[0]: ["0"]}, model="Own", by=stranger)
    client.force_login(stranger)
    for two in (pair, (own, pair[0]), (pair[0], own), (own, own)):
        assert client.get(address_of(two, name)).status_code == 404


@pytest.mark.parametrize("name", ["comparison", "comparison_csv"])
def test_who_compares_was_told_the_verdicts_of_both(
    client: Client, pair: Pair, evaluator: User, name: str
) -> None:
    client.force_login(evaluator)
    read(client, address_of(pair, name) + "?show=BOTH")
    told = set(
        Exposure.objects.filter(person=evaluator, part="VERDICT").values_list("revision", flat=True)
    )
    assert told == {at.revision_id for one in pair for at in one.attempts.all()}
