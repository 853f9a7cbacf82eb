r"""
The sign of a node as a physicist writes it in a line of text: `\theta` is θ, `v_{0}` is v₀.

It goes into a picture, where no formula can be set. What Unicode lacks is written out: `E_{kin}`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

LONGEST = 10
"""Characters of a sign that a picture has room for."""

_PIECE = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
_ACCENTS = {
    "vec": "\u20d7", "hat": "\u0302", "bar": "\u0304", "dot": "\u0307", "ddot": "\u0308",
    "tilde": "\u0303", "underline": "\u0332", "breve": "\u0306", "check": "\u030c",
    "acute": "\u0301", "grave": "\u0300", "mathring": "\u030a",
}  # fmt: skip
_SIGNS = {
    "times": "×", "cdot": "·", "hbar": "ħ", "ell": "ℓ", "infty": "∞", "perp": "⊥",
    "parallel": "∥", "odot": "⊙", "oplus": "⊕", "otimes": "⊗", "ast": "∗", "star": "⋆",
    "circ": "°", "prime": "′", "dagger": "†", "bullet": "•", "pi": "π", "to": "→",
    "rightarrow": "→", "leftarrow": "←", "uparrow": "↑", "downarrow": "↓", "pm": "±", "mp": "∓",
    "partial": "∂", "sqrt": "√", "varphi": "φ", "varepsilon": "ε", "vartheta": "ϑ",
    "varrho": "ϱ", "varsigma": "ς", "varkappa": "ϰ", "imath": "ı", "jmath": "ȷ", "sum": "∑",
    "langle": "⟨", "rangle": "⟩", "triangle": "△", "square": "□", "left": "", "right": "",
}  # fmt: skip
_LOWERED = dict(
    zip("0123456789+-()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True)
)
_RAISED = dict(zip("0123456789+-()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁱⁿ", strict=True))


def write_sign(latex: str) -> str:
    r"""
    Write a sign in plain characters.

    >>> write_sign(r"\hat{}"), write_sign(r"\theta_{0}"), write_sign(r"E_{\mathrm{kin}}")
    ('^', 'θ₀', 'E_kin')
    >>> write_sign(r"- \frac{1}{2}"), write_sign(r"\operatorname{sin}"), write_sign(r"\vec{v}'")
    ('−1/2', 'sin', 'v⃗′')
    """
    pieces = _PIECE.findall(latex)
    written = _write(iter(pieces), is_group=False)
    return written.replace("-", "−").replace("'", "′")


def shorten(sign: str) -> str:
    """
    Cut a sign that is too long for a picture.

    >>> shorten("602214076000000")
    '602214076…'
    """
    return sign if len(sign) <= LONGEST else sign[: LONGEST - 1] + "…"


def _write(pieces: Iterator[str], *, is_group: bool) -> str:
    """Write what comes, up to the brace that closes it."""
    written: list[str] = []
    for piece in pieces:
        if piece == "}" and is_group:
            break
        written.append(_write_piece(piece, pieces))
    return "".join(written)


def _write_piece(piece: str, pieces: Iterator[str]) -> str:
    if piece == "{":
        return _write(pieces, is_group=True)
    if piece in ("_", "^"):
        return _shift(piece, _take(pieces))
    if not piece.startswith("\\"):
        return "" if piece.isspace() else piece
    name = piece[1:]
    if name == "frac":
        above, below = _take(pieces), _take(pieces)
        return f"{above}/{below}"
    if name in _ACCENTS:
        # Over nothing it is the sign of a power: see `tree.Node.write_sign`.
        return _put_over(_take(pieces), _ACCENTS[name]) or "^"
    return _SIGNS.get(name, _find_greek(name)) if name.isalpha() else ""


def _take(pieces: Iterator[str]) -> str:
    """Write what one command takes: a group, or one piece."""
    for piece in pieces:
        if not piece.isspace():
            return _write_piece(piece, pieces)
    return ""


def _put_over(text: str, accent: str) -> str:
    return unicodedata.normalize("NFC", text[:1] + accent) + text[1:] if text else ""


def _shift(how: str, text: str) -> str:
    """Write a subscript or superscript small where it is one letter, or a number."""
    small = _LOWERED if how == "_" else _RAISED
    if text in ("′", "°", "†"):
        return text
    # Of words in small letters, few fonts have all.
    if text in small or text.isdecimal():
        return "".join(small[sign] for sign in text)
    return how + text


def _find_greek(name: str) -> str:
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    spelled = name.lower().replace("lambda", "lamda")
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {spelled.upper()}")
    except KeyError:
        # Of a function or upright words, only the letters count.
        return "" if name in _WRAPPERS else name


_WRAPPERS = {
    "operatorname", "mathrm", "text", "mathcal", "mathbf", "mathfrak", "mathbb", "mathscr",
    "boldsymbol", "textrm", "rm", "mathit",
}  # fmt: skip
