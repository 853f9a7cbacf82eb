"""
What the pure core says, in the reader's language.

The core knows no Django: its sentences are English, some with a symbol or a name in them. They are
listed here for translators (a test holds that none is missing) and found again when they are
shown, also those that grades have kept.
"""

from django.utils.translation import gettext_noop

from phybench.sentences import Sentences

SENTENCES = (
    gettext_noop("There is no expression here: write one."),
    gettext_noop("The text is too long: an answer has at most 4,096 characters."),
    gettext_noop("The expression is nested too deeply: at most 64 levels."),
    gettext_noop("The numbers or the expression grow too large to work with: write it smaller."),
    gettext_noop("This bracket has no partner: add or remove one."),
    gettext_noop("Write only the expression, without an equation or inequality."),
    gettext_noop("Write one answer: no comma, “or” or ± between several."),
    gettext_noop("Leave the units out: an answer is an expression in symbols."),
    gettext_noop("Leave words out: write only the expression."),
    gettext_noop("Sums and products over an index are not graded: write the closed form."),
    gettext_noop("Integrals are not graded: write the closed form."),
    gettext_noop("Limits are not graded: write the closed form."),
    gettext_noop("Derivatives are not graded: write the closed form."),
    gettext_noop("Matrices and vectors by components are not graded: write one expression."),
    gettext_noop("Cases are not graded: write one expression."),
    gettext_noop("LaTeX environments are not read: write one expression on one line."),
    gettext_noop("Dots stand for something unsaid: write the closed form."),
    gettext_noop("Infinity is not a value: write a finite expression."),
    gettext_noop("This has no value (a division by zero, or the like): write a finite expression."),
    gettext_noop("The command {what} is not known here: write it another way."),
    gettext_noop("The function {what} is not known here: write it with known functions."),
    gettext_noop("The character {what} is not known here: remove it."),
    gettext_noop("Two numbers stand side by side: put an operator between them."),
    gettext_noop("Something is missing here: complete the expression."),
    gettext_noop(
        "This subscript or superscript has nothing to belong to: write it after a symbol."
    ),
    gettext_noop("The command named here is not known here: write it another way."),
    gettext_noop("The function named here is not known here: write it with known functions."),
    gettext_noop("The character named here is not known here: remove it."),
    gettext_noop("Write numbers exactly: 1/2 instead of 0.5."),
    gettext_noop("This can be read in more than one way: add brackets."),
    gettext_noop("All symbols count as positive, so |x| is the same as x: leave the bars out."),
    gettext_noop("The statement does not introduce this symbol: introduce it there."),
    gettext_noop(
        "The statement has a symbol that is also a constant (e or i): write the constant as "
        "\\mathrm{{e}}, \\exp or \\mathrm{{i}}, or declare the letter among the symbols."
    ),
    gettext_noop(
        "This is zero whatever its symbols are: an answer must have another value somewhere."
    ),
    gettext_noop("A control character stands here: remove it."),
    gettext_noop("HTML is not shown: write Markdown, such as **bold**, lists and formulas."),
    gettext_noop(
        "This $ has no partner, so what follows is not set as a formula: add or remove one."
    ),
    gettext_noop("A statement is text alone: describe in words what the image shows."),
    gettext_noop("A statement is text alone: describe in words what the linked figure shows."),
    gettext_noop("A statement is text alone: describe in words what the figure shows."),
    gettext_noop("As it is written"),
    gettext_noop("Brackets without \\left and \\right"),
    gettext_noop("\\dfrac for \\frac"),
    gettext_noop("Printed by SymPy"),
    gettext_noop("a/b for a fraction"),
    gettext_noop("Terms and factors in another order"),
    gettext_noop("Multiplied out"),
    gettext_noop("Factored"),
    gettext_noop("Over one denominator"),
    gettext_noop("Between dollar signs"),
    gettext_noop("Between double dollar signs"),
    gettext_noop("Boxed, at the end of a response"),
    gettext_noop("With a name before it"),
    gettext_noop("As plain text"),
    gettext_noop("A sign changed"),
    gettext_noop("A coefficient doubled"),
    gettext_noop("An exponent raised by one"),
    gettext_noop("A term dropped"),
    gettext_noop("A factor dropped"),
    gettext_noop("Two symbols swapped, or one replaced"),
    gettext_noop("Another function"),
    gettext_noop("A term added"),
    gettext_noop("The author's: must be accepted"),
    gettext_noop("The author's: must be rejected"),
    gettext_noop("Only what stands after the last relation sign was read."),
    gettext_noop("The name before “=” was left out."),
    gettext_noop("All symbols count as positive, so this absolute value changes nothing."),
    gettext_noop("The decimal was read as the exact fraction."),
    gettext_noop("Choose a sign."),
    gettext_noop("The range and the sign contradict each other."),
    gettext_noop("“{symbol}” is not one symbol, as m, v_0 or \\Delta p."),
    gettext_noop("A bound can’t be read: {message}"),
    gettext_noop("This is no range: {error}."),
    gettext_noop("{bound} is no real number"),
    gettext_noop("{bound} is no whole number"),
    gettext_noop("nothing lies between {low} and {high}"),
    gettext_noop("This can be read as ${one}$ or as ${other}$: {advice}."),
    gettext_noop("add brackets"),
    gettext_noop("introduce ${letter}$ in the statement, or write \\mathrm{{{same}}}"),
    gettext_noop("The statement does not introduce ${symbol}$: introduce it there."),
    gettext_noop(
        "The statement does not introduce ${symbol}$, but it does introduce ${meant}$: "
        "write the one you mean."
    ),
    gettext_noop(
        "A control character stands here instead of {escape}, as in “{written}”: "
        "type the formula again."
    ),
    gettext_noop(
        "${one}$ and ${other}$ look alike: readers and models may take one for the other."
    ),
    gettext_noop("The answer's notation has more than one reading; the best one was graded."),
    gettext_noop("The expressions were too large to be simplified before they were compared."),
    gettext_noop("The reference's notation has more than one reading; the standard one counts."),
    gettext_noop("Whether the answer equals the reference stayed open."),
    gettext_noop("The reference cannot be read: {message}"),
    gettext_noop("The text is longer than an answer may be."),
    gettext_noop("The symbols can't be typed without LaTeX."),
    gettext_noop("The expression is too large to be transformed."),
    gettext_noop("It has the reference's value."),
    gettext_noop("Its value can't be told from it."),
)


def translate(text: str) -> str:
    """
    Say a sentence of the core in the language of the page; any other text stays as it is.

    >>> translate("The command \\foo is not known here: write it another way.")
    'The command \\\\foo is not known here: write it another way.'
    """
    return _KNOWN.translate(text)


_KNOWN = Sentences(SENTENCES)
