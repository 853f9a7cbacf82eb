"""What `dev.py` can do: run, test, manage, check, lint, licences."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from development import preparation, services, web
from development.environment import PYTHON, ROOT
from development.supervisor import Supervisor, die_with_parent, interrupt_on_signals

BEGAN_AT = time.monotonic()
"""When this `dev.py` did: it loads this before it installs anything."""
FOLLOW_SECONDS = 0.2
STANDALONE = ("read", "grade", "judge", "calibrate")
"""Commands of Django's that need no services, as in manage.py; a test holds that."""
LICENCES: list[str | Path] = [PYTHON, "-m", "development.licences"]
MUTMUT = "mutmut==3.8.1"
CHANGED = "--changed"
"""Asks for the tests of what differs from the last commit (`tests/changed.py`)."""
AT_ONCE = ("-n", "logical", "--dist", "worksteal")
"""As many tests at once as there are processors."""


def run(arguments: Sequence[str]) -> int:
    """Run the whole application until Ctrl-C."""
    port = web.choose_port(arguments)
    # Before the port: of two in one checkout, the second is told about the first.
    services.refuse_another()
    web.take_port(port).close()
    interrupt_on_signals()
    try:
        with services.lasting("run") as own:
            print("Preparing the database and the static files.")
            # What is sent by mail leads back here.
            own.environment["PORT"] = str(port)
            own.environment["RUN_BY_DEV_PY"] = "1"
            own.environment.setdefault("STATIC_HASHED", "1")
            with preparation.start(own) as preparing:
                # It loads meanwhile.
                own.start()
                preparation.await_tables(preparing, own)
                own.supervisor.start(web.server(own.environment, port))
                demo = preparation.finish(preparing, own)
            # Nobody waits for them to be ready: what they are to do is in the database.
            own.supervisor.start(web.workers(own.environment))
            print(f"\n{demo.strip()}\n" if demo.strip() else "")
            seconds = time.monotonic() - BEGAN_AT
            print(f"Ready after {seconds:.1f} s: {web.local_address(port)}/")
            if not os.environ.get("EMAIL_BACKEND"):
                logs = os.path.relpath(own.folder / "log")
                print(
                    f"E-mails, as those that confirm an address, are printed here and in {logs}/."
                )
            print("Ctrl-C stops everything.\n", flush=True)
            follow(own.supervisor)
    except KeyboardInterrupt:
        print("\nStopped.")
    return 0


def follow(supervisor: Supervisor) -> None:
    while True:
        supervisor.check()
        time.sleep(FOLLOW_SECONDS)


def test(arguments: Sequence[str]) -> int:
    """Run pytest, which starts services of its own (`tests/session.py`), on all or what changed."""
    chosen: list[str] = []
    if CHANGED in arguments:
        arguments = [one for one in arguments if one != CHANGED]
        listed = subprocess.run(
            [PYTHON, "tests/changed.py"], cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE
        )
        if not (chosen := listed.stdout.split()):
            print("Nothing that concerns a test differs from the last commit.")
            return 0
    return run_in_front(os.environ, PYTHON, "-m", "pytest", *arguments, *chosen)


def manage(arguments: Sequence[str]) -> int:
    """Run `manage.py` with the services that it needs: those running, or ones started for it."""
    command: list[str | Path] = [PYTHON, ROOT / "manage.py", *arguments]
    if arguments and arguments[0] in STANDALONE:
        # They are given files by their paths from where somebody stands.
        return run_in_front(os.environ, *command, folder=Path.cwd())
    if environment := services.running_environment():
        return run_in_front(environment, *command)
    with services.lasting(" ".join(["manage", *arguments[:1]])) as own:
        own.start()
        return run_in_front(own.environment, *command)


def check(arguments: Sequence[str]) -> int:
    """Run everything that CI checks."""
    return lint([]) | test([*AT_ONCE, *arguments])


def lint(arguments: Sequence[str]) -> int:
    """Check all that can be checked without running the tests, and change nothing."""
    templates = sorted(map(str, ROOT.glob("templates/**/*.html")))
    steps: list[list[str | Path]] = [
        ["ruff", "format", "--check", "."],
        ["ruff", "check", "."],
        ["mypy"],
        # Alone: it is named as the package is, and runs on older Pythons than the rest.
        ["mypy", "client/phybench.py", "--strict", "--config-file=", "--python-version=3.10"],
        ["lint-imports", "--no-logo"],
        [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"],
        LICENCES,
    ]
    if templates:
        steps.insert(2, ["djade", "--check", *templates])
    failed = []
    with services.throw_away() as own:
        own.start()
        for step in steps:
            words = [str(word) for word in step[:3] if word != PYTHON]
            name = " ".join(word for word in words if word not in templates)
            print(f"\n== {name}", flush=True)
            if run_in_front(own.environment, *step) != 0:
                failed.append(name)
    print(f"\nFailed: {', '.join(failed)}." if failed else "\nNothing to complain of.", flush=True)
    return 1 if failed else 0


def licences(arguments: Sequence[str]) -> int:
    """List the dependencies by their licences; fail where one is not known to be allowed."""
    return run_in_front(os.environ, *LICENCES)


def mutants(arguments: Sequence[str]) -> int:
    """Break the code in many small ways, each by itself, and count what the tests notice."""
    with services.throw_away() as own:
        if not os.environ.get("DATABASE_URL"):
            # All mutants' databases are copies of one (`tests/session.py`), gone with the server.
            own.environment["TEST_RUN"] = "mutants"
        own.start()
        # Nothing else needs it, so it is in no lock.
        install: list[str | Path] = ["uv", "pip", "install", "--quiet", "--python", PYTHON, MUTMUT]
        if run_in_front(own.environment, *install) != 0:
            return 1
        # One at a time: the copies have one name.
        return run_in_front(own.environment, "mutmut", "run", "--max-children", "1", *arguments)


def run_in_front(environment: Mapping[str, str], *command: str | Path, folder: Path = ROOT) -> int:
    """Give the terminal to a command, and return its exit status."""
    interrupt_on_signals()
    # Ctrl-C reaches the command too, which decides what to make of it. (To ignore the signal
    # would make the command ignore it as well.)
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    process = subprocess.Popen(
        command, env=environment, cwd=folder, preexec_fn=die_with_parent(signal.SIGTERM)
    )
    try:
        code = process.wait()
        return code if code >= 0 else 128 - code
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        raise
    finally:
        signal.signal(signal.SIGINT, before)


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "run": run,
    "test": test,
    "manage": manage,
    "check": check,
    "lint": lint,
    "licences": licences,
    "mutants": mutants,
}
WITH_TOOLS = ("test", "check", "lint", "mutants")
"""Commands for which more is installed than what runs."""
