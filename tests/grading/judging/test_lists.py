"""Lists about judges: sorted, filtered, and as files that hold what the page shows."""

import csv
import io

import pytest
from django.urls import reverse

from grading.answers.models import Attempt
from grading.judging.prompts import actions as prompt_actions
from grading.judging.prompts.models import JudgePrompt
from grading.judging.rulings.waiting import list_waiting
from grading.judging.runs import actions as run_actions
from grading.samples.labels import rulings
from tests.grading.endpoints import steps
from tests.grading.endpoints.scripted_server import ScriptedServer
from tests.grading.judging.judging import (
    begin,
    grade_all,
    judge_answers,
    judge_well,
    make_document,
    work_off,
)
from tests.grading.trials.trials import make_endpoint
from tests.memory import remembered

pytestmark = pytest.mark.usefixtures("commits")


def read_csv(answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def read_column(client, name: str, query: str, column: str, *args: object) -> list[str]:
    answer = client.get(f"{reverse(f'grading:{name}', args=args)}?{query}")
    return [row[column] for row in read_csv(answer)]


@pytest.fixture
def endpoint(serve):
    return make_endpoint(serve(judge_well))


@pytest.fixture
@remembered
def run(problems, hand_in):
    """Judge one answer right, one wrong against the grader, and one not at all."""

    def judge(request):
        return steps.refusal() if "I refuse" in request.prompt else judge_well(request)

    made = hand_in(
        (problems[0], "m g h"), (problems[1], "x{; it is right"), (problems[2], "I refuse")
    )
    grade_all(made)
    with ScriptedServer(judge) as server:
        run = begin(made, make_endpoint(server))
        work_off(run)
    return run


def test_a_runs_items_are_sorted_by_what_was_said_of_them(client, evaluator, run):
    client.force_login(evaluator)
    address = run.get_absolute_url()

    def read(query: str) -> list[object]:
        page = client.get(f"{address}?{query}").context["page"]
        return [item.value for item in page if not item.canary]

    assert read("sort=problem") == [0.0, 1.0, None]
    assert read("sort=-problem") == [None, 1.0, 0.0]
    assert read("sort=judge") == [0.0, 1.0, None]
    assert read("sort=-judge") == [1.0, 0.0, None], "what has none comes last either way"
    assert read("sort=nonsense") == read("")
    verdicts = read_column(client, "judge_run_csv", "sort=grader", "symbolic_verdict", run.pk)
    assert [one for one in verdicts if one] == sorted(one for one in verdicts if one)


def test_a_runs_items_are_filtered_by_state_reason_and_doubt(client, evaluator, run):
    client.force_login(evaluator)

    def count(query: str) -> int:
        page = client.get(f"{run.get_absolute_url()}?{query}").context["page"]
        rows = read_column(client, "judge_run_csv", query, "state", run.pk)
        assert len(rows) == page.paginator.count, "the file has what the page has"
        return len(rows)

    assert count("") == 8
    assert count("show=UNSCORED") == count("reason=refusal") == 1
    assert count("show=DOUBTFUL") == 2
    assert count("doubt=GRADER_DISAGREES") == 1
    assert count("doubt=GRADER_COULD_NOT_READ") == 1
    assert count("doubt=VOTES_DISAGREE") == 0
    text = client.get(run.get_absolute_url()).content.decode()
    assert "1 × the model refused" in text
    assert "reason=refusal" in text


def test_files_keep_codes(client, evaluator, run):
    client.force_login(evaluator)
    reasons = read_column(client, "judge_run_csv", "show=UNSCORED", "reason", run.pk)
    assert reasons == ["refusal"]
    doubts = read_column(client, "judge_run_csv", "show=DOUBTFUL", "for_a_person", run.pk)
    assert doubts == ["GRADER_DISAGREES", "GRADER_COULD_NOT_READ"]


def test_runs_are_sorted_filtered_and_written_with_what_they_cost(
    client, evaluator, problems, hand_in, endpoint
):
    runs = []
    for model, count in (("=Beta", 1), ("Alpha", 2)):
        made = hand_in(*[(one, "x") for one in problems[:count]], model=model)
        grade_all(made)
        runs.append(begin(made, endpoint))
    work_off(runs[0])
    run_actions.pause(run=runs[1], by=evaluator)
    client.force_login(evaluator)

    def read(query: str) -> list[str]:
        return read_column(client, "judge_runs_csv", query, "solver")

    assert read("sort=submission") == ["'=Beta", "Alpha"], "and no spreadsheet runs it"
    assert read("sort=-submission") == ["Alpha", "'=Beta"]
    assert read("") == ["Alpha", "'=Beta"], "the newest first"
    assert read("stands=ended") == ["'=Beta"]
    assert read("stands=paused") == ["Alpha"]
    assert read("stands=running") == read("stands=cancelled") == read("kind=RATING") == []
    assert read(f"submission={runs[0].submission_id}") == ["'=Beta"]
    assert read("stands=nonsense") == read("")
    [row] = read_csv(client.get(reverse("grading:judge_runs_csv") + "?stands=ended"))
    assert (row["calls"], row["with_verdict"], row["answers"]) == ("6", "1", "1")
    assert row["state"] == "ENDED"
    assert int(row["tokens"]) > 0
    [row] = read_csv(client.get(reverse("grading:judge_runs_csv") + "?stands=paused"))
    assert (row["calls"], row["paused_for"]) == ("0", "person")
    page = client.get(reverse("grading:judge_runs") + "?stands=cancelled")
    assert "Nothing matches these filters." in page.content.decode()


def test_prompts_are_sorted_and_written(client, admin):
    client.force_login(admin)
    for name in ("beta", "+alpha"):
        prompt_actions.bring_prompt(
            by=admin,
            content=f"name: {name}\nversion: 1\n--- user\n"
            "{question} {response} {ground_truth}\n".encode(),
            file_name="ours.txt",
            kind="SEMANTIC",
            language="en",
            with_reference=True,
        )
    assert read_column(client, "judge_prompts_csv", "sort=prompt", "name") == ["'+alpha", "beta"]
    assert read_column(client, "judge_prompts_csv", "sort=-kept", "name") == ["'+alpha", "beta"]
    assert read_column(client, "judge_prompts_csv", "sort=kept", "name") == ["beta", "'+alpha"]
    rows = read_csv(client.get(reverse("grading:judge_prompts_csv")))
    assert {row["sha256"] for row in rows} == set(
        JudgePrompt.objects.values_list("sha256", flat=True)
    )


def test_what_waits_and_what_was_ruled_are_lists_with_files(client, admin, run):
    client.force_login(admin)
    waiting = read_csv(client.get(reverse("grading:rulings_csv")))
    assert [row["attempt"] for row in waiting] == [str(one.pk) for one in list_waiting(admin)]
    # Samples count from 1, as on pages.
    assert {row["sample"] for row in waiting} == {"1"}
    assert "repeat_index" not in waiting[0]
    first, second = list_waiting(admin)
    page = client.get(reverse("grading:rulings") + "?sort=-problem")
    assert list(page.context["page"]) == [second, first]
    page = client.get(reverse("grading:rulings") + "?domain=OPTICS")
    assert "No answer that waits is like that." in page.content.decode()

    rulings.rule(attempt=first, by=admin, choice="WRONG", reason="=x, and no more.")
    rulings.rule(attempt=second, by=admin, choice="CANT_TELL", reason="No idea.")

    def read(query: str) -> list[str]:
        return read_column(client, "rulings_given_csv", query, "label")

    assert read("sort=when") == ["WRONG", "CANT_TELL"]
    assert read("") == read("sort=-when") == ["CANT_TELL", "WRONG"]
    assert read("choice=WRONG") == ["WRONG"]
    assert read("origin=file") == []
    rows = read_csv(client.get(reverse("grading:rulings_given_csv")))
    assert (rows[1]["reason"], rows[1]["sample"]) == ("'=x, and no more.", "1")
    assert "No idea." in client.get(reverse("grading:rulings_given")).content.decode()


def test_the_lists_name_sample_and_model_and_no_model_that_is_not_published(
    client, contributor, admin, run
):
    model = run.submission.solver
    rulings.rule(attempt=list_waiting(admin)[0], by=admin, choice="WRONG", reason="No.")
    client.force_login(admin)
    for name in ("rulings", "rulings_given"):
        page = client.get(reverse(f"grading:{name}"))
        assert [named for _one, named in page.context["rows"]] == [model]
        assert "Sample" in page.content.decode()
    # An evaluator rules on answers to what they wrote, whoever handed those in.
    contributor.roles = ["CONTRIBUTOR", "EVALUATOR"]
    contributor.save()
    client.force_login(contributor)
    page = client.get(reverse("grading:rulings"))
    assert [named for _one, named in page.context["rows"]] == [None]
    assert model.name not in page.content.decode()


def test_evaluators_see_their_own_rulings_alone(client, evaluator, admin, run):
    rulings.rule(
        attempt=Attempt.objects.first(), by=admin, choice="WRONG", reason="Only admins read this."
    )
    client.force_login(evaluator)
    for name in ("rulings_given", "rulings_given_csv"):
        assert b"Only admins" not in client.get(reverse(f"grading:{name}")).content


def test_the_lists_ask_as_many_queries_for_one_row_as_for_three(
    client, admin, problems, hand_in, endpoint, django_assert_num_queries
):
    client.force_login(admin)
    expected = {
        "judge_runs": 15,
        "judge_runs_csv": 3,
        "judge_prompts": 15,
        "judge_prompts_csv": 3,
        "rulings": 17,
        "rulings_csv": 3,
        "rulings_given": 17,
        "rulings_given_csv": 4,
    }
    for rows in ([0, 1], [2, 3, 4]):
        made = hand_in(*[(problems[number], f"x + {number}; it is right") for number in rows])
        grade_all(made)
        judge_answers(made, endpoint, document=make_document(endpoint, repeats=len(rows)))
        for attempt in made.attempts.order_by("pk")[1:]:
            rulings.rule(attempt=attempt, by=admin, choice="WRONG", reason="No.")
        for name, queries in expected.items():
            # What it shows is written down where it was not before.
            client.get(reverse(f"grading:{name}"))
            with django_assert_num_queries(queries):
                client.get(reverse(f"grading:{name}"))
