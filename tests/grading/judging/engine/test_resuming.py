"""A run that was stopped goes on where it stopped, whatever stopped it."""

import json
import os
import signal
import subprocess
import threading
from collections import Counter

import pytest

from grading.judging.files.lines import Output
from tests.development.checkout import wait_until
from tests.grading.answers.command_line import PATIENCE, ROOT, command
from tests.grading.endpoints import steps
from tests.grading.judging.engine.conftest import count_asked, each_time, item, name_item, semantic


def start(files, *options: object) -> subprocess.Popen:
    arguments = command(*files.arguments, "--no-canaries", "--no-empty-answers", *options)
    return subprocess.Popen(
        arguments,
        cwd=ROOT,
        env={},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def end(process: subprocess.Popen) -> tuple[int, str]:
    _out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, err.decode()


ITEMS = 200
RATE_LIMITED = {str(number) for number in range(0, ITEMS, 20)}
"""5 %, which are told to come again once."""
BROKEN = {str(number) for number in range(1, ITEMS, 50)}
"""2 %, on which the endpoint errs once."""
MALFORMED = {str(number) for number in range(2, ITEMS, 100)}
"""1 %, whose first reply has no verdict."""
DRIPPING = {str(number) for number in range(3, ITEMS, 100)}
"""1 %, whose first reply would never end."""
HOPELESS = {str(number) for number in range(4, ITEMS, 100)}
"""Two that the endpoint errs on each time, until it is repaired."""


class Troubled:
    """An endpoint with all the troubles above."""

    def __init__(self) -> None:
        self.is_repaired = False
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, request):
        name = name_item(request)
        with self._lock:
            self._asked[name] += 1
            is_first = self._asked[name] == 1
        if name in HOPELESS and not self.is_repaired:
            return steps.complain(400, "Malformed.")
        if is_first and name in RATE_LIMITED:
            return steps.rate_limited()
        if is_first and name in BROKEN:
            return steps.server_error()
        if is_first and name in MALFORMED:
            return steps.ok("No verdict.")
        if is_first and name in DRIPPING:
            return steps.drip(0.2)
        return semantic(request, is_correct=True)


def read_finished(files) -> set[str]:
    """The items with a whole record, as they lie in a file that nobody has put in order."""
    lines = files.output.read_text().split("\n")[:-1] if files.output.exists() else []
    records = [json.loads(line) for line in lines]
    return {str(one["id"]) for one in records if one["status"] == "scored"}


def test_items_with_every_trouble_and_a_kill_midway_end_with_exact_counts(files, serve):
    endpoint = Troubled()
    server = serve(endpoint)
    files.configure(server, limits={"seconds_per_call": 4})
    files.list_items(*(item(number) for number in range(ITEMS)))

    process = start(files, "--at-once", 8)
    wait_until(lambda: len(read_finished(files)) >= ITEMS // 2)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    finished = read_finished(files)
    before = count_asked(server)
    assert ITEMS // 2 <= len(finished) < ITEMS

    done = files.judge("--at-once", 8)

    after = count_asked(server)
    assert [name for name in finished if after[name] != before[name]] == []
    assert done.status == 1
    assert done.summary["scored"] == ITEMS - len(HOPELESS)
    assert done.summary["reasons"] == {"bad_request": len(HOPELESS)}
    assert done.summary["mean"] == 1.0
    assert files.column("id") == list(range(ITEMS))
    assert {name for name, count in Counter(files.column("id")).items() if count > 1} == set()
    # Every call that the server saw is in the journal, but for those that were cut short.
    unwritten = len(server.requests) - len(files.calls())
    assert 0 <= unwritten <= 8
    troubled = RATE_LIMITED | BROKEN | MALFORMED | DRIPPING
    asked_twice = {name for name, count in after.items() if count > 1} - HOPELESS
    assert len(asked_twice - troubled) <= 8

    endpoint.is_repaired = True
    assert files.judge().status == 0
    assert count_asked(server) - after == dict.fromkeys(HOPELESS, 1)

    assert files.judge().summary["scored"] == ITEMS
    assert sum(count_asked(server).values()) == sum(after.values()) + len(HOPELESS)


def test_without_a_kill_each_item_takes_exactly_the_calls_that_its_trouble_needs(files, serve):
    server = serve(Troubled())
    files.configure(server, limits={"seconds_per_call": 4})
    files.list_items(*(item(number) for number in range(ITEMS)))

    done = files.judge("--at-once", 16)

    twice = RATE_LIMITED | BROKEN | MALFORMED | DRIPPING
    assert count_asked(server) == {str(n): 2 if str(n) in twice else 1 for n in range(ITEMS)}
    assert done.summary["scored"] == ITEMS - len(HOPELESS)
    assert done.summary["calls"] == len(server.requests) == len(files.calls()) == ITEMS + len(twice)
    assert sum(files.column("calls")) == len(server.requests)


# The other test of a signal sends the other one.
@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGTERM]
)
def test_a_run_that_is_told_to_stop_keeps_what_its_calls_bring(files, serve, number):
    may_answer = threading.Event()

    def answer(request):
        if int(name_item(request)) >= 4:
            may_answer.wait(PATIENCE)
        return semantic(request)

    server = serve(answer)
    files.configure(server)
    files.list_items(*(item(number) for number in range(12)))
    process = start(files, "--at-once", 2)
    wait_until(lambda: len(read_finished(files)) == 4 and len(server.requests) == 6)

    process.send_signal(number)
    wait_until(lambda: process.stderr.peek(1) != b"")
    may_answer.set()
    status, err = end(process)

    assert status == 130
    assert "Stopped: 6 of 12 are judged. Run the same command again to continue." in err
    assert "Traceback" not in err
    assert files.column("status") == ["scored"] * 6 + ["pending"] * 6
    assert set(files.column("unscored_reason")[6:]) == {"cancelled"}
    assert files.judge().status == 0
    assert set(count_asked(server).values()) == {1}


def test_a_second_signal_leaves_at_once(files, serve):
    server = serve(each_time(steps.hang()))
    files.configure(server)
    files.list_items(item(1), item(2))
    process = start(files, "--at-once", 1)
    wait_until(lambda: len(server.requests) == 1)
    process.send_signal(signal.SIGINT)
    wait_until(lambda: process.stderr.peek(1) != b"")
    process.send_signal(signal.SIGINT)
    assert end(process)[0] == 130


def test_half_a_line_at_the_end_is_done_again(files, serve):
    server = serve(semantic)
    files.configure(server)
    files.list_items(item(1), item(2))
    files.judge("--at-once", 1)
    for path in (files.output, files.attempts):
        path.write_bytes(path.read_bytes()[:-20])

    assert files.judge().status == 0
    assert files.column("id", "status") == [(1, "scored"), (2, "scored")]
    assert count_asked(server) == {"1": 1, "2": 2}
    # The half line's call is forgotten, the others are counted.
    assert len(files.calls()) == 2


def test_an_item_that_was_changed_is_judged_again_and_no_other(files, serve):
    server = serve(semantic)
    files.configure(server)
    files.list_items(item(1), item(2))
    files.judge()
    files.list_items(item(2, response="Perhaps it is 8."), item(1), item(3))
    files.judge()
    assert files.column("id") == [2, 1, 3]
    assert count_asked(server) == {"1": 1, "2": 2, "3": 1}


def test_another_configuration_is_refused_and_can_be_started_anew(files, serve):
    server = serve(semantic)
    files.configure(server)
    files.list_items(item(1))
    files.judge()
    files.configure(server, parameters={"temperature": 0.5})

    refused = files.judge()
    assert refused.status == 2
    assert "was made with another configuration" in refused.err
    assert len(server.requests) == 1

    anew = files.judge("--fresh")
    assert anew.status == 0
    assert anew.summary["calls"] == 1
    kept = sorted(path.name for path in files.folder.glob("*.old-1"))
    assert kept == ["judgements.attempts.jsonl.old-1", "judgements.jsonl.old-1"]


def test_records_of_other_items_are_refused(files, serve):
    server = serve(semantic)
    files.configure(server)
    files.list_items(item(1), item(2))
    files.judge()
    files.list_items(item(1))
    refused = files.judge()
    assert refused.status == 2
    assert "a record of an item that is not among these: 2." in refused.err


def test_two_runs_do_not_write_to_one_file(files, serve):
    server = serve(semantic)
    files.configure(server)
    files.list_items(item(1))
    other = Output(files.output, identity="")
    other.open()
    try:
        refused = [files.judge(), files.judge("--fresh")]
    finally:
        other.close()
    assert ([one.status for one in refused], server.requests) == ([2, 2], [])
    assert ["another run is writing to it" in one.err for one in refused] == [True, True]
    assert not list(files.folder.glob("*.old-*"))


@pytest.mark.parametrize("name", ["output", "attempts"])
@pytest.mark.parametrize(
    "text",
    ["{}\n", "[]\n", "nonsense\n", '{"id": 1, "verdict": null}\n', "a whole file", '{"idea": 1}'],
)
def test_a_file_of_something_else_is_refused_and_left_alone(files, serve, text, name):
    files.configure(serve(semantic))
    files.list_items(item(1))
    path = getattr(files, name)
    path.write_text(text)
    refused = files.judge()
    assert refused.status == 2
    assert f"{path}: line 1 was not written by this command" in refused.err
    assert path.read_text() == text
