"""What a process has loaded and set, however it starts: each in a fresh interpreter."""

import os
import subprocess
import sys

import pytest

PURE = ("phybench_grader", "phybench_grader.statistics.metrics", "grading.endpoints")
PRINT_CACHE = "from sympy.core.cache import SYMPY_CACHE_SIZE as size; print(size)"
PRINT_GARBAGE = "import gc; print(gc.isenabled(), gc.get_freeze_count() > 10_000)"


def run(*command: str) -> list[str]:
    """Return the lines that a Python prints that nothing told how large SymPy's cache is to be."""
    environment = {name: text for name, text in os.environ.items() if name != "SYMPY_CACHE_SIZE"}
    asked = subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, check=True
    )
    return asked.stdout.splitlines()


def test_the_pure_core_comes_without_django_and_with_a_cache_for_the_largest_answers():
    script = "; ".join(
        f"import sys, {module}; print('{module}', {{'django', 'celery'}} & {{*sys.modules}})"
        for module in PURE
    )
    said = [f"{module} set()" for module in PURE]
    assert run("-c", f"{script}; {PRINT_CACHE}") == [*said, "20000"]


@pytest.mark.parametrize(
    "start",
    [
        ["manage.py", "shell", "--command", ""],
        ["-c", "import phybench.wsgi; "],
        ["-c", "from phybench.celery import app; app.loader.import_default_modules(); "],
    ],
)
def test_sympy_s_cache_is_large_and_garbage_is_looked_for_again_once_the_apps_are_loaded(start):
    *command, script = start
    said = run(*command, f"{script}{PRINT_GARBAGE}; {PRINT_CACHE}")
    assert said[-2:] == ["True True", "20000"]
