"""Where KaTeX's files are."""

import importlib.util
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def find_katex() -> Path:
    """Find KaTeX's files in the package that carries them, without importing that package."""
    spec = importlib.util.find_spec("djangocms_katex")
    if spec is None or not spec.submodule_search_locations:
        raise ImproperlyConfigured("KaTeX is missing: install requirements.lock")
    [package] = spec.submodule_search_locations
    [script] = Path(package).glob("static/**/katex.min.js")
    return script.parent
