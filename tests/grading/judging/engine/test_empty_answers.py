"""Answers that hold nothing, among those that are judged from file to file."""

import re

import pytest

from phybench_grader.judges.empty_answers import EMPTY_ANSWERS
from tests.grading.answers.command_line import run_here
from tests.grading.endpoints import steps
from tests.grading.judging.engine.conftest import WRONG, item, pair, semantic

QUESTIONS = {one.question for one in EMPTY_ANSWERS}
_RESPONSE = re.compile(r"<<<MODEL_RESPONSE ([0-9a-f]{16})\n(.*?)\nMODEL_RESPONSE \1>>>", re.S)
ALL = len(EMPTY_ANSWERS)


def find_response(request) -> str | None:
    """Find what a request is about, if it is about an empty answer."""
    if not any(question in request.prompt for question in QUESTIONS):
        return None
    return _RESPONSE.search(request.prompt)[2]


def accept(*texts):
    """Reject empty answers but these, and take all other answers for right."""

    def answer(request):
        response = find_response(request)
        is_rejected = response is not None and response not in texts
        return semantic(request, **(WRONG if is_rejected else {}))

    return answer


def test_a_judge_is_tried_with_all_of_them_once_and_may_rank_if_it_rejects_them(files, serve):
    server = serve(accept())
    files.configure(server)
    files.list_items(item(1))

    done = files.judge(empty_answers=True)

    assert done.summary["empty_answers"] == {
        "outcome": "passed",
        "all": ALL,
        "passed": ALL,
        "accepted": [],
        "missing": 0,
    }
    assert (done.summary["may_rank"], done.summary["calls"]) == (True, ALL + 1)
    assert files.column("id") == [1], "they are no items"
    assert {find_response(one) for one in server.requests} - {None} == {
        one.response for one in EMPTY_ANSWERS
    }
    files.judge(empty_answers=True)
    assert len(server.requests) == ALL + 1, "what is known is not asked again"


def test_one_acceptance_bars_it_and_is_named(files, serve):
    files.configure(serve(accept(":", "Gedankengang:")))
    files.list_items(item(1))

    done = files.judge(empty_answers=True)

    assert done.summary["empty_answers"]["outcome"] == "accepted"
    assert done.summary["empty_answers"]["accepted"] == [":", "Gedankengang:"]
    assert (done.summary["covers_enough"], done.summary["may_rank"]) == (True, False)
    said = run_here(*files.arguments, "--no-canaries").stdout
    assert "accepted empty answers as right: “:”, “Gedankengang:”." in said


def test_an_endpoint_that_fails_leaves_it_untold_and_the_next_run_makes_up_for_it(files, serve):
    def answer(request):
        response = find_response(request)
        return steps.refusal() if response in failing else accept()(request)

    failing = {":", "解："}
    files.configure(serve(answer))
    files.list_items(item(1))

    done = files.judge(empty_answers=True)
    found = done.summary["empty_answers"]
    assert (found["outcome"], found["passed"], found["missing"]) == ("cant_tell", ALL - 2, 2)
    assert not done.summary["may_rank"]
    failing.clear()
    done = files.judge(empty_answers=True)
    assert done.summary["empty_answers"]["outcome"] == "passed"


def test_a_judge_that_was_not_tried_with_them_does_not_rank(files, serve):
    files.configure(serve(accept()))
    files.list_items(item(1))
    done = files.judge()
    assert done.summary["empty_answers"]["outcome"] == "cant_tell"
    assert (done.summary["covers_enough"], done.summary["may_rank"]) == (True, False)


def test_a_member_that_accepts_one_bars_its_panel(files, serve):
    def answer(request):
        is_mild = request.json["model"] == "mild" and find_response(request) == "Solution:"
        return semantic(request) if is_mild else accept()(request)

    url = str(serve(answer).base_url)
    judges = [{"base_url": url, "model": name} for name in ("mild", "strict", "stern")]
    files.configure(judges=judges)
    files.list_items(item(1))

    found = files.judge(empty_answers=True).summary["empty_answers"]
    assert (found["accepted"], found["passed"]) == (["Solution:"], ALL - 1)


@pytest.mark.parametrize("fields", [{"mode": "rule_only"}, {"kind": "pairwise"}])
def test_where_no_model_judges_an_answer_by_itself_none_is_needed(files, serve, fields):
    server = serve(lambda request: steps.ok("[[tie]]"))
    files.configure(server if "kind" in fields else None, **fields)
    files.list_items({**pair(1), "response": "The answer is 7.", "ground_truth": "7"})

    done = files.judge(empty_answers=True)

    assert done.summary["empty_answers"]["outcome"] == "not_needed"
    assert done.summary["may_rank"] is True
    assert len(server.requests) == (2 if "kind" in fields else 0)


@pytest.mark.parametrize(
    ("rating", "outcome"), [("[[1]]", "passed"), ("[[5]]", "passed"), ("[[6]]", "accepted")]
)
def test_a_rating_that_counts_as_right_is_an_acceptance(files, serve, rating, outcome):
    files.configure(serve(lambda request: steps.ok(rating)), kind="rating")
    files.list_items({**pair(1), "response": "x"})
    found = files.judge(empty_answers=True).summary["empty_answers"]
    assert found["outcome"] == outcome
    assert found["missing"] == 0
