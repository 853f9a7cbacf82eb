"""
Every page, picture and file of worlds in which little or nothing is measured.

What a page takes for granted is missing here: there is nothing, no answer is graded yet, one is, or
none could be. Pages are found as people find them: by links.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import resolve

from curation.problems.benchmarks.models import Benchmark
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.board.panels.actions import freeze
from grading.studies import actions as studying
from grading.studies.models import Study
from grading.studies.sessions import actions as sessions
from phybench.people.models import Role, User
from tests.addresses import EXPECTED, PEOPLE, WALKED, client_of, reverse_asked
from tests.boards import NOT_GRADED, MadeBoard, add_model, make_scored_board, store_grade
from tests.conftest import make_person
from tests.every_page.shown import read
from tests.grading.sessions.conftest import practise, write
from tests.memory import remembered
from tests.rendered import WRITTEN_FOR_PROGRAMS, list_texts
from tests.work import work_out_analyses

PROBLEMS, MODELS, SITTERS = 30, 6, 5


@pytest.fixture
@remembered
def failed(benchmark: Benchmark, evaluator: User, admin: User) -> MadeBoard:
    """Six models, a panel of them, people, and a study that has ended: no answer was graded."""
    benchmark.delete()
    rows = [[NOT_GRADED, NOT_GRADED]] * PROBLEMS
    people = {f"person-{number}": dict.fromkeys(range(6)) for number in range(SITTERS)}
    made = make_scored_board({"Model 0": rows}, people, slug="test", uploader=evaluator)
    for number in range(1, MODELS):
        add_model(made, f"Model {number}", rows)
    freeze(version=made.version, name="All", by=admin)
    study = studying.make(
        version=made.version,
        title="Students",
        by=admin,
        problems=3,
        minutes=60,
        joining=Study.Joining.OPEN,
        consent="I take part of my own will.",
    )
    studying.open_study(study=study, by=admin)
    for number in range(SITTERS):
        person = make_person(Role.PARTICIPANT, f"sitter-{number}")
        session = sessions.start(participation=practise(study, person), seed=number)
        for place in (1, 2, 3):
            write(session, place, "m g h", number=place)
        sessions.hand_in(session=session, person=person)
    studying.end_study(study=study, by=admin)
    Attempt.objects.update(status="FAILED", failure_reason="timeout")
    return made


def leave_waiting() -> None:
    Attempt.objects.update(status="QUEUED", failure_reason="")


def grade_one(made: MadeBoard) -> None:
    """Have one of a model's answers graded, and right."""
    one = Attempt.objects.filter(submission=made.submissions["Model 0"]).earliest("pk")
    store_grade(GradingRun.objects.get_adopted(made.benchmark.pk), one, 100.0)


LINK = re.compile(r'(?:href|src|srcset|hx-get)="([^"#]+)"')
UNFOLLOWED = ("/static/", "/admin/", "/accounts/")
OF_WORKERS = {"ready"}
"""Addresses that answer 503 while there is no worker."""
CHOICES = {"metric", "figure", "show", "sort", "layout"}
"""What an address may ask of which each value gives other figures."""


def follow_links(client: Client, *first: str) -> Iterator[tuple[str, HttpResponseBase]]:
    """Follow each kind of link once: an address by its name and each thing that it is asked."""
    # Most links are on every page: each is looked at once.
    waiting, known, seen = list(first), set(first), set()
    while waiting:
        address = waiting.pop(0)
        parts = urlsplit(address)
        found = resolve(parts.path)
        asked = {
            (name, value if name in CHOICES and value.strip("-").isalpha() else "")
            for name, value in parse_qsl(parts.query)
        }
        about = {(found.view_name, *one) for one in asked}
        about.add((found.view_name, "", str(found.kwargs.get("name", ""))))
        if about <= seen:
            continue
        seen |= about
        answer = client.get(address)
        yield address, answer
        if answer.get("Content-Type", "").startswith("text/html"):
            links = (
                urljoin(address, unescape(one).split()[0]) for one in LINK.findall(read(answer))
            )
            for one in links:
                if one[0] == "/" and one not in known and not one.startswith(UNFOLLOWED):
                    known.add(one)
                    waiting.append(one)


class Tables(HTMLParser):
    """Counts the rows of each table, headings apart."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[int] = []
        self.is_heading = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.rows.append(0)
        elif tag == "thead":
            self.is_heading = True
        elif tag == "tr" and self.rows and not self.is_heading:
            self.rows[-1] += 1

    def handle_endtag(self, tag: str) -> None:
        if tag == "thead":
            self.is_heading = False


FIGURE = re.compile(r"(?<![\d.–])(?:0\.0+|50\.0+|100\.0+)(?![\d.–])")
"""A mean of nothing, by some way to reckon it; where a mean can lie is no such figure."""
DRAWN = re.compile(
    r'<circle|<path|class="[^"]*\b(?:whisker|bar)\b[^"]*"|people: mean and middle half'
)
ENDS = ("_from", "_to", "_range", "least", "most")
PLANNED = ("minutes", "seconds")


def list_faults(answer: HttpResponseBase, *, is_measured: bool) -> Iterator[str]:
    """List what no page, picture or file may have, and where nothing is measured each figure."""
    kind, content = answer.get("Content-Type", ""), read(answer)
    if kind.startswith("text/html"):
        tables = Tables()
        tables.feed(content)
        if 0 in tables.rows:
            yield "a table of headings alone"
        figures = list_texts(content)
        yield from (text for text in figures if WRITTEN_FOR_PROGRAMS.search(text))
    elif "svg" in kind:
        figures = [] if is_measured else DRAWN.findall(content.partition("</style>")[2])
        yield from figures
        yield from re.findall(r'"(?:nan|None|inf)"', content)
    elif "csv" in kind:
        rows = list(csv.DictReader(io.StringIO(content)))
        figures = [
            f"{name}: {value}"
            for row in rows
            for name, value in row.items()
            if not name.endswith(ENDS) and not name.startswith(PLANNED)
        ]
        yield from (one for one in figures if one.endswith((": nan", ": None", ": inf")))
    elif "json" in kind and "jsonl" not in kind:
        figures = list(list_values(json.loads(content, parse_constant=pytest.fail)))
    else:
        return
    if not is_measured:
        yield from (text for text in figures if FIGURE.search(text))


def list_values(said: Any, name: str = "") -> Iterator[str]:
    if isinstance(said, dict):
        for key, value in said.items():
            if not key.endswith(ENDS):
                yield from list_values(value, key)
    elif isinstance(said, list):
        for value in said:
            yield from list_values(value, name)
    elif isinstance(said, float):
        yield f"{name}: {said}"


def list_starts(*slugs: str) -> dict[str, list[str]]:
    """List where to begin, by a person who may: what needs no number, or only a benchmark."""
    starts: dict[str, list[str]] = {person: [] for person in PEOPLE}
    for name in sorted({*WALKED} - OF_WORKERS):
        expected = EXPECTED[name]
        if expected.arguments not in ("", *(["benchmark.slug"] if slugs else [])):
            continue
        arguments = slugs if expected.arguments else ()
        for person in ("admin", *PEOPLE):
            if expected.of(person) in (200, 503):
                starts[person].append(reverse_asked(name, args=arguments))
                break
    return {person: addresses for person, addresses in starts.items() if addresses}


def walk(people: dict[str, User | None], *slugs: str, is_measured: bool = False) -> dict[str, Any]:
    """Follow all links as those who may, and list what is wrong by address."""
    wrong: dict[str, Any] = {}
    for person, starts in list_starts(*slugs).items():
        client = client_of(people[person])
        for address in starts:
            # So that workers are asked for what these show.
            if slugs and slugs[0] in address:
                client.get(address)
        work_out_analyses()
        for address, answer in follow_links(client, *starts):
            if answer.status_code == 503:
                # Of one that only a link leads to it is begun now.
                work_out_analyses()
                answer = client.get(address)
            if answer.status_code >= 500:
                wrong[address] = answer.status_code
            elif found := list(list_faults(answer, is_measured=is_measured)):
                wrong[address] = found
    return wrong


@pytest.fixture
def people(admin: User, evaluator: User, participant: User) -> dict[str, User | None]:
    known = {"visitor": None, "admin": admin, "evaluator": evaluator, "participant": participant}
    return {**known, "nobody": participant, "contributor": admin, "reviewer": admin}


@pytest.mark.django_db
def test_pages_hold_where_there_is_nothing(people):
    assert walk(people) == {}


@pytest.mark.django_db
def test_pages_hold_while_no_answer_is_graded_yet(people, failed):
    leave_waiting()
    assert walk(people, failed.benchmark.slug) == {}


@pytest.mark.slow
@pytest.mark.django_db
def test_pages_hold_where_one_answer_is_graded(people, failed):
    leave_waiting()
    grade_one(failed)
    assert walk(people, failed.benchmark.slug, is_measured=True) == {}


@pytest.mark.slow
@pytest.mark.django_db
def test_pages_hold_where_no_answer_could_be_graded(people, failed):
    assert walk(people, failed.benchmark.slug) == {}
