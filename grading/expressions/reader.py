r"""
Tokens to a SymPy expression, by recursive descent: one parser, in the order of its grammar.

A sum is products, a product is factors (side by side or with signs between them), a factor is an
atom with what follows it (exponent, factorial). An atom is a number, a group, a command, a function
with its argument, or letters: a symbol, a constant, or what is no mathematics at all. Where a
notation has several honest readings, the reader asks `Choices`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import sympy

from grading.expressions import arithmetic
from grading.expressions.ambiguity import Choices
from grading.expressions.functions import BRACKETED, FUNCTIONS, INVERSES, SPELLINGS, TYPED
from grading.expressions.lexer import Token
from grading.expressions.limits import MAX_DIGITS, MAX_LEVELS
from grading.expressions.names import Declared, Names
from grading.expressions.reading import Finding, Unreadable, write_latex
from grading.expressions.sentences import Sentence
from grading.expressions.stream import CLOSERS, Stream
from grading.expressions.symbols import GREEK, LETTERLIKE
from grading.expressions.vocabulary import (
    ENVIRONMENTS,
    LONGEST_PRODUCT,
    PROSE,
    SEVERAL_WORDS,
    UNITS,
)

_UPRIGHT = ("mathrm", "text", "operatorname", "rm")
_UPRIGHT_INSIDE = re.compile(r"^\\(?:rm|mathrm)\s*\{?\s*([A-Za-z]+)\s*\}?$")
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
        self._level = 0
        self._bars = [0]
        self._exponentials = 0
        self._functions = 0

    def _descend(self) -> None:
        self._level += 1
        # The whole is a level of its own, around the nesting.
        if self._level > MAX_LEVELS + 1:
            raise Unreadable("too_deep", self.next.start, self.next.end)

    def _build(self, start: int, step: Callable[..., sympy.Expr], *arguments: object) -> sympy.Expr:
        """Take one step of arithmetic, naming the place where it goes too far."""
        try:
            return step(*arguments)
        except arithmetic.Overgrown:
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
        expression = self._read_fractions_over()
        if not self.sees("end"):
            raise self.refuse()
        return expression

    def _read_fractions_over(self) -> sympy.Expr:
        r"""Read a sum, or two with `\over` between them."""
        numerator = self.read_sum()
        if not self.sees_command("over"):
            return numerator
        start = self.take().start
        return self._build(start, arithmetic.divide, numerator, self.read_sum())

    def read_sum(self) -> sympy.Expr:
        """Read terms with signs between them."""
        start = self.next.start
        self._descend()
        terms = [self._read_term()]
        while self.sees("+", "-"):
            terms.append(self._read_term())
        self._level -= 1
        return self._build(start, arithmetic.add, terms)

    def _read_term(self) -> sympy.Expr:
        is_negative = self._read_signs()
        term = self._read_product()
        return -term if is_negative else term

    def _read_signs(self) -> bool:
        is_negative = False
        while self.sees("+", "-"):
            is_negative ^= self.take().kind == "-"
        return is_negative

    def _read_product(self) -> sympy.Expr:
        start = self.next.start
        factors = [self._read_factor()]
        while True:
            if self.sees("*") or self.sees_command("cdot"):
                self.take()
                factors.append(self._read_signed_factor())
            elif self.sees("/") or self.sees_command("div"):
                factors.append(self._read_divisor())
            elif self._starts_factor():
                self._refuse_neighbours()
                factors.append(self._read_factor())
            else:
                return self._build(start, arithmetic.multiply, factors)

    def _read_signed_factor(self) -> sympy.Expr:
        is_negative = self._read_signs()
        factor = self._read_factor()
        return -factor if is_negative else factor

    def _read_divisor(self) -> sympy.Expr:
        """Read what a slash divides by: one factor, or (`1/2\\pi`) all those side by side."""
        sign = self.take()
        divisors = [self._read_signed_factor()]
        if self._starts_factor() and self.choices.pick("slash", sign.start, self.next.end):
            while self._starts_factor():
                self._refuse_neighbours()
                divisors.append(self._read_factor())
        divisor = self._build(sign.start, arithmetic.multiply, divisors)
        return self._build(sign.start, arithmetic.raise_to, divisor, sympy.Integer(-1))

    # --- Powers ---------------------------------------------------------------------------------

    def _read_factor(self) -> sympy.Expr:
        return self._read_powers(self.read_atom())

    def _read_powers(self, base: sympy.Expr) -> sympy.Expr:
        """Read the exponents and factorials after an atom."""
        start = self.last.start
        while True:
            if self.sees("^"):
                base = self._read_power(base, start)
            elif self.sees("!"):
                sign = self.take()
                if self.sees("!"):
                    raise Unreadable("unknown_function", sign.start, self.next.end, "!!")
                base = self._build(start, arithmetic.take_factorial, base)
            else:
                return base

    def _read_power(self, base: sympy.Expr, start: int) -> sympy.Expr:
        sign = self.take()
        if self._takes_degree():
            return self._build(start, arithmetic.multiply, [base, sympy.pi / 180])
        exponent = self._read_exponent(sign)
        return self._build(start, arithmetic.raise_to, base, exponent)

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
        """Read what stands raised after `^`."""
        is_negative = self._read_signs()
        if self.sees("end", ")", "]", "}"):
            raise Unreadable("script", sign.start, sign.end)
        exponent = self._read_argument_sign(raised=True)
        if self.sees("^"):
            self._descend()
            exponent = self._read_power(exponent, sign.start)
            self._level -= 1
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
                or token.text in ("frac", "cbrt", "pi")
            )
        return token.kind in ("number", "letter", "(", "[", "{")

    def read_atom(self) -> sympy.Expr:
        token = self.next
        if (name := self.names.read_declared()) is not None:
            return self._make_symbol(self.names.decorate(name))
        if token.kind == "number":
            return self._read_number()
        if token.kind == "letter":
            return self._read_letters()
        if token.kind in CLOSERS:
            return self._read_group()
        if token.kind == "bar" and token.text != ")":
            return self._read_absolute()
        if token.kind == "command":
            return self._read_command()
        raise self.refuse()

    def _read_number(self) -> sympy.Expr:
        token = self.take()
        if len(token.text) > MAX_DIGITS:
            raise Unreadable("too_large", token.start, token.end)
        if "." in token.text:
            note = Sentence("decimal_read_exactly")
            self.findings.append(Finding("float", note, token.start, token.end))
        return sympy.Rational(token.text)

    def _read_group(self) -> sympy.Expr:
        opener = self.next
        if opener.kind == "{" and self.tokens[self.position + 1].text == "rm":
            return self._read_roman_group()
        self.take()
        if self.sees(CLOSERS[opener.kind]):
            raise Unreadable("missing", opener.start, self.next.end)
        self._bars.append(0)
        inside = self._read_fractions_over()
        self._bars.pop()
        self._close(opener, CLOSERS[opener.kind])
        if opener.kind == "{" and inside.is_Symbol and self.sees("_", "'"):
            return self._make_symbol(self.names.decorate(inside.name))
        return inside

    def _close(self, opener: Token, closer: str) -> None:
        if self.sees("end") or (self.next.kind in CLOSERS.values() and not self.sees(closer)):
            raise Unreadable("bracket", opener.start, opener.end)
        if not self.sees(closer):
            raise self.refuse()
        self.take()

    def _read_absolute(self) -> sympy.Expr:
        opener = self.take()
        self._bars[-1] += 1
        inside = self.read_sum()
        self._bars[-1] -= 1
        if not self.sees("bar"):
            raise Unreadable("bracket", opener.start, opener.end)
        self.take()
        return self._take_absolute(inside, opener)

    def _read_command(self) -> sympy.Expr:
        token = self.next
        name = token.text
        if name == "pi":
            self.take()
            named = self.names.decorate("pi")
            return (
                sympy.pi
                if named == "pi" and "pi" not in self.declared.names
                else (self._make_symbol(named))
            )
        if self.names.starts():
            return self._make_symbol(self._read_symbol_name())
        if name == "frac":
            return self._read_fraction()
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
        command = self.take()
        first = self.position
        numerator = self._read_argument_sign()
        middle = self.position
        denominator = self._read_argument_sign()
        self._refuse_derivative(command, first, middle)
        return self._build(command.start, arithmetic.divide, numerator, denominator)

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
        index: sympy.Expr = sympy.Integer(3 if command.text == "cbrt" else 2)
        if command.text == "sqrt" and self.sees("["):
            index = self._read_group()
        # `√12` typed in plain text is the root of twelve.
        if self.sees("number") and not self.names.is_latex:
            radicand = self._read_number()
        else:
            radicand = self._read_argument_sign()
        exponent = self._build(command.start, arithmetic.divide, sympy.Integer(1), index)
        root = self._build(command.start, arithmetic.raise_to, radicand, exponent)
        if index == 2 and radicand == root**2 and root.is_Symbol:
            self._note_positive(command)
        return root

    # --- Functions ------------------------------------------------------------------------------

    def _read_function(self, name: str) -> sympy.Expr:
        """Read what follows a function's name: base, power, argument."""
        start = self.last.start
        base: sympy.Expr | None = None
        power: sympy.Expr | None = None
        while self.sees("^", "_"):
            sign = self.take()
            if sign.kind == "^" and power is None:
                power = self._read_exponent(sign)
            elif sign.kind == "_" and base is None and name == "log":
                base = self._read_argument_sign()
            else:
                raise Unreadable("script", sign.start, sign.end)
        if power == -1 and name in INVERSES:
            name, power = INVERSES[name], None
        value = self._apply(name, self._read_argument(name), start)
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
        if self.sees("{"):
            closer = self.find_closer(self.position)
            is_bracketed = self.tokens[self.position + 1].kind in "([" and (
                self.find_closer(self.position + 1) == closer - 1
            )
            argument = self._read_group()
            # `\sin{x}^2` looks like `\sin x^2`; its braces speak for the sine's square.
            is_open = not is_bracketed and self.sees("^")
            if is_open and self.choices.pick("power", self.next.start, self.next.end):
                return self._read_powers(argument)
            return argument
        return self._read_bare(name)

    def _read_bare(self, name: str) -> sympy.Expr:
        """Read an argument without brackets: the factors side by side, as far as it reaches."""
        start = self.next.start
        is_negative = self._read_signs()
        factors = [self._read_atom_level()]
        while self._take_bare_power(factors) and self._continues_bare():
            if self._may_end(name, factors) and self.choices.pick(
                "reach", self.next.start, self.next.end
            ):
                break
            factors.append(self._read_atom_level())
        argument = self._build(start, arithmetic.multiply, factors)
        if self.sees("/") and self.choices.pick("over", self.next.start, self.next.end):
            argument = self._build(start, arithmetic.multiply, [argument, self._read_divisor()])
        return -argument if is_negative else argument

    def _read_atom_level(self) -> sympy.Expr:
        self._descend()
        atom = self.read_atom()
        self._level -= 1
        return atom

    def _take_bare_power(self, factors: list[sympy.Expr]) -> bool:
        r"""Read the exponent of a bare argument; tell whether the argument may go on."""
        if not self.sees("^", "!"):
            return True
        degrees = [token.text for token in self.tokens[self.position + 1 : self.position + 3]]
        if "circ" in degrees and degrees[0] in ("circ", "{"):
            factors[-1] = self._read_powers(factors[-1])
            return True
        if self.choices.pick("power", self.next.start, self.next.end):
            return False
        factors[-1] = self._read_powers(factors[-1])
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
        if self.sees("number") and self.last.kind == "number":
            raise Unreadable("numbers", self.last.start, self.next.end)

    # --- Letters and words ----------------------------------------------------------------------

    def _make_symbol(self, name: str) -> sympy.Expr:
        self.order[name] = None
        return self.declared.make_symbol(name)

    def _read_lone_letter(self) -> sympy.Expr:
        letter = self.take().text
        if letter == "i" and self._exponentials and "i" not in self.declared.names:
            return sympy.I
        return self._make_symbol(letter)

    def _read_symbol_name(self) -> str:
        r"""Read a symbol; of `v^2_0` the exponent is left to be read after the subscript."""
        base = self.names.read_base()
        if self.sees("^"):
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
            return sympy.pi
        name = self._read_symbol_name()
        if name in self.declared.names:
            return self._make_symbol(name)
        if name == "e":
            return self._read_e(token)
        if name == "i":
            if self._exponentials:
                return sympy.I
            if self._functions:  # an angle
                return self._make_symbol("i")
            return (self._make_symbol("i"), sympy.I)[self.choices.pick("i", token.start, token.end)]
        if name == "f" and self.sees("("):
            return self._read_application(token)
        return self._make_symbol(name)

    def _read_e(self, token: Token) -> sympy.Expr:
        """Tell an exponential from the charge e: an integer exponent is the charge's."""
        symbol = self._make_symbol("e")
        if not self.sees("^"):
            return (symbol, sympy.E)[self.choices.pick("e", token.start, token.end)]
        sign = self.take()
        if self._takes_degree():
            return self._build(token.start, arithmetic.multiply, [symbol, sympy.pi / 180])
        self._exponentials += 1
        exponent = self._read_exponent(sign)
        self._exponentials -= 1
        base = sympy.E
        if exponent.is_Integer:
            base = (symbol, sympy.E)[self.choices.pick("e", token.start, self.last.end)]
        return self._build(token.start, arithmetic.raise_to, base, exponent)

    def _read_application(self, token: Token) -> sympy.Expr:
        """Read `f(x+1)`: a product, or else a value of an unknown function f."""
        if not self.choices.pick("application", token.start, self.next.end):
            return self._make_symbol("f")
        return self._make_symbol(f"f({write_latex(self._read_group())})")

    def _refuse_prose(self, token: Token) -> None:
        word = token.word
        end = token.start + len(word)
        if word.lower() in SEVERAL_WORDS:
            raise Unreadable("several", token.start, end)
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
        if content in SPELLINGS:
            self.position = behind
            return self._read_function(SPELLINGS[content])
        if content in ("e", "i", "j", "pi", "\\pi") and style != "text":
            self.position = behind
            value = {"e": sympy.E, "i": sympy.I, "j": sympy.I}.get(content, sympy.pi)
            return value
        words = re.findall(r"[A-Za-z]+", content)
        place = (command.start, self.tokens[end].end)
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
