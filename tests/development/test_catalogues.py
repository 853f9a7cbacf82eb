"""Catalogues are compiled when they are newer than what was made of them, and never by halves."""

import os

import pytest

from development import catalogues
from development.failure import Failure

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'


@pytest.fixture
def catalogue(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    path = tmp_path / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(HEADER + 'msgid "Go on"\nmsgstr "继续"\n')
    return path


def test_it_is_compiled_once_and_again_when_it_is_newer(catalogue):
    compiled = catalogue.with_suffix(".mo")
    catalogues.prepare()
    assert "继续".encode() in compiled.read_bytes()
    made_at = compiled.stat().st_mtime_ns
    catalogues.prepare()
    assert compiled.stat().st_mtime_ns == made_at
    catalogue.write_text(HEADER + 'msgid "Go on"\nmsgstr "往下"\n')
    later = compiled.stat().st_mtime + 10
    os.utime(catalogue, (later, later))
    catalogues.prepare()
    assert "往下".encode() in compiled.read_bytes()


def test_one_that_can_not_be_compiled_is_named_and_the_one_before_stays(catalogue):
    catalogues.prepare()
    before = catalogue.with_suffix(".mo").read_bytes()
    catalogue.write_text("msgid \"Go on\nmsgstr '")
    later = catalogue.stat().st_mtime + 10
    os.utime(catalogue, (later, later))
    with pytest.raises(Failure, match=r"django\.po can’t be compiled"):
        catalogues.prepare()
    assert catalogue.with_suffix(".mo").read_bytes() == before


def test_a_checkout_without_catalogues_has_nothing_to_compile(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    catalogues.prepare()
    assert list(tmp_path.iterdir()) == []
