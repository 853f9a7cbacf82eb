"""LaTeX from papers becomes our Markdown; what can't is left as it is and named."""

import time

import pytest

from curation.texts.conversion import LONGEST, convert
from curation.texts.rendering import render_markdown as render

BECOMES = {
    "bold": (r"A \textbf{heavy} ball.", "A **heavy** ball."),
    "bold with a space inside": (r"\textbf{Note: }take it.", "**Note:** take it."),
    "old bold": (r"{\bf So} it is.", "**So** it is."),
    "emphasis": (r"\emph{one} and \textit{two}", "*one* and *two*"),
    "nested": (r"\textbf{all \emph{of} $x$}", "**all *of* $x$**"),
    "equation": (
        "Then\n\\begin{equation}\n  x = 1\n\\end{equation}\nholds.",
        "Then\n\n$$\nx = 1\n$$\n\nholds.",
    ),
    "equation without a number": (r"\begin{equation*}x\end{equation*}", "$$\nx\n$$"),
    "a blank line in a formula": ("\\[\nx\n\n= 1\n\\]", "$$\nx\n= 1\n$$"),
    "align": (
        "\\begin{align}\na &= b \\\\\nc &= d \\nonumber\n\\end{align}",
        "$$\n\\begin{aligned}\na &= b \\\\\nc &= d\n\\end{aligned}\n$$",
    ),
    "one line of align": (r"\begin{align}x = 1\end{align}", "$$\nx = 1\n$$"),
    "gather": (
        r"\begin{gather}a\\b\end{gather}",
        "$$\n\\begin{gathered}\na\\\\b\n\\end{gathered}\n$$",
    ),
    "inline": (r"The mass \(m\).", "The mass $m$."),
    "spaces in dollars": ("The mass $ m $.", "The mass $m$."),
    "enumerate": (
        "Find\n\\begin{enumerate}\n\\item the speed,\n\\item the time.\n\\end{enumerate}",
        "Find\n\n1. the speed,\n2. the time.",
    ),
    "itemize": (r"\begin{itemize}\item one \item two\end{itemize}", "- one\n- two"),
    "labels of items": (r"\begin{enumerate}\item[(a)] one\end{enumerate}", "- (a) one"),
    "lists in lists": (
        r"\begin{enumerate}\item a \begin{itemize}\item b\end{itemize}\item c\end{enumerate}",
        "1. a\n\n   - b\n2. c",
    ),
    "a space that does not break": ("Fig.~1", "Fig. 1"),
    "a quantity": (r"It is \SI{9.8}{m/s^2}.", r"It is $9.8\,\mathrm{m/s^2}$."),
    "a quantity in a formula": (r"$g = \SI{9.8}{m/s^2}$", r"$g = 9.8\,\mathrm{m/s^2}$"),
    "units by name": (
        r"\SI{5}{\kilo\gram\meter\per\second\squared}",
        r"$5\,\mathrm{kg\,m\,s^{-2}}$",
    ),
    "a unit": (r"in \si{\newton}", r"in $\mathrm{N}$"),
    "a power of ten": (r"\qty{3e8}{m/s}", r"$3 \times 10^{8}\,\mathrm{m/s}$"),
    "an angle": (r"\ang{30}", r"$30^{\circ}$"),
    "a reference to an equation": (
        r"By \eqref{eq:e}: \begin{equation}\label{eq:e}x\end{equation}",
        "By (1):\n\n$$\nx \\tag{1}\n$$",
    ),
    "a label that nothing names": (r"\begin{equation}x\label{a}\end{equation}", "$$\nx\n$$"),
    "a comment": ("One. % two\nThree.", "One.\nThree."),
    "a line of comment": ("One.\n% two\nThree.", "One.\nThree."),
    "percent": (r"20\% of it", "20% of it"),
    "percent in Markdown": ("20 % of it, 5% of that", "20 % of it, 5% of that"),
    "preamble": (
        "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\nA ball.\n"
        "\\end{document}\nNotes.",
        "A ball.",
    ),
    "part of a preamble": ("\\usepackage[utf8]{inputenc}\nA ball.", "A ball."),
    "commands of one’s own": (
        r"\newcommand{\vv}[1]{\vec{#1}}\def\R{R_0} $\vv{v}$ and $\R$",
        r"$\vec{v}$ and $R_0$",
    ),
    "quotation marks": ("``so''", "“so”"),
    "dashes": ("pages 3--4 --- or so", "pages 3–4 — or so"),
    "accents": (r"Schr\"odinger and Poincar\'e", "Schrödinger and Poincaré"),
    "headings": (r"\section*{Part one} Text.", "**Part one**\n\n Text."),
    "what is set in": (
        "\\begin{center}\n    A ball.\n\\end{center}",
        "A ball.",
    ),
    "a footnote": (r"A ball\footnote{of iron}.", "A ball (of iron)."),
    "dollars for money": (r"It costs \$5.", r"It costs \$5."),
}


@pytest.mark.parametrize("name", BECOMES)
def test_latex_becomes_markdown(name):
    latex, markdown = BECOMES[name]
    assert convert(latex).text == markdown
    assert convert(latex).left == ()


MARKDOWN = [text for _latex, text in BECOMES.values()] + [
    "- one\n- **two**\n  - three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n\n`code` and *so*",
    r"$\SI$ is $x_1$, $\frac{a}{b}$, $\alpha\text{ and }\beta$",
]


@pytest.mark.parametrize("text", MARKDOWN)
def test_what_is_markdown_already_stays(text):
    again = convert(text).text
    assert render(again) == render(text)


LEFT = {
    "citations": (r"See \cite{landau}.", r"\cite{landau}"),
    "references to nothing": (r"See \ref{fig:a}.", r"\ref{fig:a}"),
    "unknown commands": (r"Take \foo{x}.", r"\foo{x}"),
    "greek letters in words": (r"The angle \alpha.", r"\alpha"),
    "pictures": (r"\includegraphics{a.png}", r"\includegraphics{a.png}"),
    "tables": (r"\begin{tabular}{c}a\end{tabular}", r"\begin{tabular}"),
    "what never ends": (r"\begin{itemize} \item a", r"\begin{itemize}"),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_can_not_be_converted_stays_and_is_named(name):
    latex, named = LEFT[name]
    converted = convert(latex)
    assert named in converted.left
    assert named in converted.text


def test_a_figure_goes_and_is_named():
    converted = convert("A ball.\n\\begin{figure}\\includegraphics{a}\\end{figure}\nIt falls.")
    assert converted.text == "A ball.\n\nIt falls."
    assert converted.left == (r"\begin{figure}",)


HOSTILE = {
    "braces": "{" * LONGEST,
    "groups": "{\\bf " * (LONGEST // 5),
    "environments": r"\begin{itemize}" * (LONGEST // 15),
    "lists": r"\begin{itemize}\item " * 2000,
    "itself": r"\newcommand{\a}{\a\a}\a" + r"\a" * 1000,
    "growing": r"\def\a{\b\b}\def\b{\c\c}\def\c{" + "x" * 1000 + "}" + r"\a" * 2000,
    "open arguments": r"\newcommand{\a}[1]{#1}" + r"\a{" * 5000,
    "dollars": "$" * LONGEST,
    "comments": "%\n" * (LONGEST // 2),
    "quantities": r"$\SI{1}{m}" * 2000,
    "a backslash": "\\",
    "too long": "x" * (LONGEST + 1),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_pasted_takes_long(name):
    began = time.process_time()
    convert(HOSTILE[name])
    assert time.process_time() - began < 5
