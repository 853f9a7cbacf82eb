"""Two of a board beside each other, for everybody: figures of both, none of a single problem."""

import csv
import io
import re

import pgtrigger
import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers.models import Attempt, Grade
from grading.answers.submissions.models import Submission
from grading.board.compare.views import HEADER
from grading.submissions import publication
from phybench_grader.statistics.intervals import Method
from phybench_grader.statistics.paired import find_bayes
from tests.grading.answers.test_views import count_queries, read
from tests.grading.compare.conftest import RIGHT, SIMILAR, WRONG, Answer, Stand, make_problem
from tests.memory import remembered

pytestmark = pytest.mark.django_db

Pair = tuple[Submission, Submission]


@pytest.fixture
@remembered
def pair(stand: Stand) -> Pair:
    """The first has eight problems right of sixteen, the second four, and is similar on one."""
    return stand("Alpha", 8), stand("Beta", 4, answers={5: SIMILAR})


def address_of(pair: tuple[object, object], name: str = "compare", **query: str) -> str:
    values = [str(one.solver_id) if isinstance(one, Submission) else str(one) for one in pair]
    asked = {"a": values[0], "b": values[1], **query}
    return reverse(name, args=["test"]) + "?" + "&".join(f"{k}={v}" for k, v in asked.items())


def rows_of(client: Client, *arguments: object, **query: str) -> list[dict[str, str]]:
    text = read(client, address_of((arguments[0], arguments[1]), "compare_csv", **query))
    return list(csv.DictReader(io.StringIO(text)))


def words(page: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", page).split())


# --- Two models -----------------------------------------------------------------------------


def test_a_visitor_reads_means_difference_interval_method_and_chance(
    client: Client, pair: Pair
) -> None:
    page = client.get(address_of(pair))
    text = words(page.text)
    assert "Alpha against Beta" in text
    assert "Compared on 16 problems that both were given" in text
    assert "50.0" in text
    assert "+25.0" in text
    assert "A Bayesian interval for paired proportions" in text
    assert "only Alpha is right on 4, only Beta on 0" in text
    assert "12.5 % of comparisons (McNemar’s exact test)" in text
    assert "a difference this large would occur by chance in" in text
    assert "would be detected in 4 of 5 comparisons" in text
    found = page.context["comparison"]
    assert (found.accuracy.method, found.eed.method) == (Method.BAYES, Method.STUDENT)
    assert found.eed.is_rough


def test_the_file_has_both_metrics_over_all_and_over_parts(client: Client, pair: Pair) -> None:
    rows = rows_of(client, *pair)
    assert list(rows[0]) == HEADER
    whole = {row["metric"]: row for row in rows if row["part"] == "ALL"}
    assert (whole["accuracy"]["difference"], whole["accuracy"]["method"]) == ("25.0", "BAYES")
    assert whole["accuracy"]["probability"] == "0.125"
    assert {row["part"] for row in rows} == {"ALL", "DOMAIN", "DIFFICULTY", "LENGTH"}


def test_to_swap_the_two_turns_signs_round(client: Client, pair: Pair) -> None:
    there, back = rows_of(client, *pair), rows_of(client, *pair[::-1])
    for one, other in zip(there, back, strict=True):
        if one["difference"]:
            assert float(one["difference"]) == -float(other["difference"])
    assert f'href="?version=1&amp;a={pair[1].solver_id}&amp;b={pair[0].solver_id}"' in read(
        client, address_of(pair)
    )


def test_a_permalink_names_the_version_so_that_it_shows_the_same_later(
    client: Client, pair: Pair
) -> None:
    page = client.get(address_of(pair))
    assert page.context["query"] == f"version=1&a={pair[0].solver_id}&b={pair[1].solver_id}"


def test_what_we_could_not_grade_is_compared_at_0_and_at_100(client: Client, stand: Stand) -> None:
    first, second = stand("Alpha", 16, not_graded=2), stand("Beta", 0)
    page = client.get(address_of((first, second)))
    text = words(page.text)
    assert "Compared on 16 problems" in text
    assert "We could not grade an answer of one of the two to 2 problems." in text
    assert "from such answers of Alpha at 0 and those of Beta at 100, to the reverse" in text
    # 14 of 16, or all of them.
    assert "87.5–100.0" in text
    assert "+87.5 to +100.0" in text
    assert "provisional" in text
    assert "could not tell which is better" not in text
    found = page.context["comparison"].accuracy
    assert found.low == find_bayes(14, 0, 16)[0] * 100
    assert found.high == find_bayes(16, 0, 16)[1] * 100
    [row] = [one for one in rows_of(client, first, second) if one["metric"] == "accuracy"][:1]
    assert (row["problems"], row["not_graded"], row["difference"]) == ("16", "2", "")
    assert (row["difference_from"], row["difference_to"]) == ("87.5", "100.0")
    assert (row["first_mean"], row["first_from"], row["first_to"]) == ("", "87.5", "100.0")
    assert (row["second_mean"], row["higher"]) == ("0.0", "FIRST")
    assert float(row["low"]) == pytest.approx(found.low, abs=0.01)
    assert float(row["high"]) == pytest.approx(found.high, abs=0.01)


def test_a_sign_that_depends_on_what_we_could_not_grade_is_not_told(
    client: Client, stand: Stand
) -> None:
    first = stand("Alpha", 10, not_graded=4)
    second = stand("Beta", 12)
    text = words(read(client, address_of((first, second))))
    assert "−12.5 to +12.5" in text
    assert "could not tell which is better" in text
    rows = rows_of(client, first, second)
    assert {one["higher"] for one in rows if one["part"] == "ALL"} == {"CAN_NOT_TELL"}
    assert [one["probability"] for one in rows if one["part"] == "ALL"] == ["1", "1"]
    there, back = rows[0], rows_of(client, second, first)[0]
    assert float(there["difference_from"]) == -float(back["difference_to"])
    assert float(there["low"]) == -float(back["high"])


def test_right_and_wrong_is_shown_at_both_ends(client: Client, stand: Stand) -> None:
    text = words(read(client, address_of((stand("Alpha", 16, not_graded=2), stand("Beta", 4)))))
    assert (
        "With the ungraded answers of Alpha counted wrong and those of Beta counted right" in text
    )
    assert "only Alpha is right on 10, only Beta on 0" in text
    assert (
        "With the ungraded answers of Alpha counted right and those of Beta counted wrong" in text
    )
    assert "only Alpha is right on 12, only Beta on 0" in text


def test_no_figure_is_of_what_is_graded_alone(client: Client, stand: Stand) -> None:
    """Beside Beta's mean over all problems it would tell whether Beta solved the one left out."""
    first = stand("Alpha", 16, not_graded=1)
    for name, answers in (("Beta", {15: RIGHT}), ("Gamma", {15: WRONG})):
        rows = rows_of(client, first, stand(name, 8, answers=answers))
        [row] = [one for one in rows if one["part"] == "ALL" and one["metric"] == "accuracy"]
        right = 9 if name == "Beta" else 8
        assert float(row["second_mean"]) == pytest.approx(100 * right / 16, abs=0.01)
        assert float(row["difference_from"]) == pytest.approx(100 * (15 - right) / 16, abs=0.01)


def test_who_hands_in_what_we_can_not_grade_but_for_few_problems_learns_nothing_of_these(
    client: Client, stand: Stand
) -> None:
    first = stand("Alpha", 3)
    for left in (1, 4):
        second = stand(f"Beta {left}", 0, not_graded=16 - left)
        assert "No figures are shown" in words(read(client, address_of((first, second))))
        assert rows_of(client, first, second) == []
        assert client.get(address_of((first, second), "compare_svg")).status_code == 404
    enough = stand("Gamma", 0, not_graded=11)
    assert rows_of(client, first, enough)[0]["problems"] == "16"


def test_nothing_is_compared_while_answers_are_graded_again(client: Client, pair: Pair) -> None:
    Attempt.objects.filter(submission=pair[0]).update(status="QUEUED", tries=1)
    text = words(read(client, address_of(pair)))
    assert "16 answers of Alpha are being graded again." in text
    assert rows_of(client, *pair) == []
    assert client.get(address_of(pair, "compare_svg")).status_code == 404


# --- Parts ----------------------------------------------------------------------------------


def test_parts_say_how_many_problems_and_have_no_interval_below_fifteen(
    client: Client, pair: Pair
) -> None:
    parts = {
        (row["part"], row["value"]): row
        for row in rows_of(client, *pair)
        if row["metric"] == "accuracy"
    }
    mechanics = parts["DOMAIN", "MECHANICS"]
    assert (mechanics["problems"], mechanics["difference"], mechanics["method"]) == (
        *("10", "40.0", "FEW"),
    )
    assert (mechanics["low"], mechanics["probability"]) == ("", "")
    assert parts["LENGTH", "short"]["problems"] == "6"


def test_of_few_problems_nothing_is_told_nor_of_what_they_are_the_rest(
    client: Client, pair: Pair
) -> None:
    """One problem is of modern physics: with mechanics and optics it would be known."""
    rows = {row["value"]: row for row in rows_of(client, *pair) if row["part"] == "DOMAIN"}
    assert {value: row["method"] for value, row in rows.items()} == {
        "MECHANICS": "FEW",
        "OPTICS": "WITHHELD",
        "MODERN": "WITHHELD",
    }
    assert (rows["MODERN"]["first_mean"], rows["MODERN"]["difference"]) == ("", "")
    text = words(read(client, address_of(pair)))
    assert "“Not shown” means parts with fewer than 5 problems" in text


@pytest.mark.parametrize(
    "narrowed",
    [
        {"domain": "MODERN"},
        {"domain": "OPTICS"},
        {"domain": "MODERN", "difficulty": "OLYMPIAD"},
        {"domain": "ADVANCED"},
    ],
)
def test_an_address_that_narrows_to_few_problems_shows_no_figures(
    client: Client, pair: Pair, narrowed: dict[str, str]
) -> None:
    text = words(read(client, address_of(pair, **narrowed)))
    assert "No figures are shown for these problems" in text
    assert "Right and wrong" not in text
    assert rows_of(client, *pair, **narrowed) == []
    assert client.get(address_of(pair, "compare_svg", **narrowed)).status_code == 404


def test_a_domain_of_enough_problems_is_compared_by_itself(
    client: Client, stand: Stand, problems: list[Problem], benchmark: Benchmark
) -> None:
    """Of ten problems nobody reads on how many both are right: all pairs would tell on which."""
    problems += [make_problem(benchmark, 16 + number, "OPTICS") for number in range(10)]
    both = stand("Alpha", 8), stand("Beta", 4)
    rows = rows_of(client, *both, domain="OPTICS")
    assert rows[0]["problems"] == "15"
    assert {row["part"] for row in rows} == {"ALL", "DIFFICULTY"}
    assert rows_of(client, *both, domain="MECHANICS") == []
    assert "Right and wrong" not in read(client, address_of(both, domain="MECHANICS"))


def test_that_some_of_many_parts_differ_by_chance_is_said(
    client: Client, stand: Stand, problems: list[Problem], benchmark: Benchmark
) -> None:
    problems += [make_problem(benchmark, 16 + number, "OPTICS") for number in range(16)]
    odd = dict.fromkeys(range(1, 32, 2), RIGHT)
    both = stand("Alpha", 0, answers=odd), stand("Beta", 0)
    text = words(read(client, address_of(both, metric="accuracy")))
    assert "2 parts are compared here. Even without any difference, one part in 20" in text
    assert "significant" in text
    rows = {row["value"]: row for row in rows_of(client, *both) if row["metric"] == "accuracy"}
    assert {value: row["stands_out"] for value, row in rows.items() if row["probability"]} == {
        "": "",
        "OPTICS": "yes",
        "OLYMPIAD": "yes",
    }


@pytest.mark.parametrize("lengths", [[0] + [100] * 15, [100] * 7 + [200] * 8 + [300]])
def test_thirds_by_length_are_not_told_if_they_leave_few_problems_over(
    client: Client, pair: Pair, problems: list[Problem], lengths: list[int]
) -> None:
    """One problem has no solution, or a longer one than all: the whole less the others is it."""
    with pgtrigger.ignore():
        for problem, length in zip(problems, lengths, strict=True):
            problem.revisions.update(solution="x" * length)
    assert "LENGTH" not in {row["part"] for row in rows_of(client, *pair)}


# --- What it tells of single problems -------------------------------------------------------


def test_no_page_names_a_problem(client: Client, pair: Pair, problems) -> None:
    page = read(client, address_of(pair))
    for problem in problems:
        assert problem.title not in page.replace("Problems", "")
        assert reverse("curation:problem", args=[problem.pk]) not in page
    for attempt in Attempt.objects.all():
        assert attempt.get_absolute_url() not in page


# --- Choosing -------------------------------------------------------------------------------


def test_without_a_choice_the_page_offers_one(client: Client, pair: Pair) -> None:
    text = read(client, reverse("compare", args=["test"]))
    assert "Choose two solvers." in text
    assert text.count(f'<option value="{pair[0].solver_id}">Alpha</option>') == 2
    # Nobody has answered in the app.
    assert 'value="people"' not in text


def test_a_board_of_one_has_nothing_to_compare(client: Client, stand: Stand) -> None:
    stand("Alpha", 8)
    text = read(client, reverse("compare", args=["test"]))
    assert "This board has fewer than two so far." in text
    assert 'id="compare-a"' not in text


def test_what_is_not_or_no_longer_on_the_board_is_said(
    client: Client, pair: Pair, evaluator
) -> None:
    hidden = 7_000_000
    assert "not on this board" in read(client, address_of((pair[0], hidden)))
    assert "not on this board" in read(client, address_of((pair[0], "<b>")))
    assert "These are the same." in read(client, address_of((pair[0], pair[0])))
    publication.withdraw(submission=pair[1], by=evaluator)
    assert "nothing" in read(client, address_of(pair)) or "fewer than two" in read(
        client, address_of(pair)
    )


def test_what_is_not_published_can_not_be_compared_even_by_its_own_people(
    client: Client, stand: Stand, evaluator
) -> None:
    shown = stand("Alpha", 8), stand("Beta", 8)
    secret = stand("Gamma", 16, is_published=False)
    client.force_login(evaluator)
    page = read(client, address_of((shown[0], secret)))
    assert "Gamma" not in page
    assert "not on this board" in page


def test_an_unknown_benchmark_is_not_found(client: Client) -> None:
    for name in ("compare", "compare_csv", "compare_svg", "contrasts", "contrasts_csv"):
        assert client.get(reverse(name, args=["nowhere"])).status_code == 404


# --- With people ----------------------------------------------------------------------------


def test_people_are_offered_from_five_on(client: Client, pair: Pair, answer: Answer) -> None:
    for number in range(4):
        answer(f"person-{number}", 12, range(2))
    assert 'value="people"' not in read(client, address_of(pair))
    assert "not on this board" in read(client, address_of((pair[0], "people")))
    answer("person-4", 12, range(2))
    option = '<option value="people">Other answers of people, without a clock, 5 people</option>'
    assert option in read(client, address_of(pair))


def test_people_and_problems_are_clusters(client: Client, pair: Pair, answer: Answer) -> None:
    for number in range(6):
        answer(f"person-{number}", 10 + number)
    page = client.get(address_of(("people", pair[0])))
    text = words(page.text)
    assert "Other answers of people, without a clock, 6 people against Alpha" in text
    assert "96 answers of 6 people to 16 problems" in text
    assert "with people and problems as clusters" in text
    found = page.context["comparison"].accuracy
    assert (found.method, found.lower.freedom, found.is_rough) == (Method.CLUSTERS, 5, True)
    # 10, 11, 12, 13, 14 and 15 of 16, less 8 of 16.
    assert found.value == pytest.approx(100 * (75 / 96 - 8 / 16))
    [back] = [one for one in rows_of(client, pair[0], "people") if one["part"] == "ALL"][1:]
    assert float(back["difference"]) == pytest.approx(-found.value, abs=0.01)
    assert (back["people"], back["method"]) == ("6", "CLUSTERS")


def test_peoples_answers_that_we_could_not_grade_are_compared_at_both_ends(
    client: Client, pair: Pair, answer: Answer
) -> None:
    for number in range(5):
        answer(f"person-{number}", 16 - number, not_graded=number == 0)
    text = words(read(client, address_of((pair[0], "people"))))
    assert "80 answers of 5 people to 16 problems" in text
    assert "We could not grade 1 of these answers" in text
    assert "−37.5 to −36.2" in text
    [row] = [one for one in rows_of(client, pair[0], "people") if one["part"] == "ALL"][1:]
    assert (row["higher"], row["not_graded"]) == ("SECOND", "1")
    assert (row["difference_from"], row["difference_to"]) == ("-37.5", "-36.25")
    assert float(row["low"]) < -37.5
    assert float(row["high"]) > -36.25


def test_beside_people_no_part_of_few_problems_is_told_nor_what_would_leave_few_over(
    client: Client, pair: Pair, answer: Answer
) -> None:
    """How many answered each problem is told, and so a mean over few tells which are right."""
    for number in range(5):
        answer(f"person-{number}", 12, range(number, 16))
    rows = rows_of(client, pair[0], "people")
    assert {row["method"] for row in rows if row["part"] != "ALL"} == {"WITHHELD"}
    assert rows_of(client, pair[0], "people", domain="MECHANICS") == []


def test_beside_people_parts_of_enough_problems_are_told(
    client: Client, stand: Stand, problems: list[Problem], benchmark: Benchmark, answer: Answer
) -> None:
    added = ["MECHANICS"] * 5 + ["OPTICS"] * 10 + ["MODERN"] * 14
    problems += [make_problem(benchmark, 16 + place, one) for place, one in enumerate(added)]
    model = stand("Alpha", 8)
    for number in range(5):
        answer(f"person-{number}", 12, range(45))
    rows = {row["value"]: row for row in rows_of(client, model, "people")}
    assert (rows["OPTICS"]["problems"], rows["OPTICS"]["people"]) == ("15", "5")
    assert rows["OPTICS"]["method"] == rows["HIGH_SCHOOL"]["method"] == "CLUSTERS"


def test_nothing_is_told_beside_people_who_answered_few_problems(
    client: Client, pair: Pair, answer: Answer
) -> None:
    """All answered the same one: the model's mean over it is its verdict."""
    for number in range(5):
        answer(f"person-{number}", 12, [7])
    assert rows_of(client, pair[0], "people") == []
    text = read(client, address_of((pair[0], "people")))
    assert "No figures are shown for these problems" in text


def test_a_model_without_grades_where_others_answered_tells_of_no_single_person(
    client: Client, stand: Stand, answer: Answer
) -> None:
    alone = stand("Alpha", 0, not_graded=11)
    answer("person-0", 3, range(5))
    for number in range(1, 5):
        answer(f"person-{number}", 12, range(5, 16))
    assert rows_of(client, alone, "people") == []


def test_before_versions_people_are_compared_on_what_the_model_was_asked(
    client: Client, stand: Stand, answer: Answer, problems: list[Problem]
) -> None:
    old = stand("Alpha", 16)
    with pgtrigger.ignore():
        Submission.objects.filter(pk=old.pk).update(version=None)
        Grade.objects.filter(attempt__revision__problem__in=problems[1::2]).delete()
        Attempt.objects.filter(revision__problem__in=problems[1::2]).delete()
        with connection.cursor() as cursor:
            # What is looked at when all is committed is looked at now, once.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    for number in range(5):
        answer(f"person-{number}", 8)
    rows = rows_of(client, old, "people", version="0")
    assert (rows[0]["problems"], rows[0]["first_mean"], rows[0]["second_mean"]) == (
        "8",
        "100.0",
        "50.0",
    )


# --- Effort, pictures, queries --------------------------------------------------------------


def test_tokens_and_time_are_means_of_what_is_recorded(client: Client, pair: Pair) -> None:
    assert "contain no tokens or times" in read(client, address_of(pair))
    with pgtrigger.ignore("grading.Attempt:answer_is_frozen"):
        some = pair[0].attempts.values("pk")[:4]
        Attempt.objects.filter(pk__in=some).update(tokens=3000, latency=12.5)
    text = words(read(client, address_of(pair)))
    assert "3,000 4 of 16 answers 12.5 s 4 of 16 answers" in text
    # Nobody called either of them here, and of the other nothing is known.
    assert text.count("not recorded") == 4


def test_the_picture_says_its_finding_and_is_drawn_for_phones_too(
    client: Client, pair: Pair
) -> None:
    page = read(client, address_of(pair))
    assert "Difference in mean EED, Alpha minus Beta: +" in page
    wide = client.get(address_of(pair, "compare_svg"))
    narrow = client.get(address_of(pair, "compare_svg", layout="narrow"))
    assert wide["Content-Type"] == "image/svg+xml"
    assert 'viewBox="0 0 1080' in wide.text
    assert 'viewBox="0 0 360' in narrow.text
    # All, and the parts of which figures are told.
    assert wide.text.count("<circle") + wide.text.count("<path") == 1 + 1 + 2 + 3


def test_it_takes_as_many_queries_for_many_models_and_answers_as_for_two(
    client: Client, pair: Pair, stand: Stand, answer: Answer
) -> None:
    names = ("compare", "compare_csv", "compare_svg")
    few = [count_queries(client, address_of(pair, name)) for name in names]
    for number in range(3):
        stand(f"Other {number}", number)
    for number in range(5):
        answer(f"person-{number}", 12)
    assert [count_queries(client, address_of(pair, name)) for name in names] == few
    with_people = (pair[0], "people")
    assert [count_queries(client, address_of(with_people, name)) for name in names] == few
