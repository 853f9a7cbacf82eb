r"""
LaTeX, as it is pasted from a paper or from Overleaf, to our Markdown with formulas.

>>> convert(r"\textbf{Hint:} take $g=\SI{9.8}{m/s^2}$.").text
'**Hint:** take $g=9.8\\,\\mathrm{m/s^2}$.'
>>> convert(r"See \cite{landau}.").left
('\\cite{landau}',)
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 30_000
"""Characters; more than this is returned as it is."""
_DEEPEST = 12
"""How far commands, groups and environments may lie in each other."""
_MOST_MACROS = 500
"""Commands of the author's own that are written out."""

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\$\$?|[{}~]|``|''|[^\\${}~`']+|.", re.DOTALL)
_COMMENT = re.compile(r"(?m)^[ \t]*%[^\n]*(?:\n|\Z)|(?<![\\0-9])(?<![0-9][ \t])%[^\n]*")
_DASHES = re.compile(r"(?<=[\w $)])(---?)(?=[\w $(])")
_DOCUMENT = re.compile(r"\\begin\s*\{document\}(.*?)(?:\\end\s*\{document\}|\Z)", re.DOTALL)
_PREAMBLE = re.compile(
    r"\\(?:documentclass|usepackage|RequirePackage|author|date|bibliographystyle|bibliography"
    r"|pagestyle|setlength|sisetup|graphicspath)\s*(?:\[[^\]]*\])?\s*(?:\{[^{}]*\}\s*){1,2}"
)
_MACRO = re.compile(
    r"\\(?:re)?newcommand\*?\s*\{?\s*\\([A-Za-z]+)\s*\}?\s*(?:\[([1-9])\])?\s*(?=\{)"
    r"|\\def\s*\\([A-Za-z]+)\s*(?=\{)"
)
_DISPLAYED = {
    **dict.fromkeys(("equation", "displaymath", "math"), ""),
    **dict.fromkeys(("align", "eqnarray", "flalign", "alignat"), "aligned"),
    **dict.fromkeys(("gather", "multline"), "gathered"),
}
"""Environments of formulas, and what stands for them within a displayed one."""
_KEPT_INSIDE = frozenset(
    {*("center", "flushleft", "flushright", "abstract", "minipage", "problem", "solution")}
)
_EMPHASIS = {
    **dict.fromkeys(("textbf", "bf", "bfseries", "strong"), "**"),
    **dict.fromkeys(("emph", "textit", "textsl", "it", "itshape", "em", "sl"), "*"),
    **dict.fromkeys(("texttt", "tt", "ttfamily", "verb"), "`"),
}
_HEADINGS = frozenset({"section", "subsection", "subsubsection", "paragraph", "title"})
_CONTENT = frozenset(
    {"text", "textrm", "textsf", "textup", "textnormal", "mbox", "hbox", "underline", "textsc"}
)
"""Of these what is in them stays."""
_SIGNS = {
    **{one: one for one in ("%", "&", "#", "_", "{", "}")},
    **dict.fromkeys(("quad", "qquad", " ", ",", ";", ":", "enspace", "space"), " "),
    **dict.fromkeys(("\\", "newline", "linebreak"), "\n"),
    **{"par": "\n\n", "$": r"\$", "dots": "…", "ldots": "…", "textdegree": "°", "degree": "°"},
    **{"textmu": "µ", "ss": "ß", "ae": "æ", "oe": "œ", "o": "ø", "aa": "å", "LaTeX": "LaTeX"},
    **{"textendash": "–", "textemdash": "—", "S": "§", "copyright": "©", "pounds": "£"},
}
_DROPPED = frozenset(
    {
        *("noindent", "medskip", "smallskip", "bigskip", "centering", "newpage", "clearpage"),
        *("maketitle", "indent", "hfill", "vfill", "small", "large", "Large", "normalsize"),
        *("left", "right", "displaystyle", "protect", "/", "-", "!", "@", "nobreak", "sloppy"),
        *("rm", "rmfamily", "normalfont", "footnotesize", "tableofcontents", "appendix"),
    }
)
_DROPPED_WITH_ARGUMENT = frozenset(
    {"vspace", "hspace", "label", "vskip", "phantom", "thispagestyle"}
)
_ACCENTS = {
    "'": "\u0301",
    "`": "\u0300",
    '"': "\u0308",
    "^": "\u0302",
    "c": "\u0327",
    "v": "\u030c",
}
_OUT_OF_FORMULAS = re.compile(r"\\(?:label\s*\{[^{}]*\}|nonumber(?![A-Za-z])|notag(?![A-Za-z]))")
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_REFERENCE = re.compile(r"\\(?:eq|auto|c|C)?ref\s*\{([^{}]*)\}")
_ITEM = re.compile(
    r"\\(begin|end)\s*\{(?:enumerate|itemize|description)\}"
    r"|\\item(?![A-Za-z])\s*(?:\[([^\]]*)\])?"
)
_UNITS = {
    "meter": "m", "metre": "m", "second": "s", "kilogram": "kg", "gram": "g", "newton": "N",
    "joule": "J", "watt": "W", "pascal": "Pa", "coulomb": "C", "volt": "V", "ampere": "A",
    "ohm": r"\Omega", "farad": "F", "tesla": "T", "henry": "H", "hertz": "Hz", "kelvin": "K",
    "mole": "mol", "celsius": r"{}^{\circ}C", "degree": r"{}^{\circ}", "degreeCelsius":
    r"{}^{\circ}C", "radian": "rad", "steradian": "sr", "electronvolt": "eV", "weber": "Wb",
    "litre": "L", "liter": "L", "minute": "min", "hour": "h", "day": "d", "candela": "cd",
    "becquerel": "Bq", "siemens": "S", "percent": r"\%", "bar": "bar", "angstrom": "Å",
    "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "milli": "m", "micro": r"\mu ",
    "nano": "n", "pico": "p", "femto": "f", "centi": "c", "deci": "d", "hecto": "h",
}  # fmt: skip
_PREFIXES = frozenset(
    {*("kilo", "mega", "giga", "tera", "milli", "micro", "nano", "pico", "femto", "centi"), "deci"}
)
_QUANTITY = re.compile(r"\\(SI|si|qty|unit|num|ang)(?![A-Za-z])\s*(?:\[[^\]]*\])?(?=\s*\{)")


@dataclass(frozen=True, slots=True)
class Converted:
    """A text in our Markdown."""

    text: str
    left: tuple[str, ...] = ()
    """What could not be converted, as it was written; each once."""


def convert(text: str) -> Converted:
    """Convert LaTeX; a text that is Markdown already stays as it is, but for its percent signs."""
    if len(text) > LONGEST:
        return Converted(text, (text[:40],))
    text = text.replace("\r\n", "\n")
    macros = dict(_list_macros(text))
    document = _DOCUMENT.search(text)
    body = _COMMENT.sub("", _strip_macros(document[1] if document else text))
    if r"\begin" in text:
        # In Markdown what is set in by four spaces is code.
        body = re.sub(r"(?m)^[ \t]+", "", body)
    body = _write_out(body, macros)
    made = _Conversion(body)
    converted = made.write(_PREAMBLE.sub("", body))
    lines = "\n".join(line.rstrip() for line in converted.split("\n"))
    return Converted(re.sub(r"\n{3,}", "\n\n", lines).strip(), tuple(made.left))


# --- What the author defines ----------------------------------------------------------------


def _list_macros(text: str) -> Iterator[tuple[str, str]]:
    for found in _MACRO.finditer(text):
        content, _end = _read_group(text, found.end())
        yield found[1] or found[3], content


def _strip_macros(text: str) -> str:
    kept, place = [], 0
    for found in _MACRO.finditer(text):
        if found.start() >= place:
            kept.append(text[place : found.start()])
            place = _read_group(text, found.end())[1]
    return "".join([*kept, text[place:]])


def _write_out(text: str, macros: dict[str, str]) -> str:
    """Put in what the author's own commands stand for."""
    if not macros:
        return text
    names = "|".join(sorted(macros, key=len, reverse=True))
    pattern = re.compile(rf"\\({names})(?![A-Za-z])")
    place = 0
    for _round in range(_MOST_MACROS):
        found = pattern.search(text, place)
        if found is None or len(text) > LONGEST:
            break
        content, end = macros[found[1]], found.end()
        # A command that holds itself is written out once.
        place = found.start() + (len(content) if found[0] in content else 0)
        for number in range(1, 10):
            if f"#{number}" in content:
                argument, end = _read_group(text, end)
                content = content.replace(f"#{number}", argument)
        text = text[: found.start()] + content + text[end:]
    return text


def _read_group(text: str, place: int) -> tuple[str, int]:
    """Return what the braces at a place hold, and where they end; without braces, one sign."""
    while place < len(text) and text[place].isspace():
        place += 1
    if not text.startswith("{", place):
        found = _TOKEN.match(text, place)
        return (found[0][:1] if found and found[0][0] != "\\" else found[0] if found else ""), (
            place + (1 if found and found[0][0] != "\\" else len(found[0]) if found else 0)
        )
    level, start = 0, place
    while place < len(text):
        sign = text[place]
        if sign == "\\":
            place += 1
        else:
            level += (sign == "{") - (sign == "}")
            if level == 0:
                return text[start + 1 : place], place + 1
        place += 1
    return text[start + 1 :], len(text)


# --- The text -------------------------------------------------------------------------------


class _Conversion:
    """One text on its way: the numbers of its equations, and what could not be converted."""

    def __init__(self, body: str) -> None:
        self.left: dict[str, None] = {}
        referred = {name for found in _REFERENCE.finditer(body) for name in found[1].split(",")}
        labels = dict.fromkeys(found[1] for found in _LABEL.finditer(body) if found[1] in referred)
        self.numbers = {
            label: number for number, label in enumerate(labels, 1) if not label.startswith("fig")
        }

    def write(self, raw: str, depth: int = 0) -> str:
        if depth > _DEEPEST:
            return raw
        written, place = [], 0
        while (found := _TOKEN.match(raw, place)) is not None:
            token, place = found[0], found.end()
            closer = {r"\(": r"\)", r"\[": r"\]"}.get(token, token)
            if token in {"$", "$$", r"\(", r"\["} and (end := _find(raw, closer, place)) >= 0:
                is_inline = token in {"$", r"\("}
                written.append(self._write_formula(raw[place:end], is_inline=is_inline))
                place = end + len(closer)
            elif token == r"\begin":
                text, place = self._write_environment(raw, place, depth)
                written.append(text)
            elif token[0] == "\\" and len(token) > 1:
                text, place = self._write_command(token[1:], raw, place, depth)
                written.append(text)
            elif token == "{":
                group, place = _read_group(raw, place - 1)
                written.append(self._write_group(group, depth))
            else:
                plain = {"~": " ", "}": "", "``": "“", "''": "”"}.get(token, token)
                written.append(_DASHES.sub(lambda one: "–—"[len(one[1]) - 2], plain))
        return "".join(written)

    def _write_group(self, group: str, depth: int) -> str:
        """Write what stands in braces by itself, as in `{\\bf so}`."""
        if (found := re.match(r"\\([a-z]+)(?![A-Za-z])\s*", group)) and found[1] in _EMPHASIS:
            return _wrap(self.write(group[found.end() :], depth + 1), _EMPHASIS[found[1]])
        return self.write(group, depth + 1)

    def _write_command(self, name: str, raw: str, place: int, depth: int) -> tuple[str, int]:
        bare = name.rstrip("*")
        if bare in _SIGNS:
            # The space after a command of letters belongs to it.
            return _SIGNS[bare], _skip(raw, place) if bare.isalpha() else place
        if bare in _DROPPED:
            return "", _skip(raw, place)
        if found := _QUANTITY.match(raw, place - len(name) - 1):
            formula, end = _write_quantity(found, raw)
            return f"${formula}$", end
        if found := _REFERENCE.match(raw, place - len(name) - 1):
            numbers = [self.numbers.get(one) for one in found[1].split(",")]
            if None not in numbers:
                brackets = "({})" if bare == "eqref" else "{}"
                return brackets.format(", ".join(map(str, numbers))), found.end()
            self.left[found[0]] = None
            return found[0], found.end()
        argument, end = _read_group(raw, place)
        has_argument = raw[_skip(raw, place) : _skip(raw, place) + 1] == "{"
        if bare in _ACCENTS and argument:
            return unicodedata.normalize("NFC", argument + _ACCENTS[bare]), end
        if not has_argument:
            self.left[f"\\{name}"] = None
            return f"\\{name}", place
        if bare in _DROPPED_WITH_ARGUMENT:
            return "", end
        if bare in _EMPHASIS:
            return _wrap(self.write(argument, depth + 1), _EMPHASIS[bare]), end
        if bare in _HEADINGS:
            return f"\n\n**{self.write(argument, depth + 1).strip()}**\n\n", end
        if bare in _CONTENT:
            return self.write(argument, depth + 1), end
        if bare == "footnote":
            return f" ({self.write(argument, depth + 1).strip()})", end
        source = raw[place - len(name) - 1 : end]
        self.left[source if len(source) < 60 else f"\\{name}{{…}}"] = None
        return source, end

    def _write_environment(self, raw: str, place: int, depth: int) -> tuple[str, int]:
        name, start = _read_group(raw, place)
        closer = re.compile(rf"\\(begin|end)\s*\{{{re.escape(name)}\}}")
        level = 1
        for found in closer.finditer(raw, start):
            level += 1 if found[1] == "begin" else -1
            if level == 0:
                body, end = raw[start : found.start()], found.end()
                break
        else:
            self.left[f"\\begin{{{name}}}"] = None
            return raw[place - len(r"\begin") : start], start
        bare = name.rstrip("*")
        if bare in _DISPLAYED:
            body = re.sub(r"^\s*\{\d+\}", "", body) if bare == "alignat" else body
            return self._write_formula(body, inside=_DISPLAYED[bare]), end
        if bare in {"enumerate", "itemize", "description"}:
            return self._write_list(body, is_numbered=bare == "enumerate", depth=depth), end
        if bare in _KEPT_INSIDE:
            return f"\n\n{self.write(body, depth + 1).strip()}\n\n", end
        if bare in {"quote", "quotation"}:
            lines = self.write(body, depth + 1).strip().split("\n")
            return "\n\n" + "\n".join(f"> {line}" for line in lines) + "\n\n", end
        self.left[f"\\begin{{{name}}}"] = None
        # Nobody can describe a figure by its source.
        is_figure = bare in {"figure", "tikzpicture", "wrapfigure", "circuitikz"}
        return "" if is_figure else raw[place - len(r"\begin") : end], end

    def _write_list(self, body: str, *, is_numbered: bool, depth: int) -> str:
        items: list[tuple[str, str]] = []
        level, start, label = 0, -1, ""
        for found in _ITEM.finditer(body):
            if found[1]:
                level += 1 if found[1] == "begin" else -1
            elif level == 0:
                if start >= 0:
                    items.append((label, body[start : found.start()]))
                start, label = found.end(), found[2] or ""
        if start >= 0:
            items.append((label, body[start:]))
        lines = []
        for number, (label, content) in enumerate(items, 1):
            marker = f"{number}. " if is_numbered and not label else "- "
            content = f"{label} {content.lstrip()}" if label else content
            text = self.write(content, depth + 1).strip()
            text = re.sub(r"\n{3,}", "\n\n", text)
            lines.append(marker + text.replace("\n", "\n" + " " * len(marker)))
        return "\n\n" + "\n".join(lines) + "\n\n"

    def _write_formula(self, body: str, *, is_inline: bool = False, inside: str = "") -> str:
        tags = [self.numbers[one] for one in _LABEL.findall(body) if one in self.numbers]
        body = _OUT_OF_FORMULAS.sub("", body)
        while found := _QUANTITY.search(body):
            formula, end = _write_quantity(found, body)
            body = body[: found.start()] + formula + body[end:]
        body = re.sub(r"\s*\n\s*", "\n", body).strip()
        if is_inline:
            return f"${body}$" if body else ""
        if inside and ("&" in body or r"\\" in body):
            body = f"\\begin{{{inside}}}\n{body}\n\\end{{{inside}}}"
        if len(tags) == 1:
            body += f" \\tag{{{tags[0]}}}"
        elif tags:
            self.left[r"\label"] = None
        return f"\n\n$$\n{body}\n$$\n\n"


def _wrap(text: str, mark: str) -> str:
    """Put marks of emphasis around a text, which they have to touch."""
    bare = text.strip()
    return text.replace(bare, f"{mark}{bare}{mark}", 1) if bare else text


def _skip(raw: str, place: int) -> int:
    """Skip spaces, and one line end at most."""
    found = re.compile(r"[ \t]*(?:\n(?![ \t]*\n))?[ \t]*").match(raw, place)
    return found.end() if found else place


def _find(raw: str, closer: str, place: int) -> int:
    """Find what ends a formula, but none that is escaped."""
    while (place := raw.find(closer, place)) > 0:
        if closer[0] == "\\" or raw[place - 1] != "\\":
            return place
        place += 1
    return -1


# --- Quantities with units ------------------------------------------------------------------


def _write_quantity(found: re.Match[str], raw: str) -> tuple[str, int]:
    r"""Write `\SI{9.8}{m/s^2}` and the like as a formula, without its dollar signs."""
    first, end = _read_group(raw, found.end())
    if found[1] == "num":
        return _write_number(first), end
    if found[1] == "ang":
        return f"{first}^{{\\circ}}", end
    if found[1] in {"si", "unit"}:
        return _write_unit(first), end
    unit, end = _read_group(raw, end)
    return f"{_write_number(first)}\\,{_write_unit(unit)}", end


def _write_number(text: str) -> str:
    found = re.fullmatch(r"([-+]?[\d.,]*)\s*[eE]\s*([-+]?\d+)", text.strip())
    if not found:
        return text.strip()
    power = f"10^{{{found[2].lstrip('+')}}}"
    return f"{found[1]} \\times {power}" if found[1] else power


def _write_unit(text: str) -> str:
    r"""
    Write a unit in upright letters.

    >>> _write_unit(r"\kilo\gram\meter\per\second\squared")
    '\\mathrm{kg\\,m\\,s^{-2}}'
    """
    if "\\" not in text:
        return _set_upright(re.split(r"[\s~.]+", text.strip()))
    factors: list[str] = []
    prefix, sign, power = "", "", ""
    for name in re.findall(r"\\([A-Za-z]+)", text):
        if name == "per":
            sign = "-"
        elif name in {"square", "cubic"}:
            power = "2" if name == "square" else "3"
        elif name in {"squared", "cubed"} and factors:
            base, _caret, old = factors[-1].partition("^")
            minus = "-" if "-" in old else ""
            factors[-1] = f"{base}^{{{minus}{2 if name == 'squared' else 3}}}"
        elif name in _PREFIXES:
            prefix = _UNITS[name]
        else:
            exponent = f"{sign}{power or ('1' if sign else '')}"
            raised = f"^{{{exponent}}}" if exponent else ""
            factors.append(f"{prefix}{_UNITS.get(name, name)}{raised}")
            prefix, sign, power = "", "", ""
    return _set_upright(factors)


def _set_upright(factors: list[str]) -> str:
    return "\\mathrm{" + r"\,".join(factors) + "}"
