"""The client, as a module and as a command."""

import importlib.util
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.development.checkout import ROOT

CLIENT = ROOT / "client" / "phybench.py"


def find_oldest() -> str:
    """Return the oldest Python that the client says it runs on, where it is installed."""
    # A name on PATH may be a version manager's own, and start nothing.
    installed = map(str, Path(sys.base_prefix).parent.glob("3.9.*/bin/python3"))
    for python in ("python3.9", *installed):
        with suppress(OSError):
            if subprocess.run([python, "-V"], capture_output=True).returncode == 0:
                return python
    return sys.executable


OLDEST = find_oldest()


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("phybench_client", CLIENT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(
    *arguments: object, folder: Path, typed: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the client as somebody whose home is `folder`, without the project on its path."""
    with start(*arguments, folder=folder, **environment) as process:
        try:
            said = process.communicate(typed, timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, *said)


def start(*arguments: object, folder: Path, **environment: str) -> subprocess.Popen[str]:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    command: list[Any] = [OLDEST, "-I", CLIENT, *map(str, arguments)]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**kept, "HOME": str(folder), **environment},
    )
