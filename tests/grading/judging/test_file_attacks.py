"""Files of items against those who would learn what is not theirs, or bring a page down."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from grading.judging.judgements.models import Judgement
from grading.judging.models import JudgeFile, JudgeItem
from grading.judging.runs.items import make_item
from grading.judging.uploads import actions
from phybench.people.models import Role
from phybench_grader.numbers.sentences import Sentence
from tests.conftest import make_person
from tests.grading.judging.judging import (
    judge_answers,
    judge_well,
    make_plan,
    skip_canaries,
    work_off,
)
from tests.grading.judging.mixed import rate
from tests.grading.judging.uploading import ITEM, begin_on_page, upload, write
from tests.grading.trials.trials import make_endpoint
from tests.organisations import organisation_of

pytestmark = pytest.mark.usefixtures("commits")

SEMANTIC = {
    "kind": "SEMANTIC",
    "mode": "MODEL_ONLY",
    "language": "en",
    "turns": "",
    "reference": "",
}


def copy_of(attempt, **fields):
    """Write an answer to a benchmark as an item of a file, as far as its solver knows it."""
    item = make_item(attempt, attempt.submission.solver.name)
    return {
        "id": attempt.pk,
        "question": item.question,
        "response": item.response,
        "reference": item.reference,
        "reference_solution": item.reference_solution,
        "type": "expression",
        "model": item.model,
        **fields,
    }


def test_a_file_can_not_be_used_to_try_out_what_the_reference_answer_is(
    client, evaluator, serve, submission
):
    server = serve(judge_well)
    endpoint = make_endpoint(server)
    judge_answers(submission, endpoint)
    [attempt, *_rest] = submission.attempts.order_by("pk")
    client.force_login(evaluator)
    file = upload(evaluator, [copy_of(attempt)])
    plan = make_plan(endpoint)
    run = actions.begin(file=file, started_by=evaluator, plan=plan)
    skip_canaries(run)
    [row] = run.items.filter(canary="")
    said = Judgement.objects.filter(item__run__submission=submission, item__attempt=attempt)
    work_off(run)
    # The very same input, by the same judge: asked all the same.
    told = Judgement.objects.get(item=row)
    assert told.input_sha256 == said.get().input_sha256
    assert told.configuration == said.get().configuration
    assert told.reused is None


def test_a_submission_takes_nothing_over_from_a_file(evaluator, serve, submission):
    endpoint = make_endpoint(serve(judge_well))
    [attempt, *_rest] = submission.attempts.order_by("pk")
    file = upload(evaluator, [copy_of(attempt)])
    before = actions.begin(file=file, started_by=evaluator, plan=make_plan(endpoint))
    skip_canaries(before)
    work_off(before)
    run = judge_answers(submission, endpoint)
    assert run.items.filter(state="SCORED").count() == 2
    assert not Judgement.objects.filter(item__run=run, reused__isnull=False).exists()


def test_what_was_said_of_another_organisations_file_is_not_taken_over(client, evaluator, serve):
    endpoint = make_endpoint(serve(rate))
    client.force_login(evaluator)
    run, _page = begin_on_page(client, upload(evaluator, [ITEM]), endpoint)
    work_off(run)
    other = make_person(Role.EVALUATOR, "other")
    for person, reused in ((other, 0), (evaluator, 1)):
        client.force_login(person)
        file = upload(person, [ITEM, {**ITEM, "id": 2, "question": "3+3?"}])
        again, page = begin_on_page(client, file, endpoint)
        work_off(again)
        assert page.context["estimate"].reused == reused
        said = Judgement.objects.filter(item__run=again, item__canary="")
        assert said.filter(reused__isnull=False).count() == reused


def test_nothing_of_a_file_is_open_to_another_organisation(client, evaluator, serve):
    client.force_login(evaluator)
    file = upload(evaluator, [{**ITEM, "question": "A secret question?"}], "secret-name.jsonl")
    endpoint = make_endpoint(serve(rate))
    run, _page = begin_on_page(client, file, endpoint, purpose="secret-purpose")
    work_off(run)
    item = run.items.get(canary="")
    client.force_login(make_person(Role.EVALUATOR, "other"))
    closed = [
        reverse("grading:judge_file", args=[file.pk]),
        reverse("grading:judge_run", args=[run.pk]),
        reverse("grading:judge_run_csv", args=[run.pk]),
        reverse("grading:judgement", args=[item.pk]),
    ]
    assert [client.get(one).status_code for one in closed] == [404] * len(closed)
    acts = ("pause_judge_run", "resume_judge_run", "cancel_judge_run", "judge_again")
    asked = [client.post(reverse(f"grading:{one}", args=[run.pk])).status_code for one in acts]
    assert asked == [404] * len(acts)
    assert client.post(closed[0], {"step": "begin"}).status_code == 404
    for name in ("judge_runs", "judge_runs_csv", "judge_files", "calibration", "calibration_csv"):
        page = client.get(reverse(f"grading:{name}"), follow=True).content.decode()
        assert "secret" not in page, name
    offices = ["judgefile", "judgerun", "judgeitem", "judgement", "judgecall"]
    for name in offices:
        assert client.get(reverse(f"admin:grading_{name}_changelist")).status_code in (302, 403)


@pytest.mark.parametrize(
    "content",
    [
        b"0\n" * (actions.LARGEST_FILE // 2),
        b"[" * actions.LARGEST_FILE,
        b'{"id":1,"question":"' + b"a" * actions.LARGEST_FILE,
        b"\n" * actions.LARGEST_FILE,
    ],
    ids=["ten million lines", "nested", "one line", "empty lines"],
)
def test_a_file_made_to_be_long_is_refused_in_time(evaluator, content):
    with pytest.raises(actions.CannotUpload) as refused:
        actions.upload(
            by=evaluator,
            organisation=organisation_of(evaluator),
            file_name="x",
            content=content[: actions.LARGEST_FILE],
        )
    assert len(str(refused.value)) < 1_000


def test_the_page_of_a_file_repeats_no_more_of_it_than_it_can_hold(client, evaluator, serve):
    client.force_login(evaluator)
    unknown = {f"field {number} {'x' * 500}": 1 for number in range(2_000)}
    role = [{"role": "r" * 50_000, "content": "?"}]
    file = upload(evaluator, [{**ITEM, **unknown}, {"id": 2, "messages": role, "response": "A."}])
    _run, page = begin_on_page(client, file, make_endpoint(serve(rate)))
    remarks = " ".join([*page.context["remarks"], *page.context["unjudged"]])
    assert "a message by “rrr" in remarks
    assert len(remarks) < 2_000


def test_hostile_items_come_back_as_text_in_pages_and_files(client, evaluator, serve):
    client.force_login(evaluator)
    ids = ["=cmd|' /C calc'!A0", "../../etc/passwd", "<script>alert(1)</script>", "\x00\ud800"]
    rows = [{**ITEM, "id": one, "question": f"{one}?", "response": one} for one in ids]
    file = upload(evaluator, rows, "=1+1<b>.jsonl")
    run, _page = begin_on_page(client, file, make_endpoint(serve(rate)))
    work_off(run)
    told = client.get(reverse("grading:judge_run_csv", args=[run.pk])).content.decode()
    found = [row["id"] for row in csv.DictReader(io.StringIO(told)) if not row["canary"]]
    assert sorted(found) == sorted([f"'{ids[0]}", ids[1], ids[2], "\ufffd\ufffd"])
    runs = client.get(reverse("grading:judge_runs_csv")).content.decode()
    assert [row["file"] for row in csv.DictReader(io.StringIO(runs))] == ["'=1+1<b>.jsonl"]
    pages = [run, file, *run.items.filter(canary="")]
    for one in pages:
        page = client.get(one.get_absolute_url())
        assert page.status_code == 200
        assert "<script>alert(1)" not in page.content.decode()
    assert run.items.filter(canary="", state=JudgeItem.State.SCORED).count() == len(ids)


def test_an_unanswered_chat_is_kept_as_the_database_can_hold_it(client, evaluator, serve):
    client.force_login(evaluator)
    chat = [{"role": "user", "content": "A \x00 and a \ud800?"}]
    file = upload(evaluator, [ITEM, {"id": 2, "messages": chat, "reference": "4"}])
    run, _page = begin_on_page(client, file, make_endpoint(serve(rate)))
    assert run.items.get(given__id=2).given["question"] == "A \ufffd and a \ufffd?"


def test_an_item_can_not_pass_for_one_whose_verdict_is_known(client, evaluator, serve):
    client.force_login(evaluator)
    names = ["plain_right", "empty_en_1", "line 2"]
    rows = [{**ITEM, "id": one, "canary": one, "call": "x", "refused": "no"} for one in names]
    run, _page = begin_on_page(client, upload(evaluator, rows), make_endpoint(serve(rate)))
    work_off(run)
    kept = run.items.filter(given__isnull=False)
    assert {one.canary for one in kept} == {""}
    assert not any({"canary", "call", "refused"} & set(one.given) for one in kept)


def test_a_file_that_is_cut_in_half_judges_what_is_whole(client, evaluator):
    half = write([ITEM, {**ITEM, "id": 2}])[:-10]
    client.force_login(evaluator)
    sent = {
        "file": SimpleUploadedFile("x.jsonl", half),
        "organisation": organisation_of(evaluator).pk,
    }
    client.post(reverse("grading:judge_files"), sent)
    listed = actions.parse_items(bytes(JudgeFile.objects.get().content), _first_kind())
    assert [bool(one.refused) for one in listed.items] == [False, True]
    assert dict(listed.complaints[0].values)["what"] == Sentence("row_cut_off")


def _first_kind():
    return next(one for one in actions.KINDS.values() if not one.compares)
