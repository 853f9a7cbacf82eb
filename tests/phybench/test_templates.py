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
