"""Static files are compressed once, beside the name that says what is in them."""

import gzip
import os

import brotli
import pytest
from django.core.management import call_command
from django.test import override_settings

SCRIPT = "const formulas = 1;\n" * 200


@pytest.fixture
def collected(tmp_path):
    """Collect one script and one font, and say where to."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "page.js").write_text(SCRIPT)
    (source / "face.woff2").write_bytes(b"\0" * 5000)
    storage = {"BACKEND": "phybench.pages.static_files.CompressedOnceStorage"}
    with override_settings(
        STATIC_ROOT=tmp_path / "static",
        STATICFILES_DIRS=[source],
        STATICFILES_FINDERS=["django.contrib.staticfiles.finders.FileSystemFinder"],
        STORAGES={"staticfiles": storage},
    ):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield tmp_path / "static"


def test_a_text_has_a_compressed_file_beside_it_and_a_font_none(collected):
    [compressed] = collected.glob("*.gz")
    assert compressed.name.startswith("page.")
    assert gzip.decompress(compressed.read_bytes()).decode() == SCRIPT
    smaller = compressed.with_suffix(".br")
    assert brotli.decompress(smaller.read_bytes()).decode() == SCRIPT
    assert compressed.with_suffix("").exists()


def test_what_is_compressed_is_left_as_it_is_at_the_next_start(collected):
    [compressed] = collected.glob("*.gz")
    os.utime(compressed, (1, 1))
    call_command("collectstatic", interactive=False, verbosity=0)
    assert compressed.stat().st_mtime == 1
