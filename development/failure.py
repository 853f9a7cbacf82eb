"""Failures that a newcomer can meet, each as a sentence that says what to do."""

import errno
import re
import shutil
from pathlib import Path

DISK_FULL = "The disk is full: free some space (a whole set-up takes about 1 GB) and try again."
NO_NETWORK = (
    "The package index can't be reached: check the network (or the proxy, or pip's index settings) "
    "and try again; it is needed once, to fill .venv."
)
READ_ONLY = (
    "{} can't be written, because its disk is mounted read-only: copy the checkout to another one, "
    "and start dev.py there."
)
OTHERS = (
    "{} can't be written by this user: work as the user who owns this folder, or remove what "
    "another user left in .venv and var."
)
MISSING = (
    "The module {} is missing: if requirements.lock names its package, remove .venv and start "
    "dev.py again; else add it to pyproject.toml and the lock."
)
TAIL_LINES = 15
LEAST_FREE_BYTES = 4 * 1024 * 1024

# What a program prints when this is the matter with it.
SYMPTOMS = {
    DISK_FULL: ("No space left on device", "Disk quota exceeded", "os error 28"),
    NO_NETWORK: (
        "Failed to establish a new connection",
        "NewConnectionError",
        "ProxyError",
        "Cannot connect to proxy",
        "ConnectTimeout",
        "ReadTimeoutError",
        "Name or service not known",
        "Temporary failure in name resolution",
        "dns error",
        "client error (Connect)",
        "tcp connect error",
    ),
}


class Failure(Exception):
    """Something a person has to see to; its text is one sentence that says what to do."""


def recognise(output: str, folder: Path) -> str:
    """
    Return the sentence for what a program complains of, or an empty text.

    Not every program says that the disk is full, so the disk of the folder it works in is asked.
    """
    if shutil.disk_usage(folder).free < LEAST_FREE_BYTES:
        return DISK_FULL
    for sentence, symptoms in SYMPTOMS.items():
        if any(symptom in output for symptom in symptoms):
            return sentence
    for sentence, symptom in ((READ_ONLY, "Read-only file system"), (OTHERS, "Permission denied")):
        if found := re.search(rf"{symptom}: '([^']+)'", output):
            return sentence.format(found[1])
    if found := re.search(r"^ModuleNotFoundError: No module named '([^']+)'", output, re.MULTILINE):
        return MISSING.format(found[1])
    return ""


def describe(failure: Failure | OSError) -> str:
    """Return what to tell the person at the terminal."""
    if isinstance(failure, Failure):
        return str(failure)
    if failure.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return DISK_FULL
    if failure.errno == errno.EROFS:
        return READ_ONLY.format(failure.filename or "A file")
    if failure.errno in (errno.EACCES, errno.EPERM):
        return OTHERS.format(failure.filename or "A file")
    return f"{failure.strerror or failure}: {failure.filename or 'no file named'}."


def tail(output: str) -> str:
    """Return the last lines of a program's output, indented, to show under a sentence."""
    lines = output.rstrip().splitlines()[-TAIL_LINES:]
    return "".join(f"\n    {line}" for line in lines)
