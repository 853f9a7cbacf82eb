"""What pages say of a panel: how many votes it carries, and whether it may rank."""

import json
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.board.judge_column import make_column
from grading.board.table import make_board
from grading.judging.calibration.collecting import collect
from grading.judging.judgements.models import Judgement
from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.prompts.configurations import Chosen
from grading.samples.labels import rulings
from phybench_grader.statistics.halves import is_for_choosing
from phybench_grader.statistics.panels import Beats
from tests.grading.judging.judging import (
    begin,
    grade_all,
    judge_well,
    make_document,
    read_id,
    reject_empty_answers,
    reply,
    skip_canaries,
    work_off,
)
from tests.grading.judging.test_lists import read_csv
from tests.grading.trials.trials import make_endpoint
from tests.memory import remembered
from tests.organisations import organisation_of, publish
from tests.versions import hand_in

pytestmark = pytest.mark.usefixtures("commits")
NAMES = ("one", "two", "three")
SAMPLES = 40


def begin_panel(submission, server=None, *, name="An endpoint"):
    endpoint = make_endpoint(server, name=name, offered=list(NAMES))
    judges = [Chosen(endpoint, name) for name in NAMES]
    document = make_document(endpoint, judges=[one.write(is_alone=False) for one in judges])
    return begin(submission, endpoint, document=document)


@pytest.fixture
def judge_panel(problems, evaluator, benchmark, admin):
    """
    Make a panel beside rulings that say right, or wrong, of twenty answers each.

    What it said is written down as it is here: `errs` tells of which answer which member errs, by
    their numbers.
    """

    def make(errs: Callable[[int, int], bool]) -> JudgeRun:
        name_problems(problems)
        rows = [
            {
                "id": problems[number % 5].identifier,
                "model": "A model",
                "repeat_index": number // 5,
                "model_answer": "m g h",
            }
            for number in range(SAMPLES)
        ]
        [made] = hand_in(
            organisation=organisation_of(evaluator),
            benchmark=benchmark,
            uploaded_by=evaluator,
            file_name="answers.json",
            content=json.dumps(rows).encode(),
        )
        grade_all(made)
        publish(made)
        run = begin_panel(made)
        names = [one["name"] for one in run.configuration.described_judges]
        run.items.exclude(canary="").delete()
        for number, item in enumerate(run.items.order_by("pk")):
            truth = number % 4 < 2
            given = [errs(number, place) is not truth for place in range(len(names))]
            write_votes(item, run.configuration, dict(zip(names, given, strict=True)))
            choice = "RIGHT" if truth else "WRONG"
            rulings.rule(attempt=item.attempt, by=admin, choice=choice, reason="It is.")
        return run

    return make


def name_problems(problems):
    """Name problems so that the first two are of the half that chooses, and no others."""
    names = [str(number) for number in range(1000, 1100)]
    choosing = filter(is_for_choosing, names)
    reporting = filter(lambda name: not is_for_choosing(name), names)
    for number, problem in enumerate(problems):
        problem.published_id = next(choosing if number < 2 else reporting)
        problem.save(update_fields=["published_id"])


def write_votes(item, configuration, given):
    is_right = sum(given.values()) > len(given) / 2
    JudgeItem.objects.filter(pk=item.pk).update(state="SCORED")
    Judgement.objects.create(
        item=item,
        round=1,
        configuration=configuration,
        attempt=item.attempt,
        status="SCORED",
        verdict={"is_correct": is_right},
        is_right=is_right,
        value=float(is_right),
        votes=[
            {"judge": name, "repeat": 1, "verdict": {"is_correct": vote}}
            for name, vote in given.items()
        ],
        input_sha256="x",
    )


def each_elsewhere(number: int, place: int) -> bool:
    """Each errs on every sixth answer, another one each, so that together they never err."""
    return number % 6 == place


def two_together(number: int, place: int) -> bool:
    """Two of three err on every fourth answer, and the panel with them; the first never does."""
    return place > 0 and number % 4 == 0


@pytest.fixture
@remembered
def judged(judge_panel):
    return judge_panel(each_elsewhere)


def test_the_calibration_says_what_a_panel_is_worth_and_draws_its_risk(client, admin, judged):
    client.force_login(admin)
    page = client.get(reverse("grading:calibration"))
    [shown] = page.context["rows"]
    assert shown.found.panel.beside_best.outcome is Beats.YES
    text = page.content.decode()
    assert "The panel beats its best member." in text
    assert "3 judges. The number of independent votes can’t be told" in text
    assert {picture.layout.name for picture in shown.curves} == {"wide", "narrow"}
    assert "Chosen threshold: sureness 0.67" in text
    row = read_csv(client.get(reverse("grading:calibration_csv")))[0]
    assert (row["members"], row["beats_best"], row["votes_reason"]) == ("3", "YES", "NEGATIVE")
    rows = read_csv(client.get(reverse("grading:calibration_curves_csv")))
    assert [(row["half"], row["is_chosen"]) for row in rows] == [
        ("choosing", "False"),
        ("reporting", "False"),
        ("choosing", "True"),
        ("reporting", "True"),
    ]
    labels = {row["half"]: int(row["labels"]) for row in rows}
    # All samples of two of the five problems.
    assert labels == {"choosing": SAMPLES * 2 // 5, "reporting": SAMPLES * 3 // 5}


@pytest.fixture
@remembered
def judged_alike(judge_panel):
    return judge_panel(two_together)


@pytest.mark.parametrize(
    ("panel", "outcome", "rank"), [("judged", Beats.YES, 1), ("judged_alike", Beats.NO, None)]
)
def test_a_panel_ranks_only_if_it_beats_its_best_member(
    request, benchmark, admin, settings, panel, outcome, rank
):
    run = request.getfixturevalue(panel)
    settings.JUDGE_LEAST_AGREEMENT = 0.5
    reject_empty_answers(run)
    column = make_column(make_board(benchmark), run.configuration)
    assert column.calibration.agrees_enough
    assert column.calibration.panel.beside_best.outcome is outcome
    assert column.rows[0].rank == rank
    assert ["does not beat its best member" in one for one in column.why_no_ranks] == (
        [True] if rank is None else []
    )


def test_a_run_says_beside_its_panels_size_what_it_is_worth(client, evaluator, judged):
    client.force_login(evaluator)
    text = client.get(judged.get_absolute_url()).content.decode()
    assert "Worth of the panel" in text
    assert "3 judges. The number of independent votes can’t be told" in text


def test_a_panel_without_labels_ranks_nobody_and_says_so(
    client, admin, submission, serve, benchmark
):
    publish(submission)
    run = begin_panel(submission, serve(judge_well))
    skip_canaries(run)
    work_off(run)
    reject_empty_answers(run)
    column = make_column(make_board(benchmark), run.configuration)
    assert [row.rank for row in column.rows] == [None]
    [why] = column.why_no_ranks
    assert "it can’t be told whether it beats its best member" in why
    client.force_login(admin)
    assert why in client.get(
        reverse("board_of", args=[benchmark.slug]), {"judge": run.configuration.pk}
    ).content.decode().replace("&#x27;", "'")


def test_what_a_run_has_still_to_judge_is_missing_from_its_calibration(submission, admin, serve):
    for attempt in submission.attempts.all():
        rulings.rule(attempt=attempt, by=admin, choice="RIGHT", reason="It is.")
    run = begin(submission, make_endpoint(serve(lambda request: reply(id=read_id(request)))))
    skip_canaries(run)
    [(_configuration, found)] = collect(run.configuration)
    assert (found.ruled, found.missing, found.bounds) == (2, 2, (0.0, 100.0))
    work_off(run)
    [(_configuration, found)] = collect(run.configuration)
    assert (found.ruled, found.missing, found.agreement.value) == (2, 0, 100.0)


def test_a_panels_page_asks_as_many_queries_for_one_label_as_for_three(
    client, evaluator, admin, problems, hand_in, serve
):
    client.force_login(evaluator)
    counts = []
    for numbers in ([0], [1, 2, 3]):
        made = hand_in(*[(problems[number], "m g h") for number in numbers])
        grade_all(made)
        run = begin_panel(made, serve(judge_well), name=f"Endpoint {len(numbers)}")
        skip_canaries(run)
        work_off(run)
        for attempt in made.attempts.all():
            rulings.rule(attempt=attempt, by=admin, choice="RIGHT", reason="It is.")
        with CaptureQueriesContext(connection) as queries:
            page = client.get(run.get_absolute_url())
        assert "Worth of the panel" in page.content.decode()
        counts.append(len(queries))
    assert counts[0] == counts[1]
