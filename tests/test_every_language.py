"""
On every page, what people wrote is marked as being in the language that they wrote it in, and what
the page says itself is in the language of the interface, in plain words and well set.
"""

import re
from html.parser import HTMLParser

import pytest
from django.template import engines

from curation.problems.models import Problem
from tests.addresses import EXPECTED, PEOPLE, WALKED, World, address_of, client_of, read
from tests.memory import remembered
from tests.rendered import list_texts
from tests.test_words import GLOSSARY, list_banned, list_half_width
from tests.world import make_world

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
    if interface == "en":
        return [*list_banned(text), *CODE.findall(text)]
    return [*list_half_width(text), *LATIN.findall(text), *LOOSE.findall(text)]


def is_waiting(name: str) -> bool:
    """Tell whether the words of a page are still to be read; the glossary lists such pages."""
    return name.startswith(tuple(GLOSSARY["waiting_pages"]))


def test_flaws_are_noticed():
    assert list_flaws("en", "Nobody came (not_graded).")
    assert list_flaws("zh-hans", "两人, 三人")
    assert list_flaws("zh-hans", "这里 is some English")
    assert list_flaws("zh-hans", "还没有账号： 注册")
    assert list_flaws("zh-hans", "Organisation of Evaluator 的模型，两人") == []
    assert list_texts("<p>Say <code>not_graded</code> <b lang='zh'>甲</b></p>") == ["Say … …"]


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


@pytest.fixture
@remembered
def world(contributor, reviewer, participant, evaluator, admin, benchmark) -> World:
    made = make_world(contributor, reviewer, participant, evaluator, admin, benchmark)
    Problem.objects.update(title=TITLE, language="zh")
    return made


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


@pytest.fixture
def misses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """List the variables that templates name and pages do not give them."""
    noted = Misses()
    monkeypatch.setattr(engines["django"].engine, "string_if_invalid", noted)
    return noted.names


@pytest.mark.django_db
@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.parametrize("interface", ["zh-hans", pytest.param("en", marks=pytest.mark.slow)])
def test_titles_and_texts_carry_their_language_in_every_interface(world, misses, person, interface):
    client = client_of(world.people[person])
    client.cookies["django_language"] = interface
    wrong, flaws = [], []
    for name in WALKED:
        # What was asked of a model is a text of two languages.
        if EXPECTED[name].of(person) != 200 or name == "grading:trial_answer":
            continue
        answer = client.get(address_of(name, world))
        if answer.get("Content-Type", "").startswith("text/html"):
            page = read(answer).decode()
            reader = Reader(TITLE, WORDS)
            reader.feed(page)
            wrong += [(name, text) for text, language in reader.found if language != "zh"]
            if not is_waiting(name):
                said = ((text, list_flaws(interface, text)) for text in list_texts(page))
                flaws += [(name, text, found) for text, found in said if found]
    assert wrong == []
    assert flaws == []
    assert misses == []
