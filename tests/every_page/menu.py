"""Where the menu of a page marks its place."""

import re

MENU = re.compile(r'<nav class="site-nav".*?</nav>', re.DOTALL)
PERSON = re.compile(r'<div class="site-person".*?</div>', re.DOTALL)
MARKED = re.compile(r'<a [^>]*aria-current="page">([^<]*)</a>')
OWN = ("/me/", "/profile/", "/accounts/")
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
