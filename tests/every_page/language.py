"""What the texts of every page are held to: plain words, well set, each in its language."""

import re
from html.parser import HTMLParser

from tests.rendered import WRITTEN_FOR_PROGRAMS, list_texts
from tests.test_words import list_banned, list_half_width

TITLE, WORDS = "小球下落", "Which energy does it lose"
"""A title of all problems, and what stands in their statements; both are said to be Chinese."""
WITHOUT = {"meta", "link", "input", "br", "hr", "img", "col", "source"}
MACHINE = re.compile(r"(?i)\btitle\b|\bscript\b|\btextarea\b|\boption\b")
"""What holds text alone, and can't say of a part of it which language it is in."""


WRITTEN = re.compile("Organisation of Evaluator|A model|Evaluator|Nobody|nobody@test.example")
"""Names of the world's people, organisations and models: a name is of no language."""
LATIN = re.compile(r"[A-Za-z]{2,}(?: [A-Za-z]{2,}){2,}")
LOOSE = re.compile("[，。；：？！] (?=[\u3400-\u9fff…])")
"""A space after a sign that is wide enough in Chinese: templates have `{% gap %}` for it."""
CODE = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")


def list_flaws(interface: str, text: str) -> list[str]:
    """List what is wrong with a text of a page: banned words and codes, or how Chinese is set."""
    text = WRITTEN.sub("…", text)
    if found := WRITTEN_FOR_PROGRAMS.findall(text):
        return found
    if interface == "en":
        return [*list_banned(text), *CODE.findall(text)]
    return [*list_half_width(text), *LATIN.findall(text), *LOOSE.findall(text)]


class Reader(HTMLParser):
    """Finds texts with some words, and the language that each is said to be in."""

    def __init__(self, *words: str) -> None:
        super().__init__()
        self.words = words
        self.open: list[tuple[str, str]] = []
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in WITHOUT:
            around = self.open[-1][1] if self.open else ""
            self.open.append((tag, dict(attributes).get("lang") or around))

    def handle_endtag(self, tag: str) -> None:
        while self.open and tag not in WITHOUT and self.open.pop()[0] != tag:
            pass

    def handle_data(self, text: str) -> None:
        if not any(MACHINE.fullmatch(tag) for tag, _language in self.open):
            language = self.open[-1][1] if self.open else ""
            self.found += [(text.strip(), language) for word in self.words if word in text]


def list_wrongly_marked(page: str) -> list[str]:
    """List the titles and statements, all Chinese, that a page says are in another language."""
    reader = Reader(TITLE, WORDS)
    reader.feed(page)
    return [text for text, language in reader.found if language != "zh"]


def list_said_badly(interface: str, page: str) -> list[tuple[str, list[str]]]:
    """List the texts of a page's own in which something is wrong, with what."""
    said = ((text, list_flaws(interface, text)) for text in list_texts(page))
    return [(text, found) for text, found in said if found]


class Misses(str):
    """What Django puts where a template names a variable that is not there: it notes the name."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __contains__(self, text: object) -> bool:
        # Django fills the name in where it finds this.
        return text == "%s"

    def __bool__(self) -> bool:
        return True

    def __mod__(self, variable: object) -> str:
        self.names.append(str(variable))
        return ""
