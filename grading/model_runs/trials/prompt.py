"""
What a model is asked when a problem is tried on it: our own words, kept in a file with its hash.

Pure: from texts to a text.
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

PROMPT = "solve"
_FILE = Path(__file__).parent / f"{PROMPT}.md"
_TEMPLATE = _FILE.read_text(encoding="utf-8").strip()
PROMPT_SHA256 = hashlib.sha256(_TEMPLATE.encode()).hexdigest()
_PLACE = re.compile(r"\{(problem|wanted|symbols)\}")


def write_prompt(statement: str, *, symbols: Sequence[str], wanted: str = "") -> str:
    """
    Write what is sent: the statement, what is asked, which symbols there are, and how to answer.

    >>> "Find $F$ in N." in write_prompt("Why?", symbols=["$m$ mass"], wanted="Find $F$ in N.")
    True
    """
    given = {
        "problem": statement.strip(),
        "wanted": f"{wanted}\n\n" if wanted else "",
        "symbols": "\n".join(f"- {symbol}" for symbol in symbols)
        or "- those that the problem introduces",
    }
    # In one pass: what a statement holds in braces is not taken for a place.
    return _PLACE.sub(lambda place: given[place[1]], _TEMPLATE)
