"""The examples in the docstrings are run."""

import doctest
import importlib
import pkgutil

import pytest

import grading.endpoints


@pytest.mark.parametrize(
    "name", [one.name for one in pkgutil.iter_modules(grading.endpoints.__path__)]
)
def test_examples_give_what_they_say(name):
    module = importlib.import_module(f"grading.endpoints.{name}")
    assert doctest.testmod(module).failed == 0
