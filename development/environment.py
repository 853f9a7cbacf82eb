"""The `.venv` of this checkout, filled with exactly what `requirements.lock` names."""

import contextlib
import fcntl
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from development.failure import DISK_FULL, Failure, recognise, tail

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCK = ROOT / "requirements.lock"
STAMP = VENV / "installed"
OWN_CODE = ("phybench", "curation", "grading")

NO_VENV = (
    "This Python can't make a virtual environment: install its venv module "
    "(Debian, Ubuntu: `apt-get install python3-venv`) and try again."
)


def prepare() -> None:
    """Install what the lock names, unless that is done already."""
    if is_ready():
        return
    with one_at_a_time():
        if is_ready():
            return
        print("Installing what requirements.lock names into .venv (once, well under a minute).")
        STAMP.unlink(missing_ok=True)
        if not has_pip():
            make_venv()
        install()
        compile_own_code()
        STAMP.write_text(fingerprint())


def fingerprint() -> str:
    """Name what has to be installed: another lock or another Python asks for another .venv."""
    return hashlib.sha256(LOCK.read_bytes() + sys.version.encode()).hexdigest()


def is_ready() -> bool:
    return STAMP.exists() and STAMP.read_text() == fingerprint()


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


def install() -> None:
    """
    Install the lock with uv, which is several times quicker than pip, else with pip.

    uv knows only the public index; where there is a mirror, pip's configuration names it.
    """
    requirements = ["--no-deps", "--require-hashes", "--requirement"]
    pip = ["-m", "pip", "--disable-pip-version-check", "--quiet", "--retries", "1", "install"]
    uv = ["-m", "uv", "--quiet", "--no-progress", "pip", "install", "--python", str(PYTHON)]
    # As pip does: else, where Python is told to write none (PYTHONDONTWRITEBYTECODE), each process
    # compiles SymPy anew, which takes five seconds.
    uv.append("--compile-bytecode")
    uv_lock = VENV / "uv.lock"
    uv_lock.write_text(lock_entry("uv"))
    output = ""

    def succeeds(*arguments: str | Path) -> bool:
        nonlocal output
        done = subprocess.run([PYTHON, *arguments], capture_output=True, text=True, cwd=ROOT)
        output += done.stdout + done.stderr
        return done.returncode == 0

    if succeeds(*pip, *requirements, uv_lock) and succeeds(*uv, *requirements, LOCK):
        return
    if recognise(output, VENV) != DISK_FULL and succeeds(*pip, *requirements, LOCK):
        return
    sentence = recognise(output, VENV)
    raise Failure(sentence or f"The packages could not be installed:{tail(output)}")


def compile_own_code() -> None:
    """Compile the project's modules as well: else all parts of a first start do, each by itself."""
    command = [str(PYTHON), "-m", "compileall", "-q", "-j", "0", *OWN_CODE]
    # What does not compile, whoever imports it says.
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def lock_entry(package: str) -> str:
    """Return the lines of the lock that pin one package."""
    lines = LOCK.read_text().splitlines(keepends=True)
    start = next(i for i, line in enumerate(lines) if line.startswith(f"{package}=="))
    end = start
    while lines[end].rstrip().endswith("\\"):
        end += 1
    return "".join(lines[start : end + 1])
