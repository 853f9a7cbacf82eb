"""The fields of a problem in a file: their names, and which of them give the answer away."""

from curation.texts.origin import LONGEST_SOURCE
from curation.texts.references.dimensions import MAX_UNIT
from curation.texts.references.reference import LONGEST_LISTED

FIELDS = (
    *("id", "title", "domain", "difficulty", "statement"),
    *("quantity", "unit", "terms", "conditions"),
    *("answer", "symbols", "must_accept", "must_reject", "solution"),
    *("adaptation", "source"),
)
"""What a file can say of a problem, in the order in which it is written."""
ABOUT = ("benchmark", "status", "revision", "author", "broken_rules", "errata", "canary")
"""What an export says besides; importing it changes nothing."""
EXPORTED = (*FIELDS, *(name for name in ABOUT if name != "canary"))
ALIASES = {"tag": "domain", "content": "statement", "label": "quantity"}
"""As the published PHYBench files, and older ones of ours, call them."""
KEY_FIELDS = frozenset(
    {
        *("answer", "must_accept", "must_reject", "solution", "broken_rules"),
        # Who finds the source may find its solution.
        *("adaptation", "source"),
    }
)
"""Only for who may have the key; of `symbols` the others get those of which something is said."""
CHOICES = frozenset({"domain", "difficulty", "adaptation"})
"""Names of ours, in upper or lower case."""

LISTS = frozenset({"must_accept", "must_reject"})
"""Lists of answers: one a line, where a file has only text."""
INLINE_LISTS = frozenset({"terms", "conditions"})
"""Lists of short formulas: with commas between them there."""
OF_PROBLEM = frozenset({"title", "domain", "difficulty"})
OF_REVISION = frozenset(FIELDS) - OF_PROBLEM - {"id"}

LONGEST_ID = 40
LONGEST_TEXT = 200_000
"""Characters of one statement, answer or solution, whoever published it."""
LONGEST = {
    "title": 120, "quantity": LONGEST_LISTED, "unit": MAX_UNIT, "domain": 40, "difficulty": 40,
    "adaptation": 40, "source": LONGEST_SOURCE,
}  # fmt: skip
