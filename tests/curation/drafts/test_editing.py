"""The editor: what is refused and where, what is never lost."""

import re
from functools import partial

import pytest
from django.urls import reverse

from curation.authoring.drafts.preview import make_preview
from curation.problems.models import Problem
from curation.texts.sentences import translate
from curation.texts.workflow import Status
from phybench.people.models import Role
from tests.addresses import client_of
from tests.conftest import STATEMENT, make_draft, make_person
from tests.curation.at_once import at_once
from tests.curation.drafts.editor import fields
from tests.work import make_certificate

pytestmark = pytest.mark.django_db


def test_a_draft_may_be_incomplete(author, benchmark):
    author.post(
        reverse("curation:new", args=["test"]),
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
    ("statement", STATEMENT + r" Its speed is $\foo{v}$.", r"The command \foo is not known"),
    ("statement", STATEMENT + "\n\n$$\\frac{1}{$$", "never closed"),
    ("statement", STATEMENT + r" \section{Notes}", "outside a formula"),
    ("statement", STATEMENT + "\n\\begin{equation}\nx\n\\end{equation}", "two dollar signs"),
    ("solution", r"So $\foo{v}$.", r"The command \foo is not known"),
    ("answer", "42", "This is a number"),
    ("answer", r"\frac{157}{100} m g h", "Is 157/100 exact?"),
]


@pytest.mark.parametrize(("field", "text", "message"), REFUSED)
def test_what_breaks_a_rule_is_kept_as_a_draft_and_refused_at_its_field(
    author, benchmark, field, text, message
):
    data = fields(benchmark, **{field: text}, then="submit")
    answer = author.post(reverse("curation:new", args=["test"]), data, follow=True)
    problem = Problem.objects.get()
    assert problem.status == Status.DRAFT
    assert getattr(problem.revisions.get(), field) == text
    errors = " ".join(answer.context["form"].errors[field])
    assert message in errors


def test_a_good_one_is_submitted_once_the_grader_has_tried_it(author, benchmark):
    author.post(reverse("curation:new", args=["test"]), fields(benchmark, then="submit"))
    problem = Problem.objects.get()
    assert problem.status == Status.DRAFT
    make_certificate(problem.certificates.get().pk)
    author.post(reverse("curation:submit", args=[problem.pk]))
    problem.refresh_from_db()
    assert problem.status == Status.IN_REVIEW


def test_a_fraction_that_its_author_confirms_is_exact_and_stays_so(author, benchmark):
    answer = r"\frac{157}{100} m g h"
    author.post(
        reverse("curation:new", args=["test"]), fields(benchmark, answer=answer, then="submit")
    )
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
    author.post(reverse("curation:new", args=["test"]), fields(benchmark, exact=exact, then="save"))
    assert Problem.objects.get().revisions.get().exact == []


def test_of_two_tabs_the_older_save_is_refused_and_both_texts_are_shown(author, benchmark):
    author.post(reverse("curation:new", args=["test"]), fields(benchmark, then="save"))
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
    for end in ("edit/", "submit/", "leave/", "leave/?do=delete"):
        assert client.post(draft.get_absolute_url() + end).status_code == 404
    draft.refresh_from_db()
    assert draft.status == Status.DRAFT


def test_what_was_submitted_is_not_deleted_but_withdrawn(author, draft):
    author.post(reverse("curation:submit", args=[draft.pk]))
    author.post(reverse("curation:leave", args=[draft.pk]) + "?do=delete")
    draft.refresh_from_db()
    assert draft.status == Status.IN_REVIEW
    author.post(reverse("curation:leave", args=[draft.pk]))
    draft.refresh_from_db()
    assert draft.status == Status.RETURNED
    page = author.get(draft.get_absolute_url()).content.decode()
    assert "Please revise this problem." in page
    assert "What the reviewers said" not in page


def test_deleting_a_draft_asks_first(author, draft):
    asked = author.get(reverse("curation:leave", args=[draft.pk]) + "?do=delete")
    assert "can’t be undone" in asked.content.decode()
    assert Problem.objects.filter(pk=draft.pk).exists()
    author.post(reverse("curation:leave", args=[draft.pk]) + "?do=delete")
    assert not Problem.objects.filter(pk=draft.pk).exists()


def test_opening_the_editor_costs_the_same_for_any_number_of_problems(
    author, contributor, benchmark, django_assert_num_queries
):
    first = make_draft(contributor, benchmark)
    editor = reverse("curation:edit", args=[first.pk])
    author.get(editor)
    with django_assert_num_queries(12):
        author.get(editor)
    make_draft(contributor, benchmark)
    make_draft(contributor, benchmark)
    with django_assert_num_queries(12):
        author.get(editor)


def test_answers_that_must_score_are_tried_with_the_certificate(author, benchmark):
    data = fields(benchmark, must_accept="g h m\r\n\r\nmgh", must_reject="m g", then="certify")
    author.post(reverse("curation:new", args=["test"]), data)
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
    author.post(reverse("curation:new", args=["test"]), data)
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
    author.post(reverse("curation:new", args=["test"]), data)
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


def test_two_submits_of_one_form_open_one_round(author, draft):
    submit = reverse("curation:submit", args=[draft.pk])
    author.post(submit)
    second = author.post(submit, follow=True)
    assert "no draft of this problem" in second.content.decode()
    assert draft.revisions.filter(round__isnull=False).count() == 1


def test_the_list_says_what_is_asked_of_its_author_next(author, draft, benchmark, contributor):
    make_draft(contributor, benchmark, answer=" ", title="Without an answer")
    author.post(reverse("curation:submit", args=[draft.pk]))
    page = author.get(reverse("curation:problems", args=["test"]) + "?show=mine").content.decode()
    assert "wait for reviewers: 0 of 1 done" in page
    assert "finish it, and submit it" in page


def test_a_new_form_sent_twice_begins_one_problem(author, benchmark):
    data = fields(benchmark, form_key="of-one-page", then="save")
    author.post(reverse("curation:new", args=["test"]), data)
    again = author.post(reverse("curation:new", args=["test"]), data, follow=True)
    assert "The draft is saved." in again.content.decode()
    assert Problem.objects.count() == 1
    # Nor does saving while one types, when the page has not heard of the first saving.
    author.post(reverse("curation:new", args=["test"]) + "?part=save", data)
    assert Problem.objects.count() == 1


def test_the_key_of_a_form_is_each_persons_own(client, author, benchmark):
    data = fields(benchmark, form_key="of-one-page")
    author.post(reverse("curation:new", args=["test"]), data)
    client.force_login(make_person(Role.CONTRIBUTOR, "another"))
    client.post(reverse("curation:new", args=["test"]), data)
    assert Problem.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_form_without_a_key_sent_several_times_at_once_begins_one_problem(contributor, benchmark):
    post = partial(client_of(contributor).post, reverse("curation:new", args=["test"]))
    assert at_once(*[partial(post, fields(benchmark, then="save"))] * 4) == ["done"] * 4
    assert Problem.objects.count() == 1
    post(fields(benchmark, then="save", title="Another"))
    assert Problem.objects.count() == 2


def test_what_keeps_it_from_review_goes_when_it_is_mended(author, benchmark):
    broken = fields(benchmark, answer="0.5 m g h", domain="", refused="1")
    preview = reverse("curation:new", args=["test"]) + "?part=preview"
    page = author.post(preview, broken).content.decode()
    assert "2 things to fix" in page
    assert '<a href="#id_domain">' in page
    page = author.post(preview, {**broken, "answer": "m g h"}).content.decode()
    assert "One thing to fix" in page
    page = author.post(preview, {**broken, "answer": "m g h", "domain": "OPTICS"}).content.decode()
    assert '<div id="errors" hx-swap-oob="innerHTML"></div>' in re.sub(r">\s+<", "><", page)
    # Nobody is told what is missing who has not asked for review.
    del broken["refused"]
    assert "to fix" not in author.post(preview, broken).content.decode()


def test_the_editor_has_one_blue_button_and_asks_first_for_what_is_needed(author, draft):
    for address in (
        reverse("curation:new", args=["test"]),
        reverse("curation:edit", args=[draft.pk]),
    ):
        page = author.get(address).content.decode()
        assert page.count("button primary") == 1
        main, _summary, more = page.partition("<summary>More: solution")
        for name in ("statement", "quantity", "answer", "symbol_latex", "title", "domain"):
            assert f'name="{name}"' in main
        for name in ("solution", "must_accept", "source", "adaptation", "language"):
            assert f'name="{name}"' not in main
            assert f'name="{name}"' in more


def test_a_new_problem_is_in_the_language_of_the_page(author, benchmark):
    address = reverse("curation:new", args=["test"])
    assert author.get(address).context["form"]["language"].value() == "en"
    chinese = author.get(address, headers={"Accept-Language": "zh-hans"})
    assert chinese.context["form"]["language"].value() == "zh"


def test_a_title_that_nobody_typed_follows_the_statement(author, benchmark):
    new = reverse("curation:new", args=["test"])
    author.post(new, fields(benchmark, title="", statement=r"A ball of $\frac{mass$."))
    problem = Problem.objects.get()
    edit = reverse("curation:edit", args=[problem.pk])
    for statement, title in (("A ball of mass $m$.", ""), ("A cube of mass $m$.", "My own")):
        shown = author.get(edit).context["form"]
        assert shown["title"].value() == ""
        sent = fields(benchmark, title=title, statement=statement)
        author.post(edit, {**sent, "problem": problem.pk, "saved_at": shown["saved_at"].value()})
        problem.refresh_from_db()
        assert problem.title == (title or "A ball of mass m.")
    assert author.get(edit).context["form"]["title"].value() == "My own"
