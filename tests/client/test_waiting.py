"""What a server says for now is waited for as it says, and no longer than ten minutes."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.client.loaded import run

BENCHMARKS = [{"slug": "test", "name": "Test", "current_version": 1}]


@contextmanager
def front(*answers: tuple[int, str]) -> Iterator[tuple[str, list[str]]]:
    """Be what stands before a server, and refuses by itself: these statuses, then what it asks."""
    left, asked = list(answers), []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            status, pause = left.pop(0) if left else (200, "")
            self.send_response(status)
            if pause:
                self.send_header("Retry-After", pause)
            self.end_headers()
            board = {"benchmark": "test", "version": 1, "rows": []}
            found = BENCHMARKS if self.path.endswith("/benchmarks") else board
            self.wfile.write(json.dumps(found if status == 200 else {"title": "No."}).encode())

        def log_message(self, *_arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("status", [429, 502, 503])
def test_what_is_refused_for_now_is_asked_again_when_it_says(status: int, tmp_path: Path) -> None:
    with front((status, "1"), (status, "1")) as (url, asked):
        begun = time.monotonic()
        done = run("leaderboard", "--url", url, folder=tmp_path)
        took = time.monotonic() - begun
    assert (done.returncode, len(asked)) == (0, 4)
    assert done.stderr == "No. Trying again in 1 s.\n" * 2
    assert took >= 2


def test_what_is_to_take_longer_than_ten_minutes_is_said_at_once(tmp_path: Path) -> None:
    with front((429, "601")) as (url, asked):
        done = run("leaderboard", "--url", url, folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "No.\n")
    assert len(asked) == 1


def test_what_is_refused_for_good_is_asked_once(tmp_path: Path) -> None:
    with front((403, "")) as (url, asked):
        done = run("leaderboard", "--url", url, folder=tmp_path)
    assert (done.returncode, done.stderr, len(asked)) == (1, "No.\n", 1)
