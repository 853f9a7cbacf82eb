"""Best of k, and the vote of k over answers that are equal: counted by hand."""

import csv
import doctest
import re

import pgtrigger
import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.answers.runs.models import GradingRun
from grading.board.scaling import figures, sorting
from grading.board.scaling.figures import KEPT, SCALING, Curves
from grading.board.scaling.models import AnswerSorting
from grading.board.scaling.tasks import SORTING
from grading.board.scores.collecting import arrange
from grading.board.scores.requests import find_scope
from grading.board.scores.scope import Scope
from phybench.work.models import Priority
from phybench_grader.verdict.clusters import group_answers
from tests.boards import NOT_GRADED, add_model, make_scored_board
from tests.grading.scaling.answering import hand_in_samples
from tests.memory import remembered
from tests.work import sort_answers, work_out_analyses

pytestmark = pytest.mark.django_db
ADDRESS = "/b/test/scaling/"


@pytest.fixture
@remembered
def several(problems, benchmark, evaluator):
    """
    Four answers a problem. Of the first two wrong ones say the same, and two are right.

    Of the second three wrong ones say the same in other words; the third can't be read twice.
    """
    return hand_in_samples(
        benchmark,
        evaluator,
        {
            problems[0]: ["m g h", "h g m", "2 m g h", r"m g h + m g h"],
            problems[1]: [r"\frac{a}{b}", r"\frac{b}{a}", r"b a^{-1}", r"\frac{2b}{2a}"],
            problems[2]: [r"\frac{x", r"\frac{x", "m g", "m g + 0"],
            problems[3]: ["x + y"] * 4,
            problems[4]: ["0", "1", "2", "3"],
        },
    )


def work_out(scope: Scope) -> Curves:
    [curves] = KEPT.validate_python(SCALING.work_out(arrange(scope))).rows.values()
    return curves


def means(points) -> list[float]:
    return [round(one.mean.value, 2) for one in points]


def test_best_of_k_and_vote_are_those_counted_by_hand(several, benchmark):
    first = work_out(find_scope(benchmark))
    # Of four answers right: two, one, none, four, none.
    assert means(first.pass_at) == [35.0, round(100 * (5 / 6 + 0.5 + 1) / 5, 2), 55.0, 60.0]
    assert (first.vote, first.to_sort, first.sorted_problems) == ([], 4, 0)

    sort_answers()
    curves = work_out(find_scope(benchmark))
    # Of four: a tie of two and two, three wrong ones against one, none right, all, none.
    assert means(curves.vote)[0] == 35.0
    assert means(curves.vote)[3] == round(100 * (0.5 + 0 + 0 + 1 + 0) / 5, 2)
    assert (curves.compared, curves.not_compared) == (11, 0)


def test_equal_wrong_answers_are_one_group_in_whatever_words(several, problems):
    work_out(find_scope(problems[0].benchmark))
    sort_answers()
    sizes = {
        row.revision.problem_id: sorted(map(len, row.groups))
        for row in AnswerSorting.objects.select_related("revision")
    }
    assert sizes == {
        problems[0].pk: [2],
        problems[1].pk: [3],
        problems[2].pk: [2],
        problems[4].pk: [1, 1, 1, 1],
    }


def test_answers_are_sorted_once_and_when_nothing_else_is_to_be_done(several, benchmark):
    work_out(find_scope(benchmark))
    work_out(find_scope(benchmark))
    assert AnswerSorting.objects.count() == 4
    assert set(AnswerSorting.objects.values_list("priority", flat=True)) == {Priority.IDLE}


def test_what_is_sorted_never_changes(several, benchmark):
    work_out(find_scope(benchmark))
    sort_answers()
    for change in (
        lambda: AnswerSorting.objects.update(groups=[]),
        lambda: AnswerSorting.objects.update(done_at=None),
        lambda: AnswerSorting.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


def test_what_takes_too_long_stands_apart_and_is_said(problems, benchmark, evaluator, settings):
    slow = "+".join(rf"\sin(\frac{{a^{n}}}{{b + {n}}})\arctan(b-{n}a)" for n in range(2, 30))
    answers = [f"{slow} + {number}" for number in range(10)]
    hand_in_samples(benchmark, evaluator, {problems[0]: answers})
    settings.KEY_CHECK_DEADLINE_SECONDS = 0.01
    work_out(find_scope(benchmark))
    sort_answers()
    curves = work_out(find_scope(benchmark))
    assert (curves.compared, curves.not_compared) == (10, 10)
    assert AnswerSorting.objects.get().stopped == "timeout"


def test_what_takes_worker_after_worker_is_left_apart(several, benchmark):
    work_out(find_scope(benchmark))
    row = SORTING.claim()
    sorting.give_up(row)
    row.refresh_from_db()
    assert (row.stopped, row.not_compared > 0, row.done_at is not None) == (
        "worker_lost",
        True,
        True,
    )


def test_a_group_that_may_equal_another_says_so():
    assert [one.is_open for one in group_answers(["m g", "m g h"])] == [False, False]


def test_points_end_where_most_problems_have_no_more_answers(problems):
    rows = [[100.0, 0.0, 0.0, 0.0]] * 18 + [[100.0, 0.0]] * 2
    made = make_scored_board({"Several": rows}, slug="several")
    curves = work_out(Scope.of(made.version))
    # 18 of 20 are no more than 90 %.
    assert (curves.samples, curves.most) == (4, 2)
    # What was not given counts 0: it is drawn, too.
    assert means(curves.pass_at) == [25.0, 50.0]


def test_what_we_could_not_grade_is_left_out_and_said():
    made = make_scored_board({"Several": [[100.0, NOT_GRADED]] * 2 + [[0.0, 0.0]] * 8})
    curves = work_out(Scope.of(made.version))
    assert curves.ungraded == 2
    assert [(one.mean.value, one.left_out) for one in curves.pass_at] == [(20.0, 0), (0.0, 2)]


def test_solvers_with_one_answer_are_counted_and_not_shown(client):
    made = make_scored_board({"Several": [[100.0, 0.0]] * 6, "One": [[0.0]] * 6}, slug="test")
    client.get(ADDRESS)
    work_out_analyses()
    page = client.get(ADDRESS)
    assert "1 with one answer per problem is not shown" in page.text
    assert [row.name for row in page.context["rows"]] == ["Several"]
    assert made


def test_a_curve_by_itself_stands_on_the_ticks(client):
    make_scored_board({"Several": [[100.0, 0.0]] * 6}, slug="test")
    client.get(ADDRESS)
    work_out_analyses()
    picture = client.get(client.get(ADDRESS).context["picture"].address).text
    ticks = re.findall(r'class="muted small middle" x="([\d.]+)"', picture)[:2]
    assert re.findall(r'cx="([\d.]+)"', picture) == ticks


def test_page_file_and_picture_say_the_same(client: Client, several, benchmark):
    assert "being calculated" in client.get(ADDRESS).text
    assert client.get(reverse("scaling_csv", args=["test"])).status_code == 503
    work_out_analyses()
    assert "wrong answers compared on 0 of 4 problems" in client.get(ADDRESS).text
    assert "There is no vote to draw yet" in client.get(f"{ADDRESS}?figure=vote").text
    sort_answers()
    # Once all are sorted the page asks anew, and shows what was before meanwhile.
    assert "use earlier scores" in client.get(ADDRESS).text
    work_out_analyses()
    page = client.get(f"{ADDRESS}?figure=vote")
    assert "from 35.0 with one answer to 30.0 with 4" in page.text
    picture = client.get(page.context["picture"].address)
    assert picture["Content-Type"] == "image/svg+xml"
    [*rows] = csv.DictReader(client.get(reverse("scaling_csv", args=["test"])).text.splitlines())
    assert (rows[0]["k"], rows[0]["pass"]) == ("1", "35.00")
    assert rows[3]["vote"] == "30.00"


def test_votes_come_also_where_answers_of_fewer_problems_were_sorted_before(
    client: Client, several, benchmark
):
    """As of one domain, which somebody looked at first."""
    work_out(find_scope(benchmark))
    run = GradingRun.objects.get_adopted(benchmark.pk)
    first = list(AnswerSorting.objects.values_list("submission", "revision")[:1])
    with pgtrigger.ignore("grading.AnswerSorting:sorting_stays"):
        AnswerSorting.objects.all().delete()
    sorting.queue(run, first)
    sort_answers()
    client.get(ADDRESS)
    work_out_analyses()
    assert "wrong answers compared on 1 of 4 problems" in client.get(ADDRESS).text
    sort_answers()
    client.get(ADDRESS)
    work_out_analyses()
    assert "from 35.0 with one answer" in client.get(f"{ADDRESS}?figure=vote").text


def test_page_takes_as_many_queries_for_any_solvers(client, django_assert_max_num_queries):
    made = make_scored_board({"M0": [[100.0, 0.0]] * 6}, slug="test")
    counts = []
    for more in (0, 2):
        for number in range(more):
            add_model(made, f"N{number}", [[100.0, 0.0]] * 6)
        client.get(ADDRESS)
        work_out_analyses()
        with django_assert_max_num_queries(40) as queries:
            assert len(client.get(ADDRESS).context["rows"]) == 1 + more
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_withdrawn_submission_is_on_no_page_and_its_answers_stay_sorted(
    client, several, benchmark
):
    work_out(find_scope(benchmark))
    sort_answers()
    type(several).objects.filter(pk=several.pk).update(withdrawn_at=timezone.now())
    client.get(ADDRESS)
    work_out_analyses()
    assert (
        "No solver on this board answered the problems more than once" in client.get(ADDRESS).text
    )
    assert AnswerSorting.objects.exclude(done_at=None).count() == 4


def test_empty_benchmark_says_what_will_be_here(client, benchmark):
    assert "No version is published yet" in client.get(ADDRESS).text


def test_examples_in_docstrings_hold():
    assert doctest.testmod(figures).failed == 0
