"""The client, as a module and as a command."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.development.checkout import ROOT

CLIENT = ROOT / "client" / "phybench.py"


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
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    command: list[Any] = [sys.executable, "-I", CLIENT, *map(str, arguments)]
    return subprocess.run(
        command,
        input=typed,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**kept, "HOME": str(folder), **environment},
        timeout=120,
        check=False,
    )
