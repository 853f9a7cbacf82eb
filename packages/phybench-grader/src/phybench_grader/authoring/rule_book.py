r"""
The rules for a problem as people learn them: six, each with what keeps it and what does not.

What is checked is finer: each code of `RULES` belongs to one of the six.

>>> find_rule("float").title
'Numbers are exact'
"""

from __future__ import annotations

from dataclasses import dataclass

from phybench_grader.numbers.sentences import gettext_noop


@dataclass(frozen=True, slots=True)
class RuleForPeople:
    """One of the six rules."""

    title: str
    why: str
    good: str
    bad: str
    codes: frozenset[str]
    """Of `RULES`, and of what is checked around it."""
    is_of_text: bool = False
    """Whether the examples are statements, not answers."""


SIX_RULES = (
    RuleForPeople(
        gettext_noop("The answer is one expression"),
        gettext_noop("No equation, no second answer, no words and no units."),
        r"\sqrt{2 g h}",
        r"v = \pm\sqrt{2 g h}",
        frozenset(
            {
                *("empty", "equation", "several", "units", "words", "relation_missing"),
                *("no_answer", "no_equality", "negated", "other_quantity", "environment"),
            }
        ),
    ),
    RuleForPeople(
        gettext_noop("It is written in symbols that the statement introduces"),
        gettext_noop(
            "At least one, and each with its meaning in the statement; units and conditions fit."
        ),
        r"\frac{m g}{k}",
        "42",
        frozenset(
            {
                *("without_symbol", "not_introduced", "zero", "positive", "condition"),
                *("symbol_table", "dimension", "unknown_unit", "other_unit", "no_term"),
                *("not_listed", "asks_itself"),
            }
        ),
    ),
    RuleForPeople(
        gettext_noop("Numbers are exact"),
        gettext_noop("A rounded number makes every exact answer wrong."),
        r"\frac{\pi}{2} R",
        "1.57 R",
        frozenset({"float", "rounded"}),
    ),
    RuleForPeople(
        gettext_noop("It is in closed form"),
        gettext_noop(
            "No sums, integrals, derivatives, matrices or cases, and nothing infinite or endless."
        ),
        r"\frac{a}{1 - q}",
        r"\sum_{n=0}^{\infty} a q^n",
        frozenset(
            {
                *("sum", "integral", "limit", "derivative", "differential", "vectors"),
                *("matrix", "piecewise", "dots", "infinity", "undefined", "too_long"),
                *("too_deep", "too_large"),
            }
        ),
    ),
    RuleForPeople(
        gettext_noop("It can be read in one way only"),
        gettext_noop("Where two readings have different values, add brackets."),
        r"\frac{E}{2 \pi}",
        r"E / 2 \pi",
        frozenset(
            {
                *("ambiguous", "bracket", "unknown_command", "unknown_function"),
                *("unknown_character", "numbers", "missing", "script"),
                *("control_character",),
            }
        ),
    ),
    RuleForPeople(
        gettext_noop("The statement is complete without a figure and displays correctly"),
        gettext_noop("Markdown with formulas in LaTeX; no images and no links to them."),
        r"A ring of radius $R$ rolls down a slope of angle $\alpha$.",
        r"The figure shows a ring on a slope of angle $\alfa$.",
        frozenset(
            {
                *(
                    "image",
                    "figure_link",
                    "figure",
                    "html",
                    "dollar",
                    "formula",
                    "formula_not_tried",
                ),
                *("bare_latex",),
            }
        ),
        is_of_text=True,
    ),
)


def find_rule(code: str) -> RuleForPeople | None:
    """Return the rule that a code belongs to."""
    return next((rule for rule in SIX_RULES if code in rule.codes), None)
