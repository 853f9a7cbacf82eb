"""
Keep connections open that are slow: `python slow_ones.py PORT KIND SECONDS COOKIES`.

Each is opened anew when it is closed. A kind is `head` or `body` (sent byte by byte), `reader` (the
answer is read byte by byte), `open` (nothing but an answer that is never closed) or `all` in turn.
It prints how many were opened and how many were answered, as JSON.
"""

import asyncio
import json
import socket
import sys
import time

CONNECTIONS = 200
KINDS = ("head", "body", "reader", "open")
PACE = 0.5
"""Seconds between two bytes."""
LENGTH = 4000
"""Bytes that a body is said to have."""
LONG = 40_000_000


class Slow:
    def __init__(self, port: int, path: str, over: float) -> None:
        self.port, self.path, self.over = port, path, over
        self.opened = self.answered = self.refused = 0

    async def go_on(self, kind: str, cookie: str, length: int) -> None:
        while time.monotonic() < self.over:
            one = socket.socket()
            # The window that it offers is as small as it can be.
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            one.setblocking(False)
            try:
                await asyncio.wait_for(self.be_slow(one, kind, cookie, length), self.left())
            except TimeoutError:
                pass
            except OSError:
                self.refused += 1
                await asyncio.sleep(0.1)
            finally:
                one.close()

    def left(self) -> float:
        return max(0.1, self.over - time.monotonic())

    async def be_slow(self, one: socket.socket, kind: str, cookie: str, length: int) -> None:
        loop = asyncio.get_running_loop()
        await loop.sock_connect(one, ("127.0.0.1", self.port))
        self.opened += 1
        head = f"Host: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
        if cookie:
            head += f"Cookie: {cookie}; csrftoken={'a' * 32}\r\nX-CSRFToken: {'a' * 32}\r\n"
        if kind == "head":
            await self.trickle(one, f"GET {self.path} HTTP/1.1\r\n{head}".encode())
            return
        if kind == "body":
            form = "Content-Type: application/x-www-form-urlencoded\r\n"
            head = f"POST /accounts/login/ HTTP/1.1\r\n{head}{form}"
            await loop.sock_sendall(one, f"{head}Content-Length: {length}\r\n\r\n".encode())
            await self.trickle(one, b"a=")
            return
        await loop.sock_sendall(one, f"GET {self.path} HTTP/1.1\r\n{head}\r\n".encode())
        while await loop.sock_recv(one, 1 if kind == "reader" else 65536):
            if kind == "reader":
                await asyncio.sleep(PACE)
        self.answered += 1
        # It never closes: who waits for that waits until the server has had enough.
        await asyncio.sleep(5)

    async def trickle(self, one: socket.socket, begins: bytes) -> None:
        """Send a byte and another, until it is closed at the other end."""
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(one, begins)
        while True:
            await asyncio.sleep(PACE)
            await loop.sock_sendall(one, b"a")


async def attack(port: int, path: str, kind: str, seconds: float, cookies: list[str]) -> None:
    slow = Slow(port, path, time.monotonic() + seconds)
    await asyncio.gather(
        *(
            slow.go_on(
                KINDS[number % len(KINDS)] if kind == "all" else kind,
                cookies[number % len(cookies)],
                LONG if number % 2 else LENGTH,
            )
            for number in range(CONNECTIONS)
        )
    )
    print(json.dumps([slow.opened, slow.answered, slow.refused]))


if __name__ == "__main__":
    _name, to, page, what, how_long, *signed_in = sys.argv
    asyncio.run(attack(int(to), page, what, float(how_long), signed_in or [""]))
