"""A connection that keeps what its reader is too slow to take, so that no thread waits for that."""

import socket
import threading
from typing import Any

MOST_REST = 4 * 1024**2
"""Bytes that are kept for one reader: of what is longer, a thread waits for the beginning."""
MOST_RESTS = 64 * 1024**2
"""Bytes that one worker keeps for all."""


class PatientSocket(socket.socket):
    """Sends at once what goes at once; `send_rest` sends the rest when there is room again."""

    _lock = threading.Lock()
    _kept = 0

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.rest = bytearray()

    def sendall(self, data: Any, flags: int = 0) -> None:
        if not self.rest:
            data = data[self._send_now(data) :]
        if not data or self._keep(data):
            return
        waiting = bytes(self.rest)
        self._forget(len(waiting))
        super().sendall(waiting)
        super().sendall(data, flags)

    def send_rest(self) -> None:
        self._forget(self._send_now(self.rest))

    def close(self) -> None:
        self._forget(len(self.rest))
        super().close()

    def _send_now(self, data: bytes | bytearray) -> int:
        sent = 0
        with memoryview(data) as view:
            try:
                while sent < len(data):
                    sent += self.send(view[sent:], socket.MSG_DONTWAIT)
            except BlockingIOError:
                pass
        return sent

    def _keep(self, data: bytes) -> bool:
        with self._lock:
            fits = len(self.rest) + len(data) <= MOST_REST
            if fits and PatientSocket._kept + len(data) <= MOST_RESTS:
                self.rest += data
                PatientSocket._kept += len(data)
                return True
        return False

    def _forget(self, length: int) -> None:
        with self._lock:
            del self.rest[:length]
            PatientSocket._kept -= length
