"""Units are set as they are printed, whichever way they were typed."""

import pytest

from curation.texts.units import set_unit


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("m/s^2", "m/s<sup>2</sup>"),
        ("m/s²", "m/s<sup>2</sup>"),
        ("m s⁻²", "m\N{NO-BREAK SPACE}s<sup>−2</sup>"),
        ("kg*m^2/s^3", "kg·m<sup>2</sup>/s<sup>3</sup>"),
        ("m**2", "m<sup>2</sup>"),
        ("m^(1/2)", "m<sup>1/2</sup>"),
        (r"\mathrm{m/s^{-1}}", "m/s<sup>−1</sup>"),
        ("m^3/(kg s^2)", "m<sup>3</sup>/(kg\N{NO-BREAK SPACE}s<sup>2</sup>)"),
        (r"\Omega", "Ω"),
        ("N", "N"),
        ("<b>^<i>", "&lt;b&gt;^&lt;i&gt;"),
    ],
)
def test_a_unit_is_set(typed, expected):
    assert set_unit(typed) == expected


@pytest.mark.django_db
def test_a_reader_sees_the_units_of_symbols_set_and_upright(client, draft, contributor):
    draft.revisions.update(
        symbols=[{"latex": "g", "meaning": "acceleration", "unit": "m/s^2", "sign": "positive"}],
        unit="J/m^2",
    )
    client.force_login(contributor)
    page = client.get(draft.get_absolute_url()).content.decode()
    assert '<span class="unit">m/s<sup>2</sup></span>' in page
    assert '<span class="unit">J/m<sup>2</sup></span>' in page
    assert "m/s^2" not in page
    assert "J/m^2" not in page
