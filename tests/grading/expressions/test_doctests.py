"""The examples in the core's docstrings are run."""

import doctest
import importlib
import pkgutil

import pytest

import grading.expressions

MODULES = [
    "grading.expressions",
    *(
        one.name
        for one in pkgutil.walk_packages(grading.expressions.__path__, "grading.expressions.")
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
