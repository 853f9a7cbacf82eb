"""The compiled catalogues of this checkout: made from `locale/*/LC_MESSAGES/*.po`, not kept."""

import subprocess
from pathlib import Path

from development.environment import PYTHON, ROOT, one_at_a_time
from development.failure import Failure, recognise, tail


def prepare() -> None:
    """Compile each catalogue that is newer than what was made of it."""
    if any(map(is_stale, find_catalogues())):
        with one_at_a_time():
            for catalogue in filter(is_stale, find_catalogues()):
                compile_catalogue(catalogue)


def find_catalogues() -> list[Path]:
    return sorted(ROOT.glob("locale/*/LC_MESSAGES/django.po"))


def is_stale(catalogue: Path) -> bool:
    compiled = catalogue.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime < catalogue.stat().st_mtime


def compile_catalogue(catalogue: Path) -> None:
    """Compile with Babel: gettext's own programs are not on every machine."""
    # In its place only when it is whole: somebody may be reading the one before.
    made = catalogue.with_suffix(".new")
    babel = ["-m", "babel.messages.frontend", "compile"]
    done = subprocess.run(
        [PYTHON, *babel, "--input-file", catalogue, "--output-file", made],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    # One that it takes for a guess as a whole it skips, and says so.
    if done.returncode != 0 or not made.exists():
        name, output = catalogue.relative_to(ROOT), done.stdout + done.stderr
        raise Failure(recognise(output, ROOT) or f"{name} can’t be compiled:{tail(output)}")
    made.replace(catalogue.with_suffix(".mo"))
