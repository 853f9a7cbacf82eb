import importlib.util
import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module", ["phybench_grader", "phybench_grader.statistics.metrics", "grading.endpoints"]
)
def test_the_pure_core_comes_without_django(module):
    """A fresh interpreter: this one has Django loaded already."""
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not written yet")
    script = f"import sys, {module}; sys.exit('django' in sys.modules or 'celery' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize(
    "start", ["import phybench_grader", "import phybench.celery", "import django; django.setup()"]
)
def test_sympy_s_cache_holds_the_largest_answers_however_a_process_starts(start):
    script = f"{start}; from sympy.core.cache import SYMPY_CACHE_SIZE as size; print(size)"
    environment = {name: text for name, text in os.environ.items() if name != "SYMPY_CACHE_SIZE"}
    command = [sys.executable, "-c", script]
    asked = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "20000"


@pytest.mark.parametrize(
    "start",
    [
        ["manage.py", "shell", "--command", ""],
        ["-c", "import phybench.wsgi; "],
        ["-c", "from phybench.celery import app; app.loader.import_default_modules(); "],
    ],
)
def test_garbage_is_looked_for_again_once_the_apps_are_loaded(start):
    *command, script = start
    script += "import gc; print(gc.isenabled(), gc.get_freeze_count() > 10_000)"
    command = [sys.executable, *command, script]
    asked = subprocess.run(command, capture_output=True, text=True, check=True)
    assert asked.stdout.splitlines()[-1] == "True True"
