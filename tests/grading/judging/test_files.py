"""Files of items on pages: uploaded, estimated, agreed to, and judged as by the command."""

from collections import Counter

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from grading.judging.judgements.models import Judgement
from grading.judging.models import JudgeFile, JudgeItem, JudgeRun
from grading.judging.permissions import list_judge_files
from grading.judging.runs.actions import CannotRun
from grading.judging.uploads import actions
from grading.runs import sentences
from grading.solvers.actions import merge
from phybench.people.models import Role
from tests.budgets import pass_time
from tests.conftest import make_person
from tests.grading.endpoints import steps
from tests.grading.judging.judging import JUDGE, make_plan, read_id, reply, work_off
from tests.grading.judging.mixed import ASKED, BAD, SKIPPED, list_mixed, rate, tell
from tests.grading.judging.uploading import BY_ITEM, ITEM, begin_on_page, upload, write
from tests.grading.trials.trials import make_endpoint
from tests.organisations import organisation_of

pytestmark = pytest.mark.usefixtures("commits")


def test_a_mixed_file_is_one_run_on_pages_as_by_the_command(client, evaluator, serve):
    server = serve(rate)
    endpoint = make_endpoint(server)
    client.force_login(evaluator)
    organisation = organisation_of(evaluator)
    content = SimpleUploadedFile("mixed.jsonl", write(list_mixed()))
    sent = {"file": content, "organisation": organisation.pk}
    uploaded = client.post(reverse("grading:judge_files"), sent)
    file = JudgeFile.objects.get()
    assert uploaded["Location"] == file.get_absolute_url()

    run, page = begin_on_page(client, file, endpoint, has_canaries=True)
    # 25 items and five canaries in each language; seven can't be asked about.
    made = page.context["estimate"]
    assert (made.items, made.cost.calls, made.skipped) == (25 + 15, 18 + 15, 7)
    assert "Line 25: it has no “id”" in page.content.decode()
    assert server.requests == [], "nothing is asked before it is agreed to"

    work_off(run)

    assert Counter(map(tell, server.requests)) == ASKED
    told = client.get(run.get_absolute_url()).context
    assert (told["total"], told["scored"], told["summary"].mean) == (25, 18, 7.0)
    assert dict(told["reasons"]) == SKIPPED
    assert told["canaries"] == {"passed": 15, "failed": 0, "missing": 0}
    assert (told["cost"].calls, told["waiting"]) == (33, 0)
    said = dict(run.items.filter(given__refused__isnull=False).values_list("given__id", "state"))
    assert said == dict.fromkeys([*(row["id"] for row, *_ in BAD), "line 25"], "SKIPPED")

    # The same again asks only the canaries: all else has been answered.
    again, page = begin_on_page(client, file, endpoint)
    assert page.context["estimate"].cost.calls == 15
    work_off(again)
    assert len(server.requests) == 33
    assert again.items.filter(canary="", state="SCORED").count() == 18


def test_a_model_that_is_chosen_twice_is_refused_by_the_form(client, evaluator, serve):
    endpoint = make_endpoint(serve(rate))
    client.force_login(evaluator)
    sent = {**BY_ITEM, "models": [f"{endpoint.pk}|{JUDGE}"] * 2, "step": "estimate"}
    page = client.post(upload(evaluator, [ITEM]).get_absolute_url(), sent)
    assert "Choose each model once." in page.text
    assert page.context["form"].errors.keys() == {"models"}


def test_each_item_has_a_page_and_a_row_that_say_what_it_was_and_what_was_said(
    client, evaluator, serve
):
    client.force_login(evaluator)
    rows = [row for row in list_mixed() if row.get("id") in ("de-2-math", "tool")]
    run, _page = begin_on_page(client, upload(evaluator, rows), make_endpoint(serve(rate)))
    work_off(run)

    def read(item_id):
        item = run.items.get(given__id=item_id)
        return client.get(item.get_absolute_url()).content.decode()

    chat = read("de-2-math")
    assert "assistant 2." in chat
    assert "reference 2" in chat
    assert "7 of 10" in chat
    assert BAD[0][2] in read("tool")
    rows = client.get(reverse("grading:judge_run_csv", args=[run.pk])).content.decode()
    lines = rows.splitlines()
    assert len(lines) == 1 + 2
    assert sum("a message by “tool”" in line for line in lines) == 1
    page = client.get(run.get_absolute_url()).content.decode()
    assert "the language of each item" in page
    assert "arena-hard" in page


def test_why_a_line_is_refused_is_said_in_the_language_of_the_page(client, evaluator, serve):
    client.force_login(evaluator)
    file = upload(evaluator, [ITEM, {**ITEM, "id": 2, "question": 7}])
    file = actions.upload(
        by=evaluator,
        organisation=file.organisation,
        file_name="broken.jsonl",
        content=bytes(file.content) + b"\n{3}\n" + write([{**ITEM, "id": 4}]),
    )
    with translation.override("zh-hans"):
        run, _page = begin_on_page(client, file, make_endpoint(serve(rate)))
    work_off(run)
    item = run.items.get(given__id=2)
    for address in (run.get_absolute_url(), reverse("grading:judge_run_csv", args=[run.pk])):
        text = client.get(address).content.decode()
        assert "Line 2: its “question” is not text: write it in quotation marks." in text
        assert "not JSON at column 2: a field name in double quotes is expected." in text
        text = client.get(address, headers={"accept-language": "zh-hans"}).content.decode()
        assert "第 2 行：“question”不是文本：请加上引号。" in text
        assert "第 2 列不是 JSON：此处应为双引号括起的字段名。" in text
    assert "its “question” is not text" in client.get(item.get_absolute_url()).content.decode()


def test_a_reason_that_an_older_row_has_in_words_is_shown_as_it_is():
    kept = {"id": 1, "refused": "第 2 行：不是对象 {…}。"}
    assert sentences.translate(JudgeItem(given=kept).refusal) == kept["refused"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"language": "fi", "turns": "1", "reference": "without"}, ("fi", 1, 0)),
        ({"language": "de", "turns": "by_item", "reference": "with"}, ("de", 1, 1)),
    ],
)
def test_what_is_chosen_for_all_is_not_left_to_the_items(
    client, evaluator, serve, fields, expected
):
    server = serve(rate)
    client.force_login(evaluator)
    file = upload(evaluator, [{**ITEM, "language": "en"}])
    run, _page = begin_on_page(client, file, make_endpoint(server), **fields)
    work_off(run)
    assert [tell(one) for one in server.requests] == [expected]


def test_the_semantic_matcher_judges_a_file_with_its_options(client, evaluator, serve):
    server = serve(lambda request: reply(id=read_id(request)))
    client.force_login(evaluator)
    file = upload(evaluator, [{**ITEM, "response": "It may be 4."}, {**ITEM, "id": 2}])
    sent = {"kind": "SEMANTIC", "mode": "CASCADE", "language": "en", "turns": "", "reference": ""}
    run, _page = begin_on_page(client, file, make_endpoint(server), **sent)
    work_off(run)
    stages = Judgement.objects.filter(item__run=run, item__canary="").order_by("item")
    # The second is decided by the rules, for nothing.
    assert list(stages.values_list("stage", "is_right")) == [("MODEL", True), ("RULE", True)]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "This file contains no items."),
        (b"\xff\xfe", "This is not a text file in UTF-8."),
        (b"{}\n[]", "Line 1: it has no “id”"),
    ],
)
def test_a_file_of_which_nothing_can_be_understood_is_refused(client, evaluator, content, says):
    client.force_login(evaluator)
    sent = {"file": SimpleUploadedFile("x.jsonl", content or b"\n")}
    sent["organisation"] = organisation_of(evaluator).pk
    page = client.post(reverse("grading:judge_files"), sent)
    assert page.status_code == 400
    assert says in page.content.decode()
    assert not JudgeFile.objects.exists()


def test_a_file_of_more_items_or_bytes_than_a_page_takes_is_for_the_command(evaluator, monkeypatch):
    monkeypatch.setattr(actions, "MOST_ITEMS", 1)
    with pytest.raises(actions.CannotUpload, match="more than 1 items"):
        upload(evaluator, [ITEM, {**ITEM, "id": 2}])
    monkeypatch.setattr(actions, "LARGEST_FILE", 10)
    with pytest.raises(actions.CannotUpload, match="use the command “judge”"):
        upload(evaluator, [ITEM])


def test_a_file_of_more_values_than_memory_is_meant_for_is_refused(evaluator):
    with pytest.raises(actions.CannotUpload, match="more than 1000000 values"):
        upload(evaluator, [{**ITEM, "other": [0] * 1_000_001}])


def test_each_run_over_a_file_counts_as_what_it_keeps(client, evaluator, settings):
    settings.MEGABYTES_A_MINUTE, settings.MEGABYTES_AN_HOUR = 1, 2
    client.force_login(evaluator)
    file = upload(evaluator, [{**ITEM, "id": n, "question": "x" * 1_000} for n in range(300)])
    sent = {**BY_ITEM, "kind": "SEMANTIC", "mode": "RULE_ONLY", "language": "en", "turns": "1"}
    sent["reference"] = "with"
    shown = client.post(file.get_absolute_url(), {**sent, "step": "estimate"})
    sent |= {"step": "begin", "estimated": shown.context["estimated"]}
    assert client.post(file.get_absolute_url(), sent).status_code == 302
    run = JudgeRun.objects.get()
    client.post(reverse("grading:cancel_judge_run", args=[run.pk]))
    assert client.post(file.get_absolute_url(), sent).status_code == 429
    assert list(JudgeRun.objects.all()) == [run]
    pass_time(3600)
    assert client.post(file.get_absolute_url(), sent).status_code == 302


def test_only_its_organisation_and_admins_see_a_file_and_what_was_said_of_it(
    client, evaluator, admin, serve
):
    other = make_person(Role.EVALUATOR, "other")
    with pytest.raises(actions.CannotUpload):
        actions.upload(
            by=other,
            organisation=organisation_of(evaluator),
            file_name="x",
            content=write([ITEM]),
        )
    client.force_login(evaluator)
    file = upload(evaluator, [ITEM])
    endpoint = make_endpoint(serve(rate))
    run, _page = begin_on_page(client, file, endpoint)
    work_off(run)
    item = run.items.get(canary="")
    addresses = [one.get_absolute_url() for one in (file, run, item)]
    for person, status in ((evaluator, 200), (admin, 200), (other, 404)):
        client.force_login(person)
        assert [client.get(one).status_code for one in addresses] == [status] * 3
    with pytest.raises(CannotRun):
        actions.begin(file=file, started_by=other, plan=make_plan(endpoint))


def test_the_same_file_again_leads_to_the_earlier_one_and_its_runs(client, evaluator, serve):
    client.force_login(evaluator)
    file = upload(evaluator, [ITEM])
    run, _page = begin_on_page(client, file, make_endpoint(serve(rate)))
    work_off(run)
    again = SimpleUploadedFile("other name.jsonl", write([ITEM]))
    sent = {"file": again, "organisation": file.organisation.pk}
    page = client.post(reverse("grading:judge_files"), sent, follow=True)
    assert page.redirect_chain == [(file.get_absolute_url(), 302)]
    assert JudgeFile.objects.get() == file
    text = page.content.decode()
    assert f"{evaluator} uploaded the same file on" in text
    assert "as “mixed.jsonl”, so it is not stored again" in text
    assert "answered already is reused" in text
    assert f'<a href="{run.get_absolute_url()}">{run.configuration.title}</a>' in text


def test_another_organisation_may_have_the_same_file(evaluator):
    ours, theirs = upload(evaluator, [ITEM]), upload(make_person(Role.EVALUATOR, "other"), [ITEM])
    assert (ours.sha256, ours.pk) != (theirs.sha256, theirs.pk)
    assert ours.sha256 == theirs.sha256


def test_a_file_goes_with_its_organisation_when_that_is_merged(evaluator, admin):
    file = upload(evaluator, [ITEM])
    into = organisation_of(make_person(Role.EVALUATOR, "other"))
    merge(organisation=file.organisation, into=into, by=admin)
    file.refresh_from_db()
    assert file.organisation == into
    assert list_judge_files(evaluator).get() == file


def test_a_judge_that_compares_is_not_offered_for_a_file(client, evaluator):
    client.force_login(evaluator)
    file = upload(evaluator, [ITEM])
    page = client.get(file.get_absolute_url())
    assert "?kind=RATING" in page.content.decode()
    assert "?kind=PAIRWISE" not in page.content.decode()
    assert client.post(file.get_absolute_url(), {**BY_ITEM, "kind": "PAIRWISE"}).status_code == 400


def test_a_run_can_be_paused_resumed_and_asked_for_what_is_missing(client, evaluator, serve):
    server = serve(steps.server_error())
    client.force_login(evaluator)
    file = upload(evaluator, [ITEM])
    run, _page = begin_on_page(client, file, make_endpoint(server))
    for name, state in (("pause", "PAUSED"), ("resume", "RUNNING"), ("cancel", "CANCELLED")):
        client.post(reverse(f"grading:{name}_judge_run", args=[run.pk]))
        run.refresh_from_db()
        assert run.state == state
    client.post(reverse("grading:judge_again", args=[run.pk]))
    run.refresh_from_db()
    assert (run.state, run.items.get(canary="").state) == ("RUNNING", "QUEUED")


def test_the_database_keeps_files_and_items_as_they_were(evaluator, submission, endpoint):
    file = upload(evaluator, [ITEM])
    run = actions.begin(
        file=file,
        started_by=evaluator,
        plan=make_plan(endpoint, {"kind": "semantic", "mode": "rule_only"}),
    )
    forbidden = [
        lambda: JudgeFile.objects.filter(pk=file.pk).update(content=b""),
        lambda: JudgeFile.objects.filter(pk=file.pk).delete(),
        lambda: run.items.update(given={"id": 2}),
        lambda: JudgeRun.objects.filter(pk=run.pk).update(submission=submission),
        lambda: JudgeItem.objects.create(run=run),
    ]
    for act in forbidden:
        with pytest.raises(DatabaseError), transaction.atomic():
            act()


def test_the_pages_ask_as_many_queries_for_one_row_as_for_three(client, evaluator, serve):
    client.force_login(evaluator)
    endpoint = make_endpoint(serve(rate))
    counts = []
    for number in (1, 3):
        file = upload(evaluator, [{**ITEM, "id": one} for one in range(number)], f"{number}.jsonl")
        run, _page = begin_on_page(client, file, endpoint, is_fresh="1")
        work_off(run)
        asked = []
        for address in (run.get_absolute_url(), reverse("grading:judge_files")):
            with CaptureQueriesContext(connection) as found:
                client.get(address)
            asked.append(len(found))
        counts.append(asked)
    assert counts[0] == counts[1]
