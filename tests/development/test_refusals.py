"""What goes wrong for a newcomer is said in one sentence."""

import os
import runpy
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from development.failure import DISK_FULL, NO_NETWORK
from tests.development.checkout import (
    ROOT,
    clean_environment,
    copy_checkout,
    copy_set_up,
    dev,
    free_port,
    link_venv,
)

OLD_PYTHONS = ("python3.10", "python3.9", "python3.8", "python3.7")


def refusal(checkout: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> str:
    """Run what has to fail, and return what it says on the error stream."""
    answer = dev(checkout, *arguments, environment=environment)
    assert answer.returncode == 1, answer.stdout + answer.stderr
    return answer.stderr.strip()


@pytest.fixture
def set_up(tmp_path: Path) -> Path:
    return copy_set_up(tmp_path / "checkout")


def test_a_port_in_use_is_named_and_nothing_is_started(set_up: Path) -> None:
    link_venv(set_up)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert refusal(set_up, "run", "--port", str(port)) == (
            f"dev.py: Port {port} is in use: stop what uses it, or choose another "
            f"(`python3 dev.py run --port {port + 1}`)."
        )
    assert not (set_up / "var").exists()


def test_a_module_that_is_missing_is_named(tmp_path: Path) -> None:
    checkout = copy_checkout(tmp_path / "checkout", without="dj_database_url")
    assert refusal(checkout, "run", "--port", str(free_port())) == (
        "dev.py: The module dj_database_url is missing: if requirements.lock names its package, "
        "remove .venv and start dev.py again; else add it to pyproject.toml and the lock."
    )


def test_an_index_that_can_not_be_reached_is_said(set_up: Path) -> None:
    closed = f"http://127.0.0.1:{free_port()}/simple"
    environment = {
        name: value
        for name, value in clean_environment().items()
        if not name.startswith(("PIP_", "UV_"))
    }
    environment |= {"PIP_CONFIG_FILE": os.devnull, "UV_NO_CONFIG": "1", "UV_NO_CACHE": "1"}
    environment |= {"PIP_INDEX_URL": closed, "UV_INDEX_URL": closed, "PIP_NO_CACHE_DIR": "1"}
    assert refusal(set_up, "lint", environment=environment) == f"dev.py: {NO_NETWORK}"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for `dev.py`, but for no `.venv`."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], capture_output=True, text=True
    )
    if mounted.returncode != 0:
        pytest.skip(f"no small disk to be had here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_is_said(small_disk: Path) -> None:
    assert refusal(copy_set_up(small_disk / "checkout"), "lint") == f"dev.py: {DISK_FULL}"


# --- Python ---------------------------------------------------------------------------------


def old_python() -> tuple[str, str] | None:
    """
    Find an older Python that really starts, with its version.

    A name on PATH may be a version manager's own, so what it installed is looked through too.
    """
    named = [found for name in OLD_PYTHONS if (found := shutil.which(name))]
    installed = map(str, Path(sys.base_prefix).parent.glob("3.*/bin/python3"))
    tell = "import sys; print('%d.%d' % sys.version_info[:2])"
    for python in (*named, *installed):
        answer = subprocess.run([python, "-c", tell], capture_output=True, text=True)
        if answer.returncode == 0 and f"python{answer.stdout.strip()}" in OLD_PYTHONS:
            return python, answer.stdout.strip()
    return None


def test_an_older_python_is_refused_by_name() -> None:
    found = old_python()
    if found is None:
        pytest.skip(f"none of {', '.join(OLD_PYTHONS)} is here")
    python, version = found
    answer = subprocess.run([python, "dev.py"], cwd=ROOT, capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr == (
        f"Python {version} is too old for this project: start dev.py with Python 3.11 or newer, "
        "e.g. `python3.11 dev.py run`.\n"
    )


@pytest.mark.parametrize(
    ("version", "platform", "sentence"),
    [
        ((3, 10), "linux", "Python 3.10 is too old for this project: start dev.py with"),
        ((3, 12), "win32", "Windows itself is not supported: run dev.py inside WSL"),
    ],
)
def test_a_system_that_will_not_do_is_refused_before_anything_is_loaded(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int], platform: str, sentence: str
) -> None:
    monkeypatch.setattr(sys, "version_info", (*version, 0, "final", 0))
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(SystemExit, match=sentence):
        runpy.run_path(str(ROOT / "dev.py"))
