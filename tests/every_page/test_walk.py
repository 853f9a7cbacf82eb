"""
Every address of the project, as everybody: one walk holds all rules that pages have in common.

A new address fails here until the table in `tests/addresses.py` says who may have it, and one that
shows a statement, an answer, a solution or a verdict until `SHOWING` names it.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.conf import settings
from django.http import HttpResponseBase
from django.urls import reverse

from curation.problems.exposures import ledger
from curation.problems.models import Problem
from tests.addresses import (
    ADDRESSES,
    AS_FILE,
    EXPECTED,
    LISTS,
    LOGIN,
    ONE_TIME_KEYS,
    OURS,
    PEOPLE,
    WALKED,
    World,
    add_asked,
    address_of,
    ask_twice,
    client_of,
    reverse_asked,
)
from tests.every_page.language import list_flaws, list_said_badly, list_wrongly_marked
from tests.every_page.menu import is_unmarked, list_crowds
from tests.every_page.shown import Mark, find_shown, forget, list_recorded, read
from tests.every_page.writes import WRITING, WRITTEN_ONCE, noting_writes
from tests.rendered import list_texts
from tests.world import KEY, SOLUTION

SHOWING = {
    person: set(names.split())
    for person, names in {
        "visitor": "",
        "nobody": """
            curation:problem
        """,
        "contributor": """
            curation:problem curation:similar curation:translation
        """,
        "reviewer": """
            curation:problem curation:review curation:similar
        """,
        "participant": """
            grading:own_data grading:session
        """,
        "evaluator": """
            curation:problem curation:version?as=jsonl grading:attempt
            grading:full_receipt_json grading:judgement grading:task
            grading:submission?do=publish grading:receipt grading:receipt_json grading:submission
            grading:submission?as=csv grading:submission?as=jsonl grading:submissions
            grading:submissions_csv
        """,
        "admin": """
            curation:compare curation:decide curation:problem curation:report
            curation:similar curation:translation curation:version?as=jsonl
            grading:attempt grading:contest grading:full_receipt_json
            grading:judgement grading:key grading:label_audit
            grading:label_first_error grading:preview_session grading:task
            grading:submission?do=publish grading:receipt grading:receipt_json grading:rule
            grading:study_asked grading:submission grading:submission?as=csv
            grading:submission?as=jsonl grading:submissions grading:submissions_csv
        """,
    }.items()
}
"""Addresses that show texts of submitted revisions, or verdicts, and to whom."""

LANGUAGES = ["zh-hans", pytest.param("en", marks=pytest.mark.slow)]
OF_TWO_LANGUAGES = {"grading:study_asked", "grading:trial_answer"}
"""What was asked of a model is a text of two languages."""
DOCUMENT = re.compile(r"\s*<!doctype html>")
"""How a page begins, and no part of one that htmx puts into it."""
INTO_THE_BACK_OFFICE = re.compile(r"""(?:href|action|hx-\w+)=["']?(/admin/[^"'\s>]+)""")
"""Links below the first page of the back office: to that one alone the records have a link."""


def test_the_table_says_who_may_have_each_address():
    assert set(OURS) - set(EXPECTED) - set(ONE_TIME_KEYS) == set()


def test_the_table_names_no_address_that_is_gone():
    assert set(EXPECTED) - set(ADDRESSES) == set()


@dataclass
class Walk:
    """What one person got, and what broke a rule on the way."""

    person: str
    interface: str
    answered: dict[str, int | str] = field(default_factory=dict)
    showing: set[str] = field(default_factory=set)
    """Names of the addresses that showed a text of a submitted revision, or a verdict."""
    broken: dict[str, list[object]] = field(default_factory=lambda: defaultdict(list))

    def note(self, rule: str, *found: object) -> None:
        self.broken[rule].append(found)

    def look_for_secrets(self, address: str, content: str) -> None:
        if self.person != "admin" and (KEY in content or SOLUTION in content):
            self.note("only an admin gets a key", address)

    def look_at_page(self, name: str, address: str, page: str) -> None:
        if name not in OF_TWO_LANGUAGES:
            for text in list_wrongly_marked(page):
                self.note("what people wrote is marked as in its language", name, text)
            for said in list_said_badly(self.interface, page):
                self.note("a page says things plainly and well set", name, said)
        for link in INTO_THE_BACK_OFFICE.findall(page):
            self.note("no page leads into the back office", name, link)
        for crowd in list_crowds(page) if DOCUMENT.match(page) else ():
            self.note("a page has a heading, and offers few things at once", name, crowd)
        if is_unmarked(self.person, address, page):
            self.note("the menu marks the one place of a page", name)


def list_addresses(world: World) -> Iterator[tuple[str, str]]:
    """List each address as the table has it; what is about a problem for every problem."""
    problems = list(Problem.objects.values_list("pk", flat=True))
    for name in WALKED:
        yield name, (first := address_of(name, world))
        if name in LISTS:
            yield name, add_asked(first, AS_FILE)
        is_of_one = EXPECTED[name].arguments.endswith(".pk") and " " not in EXPECTED[name].arguments
        if is_of_one and first.startswith("/p/"):
            for pk in problems:
                yield name, reverse_asked(name, args=[pk])
    for pk in problems:
        yield "curation:problem", reverse("curation:problem", args=[pk]) + "?revision=1"


def describe_first(answer: HttpResponseBase, person: str) -> int | str:
    """Tell the status of an address itself, whatever it led to, and whether that asks to log in."""
    leads_to, status = next(iter(answer.redirect_chain), ("", answer.status_code))
    is_login = leads_to.startswith(reverse("account_login"))
    return LOGIN if is_login and person == "visitor" else status


def take(walk: Walk, world: World, marks: dict[str, Mark], misses: list[str]) -> None:
    """Ask each address for a page, and for what htmx is given instead; what it gives, twice."""
    person = world.people[walk.person]
    client = client_of(person)
    client.cookies["django_language"] = walk.interface
    forget()
    asked: set[str] = set()
    with noting_writes() as written:
        for name, address in list_addresses(world):
            if address in asked:
                continue
            asked.add(address)
            for answer in ask_twice(client, address, follow=True):
                status = describe_first(answer, walk.person)
                walk.answered.setdefault(name, status)
                content = read(answer)
                walk.look_for_secrets(address, content)
                if misses:
                    walk.note("a template names what its page gives", name, set(misses))
                if beyond := set(written) - WRITTEN_ONCE:
                    walk.note("who reads makes the server keep what was shown alone", name, beyond)
                if answer.status_code < 400:
                    written.clear()
                    read(client.get(address, headers=choose_headers(answer)))
                if written:
                    walk.note("who reads again, or is refused, writes nothing", name, set(written))
                if shown := find_shown(content, marks):
                    if not answer.redirect_chain:
                        walk.showing.add(name)
                    if missing := shown - list_recorded(person):
                        walk.note("what is shown is written down", address, missing)
                    forget()
                is_page = answer.get("Content-Type", "").startswith("text/html")
                if status == 200 and is_page and not choose_headers(answer):
                    walk.look_at_page(name, address, content)
                if person and not {"private", "no-store"} & set(read_cache_control(answer)):
                    walk.note("no cache keeps what members see", name)
                misses.clear()
                written.clear()


def choose_headers(answer: HttpResponseBase) -> dict[str, str]:
    """Return those of htmx that were sent for an answer, to ask for it again."""
    sent = answer.wsgi_request.headers
    return {name: sent[name] for name in ("HX-Request", "HX-Target") if name in sent}


def read_cache_control(answer: HttpResponseBase) -> list[str]:
    return answer.get("Cache-Control", "").split(", ")


@pytest.mark.django_db
@pytest.mark.parametrize("interface", LANGUAGES)
@pytest.mark.parametrize("person", PEOPLE)
def test_every_address_keeps_all_rules(world, marks, misses, monkeypatch, person, interface):
    # The ten minutes, in which what is shown again is written down once, may end between the two.
    monkeypatch.setattr(ledger, "SLOT", timedelta(days=36_500))
    walk = Walk(person, interface)
    take(walk, world, marks, misses)
    assert walk.answered == {name: EXPECTED[name].of(person) for name in WALKED}
    assert walk.showing == SHOWING[person]
    assert dict(walk.broken) == {}


@pytest.mark.django_db
def test_the_key_is_where_its_author_looks_for_it(world):
    """Without this the walk would hold for an empty page."""
    answer = client_of(world.author).get(world.accepted.get_absolute_url())
    assert KEY in answer.content.decode()
    assert SOLUTION in answer.content.decode()


@pytest.mark.django_db
def test_the_page_of_a_disagreement_has_what_was_answered(world, admin):
    """Without this the walk would hold for a round that asks nothing."""
    address = reverse("curation:decide", args=[world.disputed.pk])
    page = client_of(admin).get(address).content.decode()
    assert '<th scope="row">Does the statement allow one reading only?</th>' in page
    assert re.search(r'data-label="Reviewer [A-Z]">[Yy]es</td>', page)


def test_no_template_leads_into_the_back_office_but_by_the_one_link_on_the_records():
    """Also in the parts that the walk doesn't come by, as what is there before any benchmark."""
    leading = {
        (str(template.relative_to(folder)), name)
        for folder in settings.TEMPLATES[0]["DIRS"]
        for template in folder.rglob("*.*")
        for name in re.findall(r"admin:\w+|/admin/", template.read_text())
        if template.parent.name != "admin"
    }
    assert leading == {("curation/exposures.html", "admin:index")}


def test_what_writes_is_told_from_what_only_locks():
    said = ["INSERT INTO a VALUES", '  UPDATE "a" SET', "WITH b AS (DELETE FROM a", "DELETE FROM a"]
    assert [WRITING.findall(one) for one in said] == [["a"]] * 4
    assert WRITING.findall("SELECT 1 FROM a FOR NO KEY UPDATE OF a") == []


def test_flaws_are_noticed():
    assert list_flaws("en", "Nobody came (not_graded).")
    assert list_flaws("zh-hans", "两人, 三人")
    for said in ("QuestionApart(key='7', apart=None)", "of <User: A>", "None", "{}", "nan to 3.0"):
        assert list_flaws("en", said), said
    assert list_flaws("en", "None of these is open.") == []
    assert INTO_THE_BACK_OFFICE.findall('<a href="/admin/curation/">') == ["/admin/curation/"]
    blue, nav = '<a class="button primary">', '<nav class="site-nav">'
    assert list_crowds(f"<h1>{blue}{nav}{'<a >' * 7}</nav>") == []
    assert list_crowds(blue * 2 + nav + "<a >" * 8 + "</nav>") == [
        *("no heading", "two blue buttons", "8 places side by side"),
    ]
    assert list_flaws("zh-hans", "还没有账号： 注册")
    assert list_flaws("zh-hans", "这里 is some English")
    assert list_flaws("zh-hans", "Organisation of Evaluator 的模型，两人") == []
    assert list_texts("<p>Say <code>not_graded</code> <b lang='zh'>甲</b></p>") == ["Say … …"]
