"""Reading the names of symbols: letters with subscripts, primes and accents."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import sympy

from phybench_grader.numbers.domains import POSITIVE, Domain
from phybench_grader.numbers.symbols import (
    ACCENTS,
    GREEK,
    LETTERLIKE,
    SAME,
    SAME_UNLESS_BOTH,
    SUBSCRIPT_COMMANDS,
    make_symbol,
    name_in_latex,
    name_symbol,
)
from phybench_grader.reading.ambiguity import Choices
from phybench_grader.reading.lexer import Token, split_tokens
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.scripts import (
    STYLES,
    find_prime_end,
    measure_bare_subscript,
    name_direction,
    part_primes_from_exponent,
    spell_inside,
    split_accented,
    write_label,
)
from phybench_grader.reading.stream import Stream
from phybench_grader.reading.usage import (
    Usage,
    changes_next,
    find_argument_end,
    list_valued,
    observe,
    observe_tokens,
    skip_group,
    spell,
)

_OPERATORS = frozenset({"max", "min", "lim", "sup", "inf", "sin", "cos", "exp", "log", "deg"})


class Declared:
    """The symbols a problem declares: they decide before any other rule."""

    def __init__(self, declared: Collection[str] = ()) -> None:
        self.spellings: list[tuple[tuple[str, ...], str]] = []
        self.names: set[str] = set()
        self.domains: dict[str, Domain] = {}
        self.same = SAME | SAME_UNLESS_BOTH
        written = "".join(declared)
        for kept, dropped in (("epsilon", "varepsilon"), ("varphi", "phi")):
            if _has_command(written, kept) and _has_command(written, dropped):
                del self.same[kept]
        self.question = Question.of(declared)
        self.usage = observe(self.question.statement)
        letters = self.usage.symbols.union(*(_observe(latex).symbols for latex in declared))
        for one, other in SAME_UNLESS_BOTH.items():
            if {one, other} <= letters:
                del self.same[one]
        for latex, domain in self.question.domains:
            if (name := self._declare(latex)) is not None:
                self.names.add(name)
                self.domains[name] = domain
        # The longest spelling that fits is the one meant.
        self.spellings.sort(key=lambda spelling: -len(spelling[0]))

    def stands_alone(self, change: str) -> bool:
        """Whether a Δ, a δ or a d is a symbol of the problem by itself."""
        return change in self.names or change in self.usage.lone

    def hear(self, text: str) -> None:
        """Note what a text has as functions left of its first relation: `p(T) = …`."""
        if "(" in text:
            self.usage = replace(self.usage, functions=self.usage.functions | list_valued(text))

    def make_symbol(self, name: str) -> sympy.Symbol:
        """Make the symbol of this name, in the domain declared for it."""
        return make_symbol(name, self.domains.get(name, POSITIVE))

    def _declare(self, latex: str) -> str | None:
        """Note how a symbol is spelled, and return its name."""
        tokens = split_tokens(latex)[:-1]
        if not tokens:
            return None
        for token in tokens:
            if token.kind == "word":
                raise Unreadable("words", token.start, token.end)
        stream = Stream(latex, split_tokens(latex))
        names = Names(stream, self, Choices(), is_declaring=True)
        signs = tuple(_sign(token) for token in tokens if token.kind not in "{}")
        if names.starts():
            name = names.read()
            if stream.sees("end"):
                if tokens[0].text in ("Delta", "delta") and len(signs) > 1:
                    self.spellings.append((signs, name))
                return name
        name = latex.strip().removeprefix("\\")
        self.spellings.append((signs, name))
        return name


def _observe(latex: str) -> Usage:
    try:
        return observe_tokens(split_tokens(latex))
    except Unreadable:
        return Usage()


def _has_command(text: str, name: str) -> bool:
    return any(
        text.startswith("\\" + name, place) and not text[place + len(name) + 1 :][:1].isalpha()
        for place in range(len(text))
    )


def _sign(token: Token) -> str:
    return "\\" + token.text if token.kind == "command" else token.text


class Names:
    """Reads symbols off a stream."""

    def __init__(
        self, stream: Stream, declared: Declared, choices: Choices, *, is_declaring: bool = False
    ) -> None:
        self.stream = stream
        self.is_declaring = is_declaring
        self.declared = declared
        self.choices = choices
        self.is_latex = "\\" in stream.text
        self._usage: Usage | None = None
        self._began = 0

    @property
    def usage(self) -> Usage:
        """How the problem and this text use their letters."""
        if self._usage is None:
            self._usage = self.declared.usage | observe_tokens(self.stream.tokens)
        return self._usage

    def starts(self) -> bool:
        """Whether a symbol may begin here (a letter, a Greek letter, an accent)."""
        token = self.stream.next
        return token.kind == "letter" or (
            token.kind == "command" and (token.text in LETTERLIKE or token.text in ACCENTS)
        )

    def read_declared(self) -> str | None:
        """Read a declared symbol of several signs (`\\Delta p`), if one stands here."""
        for signs, name in self.declared.spellings:
            end = self._match_spelling(signs)
            if end is not None:
                self.stream.position = end
                return name
        return None

    def _match_spelling(self, signs: tuple[str, ...]) -> int | None:
        """Find where these signs end, if they stand here; braces may be around some of them."""
        tokens, position = self.stream.tokens, self.stream.position
        if tokens[position].kind == "{":
            return None
        matched = level = 0
        while matched < len(signs) or (level and tokens[position].kind == "}"):
            token = tokens[position]
            level += (token.kind == "{") - (token.kind == "}")
            if level < 0:
                return None
            if token.kind not in "{}":
                if matched == len(signs) or _sign(token) != signs[matched]:
                    return None
                matched += 1
            position += 1
        return None if level else position

    def read(self) -> str:
        """Read a symbol with its subscript and primes; return its name."""
        return self.read_value(self.decorate(self.read_base()))

    def read_base(self) -> str:
        """Read the letter, Greek letter or accented letter that a symbol begins with."""
        self._began = self.stream.position
        token = self.stream.take()
        if token.kind == "letter":
            if token.text == "e" and token.is_bold and self.stream.sees("_"):
                return "hat{e}"
            base = self._read_typed_greek(token) or token.text
        elif token.text in ACCENTS:
            return self._read_accent(token)
        else:
            base = self._same(token.text)
        if base in ("Delta", "delta") and self._changes_next(base):
            began = self._began
            base = f"{base} {name_in_latex(self.decorate(self.read_base()))}"
            self._began = began
        return base

    def _same(self, name: str) -> str:
        """Return the one name of a symbol that has two spellings."""
        one = self.declared.same.get(name, name)
        is_kept = name in SAME_UNLESS_BOTH and {name, one} <= self.usage.symbols
        return name if is_kept else one

    def _changes_next(self, change: str) -> bool:
        stream = self.stream
        return changes_next(stream.tokens, stream.position - 1) and (
            self.is_declaring
            or not (self.declared.stands_alone(change) or change in self.usage.lone)
        )

    def _read_typed_greek(self, token: Token) -> str | None:
        # Among LaTeX, `pi` and `mu` are rather products; long names are never.
        word = token.word
        if word not in GREEK | {"hbar"} or (self.is_latex and len(word) < 4):
            return None
        self.stream.position += len(word) - 1
        return self._same(word)

    def _read_accent(self, accent: Token) -> str:
        stream = self.stream
        if stream.sees("{"):
            end = stream.find_closer(stream.position)
            stream.take()
            inside = self._collect(end)
            stream.take()
        else:
            inside = self._collect(stream.position + 1)
        if not inside:
            raise Unreadable("missing", accent.start, accent.end)
        return f"{ACCENTS[accent.text]}{{{inside}}}"

    def decorate(self, base: str) -> str:
        """Read the subscript and primes that follow a symbol's base; return the whole name."""
        stream = self.stream
        base, subscript = split_accented(base)
        primes = 0
        part_primes_from_exponent(self.stream)
        if stream.sees("number") and self._is_typed_index():
            subscript = stream.take().text
        while True:
            if stream.sees("'"):
                stream.take()
                primes += 1
            elif stream.sees("_"):
                sign = stream.take()
                if subscript:
                    raise Unreadable("script", sign.start, sign.end)
                subscript = self._read_subscript()
            elif stream.sees("^") and (end := find_prime_end(stream)):
                marks = stream.tokens[stream.position + 1 : end]
                stream.position = end
                primes += sum(mark.text in ("prime", "'") for mark in marks)
                if any(mark.text in ("*", "cdot", "star") for mark in marks):
                    base += "^*"
            elif stream.sees("^") and base != "e" and (label := self._read_label(base)):
                base += label
            else:
                return name_symbol(*name_direction(base, subscript), primes)

    def sees_label(self, base: str) -> bool:
        """Whether what is raised next is part of the name that begins with this."""
        here = self.stream.position
        is_label = base != "e" and bool(self._read_label(base))
        self.stream.position = here
        return is_label

    def _read_label(self, base: str) -> str:
        r"""
        Read what is raised but is no exponent, as in `E^{(1)}`, `P^\circ`, `V^{\rm out}`.

        A raised 0 and a raised ring are one too; as a power and as degrees they are read second.
        """
        stream = self.stream
        sign, here = stream.next, stream.position
        tokens = stream.tokens
        end = skip_group(tokens, here + 1)
        inside = [token for token in tokens[here + 1 : end] if token.kind not in "{}"]
        texts = [token.text for token in inside]
        is_braced = tokens[here + 1].kind == "{"
        if texts == ["circ"] or (texts == ["0"] and (is_braced or self.is_latex)):
            label = r"^{\circ}" if texts == ["circ"] else "^{0}"
            is_known = base in self.declared.usage.labelled or any(
                name.startswith(base + label) for name in self.declared.names
            )
            if not is_known and self.choices.pick("label", sign.start, tokens[end - 1].end):
                return ""
            stream.position = end
            return label
        if not is_braced and texts and texts[0] in STYLES:
            end = skip_group(tokens, here + 2)
            inside = tokens[here + 1 : end]
        label = write_label([token for token in inside if token.kind not in "{}"])
        if label:
            stream.position = end
        return label

    def read_value(self, name: str) -> str:
        r"""
        Read the bracket that makes a value of a symbol: `\psi(0)`, `V(\infty)`.

        One with symbols alone makes it where the problem uses the name as a function. Otherwise the
        brackets tell: several that differ, as in `V(r_1) - V(r_2)`, or one that holds a letter,
        where not both are known as symbols.
        """
        stream = self.stream
        if not stream.sees("("):
            return name
        opener = stream.position
        end = self._find_number_end(opener)
        is_told = end is not None
        spelled = spell(stream.tokens[self._began : opener])
        if end is None and spelled in self.declared.usage.functions:
            end = find_argument_end(stream.tokens, opener)
            is_told = end is not None
        if end is None:
            end = self._find_value_end(spelled, opener)
        if end is None:
            return name
        argument = stream.tokens[opener + 1 : end - 1]
        is_zero = any(token.text in ("0", "infty") for token in argument)
        may_be_factor = argument[-1].kind == "number" and not is_zero
        if not is_told:
            # Of several brackets that differ one would be a factor of a symbol that is known.
            known = self.usage.plain | self.declared.names
            may_be_factor = spelled not in self.usage.values or spelled in known
        stream.position = opener + 1
        is_plain = is_told or find_argument_end(stream.tokens, opener) == end
        inside = self._collect(end - 1) if is_plain else spell_inside(argument)
        value = f"{name}({inside})"
        stream.position = end
        options = 2 if may_be_factor and value not in self.declared.names else 1
        if self.choices.pick("value", stream.tokens[opener].start, argument[-1].end, options):
            stream.position = opener
            return name
        return value

    def _find_value_end(self, name: str, opener: int) -> int | None:
        """Find where a bracket ends that makes a value of a name by what else stands here."""
        if name in self.usage.values:
            return self.stream.find_closer(opener) + 1
        if name not in self.usage.single:
            return None
        argument = spell(self.stream.tokens[opener + 1 : opener + 2])
        are_symbols = {name, argument} <= self.usage.plain | self.declared.names
        return None if are_symbols else find_argument_end(self.stream.tokens, opener)

    def _find_number_end(self, opener: int) -> int | None:
        """Find where a bracket ends that holds one number, or infinity, with or without a sign."""
        tokens = self.stream.tokens
        place = opener + 1
        place += tokens[place].kind in ("+", "-")
        is_number = tokens[place].kind == "number" or tokens[place].text == "infty"
        if not is_number:
            return None
        end = place + 1
        if tokens[end].kind == "^":
            # `0^+` is right behind 0.
            behind = skip_group(tokens, end + 1)
            end = behind if spell(tokens[end + 1 : behind]) in ("+", "-") else end
        return end + 1 if tokens[end].kind == ")" else None

    def holds_zero(self, opener: int) -> bool:
        """Whether a bracket holds 0 or infinity, which makes no factor."""
        tokens = self.stream.tokens
        if tokens[opener].kind != "(" or (end := self._find_number_end(opener)) is None:
            return False
        return any(token.text in ("0", "infty") for token in tokens[opener + 1 : end - 1])

    def _is_typed_index(self) -> bool:
        """Whether `v0` is a symbol: in plain text it is, among LaTeX it may be a product."""
        stream = self.stream
        last, number = stream.last, stream.next
        is_name = last.kind == "letter" or last.text in GREEK
        if not is_name or last.end != number.start or not number.text.isdigit():
            return False
        if last.text in self.usage.units:
            return False
        return not self.choices.pick("index", number.start, number.end, 2 if self.is_latex else 1)

    def _read_subscript(self) -> str:
        stream = self.stream
        token = stream.next
        if token.kind == "{":
            end = stream.find_closer(stream.position)
            stream.take()
            subscript = self._collect(end)
            stream.take()
        else:
            length = measure_bare_subscript(stream, self.choices, is_latex=self.is_latex)
            subscript = self._collect(stream.position + length)
        if not subscript:
            raise Unreadable("script", token.start, token.end)
        return subscript

    def _collect(self, end: int) -> str:
        """Read the tokens up to position `end` as part of a name."""
        stream = self.stream
        parts: list[str] = []
        while stream.position < end:
            token = stream.take()
            if token.kind == "end":
                break
            if token.kind == "command":
                self._collect_command(token, parts)
            elif token.kind == "bar":
                parts.append("|")
            elif token.kind not in "{}":
                if token.kind == "letter" and parts and parts[-1].startswith("\\"):
                    parts.append(" ")
                parts.append(token.text)
        return "".join(parts)

    def _collect_command(self, token: Token, parts: list[str]) -> None:
        if token.text in STYLES:
            return
        if token.text in _OPERATORS:
            parts.append(token.text)
        elif token.text in SUBSCRIPT_COMMANDS:
            name = self._same(token.text)
            parts.append("\\" + name if len(name) > 1 else name)
        elif token.text in ACCENTS:
            parts.append("\\" + ACCENTS[token.text] + " ")
        else:
            raise Unreadable("unknown_command", token.start, token.end, "\\" + token.text)
