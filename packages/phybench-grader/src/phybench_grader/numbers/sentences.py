r"""
What the core says: a code with what is filled in, and an English sentence for each code.

The core speaks to nobody: whoever shows a sentence says it in the reader's language by its code,
and rows keep the code.

>>> str(Sentence.of("unknown_command", what=r"\foo"))
'We don’t know the command \\foo: write it another way.'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


def gettext_noop(text: str) -> str:
    """Mark a text for translators, as Django's function of this name does."""
    return text


REFUSALS: dict[str, str] = {
    "empty": gettext_noop("There is no expression here: write one."),
    "too_long": gettext_noop("The text is too long: an answer has at most 20,000 characters."),
    "too_deep": gettext_noop("The expression is nested too deeply: at most 64 levels."),
    "too_large": gettext_noop(
        "The numbers or the expression become too large: write a smaller one."
    ),
    "bracket": gettext_noop("This bracket has no partner: add or remove one."),
    "equation": gettext_noop("Write only the expression, without an equation or inequality."),
    "several": gettext_noop("Write one answer: no comma, “or” or ± between several."),
    "units": gettext_noop("Leave the units out: an answer is an expression in symbols."),
    "words": gettext_noop("Leave words out: write only the expression."),
    "sum": gettext_noop("Sums and products over an index are not graded: write the closed form."),
    "integral": gettext_noop("Integrals are not graded: write the closed form."),
    "limit": gettext_noop("Limits are not graded: write the closed form."),
    "derivative": gettext_noop("Derivatives are not graded: write the closed form."),
    "differential": gettext_noop(
        "A differential such as dx is not graded: write the expression without it."
    ),
    "vectors": gettext_noop(
        "Products and distances of vectors are not graded: write them with components or angles."
    ),
    "matrix": gettext_noop(
        "Matrices and vectors by components are not graded: write one expression."
    ),
    "piecewise": gettext_noop("Cases are not graded: write one expression."),
    "environment": gettext_noop(
        "LaTeX environments are not accepted: write one expression on one line."
    ),
    "dots": gettext_noop("Dots leave something out: write the closed form."),
    "infinity": gettext_noop("Infinity is not a value: write a finite expression."),
    "undefined": gettext_noop(
        "This has no value (it divides by zero, for example): write a finite expression."
    ),
    "unknown_command": gettext_noop("We don’t know the command {what}: write it another way."),
    "unknown_function": gettext_noop(
        "We don’t know the function {what}: write it with known functions."
    ),
    "unknown_character": gettext_noop("We don’t know the character {what}: remove it."),
    "numbers": gettext_noop("Two numbers are side by side: put an operator between them."),
    "missing": gettext_noop("Something is missing here: complete the expression."),
    "script": gettext_noop(
        "This subscript or superscript belongs to no symbol: write it after one."
    ),
    "relation_missing": gettext_noop("A relation such as < is missing here: write one."),
    "no_answer": gettext_noop("No final answer was found: put it into \\boxed{{}}."),
    "no_equality": gettext_noop("“{what}” gives no value: write “=” and the value."),
    "negated": gettext_noop("This says what the answer is not: write what it is."),
    "other_quantity": gettext_noop(
        "The left side of “=” is not the quantity asked for: write that quantity, “=” "
        "and its value."
    ),
}
"""Every reason for which a text is refused, with what to do."""

RULES: dict[str, str] = {
    **REFUSALS,
    "unknown_command": gettext_noop("We don’t know this command: write it another way."),
    "unknown_function": gettext_noop("We don’t know this function: write it with known functions."),
    "unknown_character": gettext_noop("We don’t know this character: remove it."),
    "no_equality": gettext_noop("This sign gives no value: write “=” and the value."),
    "float": gettext_noop("Write numbers exactly: 1/2 instead of 0.5."),
    "ambiguous": gettext_noop("This can be read in more than one way: add brackets."),
    "positive": gettext_noop(
        "All symbols count as positive, so |x| is the same as x: leave the bars out."
    ),
    "zero": gettext_noop(
        "This is zero for all values of its symbols: an answer must be nonzero for some values."
    ),
    "without_symbol": gettext_noop(
        "This is a number: a reference answer is an expression in at least one symbol. Ask for it "
        "in terms of given quantities."
    ),
    "rounded": gettext_noop(
        "A fraction such as 157/100 looks like a rounded decimal: write the exact number, or say "
        "that it is exact."
    ),
    "not_introduced": gettext_noop(
        "The statement does not introduce this symbol: introduce it there."
    ),
    "condition": gettext_noop(
        "A condition between symbols can’t be met, or can’t be read: correct it."
    ),
    "control_character": gettext_noop("There is a control character here: remove it."),
    "html": gettext_noop(
        "HTML is not allowed: write Markdown, such as **bold**, lists and formulas."
    ),
    "dollar": gettext_noop(
        "This $ has no partner, so the text after it is not a formula: add or remove one."
    ),
    "formula": gettext_noop("This formula can’t be displayed: correct its LaTeX."),
    "formula_not_tried": gettext_noop(
        "The formulas could not be checked in time. Wait a moment, or write shorter ones."
    ),
    "bare_latex": gettext_noop(
        "LaTeX outside of a formula is shown as source: put formulas between dollar signs, and "
        "write Markdown."
    ),
    "image": gettext_noop("A statement is text only: describe in words what the image shows."),
    "figure_link": gettext_noop(
        "A statement is text only: describe in words what the linked figure shows."
    ),
    "figure": gettext_noop("A statement is text only: describe in words what the figure shows."),
}
"""
Every rule for references and statements: its code and what to do. `image`, `figure_link`, `figure`,
`html`, `dollar`, `formula`, `formula_not_tried` and `bare_latex` are about the statement,
`control_character` is about any text. Formulas and LaTeX outside of them are not tried by the core,
but by who runs KaTeX and Markdown.
"""

SENTENCES: dict[str, str] = {
    **RULES,
    **REFUSALS,
    # What was left out or decided while reading.
    "last_side_read": gettext_noop("We read only the part after the last relation sign."),
    "name_left_out": gettext_noop("We left out the name before “=”."),
    "other_name_left_out": gettext_noop(
        "We left out the name before “=”. It differs from the name in the problem."
    ),
    "quantity_left_out": gettext_noop(
        "We left out the quantity before “=”: it is the one asked for."
    ),
    "member_read": gettext_noop(
        "Of the expressions joined by “=”, we read the last exact one in the problem's symbols."
    ),
    "members_disagree": gettext_noop(
        "The expressions joined by “=” do not all have the same value."
    ),
    "members_agree": gettext_noop(
        "All the answers given have the same value, so they count as one."
    ),
    "part_left_out": gettext_noop("We left out the label of the part, ({part})."),
    "unit_left_out": gettext_noop("We left out the unit: {unit}"),
    "condition_left_out": gettext_noop("We left this out as a condition: {text}"),
    "remark_left_out": gettext_noop("We left this out as a remark: {text}"),
    "definition_put_in": gettext_noop("We inserted what the answer itself defines."),
    "statement_put_in": gettext_noop("We inserted what the statement says of a symbol."),
    "several_boxes": gettext_noop(
        "The response has boxes with different contents. We read the last one."
    ),
    "box_cut_off": gettext_noop("The box is not closed. We read it to the end of the text."),
    "percent_read": gettext_noop("We read n % as n/100."),
    "order_left_out": gettext_noop("We left out the terms of higher order."),
    "comment_doubtful": gettext_noop(
        "It is unclear whether “%” is a percent sign or begins a comment."
    ),
    "order_doubtful": gettext_noop(
        "The terms left out are of no higher order than those that are written."
    ),
    "absolute_value_idle": gettext_noop(
        "All symbols count as positive, so this absolute value changes nothing."
    ),
    "read_as_letters": gettext_noop(
        "We read “{word}” as letters, since no bracket follows: write {word}(…)."
    ),
    "decimal_read_exactly": gettext_noop("We read the decimal as the exact fraction."),
    # What a grade rests on.
    "other_reading_graded": gettext_noop(
        "The notation of the answer has more than one reading. We graded the best one."
    ),
    "not_simplified": gettext_noop(
        "The expressions were too large to simplify before the comparison."
    ),
    "reference_ambiguous": gettext_noop(
        "The notation of the reference answer has more than one reading. The standard one counts."
    ),
    "relation_put_in": gettext_noop(
        "The two sides write the same quantity differently: we inserted ${relation}$."
    ),
    "of_reference": gettext_noop("Reference answer: {note}"),
    "symbol_unknown": gettext_noop("${symbol}$ is not a symbol of this problem."),
    "symbol_unknown_meant": gettext_noop(
        "${symbol}$ is not a symbol of this problem: did you mean ${meant}$?"
    ),
    # Why an answer is not graded.
    "over_limit": gettext_noop("This is too large for the grader: a person has to grade it."),
    "undecided": gettext_noop(
        "The grader could not tell whether the answer equals the reference answer."
    ),
    "unit_vector_doubtful": gettext_noop(
        "The answer equals the reference answer except for a unit vector. A person has to grade it."
    ),
    "change_doubtful": gettext_noop(
        "The answer equals the reference answer if Δ or δ is a symbol by itself. A person "
        "has to grade it."
    ),
    "constant_doubtful": gettext_noop(
        "The answer equals the reference answer if ${relation}$, which no statement says. A "
        "person has to grade it."
    ),
    "symbol_doubtful": gettext_noop(
        "The answer equals the reference answer if ${symbol}$, which is not a symbol of this "
        "problem, is ${meant}$. A person has to grade it."
    ),
    "electron_mass_doubtful": gettext_noop(
        "The answer equals the reference answer if $m$ is $m_e$. A person has to grade it."
    ),
    "reference_unreadable": gettext_noop("The reference answer can’t be read: {message}"),
    "power_doubtful": gettext_noop(
        "It is unclear whether what is raised belongs to the argument or to the function."
    ),
    "notation_doubtful": gettext_noop(
        "The answer equals the reference answer in one reading of its notation. A person has "
        "to grade it."
    ),
    "reference_doubtful": gettext_noop(
        "The answer equals another reading of the reference answer than the standard one. A "
        "person has to grade it."
    ),
    "remark_doubtful": gettext_noop(
        "The value equals the reference answer, but the text beside it may change its "
        "meaning: {text}"
    ),
    "left_side": gettext_noop(
        "The value equals the reference answer, but it is unclear whether the quantity "
        "before “=” is the one asked for."
    ),
    # What the notation and the symbols of a reference leave to be asked.
    "two_readings": gettext_noop("This can be read as ${one}$ or as ${other}$: {advice}."),
    "add_brackets": gettext_noop("add brackets"),
    "declare_label": gettext_noop(
        "if it is a name, declare it among the symbols; if it is a power, put its base in brackets"
    ),
    "declare_value": gettext_noop(
        r"if it is a value, declare it among the symbols; if it is a product, write \cdot"
    ),
    "name_function": gettext_noop(
        "if it is a function, name it in the statement, as in “Bessel function”; if it "
        r"is a product, write \cdot"
    ),
    "spell_sinc": gettext_noop("write it with \\sin"),
    "write_one": gettext_noop("write only the expression you mean"),
    "introduce_letter": gettext_noop(
        "introduce ${letter}$ in the statement, or write \\mathrm{{{letter}}}"
    ),
    "constant_or_symbol": gettext_noop(
        "The statement has a symbol that is also a constant (e or i): write the constant as "
        "\\mathrm{{e}}, \\exp or \\mathrm{{i}}, or declare the letter among the symbols."
    ),
    "symbol_not_introduced": gettext_noop(
        "The statement does not introduce ${symbol}$: introduce it there."
    ),
    "symbol_mistaken": gettext_noop(
        "The statement does not introduce ${symbol}$, but it does introduce ${meant}$: "
        "write the one you mean."
    ),
    "escape_eaten": gettext_noop(
        "There is a control character here instead of {escape}, as in “{written}”: "
        "type the formula again."
    ),
    "symbols_alike": gettext_noop(
        "${one}$ and ${other}$ look alike: readers and models may confuse them."
    ),
    # What is wrong with a row of the symbol table.
    "no_symbol": gettext_noop(r"“{symbol}” is not a single symbol such as m, v_0 or \Delta p."),
    "no_sign": gettext_noop("Choose a sign."),
    "bound_unreadable": gettext_noop("A bound can’t be read: {message}"),
    "no_range": gettext_noop("This is not a range: {error}."),
    "bound_not_real": gettext_noop("{bound} is not a real number"),
    "bound_not_whole": gettext_noop("{bound} is not an integer"),
    "range_empty": gettext_noop("nothing lies between {low} and {high}"),
    "range_contradicts_sign": gettext_noop("The range and the sign contradict each other."),
    # What is wrong with a condition.
    "condition_unreadable": gettext_noop("The condition ${condition}$ can’t be read: {message}"),
    "condition_not_drawn": gettext_noop(
        "We can’t choose values that meet ${condition}$: solve it for one of its symbols."
    ),
    "condition_unmet": gettext_noop(
        "We found no values of the symbols that meet ${condition}$: correct it, or the "
        "ranges of the symbols."
    ),
    "conditions_unmet": gettext_noop(
        "We found no values of the symbols that meet all conditions: correct them."
    ),
    "is_it_exact": gettext_noop(
        "Is {number} exact? If it is rounded, write the exact number, such as \\pi/2. If it is "
        "exact, say so."
    ),
    # Why a variant of a reference is no case of its certificate.
    "variant_untypable": gettext_noop("The symbols can't be typed without LaTeX."),
    "variant_too_large": gettext_noop("The expression is too large to be transformed."),
    "variant_too_long": gettext_noop("The text is longer than the limit for answers."),
    "variant_equal": gettext_noop("It has the value of the reference answer."),
    "variant_undecided": gettext_noop(
        "It is unclear whether its value differs from the reference answer."
    ),
    # What whoever runs the grader says where it came to no end.
    "grading_stopped": gettext_noop(
        "Grading this took too much time or memory. It is not counted as wrong."
    ),
    "grader_error": gettext_noop("The grader failed on this answer. The log has the details."),
}
"""Every sentence by its code, with {names} for what is filled in."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A key of `SENTENCES`, and what is filled in: texts and further sentences, by name."""

    code: str
    values: tuple[tuple[str, str | Sentence], ...] = ()

    @classmethod
    def of(cls, code: str, **values: str | Sentence) -> Sentence:
        """Make a sentence with something filled in."""
        return cls(code, tuple(values.items()))

    def __str__(self) -> str:
        return self.say()

    def say(
        self,
        translate: Callable[[str], str] = str,
        sentences: Mapping[str, str] = SENTENCES,
    ) -> str:
        """Say it in English, or as `translate` has it; a code that is no more says itself."""
        if self.code not in sentences:
            return self.code
        filled = {
            name: value.say(translate, sentences) if isinstance(value, Sentence) else value
            for name, value in self.values
        }
        return translate(sentences[self.code]).format(**filled)

    def write(self) -> dict[str, Any]:
        r"""
        Write it as rows keep it.

        >>> Sentence.of("bound_unreadable", message=Sentence("empty")).write()
        {'code': 'bound_unreadable', 'message': {'code': 'empty'}}
        """
        return {
            "code": self.code,
            **{
                name: value.write() if isinstance(value, Sentence) else value
                for name, value in self.values
            },
        }

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Sentence:
        """Read what `write` wrote."""
        return cls(
            kept["code"],
            tuple(
                (name, cls.read(value) if isinstance(value, Mapping) else value)
                for name, value in kept.items()
                if name != "code"
            ),
        )
