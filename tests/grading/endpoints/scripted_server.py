"""A fake endpoint that answers with steps in turn or by a script, and keeps what it was asked."""

import threading
from collections.abc import Iterable
from typing import Self

from grading.demo.fake_endpoint import FakeEndpoint, Request, Script
from grading.demo.fake_replies import FakeReply, complain


def in_turn(steps: Iterable[FakeReply]) -> Script:
    """Answer with one step after the other, and with an error of the server's after the last."""
    left = iter(steps)
    lock = threading.Lock()

    def answer(request: Request) -> FakeReply:
        with lock:
            return next(left, None) or complain(500, "The script has no more steps.")

    return answer


class ScriptedServer(FakeEndpoint):
    def __init__(
        self, script: Iterable[FakeReply] | Script, models: Iterable[str] = ("fake-judge",)
    ) -> None:
        self._requests: list[Request] = []
        self._lock = threading.Lock()
        super().__init__(script if callable(script) else in_turn(script), models=models)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)

    @property
    def requests(self) -> list[Request]:
        """All that was asked so far, in order."""
        with self._lock:
            return list(self._requests)

    def answer(self, request: Request) -> FakeReply:
        with self._lock:
            self._requests.append(request)
        return super().answer(request)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()
