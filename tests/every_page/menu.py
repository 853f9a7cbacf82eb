"""Where the menu of a page marks its place, and how much a page may offer at once."""

import re

MENU = re.compile(r'<nav class="site-nav".*?</nav>', re.DOTALL)
PERSON = re.compile(r'<div class="site-person".*?</div>', re.DOTALL)
MARKED = re.compile(r'<a [^>]*aria-current="page">([^<]*)</a>')
TABS = re.compile(r'<nav class="wrap room-tabs".*?(?=<details|</nav>)', re.DOTALL)
"""Those side by side; the others are behind “More”."""
PARTS = {
    "no heading": (re.compile(r"<h1[ >]"), 1, 99),
    "two blue buttons": (re.compile(r'<(?:a|button) [^>]*class="[^"]*\bprimary\b'), 0, 1),
}
MOST_ROOMS = 7
MOST_TABS = 3
OWN = ("/me/", "/accounts/")
"""Where the viewer’s name leads to, or for a visitor “Sign in” and “Sign up”."""
BELOW = (
    "/api/",
    "/e-mails/",
    "/how-grading-works/",
    "/inbox/",
)
"""Pages that belong to no room: links below every page, on the profile or beside it lead there."""
WITHOUT_PLACE = {
    # The link is one's own, before there is an account.
    "visitor": ("/join/",),
}


def list_crowds(page: str) -> list[str]:
    """List what a page has too much of to be taken in at once, or lacks."""
    found = [
        fault
        for fault, (part, least, most) in PARTS.items()
        if not least <= len(part.findall(page)) <= most
    ]
    for places, most in ((MENU, MOST_ROOMS), (TABS, MOST_TABS)):
        if (bar := places.search(page)) and (count := bar[0].count("<a ")) > most:
            found.append(f"{count} places side by side")
    return found


def list_marked(part: re.Pattern[str], page: str) -> list[str] | None:
    """List what is marked in a part of a page; None is a page without it."""
    found = part.search(page)
    return MARKED.findall(found[0]) if found else None


def is_unmarked(person: str, address: str, page: str) -> bool:
    """Tell whether a page belongs to a place that its menu does not mark, or marks two."""
    marked = list_marked(MENU, page)
    # What is no page, such as a file, has no menu.
    if marked is None:
        return False
    if address.startswith(OWN) and person != "visitor" and not list_marked(PERSON, page):
        return True
    elsewhere = (*OWN, *BELOW, *WITHOUT_PLACE.get(person, ()))
    return len(marked) > 1 or not (marked or address.startswith(elsewhere))
