"""The examples in the docstrings of the figures are run."""

import doctest
import importlib
import pkgutil

import pytest

import grading.statistics

MODULES = [one.name for one in pkgutil.iter_modules(grading.statistics.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name: str) -> None:
    module = importlib.import_module(f"grading.statistics.{name}")
    assert doctest.testmod(module).failed == 0
