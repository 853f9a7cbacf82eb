"""
Send one bomb as people and programs do, to a server that runs here, and have it read.

`python -m tests.grading.attacks.sending BODY TYPE GIVEN`, where BODY is a file and GIVEN says as
JSON where to and by whom; prints megabytes of memory and the statuses that were answered. The
process is web server and worker in one, so that what is measured is at least what either takes.
The bomb is made elsewhere (`write_body`), and lies on a disk, as a socket would bring it.
"""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django

from tests.grading.attacks.reading import MB, REPEATED, pack, read_peak
from tests.grading.attacks.reading import make as make_rows

SIZE = 13 * MB
"""Of what is not packed: as a file of items may have."""
ROW = b'{"problem_id": "C1", "model": "A", "response": "'
ANSWERS = {
    "one long answer": (ROW, b"x", b'"}\n'),
    "many answers": (b"", ROW + b'"}\n', b""),
    "many models": (b"", b'{"problem_id": "C1", "model": "%d", "response": "x"}\n', b""),
    "many fields": (b"{", b'"%d": 0, ', b'"z": 0}\n'),
    "brackets": (b"", b"[", b""),
    "empty objects": (b"[", b"{},", b"{}]"),
}
"""What packed files unpack to, 200 MB of it: how it begins, what is repeated, how it ends."""
ZIP = b"PK\x03\x04" + bytes(1_000_000)
ITEM = b'{"id": 1, "question": "2+2?", "response": "4"}\n'
ITEMS = {
    "lists in an item": (
        b'{"id": 1, "question": "2+2?", "response": "4", "turns": [',
        b"[],",
        b"[]]}",
    ),
    "numbers in an item": (b'{"id": 1, "question": "2+2?", "response": "4", "a": [', b"0,", b"0]}"),
    "names in an item": (ITEM + b"{", b'"%d": 0, ', b'"id": 2}'),
    "empty lines": (ITEM, b"\n", ITEM),
    "lines": (ITEM, b"{}\n", ITEM),
    "long texts": (b'{"id": 1, "response": "4", "question": "', b"x", b'"}'),
}


def repeat(begins: bytes, again: bytes, ends: bytes, size: int) -> Iterator[bytes]:
    yield begins
    is_numbered = b"%d" in again
    number = done = 0
    while done < size:
        count = max(1, MB // len(again))
        numbers = range(number, number + count)
        piece = b"".join(again % one for one in numbers) if is_numbered else again * count
        number += count
        done += len(piece)
        yield piece
    yield ends


def make(how: str, kind: str) -> bytes:
    if how == "items":
        return b"".join(repeat(*ITEMS[kind], SIZE))
    if kind == "zip":
        return ZIP
    if kind in ANSWERS:
        return pack(repeat(*ANSWERS[kind], 200 * MB))
    return make_rows(kind)


KINDS = {
    "form": (*REPEATED, "packed", "packed twice", "zip", *ANSWERS),
    "part": (*REPEATED, "packed", "packed twice", "zip", *ANSWERS),
    "items": tuple(ITEMS),
}
"""What is sent how."""


def write_body(path: Path, how: str, kind: str, fields: dict[str, Any]) -> str:
    """Write what is sent to a file; return its type."""
    head, foot, sent_as = b"", b"", "application/octet-stream"
    if how != "part":
        head, foot = write_form(fields, "file" if how == "items" else "answers")
        sent_as = "multipart/form-data; boundary=bomb"
    path.write_bytes(head + make(how, kind) + foot)
    return sent_as


def main(path: Path, sent_as: str, given: dict[str, Any]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "phybench.settings")
    django.setup()
    with path.open("rb") as file:
        sent = {"CONTENT_LENGTH": str(path.stat().st_size), "CONTENT_TYPE": sent_as}
        statuses = send(given, {"wsgi.input": file, **sent})
    read()
    print(f"{read_peak()} {statuses}")


def write_form(fields: dict[str, Any], name: str) -> tuple[bytes, bytes]:
    parts = [
        f'--bomb\r\nContent-Disposition: form-data; name="{one}"\r\n\r\n{value}\r\n'
        for one, value in fields.items()
    ]
    file = f'--bomb\r\nContent-Disposition: form-data; name="{name}"; filename="a.jsonl"\r\n\r\n'
    return ("".join(parts) + file).encode(), b"\r\n--bomb--\r\n"


def send(given: dict[str, Any], body: dict[str, Any]) -> list[int]:
    from django.test import Client

    from phybench.people.models import User

    client = Client(SERVER_NAME="localhost")
    if secret := given.get("secret"):
        body["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
    else:
        client.force_login(User.objects.get(pk=given["person"]))
    answer = client.generic("POST", given["address"], **body)
    statuses = [answer.status_code]
    if answer.status_code == 302:
        # The page that is led to shows some of what was taken.
        statuses.append(client.get(answer["Location"]).status_code)
    return statuses


def read() -> None:
    """Read what was taken as a worker does."""
    from grading.submissions.drafts.tasks import READING
    from phybench.work.leases import carry_out

    while (row := READING.claim()) is not None:
        carry_out(READING, [row])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3]))
