"""Where the menu of a page marks its place."""

import re

MENU = re.compile(r'<nav class="site-nav".*?</nav>', re.DOTALL)
PERSON = re.compile(r'<div class="site-person".*?</div>', re.DOTALL)
MARKED = re.compile(r'<a [^>]*aria-current="page">([^<]*)</a>')
OWN = ("/profile/", "/accounts/")
"""Where the viewer’s name leads to, or for a visitor “Sign in” and “Sign up”."""
BELOW = ("/api/", "/contributions/", "/contributors/", "/e-mails/", "/how-grading-works/")
"""Pages that belong to no place: links below every page and on the profile lead there."""
WITHOUT_PLACE = {
    # The link is in an e-mail to a person who has no account yet.
    "visitor": ("/invitations/open/",),
    # One more would not fit: an admin finds studies at home, and can look at participants’ pages.
    "admin": ("/studies/", "/answer/"),
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
