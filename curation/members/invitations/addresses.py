"""
Find e-mail addresses in what somebody pasted: one a line, a mail program's list, or half a CSV.

Nothing is dropped without a word: each line gives addresses, or is refused for a reason.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from phybench.people.names import tidy_name

MOST = 10_000
"""Addresses that are taken at once."""
MOST_REFUSED = 10_000
"""Refusals after which the rest is not read: it is no list of addresses."""
LONGEST_EMAIL = 254
LONGEST_NAME = 60
SHOWN = 60
"""Characters of a refused line that are said again."""
SEPARATORS = frozenset(",;\t、|")
HEADINGS = frozenset(
    (
        *("address", "addresses", "e-mail", "email", "emails", "mail", "e-mail address"),
        *("email address", "name", "full name", "first name", "last name", "display name"),
        *("姓名", "名字", "邮箱", "电子邮件", "电子邮箱", "邮箱地址"),
    )
)
"""What the first line of a table may say, and is no address that was forgotten."""
WITHOUT_SIGN = re.compile(r"\S+\.[a-z]{2,}")
"""A word that ends as an address does: no name, but one whose @ was forgotten."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One address, and whose it is as far as the text says."""

    line: int
    email: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """What was not taken, where it stood, and why."""

    line: int
    text: str
    why: str


@dataclass(slots=True)
class Found:
    entries: list[Entry] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)

    def refuse(self, line: int, text: str, why: str) -> None:
        short = text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
        self.refused.append(Refused(line, short, why))


def read_addresses(text: str) -> Found:
    """
    Read each line of a text.

    >>> [one.email for one in read_addresses("Ann <a@b.org>, c@d.org").entries]
    ['a@b.org', 'c@d.org']
    """
    found = Found()
    first: dict[str, int] = {}
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        # Full-width commas, signs and letters, as they are typed among Chinese.
        line = unicodedata.normalize("NFKC", line).strip()
        if not line:
            continue
        _take(found, first, number, line)
        if len(found.refused) >= MOST_REFUSED:
            found.refuse(number, line, _("Nothing after this line was read."))
            break
    return found


def _take(found: Found, first: dict[str, int], number: int, line: str) -> None:
    """Add what a line holds, as far as there may be more; `first` says where each address was."""
    entries, strays = _read_line(number, line)
    if not entries and not (number == 1 and _is_heading(line)):
        found.refuse(number, line, _("There is no e-mail address in this line."))
    for stray in strays[:MOST_REFUSED] if entries else ():
        found.refuse(number, stray, _("This is not a complete e-mail address."))
    for entry in entries:
        if len(found.refused) >= MOST_REFUSED:
            return
        if why := _find_fault(entry.email):
            found.refuse(number, entry.email, why)
        elif before := first.get(entry.email.lower()):
            text_of = _("This address is in line %(line)d already.") % {"line": before}
            found.refuse(number, entry.email, text_of)
        elif len(found.entries) >= MOST:
            why = _("At most %(most)d addresses are taken at once.") % {"most": MOST}
            found.refuse(number, entry.email, why)
        else:
            first[entry.email.lower()] = number
            found.entries.append(entry)


def _read_line(number: int, line: str) -> tuple[list[Entry], list[str]]:
    """Return a line's addresses, and what is neither one nor the name or the rest of a table."""
    read = [pair for cell in _split(line) for pair in _read_cell(cell)]
    addressed = [(name, email) for name, email in read if email]
    others = [name for name, email in read if name and not email]
    # In a table the name stands beside the address; among several addresses it is nobody's.
    is_table = len(addressed) == 1
    strays = [one for one in others if not is_table or WITHOUT_SIGN.fullmatch(one)]
    beside = " ".join([one for one in others if one not in strays][:1])
    entries = [
        Entry(number, email, _choose_name(name or (beside if is_table else "")))
        for name, email in addressed
    ]
    return entries, strays


def _split(line: str) -> list[str]:
    """Cut a line where a sign separates, but not in quotes; those that don't close are none."""
    cells: list[str] = []
    cell: list[str] = []
    is_quoted = False
    minds_quotes = line.count('"') % 2 == 0
    for sign in line:
        if sign == '"' and minds_quotes:
            is_quoted = not is_quoted
        elif sign in SEPARATORS and not is_quoted:
            cells.append("".join(cell))
            cell = []
        elif sign != '"':
            cell.append(sign)
    return [*cells, "".join(cell)]


def _read_cell(cell: str) -> Iterator[tuple[str, str]]:
    """Give each name with its address in a cell; either may be empty."""
    place = 0
    while (opens := cell.find("<", place)) >= 0:
        closes = cell.find(">", opens)
        end = closes if closes >= 0 else len(cell)
        yield cell[place:opens].strip(), _bare(cell[opens + 1 : end])
        place = end + 1
    words = cell[place:].split()
    emails = [word for word in words if "@" in word]
    strays = [word for word in words if "@" not in word and WITHOUT_SIGN.fullmatch(word)]
    yield from ((stray, "") for stray in strays)
    name = " ".join(word for word in words if "@" not in word and word not in strays)
    if len(emails) == 1:
        yield name, _bare(emails[0])
    else:
        yield from (("", _bare(email)) for email in emails)
        yield name, ""


def _bare(email: str) -> str:
    return email.strip().removeprefix("mailto:").strip("()[]'.:")


def _is_heading(line: str) -> bool:
    return any(cell.strip().lower() in HEADINGS for cell in _split(line))


def _choose_name(name: str) -> str:
    """Return a name to greet somebody by, or none: better than half of one."""
    tidy = tidy_name(name).strip("'()[]")
    return tidy if len(tidy) <= LONGEST_NAME and "@" not in tidy else ""


def _find_fault(email: str) -> str:
    if len(email) > LONGEST_EMAIL:
        return _("This address is too long.")
    try:
        validate_email(email)
    except ValidationError:
        return _("This is not a complete e-mail address.")
    return ""
