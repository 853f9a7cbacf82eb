"""Runaway functions cost one child process and nothing else."""

import os
import signal
import subprocess
import sys
from concurrent.futures import FIRST_COMPLETED, CancelledError, ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from phybench.work import sandbox
from phybench.work.sandbox import Stopped, run

sys.path.insert(0, str(Path(__file__).parent))
import runaways  # found only once its folder is on the path

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
PLENTY = 60
"""Seconds for what ends by itself."""


@pytest.fixture(scope="module", autouse=True)
def _close_sandbox():
    yield
    sandbox.close()


def test_a_function_s_result_comes_back():
    assert run(runaways.add, 1, other=2, deadline=PLENTY) == 3


@pytest.mark.parametrize("function", [runaways.spin, runaways.raise_towers])
def test_a_function_past_its_deadline_is_killed(function):
    with pytest.raises(Stopped) as stopped:
        run(function, deadline=0.5)

    assert stopped.value.reason == "timeout"
    assert run(runaways.add, 1, 2, deadline=PLENTY) == 3


@pytest.mark.parametrize("function", [runaways.eat_memory, runaways.ask_for_too_much])
def test_a_function_past_its_memory_is_stopped(function):
    with pytest.raises(Stopped) as stopped:
        run(function, deadline=PLENTY)

    assert stopped.value.reason == "memory"


def test_a_dead_child_is_replaced():
    with pytest.raises(Stopped) as stopped:
        run(runaways.die, deadline=PLENTY)

    assert stopped.value.reason == "crashed"
    assert run(runaways.add, 1, 2, deadline=PLENTY) == 3


def test_a_function_whose_child_is_killed_runs_once_more_while_nothing_else_runs(tmp_path):
    (tmp_path / "beside").mkdir()
    with ThreadPoolExecutor(4) as threads:
        others = [
            threads.submit(run, runaways.run_beside, tmp_path, deadline=PLENTY) for _ in range(12)
        ]
        wait(others[:2], return_when=FIRST_COMPLETED)
        killed = run(runaways.be_killed_once, tmp_path, deadline=PLENTY)

    assert killed == []
    assert [one.result() for one in others] == [None] * 12


def test_a_function_whose_child_is_killed_twice_is_not_run_a_third_time():
    with pytest.raises(Stopped) as stopped:
        run(runaways.be_killed, deadline=PLENTY)

    assert stopped.value.reason == "crashed"
    assert run(runaways.add, 1, 2, deadline=PLENTY) == 3


def test_who_waits_to_run_alone_is_told_when_it_is_closed(tmp_path):
    with ThreadPoolExecutor(2) as threads:
        beside = threads.submit(run, runaways.spin, deadline=PLENTY)
        killed = threads.submit(run, runaways.be_killed_once, tmp_path, deadline=PLENTY)
        while not (tmp_path / "killed").exists():
            wait([killed], timeout=0.1)
        while not (beside.done() and killed.done()):
            sandbox.close()
            wait([beside, killed], timeout=0.1)

    for one in (beside, killed):
        with pytest.raises(CancelledError):
            one.result()


def test_what_a_function_raises_comes_through():
    with pytest.raises(ValueError, match="refused"):
        run(runaways.refuse, deadline=PLENTY)


def test_threads_share_the_children():
    with ThreadPoolExecutor(8) as threads:
        processes = list(
            threads.map(lambda _: run(runaways.tell_process, deadline=PLENTY), range(16))
        )

    assert os.getpid() not in processes
    assert len(set(processes)) <= sandbox.CHILDREN


def test_who_waits_for_a_child_is_told_when_it_is_closed():
    with ThreadPoolExecutor(1) as threads:
        spinning = threads.submit(run, runaways.spin, deadline=PLENTY)
        while not spinning.done():
            sandbox.close()
            wait([spinning], timeout=0.1)

    with pytest.raises(CancelledError):
        spinning.result()


def test_as_many_functions_run_at_once_as_are_allowed():
    sandbox.allow(1)
    try:
        with ThreadPoolExecutor(4) as threads:
            calls = [threads.submit(run, runaways.tell_process, deadline=PLENTY) for _ in "abcdef"]
            assert len({call.result() for call in calls}) == 1
    finally:
        sandbox.allow(sandbox.CHILDREN)


SCRIPT = """
import sys, threading
import runaways
from phybench.work.sandbox import run
if __name__ == "__main__":
    child = run(runaways.tell_process, deadline=60)
    if sys.argv[1] == "stay":
        for _ in range(2):
            threading.Thread(target=run, args=(runaways.raise_towers,),
                             kwargs={"deadline": 600}).start()
    print(child, flush=True)
"""


def _start(folder: Path, argument: str) -> subprocess.Popen[str]:
    script = folder / "asks.py"
    script.write_text(SCRIPT)
    root = Path(sandbox.__file__).parents[2]
    path = os.pathsep.join([str(Path(__file__).parent), str(root)])
    return subprocess.Popen(
        [sys.executable, str(script), argument],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _await_end(process: int) -> None:
    """Wait until a process that is no child of ours has ended."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return
    import select

    try:
        assert select.select([handle], [], [], PLENTY)[0], "the child outlived its application"
    finally:
        os.close(handle)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of a parent's death")
def test_children_die_with_an_application_that_is_killed(tmp_path):
    with _start(tmp_path, "stay") as application:
        assert application.stdout is not None
        child = int(application.stdout.readline())

        application.send_signal(signal.SIGKILL)
        application.wait(PLENTY)

        _await_end(child)


def test_an_application_ends_without_waiting_for_its_children(tmp_path):
    with _start(tmp_path, "leave") as application:
        output, _ = application.communicate(timeout=PLENTY)

    assert application.returncode == 0
    _await_end(int(output))
