"""What goes wrong for a newcomer is said in one sentence."""

import os
import runpy
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

from development.failure import DISK_FULL, NO_NETWORK
from tests.development.checkout import (
    ROOT,
    clean_environment,
    copy_set_up,
    dev,
    free_port,
    link_venv,
)

OLD_PYTHONS = ("python3.10", "python3.9", "python3.8", "python3.7")


def on_own_services(folder: Path) -> dict[str, str]:
    """Name the database and the broker of these tests, so that none are started."""
    services = {name: os.environ[name] for name in ("DATABASE_URL", "CELERY_BROKER_URL")}
    return {**clean_environment(), **services, "VAR_DIR": str(folder / "var")}


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


def test_a_module_that_is_missing_is_named(set_up: Path, tmp_path: Path) -> None:
    link_venv(set_up, without=["dj_database_url"])
    shutil.copy(ROOT / "manage.py", set_up)
    shutil.copytree(ROOT / "phybench", set_up / "phybench")
    run = ["run", "--port", str(free_port())]
    assert refusal(set_up, *run, environment=on_own_services(tmp_path)) == (
        "dev.py: The module dj_database_url is missing: if requirements.lock names its package, "
        "remove .venv and start dev.py again; else add it to pyproject.toml and the lock."
    )


@pytest.mark.slow
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
    """A disk with room for `dev.py`, and for little else."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True, text=True
    )
    if mounted.returncode != 0:
        pytest.skip(f"no small disk to be had here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_is_said(small_disk: Path) -> None:
    checkout = copy_set_up(small_disk / "checkout")
    with suppress(OSError), (small_disk / "the rest").open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass
    assert refusal(checkout, "lint") == f"dev.py: {DISK_FULL}"


@pytest.fixture(params=["nothing installed", "a catalogue to be compiled"])
def read_only(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A checkout that can be read and not written, in which something is to be made."""
    checkout = copy_set_up(tmp_path / "checkout")
    if request.param != "nothing installed":
        link_venv(checkout)
        place = checkout / "locale" / "zh_Hans" / "LC_MESSAGES"
        place.mkdir(parents=True)
        shutil.copy(ROOT / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po", place)
    if os.getuid() != 0:
        folders = [checkout, *checkout.glob("locale/*/*")]
        for folder in folders:
            folder.chmod(0o555)
        yield checkout
        for folder in folders:
            folder.chmod(0o755)
        return
    # What root may not write either.
    for options in (["--bind", checkout], ["-o", "remount,ro,bind"]):
        mounted = subprocess.run(["mount", *options, checkout], capture_output=True, text=True)
        if mounted.returncode != 0:
            pytest.skip(f"nothing read-only to be had here: {mounted.stderr.strip()}")
    yield checkout
    subprocess.run(["umount", checkout], check=True)


def test_a_checkout_that_can_not_be_written_is_named(read_only: Path) -> None:
    said = refusal(read_only, "lint")
    assert said.startswith(f"dev.py: {read_only}")
    assert " can't be written" in said
    assert "copy the checkout" in said or "owns this folder" in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("DATABASE_URL", "postgres://somebody:secret@127.0.0.1:{}/phybench"),
        ("CELERY_BROKER_URL", "redis://:secret@127.0.0.1:{}/0"),
        ("CELERY_BROKER_URL", "amqp://somebody:secret@127.0.0.1:{}//"),
    ],
)
def test_a_server_that_was_named_and_does_not_answer_is_said_at_once(
    set_up: Path, name: str, address: str
) -> None:
    link_venv(set_up)
    port = free_port()
    environment = {**clean_environment(), name: address.format(port)}
    for command in (["run", "--port", str(free_port())], ["manage", "certify"]):
        began = time.monotonic()
        assert refusal(set_up, *command, environment=environment) == (
            f"dev.py: Nothing answers at 127.0.0.1:{port}, which {name} names: start that server, "
            f"name another, or unset {name} to use the one that comes with the packages."
        )
        assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (
            "DATABASE_URL",
            "hello",
            "DATABASE_URL is not the address of a PostgreSQL database: write it as "
            "postgres://USER:PASSWORD@HOST:PORT/NAME.",
        ),
        (
            "REVIEWS_OPEN_AT_MOST",
            "ten",
            "REVIEWS_OPEN_AT_MOST is 'ten', and has to be a whole number from 0 up: correct it, or "
            "unset it (10).",
        ),
    ],
)
def test_a_setting_that_is_none_is_refused_by_name(
    tmp_path: Path, name: str, value: str, sentence: str
) -> None:
    environment = {**on_own_services(tmp_path), name: value}
    run = ["run", "--port", str(free_port())]
    assert refusal(ROOT, *run, environment=environment) == f"dev.py: {sentence}"
    managed = refusal(ROOT, "manage", "certify", environment=environment)
    assert managed == f"manage.py: {sentence}"


@pytest.fixture
def no_tables() -> Iterator[str]:
    """The address of a database that has none."""
    server, name = os.environ["DATABASE_URL"], f"empty_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        yield urlsplit(server)._replace(path=name).geturl()
        connection.execute(f"DROP DATABASE {name}".encode())


def test_a_command_on_a_database_without_tables_says_how_to_make_them(
    no_tables: str, tmp_path: Path
) -> None:
    environment = {**on_own_services(tmp_path), "DATABASE_URL": no_tables}
    assert refusal(ROOT, "manage", "certify", environment=environment) == (
        "manage.py: The database has no tables yet: `python3 dev.py run` makes "
        "them, and so does `python3 dev.py manage migrate`."
    )


def test_a_folder_without_postgresql_that_was_named_is_not_passed_over(set_up: Path) -> None:
    link_venv(set_up)
    environment = {**clean_environment(), "PG_BINDIR": "/nowhere"}
    assert refusal(set_up, "manage", "certify", environment=environment) == (
        "dev.py: PG_BINDIR names /nowhere, where there is no postgres or no initdb: set it to the "
        "folder of both (`pg_config --bindir` prints it), or unset it to use the PostgreSQL of the "
        "packages."
    )


def test_a_command_that_there_is_not_is_named() -> None:
    answer = dev(ROOT, "bogus")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("dev.py: there is no command `bogus`.\n\nSet up this checkout")


def test_whoever_reads_only_the_beginning_of_the_help_is_shown_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    answer = subprocess.run(
        [sys.executable, "dev.py", "help"], cwd=ROOT, stdout=write, stderr=subprocess.PIPE
    )
    os.close(write)
    assert answer.stderr == b""


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
