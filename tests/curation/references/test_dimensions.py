"""Units that an author gives, and whether they fit together in the answer."""

import doctest

import pytest

import curation.texts.references.dimensions
import curation.texts.references.reference
from curation.texts.references.dimensions import (
    KNOWN_UNITS,
    NONE,
    Dimension,
    Inconsistent,
    UnknownUnit,
    find_dimension,
    read_unit,
)
from phybench_grader import read
from phybench_grader.reading.rules import KNOWN_CONSTANTS

UNITS = {"m": "kg", "v": "m/s", "t": "s", "l": "m", "g": "m/s^2", "theta": "rad", "k": "1/m"}


@pytest.mark.parametrize(
    "module", [curation.texts.references.dimensions, curation.texts.references.reference]
)
def test_examples_give_what_they_say(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("N", "kg m/s^2"),
        ("kg*m/s**2", "N"),
        ("kg·m⋅s^-2", "N"),
        ("W/(m^2 K)", "kg s^-3 K^-1"),
        ("length/time", "m/s"),
        ("[mass]", "kg"),
        ("force", "N"),
        ("Hz", "1/s"),
        ("m^(1/2)", "m**1 / m^(1/2)"),
        ("rad", "1"),
        ("%", "1"),
        ("Ω", "ohm"),
        ("eV", "J"),
    ],
)
def test_units_are_read_however_they_are_written(text, same):
    assert read_unit(text) == read_unit(same)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "foo", "9^9^9", "9**9**9", "m^99^99", "((((", "m" * 41, "__import__('os')"),
        *(
            "m^1000000",
            "m, s",
            "m\x00",
            "1000 m",
            "kg m/s^2;",
            "/",
            "^2",
            "a" * 39 + ";",
            "m^",
            "m^1/0",
        ),
    ],
)
def test_what_is_no_unit_is_refused_with_a_sentence(text):
    with pytest.raises(UnknownUnit, match="not a known unit"):
        read_unit(text)


def find(answer: str) -> Dimension:
    units = {name: read_unit(unit) for name, unit in UNITS.items()}
    return find_dimension(read(answer).expression, units)


@pytest.mark.parametrize(
    ("answer", "unit"),
    [
        (r"\frac{1}{2} m v^2 + m g l", "J"),
        (r"2\pi\sqrt{l/g}", "s"),
        (r"v t \cos\theta - l", "m"),
        (r"m^{1/3} l", "kg^(1/3) m"),
        (r"\mathrm{e}^{-k l}", "1"),
        (r"l (1 + k l)^{\theta}", "m"),
        (r"\arctan\frac{v}{g t}", "rad"),
        ("|v|", "m/s"),
        ("3", "1"),
    ],
)
def test_the_dimension_of_an_answer_follows_from_its_symbols(answer, unit):
    assert find(answer) == read_unit(unit)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("l + t", "added"),
        ("1 + l", "added"),
        (r"\sin l", "without a unit"),
        (r"\ln\frac{l}{t}", "without a unit"),
        (r"2^{l}", "exponent"),
        (r"l^{\theta}", "not a fixed number"),
        (r"m \sqrt{v^2 + g}", "added"),
    ],
)
def test_what_units_forbid_is_said(answer, said):
    with pytest.raises(Inconsistent, match=said):
        find(answer)


def test_every_constant_that_needs_no_introduction_has_its_unit():
    assert set(KNOWN_UNITS) == KNOWN_CONSTANTS
    assert all(read_unit(unit) != NONE for unit in KNOWN_UNITS.values())
