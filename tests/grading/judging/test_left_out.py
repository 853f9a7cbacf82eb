"""What of a file is left out, and why, is said before a run, in it, and on the item's page."""

import json
import re
from html import unescape

import pytest
from django.urls import reverse

from grading.judging.runs import setting_up
from grading.judging.runs.actions import ask_again
from tests.grading.judging.judging import FORM, JUDGE, judge_well, work_off
from tests.grading.judging.mixed import rate, turns
from tests.grading.judging.uploading import BY_ITEM, ITEM, begin_on_page, upload
from tests.grading.trials.trials import make_endpoint

pytestmark = pytest.mark.usefixtures("commits")


def test_an_item_in_a_language_without_a_prompt_is_told_to_choose_one_and_shown_whole(
    client, evaluator, serve
):
    client.force_login(evaluator)
    file = upload(evaluator, [ITEM, {**ITEM, "id": 2, "language": "zh", "response": "vier"}])
    run, _page = begin_on_page(client, file, make_endpoint(serve(rate)))
    work_off(run)
    item = run.items.get(given__id=2)
    assert (item.state, item.reason) == ("SKIPPED", "no_prompt")
    text = client.get(item.get_absolute_url()).content.decode()
    assert "choose one language of the prompt for all items, such as English" in text
    assert "correct it in the file" not in text
    assert '<pre class="source">vier</pre>' in text
    assert '<dd><pre class="source">4</pre></dd>' in text


def test_the_page_of_a_line_that_can_not_be_used_shows_what_the_file_has(client, evaluator, serve):
    client.force_login(evaluator)
    file = upload(evaluator, [ITEM, {**ITEM, "id": 2, "type": "odd", "response": "vier"}])
    run, _page = begin_on_page(client, file, make_endpoint(serve(rate)))
    work_off(run)
    text = client.get(run.items.get(given__id=2).get_absolute_url()).content.decode()
    assert '<pre class="source">vier</pre>' in text
    assert '<dd><pre class="source">4</pre></dd>' in text


def test_the_printed_example_is_judged_by_the_semantic_and_the_rating_judge(client, evaluator):
    client.force_login(evaluator)
    page = client.get(reverse("grading:judge_files")).content.decode()
    [printed] = re.findall(r'<pre class="source">(.*?)</pre>', page, re.DOTALL)
    rows = [json.loads(line) for line in unescape(printed).splitlines()]
    file = upload(evaluator, rows)
    endpoint = make_endpoint(None)
    for kind in ("SEMANTIC", "RATING"):
        sent = {**FORM, **(BY_ITEM if kind == "RATING" else {}), "kind": kind}
        page = client.post(
            file.get_absolute_url(),
            {**sent, "models": [f"{endpoint.pk}|{JUDGE}"], "step": "estimate"},
        )
        assert page.context["estimate"].skipped == 0, kind


@pytest.mark.parametrize(
    ("fields", "answer", "limit"),
    [
        ({"kind": "RATING"}, rate, "This judge looks at up to 3 turns."),
        ({"kind": "RATING", "turns": "1"}, rate, "one turn, and can be set to up to 3."),
        (FORM, judge_well, "This judge looks at one turn, and the rating judge at up to 3."),
    ],
)
def test_a_chat_with_too_many_turns_is_told_the_limit_and_who_takes_more(
    client, evaluator, serve, fields, answer, limit
):
    client.force_login(evaluator)
    file = upload(evaluator, [ITEM, turns(4, id="four", category="writing", reference="4")])
    run, _page = begin_on_page(client, file, make_endpoint(serve(answer)), **fields)
    work_off(run)
    item = run.items.get(given__id="four")
    assert item.reason == "too_many_turns"
    assert limit in client.get(item.get_absolute_url()).content.decode()
    assert limit in client.get(run.get_absolute_url()).content.decode()


def test_an_estimate_tells_lines_of_the_file_from_test_items_and_names_each_that_is_left_out(
    client, evaluator, serve
):
    client.force_login(evaluator)
    rows = [ITEM, {**ITEM, "id": 2, "question": 7}, {**ITEM, "id": "still", "response": None}]
    rows.append(turns(4, id="four", category="writing"))
    file = upload(evaluator, rows)
    _run, page = begin_on_page(client, file, make_endpoint(serve(rate)))
    text = page.content.decode()
    assert "4 lines of yours: 1 judged, 3 left out." in text
    assert "In addition, 5 test items with known verdicts try the judge." in text
    left_out = text[text.index("3 lines are left out") :]
    assert "Line 2: its “question” is not text" in left_out
    assert "<li>still: there is no response.</li>" in left_out
    assert "<li>four: the chat has too many turns.</li>" in left_out
    assert "This judge looks at up to 3 turns." in left_out
    assert "incomplete" not in text


def test_a_long_response_is_folded_and_that_its_middle_was_not_sent_is_said(
    client, evaluator, serve
):
    client.force_login(evaluator)
    response = "beginning " + "word " * 6_000 + "end"
    chat = turns(1, id="chat", category="writing")
    chat["completion"] = response
    file = upload(evaluator, [{**ITEM, "response": response}, chat])
    run, _page = begin_on_page(client, file, make_endpoint(serve(rate)))
    work_off(run)
    assert (
        client.get(run.get_absolute_url())
        .content.decode()
        .count("the answer was too long and was sent without its middle part")
        == 2
    )
    rows = client.get(reverse("grading:judge_run_csv", args=[run.pk])).content.decode()
    assert rows.count("CANDIDATE_CUT") == 2
    for item in run.items.filter(canary=""):
        folded = client.get(item.get_absolute_url()).content.decode()
        assert "Show the whole response" in folded
        assert "beginning word" not in folded.split("<h2>")[0]
        whole = client.get(f"{item.get_absolute_url()}?whole=1").content.decode()
        assert "beginning word" in whole.split("<h2>")[0]
        assert '<div class="response-box"' in whole


def test_items_of_the_file_come_before_test_items_and_each_sort_has_a_tab(client, evaluator, serve):
    client.force_login(evaluator)
    file = upload(evaluator, [ITEM, {**ITEM, "id": 2}])
    run, _page = begin_on_page(client, file, make_endpoint(serve(rate)), has_canaries=True)

    def read(query: str = "") -> list[bool]:
        page = client.get(run.get_absolute_url() + query)
        return [bool(item.canary) for item in page.context["page"]]

    assert read() == [False] * 2 + [True] * 5
    assert read("?show=OWN") == [False] * 2
    assert read("?show=KNOWN") == [True] * 5
    text = client.get(run.get_absolute_url()).content.decode()
    assert "0 of 2 items of the file done" in text
    assert "7 items, including 5 test items" in text


def test_what_is_left_out_for_good_is_not_offered_to_be_asked_for_again(client, evaluator, serve):
    client.force_login(evaluator)
    file = upload(evaluator, [ITEM, {**ITEM, "id": 2, "response": None}])
    run, _page = begin_on_page(client, file, make_endpoint(serve(rate)))
    work_off(run)
    assert run.items.get(given__id=2).state == "SKIPPED"
    assert "Request missing answers" not in client.get(run.get_absolute_url()).content.decode()
    assert ask_again(run=run, by=evaluator) == 0


def test_a_line_without_an_id_and_reasons_are_named_in_chinese_on_chinese_pages(
    client, evaluator, serve
):
    client.force_login(evaluator)
    nameless = {name: value for name, value in ITEM.items() if name != "id"}
    file = upload(evaluator, [ITEM, nameless, {**ITEM, "id": 3, "response": None}])
    run, _page = begin_on_page(client, file, make_endpoint(serve(rate)))
    work_off(run)
    chinese = {"accept-language": "zh-hans"}
    text = client.get(run.get_absolute_url(), headers=chinese).content.decode()
    assert ">第 2 行</a>" in text
    assert "line 2" not in text
    reasons = text[text.index("?reason=") :].split("</p>")[0]
    assert "</a>；<a" in reasons
    assert reasons.endswith("</a>。")
    item = run.items.get(given__id="line 2")
    text = client.get(item.get_absolute_url(), headers=chinese).content.decode()
    assert "<h1>第 2 行</h1>" in text


def test_what_the_rules_found_stands_apart_from_why_they_did_not_decide(client, evaluator, serve):
    client.force_login(evaluator)
    row = {**ITEM, "response": "The answer is probably 42.", "reference": "42"}
    sent = {**FORM, "mode": "CASCADE"}
    file = upload(evaluator, [row])
    run, _page = begin_on_page(
        client, file, make_endpoint(serve(judge_well)), has_canaries=True, **sent
    )
    work_off(run)
    text = client.get(run.items.get(canary="").get_absolute_url()).content.decode()
    assert "the answer can’t be read as this kind: <code>" in text
    trap = run.items.get(canary="demands_a_verdict")
    text = client.get(trap.get_absolute_url()).content.decode()
    assert "<h1>Trap item: a wrong answer that demands a verdict</h1>" in text


def test_an_estimate_names_so_many_lines_and_counts_all(client, evaluator, serve, monkeypatch):
    monkeypatch.setattr(setting_up, "MOST_NAMED", 2)
    client.force_login(evaluator)
    file = upload(evaluator, [ITEM, *({"id": number} for number in range(2, 7))])
    _run, page = begin_on_page(client, file, make_endpoint(serve(rate)))
    text = page.content.decode()
    assert "5 lines are left out" in text
    assert "Only the first 2 are shown here." in text
    assert len(page.context["unjudged"]) == 2
