r"""
What was read, in LaTeX, in the order in which it was typed.

What the reader put in of itself stands in `\implied{…}`, and what was typed inside of that in
`\typed{…}`: two macros that the pages draw in another colour, and `plain` takes away.
"""

from __future__ import annotations

import re

from phybench_grader.numbers.symbols import name_in_latex, split_words

_LATEX_FUNCTIONS = split_words(
    "sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan ln log lg exp max min"
)
_MARK = re.compile(r"\\(?:implied|typed)\{|\\.|[{}]", re.DOTALL)
_GROUP = (r"\left(", r"\right)")
_GROUPED = re.compile(r"(?:\\implied\{)?\\left.*\\right(?:[)\]|]|\\[a-z]+ )\}?", re.DOTALL)
_IMPLIED_GROUP = (r"\implied{\left(\typed{", r"}\right)}")
_ENDS_IN_COMMAND = re.compile(r"\\[A-Za-z]+$")

IMPLIED_PRODUCT = r"\implied{\cdot }"
"""The sign of a product that could be taken for something else."""


class Transcript:
    """Pieces of LaTeX, each complete in itself, that are put together as the reader goes on."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def __str__(self) -> str:
        return "".join(self._pieces).strip()

    def mark(self) -> int:
        """Return a place to come back to: what is added from now on stands behind it."""
        return len(self._pieces)

    def add(self, latex: str) -> None:
        """Add one piece."""
        # An empty piece would make several of one. And `\omega t`, not `\omegat`.
        if latex:
            self._pieces.append(f"{latex} " if _ENDS_IN_COMMAND.search(latex[-20:]) else latex)

    def add_symbol(self, name: str) -> None:
        """Add the symbol of this name."""
        self.add(name_in_latex(name))

    def cut(self, mark: int) -> str:
        """Take off what was added since the mark, and return it."""
        taken = "".join(self._pieces[mark:])
        del self._pieces[mark:]
        return taken

    def cut_inside(self, mark: int) -> str:
        """Take off what was added since the mark, without the brackets if it is one group."""
        is_one = self._is_one(mark)
        taken = self.cut(mark)
        is_group = is_one and taken.startswith(_GROUP[0]) and taken.endswith(_GROUP[1])
        return taken[len(_GROUP[0]) : -len(_GROUP[1])] if is_group else taken

    def join(self, mark: int, before: str = "", after: str = "") -> None:
        """Make one piece of what was added since the mark, with something around it."""
        self.add(f"{before}{self.cut(mark)}{after}")

    def enclose(self, mark: int) -> None:
        """Put brackets that were not typed around what was added since the mark."""
        self.join(mark, *_IMPLIED_GROUP)

    def enclose_several(self, mark: int) -> None:
        """Put such brackets where there are several pieces."""
        if not self._is_one(mark):
            self.enclose(mark)

    def prepare_base(self, mark: int, *, is_atom: bool) -> None:
        """Make what was added since the mark something that can have an exponent."""
        if not self._is_one(mark):
            self.enclose(mark)
            return
        piece = self._pieces[mark]
        if _GROUPED.fullmatch(piece) or (is_atom and "^" not in piece):
            return
        if is_atom:
            self.join(mark, "{", "}")
        else:
            self.enclose(mark)

    def _is_one(self, mark: int) -> bool:
        return len(self._pieces) - mark == 1


def name_function(name: str) -> str:
    r"""
    Write a function's name in LaTeX.

    >>> name_function("sin"), name_function("sech")
    ('\\sin', '\\operatorname{sech}')
    """
    return f"\\{name}" if name in _LATEX_FUNCTIONS else f"\\operatorname{{{name}}}"


def plain(marked: str) -> str:
    r"""
    Take the marks off, and leave the LaTeX.

    >>> plain(r"\sin\implied{\left(\typed{\omega t}\right)}")
    '\\sin\\left(\\omega t\\right)'
    """
    written: list[str] = []
    open_marks: list[bool] = []
    last = 0
    for found in _MARK.finditer(marked):
        is_mark = found[0].startswith("\\") and found[0].endswith("{") and len(found[0]) > 2
        if found[0] == "{" or is_mark:
            open_marks.append(is_mark)
        dropped = is_mark or (found[0] == "}" and bool(open_marks) and open_marks.pop())
        written.append(marked[last : found.start() if dropped else found.end()])
        last = found.end()
    return "".join(written) + marked[last:]
