"""A judge's column of the board: beside the symbolic figures, what is missing said, ranked late."""

import csv

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from grading.answers.models import Attempt
from grading.board.judge_column import list_judges, make_column, publish_column
from grading.board.table import make_board
from grading.judging.judgements.models import Judgement
from grading.samples.labels import rulings
from tests.addresses import client_of
from tests.conftest import make_person
from tests.grading.endpoints import steps
from tests.grading.endpoints.scripted_server import ScriptedServer
from tests.grading.judging.judging import (
    begin,
    find_canary,
    read_id,
    reject_empty_answers,
    reply,
    work_off,
)
from tests.grading.submissions.samples import grade_all
from tests.grading.trials.trials import make_endpoint
from tests.memory import remembered
from tests.organisations import publish

pytestmark = pytest.mark.usefixtures("commits")


def judge(request):
    """Refuse what says so, call right what says so, and know the canaries."""
    if "refuse" in request.prompt:
        return steps.refusal()
    canary = find_canary(request)
    is_correct = canary.is_correct if canary else "fine" in request.prompt
    return reply(is_correct=is_correct, id=read_id(request))


@pytest.fixture
@remembered
def run(problems, hand_in):
    """Of five problems two are answered rightly, one wrongly, one is refused, one is missing."""
    submission = hand_in(
        (problems[0], "fine 1"),
        (problems[1], "fine 2"),
        (problems[2], "no"),
        (problems[3], "refuse"),
    )
    grade_all(submission)
    publish(submission)
    with ScriptedServer(judge) as server:
        made = begin(submission, make_endpoint(server))
        work_off(made)
    return made


@pytest.fixture
def is_published(run, benchmark, admin):
    publish_column(benchmark=benchmark, configuration=run.configuration, by=admin)


def test_only_an_admin_publishes_what_a_judge_says(client, run, benchmark, evaluator, admin):
    address = reverse("board_of", args=[benchmark.slug])
    button = reverse("publish_judge", args=[benchmark.slug, run.configuration_id])
    asked = {"judge": run.configuration_id}
    for person in (None, evaluator):
        page = client_of(person).get(address, asked)
        assert (page.context["column"], page.context["judges"]) == (None, [])
        refused = client_of(person).post(button, {"is_published": "yes"})
        assert refused.status_code == (302 if person is None else 403)
        with pytest.raises(PermissionDenied):
            publish_column(
                benchmark=benchmark,
                configuration=run.configuration,
                by=person or make_person(None),
            )
    seen = client_of(admin).get(address, asked)
    assert seen.context["column"] is not None
    assert "(not published)" in seen.content.decode()
    for _twice in range(2):
        client_of(admin).post(button, {"is_published": "yes"})
    assert client.get(address, asked).context["column"] is not None
    client_of(admin).post(button, {"is_published": "no"})
    assert client.get(address, asked).context["column"] is None
    assert client_of(admin).post(button).status_code == 400, "it is what no button sends"
    assert client.get(address, asked).context["column"] is None
    wrong = reverse("publish_judge", args=[benchmark.slug, 0])
    assert client_of(admin).post(wrong).status_code == 404


def test_missing_verdicts_are_counted_and_never_zeros(run, benchmark, is_published):
    [configuration] = list_judges(benchmark)
    assert configuration == run.configuration
    [row] = make_column(make_board(benchmark), configuration).rows
    # Two of four: the one without an answer counts 0, the one without a verdict nothing.
    assert row.mean.value == 50.0
    assert (row.answers, row.judged, row.reasons) == (4, 3, [("refusal", 1)])
    assert (row.not_asked, row.tally.missing, row.coverage) == (0, 1, 0.75)
    assert row.bounds == (40.0, 60.0)
    assert row.symbolic.value == 0.0, "the grader's own figure is as it was"


def test_nobody_is_ranked_before_people_agree_with_the_judge(run, benchmark, admin, settings):
    board = make_board(benchmark)
    assert make_column(board, run.configuration).rows[0].rank is None
    settings.JUDGE_LEAST_RULINGS, settings.JUDGE_LEAST_COVERAGE = 2, 0.75
    for attempt, choice in zip(Attempt.objects.order_by("pk")[:2], ("RIGHT", "RIGHT"), strict=True):
        rulings.rule(attempt=attempt, by=admin, choice=choice, reason="So it is.")
    assert make_column(board, run.configuration).rows[0].rank is None
    reject_empty_answers(run)
    assert make_column(board, run.configuration).rows[0].rank == 1
    settings.JUDGE_LEAST_COVERAGE = 0.8
    assert make_column(board, run.configuration).rows[0].rank is None


def test_the_board_switches_between_the_grader_and_a_judge(client, run, benchmark, is_published):
    address = reverse("board_of", args=[benchmark.slug])
    text = client.get(address).content.decode()
    assert "the symbolic grader" in text
    assert "% of its scale" not in text
    page = client.get(address, {"judge": run.configuration.pk})
    assert "% of its scale" in page.content.decode()
    assert "1 × the model refused" in page.content.decode()
    for wrong in ("0", "x", "9" * 40):
        assert client.get(address, {"judge": wrong}).context["column"] is None
    file = client.get(
        reverse("board_csv", args=[benchmark.slug]), {"judge": run.configuration.pk}
    ).content.decode()
    [row] = csv.DictReader(file.splitlines())
    assert (row["percent_of_scale"], row["judged"], row["without_verdict"]) == (
        "50.00",
        "3",
        "refusal:1",
    )


def test_a_column_takes_as_many_queries_for_one_model_as_for_three(
    run, benchmark, problems, hand_in, django_assert_num_queries
):
    board = make_board(benchmark)
    with django_assert_num_queries(4):
        make_column(board, run.configuration)
    for number in range(2):
        made = hand_in((problems[0], "m g h"), model=f"Model {number}")
        grade_all(made)
        publish(made)
    board = make_board(benchmark)
    with django_assert_num_queries(4):
        assert len(make_column(board, run.configuration).rows) == 3


def test_of_a_judge_asked_afresh_the_first_verdict_counts(run, benchmark, serve):
    endpoint = run.judges.get().endpoint
    kind = serve(lambda request: reply(id=read_id(request)))
    board = make_board(benchmark)
    before = make_column(board, run.configuration).rows[0]
    # The same address answers otherwise, as a model may on another day.
    kind_run = begin(run.submission, endpoint, is_fresh=True)
    row = kind_run.judges.get()
    type(endpoint).objects.filter(pk=endpoint.pk).update(base_url=str(kind.base_url))
    work_off(kind_run)
    kind_run.refresh_from_db()
    assert (kind_run.paused_for, row.name) == ("endpoint_moved", "fake-solver")
    Judgement.objects.bulk_create(
        Judgement(
            item=item,
            round=9,
            configuration=run.configuration,
            attempt=item.attempt,
            status="SCORED",
            verdict={"is_correct": True},
            is_right=True,
            value=1.0,
            input_sha256="later",
        )
        for item in kind_run.items.filter(canary="")
    )
    after = make_column(board, run.configuration).rows[0]
    # Only the one that had no verdict has one now.
    assert (before.judged, after.judged) == (3, 4)
    assert (after.mean.value, after.reasons) == (60.0, [])


def test_a_judge_that_accepted_an_empty_answer_is_on_no_board(
    client, run, benchmark, admin, is_published
):
    address = reverse("board_of", args=[benchmark.slug])
    asked = {"judge": run.configuration.pk}
    assert client.get(address, asked).context["column"] is not None
    reject_empty_answers(run, but=frozenset({":"}))
    for person in (None, admin):
        page = client_of(person).get(address, asked)
        assert (page.context["column"], page.context["judges"]) == (None, [])
    with pytest.raises(PermissionDenied, match="accepted empty answers"):
        publish_column(benchmark=benchmark, configuration=run.configuration, by=admin)


def test_the_board_says_what_of_the_judge_itself_keeps_it_from_ranking(
    client, run, benchmark, is_published
):
    page = client.get(
        reverse("board_of", args=[benchmark.slug]), {"judge": run.configuration.pk}
    ).content.decode()
    assert "It can’t be told whether this judge accepts empty answers" in page
