"""There is one stylesheet: small, with its colours in one place, and of classes that pages use."""

import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
SHEET = ROOT / "static" / "css" / "app.css"
LARGEST = 40 * 1024
SMALLEST_PIXELS = 13
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
CODE = [path for app in ("phybench", "curation", "grading") for path in (ROOT / app).rglob("*.py")]
SCRIPTS = sorted((ROOT / "static" / "js").glob("*.js"))

FOREIGN = {"katex", "katex-display", "htmx-request"}
"""Classes that KaTeX and htmx give."""
FROM_CODE = {"block", "choosing", "dark", "light"}
"""Classes that templates take whole from the code: of a formula, a half of the labels, a look."""
HOOKS = {"give-up", "new-comment", "rows-left-out", "session-answer", "wanted"}
"""Classes without a rule, by which scripts and tests find something."""

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
ROOT_BLOCK = re.compile(r":root \{.*?\n *\}", re.DOTALL)
COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b(?![^{;]*\{)|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color|light-dark)a?\("
    r"|\b(?:black|white|gr[ae]y|silver|red|maroon|green|lime|olive|blue|navy|teal|aqua|cyan"
    r"|yellow|orange|brown|purple|magenta|fuchsia|pink|canvas(?:text)?|linktext|highlight(?:text)?)"
    r"\b(?=[ ,;)])",
    re.IGNORECASE,
)
PRELUDE = re.compile(r"([^{};]*)\{")
SIZE = re.compile(r"(?:font-size:|font:[^;]*?) ?(\d*\.?\d+)(px|rem)")
GIVEN = re.compile(r'\bclass="((?:[^"{]|\{\{.*?\}\}|\{%.*?%\})*)"', re.DOTALL)
GIVEN_IN_CODE = re.compile(r'\bclass="([^"{}]+)"|(?:"class": |classes=)"([^".{}]+)"')
GIVEN_BY_SCRIPT = re.compile(r'class(?:Name: |List\.\w+\()"([\w -]+)"')
TAG = re.compile(r"\{[%#].*?[%#]\}", re.DOTALL)
VALUE = re.compile(r"\{\{.*?\}\}", re.DOTALL)


def read_sheet() -> str:
    return COMMENT.sub("", SHEET.read_text(encoding="utf-8"))


def list_selected(kind: str) -> set[str]:
    """List the classes (".") or ids ("#") that the stylesheet’s rules are for."""
    sheet = re.sub(r'"[^"\n]*"', "", read_sheet())
    named = re.compile(re.escape(kind) + r"(-?[a-zA-Z_][\w-]*)")
    preludes = (one for one in PRELUDE.findall(sheet) if not one.strip().startswith("@"))
    return {name for prelude in preludes for name in named.findall(prelude)}


def split_classes(given: str) -> Iterator[str]:
    """
    Split what a template writes into an attribute; of a value that is filled in stays a `*`.

    >>> sorted(split_classes("pill pill-{% if a %}draft{% else %}done{% endif %} is-{{ b }}"))
    ['is-*', 'pill', 'pill-done', 'pill-draft']
    """
    for word in VALUE.sub("*", TAG.sub("\0", given)).split():
        start = ""
        for part in word.split("\0"):
            if part.endswith("-"):
                start = part
            elif part:
                yield start + part


def list_given() -> set[str]:
    """List the classes that templates, code and scripts give."""
    found = {
        one
        for path in TEMPLATES
        for given in GIVEN.findall(path.read_text(encoding="utf-8"))
        for one in split_classes(given)
    }
    for path in CODE:
        for pair in GIVEN_IN_CODE.findall(path.read_text(encoding="utf-8")):
            found.update("".join(pair).split())
    for path in SCRIPTS:
        for given in GIVEN_BY_SCRIPT.findall(path.read_text(encoding="utf-8")):
            found.update(given.split())
    return found - {"*"}


def list_words_of_code() -> set[str]:
    """List what code names, as values of classes that templates fill in."""
    texts = (path.read_text(encoding="utf-8") for path in (*CODE, *SCRIPTS))
    return {one.lower() for text in texts for one in re.findall(r'"([\w-]+)"', text)}


def test_every_page_loads_this_stylesheet_and_no_other():
    assert sorted((ROOT / "static" / "css").iterdir()) == [SHEET]
    loading = [path.name for path in TEMPLATES if "stylesheet" in path.read_text(encoding="utf-8")]
    assert loading == ["base.html"]


def test_it_is_small():
    assert SHEET.stat().st_size <= LARGEST


def test_colours_are_named_in_root_only():
    assert COLOUR.findall(ROOT_BLOCK.sub("", read_sheet())) == []


def test_no_letter_is_smaller_than_13_pixels_and_none_is_made_a_capital():
    sheet = read_sheet()
    assert "text-transform" not in sheet
    sizes = [float(size) * (16 if unit == "rem" else 1) for size, unit in SIZE.findall(sheet)]
    assert min(sizes) >= SMALLEST_PIXELS


def test_every_class_that_a_page_gives_has_a_rule_or_is_a_hook():
    selected = list_selected(".")
    given = {one for one in list_given() if not one.endswith("*")}
    assert sorted(given - selected - HOOKS) == []


def test_every_hook_is_given_and_looked_for():
    readers = [*SCRIPTS, *(ROOT / "tests").rglob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in readers if path.name != __name__)
    assert list_given() >= HOOKS
    looked_for = {one for one in HOOKS if re.search(rf'(?:\.|class="){one}\b', text)}
    assert sorted(HOOKS - looked_for) == []
    assert list_selected(".").isdisjoint(HOOKS)


def test_every_class_and_id_with_a_rule_is_used():
    given, words = list_given(), list_words_of_code()
    starts = {one.removesuffix("*") for one in given if one.endswith("*")}
    filled_in = {start + word for start in starts for word in words}
    marks = {one for path in SCRIPTS for one in words_of(path)}
    selected = list_selected(".")
    assert sorted(selected - given - filled_in - marks - FOREIGN - FROM_CODE) == []
    texts = "\n".join(path.read_text(encoding="utf-8") for path in TEMPLATES)
    assert sorted(one for one in list_selected("#") if f'id="{one}"' not in texts) == []


def words_of(script: Path) -> set[str]:
    """List the words that a script has in a list, as the marks that it lets KaTeX set."""
    listed = re.findall(r"const [A-Z]+ = \[([^\]]*)\]", script.read_text(encoding="utf-8"))
    return {one for text in listed for one in re.findall(r'"([\w-]+)"', text)}
