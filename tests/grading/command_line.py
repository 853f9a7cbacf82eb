"""`manage.py` as a stranger runs it: a process of its own, and nothing in the environment."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 100
"""Seconds."""


def command(*arguments: object) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)]


def manage(
    *arguments: object, given: bytes = b"", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    done = subprocess.run(
        command(*arguments),
        input=given,
        env=environment or {},
        cwd=ROOT,
        capture_output=True,
        timeout=PATIENCE,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )
