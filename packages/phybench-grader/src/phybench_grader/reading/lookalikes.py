r"""
Slips of the pen that leave an expression readable: one symbol for another that looks like it, and
control characters that are what is left of `\theta` after a program took `\t` for a tab.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from phybench_grader.numbers.sentences import Sentence
from phybench_grader.numbers.symbols import GREEK, name_in_latex

ALIKE = (
    ("nu", "v"), ("nu", "u"), ("upsilon", "v"), ("omega", "w"), ("rho", "p"), ("kappa", "k"),
    ("alpha", "a"), ("beta", "B"), ("beta", "eta"), ("gamma", "y"), ("eta", "n"), ("mu", "u"),
    ("tau", "t"), ("chi", "x"), ("theta", "Theta"), ("phi", "Phi"), ("ell", "l"), ("l", "I"),
    ("omicron", "o"), ("O", "o"), ("sigma", "o"), ("zeta", "xi"),
    ("hbar", "h"), ("vartheta", "theta"), ("varrho", "rho"),
)  # fmt: skip
"""
Names that are taken for one another. Besides what looks alike: `u` is what is left of `\\nu`, and
`eta` of `\\beta`, after a program took `\\n` and `\\b` for control characters.
"""
_EASILY_MIXED = (
    (r"\nu", r"\\nu(?![A-Za-z])", "v", r"(?<![A-Za-z\\])v(?![A-Za-z])"),
    (r"\epsilon", r"\\epsilon(?![A-Za-z])", r"\varepsilon", r"\\varepsilon(?![A-Za-z])"),
    (r"\phi", r"\\phi(?![A-Za-z])", r"\varphi", r"\\varphi(?![A-Za-z])"),
    ("l", r"(?<![A-Za-z\\])l(?![A-Za-z])", "1", r"(?<![\d.])1(?![\d.])"),
)
"""What even a careful reader mixes up within one formula, each with how it is found."""
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
    r"|\t(?=heta|au(?![a-z])|ext|imes|ilde|an(?![a-z])|frac)"
    r"|\r(?=ho(?![a-z])|ight|m(?![a-z]))"
    r"|(?<!\$\$)\n(?=u(?![a-z])|abla|eq(?![a-z])|ot(?![a-z]))"
)
_ESCAPES = {
    "\t": r"\t", "\r": r"\r", "\n": r"\n", "\b": r"\b", "\f": r"\f", "\v": r"\v", "\a": r"\a",
}  # fmt: skip


def find_control_characters(text: str) -> Iterator[tuple[int, int, Sentence]]:
    r"""
    Find what is left of eaten escapes in a formula: start, end and a sentence for each.

    >>> [str(message) for *_, message in find_control_characters("\theta + x")]
    ['There is a control character here instead of \\t, as in “\\theta”: type the formula again.']
    """
    for match in _CONTROL.finditer(text):
        escape = _ESCAPES.get(match[0])
        if escape is None:
            message = Sentence("control_character")
        else:
            word = re.match(r"[A-Za-z]*", text[match.end() :])
            written = escape + (word[0] if word else "")
            message = Sentence.of("escape_eaten", escape=escape, written=written)
        yield match.start(), match.end(), message


def find_meant(name: str, introduced: Collection[str]) -> str | None:
    r"""
    Return the introduced symbol for which another name may have been typed, if there is one.

    Where one symbol alone has the same letter, its subscript may have been left out.

    >>> find_meant("u_0", {"nu_0", "m"}), find_meant("M", {"m"}), find_meant("q", {"m"})
    ('nu_0', 'm', None)
    >>> find_meant("v", {"v_0", "m"}), find_meant("v", {"v_1", "v_2"}), find_meant("v_1", {"v"})
    ('v_0', None, 'v')
    """
    match = re.match(r"[A-Za-z]+", name)
    if match is None:
        return None
    base, rest = match[0], name[match.end() :]
    if rest == "_o" and f"{base}_0" in introduced:
        return f"{base}_0"
    others = [base[0].swapcase() + base[1:]] if len(base) == 1 or base in GREEK else []
    for one, other in ALIKE:
        if base in (one, other):
            others.append(other if base == one else one)
    for other in others:
        if other + rest in introduced:
            return other + rest
    same = [known for known in introduced if re.split(r"[_']", known)[0] == base]
    is_one = len(same) == 1 and (not rest or same[0] == base)
    return same[0] if is_one else None


def list_mixed(answer: str, statement_mathematics: str) -> list[tuple[int, int, Sentence]]:
    r"""
    List pairs that a reader may mix up: places in the answer, each with a sentence.

    >>> [str(message) for *_, message in list_mixed(r"v + \nu", "")]
    ['$\\nu$ and $v$ look alike: readers and models may confuse them.']
    """
    found = []
    for one, is_one, other, is_other in _EASILY_MIXED:
        places = [re.search(is_one, answer), re.search(is_other, answer)]
        is_both = all(
            place or re.search(pattern, statement_mathematics)
            for place, pattern in zip(places, (is_one, is_other), strict=True)
        )
        # A 1 is everywhere: it is only mixed up with an l beside it in the answer.
        if other == "1" and not all(places):
            continue
        place = places[1] or places[0]
        if is_both and place:
            message = Sentence.of("symbols_alike", one=one, other=other)
            found.append((place.start(), place.end(), message))
    return found


def describe_meant(name: str, meant: str) -> Sentence:
    """Say which introduced symbol a name may have been typed for."""
    return Sentence.of("symbol_mistaken", symbol=name_in_latex(name), meant=name_in_latex(meant))
