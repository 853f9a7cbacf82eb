"""`pytest` by itself, as an editor starts it: no variable is set, and no server runs."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from development.sockets import temporary_folder
from tests.development.checkout import PATIENCE_SECONDS, ROOT, clean_environment

ONE = "tests/phybench/test_accounts.py::test_a_wrong_password_signs_nobody_in"


@pytest.mark.slow
def test_it_brings_its_services_and_leaves_nothing_of_them():
    with tempfile.TemporaryDirectory(dir=temporary_folder()) as folder:
        done = subprocess.run(
            [Path(sys.executable).parent / "pytest", "-p", "no:cacheprovider", ONE],
            cwd=ROOT,
            env={**clean_environment(), "TMPDIR": folder},
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
        )
        assert "1 passed" in done.stdout, done.stdout + done.stderr
        assert list(Path(folder).glob("phybench-*")) == []
