"""The examples in docstrings are run, and those of the README."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import phybench_grader

MODULES = [
    "phybench_grader",
    *(one.name for one in pkgutil.walk_packages(phybench_grader.__path__, "phybench_grader.")),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_examples_of_the_readme_give_what_they_say():
    readme = Path(__file__).parents[2] / "README.md"
    examples = doctest.testfile(str(readme), module_relative=False)
    assert examples.attempted > 4
    assert examples.failed == 0
