r"""
Text to tokens: LaTeX, plain text and Unicode in one pass, each token with its place in the text.

What only changes the looks (`\left`, `\displaystyle`, spacing, `$`) leaves no token.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from phybench_grader.numbers.limits import MAX_CHARACTERS
from phybench_grader.numbers.symbols import split_words
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.vocabulary import NEGATIONS


@dataclass(frozen=True, slots=True)
class Token:
    """
    One sign of the text.

    `kind` is "number", "letter", "command" (its name without the backslash), "bar" (an absolute
    value's, `text` being "(" or ")" where its side is known), "word" (a letter that is no sign of
    mathematics), "end", or else the character itself.
    """

    kind: str
    text: str
    start: int
    end: int
    word: str = ""
    """The letters typed together from here on; empty but at the first of them."""
    is_bold: bool = False
    is_spaced: bool = False
    r"""Whether a visible space such as `\,` stands before it."""


SPACING = split_words(
    "quad qquad space thinspace medspace thickspace negthinspace negmedspace enspace enskip "
    "displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits nonumber notag "
    "allowbreak noindent mathstrut strut mathopen mathclose mathord mathbin mathrel hfill hfil "
    "ensuremath boxed fbox mathbf boldsymbol bm mathit mathnormal textbf textit bf it "
    "uline "
    "hline protect relax null tiny scriptsize footnotesize small normalsize large Large LARGE huge "
    "Huge"
)
"""Commands that leave no trace; what stands in their braces stays."""
_BOLD = split_words("mathbf boldsymbol bm textbf bf")
_SPACES = frozenset(",;: ") | {"quad", "qquad", "thinspace", "medspace", "thickspace", "enspace"}
"""Spacing that separates what stands on its two sides."""
DROPPED = split_words(
    "hspace vspace mspace phantom hphantom vphantom tag label color kern textcolor colorbox"
)
"""Commands that leave no trace with their braces."""
LAYOUTS = split_words(
    "equation align aligned gather gathered multline split displaymath math eqnarray"
)
"""Environments that say where a formula stands, not what it is."""
SIZES = frozenset(
    f"{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")
) | {"left", "right", "middle"}

_DELIMITERS = {
    "lbrace": "(", "rbrace": ")", "lbrack": "[", "rbrack": "]", "{": "(", "}": ")",
    "lparen": "(", "rparen": ")", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉",
    "langle": "⟨", "rangle": "⟩",
}  # fmt: skip
_ANGLES = {"<": "⟨", ">": "⟩"}
"""Signs that are brackets behind `\\left` and the like."""
_BARS = {"|": "", "vert": "", "Vert": "", "mid": "", "lvert": "(", "rvert": ")", "lVert": "(",
         "rVert": ")"}  # fmt: skip
_SAME_COMMAND = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "nicefrac": "frac", "sfrac": "frac",
    "flatfrac": "frac", "dbinom": "binom", "tbinom": "binom",
    "leq": "le", "geq": "ge", "neq": "ne",
    "mathop": "operatorname", "operatorname*": "operatorname", "textrm": "mathrm",
    "mathsf": "mathrm", "mathtt": "mathrm", "textnormal": "text", "mbox": "text", "hbox": "text",
    "dots": "ldots", "cdots": "ldots", "dotsc": "ldots", "dotsb": "ldots", "vdots": "ldots",
    "ddots": "ldots", "iint": "int", "iiint": "int", "oint": "int", "ast": "cdot", "times": "cdot",
    "centerdot": "cdot", "bullet": "cdot", "degree": "circ", "textdegree": "circ",
    "upmu": "mu", "uppi": "pi",
    **{f"var{name}": name for name in ("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma",
                                       "Upsilon", "Phi", "Psi", "Omega")},
}  # fmt: skip

_CHARACTERS = {
    "·": r"\cdot", "⋅": r"\cdot", "∙": r"\cdot", "•": r"\cdot", "×": r"\cdot", "∗": "*",
    "−": "-", "–": "-", "—": "-", "÷": "/", "∕": "/", "⁄": "/", "√": r"\sqrt", "∛": r"\cbrt",
    "±": r"\pm", "∓": r"\mp", "≈": r"\approx", "≃": r"\simeq", "≤": r"\le", "≥": r"\ge",
    "≪": r"\ll", "≫": r"\gg", "∼": r"\sim", "≲": r"\lesssim", "≳": r"\gtrsim", "∈": r"\in",
    "⟹": r"\Rightarrow", "⟶": r"\to", "∴": r"\therefore",
    "≅": r"\cong", "≠": r"\ne", "≡": r"\equiv", "∝": r"\propto", "→": r"\to", "⇒": r"\Rightarrow",
    "∞": r"\infty", "∫": r"\int", "∑": r"\sum", "∏": r"\prod", "∂": r"\partial", "∇": r"\nabla",
    "′": "'", "’": "'", "″": "''", "°": r"^{\circ}", "ℏ": r"\hbar", "ħ": r"\hbar", "ℓ": r"\ell",
    "…": r"\ldots", "⋯": r"\ldots", "½": r"\frac{1}{2}", "¼": r"\frac{1}{4}", "¾": r"\frac{3}{4}",
    "⅓": r"\frac{1}{3}", "⅔": r"\frac{2}{3}", "∥": r"\parallel", "⊥": r"\perp", "⊙": r"\odot",
    "（": "(", "）": ")", "［": "[", "］": "]", "｛": "(", "｝": ")", "，": ",", "。": ".",
    "；": ";", "⌊": r"\lfloor ", "⌋": r"\rfloor ", "⌈": r"\lceil ", "⌉": r"\rceil ",
    "⟨": r"\langle ", "⟩": r"\rangle ",
    "：": ":", "！": "!",
    "＝": "=", "＋": "+", "＊": "*", "／": "/", "、": ",", "∣": "|", "｜": "|", "∆": r"\Delta",
    "Ω": r"\Omega", "µ": r"\mu", "ϕ": r"\phi", "φ": r"\varphi", "ε": r"\varepsilon",
    "ϵ": r"\epsilon", "ϑ": r"\vartheta", "ς": r"\varsigma", "ϱ": r"\varrho",
    "\ufeff": " ", "\u200b": " ", "\u2061": " ", "\u2062": " ", "\u200a": " ",
}  # fmt: skip

_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱ", "0123456789+-()ni", strict=True))
_SUBSCRIPTS = dict(
    zip("₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-()aeoxhklmnpstijruv", strict=True)
)
_COMBINING = {
    "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0305": "bar", "\u0307": "dot",
    "\u0308": "ddot", "\u20d7": "vec",
}  # fmt: skip
"""Characters over the letter before them, as in r̂ and x̄."""
_NEVER_WORDS = frozenset("xyzrpqXYZRPQ")
"""Letters that have an accent in mathematics alone, whatever stands beside them."""
_NUMBER = re.compile(
    r"[0-9]{1,3}(?:(?:\{,\}|\\,|[\u2009\u202f])[0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
    r"|[0-9]+(?:\.[0-9]+)?|\.[0-9]+"
)
_THOUSANDS = re.compile(r"\{,\}|\\,|[\u2009\u202f]")
_DEGREES = re.compile(
    r"\s*(?:\\[,;: ]\s*)*(?:deg(?:rees?)?(?![A-Za-z])"
    r"|\\(?:text|mathrm|textrm|mbox)\s*\{\s*deg(?:rees?)?\s*\})"
)
"""Words that behind a number are the sign of degrees."""
_PERCENT = re.compile(
    r"\s*(?:\\[,;: ]\s*)*(?:per ?cent(?![A-Za-z])"
    r"|\\(?:text|mathrm|textrm|mbox)\s*\{\s*per ?cent\s*\})"
)
_MEAN = re.compile(r"<[^<>=]{1,60}>(?=\s*(?:$|[\^_+\-*/)\]},.;=]|\\(?:[)\]]|cdot|times)))")
"""An average in plain signs: what follows is no second side of a relation."""
_FORMULA_IN_TEXT = re.compile(r"\s*\{\s*\$[^$]*\$\s*\}")
_ONE_SYMBOL = re.compile(r"\s*\{?\s*(?:[A-Za-z]|\\[A-Za-z]+)\s*(?:_\s*(?:\w|\{[^{}]*\}))?\s*\}?")
_END_OF_PROOF = re.compile(
    r"(?:\\(?:blacksquare|square|qed|checkmark)(?![A-Za-z])|[■□∎✓])[\s.$}\]]*\Z"
)
_HIGHER = re.compile(
    r"\\(?:text|mathrm|textrm|mbox)\s*\{\s*\(?(?:h\.?\s*o\.?\s*t\.?|higher[- ]order \w+)\)?\s*\}"
    r"|h\.o\.t\.|higher[- ]order (?:terms|corrections)"
)
"""What behind a sign leaves out terms, as dots do."""
_LABEL = re.compile(r"\s*[_^]\s*\{(?:[^{}]|\{[^{}]*\})*\}")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_COMMAND = re.compile(r"\\(?:[A-Za-z]+\*?|.)", re.DOTALL)
_LETTERS = re.compile(r"[A-Za-z]+")
_LONGEST_NAME = 80
"""Characters of an environment's name that are looked at."""
_OPTION = re.compile(r"\[[tcb]\]")
_STYLE = re.compile(r"\s*\[[^]\[{}]{0,80}\]")
_GOES_ON = re.compile(
    r"(?:\[[^]]*\])?[\s&]*(?:=|\\(?:approx|equiv|Rightarrow|implies|to)(?![A-Za-z])|\\end\s*\{|$)"
)
_CONTINUED = re.compile(r"(?:\[[^]]*\])?(?:[\s&]|\\hline)*(?:=|(?:\\text\s*\{[^{}]*\}\s*)?\Z)")
"""A row that goes on with the equation of the first."""
_SCRIPTS = re.compile(f"[{''.join(_SUPERSCRIPTS)}]+|[{''.join(_SUBSCRIPTS)}]+")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_GREEK_NAME = re.compile(r"GREEK (SMALL|CAPITAL) LETTER ([A-Z]+)")


def split_tokens(text: str) -> list[Token]:
    """
    Split a text into tokens; the last one is of kind "end".

    >>> [token.text for token in split_tokens(r"\\dfrac12 \\left( x² \\right)")][:-1]
    ['frac', '12', '(', 'x', '^', '{', '2', '}', ')']
    """
    if len(text) > MAX_CHARACTERS:
        raise Unreadable("too_long", MAX_CHARACTERS, len(text))
    return _part_kets(Lexer(text).split())


def _part_kets(tokens: list[Token]) -> list[Token]:
    r"""
    Part the brackets of kets and bras, where a bar is the other half, from those of averages.

    A `\langle` or `\rangle` that has no other half is a command again.
    """
    opened: list[int] = []
    lonely: list[int] = []
    for place, token in enumerate(tokens):
        if token.kind == "⟨":
            opened.append(place)
        elif token.kind == "⟩" and opened:
            opened.pop()
        elif token.kind == "⟩":
            lonely.append(place)
    for place in opened + lonely:
        is_bra = tokens[place].kind == "⟨"
        places = range(place + 1, len(tokens)) if is_bra else range(place - 1, -1, -1)
        bar = next((one for one in places if tokens[one].kind in ("bar", "⟨", "⟩", "=")), None)
        if bar is not None and tokens[bar].kind == "bar" and abs(bar - place) > 1:
            tokens[bar] = replace(tokens[bar], kind="⟩" if is_bra else "⟨", text="|")
        else:
            name = "langle" if is_bra else "rangle"
            tokens[place] = replace(tokens[place], kind="command", text=name)
    return tokens


class Lexer:
    """One pass over one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self._is_spaced = False
        self._bold_until = 0
        self._closers: dict[int, int] | None = None
        self._closing_angles: set[int] = set()
        self._skipped: dict[int, int] = {}
        """Where what leaves no token begins and ends: the labels of braces over and under sums."""
        self._arrays = 0

    def split(self) -> list[Token]:
        """Go over the text from left to right."""
        position = 0
        while position < len(self.text):
            position = self._step(position)
        self._add("end", "", len(self.text), len(self.text))
        return self.tokens

    def _add(self, kind: str, text: str, start: int, end: int, word: str = "") -> None:
        is_bold = start < self._bold_until
        self.tokens.append(Token(kind, text, start, end, word, is_bold, self._is_spaced))
        self._is_spaced = False

    def _step(self, start: int) -> int:
        """Take the sign at `start`; return where the next begins."""
        character = self.text[start]
        if start in self._skipped:
            return self._skipped[start]
        if character.isspace() or character in "$~&":
            return start + 1
        if match := _NUMBER.match(self.text, start):
            is_script = bool(self.tokens) and self.tokens[-1].kind in ("_", "^")
            digits = _THOUSANDS.search(match[0]) if is_script else None
            end = start + digits.start() if digits else match.end()
            self._add("number", _THOUSANDS.sub("", self.text[start:end]), start, end)
            return self._take_degrees(end)
        if (match := _HIGHER.match(self.text, start)) and self._sees_sign():
            self._add("command", "ldots", start, match.end())
            return match.end()
        if match := _LETTERS.match(self.text, start):
            return self._take_letters(start, match.end())
        if character == "%":
            return self._take_percent(start)
        if character in "■□∎✓" and _END_OF_PROOF.match(self.text, start):
            return start + 1
        if character == "\\":
            return self._take_command(start)
        if match := _SCRIPTS.match(self.text, start):
            self._take_scripts(match[0], start)
            return match.end()
        if self.text.startswith("**", start):
            self._add("^", "^", start, start + 2)
            return start + 2
        if self.text.startswith("...", start):
            self._add("command", "ldots", start, start + 3)
            return start + 3
        if self.text.startswith(":=", start):
            self._add("=", "=", start, start + 2)
            return start + 2
        if character == "<" and (match := _MEAN.match(self.text, start)):
            self._closing_angles.add(match.end() - 1)
            character = "⟨"
        elif start in self._closing_angles:
            character = "⟩"
        if character in "⟨⟩":
            self._add(character, character, start, start + 1)
            return start + 1
        if character == "|":
            self._add("bar", "", start, start + 1)
            return start + 1
        if character in "^_{}()[]+-*/=<>,;!'.:":
            self._add(character, character, start, start + 1)
            return start + 1
        return self._take_unicode(start)

    def _take_letters(self, start: int, end: int) -> int:
        """Take letters typed together, the last of them perhaps with an accent over it."""
        accent = _COMBINING.get(self.text[end : end + 1])
        if accent is not None:
            end -= 1
        for place in range(start, end):
            word = self.text[start:end] if place == start else ""
            self._add("letter", self.text[place], place, place + 1, word)
        if accent is None:
            return end
        self._spell(rf"\{accent}{{{self.text[end]}}}", end, end + 2)
        return end + 2

    def _take_degrees(self, end: int) -> int:
        """Take `degrees` and `percent` behind a number for the signs, as in `30 degrees`."""
        for pattern, sign in ((_DEGREES, r"^{\circ}"), (_PERCENT, r"\%")):
            if match := pattern.match(self.text, end):
                self._spell(sign, end, match.end())
                return match.end()
        return end

    def _take_percent(self, start: int) -> int:
        """Take a percent sign, or what LaTeX leaves out from there to the end of the line."""
        if is_percent(self.text, start):
            self._add("%", "%", start, start + 1)
            return start + 1
        end = self.text.find("\n", start)
        return len(self.text) if end < 0 else end

    def _take_scripts(self, characters: str, start: int) -> None:
        raised = characters[0] in _SUPERSCRIPTS
        table, sign = (_SUPERSCRIPTS, "^") if raised else (_SUBSCRIPTS, "_")
        end = start + len(characters)
        self._spell(sign + "{" + "".join(table[one] for one in characters) + "}", start, end)

    def _take_unicode(self, start: int) -> int:
        character = self.text[start]
        meaning = _CHARACTERS.get(character) or _name_greek(character)
        if meaning is not None and (accent := _COMBINING.get(self.text[start + 1 : start + 2])):
            self._spell(rf"\{accent}{{{meaning}}}", start, start + 2)
            return start + 2
        if meaning is None and (accented := self._find_accented(start)) is not None:
            self._spell(accented, start, start + 1)
            return start + 1
        if meaning is None and character.isalpha():
            self._add("word", character, start, start + 1)
            return start + 1
        if meaning is None:
            raise Unreadable("unknown_character", start, start + 1, character)
        self._spell(meaning, start, start + 1)
        return start + 1

    def _find_accented(self, start: int) -> str | None:
        """Find what one character with an accent stands for, unless it is a word's."""
        parts = unicodedata.normalize("NFD", self.text[start])
        accent = _COMBINING.get(parts[1:])
        if accent is None or not parts[0].isascii():
            return None
        around = self.text[max(start - 1, 0) : start] + self.text[start + 1 : start + 2]
        is_word = any(one.isalpha() for one in around) or (accent == "ddot" and parts[0] in "aou")
        return rf"\{accent}{{{parts[0]}}}" if parts[0] in _NEVER_WORDS or not is_word else None

    def _spell(self, latex: str, start: int, end: int) -> None:
        """Take the LaTeX that a character stands for, at that character's place."""
        for token in Lexer(latex).split()[:-1]:
            self._add(token.kind, token.text, start, end)

    def _take_command(self, start: int) -> int:
        match = _COMMAND.match(self.text, start)
        if match is None:
            raise Unreadable("unknown_command", start, start + 1, "\\")
        name, end = match[0][1:], match.end()
        if name.endswith("*") and name != "operatorname*":
            name, end = name[:-1], end - 1
        if name in SIZES:
            return self._take_delimiter(name, end)
        if name == "%":
            self._add("%", r"\%", start, end)
            return end
        if self._is_dress(name, start, end):
            return end
        if name in _BARS:
            self._add("bar", _BARS[name], start, end)
        elif name in _DELIMITERS:
            self._add(_DELIMITERS[name], _DELIMITERS[name], start, end)
        elif name == "_":
            self._add("_", r"\_", start, end)
        elif name in DROPPED:
            return self._skip_braces(end)
        elif name in ("begin", "end") and (layout := self._find_layout(name, end)):
            end = _skip(_OPTION, self.text, self._skip_braces(end))
            return self._skip_braces(end) if (name, layout) == ("begin", "array") else end
        elif name == "\\" and _GOES_ON.match(self.text, end):
            pass  # the next line of one chain of equalities
        elif name in ("underbrace", "overbrace") and self._drops_label(end):
            pass
        elif name in ("degree", "textdegree") and not self._is_raised():
            self._spell(r"^{\circ}", start, end)
        elif name == "bbox":
            return _skip(_STYLE, self.text, end)
        elif name in SPACING or name in ",;:!> ()[]" or name.isspace():
            self._is_spaced |= name in _SPACES
            if name in _BOLD:
                self._bold_until = max(self._bold_until, self._find_end_of_argument(end))
        else:
            self._add("command", _SAME_COMMAND.get(name, name), start, end)
        return end

    def _is_dress(self, name: str, start: int, end: int) -> bool:
        r"""Whether a command changes only the looks here: a `\text{$…$}`, a line under a sum."""
        if name in ("text", "textrm", "mbox", "hbox"):
            return _FORMULA_IN_TEXT.match(self.text, end) is not None
        if name == "underline":
            closer = self._find_closer(end)
            return closer is not None and not _ONE_SYMBOL.fullmatch(self.text, end, closer + 1)
        return _END_OF_PROOF.match(self.text, start) is not None

    def _find_end_of_argument(self, position: int) -> int:
        """Find where a group in braces, or else the one sign that a command takes, ends."""
        while position < len(self.text) and self.text[position].isspace():
            position += 1
        if not self.text.startswith("{", position):
            sign = _COMMAND.match(self.text, position)
            return sign.end() if sign else position + 1
        return self._find_closer(position) or position

    def _find_closer(self, position: int) -> int | None:
        """Find the brace that closes the next one, if that is what comes next but for blanks."""
        while position < len(self.text) and self.text[position].isspace():
            position += 1
        if self._closers is None:
            self._closers = match_braces(self.text)
        return self._closers.get(position)

    def _take_delimiter(self, size: str, position: int) -> int:
        r"""Take what follows `\left` and the like, where `.` is nothing and `|` has a side."""
        while position < len(self.text) and self.text[position].isspace():
            position += 1
        if self.text.startswith(".", position) and size in ("left", "right", "middle"):
            return position + 1
        side = {"left": "(", "right": ")", "l": "(", "r": ")"}.get(
            size if size in ("left", "right") else size[-1], ""
        )
        if (angle := self.text[position : position + 1]) in _ANGLES:
            self._add(_ANGLES[angle], _ANGLES[angle], position, position + 1)
            return position + 1
        match = re.compile(r"\||\\(?:\||[lr]?[vV]ert(?![A-Za-z]))").match(self.text, position)
        if match and side:
            self._add("bar", side, position, match.end())
            return match.end()
        return position

    def _sees_sign(self) -> bool:
        return bool(self.tokens) and self.tokens[-1].kind in ("+", "-")

    def _is_raised(self) -> bool:
        kinds = [token.kind for token in self.tokens[-2:]]
        return kinds[-1:] == ["^"] or kinds == ["^", "{"]

    def _drops_label(self, position: int) -> bool:
        r"""Whether the label of an `\underbrace` denies nothing of it, and so leaves no trace."""
        closer = self._find_closer(position)
        label = _LABEL.match(self.text, closer + 1) if closer is not None else None
        if label is None:
            return closer is not None
        words = {word.lower() for word in re.findall(r"[^\W\d_]+", label[0])}
        self._skipped[label.start()] = label.end()
        return words.isdisjoint(NEGATIONS)

    def _find_layout(self, name: str, position: int) -> str:
        """Find the environment that begins or ends here, if it leaves no trace."""
        closer = self._find_closer(position)
        found = self.text[position : min(closer or position, position + _LONGEST_NAME)].strip(" {*")
        if found != "array":
            return found if found in LAYOUTS else ""
        if name == "end":
            self._arrays -= 1
            return found if self._arrays >= 0 else ""
        content = self.text[position : self.text.find(r"\end{array}", position)]
        # In brackets it is a matrix; around one equation, or one cell, only a layout.
        is_bracketed = bool(self.tokens) and self.tokens[-1].kind in ("(", "[", "bar")
        first, *rest = content.split(r"\\")
        is_single = "=" in first or "&" not in first
        is_layout = not is_bracketed and is_single and all(map(_CONTINUED.match, rest))
        self._arrays += is_layout
        return found if is_layout else ""

    def _skip_braces(self, position: int) -> int:
        end = self._find_closer(position)
        return position if end is None else end + 1


def is_percent(text: str, place: int) -> bool:
    r"""
    Whether a `%` is a sign of percent, and no comment.

    It is in a text without LaTeX, and behind a digit where its line goes on or nothing follows.

    >>> texts = ("40% of it", "\\boxed{%\n40}", r"\frac{8%}{3}")
    >>> [is_percent(text, text.index("%")) for text in texts]
    [True, False, True]
    """
    if "\\" not in text:
        return True
    rest = text[place + 1 :]
    line = rest.partition("\n")[0]
    is_behind_digit = text[:place].rstrip()[-1:].isdigit()
    return is_behind_digit and (_has_words(line) or not _has_words(rest))


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)


def blank_comments(text: str) -> str:
    r"""
    Put blanks in place of all that may be a comment, as long as it.

    >>> blank_comments("\\frac{a}{2}% of it\n b"), blank_comments(r"40\%")
    ('\\frac{a}{2}       \n b', '40\\%')
    """
    if "%" not in text or "\\" not in text:
        return text
    return _COMMENT.sub(lambda found: " " * len(found[0]), text)


def _skip(option: re.Pattern[str], text: str, position: int) -> int:
    r"""Skip the `[t]` that may follow an environment's name, or the `[5px]` of a `\bbox`."""
    match = option.match(text, position)
    return match.end() if match else position


def match_braces(text: str) -> dict[int, int]:
    r"""
    Map each opening brace to the one that closes it, in time linear in the text.

    >>> match_braces(r"{a\}} } {{b}")
    {0: 4, 9: 11}
    """
    pairs: dict[int, int] = {}
    open_braces: list[int] = []
    for found in _BRACE.finditer(text):
        if found[0] == "{":
            open_braces.append(found.start())
        elif found[0] == "}" and open_braces:
            pairs[open_braces.pop()] = found.start()
    return pairs


def _name_greek(character: str) -> str | None:
    match = _GREEK_NAME.fullmatch(unicodedata.name(character, ""))
    if match is None:
        return None
    name = match[2].lower().replace("lamda", "lambda")
    return "\\" + (name if match[1] == "SMALL" else name.capitalize())
