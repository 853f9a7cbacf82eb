"""What is installed: what runs first, and what tests and lints when it is asked for."""

import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from development import environment
from development.commands import COMMANDS, WITH_TOOLS
from tests.development.checkout import ROOT, clean_environment, copy_set_up, link_venv, list_pins

ASK = """
from development import environment
print(environment.is_ready(tools=False), environment.is_ready(tools=True))
"""


def test_what_both_locks_name_has_one_version():
    runs, tests = list_pins("requirements.lock"), list_pins("requirements-tools.lock")
    shared = runs.keys() & tests.keys()
    assert shared
    assert {name: runs[name] for name in shared} == {name: tests[name] for name in shared}


def test_no_index_is_asked_for_the_grader():
    """No registry has it: a stranger could put another one there under its name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    named = [*project["project"]["dependencies"], *chain(*project["dependency-groups"].values())]
    for lock in ("requirements.lock", "requirements-tools.lock"):
        named += (ROOT / lock).read_text().splitlines()
    assert len(named) > 100
    assert not [name for name in named if re.match(r"phybench[-_.]grader", name, re.IGNORECASE)]
    assert environment.PACKAGE.is_relative_to(ROOT)
    assert "--no-index" in Path(environment.__file__).read_text()


def test_only_what_tests_and_lints_wants_the_tools():
    assert COMMANDS.keys() - set(WITH_TOOLS) == {"run", "manage", "licences"}


@pytest.mark.parametrize("changed", ["requirements.lock", "requirements-tools.lock"])
def test_another_lock_asks_for_what_it_names_and_not_for_more(tmp_path, changed):
    checkout = copy_set_up(tmp_path / "checkout")
    link_venv(checkout, without=["nothing"])
    stamp = ROOT / ".venv" / "installed-tools"
    (checkout / ".venv" / stamp.name).write_text(stamp.read_text())

    def ask() -> str:
        command = [sys.executable, "-c", ASK]
        asked = subprocess.run(
            command, cwd=checkout, env=clean_environment(), capture_output=True, text=True
        )
        return (asked.stdout + asked.stderr).strip()

    assert ask() == "True True"
    with (checkout / changed).open("a") as lock:
        lock.write("# Another.\n")
    assert ask() == ("False False" if changed == "requirements.lock" else "True False")
