"""Published problems to try things on, where they lie beside the checkout. Never committed."""

from pathlib import Path

import pytest


def find_published(name: str) -> Path:
    """Return a file of `shared/data/phybench` in a folder above this one, or skip the test."""
    for folder in Path(__file__).resolve().parents:
        file = folder / "shared" / "data" / "phybench" / name
        if file.exists():
            return file
    pytest.skip(f"no shared/data/phybench/{name} beside this checkout")
