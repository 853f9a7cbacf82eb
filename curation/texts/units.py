"""Set a unit as it is printed: upright, with raised powers and a dot between factors."""

import re

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

_POWER = re.compile(
    r"\s*(?:\^|\*\*)\s*(?:\((?P<a>[^()]*)\)|\{(?P<b>[^{}]*)\}|(?P<c>-?\d+(?:/\d+)?))"
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_ALREADY_RAISED = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_COMMAND = re.compile(r"\\(?:mathrm|text|rm)\s*|[{}]")
_SIGNS = {
    r"\cdot": "·", r"\Omega": "Ω", r"\mu": "µ", r"\circ": "°", r"\,": " ", r"\ ": " ",
}  # fmt: skip


def set_unit(typed: str) -> SafeString:
    r"""
    Return a unit as HTML; what it says is not looked at.

    >>> set_unit("kg*m^2/s^-2")
    'kg·m<sup>2</sup>/s<sup>−2</sup>'
    >>> set_unit(r"\mathrm{m/s^{2}}"), set_unit("kV / ohm")
    ('m/s<sup>2</sup>', 'kV/Ω')
    """
    text = _ALREADY_RAISED.sub(lambda found: f"^{found[0].translate(_RAISED)}", typed.strip())
    for command, sign in _SIGNS.items():
        text = text.replace(command, sign)
    pieces, end = [], 0
    for found in _POWER.finditer(text):
        power = next(one for one in found.groups() if one is not None)
        pieces += [_set_factors(text[end : found.start()]), f"<sup>{_set_power(power)}</sup>"]
        end = found.end()
    return mark_safe("".join([*pieces, _set_factors(text[end:])]).strip())


def _set_power(power: str) -> str:
    return str(escape(power.strip().replace("-", "−")))


def _set_factors(text: str) -> str:
    text = re.sub(r"\s*[*⋅·]\s*", "·", _COMMAND.sub("", text))
    text = re.sub(r"\s*/\s*", "/", re.sub(r"\bohm\b", "Ω", text))
    return str(escape(re.sub(r"\s+", "\N{NO-BREAK SPACE}", text)))
