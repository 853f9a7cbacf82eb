"""What holds for every template."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "templates"
TORN_OFF = re.compile(r"{% include [^%]*%}[.,;:)”。，；：）]")


def test_no_full_stop_or_bracket_follows_a_file_which_ends_with_a_line_end():
    """It would stand after a space."""
    torn = {
        path.name: found
        for path in TEMPLATES.rglob("*.html")
        if (found := TORN_OFF.findall(path.read_text(encoding="utf-8")))
    }

    assert torn == {}


def test_what_the_frame_of_all_pages_names_hides_nothing_that_a_page_is_given():
    """It is drawn around the page: a page’s `is_own` was gone before its buttons asked for it."""
    frame = (TEMPLATES / "base.html").read_text(encoding="utf-8")
    named = set(re.findall(r"\bas (\w+) %}", frame)) - {"LANGUAGE_CODE"}

    assert named
    assert all(name.startswith("site_") for name in named)
    for path in TEMPLATES.rglob("*.html"):
        if path.name != "base.html":
            assert not re.search(r"\bsite_\w+", path.read_text(encoding="utf-8")), path
