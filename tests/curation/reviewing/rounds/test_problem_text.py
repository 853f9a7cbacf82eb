"""The problem as solvers get it: the same on every page, with what is asked and the symbols."""

import re
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from curation.problems.models import Revision
from phybench.people.models import Role
from tests.addresses import client_of
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.rounds.opened import make_benchmark, open_round, review, solve

pytestmark = pytest.mark.django_db

TEMPLATES = Path(__file__).parents[4] / "templates"
ALONE = {
    "curation/_problem_text.html": 1,
    # Two statements compared, of which neither is to be solved there.
    "curation/_side_by_side.html": 2,
    # A text of the study's own, not of a problem.
    "grading/practise.html": 1,
}
SYMBOL = {"latex": "g", "meaning": "acceleration due to gravity", "unit": "m/s^2"}


@pytest.fixture
def problem(contributor):
    asks = {"quantity": "W", "unit": "J", "terms": ["m", "g", "h"], "conditions": ["h > 0"]}
    draft = make_draft(contributor, make_benchmark(), symbols=[SYMBOL], **asks)
    submit(draft, contributor)
    draft.refresh_from_db()
    return draft


def find_asked(html: str) -> str:
    """Return what a page says is asked, and of its symbols, as it is marked up; white space apart.

    >>> find_asked('<p class="wanted">Find  it</p><dl class="symbol-list"> a</dl>')
    '<p class="wanted">Find it</p> <dl class="symbol-list"> a</dl>'
    """
    pattern = r'<p class="wanted">.*?</p>|<dl class="symbol-list">.*?</dl>'
    return re.sub(r"\s+", " ", " ".join(re.findall(pattern, html, re.DOTALL)))


def write_asked(revision: Revision) -> str:
    return find_asked(render_to_string("curation/_problem_text.html", {"revision": revision}))


def test_every_stage_shows_the_whole_problem_and_before_the_solve_no_answer(
    problem, admin, contributor
):
    revision = problem.revisions.get()
    asked = write_asked(revision)
    assert "acceleration due to gravity" in asked
    assert "Find" in asked
    pages = {}
    people = [make_person(Role.REVIEWER, f"judge-{number}") for number in range(4)]
    for person in (people[0], people[1]):
        waiting = open_round(problem)
        address = reverse("curation:review", args=[waiting.pk])
        pages[waiting.version.name] = client_of(person).get(address)
        client_of(person).post(reverse("curation:review", args=[waiting.pk]), {"do": "show"})
        pages[f"{waiting.version.name}, shown"] = client_of(person).get(address)
        review(waiting, person)
    final = open_round(problem)
    address = reverse("curation:review", args=[final.pk])
    pages["Final solving"] = client_of(people[2]).get(address)
    assert "As written:" not in pages["Final solving"].content.decode()
    solve(final, people[2])
    pages["solved"] = client_of(people[2]).get(address)
    review(final, people[2])
    solve(final, people[3], "2 m g h")
    review(final, people[3], "REJECT")
    pages["split"] = client_of(admin).get(reverse("curation:decide", args=[final.pk]))
    for person in (contributor, admin, people[0], people[3]):
        pages[f"problem, {person}"] = client_of(person).get(problem.get_absolute_url())
    for name, page in pages.items():
        html = page.content.decode()
        assert find_asked(html) == asked, name
        assert "A ball of mass" in html, name
    assert len(pages) == 11


def test_who_answers_it_gets_what_its_reviewers_read(problem, admin, participant):
    waiting = open_round(problem)
    sent = {"step": "ACCEPT", "reason": "Known.", "known": 0, "heard": 0}
    client_of(admin).post(reverse("curation:decide", args=[waiting.pk]), sent)
    page = client_of(participant).get(reverse("grading:answer", args=[problem.pk]))
    assert find_asked(page.content.decode()) == write_asked(problem.revisions.get())


def test_the_preview_shows_it_as_it_is_read_once_it_is_submitted(problem, contributor):
    sent = {"statement": "A ball.", "quantity": "W", "unit": "J", "terms": "m, g", "answer": "m g"}
    page = client_of(contributor).post(
        reverse("curation:new", args=["test"]) + "?part=preview", sent
    )
    typed = re.search(r'<p class="wanted">.*?</p>', page.content.decode(), re.DOTALL)
    assert typed
    assert typed[0].startswith('<p class="wanted">Find')


def test_no_page_shows_the_statement_of_a_problem_without_what_is_asked():
    for path in TEMPLATES.rglob("*.html"):
        name = str(path.relative_to(TEMPLATES))
        shown = re.findall(r"\bstatement\|statement\b", path.read_text())
        assert len(shown) == ALONE.get(name, 0), name
