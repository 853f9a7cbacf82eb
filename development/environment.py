"""
The `.venv` of this checkout, filled with exactly what the locks name, and the grader in place.

`requirements.lock` is what runs; `requirements-tools.lock` what tests and lints as well, half of
all in size, which nobody waits for who only wants to see the application.
"""

import contextlib
import fcntl
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from development.failure import DISK_FULL, Failure, recognise, tail

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCK = ROOT / "requirements.lock"
TOOLS_LOCK = ROOT / "requirements-tools.lock"
STAMP, TOOLS_STAMP = VENV / "installed", VENV / "installed-tools"
PACKAGE = ROOT / "packages" / "phybench-grader"
"""The grader: installed by its path; no registry has it yet, and a stranger could take its name."""
OWN_CODE = ("phybench", "curation", "grading", str(PACKAGE / "src"))

NO_VENV = (
    "This Python can't make a virtual environment: install its venv module "
    "(Debian, Ubuntu: `apt-get install python3-venv`) and try again."
)


def prepare(*, tools: bool) -> None:
    """Install what the locks name, with the tools or without, unless that is done already."""
    if is_ready(tools=tools):
        return
    with one_at_a_time():
        if is_ready(tools=tools):
            return
        locks = [LOCK, TOOLS_LOCK] if tools else [LOCK]
        names = " and ".join(lock.name for lock in locks)
        print(f"Installing what {names} names into .venv (once, well under a minute).")
        if not is_ready(tools=False):
            STAMP.unlink(missing_ok=True)
        TOOLS_STAMP.unlink(missing_ok=True)
        if not has_pip():
            make_venv()
        install(locks)
        compile_own_code()
        STAMP.write_text(fingerprint(LOCK))
        if tools:
            TOOLS_STAMP.write_text(fingerprint(TOOLS_LOCK))


def fingerprint(lock: Path) -> str:
    """Name what has to be installed: another lock or another Python asks for it anew."""
    package = (PACKAGE / "pyproject.toml").read_bytes()
    return hashlib.sha256(lock.read_bytes() + package + sys.version.encode()).hexdigest()


def is_ready(*, tools: bool) -> bool:
    wanted = {STAMP: LOCK, TOOLS_STAMP: TOOLS_LOCK} if tools else {STAMP: LOCK}
    return all(
        stamp.exists() and stamp.read_text() == fingerprint(lock) for stamp, lock in wanted.items()
    )


def site_packages() -> Path:
    """Return the folder of the installed packages; `fingerprint` ties it to this Python."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return VENV / "lib" / version / "site-packages"


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Keep two first runs from installing over one another."""
    descriptor = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def has_pip() -> bool:
    """Tell whether .venv is whole and of this very Python; a half-made one is not."""
    if not PYTHON.exists():
        return False
    code = "import sys, pip; print(sys.version)"
    answer = subprocess.run([PYTHON, "-I", "-c", code], capture_output=True, text=True)
    return answer.returncode == 0 and answer.stdout.strip() == sys.version


def make_venv() -> None:
    # Where this folder can't be written, venv complains of it as of anything else: this names it.
    VENV.mkdir(exist_ok=True)
    # Started from inside .venv itself, it is the Python beneath that can make it anew.
    python = getattr(sys, "_base_executable", None) or sys.executable
    made = subprocess.run(
        [python, "-m", "venv", "--clear", str(VENV)], capture_output=True, text=True
    )
    if made.returncode != 0:
        is_full = recognise(made.stdout + made.stderr, ROOT) == DISK_FULL
        raise Failure(DISK_FULL if is_full else NO_VENV)


def install(locks: Sequence[Path]) -> None:
    """
    Install locks and the grader with uv, which is several times quicker than pip, else with pip.

    uv knows only the public index; where there is a mirror, pip's configuration names it.
    """
    exactly = ["--no-deps", "--require-hashes"]
    requirements = [*exactly, *(word for lock in locks for word in ("--requirement", str(lock)))]
    # What builds it is in the lock.
    package = ["--no-index", "--no-deps", "--no-build-isolation", "--editable", str(PACKAGE)]
    pip = ["-m", "pip", "--disable-pip-version-check", "--quiet", "--retries", "1", "install"]
    uv = ["-m", "uv", "--quiet", "--no-progress", "pip", "install", "--python", str(PYTHON)]
    # As pip does: else, where Python is told to write none (PYTHONDONTWRITEBYTECODE), each process
    # compiles SymPy anew, which takes five seconds.
    uv.append("--compile-bytecode")
    output = ""

    def succeeds(*arguments: str | Path, path: str = "") -> bool:
        nonlocal output
        environment = {**os.environ, "PYTHONPATH": path} if path else None
        done = subprocess.run(
            [PYTHON, *arguments], capture_output=True, text=True, cwd=ROOT, env=environment
        )
        output += done.stdout + done.stderr
        return done.returncode == 0

    def installs(installer: Sequence[str], path: str = "") -> bool:
        return all(succeeds(*installer, *what, path=path) for what in (requirements, package))

    # Aside: what runs does without it, and it is as large as all the web's packages.
    with tempfile.TemporaryDirectory(prefix="uv-", dir=VENV) as folder:
        uv_lock = Path(folder) / "uv.lock"
        uv_lock.write_text(lock_entry("uv"))
        aside = ["--target", folder, *exactly, "--requirement", str(uv_lock)]
        if succeeds(*pip, *aside) and installs(uv, folder):
            return
    if recognise(output, VENV) != DISK_FULL and installs(pip):
        return
    sentence = recognise(output, VENV)
    raise Failure(sentence or f"The packages could not be installed:{tail(output)}")


def compile_own_code() -> None:
    """Compile the project's modules as well: else all parts of a first start do, each by itself."""
    command = [str(PYTHON), "-m", "compileall", "-q", "-j", "0", *OWN_CODE]
    # What does not compile, whoever imports it says.
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def lock_entry(package: str) -> str:
    """Return the lines of the tools' lock that pin one package."""
    lines = TOOLS_LOCK.read_text().splitlines(keepends=True)
    start = next(i for i, line in enumerate(lines) if line.startswith(f"{package}=="))
    end = start
    while lines[end].rstrip().endswith("\\"):
        end += 1
    return "".join(lines[start : end + 1])
