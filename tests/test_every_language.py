"""On every page, what people wrote is marked as being in the language that they wrote it in."""

import re
from html.parser import HTMLParser

import pytest

from curation.problems.models import Problem
from tests.addresses import EXPECTED, PEOPLE, WALKED, World, address_of, client_of, read
from tests.memory import remembered
from tests.world import make_world

TITLE, WORDS = "小球下落", "Which energy does it lose"
"""A title of all problems, and what stands in their statements; both are said to be Chinese."""
WITHOUT = {"meta", "link", "input", "br", "hr", "img", "col", "source"}
MACHINE = re.compile(r"(?i)\btitle\b|\bscript\b|\btextarea\b|\boption\b")
"""What holds text alone, and can't say of a part of it which language it is in."""


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


@pytest.mark.django_db
@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.parametrize("interface", ["zh-hans", pytest.param("en", marks=pytest.mark.slow)])
def test_titles_and_texts_carry_their_language_in_every_interface(world, person, interface):
    client = client_of(world.people[person])
    client.cookies["django_language"] = interface
    wrong = []
    for name in WALKED:
        # What was asked of a model is a text of two languages.
        if EXPECTED[name].of(person) != 200 or name == "grading:trial_answer":
            continue
        answer = client.get(address_of(name, world))
        if answer.get("Content-Type", "").startswith("text/html"):
            reader = Reader(TITLE, WORDS)
            reader.feed(read(answer).decode())
            wrong += [(name, text) for text, language in reader.found if language != "zh"]
    assert wrong == []
