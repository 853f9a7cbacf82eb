"""
What a model is asked in a run: our own words, kept in a file with its hash.

Pure: from texts to a text. A run keeps the words that it was begun with.
"""

import hashlib
import re
from pathlib import Path

PROMPT = "solve-1"
"""Its name and version: raise it with any change to the words."""
WORDS = (Path(__file__).parent / "solve.md").read_text(encoding="utf-8").strip()
PROMPT_SHA256 = hashlib.sha256(WORDS.encode()).hexdigest()
_PLACE = re.compile(r"\{(problem|asked)\}")


def write_prompt(words: str, *, statement: str, asked: str = "") -> str:
    """
    Write what is sent: our words, the statement, and what is asked.

    >>> print(write_prompt("{problem} {asked}Go.", statement="Why {asked}?", asked="Find $F$."))
    Why {asked}? Find $F$.
    <BLANKLINE>
    Go.
    """
    given = {"problem": statement.strip(), "asked": f"{asked}\n\n" if asked else ""}
    # In one pass: what a statement holds in braces is not taken for a place.
    return _PLACE.sub(lambda place: given[place[1]], words)
