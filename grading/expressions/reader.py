r"""
Tokens to a SymPy expression, by recursive descent: one parser, in the order of its grammar.

A sum is products, a product is factors (side by side or with signs between them), a factor is an
atom with what follows it (exponent, factorial). An atom is a number, a group, a command, a function
with its argument, or letters: a symbol, a constant, or what is no mathematics at all. Where a
notation has several honest readings, the reader asks `Choices`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import sympy

from grading.expressions import arithmetic
from grading.expressions.ambiguity import Choices
from grading.expressions.differentials import cut_differentials
from grading.expressions.functions import (
    BRACKETED,
    BRACKETS,
    EXTREMES,
    FUNCTIONS,
    INVERSES,
    SPELLINGS,
    TYPED,
)
from grading.expressions.lexer import Token
from grading.expressions.limits import MAX_DIGITS, MAX_LEVELS
from grading.expressions.names import Declared, Names
from grading.expressions.reading import Finding, Unreadable, write_latex
from grading.expressions.sentences import Sentence
from grading.expressions.slashes import classify, list_reaches
from grading.expressions.special_names import INDEXED, find_special
from grading.expressions.stream import CLOSERS, Stream
from grading.expressions.symbols import GREEK, LETTERLIKE, name_in_latex
from grading.expressions.transcript import IMPLIED_PRODUCT, Transcript, name_function
from grading.expressions.usage import find_units, is_symbol_at
from grading.expressions.vocabulary import (
    ENVIRONMENTS,
    LONGEST_PRODUCT,
    PROSE,
    SEVERAL_WORDS,
    UNITS,
    UNKNOWN_FUNCTIONS,
)

_UPRIGHT = ("mathrm", "text", "operatorname", "rm")
_UPRIGHT_INSIDE = re.compile(r"^\\(?:rm|mathrm)\s*\{?\s*([A-Za-z]+)\s*\}?$")
_ARROWS = frozenset({"vec", "overrightarrow", "hat"})
_SCIENTIFIC = re.compile(
    r"(?P<digits>\d+(?:\.\d+)?)(?P<sign>[eE])(?P<power>[+-]?\d{1,4})(?![\d.^_{])"
)
_LARGEST_POWER_OF_TEN = 400
_MARKUP = frozenset({"implied", "typed", "htmlClass", "htmlId", "htmlStyle", "href", "url"})
"""Commands that would be drawn as something else than mathematics."""
_SIZED = {
    "(": (r"\left(", r"\right)"),
    "[": (r"\left[", r"\right]"),
    "|": (r"\left|", r"\right|"),
    "⌊": (r"\left\lfloor ", r"\right\rfloor "),
    "⌈": (r"\left\lceil ", r"\right\rceil "),
}
"""Brackets as they are written around what is read."""
_AROUND = {
    "abs": _SIZED["|"],
    "floor": _SIZED["⌊"],
    "ceil": _SIZED["⌈"],
    "sqrt": (r"\sqrt{", "}"),
}
"""What is written around the argument of some functions."""
_CONSTANTS = {sympy.pi: r"\pi", sympy.E: r"\mathrm{e}", sympy.I: r"\mathrm{i}"}
_DERIVATIVE = re.compile(
    r"\s*(?:d|\\mathrm\{d\})(?:\s*\^\s*\{?\d\}?)?\s*(?P<of>\\?[A-Za-z]+(?:_\w|_\{\w+\})?)?\s*"
)


class Reader(Stream):
    """Reads one expression; `findings` collects what its author should know."""

    def __init__(
        self, text: str, tokens: list[Token], declared: Declared, choices: Choices
    ) -> None:
        super().__init__(text, tokens)
        self.declared = declared
        self.choices = choices
        self.names = Names(self, declared, choices)
        self.findings: list[Finding] = []
        self.order: dict[str, None] = {}
        """The names of the symbols read, in their order."""
        self.typed = Transcript()
        self._level = 0
        self._bars = [0]
        self._exponentials = 0
        self._functions = 0
        self._fraction_end = -1
        self._is_all_bold = all(token.is_bold for token in tokens[:-1])
        self._units = find_units(tokens)

    def _descend(self) -> None:
        self._level += 1
        # The whole is a level of its own, around the nesting.
        if self._level > MAX_LEVELS + 1:
            raise Unreadable("too_deep", self.next.start, self.next.end)

    def _build(self, start: int, step: Callable[..., sympy.Expr], *arguments: object) -> sympy.Expr:
        """Take one step of arithmetic, naming the place where it goes too far."""
        try:
            return step(*arguments)
        except (arithmetic.Overgrown, OverflowError):
            # SymPy converts large complex numbers to floats on the way.
            raise Unreadable("too_large", start, self.last.end) from None
        except arithmetic.NotFinite:
            raise Unreadable("undefined", start, self.last.end) from None

    def _note_positive(self, place: Token) -> None:
        note = Sentence("absolute_value_idle")
        self.findings.append(Finding("positive", note, place.start, self.last.end))

    # --- Sums and products ----------------------------------------------------------------------

    def read_all(self) -> sympy.Expr:
        """Read the whole stream as one expression."""
        if self.sees("end"):
            raise Unreadable("empty", 0, len(self.text))
        cut_differentials(self.text, self.tokens, self.names)
        expression = self._read_fractions_over()
        if not self.sees("end"):
            raise self.refuse()
        return expression

    def _read_fractions_over(self) -> sympy.Expr:
        r"""Read a sum, or two with `\over` or `\choose` between them."""
        mark = self.typed.mark()
        above = self.read_sum()
        if not self.sees_command("over", "choose"):
            return above
        sign = self.take()
        self.typed.join(mark, r"\frac{" if sign.text == "over" else r"\binom{", "}{")
        step = arithmetic.divide if sign.text == "over" else arithmetic.choose
        below = self.read_sum()
        self.typed.join(mark, after="}")
        return self._build(sign.start, step, above, below)

    def read_sum(self) -> sympy.Expr:
        """Read terms with signs between them."""
        start = self.next.start
        self._descend()
        terms = [self._read_term("")]
        while self.sees("+", "-"):
            terms.append(self._read_term("+"))
        self._level -= 1
        return self._build(start, arithmetic.add, terms)

    def _read_term(self, sign: str) -> sympy.Expr:
        is_negative = self._read_signs()
        self.typed.add("-" if is_negative else sign)
        term = self._read_product()
        return -term if is_negative else term

    def _read_signs(self) -> bool:
        is_negative = False
        while self.sees("+", "-"):
            is_negative ^= self.take().kind == "-"
        return is_negative

    def _read_product(self) -> sympy.Expr:
        start = self.next.start
        began = self.position
        mark = self.typed.mark()
        factors = [self._read_factor()]
        is_quotient = False
        while True:
            if is_quotient and (self.sees("*", "/") or self.sees_command("cdot", "div")):
                self.typed.enclose(mark)
                is_quotient = False
            if self.sees("*") or self.sees_command("cdot"):
                sign = self.take()
                self.typed.add(r"\cdot")
                is_vector = self._is_vector(began, factors[-1])
                began = self.position
                factors.append(self._read_signed_factor())
                are_vectors = [is_vector, self._is_vector(began, factors[-1])]
                are_symbols = all(factor.is_Symbol for factor in factors[-2:])
                is_cross = are_symbols and self.text[sign.start : sign.end] in (r"\times", "×")
                if all(are_vectors) or (is_cross and any(are_vectors)):
                    raise Unreadable("vectors", sign.start, sign.end)
            elif self.sees("/") or self.sees_command("div"):
                read = self._read_quotient(factors[-1], mark)
                is_quotient = len(read) == 1
                factors += read
            elif self._starts_factor():
                self._refuse_neighbours()
                self._write_product(factors[-1])
                began = self.position
                factors.append(self._read_factor())
            else:
                return self._build(start, arithmetic.multiply, factors)

    def _write_product(self, before: sympy.Expr) -> None:
        """Write what tells a factor from the next one that stands beside it."""
        last, following = self.last, self.next
        is_word = last.kind == following.kind == "letter" and last.end == following.start
        may_be_value = before.is_Symbol and following.kind in ("(", "[")
        if following.kind == "number" or may_be_value or (is_word and self._is_in_word(last.start)):
            self.typed.add(IMPLIED_PRODUCT)
        elif not before.is_Number:
            self.typed.add(r"\,")

    def _is_in_word(self, start: int) -> bool:
        """Whether the letter there is one of at least three typed together."""
        around = self.text[max(start - 1, 0) : start + 3]
        return re.search(r"[A-Za-z]{3}", around) is not None

    def _read_signed_factor(self) -> sympy.Expr:
        is_negative = self._read_signs()
        mark = self.typed.mark()
        factor = self._read_factor()
        if not is_negative:
            return factor
        self.typed.join(mark, "-")
        self.typed.enclose(mark)
        return -factor

    def _is_vector(self, began: int, factor: sympy.Expr) -> bool:
        """Whether the factor that began there is a bold or arrowed symbol, or one over a scalar."""
        tokens = self.tokens[began : self.position]
        if any(token.kind == "bar" for token in tokens):
            return False
        is_one = tokens[0].text == "frac" and all(token.kind != "^" for token in tokens)
        return (factor.is_Symbol or is_one) and self._has_vector(tokens)

    def _has_vector(self, tokens: Sequence[Token]) -> bool:
        """Whether something is bold or arrowed here; where all is bold, that says nothing."""
        return any(
            (token.is_bold and not self._is_all_bold) or token.text in _ARROWS for token in tokens
        )

    # --- Slashes --------------------------------------------------------------------------------

    def _read_quotient(self, numerator: sympy.Expr, mark: int) -> list[sympy.Expr]:
        """
        Read a slash and all that stands side by side behind it: the divisor, further factors.

        At the mark the product before the slash begins.
        """
        sign = self.take()
        self.typed.add("/")
        divisors: list[sympy.Expr] = []
        kinds: list[str] = []
        marks: list[int] = []
        while not divisors or self._starts_factor():
            marks.append(self.typed.mark())
            if divisors:
                self._refuse_neighbours()
                self._write_product(divisors[-1])
            first = self.next
            divisors.append(self._read_factor() if divisors else self._read_signed_factor())
            kinds.append(classify(first, divisors[-1]))
        reaches = list_reaches(kinds, is_over_number=numerator.is_Rational)
        reach = reaches[self.choices.pick("slash", sign.start, self.last.end, len(reaches))]
        behind = self.typed.cut(marks[reach]) if reach < len(marks) else ""
        self.typed.enclose_several(marks[0])
        if behind:
            self.typed.enclose(mark)
            self.typed.add(behind)
        divisor = self._build(sign.start, arithmetic.multiply, divisors[:reach])
        inverse = self._build(sign.start, arithmetic.raise_to, divisor, sympy.Integer(-1))
        return [inverse, *divisors[reach:]]

    # --- Powers ---------------------------------------------------------------------------------

    def _read_factor(self) -> sympy.Expr:
        mark = self.typed.mark()
        is_braced = self.sees("{")
        atom = self.read_atom()
        if is_braced:
            self.typed.enclose_several(mark)
        return self._read_powers(atom, mark)

    def _read_powers(self, base: sympy.Expr, mark: int) -> sympy.Expr:
        """Read the exponents and factorials after an atom, which stands at the mark."""
        start = self.last.start
        is_atom = base.is_Symbol or base in _CONSTANTS or self.last.kind == "number"
        while self.sees("^", "!"):
            self.typed.prepare_base(mark, is_atom=is_atom)
            is_atom = False
            if self.sees("^"):
                base = self._read_power(base, start)
            else:
                base = self._read_factorial(base, start)
            self.typed.join(mark)
        return base

    def _read_factorial(self, base: sympy.Expr, start: int) -> sympy.Expr:
        self.take()
        step = arithmetic.take_factorial
        if self.sees("!") and self.next.start == self.last.end:
            self.take()
            step = arithmetic.take_double_factorial
        if self.sees("!"):
            raise Unreadable("unknown_function", self.last.start, self.next.end, "!!!")
        self.typed.add("!" if step is arithmetic.take_factorial else "!!")
        return self._build(start, step, base)

    def _read_power(self, base: sympy.Expr, start: int) -> sympy.Expr:
        sign = self.take()
        if self._takes_degree():
            self._refuse_temperature(base)
            self.typed.add(r"^{\circ}")
            return self._build(start, arithmetic.multiply, [base, sympy.pi / 180])
        exponent = self._read_exponent(sign)
        return self._build(start, arithmetic.raise_to, base, exponent)

    def _refuse_temperature(self, base: sympy.Expr) -> None:
        r"""Refuse `20^\circ C`: degrees of another kind, unless the problem has a C."""
        at = self.position
        kinds = [token.kind for token in self.tokens[at : at + 3]]
        if self.sees_command("mathrm", "text") and kinds[1:] == ["{", "letter"]:
            at += 2
        unit, behind = self.tokens[at], self.tokens[min(at + 1, len(self.tokens) - 1)]
        known = self.declared.names | self.declared.usage.symbols
        is_temperature = unit.kind == "letter" and unit.text in ("C", "F")
        if base.is_number and is_temperature and unit.text not in known and behind.kind != "_":
            raise Unreadable("units", self.last.start, unit.end)

    def _takes_degree(self) -> bool:
        if self.sees_command("circ"):
            self.take()
            return True
        signs = [token.text for token in self.tokens[self.position : self.position + 3]]
        if signs == ["{", "circ", "}"]:
            self.position += 3
            return True
        return False

    def _read_exponent(self, sign: Token) -> sympy.Expr:
        """Read what stands raised after `^`, and write it so."""
        is_negative = self._read_signs()
        if self.sees("end", ")", "]", "}"):
            raise Unreadable("script", sign.start, sign.end)
        mark = self.typed.mark()
        exponent = self._read_argument_sign(raised=True)
        if self.sees("^"):
            self._descend()
            self.typed.enclose_several(mark)
            exponent = self._read_power(exponent, sign.start)
            self._level -= 1
        inside = self.typed.cut_inside(mark)
        self.typed.add(f"^{{{'-' if is_negative else ''}{inside}}}")
        return -exponent if is_negative else exponent

    def _read_argument_sign(self, *, raised: bool = False) -> sympy.Expr:
        r"""
        Read what LaTeX takes after `^`, `\frac` or `\sqrt`: a group in brackets or one sign.

        Of a number that is one digit; in plain text after `^` it is the whole number.
        """
        token = self.next
        if token.kind == "number" and len(token.text) > 1:
            only_one = True
            if raised:
                only_one = self.names.is_latex
                if "." not in token.text:
                    only_one ^= bool(self.choices.pick("digits", token.start, token.end))
                else:
                    only_one = False
            if only_one and token.text[0] != ".":
                self.split_number(1)
        elif token.kind == "letter" and (raised is False or self.names.is_latex):
            self.tokens[self.position] = Token("letter", token.text, token.start, token.end)
            return self._read_lone_letter()
        elif token.kind == "command":
            self._descend()
            argument = self.read_atom()
            self._level -= 1
            return argument
        return self.read_atom()

    # --- Atoms ----------------------------------------------------------------------------------

    def _starts_factor(self) -> bool:
        token = self.next
        if token.kind == "bar":
            return token.text == "(" or (token.text == "" and not self._bars[-1])
        if token.kind == "command":
            return (
                self.names.starts()
                or token.text in SPELLINGS
                or token.text in _UPRIGHT
                or token.text in EXTREMES
                or token.text in ("frac", "cbrt", "pi", "binom")
            )
        return token.kind in ("number", "letter", *CLOSERS)

    def read_atom(self) -> sympy.Expr:
        token = self.next
        if (name := self.names.read_declared()) is not None:
            return self._make_symbol(self.names.decorate(name))
        if token.kind == "number":
            return self._read_number()
        if token.kind == "letter":
            return self._read_letters()
        if token.kind in BRACKETS:
            return self._read_function_bracket()
        if token.kind == "⟨":
            return self._read_mean()
        if token.kind in CLOSERS:
            return self._read_group()
        if token.kind == "bar" and token.text != ")":
            return self._read_absolute()
        if token.kind == "command":
            return self._read_command()
        raise self.refuse()

    def _read_number(self) -> sympy.Expr:
        if (number := self._read_scientific()) is not None:
            return number
        token = self.take()
        if len(token.text) > MAX_DIGITS:
            raise Unreadable("too_large", token.start, token.end)
        if "." in token.text:
            note = Sentence("decimal_read_exactly")
            self.findings.append(Finding("float", note, token.start, token.end))
        self.typed.add(token.text)
        return sympy.Rational(token.text)

    def _read_scientific(self) -> sympy.Expr | None:
        """Read `3e8` and `1.6E-19` as numbers, unless e or E is a symbol of the problem."""
        first = self.next
        match = _SCIENTIFIC.match(self.text, first.start)
        if match is None or match["digits"] != first.text:
            return None
        known = self.declared.names | self.declared.usage.symbols
        is_likely = "." in match["digits"] or (match["sign"] == "e" and len(match["power"]) != 2)
        options = 1 if match["sign"] in known else 2
        taken = self.choices.pick("number", first.start, match.end(), options)
        if options == 1 or is_likely == bool(taken):
            return None
        if abs(int(match["power"])) > _LARGEST_POWER_OF_TEN:
            raise Unreadable("too_large", first.start, match.end())
        while self.next.start < match.end():
            self.take()
        note = Sentence("decimal_read_exactly")
        self.findings.append(Finding("float", note, first.start, match.end()))
        self.typed.add(rf"{match['digits']}\cdot 10^{{{int(match['power'])}}}")
        return sympy.Rational(match["digits"]) * sympy.Integer(10) ** int(match["power"])

    def _read_function_bracket(self) -> sympy.Expr:
        r"""Read `\lfloor x \rfloor` and `\lceil x \rceil`."""
        opener = self.next
        inside = self._read_group()
        return self._build(opener.start, arithmetic.apply, BRACKETS[opener.kind], inside)

    def _read_mean(self) -> sympy.Expr:
        r"""Read `\langle r^2 \rangle`, whatever is inside, as one symbol."""
        end = self.find_closer(self.position)
        inside = self.tokens[self.position + 1 : end]
        if not inside or self.tokens[end].kind != "⟩":
            raise self.refuse()
        for token in inside:
            if token.kind == "command" and token.text in _MARKUP:
                raise Unreadable("unknown_command", token.start, token.end, f"\\{token.text}")
        self.position = end + 1
        return self._make_symbol(self.names.decorate(_name_mean(inside)))

    def _read_group(self) -> sympy.Expr:
        opener = self.next
        if opener.kind == "{" and self.tokens[self.position + 1].text == "rm":
            return self._read_roman_group()
        self.take()
        if self.sees(CLOSERS[opener.kind]):
            raise Unreadable("missing", opener.start, self.next.end)
        first = self.position
        mark = self.typed.mark()
        self._bars.append(0)
        inside = self._read_fractions_over()
        self._bars.pop()
        self._close(opener, CLOSERS[opener.kind])
        if opener.kind != "{":
            before, after = _SIZED[opener.kind]
            self.typed.join(mark, before, after)
        elif inside.is_Symbol and self.sees("_", "'", "^"):
            self.typed.cut(mark)
            is_direction = inside.name == "e" and self.sees("_") and self.tokens[first].is_bold
            return self._make_symbol(self.names.decorate("hat{e}" if is_direction else inside.name))
        return inside

    def _close(self, opener: Token, closer: str) -> None:
        if self.sees("end") or (self.next.kind in CLOSERS.values() and not self.sees(closer)):
            raise Unreadable("bracket", opener.start, opener.end)
        if not self.sees(closer):
            raise self.refuse()
        self.take()

    def _read_absolute(self) -> sympy.Expr:
        opener = self.take()
        mark = self.typed.mark()
        self._bars[-1] += 1
        began = self.position
        inside = self.read_sum()
        if inside.is_Add and self._has_vector(self.tokens[began : self.position]):
            raise Unreadable("vectors", opener.start, self.last.end)
        self._bars[-1] -= 1
        if not self.sees("bar"):
            raise Unreadable("bracket", opener.start, opener.end)
        self.take()
        self.typed.join(mark, *_SIZED["|"])
        return self._take_absolute(inside, opener)

    def _read_command(self) -> sympy.Expr:
        token = self.next
        name = token.text
        if name == "pi":
            self.take()
            named = self.names.decorate("pi")
            if named != "pi" or "pi" in self.declared.names:
                return self._make_symbol(named)
            return self._take_constant(sympy.pi)
        if self.names.starts():
            return self._read_symbol()
        if name in ("frac", "binom"):
            return self._read_fraction()
        if name in EXTREMES:
            self.take()
            return self._read_extreme(name)
        if name in ("sqrt", "cbrt"):
            return self._read_root()
        if name in SPELLINGS:
            self.take()
            return self._read_function(SPELLINGS[name])
        if name in _UPRIGHT:
            return self._read_upright()
        if name == "begin":
            return self._refuse_environment()
        raise self.refuse()

    def _refuse_environment(self) -> sympy.Expr:
        token = self.take()
        match = re.match(r"\s*\{(\w+)\*?\}", self.text[token.end :])
        name = match[1] if match else ""
        raise Unreadable(ENVIRONMENTS.get(name, "environment"), token.start, token.end)

    # --- Fractions and roots --------------------------------------------------------------------

    def _read_fraction(self) -> sympy.Expr:
        r"""Read `\frac` or `\binom` with its two arguments."""
        command = self.take()
        mark = self.typed.mark()
        first = self.position
        above = self._read_argument_sign()
        self.typed.join(mark, rf"\{command.text}{{", "}{")
        middle = self.position
        below = self._read_argument_sign()
        self.typed.join(mark, after="}")
        if command.text == "binom":
            return self._build(command.start, arithmetic.choose, above, below)
        self._refuse_derivative(command, first, middle)
        self._fraction_end = self.position
        return self._build(command.start, arithmetic.divide, above, below)

    def _refuse_derivative(self, command: Token, first: int, middle: int) -> None:
        if "d" in self.declared.names:
            return
        halves = [
            _DERIVATIVE.fullmatch(self.text[tokens[0].end : tokens[-1].start])
            for tokens in (self.tokens[first:middle], self.tokens[middle : self.position])
            if tokens
        ]
        if len(halves) == 2 and halves[0] and halves[1] and halves[1]["of"]:
            raise Unreadable("derivative", command.start, self.last.end)

    def _read_root(self) -> sympy.Expr:
        command = self.take()
        mark = self.typed.mark()
        index: sympy.Expr = sympy.Integer(2)
        if command.text == "cbrt":
            index = sympy.Integer(3)
            self.typed.add(r"\sqrt[3]{")
        elif self.sees("["):
            index = self._read_group()
            before, after = _SIZED["["]
            shown = self.typed.cut(mark).removeprefix(before).removesuffix(after)
            self.typed.add(rf"\sqrt[{shown}]{{")
        else:
            self.typed.add(r"\sqrt{")
        inside = self.typed.mark()
        # `√12` typed in plain text is the root of twelve.
        if self.sees("number") and not self.names.is_latex:
            radicand = self._read_number()
        else:
            radicand = self._read_argument_sign()
        self.typed.add(self.typed.cut_inside(inside) + "}")
        self.typed.join(mark)
        root = self._build(command.start, arithmetic.take_root, radicand, index)
        if index == 2 and radicand == root**2 and root.is_Symbol:
            self._note_positive(command)
        return root

    # --- Functions ------------------------------------------------------------------------------

    def _read_function(self, name: str) -> sympy.Expr:
        """Read what follows a function's name: base, power, argument."""
        start = self.last.start
        mark = self.typed.mark()
        base: sympy.Expr | None = None
        power: sympy.Expr | None = None
        while self.sees("^", "_"):
            sign = self.take()
            if sign.kind == "^" and power is None:
                power = self._read_exponent(sign)
            elif sign.kind == "_" and base is None and name == "log":
                here = self.typed.mark()
                # Everybody means `\log_10 x` so, though LaTeX lowers the 1 alone.
                is_number = self.sees("number")
                base = self._read_number() if is_number else self._read_argument_sign()
                self.typed.join(here, "_{", "}")
            else:
                raise Unreadable("script", sign.start, sign.end)
        scripts = self.typed.cut(mark)
        if power == -1 and name in INVERSES:
            name, power, scripts = INVERSES[name], None, ""
        argument = self._read_argument(name)
        if name == "sinc" and self.choices.pick("sinc", start, self.last.end):
            argument = self._build(start, arithmetic.multiply, [sympy.pi, argument])
            self.typed.join(mark, r"\left(\implied{\pi\cdot}", r"\right)")
        if name in ("Re", "Im") and not argument.has(sympy.I):
            # Nothing says what is complex in it: it is not its own real part, nor is that zero.
            part = self.declared.make_symbol(f"mathrm{{{name}}}")
            value = self._build(start, arithmetic.multiply, [part, argument])
        else:
            value = self._apply(name, argument, start)
        if name in _AROUND:
            before, after = _AROUND[name]
            self.typed.add(f"{before}{self.typed.cut_inside(mark)}{after}{scripts}")
        else:
            self.typed.join(mark, f"{name_function(name)}{scripts}")
        if base is not None:
            divisor = self._build(start, arithmetic.apply, sympy.log, base)
            value = self._build(start, arithmetic.divide, value, divisor)
        if power is not None:
            value = self._build(start, arithmetic.raise_to, value, power)
        return value

    def _apply(self, name: str, argument: sympy.Expr, start: int) -> sympy.Expr:
        if name == "abs":
            return self._take_absolute(argument, self.tokens[max(self.position - 1, 0)])
        if name == "exp":
            return self._build(start, arithmetic.exponentiate, argument)
        return self._build(start, arithmetic.apply, FUNCTIONS[name], argument)

    def _take_absolute(self, inside: sympy.Expr, place: Token) -> sympy.Expr:
        value = self._build(place.start, arithmetic.apply, sympy.Abs, inside)
        if value == inside and not inside.is_number:
            self._note_positive(place)
        return value

    def _read_argument(self, name: str) -> sympy.Expr:
        is_exponential = name == "exp"
        self._exponentials += is_exponential
        self._functions += not is_exponential
        argument = self._read_enclosed_or_bare(name)
        self._exponentials -= is_exponential
        self._functions -= not is_exponential
        return argument

    def _read_enclosed_or_bare(self, name: str) -> sympy.Expr:
        if self.sees("(", "["):
            return self._read_group()
        mark = self.typed.mark()
        if self.sees("{"):
            closer = self.find_closer(self.position)
            is_bracketed = self.tokens[self.position + 1].kind in "([" and (
                self.find_closer(self.position + 1) == closer - 1
            )
            argument = self._read_group()
            # `\sin{x}^2` looks like `\sin x^2`; its braces speak for the sine's square.
            is_open = not is_bracketed and self.sees("^")
            if is_open and self.choices.pick("power", self.next.start, self.next.end):
                argument = self._read_powers(argument, mark)
            if not is_bracketed:
                self.typed.enclose(mark)
            return argument
        argument = self._read_bare(name)
        self.typed.enclose(mark)
        return argument

    def _read_bare(self, name: str) -> sympy.Expr:
        """Read an argument without brackets: the factors side by side, as far as it reaches."""
        start = self.next.start
        is_negative = self._read_signs()
        if is_negative:
            self.typed.add("-")
        mark = self.typed.mark()
        factors = [self._read_atom_level()]
        while self._take_bare_power(factors, mark) and self._continues_bare():
            if self._may_end(name, factors) and self._ends_bare():
                break
            self._write_product(factors[-1])
            mark = self.typed.mark()
            factors.append(self._read_atom_level())
        argument = self._build(start, arithmetic.multiply, factors)
        if self.sees("/") and self._divides_bare(argument):
            divisor = self._read_divisor(is_angle=_is_angle(argument))
            argument = self._build(start, arithmetic.multiply, [argument, divisor])
        return -argument if is_negative else argument

    def _ends_bare(self) -> bool:
        r"""Whether a bare argument ends where it might: a space such as `\,` mostly ends it."""
        place = self.next
        if place.is_spaced:
            return not self.choices.pick("space", place.start, place.end)
        return bool(self.choices.pick("reach", place.start, place.end))

    def _divides_bare(self, argument: sympy.Expr) -> bool:
        r"""Whether a slash belongs to the bare argument before it: of `\cos\pi/4` it does."""
        place = self.next
        if _is_angle(argument) and self.tokens[self.position + 1].kind == "number":
            return not self.choices.pick("angle", place.start, place.end)
        return bool(self.choices.pick("over", place.start, place.end))

    def _read_divisor(self, *, is_angle: bool) -> sympy.Expr:
        """Read what a slash within a bare argument divides by: of an angle such as π, a number."""
        sign = self.take()
        self.typed.add("/")
        mark = self.typed.mark()
        divisors = [self._read_signed_factor()]
        while not is_angle and self._starts_factor() and self._continues_bare():
            self._write_product(divisors[-1])
            divisors.append(self._read_factor())
        self.typed.enclose_several(mark)
        divisor = self._build(sign.start, arithmetic.multiply, divisors)
        return self._build(sign.start, arithmetic.raise_to, divisor, sympy.Integer(-1))

    def _read_extreme(self, name: str) -> sympy.Expr:
        """Read the bracket behind max or min."""
        opener = self.next
        if not self.sees("(", "[", "{"):
            raise Unreadable("missing", self.last.start, self.last.end)
        self.take()
        mark = self.typed.mark()
        values = [self.read_sum()]
        while self.sees(","):
            self.take()
            self.typed.add(", ")
            values.append(self.read_sum())
        self._close(opener, CLOSERS[opener.kind])
        self.typed.join(mark, rf"\{name}\left(", r"\right)")
        values = sorted(set(values), key=sympy.default_sort_key)
        if len(values) == 1:
            return values[0]
        return self._build(opener.start, arithmetic.apply, EXTREMES[name], *values)

    def _read_atom_level(self) -> sympy.Expr:
        self._descend()
        atom = self.read_atom()
        self._level -= 1
        return atom

    def _take_bare_power(self, factors: list[sympy.Expr], mark: int) -> bool:
        r"""Read the exponent of a bare argument's factor; tell whether the argument may go on."""
        if not self.sees("^", "!"):
            return True
        degrees = [token.text for token in self.tokens[self.position + 1 : self.position + 3]]
        if "circ" in degrees and degrees[0] in ("circ", "{"):
            factors[-1] = self._read_powers(factors[-1], mark)
            return True
        if self.choices.pick("power", self.next.start, self.next.end):
            return False
        factors[-1] = self._read_powers(factors[-1], mark)
        return True

    def _continues_bare(self) -> bool:
        """Whether the next factor is simple enough to belong to a bare argument."""
        token = self.next
        if token.kind == "letter" and token.word:
            here = self.position
            tokens = list(self.tokens)
            is_function = self._find_typed_function(token) is not None
            self.position, self.tokens = here, tokens
            return not is_function
        if token.kind == "number":
            self._refuse_neighbours()
            return True
        return self.names.starts() or self.sees_command("pi")

    @staticmethod
    def _may_end(name: str, factors: list[sympy.Expr]) -> bool:
        """Whether an argument may end here: nobody means `sin 2` in `sin 2x`."""
        return name in ("ln", "log", "lg", "exp") or not all(factor.is_number for factor in factors)

    def _find_typed_function(self, token: Token) -> str | None:
        """Find a function in letters typed together (`sin`, `sinx`) and move behind its name."""
        word = token.word
        if word in TYPED:
            here, self.position = self.position, self.position + len(word)
            if self.sees("(", "[", "{") or (
                word not in BRACKETED and (self._starts_factor() or self.sees("^", "_"))
            ):
                return SPELLINGS[word]
            self.position = here
            if word in BRACKETED:
                note = Sentence.of("read_as_letters", word=word)
                self.findings.append(Finding("letters", note, token.start, token.start + len(word)))
            return None
        shortest = 3 if self.names.is_latex else 2
        for name in sorted(TYPED - BRACKETED, key=len, reverse=True):
            rest = word[len(name) :]
            if len(name) < shortest or not word.startswith(name):
                continue
            if len(rest) == 1 or rest in GREEK or rest == "pi" or rest in TYPED:
                self.position += len(name)
                first = self.next
                self.tokens[self.position] = Token(
                    first.kind, first.text, first.start, first.end, rest
                )
                return SPELLINGS[name]
        return None

    def _refuse_neighbours(self) -> None:
        if not self.sees("number") or self.last.kind != "number":
            return
        # A lone digit raised or lowered belongs to what is before it: `\hbar^2 2^n`.
        base, sign = self.tokens[self.position - 3], self.tokens[self.position - 2]
        is_script = sign.kind in ("^", "_") and base.kind not in ("number", "end")
        if not is_script and self.position != self._fraction_end:
            raise Unreadable("numbers", self.last.start, self.next.end)

    # --- Letters and words ----------------------------------------------------------------------

    def _make_symbol(self, name: str) -> sympy.Expr:
        self.order[name] = None
        self.typed.add_symbol(name)
        return self.declared.make_symbol(name)

    def _read_lone_letter(self) -> sympy.Expr:
        letter = self.take().text
        if letter == "i" and "i" not in self.declared.names:
            return self._read_unit(self.last)
        return self._make_symbol(letter)

    def _read_symbol(self) -> sympy.Expr:
        """Read a symbol, its value in a bracket, or a special function that has its name."""
        return self._finish_symbol(self._read_symbol_name())

    def _finish_symbol(self, name: str) -> sympy.Expr:
        start = self.last.start
        power = self._lift_power(name)
        if (function := find_special(self, self.names, name)) is not None:
            mark = self.typed.mark()
            self._functions += 1
            argument = self._read_group()
            self._functions -= 1
            self.typed.join(mark, name_in_latex(name))
            self.tokens[self.position : self.position] = power
            return self._build(start, function, argument)
        self.tokens[self.position : self.position] = power
        return self._make_symbol(self.names.read_value(name))

    def _lift_power(self, name: str) -> list[Token]:
        """Take out the exponent of `J_1^2(x)`, to be put back behind the bracket."""
        if not self.sees("^") or not INDEXED.fullmatch(name):
            return []
        end = self._find_script_end(self.position + 1)
        if end is None or self.tokens[end].kind not in "([":
            return []
        power = self.tokens[self.position : end]
        del self.tokens[self.position : end]
        return power

    def _read_symbol_name(self) -> str:
        r"""Read a symbol; of `v^2_0` the exponent is left to be read after the subscript."""
        base = self.names.read_base()
        if self.sees("^") and not self.names.sees_label(base):
            end = self._find_script_end(self.position + 1)
            if end is not None and self.tokens[end].kind == "_":
                script = self.tokens[self.position : end]
                del self.tokens[self.position : end]
                name = self.names.decorate(base)
                self.tokens[self.position : self.position] = script
                return name
        return self.names.decorate(base)

    def _find_script_end(self, position: int) -> int | None:
        kind = self.tokens[position].kind
        if kind == "{":
            return self.find_closer(position) + 1
        return position + 1 if kind in ("number", "letter", "command", "*") else None

    def _read_letters(self) -> sympy.Expr:
        token = self.next
        if token.word:
            if (function := self._find_typed_function(token)) is not None:
                return self._read_function(function)
            self._refuse_prose(token)
        if token.word == "pi" and not self.names.is_latex and "pi" not in self.declared.names:
            self.position += 2
            return self._take_constant(sympy.pi)
        name = self._read_symbol_name()
        if name in self.declared.names:
            return self._finish_symbol(name)
        if name == "e":
            return self._read_e(token)
        if name in ("i", "j"):
            return self._read_unit(token)
        if name == "f" and self.sees("("):
            value = self.names.read_value(name)
            return self._read_application(token) if value == name else self._make_symbol(value)
        return self._finish_symbol(name)

    def _read_unit(self, token: Token) -> sympy.Expr:
        """Tell the imaginary unit from a current, an angle or an index."""
        letter = token.text
        usage = self.declared.usage
        if letter == "i" and self._exponentials:
            is_unit = True
        elif self._functions or letter in usage.symbols:
            is_unit = False
        elif letter in self._units:
            is_unit = True
        else:
            # Beside a problem that has no imaginary unit a symbol i is one.
            options = 2 if letter == "i" and (letter in usage.units or not usage.symbols) else 1
            is_unit = bool(self.choices.pick("i", token.start, token.end, options))
        return self._take_constant(sympy.I) if is_unit else self._make_symbol(letter)

    def _take_constant(self, constant: sympy.Expr) -> sympy.Expr:
        self.typed.add(_CONSTANTS[constant])
        return constant

    def _read_e(self, token: Token) -> sympy.Expr:
        """Tell an exponential from the charge e: an integer exponent is the charge's."""
        if not self.sees("^"):
            return self._choose_e(token)
        sign = self.take()
        mark = self.typed.mark()
        if self._takes_degree():
            symbol = self._make_symbol("e")
            self.typed.add(r"^{\circ}")
            return self._build(token.start, arithmetic.multiply, [symbol, sympy.pi / 180])
        self._exponentials += 1
        exponent = self._read_exponent(sign)
        self._exponentials -= 1
        raised = self.typed.cut(mark)
        base = self._choose_e(token) if exponent.is_Integer else self._take_constant(sympy.E)
        self.typed.add(raised)
        self.typed.join(mark)
        return self._build(token.start, arithmetic.raise_to, base, exponent)

    def _choose_e(self, token: Token) -> sympy.Expr:
        if self.choices.pick("e", token.start, self.last.end):
            return self._take_constant(sympy.E)
        return self._make_symbol("e")

    def _read_application(self, token: Token) -> sympy.Expr:
        """Read `f(x+1)`: a product, or else a value of an unknown function f."""
        if not self.choices.pick("application", token.start, self.next.end):
            return self._make_symbol("f")
        mark = self.typed.mark()
        argument = self._read_group()
        self.typed.cut(mark)
        return self._make_symbol(f"f({write_latex(argument)})")

    def _refuse_prose(self, token: Token) -> None:
        word = token.word
        end = token.start + len(word)
        if word.lower() in SEVERAL_WORDS:
            raise Unreadable("several", token.start, end)
        known = self.declared.names | self.declared.usage.symbols
        is_airy = word in ("Ai", "Bi") and not known.issuperset({word[0], "i"})
        if is_airy and self.tokens[self.position + 2].kind == "(":
            raise Unreadable("unknown_function", token.start, end, word)
        if word.lower() in PROSE or (
            len(word) > LONGEST_PRODUCT and word not in GREEK and word not in LETTERLIKE
        ):
            raise Unreadable("words", token.start, end)

    def _read_roman_group(self) -> sympy.Expr:
        r"""Read `{\rm e}` as `\mathrm{e}`."""
        opener = self.take()
        self.take()
        end = self.find_closer(self.position - 2)
        return self._read_word(opener, end, "mathrm")

    def _read_upright(self) -> sympy.Expr:
        command = self.take()
        if self.sees("{"):
            end = self.find_closer(self.position)
            self.take()
            return self._read_word(command, end, command.text)
        end = self.position + 1
        if self.sees("end"):
            raise Unreadable("missing", command.start, command.end)
        return self._read_word(command, end, command.text)

    def _read_word(self, command: Token, end: int, style: str) -> sympy.Expr:
        """Read upright letters up to token `end`: a function, a constant, a symbol, a unit."""
        tokens = self.tokens[self.position : end]
        closes = self.tokens[end].kind == "}" and end > self.position
        content = self.text[tokens[0].start : tokens[-1].end].strip() if tokens else ""
        behind = end + 1 if closes else end
        content = _UPRIGHT_INSIDE.sub(r"\1", content)
        if content in ("Re", "Im") and self._is_plain_symbol(content, style, behind):
            self.position = behind
            return self._make_symbol(self.names.decorate(f"mathrm{{{content}}}"))
        if content in SPELLINGS:
            self.position = behind
            return self._read_function(SPELLINGS[content])
        if content in EXTREMES and self.tokens[behind].kind in "([{":
            self.position = behind
            return self._read_extreme(content)
        if content == "d" and "d" not in self.declared.names and is_symbol_at(self.tokens, behind):
            raise Unreadable("differential", command.start, self.tokens[behind].end)
        if content in ("e", "i", "j", "pi", "\\pi") and style != "text":
            self.position = behind
            value = {"e": sympy.E, "i": sympy.I, "j": sympy.I}.get(content, sympy.pi)
            return self._take_constant(value)
        words = re.findall(r"[A-Za-z]+", content)
        place = (command.start, self.tokens[end].end)
        if content in UNKNOWN_FUNCTIONS and self.tokens[behind].kind in "([{":
            raise Unreadable("unknown_function", *place, content)
        if any(word.lower() in SEVERAL_WORDS for word in words):
            raise Unreadable("several", *place)
        # At the very beginning upright letters are a symbol: there is nothing to measure yet.
        is_first = self.tokens[0].start == command.start
        if words and all(word in UNITS for word in words) and not is_first:
            raise Unreadable("units", *place)
        if style == "operatorname":
            raise Unreadable("unknown_function", *place, content)
        if re.fullmatch(r"[A-Za-z]{1,4}", content):
            self.position = behind
            base = content if len(content) == 1 else f"mathrm{{{content}}}"
            return self._make_symbol(self.names.decorate(base))
        if style == "text" or not tokens or len(words) > 1 or re.fullmatch("[A-Za-z]+", content):
            raise Unreadable("words", *place)
        inside = self.read_sum()
        if closes:
            self._close(command, "}")
        return inside

    def _is_plain_symbol(self, content: str, style: str, behind: int) -> bool:
        """Whether `Re` is a Reynolds number: it is, unless a bracket with an i follows."""
        if style == "operatorname":
            return False
        if self.tokens[behind].kind not in "([{":
            return True
        end = self.find_closer(behind)
        return all(token.text not in ("i", "j", "imath") for token in self.tokens[behind:end])


def _is_angle(argument: sympy.Expr) -> bool:
    return bool((argument / sympy.pi).is_Rational)


def _name_mean(inside: Sequence[Token]) -> str:
    """Name the mean of what is inside: in LaTeX, without the first backslash."""
    parts: list[str] = []
    for token in inside:
        if token.kind == "command":
            parts.append(f"\\{token.text} ")
        elif token.kind == "bar":
            parts.append("|")
        else:
            parts.append(token.text)
    return f"langle {''.join(parts).strip()}\\rangle"
