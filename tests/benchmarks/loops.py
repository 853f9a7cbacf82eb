"""
Ask for one page in many loops without a pause: `python loops.py PORT PATH SECONDS COOKIE`.

Prints what each request took and its status, as JSON. "made-up" in a path or a cookie is another
text each time. It needs nothing but Python, so that it takes as little of the machine as it can.
"""

import asyncio
import json
import secrets
import sys
import time

LOOPS = 48
MADE_UP = "made-up"


async def ask(port: int, path: str, cookie: str) -> tuple[float, int]:
    """Ask once; return the seconds that it took, and the status."""
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
    if cookie:
        head += f"Cookie: {cookie}\r\n"
    head = head.replace(MADE_UP, secrets.token_hex(16))
    began = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"{head}\r\n".encode())
    answer = await reader.read()
    writer.close()
    return time.monotonic() - began, int(answer[9:12] or b"0")


async def go_on(port: int, path: str, cookie: str, over: float) -> list[tuple[float, int]]:
    had = []
    while time.monotonic() < over:
        try:
            had.append(await ask(port, path, cookie))
        except OSError:
            had.append((0.0, 0))
    return had


async def ask_in_loops(port: int, path: str, seconds: float, cookie: str) -> None:
    over = time.monotonic() + seconds
    each = await asyncio.gather(*(go_on(port, path, cookie, over) for _number in range(LOOPS)))
    print(json.dumps([one for had in each for one in had]))


if __name__ == "__main__":
    asyncio.run(ask_in_loops(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), sys.argv[4]))
