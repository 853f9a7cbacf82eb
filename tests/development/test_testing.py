"""`pytest` by itself, as an editor starts it: no variable is set, and no server runs."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from development.sockets import temporary_folder
from tests.changed import choose
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


def test_a_change_concerns_what_stands_on_its_room_and_no_other():
    of_import = choose(["curation/exchange/views.py"])
    assert "tests/curation/exchange/test_imports.py" in of_import
    assert "tests/grading/board/test_board.py" not in of_import
    of_problems = choose(["curation/problems/models.py"])
    assert {*of_import, "tests/grading/board/test_board.py"} <= {*of_problems}


def test_a_template_concerns_the_rooms_that_show_it_also_within_another():
    assert choose(["templates/curation/import.html"]) == choose(["curation/exchange/views.py"])
    assert choose(["templates/base.html"]) == ["tests"]


def test_what_is_of_no_room_concerns_all_and_a_test_itself():
    assert choose(["pyproject.toml"]) == choose(["phybench/settings.py"]) == ["tests"]
    assert choose(["tests/test_words.py"]) == ["tests/test_words.py"]
    assert "tests/grading/solvers/test_organisations.py" in choose(["tests/organisations.py"])
    assert choose([]) == []
