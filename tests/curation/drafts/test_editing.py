"""The editor: what is refused and where, what is never lost."""

import re
from functools import partial

import pytest
from django.urls import reverse

from curation.drafts.preview import make_preview
from curation.problems.models import Problem
from curation.references.sentences import translate
from curation.workflow import Status
from phybench.models import Role
from tests.addresses import client_of
from tests.conftest import STATEMENT, make_draft, make_person
from tests.curation.at_once import at_once
from tests.work import make_certificate

pytestmark = pytest.mark.django_db


@pytest.fixture
def author(client, contributor):
    client.force_login(contributor)
    return client


def fields(benchmark, **changed: str) -> dict[str, str]:
    return {
        "title": "A falling ball",
        "benchmark": str(benchmark.pk),
        "domain": "MECHANICS",
        "difficulty": "HIGH_SCHOOL",
        "statement": STATEMENT,
        "answer": "m g h",
        "solution": "",
        **changed,
    }


def test_a_draft_may_be_incomplete(author, benchmark):
    author.post(
        reverse("curation:new"),
        fields(benchmark, statement="", answer="", then="save"),
    )
    assert Problem.objects.get().status == Status.DRAFT


REFUSED = [
    ("answer", "E = m g h = 3", "equation"),
    ("answer", "0.5 m g h", "1/2 instead of 0.5"),
    ("answer", "m g h, 2 m g h", "several"),
    ("answer", r"\frac{m g", "bracket"),
    ("statement", STATEMENT + " ![](ball.png)", "image shows"),
    ("statement", STATEMENT + " See https://example.org/ball.png for it.", "linked figure"),
    ("statement", STATEMENT + " It looks as shown in the figure.", "figure shows"),
    ("statement", STATEMENT + r" Its speed is $\foo{v}$.", r"does not know the command \foo"),
    ("statement", STATEMENT + "\n\n$$\\frac{1}{$$", "never closed"),
    ("statement", STATEMENT + r" \section{Notes}", "outside a formula"),
    ("statement", STATEMENT + "\n\\begin{equation}\nx\n\\end{equation}", "two dollar signs"),
    ("solution", r"So $\foo{v}$.", r"does not know the command \foo"),
    ("answer", "42", "This is a number"),
    ("answer", r"\frac{157}{100} m g h", "Is 157/100 exact?"),
]


@pytest.mark.parametrize(("field", "text", "message"), REFUSED)
def test_what_breaks_a_rule_is_kept_as_a_draft_and_refused_at_its_field(
    author, benchmark, field, text, message
):
    data = fields(benchmark, **{field: text}, then="submit")
    answer = author.post(reverse("curation:new"), data, follow=True)
    problem = Problem.objects.get()
    assert problem.status == Status.DRAFT
    assert getattr(problem.revisions.get(), field) == text
    errors = " ".join(answer.context["form"].errors[field])
    assert message in errors


def test_a_good_one_is_submitted_once_the_grader_has_tried_it(author, benchmark):
    author.post(reverse("curation:new"), fields(benchmark, then="submit"))
    problem = Problem.objects.get()
    assert problem.status == Status.DRAFT
    make_certificate(problem.certificates.get().pk)
    author.post(reverse("curation:submit", args=[problem.pk]))
    problem.refresh_from_db()
    assert problem.status == Status.IN_REVIEW


def test_the_preview_shows_the_reading_and_broken_rules(author):
    page = author.post(
        reverse("curation:preview"), {"statement": STATEMENT, "answer": "E=mgh=1", "solution": ""}
    )
    text = page.content.decode()
    assert "<html" not in text
    assert "falling" in text
    assert "equation" in text


ANYTHING = {
    "tower": "9^{9^{9^9}}",
    "brackets": "(" * 3000,
    "a megabyte": "x" * 1_000_000,
    "control characters": "\x00\x01",
    "half a fraction": r"\frac{",
    "code": "__import__('os')",
}


@pytest.mark.parametrize("answer", ANYTHING.values(), ids=ANYTHING)
def test_the_preview_answers_whatever_is_typed(author, answer):
    data = {"statement": "<script>alert(1)</script> $x", "answer": answer, "solution": "$$\\frac{"}
    page = author.post(reverse("curation:preview"), data)
    assert page.status_code == 200
    assert "<script>" not in page.content.decode()


def test_the_preview_underlines_what_can_not_be_displayed(author):
    texts = {"statement": r"A speed $\foo{v}$.", "answer": "m", "solution": "$$\\frac{1}{$$"}
    page = author.post(reverse("curation:preview"), texts).content.decode()
    assert r"A speed $<mark>\foo</mark>{v}$." in page
    assert r"$$\frac{1}<mark>{</mark>$$" in page
    stands = dict(make_preview(texts).checks)
    assert stands["The statement needs no figure or link"] == "kept"
    assert stands["The statement does not display correctly"] == "broken"
    assert stands["The solution does not display correctly"] == "broken"
    assert "The statement displays correctly" not in stands


def test_the_checks_say_how_many_rules_an_answer_breaks():
    checks = make_preview({"statement": "A mass $m$.", "answer": "42", "solution": ""}).checks
    assert ("The answer breaks 1 rule", "broken") in checks
    assert ("The answer keeps every rule", "open") in make_preview({"answer": " "}).checks


def test_a_fraction_that_its_author_confirms_is_exact_and_stays_so(author, benchmark):
    answer = r"\frac{157}{100} m g h"
    author.post(reverse("curation:new"), fields(benchmark, answer=answer, then="submit"))
    problem = Problem.objects.get()
    editor = reverse("curation:edit", args=[problem.pk])
    refused = author.get(editor + "?refused=1")
    question = 'id="exact-1" form="editor" name="exact" value="157/100"'
    assert question + ">" in refused.content.decode()
    assert not problem.certificates.exists()

    seen = refused.context["form"]["saved_at"].value()
    data = fields(benchmark, answer=answer, exact="157/100", saved_at=seen, then="submit")
    author.post(editor, data)
    assert problem.revisions.get().exact == ["157/100"]
    assert problem.certificates.exists()
    assert question + " checked>" in author.get(editor).content.decode()
    # Of another number nothing was said.
    preview = make_preview({"answer": r"\frac{314}{100} R", "exact": ["157/100"]})
    assert [one.code for one in preview.checked.answer] == ["rounded"]


@pytest.mark.parametrize("exact", ["x", "1/2/3", "\x00", "1" * 50 + "/2"])
def test_what_is_no_fraction_is_not_kept_as_exact(author, benchmark, exact):
    author.post(reverse("curation:new"), fields(benchmark, exact=exact, then="save"))
    assert Problem.objects.get().revisions.get().exact == []


def test_of_two_tabs_the_older_save_is_refused_and_both_texts_are_shown(author, benchmark):
    author.post(reverse("curation:new"), fields(benchmark, then="save"))
    problem = Problem.objects.get()
    editor = reverse("curation:edit", args=[problem.pk])
    seen = author.get(editor).context["form"].initial["saved_at"]
    author.post(editor, fields(benchmark, solution="From the first tab.", saved_at=seen))
    second = author.post(editor, fields(benchmark, solution="From the second tab.", saved_at=seen))
    page = second.content.decode()
    assert "From the first tab." in page
    assert "From the second tab." in page
    assert problem.revisions.get().solution == "From the first tab."

    # What is shown has been read: saving again replaces it.
    shown = second.context["form"]["saved_at"].value()
    author.post(editor, fields(benchmark, solution="From the second tab.", saved_at=shown))
    assert problem.revisions.get().solution == "From the second tab."


def test_nobody_else_edits_submits_or_deletes_it(client, draft):
    client.force_login(make_person(Role.CONTRIBUTOR, "another"))
    for name in ("edit", "submit", "withdraw", "delete"):
        assert client.post(reverse(f"curation:{name}", args=[draft.pk])).status_code == 404
    draft.refresh_from_db()
    assert draft.status == Status.DRAFT


def test_what_was_submitted_is_not_deleted_but_withdrawn(author, draft):
    author.post(reverse("curation:submit", args=[draft.pk]))
    author.post(reverse("curation:delete", args=[draft.pk]))
    draft.refresh_from_db()
    assert draft.status == Status.IN_REVIEW
    author.post(reverse("curation:withdraw", args=[draft.pk]))
    draft.refresh_from_db()
    assert draft.status == Status.RETURNED
    page = author.get(draft.get_absolute_url()).content.decode()
    assert "Please revise this problem." in page
    assert "What the reviewers said" not in page


def test_deleting_a_draft_asks_first(author, draft):
    asked = author.get(reverse("curation:delete", args=[draft.pk]))
    assert "can’t be undone" in asked.content.decode()
    assert Problem.objects.filter(pk=draft.pk).exists()
    author.post(reverse("curation:delete", args=[draft.pk]))
    assert not Problem.objects.filter(pk=draft.pk).exists()


def test_opening_the_editor_costs_the_same_for_any_number_of_problems(
    author, contributor, benchmark, django_assert_num_queries
):
    first = make_draft(contributor, benchmark)
    editor = reverse("curation:edit", args=[first.pk])
    author.get(editor)
    with django_assert_num_queries(9):
        author.get(editor)
    make_draft(contributor, benchmark)
    make_draft(contributor, benchmark)
    with django_assert_num_queries(9):
        author.get(editor)


def test_a_preview_asks_the_database_only_who_is_there(
    author, contributor, benchmark, django_assert_num_queries
):
    data = {"statement": STATEMENT, "answer": "m g h"}
    for problems in (1, 2):
        for _ in range(problems):
            make_draft(contributor, benchmark)
        with django_assert_num_queries(2):
            author.post(reverse("curation:preview"), data)


# --- Saving while one types -----------------------------------------------------------------


def stored(page) -> dict[str, str]:
    """Return what the answer to a saving puts into the form."""
    return dict(re.findall(r'name="(problem|saved_at)" value="([^"]*)"', page.content.decode()))


def test_the_first_saving_makes_the_draft_and_the_next_go_on_with_it(author, benchmark):
    autosave = reverse("curation:autosave")
    first = author.post(autosave, fields(benchmark, answer="m g"))
    assert first["HX-Replace-Url"] == reverse("curation:edit", args=[Problem.objects.get().pk])
    second = author.post(autosave, {**fields(benchmark, answer="m g h"), **stored(first)})
    assert "HX-Replace-Url" not in second
    assert Problem.objects.get().revisions.get().answer == "m g h"
    # A browser that could not be told the new address saves to the same problem too.
    author.post(reverse("curation:new"), {**fields(benchmark, answer="2"), **stored(second)})
    assert Problem.objects.get().revisions.get().answer == "2"


def test_what_can_not_be_stored_yet_is_said_and_nothing_made(author, benchmark):
    page = author.post(reverse("curation:autosave"), fields(benchmark, title="", domain=""))
    assert "not saved yet: see Title, Domain" in page.content.decode()
    assert not Problem.objects.exists()


def test_of_two_tabs_the_older_one_is_told_that_it_is_not_saved(author, benchmark):
    autosave = reverse("curation:autosave")
    start = stored(author.post(autosave, fields(benchmark)))
    author.post(autosave, {**fields(benchmark, solution="First tab."), **start})
    second = author.post(autosave, {**fields(benchmark, solution="Second tab."), **start})
    assert "changed elsewhere" in second.content.decode()
    assert stored(second) == {}
    assert Problem.objects.get().revisions.get().solution == "First tab."


def test_nobody_saves_into_the_problem_of_another(client, draft, benchmark):
    client.force_login(make_person(Role.CONTRIBUTOR, "another"))
    data = {**fields(benchmark), "problem": str(draft.pk)}
    assert client.post(reverse("curation:autosave"), data).status_code == 404
    assert client.post(reverse("curation:new"), data).status_code == 404


def test_what_is_in_review_is_not_saved_into(author, draft, contributor, benchmark):
    author.post(reverse("curation:submit", args=[draft.pk]))
    data = {**fields(benchmark, answer="0"), "problem": str(draft.pk), "saved_at": ""}
    assert "Not saved" in author.post(reverse("curation:autosave"), data).content.decode()
    assert draft.revisions.get().answer == "m g h"


# --- Symbols, and what else is declared -----------------------------------------------------


def rows(*symbols: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the fields of a symbol table: latex, meaning, unit, sign, low, high of each row."""
    names = ("latex", "meaning", "unit", "sign", "low", "high")
    filled = [(*row, *("", "", "positive", "", "")[len(row) - 1 :]) for row in symbols]
    return {f"symbol_{name}": [row[place] for row in filled] for place, name in enumerate(names)}


def test_a_folded_row_sets_its_unit_as_a_reader_sees_it(author):
    data = {"statement": "$g$ at $h$", "answer": "g h", **rows(("g", "free fall", "m/s^2"))}
    page = author.post(reverse("curation:preview"), data).content.decode()
    folded = re.findall(r'class="symbol-line">(.*?)</label>', page)[0]
    assert folded == 'free fall <span class="unit">m/s<sup>2</sup></span></span>'


def test_the_table_is_filled_while_one_types_and_keeps_what_was_written(author):
    data = {"statement": "$m$ at $h$", "answer": "m g h", **rows(("m", "mass", "kg"), ("q",))}
    page = author.post(reverse("curation:preview"), data).content.decode()
    assert 'id="symbol-rows" hx-swap-oob="true"' in page
    assert re.findall(r'name="symbol_latex" value="([^"]*)"', page) == ["m", "g", "h", ""]
    assert 'value="mass"' in page


def test_a_table_that_needs_nothing_is_left_alone(author):
    data = {"statement": "$m$", "answer": "m", **rows(("m", "mass", "kg"))}
    assert "symbol-rows" not in author.post(reverse("curation:preview"), data).content.decode()


UNUSED = r'id="unused-(\d)"[^>]*>The statement and the reference answer don’t use this symbol'


@pytest.mark.parametrize(
    ("texts", "unused"),
    [
        ({}, ["4"]),
        ({"quantity": "v_{0}"}, []),
        ({"conditions": r"v_0 \ll \sqrt{g h}"}, []),
        ({"statement": "A ball of mass $m$ falls by $h$ from $v_{ 0 }$. Find its energy."}, []),
        ({"answer": "m g h + m v_0^2/2"}, []),
        # What can't be read may mention it.
        ({"answer": r"\foo v_0"}, []),
        ({"statement": ""}, []),
    ],
)
def test_a_symbol_that_nothing_mentions_is_pointed_out_at_its_row(author, texts, unused):
    table = rows(("m", "mass"), ("h", "height"), ("g", "gravity"), ("v_0", "initial speed", "m/s"))
    statement = "A ball of mass $m$ falls by $h$. Find its energy."
    data = {"statement": statement, "answer": "m g h", **table, **texts}
    page = author.post(reverse("curation:preview"), data).content.decode()
    assert re.findall(UNUSED, page) == unused


def test_what_is_left_of_the_worked_example_is_pointed_out_and_can_be_submitted(author, benchmark):
    table = rows(("m", "mass"), ("h", "height"), ("v_0", "initial speed", "m/s"))
    author.post(reverse("curation:new"), {**fields(benchmark), **table})
    problem = Problem.objects.get()
    page = author.get(reverse("curation:edit", args=[problem.pk])).content.decode()
    assert re.findall(UNUSED, page) == ["3"]
    assert make_preview({**fields(benchmark), "symbols": problem.revisions.get().symbols})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("m", "mass", "furlong per"), "no unit"),
        (("a b",), "not a single symbol"),
        (("m", "", "", "positive", "-1"), "contradict"),
        (("m", "", "", "odd"), "Choose a sign"),
    ],
)
def test_a_row_that_is_wrong_says_so_and_is_not_submitted(author, benchmark, row, message):
    data = {**fields(benchmark, then="submit"), **rows(row)}
    answer = author.post(reverse("curation:new"), data, follow=True)
    assert message in answer.content.decode()
    assert Problem.objects.get().status == Status.DRAFT
    assert Problem.objects.get().revisions.get().symbols[0]["latex"] == row[0]


def test_units_that_do_not_fit_together_are_caught_while_typing(author):
    known = rows(("m", "", "kg"), ("h", "", "m"))
    data = {"statement": "$m$ $h$", "answer": "m g h", **known}
    assert "kg m² s⁻²" in author.post(reverse("curation:preview"), data).content.decode()
    data["answer"] = "m + h"
    page = author.post(reverse("curation:preview"), data).content.decode()
    assert "different units" in page


def test_what_is_declared_is_stored_and_frozen_with_the_revision(author, benchmark):
    declared = rows(("m", "mass", "kg"), (r"\theta", "an angle", "1", "positive", "", r"\pi/2"))
    statement = STATEMENT + r" The slope is $\theta$."
    data = {**fields(benchmark, statement=statement, quantity="E", then="certify"), **declared}
    author.post(reverse("curation:new"), data)
    problem = Problem.objects.get()
    make_certificate(problem.certificates.get().pk)
    author.post(reverse("curation:submit", args=[problem.pk]))
    revision = problem.revisions.get()
    assert revision.submitted_at is not None
    assert revision.quantity == "E"
    assert [row["latex"] for row in revision.symbols] == ["m", r"\theta", "g", "h"]
    assert dict(revision.reference.question.domains)[r"\theta"].high is not None


def test_answers_that_must_score_are_tried_with_the_certificate(author, benchmark):
    data = fields(benchmark, must_accept="g h m\r\n\r\nmgh", must_reject="m g", then="certify")
    author.post(reverse("curation:new"), data)
    problem = Problem.objects.get()
    certificate = problem.certificates.get()
    make_certificate(certificate.pk)
    certificate.refresh_from_db()
    own = {(row["kind"], row["text"], row["outcome"]) for row in certificate.rows[-3:]}
    assert own == {
        ("must_accept", "g h m", "PASSED"),
        ("must_accept", "mgh", "PASSED"),
        ("must_reject", "m g", "PASSED"),
    }


def test_what_must_be_accepted_but_is_not_blocks(author, benchmark):
    data = fields(benchmark, must_accept="2 m g h", then="certify")
    author.post(reverse("curation:new"), data)
    problem = Problem.objects.get()
    make_certificate(problem.certificates.get().pk)
    page = author.post(reverse("curation:submit", args=[problem.pk]), follow=True)
    text = page.content.decode()
    assert "An example of yours contradicts the reference answer" in text
    assert "You listed this as right, but its value is not that of the reference answer" in text
    assert "does not grade" not in text
    assert problem.certificates.get().outcome == "FAILED"


def test_a_wrong_example_that_is_right_is_blamed_and_not_the_answer(author, benchmark):
    data = fields(benchmark, must_reject="h m g", then="certify")
    author.post(reverse("curation:new"), data)
    problem = Problem.objects.get()
    make_certificate(problem.certificates.get().pk)
    text = author.get(reverse("curation:edit", args=[problem.pk])).content.decode()
    assert "An example of yours contradicts the reference answer" in text
    assert "You listed this as wrong, but it has the value of the reference answer" in text
    assert "does not grade" not in text


def test_a_statement_like_another_is_compared_before_it_is_submitted(
    author, benchmark, contributor, draft
):
    author.post(reverse("curation:submit", args=[draft.pk]))
    second = make_draft(contributor, benchmark)
    submit = reverse("curation:submit", args=[second.pk])
    page = author.post(submit, follow=True).content.decode()
    assert "Similar to this one" in page
    assert f'name="different_from" value="{draft.pk}"' in page
    second.refresh_from_db()
    assert second.status == Status.DRAFT
    author.post(submit, {"different_from": [str(draft.pk)]})
    second.refresh_from_db()
    assert second.status == Status.IN_REVIEW
    assert f"compared it with C{draft.pk}" in translate(second.events.last().message)


def test_of_an_ambiguous_answer_each_reading_can_be_taken_over(author):
    page = author.post(reverse("curation:preview"), {"answer": r"1/2\pi"}).content.decode()
    assert re.findall(r'data-write="([^"]*)"', page) == [
        r"\left(1/2\right)\pi",
        r"1/\left(2\pi \right)",
    ]


HOSTILE = {
    "a paste of 1 MB": {"statement": "a" * 1_000_000, "answer": "x" * 1_000_000},
    "an unbalanced dollar": {"statement": "The mass $m is", "answer": "m"},
    "all formula": {"statement": "$$" + "x+" * 3000 + "x$$", "answer": "x"},
    "400 formulas": {"statement": "$m$", "answer": "m", "solution": "$m$ " * 400},
    "LaTeX that can't be drawn": {"statement": r"$\frac{a$ and $\unknown{x}$", "answer": "x"},
    "control characters": {"statement": "$\theta$", "answer": "\theta\x00", "quantity": "\x00"},
    "many symbols": {"answer": "x", "symbol_latex": ["x"] * 150},
    "a tower": {"answer": "9^{9^{9^9}}", **rows(("x", "", "", "any", "9^{9^{9^9}}", ""))},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_the_preview_answers_whatever_is_pasted(author, name):
    page = author.post(reverse("curation:preview"), HOSTILE[name])
    assert page.status_code == 200
    assert "Answer, as it is read" in page.content.decode()


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_pasted_breaks_saving(author, benchmark, name):
    answer = author.post(reverse("curation:new"), {**fields(benchmark), **HOSTILE[name]})
    assert answer.status_code in {200, 302}


def test_two_submits_of_one_form_open_one_round(author, draft):
    submit = reverse("curation:submit", args=[draft.pk])
    author.post(submit)
    second = author.post(submit, follow=True)
    assert "no draft of this problem" in second.content.decode()
    assert draft.revisions.filter(round__isnull=False).count() == 1


def test_the_list_says_what_is_asked_of_its_author_next(author, draft, benchmark, contributor):
    make_draft(contributor, benchmark, answer=" ", title="Without an answer")
    author.post(reverse("curation:submit", args=[draft.pk]))
    page = author.get(reverse("curation:problems") + "?show=mine").content.decode()
    assert "wait for reviewers: 0 of 1 done" in page
    assert "finish it, and submit it" in page


def test_a_new_form_sent_twice_begins_one_problem(author, benchmark):
    data = fields(benchmark, form_key="of-one-page", then="save")
    author.post(reverse("curation:new"), data)
    again = author.post(reverse("curation:new"), data, follow=True)
    assert "The draft is saved." in again.content.decode()
    assert Problem.objects.count() == 1
    # Nor does saving while one types, when the page has not heard of the first saving.
    author.post(reverse("curation:autosave"), data)
    assert Problem.objects.count() == 1


def test_the_key_of_a_form_is_each_persons_own(client, author, benchmark):
    data = fields(benchmark, form_key="of-one-page")
    author.post(reverse("curation:new"), data)
    client.force_login(make_person(Role.CONTRIBUTOR, "another"))
    client.post(reverse("curation:new"), data)
    assert Problem.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_form_without_a_key_sent_several_times_at_once_begins_one_problem(contributor, benchmark):
    post = partial(client_of(contributor).post, reverse("curation:new"))
    assert at_once(*[partial(post, fields(benchmark, then="save"))] * 4) == ["done"] * 4
    assert Problem.objects.count() == 1
    post(fields(benchmark, then="save", title="Another"))
    assert Problem.objects.count() == 2
