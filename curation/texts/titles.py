"""A title for a problem that has none, from the first words of its statement."""

import re

LONGEST_TITLE = 80

DISPLAYED = re.compile(r"\$\$.*?\$\$|\\\[.*?\\\]|\\begin\{(\w+\*?)\}.*?\\end\{\1\}", re.DOTALL)
INLINE = re.compile(r"\$([^$]*)\$|\\\((.*?)\\\)", re.DOTALL)
UNPAIRED = re.compile(r"\$|\\[()\[\]]|\\begin\b")
MARKDOWN = re.compile(
    r"!\[[^\]]*\]\([^)]*\)|^\s*(?:#+|[>*+-]|\d+[.)])\s+|^\s*---+\s*$|\*\*|__", re.M
)
EXAM_ORDER = re.compile(r"\s*please solve the following[^:]*:", re.IGNORECASE)
GREEK = {
    name: chr(first + place)
    for first, names in {
        0x3B1: "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi"
        " rho finalsigma sigma tau upsilon phi chi psi omega",
        0x391: "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi"
        " Rho none Sigma Tau Upsilon Phi Chi Psi Omega",
    }.items()
    for place, name in enumerate(names.split())
} | {"varphi": "φ", "varepsilon": "ε", "vartheta": "θ", "varrho": "ρ", "ell": "ℓ"}
DECORATION = re.compile(
    r"\\(?:vec|hat|bar|boldsymbol|mathbf|mathrm|mathit|pmb|text|overrightarrow|mathcal)\b"
)
SPOKEN = re.compile(r"[\w\s.,'/<>=+−-]{1,14}")
"""What a formula may come to, so that a title can say it in plain text."""
NO_MATHEMATICS = "…"


def make_title(statement: str) -> str:
    """
    Make a title from the first words of a statement, without mathematics and cut at a word.

    >>> make_title(r"A block of height $H$ and density $\\rho_{1}$ floats. $$F=ma$$")
    'A block of height H and density ρ1 floats.'
    """
    # Far more than a title holds; a hostile statement would keep the expressions below busy.
    text = EXAM_ORDER.sub("", statement[:2000], count=1)
    text = MARKDOWN.sub(" ", text)
    text = DISPLAYED.sub(f" {NO_MATHEMATICS} ", text)
    text = INLINE.sub(lambda found: _say(found[1] if found[1] is not None else found[2]), text)
    # What is left of a formula that never ends: nothing after it is sure to be words.
    if (half := UNPAIRED.search(text)) is not None:
        text = text[: half.start()]
    text = re.sub(r"\\[a-zA-Z]+|[\\{}]", "", text)
    text = re.sub(r"\(\s*…?\s*\)", "", text)
    text = re.sub(r"(?:…\s*)+(?=…)", "", text)
    text = re.sub(r"\s+([.,;:?!])", r"\1", " ".join(text.split()))
    if len(text) > LONGEST_TITLE:
        # The space after the last whole word, if there is any; one character is for the mark.
        cut = text.rfind(" ", 0, LONGEST_TITLE)
        text = text[: cut if cut > 0 else LONGEST_TITLE - 1].rstrip(" .,;:(…") + "…"
    return text if re.search(r"\w", text) else ""


def _say(formula: str) -> str:
    """Say a short formula in plain text; a longer one is left out."""
    plain = DECORATION.sub("", formula)
    plain = re.sub(r"\\([a-zA-Z]+)", lambda found: GREEK.get(found[1], found[0]), plain)
    plain = re.sub(r"\\[ ,;!]", " ", plain)
    plain = re.sub(r"_(\d)\b|_\{(\d+)\}", r"\1\2", plain).replace("{", "").replace("}", "").strip()
    return plain if SPOKEN.fullmatch(plain) else f" {NO_MATHEMATICS} "
