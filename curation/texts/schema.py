"""
The fields of a problem, each stated once.

Form, autosave, import, export, comparison and the next revision go by this list. A new field is a
column of `Revision` (or of `Problem`), its migration, and an entry here.
"""

from dataclasses import dataclass
from enum import Enum, auto

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from curation.texts.origin import LONGEST_SOURCE
from curation.texts.references.dimensions import MAX_UNIT
from curation.texts.references.reference import LONGEST_LISTED, MAX_LISTED
from curation.texts.rendering import MAX_CHARACTERS

LONGEST_ID = 40
MAX_ANSWER = 4096
LONGEST_TEXT = 200_000
"""Characters of one statement, answer or solution, whoever published it."""


class Kind(Enum):
    """How a field is typed and stored."""

    ID = auto()
    LINE = auto()
    FORMULA = auto()
    CHOICE = auto()
    """A name of ours, in upper or lower case; the column says which there are."""
    TEXT = auto()
    """Markdown, or LaTeX as it was typed."""
    INLINE_LIST = auto()
    """Short formulas: on one line, with commas between them."""
    LINES = auto()
    """Answers: one a line."""
    SYMBOLS = auto()
    LEFT_OUT = auto()
    EXACT = auto()
    FACT = auto()
    """What an export says besides; importing it changes nothing."""


LISTS = frozenset({Kind.INLINE_LIST, Kind.LINES, Kind.SYMBOLS, Kind.LEFT_OUT, Kind.EXACT})


class Readers(Enum):
    """Who sees a field."""

    ANYBODY = auto()
    """Whoever sees that there is the problem."""
    SOLVERS = auto()
    """Also who solves it: a version’s hash is made of it. Of `symbols`, what says something."""
    KEYHOLDERS = auto()
    """Only who may have the reference answer."""


KEY = Readers.KEYHOLDERS


@dataclass(frozen=True, slots=True)
class Field:
    """What is said of a problem in one place."""

    name: str
    kind: Kind
    readers: Readers
    in_files: str | Promise = ""
    """What it holds, for whoever chooses among the columns of a file; "" is in no file."""
    label: str | Promise = ""
    help: str | Promise = ""
    example: str = ""
    longest: int = 40
    """Characters that can be typed; of a list, in each of its lines."""
    lines: int = 0
    """How high the box is in the form; 0 is one line."""
    of_problem: bool = False
    """Whether it is the problem's over its whole life; the others freeze with the revision."""
    is_required: bool = False
    """Whether even a draft has it."""
    is_translated: bool = False
    aliases: tuple[str, ...] = ()
    """As the published PHYBench files, and older ones of ours, call it."""

    @property
    def is_written(self) -> bool:
        """Whether its author writes it."""
        return self.kind not in {Kind.ID, Kind.FACT}


SCHEMA = (
    Field("id", Kind.ID, Readers.ANYBODY, _("identifier of the problem")),
    Field("title", Kind.LINE, Readers.ANYBODY, _("title"), _("Title"), longest=120,
          of_problem=True, is_required=True),
    Field("domain", Kind.CHOICE, Readers.ANYBODY, _("domain of physics"), _("Domain"),
          aliases=("tag",), of_problem=True, is_required=True),
    Field("difficulty", Kind.CHOICE, Readers.ANYBODY, _("difficulty"), _("Difficulty"),
          of_problem=True, is_required=True),
    Field("language", Kind.CHOICE, Readers.ANYBODY, _("language"), _("Language"), of_problem=True),
    Field("statement", Kind.TEXT, Readers.SOLVERS, _("statement, in Markdown"), _("Statement"),
          _("Markdown, with formulas as $…$ or on their own as $$…$$. Introduce every symbol "
            "of the answer; describe in words what a figure would show."),
          longest=MAX_CHARACTERS, lines=10, is_translated=True, aliases=("content",)),
    Field("quantity", Kind.FORMULA, Readers.SOLVERS, _("the quantity that is asked for"),
          _("Find"), example="v", longest=LONGEST_LISTED, aliases=("label",)),
    Field("unit", Kind.LINE, Readers.SOLVERS, _("unit of the answer"), _("in the unit"),
          example="m/s", longest=MAX_UNIT),
    Field("terms", Kind.INLINE_LIST, Readers.SOLVERS, _("symbols that the answer may contain"),
          _("in terms of"), example="g, L, a", longest=MAX_LISTED * LONGEST_LISTED),
    Field("conditions", Kind.INLINE_LIST, Readers.SOLVERS, _("relations between the symbols"),
          _("where"), example="a < L", longest=MAX_LISTED * LONGEST_LISTED),
    Field("answer", Kind.TEXT, KEY, _("reference answer, in LaTeX"), _("Reference answer"),
          _("One expression in LaTeX: no equation, exact numbers, no units. "
            r"For example \frac{m v_0^2}{2 k}"), longest=MAX_ANSWER, lines=2),
    Field("symbols", Kind.SYMBOLS, Readers.SOLVERS, _("table of symbols"), _("Symbols")),
    Field("must_accept", Kind.LINES, KEY, _("answers that must be accepted"), _("Right answers"),
          _("Other ways to write the answer, one a line. Each must score 100."),
          longest=MAX_ANSWER, lines=2),
    Field("must_reject", Kind.LINES, KEY, _("answers that must be rejected"), _("Wrong answers"),
          _("Answers that a usual mistake gives, one a line. Each must score less."),
          longest=MAX_ANSWER, lines=2),
    Field("solution", Kind.TEXT, KEY, _("solution, in Markdown"), _("Solution"),
          _("How to get there, for reviewers. Written like the statement."),
          longest=MAX_CHARACTERS, lines=6, is_translated=True),
    # Who finds the source may find its solution.
    Field("adaptation", Kind.CHOICE, KEY, _("how far it is adapted"), _("How far it is adapted")),
    Field("source", Kind.LINE, KEY, _("what it is adapted from"), _("Adapted from"),
          _("Book, paper, contest or address, with the number of the problem. Reviewers see it "
            "with the answer; people and models who answer do not."), longest=LONGEST_SOURCE),
    Field("left_out", Kind.LEFT_OUT, KEY),
    Field("exact", Kind.EXACT, KEY, label=_("Exact fractions")),
    Field("reason", Kind.LINE, Readers.ANYBODY, label=_("What this revision changes, and why"),
          longest=300),
    Field("benchmark", Kind.FACT, Readers.ANYBODY, _("benchmark"), of_problem=True),
    Field("status", Kind.FACT, Readers.ANYBODY, _("status"), of_problem=True),
    Field("revision", Kind.FACT, Readers.ANYBODY, _("number of the revision")),
    Field("author", Kind.FACT, Readers.ANYBODY, _("author"), of_problem=True),
    Field("broken_rules", Kind.FACT, KEY, _("rules that the reference answer breaks")),
    Field("errata", Kind.FACT, Readers.ANYBODY, _("errors that were corrected")),
)  # fmt: skip
BY_NAME = {field.name: field for field in SCHEMA}

WRITTEN = tuple(field for field in SCHEMA if field.is_written)
TEXTS = frozenset(field.name for field in WRITTEN if not field.of_problem)
"""The fields of a revision that its author writes."""
EXPORTED = tuple(field.name for field in SCHEMA if field.in_files)
"""What a file can say of a problem, in the order in which it is written."""
FIELDS = tuple(name for name in EXPORTED if BY_NAME[name].kind is not Kind.FACT)
"""What of it an import reads."""
OF_PROBLEM = tuple(name for name in FIELDS if BY_NAME[name].of_problem)
KEY_FIELDS = frozenset(name for name in EXPORTED if BY_NAME[name].readers is Readers.KEYHOLDERS)
ASKED = tuple(field.name for field in SCHEMA if field.readers is Readers.SOLVERS)
ALIASES = {alias: field.name for field in SCHEMA for alias in field.aliases}
