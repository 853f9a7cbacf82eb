"""
Read one bomb as a page does: `python reading.py KIND`; print megabytes of memory and what was said.

A process of its own, so that the memory measured is that of reading and of the app.
"""

import os
import sys
import zlib
from collections.abc import Iterable

import django

MB = 1000**2
SIZE = 16 * MB
"""Of answers that are not packed: more is refused before its body is read."""
REPEATED = {
    "objects in a list": (b"[", b"{},"),
    "objects in lines": (b"", b"{}\n"),
    "lists in one row": (b'[{"a": [', b"[],"),
    "numbers": (b"[", b"0,"),
    "strings": (b"[", b'"",'),
    "cells": (b"a,b\n", b",\n"),
    "one wide row": (b"a,b\n", b","),
    "a wide header": (b"a,b", b","),
    "empty lines": (b'{"a": 1}\n', b"\n"),
    "quotes that JSON would escape": (b'a,b\n"\\"', b","),
}


def make(kind: str, size: int = SIZE) -> bytes:
    if kind.startswith("packed"):
        content = pack(b" " * MB for _ in range(1000))
        return zlib.compress(content, wbits=31) if kind == "packed twice" else content
    begins, again = REPEATED[kind]
    return begins + again * (size // len(again))


def pack(pieces: Iterable[bytes]) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join([*map(packer.compress, pieces), packer.flush()])


def read_peak() -> int:
    with open("/proc/self/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) // 1000


def main(kind: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "phybench.settings")
    django.setup()
    from phybench.files.problem_files import LARGEST_FILE, Refused, Wanted, read

    said = ""
    try:
        read(make(kind, LARGEST_FILE - 100), Wanted(frozenset({"a", "b"}), "rows", "a, b"))
    except Refused as why:
        said = str(why)
    print(f"{read_peak()} {said}")


if __name__ == "__main__":
    main(sys.argv[1])
