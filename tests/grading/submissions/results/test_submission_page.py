"""The page of a submission: rows by problem, what narrows them, what it says while it grades."""

import re
from urllib.parse import urlencode

import pgtrigger
import pytest
from django.test import Client
from django.utils import timezone

from curation.problems.exposures.models import Exposure
from curation.problems.models import Difficulty, PhysicsField, Problem
from grading.answers.models import Attempt, Grade
from grading.answers.submissions.models import Submission
from grading.answers.tallies.collected import collect
from grading.board.results.breakdown import Breakdown, break_down
from grading.submissions.results import reasons
from grading.submissions.results.progress import Pace, measure_progress
from grading.submissions.results.rows import (
    describe_page,
    list_problems,
    list_samples,
    with_score,
)
from phybench.people.models import User
from phybench_grader.numbers.sentences import REFUSALS
from tests.addresses import client_of
from tests.conftest import make_person
from tests.grading.answers.test_views import HTMX, count_queries, read
from tests.grading.submissions.samples import HandInSamples, fail, grade_all
from tests.memory import remembered
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db

NEAR = r"2mg + 2m\frac{v_0^2}{l}"
"""46.7 of the third problem."""


@pytest.fixture
@remembered
def submission(problems: list[Problem], hand_in_samples: HandInSamples) -> Submission:
    """Two answers to each of three problems, one of them once; two problems have none."""
    return hand_in_samples(
        {
            problems[0]: ["m g h", r"\boxed{h g m}"],
            problems[1]: [r"\frac{a}{b}, \frac{b}{a}", "We can not tell."],
            problems[2]: [NEAR],
        }
    )


def list_rows(submission: Submission) -> list[tuple[str, float | None]]:
    progress = measure_progress(submission)
    found = with_score(list_problems(submission), submission, most=progress.most).order_by("pk")
    samples = list_samples(submission, [one.pk for one in found], most=progress.most)
    rows = describe_page(submission, found, samples)
    return [
        (" ".join(one.kind for one in row.samples), row.score and round(row.score, 1))
        for row in rows
    ]


def find_titles(client: Client, submission: Submission, **asked: object) -> list[str]:
    page = read(client, f"{submission.get_absolute_url()}?{urlencode(asked)}")
    table = page.partition('<table class="data results">')[2].partition("</table>")[0]
    return re.findall(r"Problem (\d)", table)


# --- Rows -----------------------------------------------------------------------------------


def test_each_problem_is_a_row_with_all_its_answers_and_what_is_missing(
    submission: Submission,
) -> None:
    assert list_rows(submission) == [
        ("CORRECT CORRECT", 100.0),
        ("UNREADABLE UNREADABLE", 0.0),
        # One of two answers is missing and counts 0.
        ("PARTIAL MISSING", 23.3),
        ("MISSING MISSING", 0.0),
        ("MISSING MISSING", 0.0),
    ]


def test_the_mean_of_the_rows_is_the_mean_of_the_submission(submission: Submission) -> None:
    progress = measure_progress(submission)
    scores = [score or 0.0 for _kinds, score in list_rows(submission)]
    assert sum(scores) / len(scores) == pytest.approx(progress.tally.eed.value, abs=0.05)


def test_what_waits_or_could_not_be_graded_has_no_score(
    problems: list[Problem], hand_in_samples: HandInSamples
) -> None:
    made = hand_in_samples(
        {problems[0]: ["m g h", "0"], problems[1]: ["0", "1"], problems[2]: [NEAR, NEAR]},
        is_graded=False,
    )
    first, second, third, fourth, *rest = made.attempts.order_by("pk")
    for one in (second, third, fourth):
        fail(one)
    for one in (first, rest[0]):
        grade_attempt(one.pk)
    assert list_rows(made)[:3] == [
        ("CORRECT FAILED", 100.0),
        ("FAILED FAILED", None),
        ("PARTIAL WAITING", None),
    ]


def test_the_answer_is_shown_as_most_of_the_samples_were_read(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    made = hand_in_samples({problems[0]: ["2 m", "m g h", "m g h"], problems[1]: [NEAR]})
    client.force_login(evaluator)
    page = read(client, made.get_absolute_url())
    assert r'data-tex="m\,g\,h"' in page
    assert r'data-tex="2\,m"' not in page
    assert "read this way in 2 of 3" in page


def test_each_answer_leads_to_its_page_and_is_told_in_words(
    client: Client, submission: Submission, evaluator: User
) -> None:
    client.force_login(evaluator)
    page = read(client, submission.get_absolute_url())
    for attempt in submission.attempts.all():
        assert f'href="{attempt.get_absolute_url()}"' in page
    for words in ("sample 1, correct", "sample 1, partial: 46.7", "sample 2, missing", "2 correct"):
        assert words in page


# --- What narrows them ----------------------------------------------------------------------


def test_problems_are_narrowed_and_sorted(
    client: Client, submission: Submission, problems: list[Problem], evaluator: User
) -> None:
    Problem.objects.update(domain=PhysicsField.MECHANICS, difficulty="")
    Problem.objects.filter(pk=problems[1].pk).update(domain=PhysicsField.OPTICS)
    Problem.objects.filter(pk=problems[0].pk).update(difficulty=Difficulty.OLYMPIAD)
    client.force_login(evaluator)
    expected: list[tuple[dict[str, object], str]] = [
        ({}, "23451"),
        ({"verdict": "CORRECT"}, "1"),
        ({"verdict": "PARTIAL"}, "3"),
        ({"verdict": "UNREADABLE"}, "2"),
        ({"verdict": "MISSING"}, "345"),
        ({"verdict": "FAILED"}, ""),
        ({"verdict": "WAITING"}, ""),
        ({"reason": "several"}, "2"),
        ({"reason": "timeout"}, ""),
        ({"least": 20}, "31"),
        ({"most": 0}, "245"),
        ({"least": 20, "most": 50}, "3"),
        ({"q": "problem 4"}, "4"),
        ({"q": "V_0^{2}"}, "3"),
        ({"domain": "OPTICS"}, "2"),
        ({"difficulty": "OLYMPIAD"}, "1"),
        # What is not understood is ignored.
        ({"verdict": "NONE", "least": "x", "domain": 7, "sort": "id"}, "12345"),
        ({"sort": "-eed", "least": 10}, "13"),
        ({"sort": "eed", "least": 10}, "31"),
        ({"sort": "-id"}, "54321"),
    ]
    found = [
        (asked, "".join(find_titles(client, submission, **asked))) for asked, _titles in expected
    ]
    assert found == expected


def test_a_problem_is_found_by_its_id(
    client: Client, submission: Submission, problems: list[Problem], evaluator: User
) -> None:
    client.force_login(evaluator)
    assert find_titles(client, submission, q=problems[3].identifier.lower()) == ["4"]


def test_reasons_are_counted_over_the_whole_submission_whatever_is_shown(
    client: Client, submission: Submission, evaluator: User
) -> None:
    client.force_login(evaluator)
    for asked in ("", "?verdict=CORRECT"):
        page = read(client, submission.get_absolute_url() + asked)
        assert re.search(r'several values <span class="number">1</span>', page)
    assert sorted(count for _why, count in measure_progress(submission).reasons) == [1, 1]


def test_every_reason_has_a_few_words() -> None:
    assert REFUSALS.keys() == reasons.UNREADABLE.keys()
    assert reasons.say("no_answer") == "no box"
    assert reasons.say("no_more_known") == "no_more_known"


# --- What it costs, and whose it is ----------------------------------------------------------


def test_it_takes_as_many_queries_for_many_answers_as_for_one(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    """With several samples there are more; `results/test_parts_of_the_page.py` counts these."""
    client.force_login(evaluator)
    few = hand_in_samples({problems[0]: ["m g h"]}, model="few")
    many = hand_in_samples({one: ["m g h"] for one in problems[:3]}, model="many")
    client.get(few.get_absolute_url())  # has the board worked out
    for asked in ("", "?verdict=CORRECT&q=m&reason=&least=1"):
        one, three = (
            count_queries(client, each.get_absolute_url() + asked) for each in (few, many)
        )
        assert one == three


def test_who_reads_it_was_told_the_verdicts(
    client: Client, submission: Submission, evaluator: User
) -> None:
    client.force_login(evaluator)
    # What is narrowed away is told by the figures and the counts.
    read(client, submission.get_absolute_url() + "?verdict=FAILED")
    told = Exposure.objects.filter(person=evaluator, part="VERDICT").values_list("revision")
    assert {pk for (pk,) in told} == {one.revision_id for one in submission.attempts.all()}


def test_a_stranger_finds_no_such_page(client: Client, submission: Submission) -> None:
    client.force_login(make_person("EVALUATOR", "stranger"))
    assert client.get(submission.get_absolute_url()).status_code == 404


# --- While it goes on, and what is provisional ------------------------------------------------


def test_it_says_how_fast_it_goes_and_how_long_it_will_take(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    client.force_login(evaluator)
    made = hand_in_samples({one: ["0", "1"] for one in problems[:3]}, is_graded=False)
    assert measure_progress(made).pace is None
    for attempt in made.attempts.all()[:2]:
        grade_attempt(attempt.pk)
    pace = measure_progress(made).pace
    assert pace
    assert (pace.done, pace.waiting) == (2, 4)
    page = read(client, made.get_absolute_url(), **HTMX)
    assert re.search(r"2 of 6 answers graded\.\s+\d+ a minute, less than a minute left\.", page)
    assert 'hx-swap-oob="true"' in page
    grade_all(made)
    assert measure_progress(made).pace is None


def find_figures(page: str) -> dict[str, str]:
    found = re.findall(r"<dt>(.+?)</dt><dd>(.*?)</dd>", page)
    return {name: re.sub("<[^>]*>", "", said) for name, said in found}


def test_while_answers_wait_a_mean_is_where_it_can_lie_and_nothing_is_quoted(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    client.force_login(evaluator)
    made = hand_in_samples({problems[0]: ["m g h"], problems[1]: ["0"]}, is_graded=False)
    first, second = made.attempts.order_by("pk")
    grade_attempt(first.pk)
    # One of five is right, three are missing, and one waits.
    for status in ("QUEUED", "CANCELLED"):
        Attempt.objects.filter(pk=second.pk).update(status=status)
        figures = find_figures(read(client, made.get_absolute_url()))
        assert [figures[name] for name in ("Mean EED", "Accuracy, %")] == ["20.0–40.0"] * 2


def test_of_nothing_at_all_there_is_no_range(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    client.force_login(evaluator)
    made = hand_in_samples({one: ["0"] for one in problems}, is_graded=False)
    assert find_figures(read(client, made.get_absolute_url()))["Mean EED"] == "–"


@pytest.mark.parametrize(
    ("pace", "a_second", "minutes"),
    [
        (Pace(720, 60.0, 1200), 12, 2),
        (Pace(60, 60.0, 61), 1, 2),
        (Pace(60, 60.0, 59), 1, 0),
        (Pace(2, 5.0, 6), 0.4, 0),
    ],
)
def test_the_time_left_is_what_waits_over_the_pace(
    pace: Pace, a_second: float, minutes: int
) -> None:
    assert (pace.a_second, pace.minutes_left) == (a_second, minutes)


def test_what_was_graded_long_ago_makes_no_pace(
    problems: list[Problem], hand_in_samples: HandInSamples
) -> None:

    made = hand_in_samples({problems[0]: ["0"], problems[1]: ["1"]})
    with pgtrigger.ignore("grading.Grade:grade_is_append_only"):
        Grade.objects.update(created_at=timezone.now() - timezone.timedelta(minutes=5))
    last = made.attempts.latest("pk")
    with pgtrigger.ignore("grading.Attempt:failed_attempt_has_no_grade"):
        Attempt.objects.filter(pk=last.pk).update(status="QUEUED")
    assert measure_progress(made).pace is None


def test_answers_of_others_that_are_ahead_are_counted(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    client.force_login(evaluator)
    hand_in_samples({problems[0]: ["0", "1"]}, model="Earlier", is_graded=False)
    made = hand_in_samples({problems[0]: ["0"]}, is_graded=False)
    assert "2 answers are ahead of yours." in read(client, made.get_absolute_url())


def test_what_we_could_not_grade_makes_the_score_provisional(
    client: Client, problems: list[Problem], hand_in_samples: HandInSamples, evaluator: User
) -> None:
    client.force_login(evaluator)
    made = hand_in_samples({one: ["0"] for one in problems}, is_graded=False)
    fail(made.attempts.earliest("pk"))
    grade_all(made)
    page = read(client, made.get_absolute_url())
    assert '<span class="nowrap">0.0–20.0</span>' in page
    assert "we could not grade 1 answer" in page
    assert "too many for a rank" in page
    assert re.search(r'out of time <span class="number">1</span>', page)
    assert collect([made])[made.pk].counts["FAILED"] == 1


def sum_up(submission: Submission) -> Breakdown:
    problems = list(list_problems(submission))
    return break_down(submission, measure_progress(submission).answers, problems)


def test_a_graded_submission_is_summed_up_by_domain_and_difficulty_and_by_samples(
    problems, submission, evaluator
):
    Problem.objects.filter(pk=problems[0].pk).update(domain=PhysicsField.OPTICS)
    client = client_of(evaluator)
    found = sum_up(submission)
    rest, optics = found.domains
    assert (rest.name, rest.problems, optics.name, optics.problems) == ("mechanics", 4, "optics", 1)
    assert optics.tally.accuracy.value == 100.0
    assert rest.tally.accuracy.value == 0.0, "what has no answer counts 0"
    assert sum(one.problems for one in found.difficulties) == 5
    one, both = found.samples.lines
    assert (one.samples, both.samples) == (1, 2)
    assert one.pass_at.value == measure_progress(submission).tally.accuracy.value == 20.0
    assert both.best_eed.value > one.best_eed.value
    page = read(client, submission.get_absolute_url())
    assert "optics" in page
    assert "pass@k" in page
    with pgtrigger.ignore():
        submission.attempts.filter(revision__problem=problems[0]).update(status="QUEUED")
    assert "pass@k" not in read(client, submission.get_absolute_url()), "not while it goes on"


def test_parts_and_the_whole_count_what_is_missing_alike(problems, submission):
    """The third problem has one answer where others have two: as a domain of its own, too."""
    Problem.objects.filter(pk=problems[2].pk).update(domain=PhysicsField.MODERN)
    progress = measure_progress(submission)
    parts = sum_up(submission).domains
    assert [part.problems for part in parts] == [4, 1]
    weighed = sum(part.problems * part.tally.eed.value for part in parts) / 5
    assert weighed == pytest.approx(progress.tally.eed.value)


def test_one_answer_to_each_problem_has_no_table_of_samples(problems, hand_in_samples):
    submission = hand_in_samples({problems[0]: ["m g h"]})
    assert sum_up(submission).samples is None
