"""What `manage.py prepare` says reaches the terminal whole."""

import subprocess
import sys

from development import preparation, services

AT_ONCE = "input(); print('ready\\nMake an admin: so', flush=True)"


def test_what_is_said_right_behind_ready_is_not_lost() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", AT_ONCE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process, services.throw_away() as own:
        preparation.await_tables(process, own)
        assert preparation.finish(process, own) == "Make an admin: so\n"
