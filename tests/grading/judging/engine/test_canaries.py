"""Items whose verdict is known, among those that are judged from file to file."""

import pytest

from tests.grading.endpoints import steps
from tests.grading.judging.engine.conftest import WRONG, item, pair, semantic
from tests.grading.judging.judging import find_canary

LOW = '{"answer": 9, "physics": 9, "mathematics": 9, "completeness": 9, "id": "TOKEN"}'


def test_canaries_are_told_apart_from_the_items(files, serve):
    server = serve(lambda request: semantic(request, error_type="none"))
    files.configure(server)
    files.list_items(item(1))

    done = files.judge(canaries=True)

    # This judge finds everything right: it fails all that is wrong.
    assert done.summary["canaries"] == {"passed": 1, "failed": 4, "missing": 0, "rate": 0.2}
    assert files.column("id") == [1]
    assert (done.summary["items"], done.summary["mean"], done.summary["calls"]) == (1, 1.0, 6)
    files.judge(canaries=True)
    assert len(server.requests) == 6


@pytest.mark.parametrize(
    ("kind", "reply", "expected"),
    [
        ("rating", "[[1]] TOKEN", (4, 1)),
        (
            "process",
            '{"answer": 9, "physics": 9, "mathematics": 9, "completeness": 9, "id": "TOKEN"}',
            (4, 1),
        ),
        # One of a pair's canaries is an answer twice, which is a tie.
        ("pairwise", "[[tie]] TOKEN", (1, 4)),
    ],
)
def test_each_kind_has_its_canaries(files, serve, kind, reply, expected):
    files.configure(serve(lambda request: steps.answer(request, reply)), kind=kind)
    files.list_items({**pair(1), "response": "x", "reference_solution": "y"})
    canaries = files.judge(canaries=True).summary["canaries"]
    assert (canaries["passed"], canaries["failed"]) == expected


def test_a_canary_on_which_a_panel_splits_was_fallen_for(files, serve):
    def answer(request):
        canary = find_canary(request)
        knows = request.json["model"] == "strict" and canary and not canary.is_correct
        return semantic(request, **(WRONG if knows else {}))

    url = str(serve(answer).base_url)
    judges = [{"base_url": url, "model": "strict"}, {"base_url": url, "model": "mild"}]
    files.configure(judges=judges)
    files.list_items(item(1))

    canaries = files.judge(canaries=True).summary["canaries"]
    assert (canaries["passed"], canaries["failed"], canaries["missing"]) == (1, 4, 0)


def test_a_canary_of_which_nothing_was_said_neither_passed_nor_failed(files, serve):
    files.configure(serve(lambda request: steps.refusal()))
    files.list_items(item(1))
    canaries = files.judge(canaries=True).summary["canaries"]
    assert (canaries["passed"], canaries["failed"], canaries["missing"]) == (0, 0, 5)
