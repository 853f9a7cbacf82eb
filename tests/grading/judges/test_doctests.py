"""The examples in the docstrings of the judges are run."""

import doctest
import importlib
import pkgutil

import pytest

import grading.judges

MODULES = [one.name for one in pkgutil.walk_packages(grading.judges.__path__, "grading.judges.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
