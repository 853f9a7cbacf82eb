"""What changed between two revisions, and who may see it."""

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from curation.authoring.drafts import actions
from curation.problems.models import Problem
from curation.reviewing.rounds.lifecycle import submit_review
from curation.texts.comparison import compare_words
from curation.texts.references.reference import SymbolRow
from tests.conftest import STATEMENT

TEXTS = st.text(alphabet="ab $\n\\", max_size=60)


@given(TEXTS, TEXTS)
def test_the_pieces_make_up_both_texts(before, after):
    pieces = compare_words(before, after)
    assert "".join(piece.text for piece in pieces if piece.kind != "added") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "removed") == after


def test_a_formula_changes_as_a_whole():
    pieces = compare_words("the mass $m_1 g$ falls", "the mass $m_2 g$ falls")
    changed = [(piece.kind, piece.text) for piece in pieces if piece.kind != "same"]
    assert changed == [("removed", "$m_1 g$"), ("added", "$m_2 g$")]


@pytest.fixture
def revised(draft: Problem, contributor, reviewer) -> Problem:
    submit_review(
        review_round=actions.submit(problem=draft, author=contributor),
        reviewer=reviewer,
        recommendation="REVISE",
        comment="Say that $h$ is small.",
    )
    return draft


def revise(problem: Problem, author, **fields: object) -> None:
    problem.refresh_from_db()
    actions.save_draft(problem=problem, author=author, saved_at="", **fields)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("m g h", "is the same"),
        (r"\frac{2 m g h}{2}", "same expression"),
        ("2 m g h", "A different expression"),
        (r"\frac{m", "undecided"),
    ],
)
def test_answers_are_compared_as_expressions(client, contributor, revised, answer, said):
    revise(revised, contributor, answer=answer, statement=f"{STATEMENT} Take $h$ as small.")
    client.force_login(contributor)
    page = client.get(reverse("curation:compare", args=[revised.pk])).content.decode()
    assert said in page
    assert "<ins> Take $h$ as small.</ins>" in page


@pytest.mark.django_db
def test_a_draft_that_nobody_was_shown_is_compared_by_its_author_alone(
    client, contributor, reviewer, revised
):
    revise(revised, contributor, answer="2 m g h")
    page = reverse("curation:compare", args=[revised.pk])
    client.force_login(reviewer)
    assert client.get(page).status_code == 404
    client.force_login(contributor)
    assert client.get(page, {"from": "1", "to": "2"}).status_code == 200
    for wrong in ("3", "x", "9" * 40):
        asked = client.get(page, {"from": wrong})
        assert asked.status_code == (200 if wrong != "3" else 404)


@pytest.mark.django_db
def test_symbols_are_compared_row_by_row_and_the_reason_is_told(client, contributor, revised):
    before = revised.revisions.get().symbols
    angle = SymbolRow(r"\theta", "an angle", "rad", "positive", "", r"\pi/2").store()
    mass = {**before[0], "meaning": "its <mass>"}
    symbols = [mass, *before[1:], angle]
    revise(revised, contributor, symbols=symbols, reason="Reviewers asked for symbols.")
    client.force_login(contributor)
    page = client.get(reverse("curation:compare", args=[revised.pk])).content.decode()
    assert "Reviewers asked for symbols." in page
    assert page.count("<del>") == 1
    assert page.count("<ins>") == 2
    assert "its &lt;mass&gt;" in page
    assert r'an angle [rad] <span class="math inline">\theta &lt; \pi/2</span>' in page


@pytest.mark.django_db
def test_an_answer_with_other_symbols_is_not_said_to_be_the_same(client, contributor, revised):
    symbols = [SymbolRow("h", sign="any").store()]
    revise(revised, contributor, symbols=symbols)
    client.force_login(contributor)
    page = client.get(reverse("curation:compare", args=[revised.pk])).content.decode()
    assert "Written differently, but the same expression" in page
