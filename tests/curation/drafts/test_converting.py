"""LaTeX that was pasted into the editor: one button to our Markdown, one back."""

import re

import pytest
from django.urls import reverse

from curation.problems.models import Problem
from tests.curation.drafts.editor import fields

pytestmark = pytest.mark.django_db

LATEX = "A \\textbf{ball} of mass~$m$.\n\\begin{equation}\n E = m c^2\n\\end{equation}\n\\cite{a}"
MARKDOWN = "A **ball** of mass $m$.\n\n$$\nE = m c^2\n$$\n\n\\cite{a}"


def find_text(page: str, name: str = "statement") -> str:
    found = re.search(rf'<textarea name="{name}"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert found
    return found[1]


def find_before(page: str, name: str = "statement") -> str:
    found = re.search(rf'name="{name}_before" value="([^"]*)"', page)
    assert found
    return found[1]


@pytest.mark.parametrize("name", ["statement", "solution"])
def test_a_text_is_converted_in_its_place_and_back(author, name):
    preview = reverse("curation:new", args=["test"]) + "?part=preview"
    answer = author.post(preview, {name: LATEX, "convert": name})
    assert answer["HX-Trigger-After-Settle"] == "converted"
    assert find_text(answer.text, name) == MARKDOWN
    assert r"<code>\cite{a}</code>" in answer.text
    before = find_before(answer.text, name)
    back = author.post(preview, {name: MARKDOWN, f"{name}_before": before, "unconvert": name})
    assert find_text(back.text, name) == LATEX
    assert "unconvert" not in back.text


def test_without_scripts_the_page_comes_back_converted_and_nothing_is_stored(author, benchmark):
    data = fields(benchmark, statement=LATEX)
    page = author.post(reverse("curation:new", args=["test"]), {**data, "convert": "statement"})
    assert find_text(page.text) == MARKDOWN
    assert 'data-unsaved="now"' in page.text
    assert not Problem.objects.exists()
    # What else was typed is there as before.
    assert 'value="A falling ball"' in page.text
    undo = {**data, "statement": MARKDOWN, "statement_before": LATEX, "unconvert": "statement"}
    assert find_text(author.post(reverse("curation:new", args=["test"]), undo).text) == LATEX


def test_without_scripts_a_stored_draft_stays_as_it_is_until_it_is_saved(author, draft, benchmark):
    before = draft.revisions.get().statement
    data = fields(benchmark, statement=LATEX)
    page = author.post(reverse("curation:edit", args=[draft.pk]), {**data, "convert": "statement"})
    assert find_text(page.text) == MARKDOWN
    assert draft.revisions.get().statement == before


def test_only_texts_are_converted(author):
    data = {"answer": LATEX, "convert": "answer"}
    assert (
        author.post(reverse("curation:new", args=["test"]) + "?part=preview", data).status_code
        == 404
    )
