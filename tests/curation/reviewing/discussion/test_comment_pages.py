"""Comments on the page of a review and on a problem's own: with htmx, without, and every slip."""

import re
from itertools import pairwise

import pytest
from django.urls import reverse

from curation.problems.models import Problem
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.models import Comment, Thread
from curation.reviewing.discussion.threads import find_letters
from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import Role
from tests.conftest import STATEMENT, make_draft, make_person, submit
from tests.curation.reviewing.discussion.talk import say, write_next
from tests.curation.reviewing.rounds.opened import make_benchmark, make_pipeline, open_round, review
from tests.memory import remembered

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
@remembered
def waiting(contributor) -> ReviewRound:
    pipeline = make_pipeline({"reviews_needed": 2})
    return submit(make_draft(contributor, make_benchmark(pipeline)), contributor)


@pytest.fixture
def problem(waiting) -> Problem:
    found: Problem = waiting.revision.problem
    return found


def page_of(review_round: ReviewRound) -> str:
    return reverse("curation:review", args=[review_round.pk])


def place(review_round: ReviewRound, quote: str = STATEMENT, **more: str) -> dict[str, str]:
    start = review_round.revision.statement.index(quote)
    return {"part": "STATEMENT", "start": str(start), "end": str(start + len(quote)), **more}


def read_marks(content: str) -> list[str]:
    marked = re.findall(r"<mark>(.*?)</mark>", content, re.DOTALL)
    # Formulas as they were typed; around them the renderer puts what holds them together.
    formulas = [re.sub(r'<span class="math inline">(.*?)</span>', r"$\1$", one) for one in marked]
    return [re.sub("<[^>]*>", "", one) for one in formulas]


def test_without_scripts_a_paragraph_is_picked_and_its_quote_shortened(client, waiting, reviewer):
    client.force_login(reviewer)
    content = client.get(page_of(waiting)).content.decode()
    [link] = re.findall(r'href="([^"]*part=STATEMENT[^"]*)"', content)
    form = client.get(link.replace("&amp;", "&"))
    assert form.templates[0].name == "curation/comment.html"
    assert form.context["form"]["quote"].value() == STATEMENT
    sent = place(waiting, quote="at rest", text="Since when?")
    address = reverse("curation:talk", args=[waiting.pk])
    answer = client.post(address, {**place(waiting), "quote": "at rest", "text": sent["text"]})
    thread = Thread.objects.get()
    assert answer["Location"] == f"{page_of(waiting)}#thread-{thread.pk}"
    assert thread.quote == "at rest"
    content = client.get(page_of(waiting)).content.decode()
    assert read_marks(content) == ["at rest"]
    assert "Since when?" in content


def test_with_htmx_all_comments_come_back_with_the_new_one_to_be_looked_at(
    client, waiting, reviewer
):
    client.force_login(reviewer)
    address = reverse("curation:talk", args=[waiting.pk])
    form = client.get(address, place(waiting, "mass $m$"), headers=HTMX)
    assert form.content.decode().lstrip().startswith('<form class="comment-form"')
    sent = {**place(waiting, "mass $m$"), "quote": "mass $m$", "text": "In kg?"}
    answer = client.post(address, sent, headers=HTMX)
    assert answer["HX-Retarget"] == "#comments"
    content = answer.content.decode()
    assert "<html" not in content
    assert f'id="thread-{Thread.objects.get().pk}" tabindex="-1" autofocus' in content
    assert read_marks(content) == ["mass $m$"]
    # Back in its place, beside the paragraph.
    paragraph = content[content.index('id="passages-STATEMENT" hx-swap-oob="true"') :]
    assert paragraph.index("<mark>") < paragraph.index('class="thread')


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"text": " \n"}, "text"),
        ({"text": "x" * 5001}, "text"),
        ({"text": "a\x00b"}, "text"),
        ({"quote": "no such words"}, "quote"),
        ({"quote": "e"}, "quote"),  # it stands there more than once
        ({"quote": ""}, "quote"),
    ],
)
def test_a_comment_that_is_none_is_refused_at_its_place_and_kept_in_the_form(
    client, waiting, reviewer, changed, wrong
):
    client.force_login(reviewer)
    address = reverse("curation:talk", args=[waiting.pk])
    sent = {**place(waiting), "quote": STATEMENT, "text": "What I typed.", **changed}
    page = client.post(address, sent, headers=HTMX)
    assert list(page.context["form"].errors) == [wrong]
    assert page.context["form"]["text"].value() == sent["text"]
    assert not Thread.objects.exists()


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"part": "NOTHING"},
        {"part": "STATEMENT"},
        {"part": "STATEMENT", "start": "-1", "end": "5"},
        {"part": "STATEMENT", "start": "5", "end": "5"},
        {"part": "STATEMENT", "start": "0", "end": "9" * 30},
        {"part": "STATEMENT", "start": "٣", "end": "٩"},
        {"part": "STATEMENT", "start": "99999", "end": "100000"},
    ],
)
def test_a_place_that_is_none_is_not_found(client, waiting, reviewer, asked):
    client.force_login(reviewer)
    address = reverse("curation:talk", args=[waiting.pk])
    assert client.get(address, asked).status_code == 404
    assert client.post(address, {**asked, "text": "Here."}).status_code == 404


def test_somebody_elses_markup_is_shown_as_text(client, waiting, reviewer):
    client.force_login(reviewer)
    say(waiting, reviewer, "<script>alert(1)</script> **bold** $x$")
    content = client.get(page_of(waiting)).content.decode()
    assert "<script>alert(1)" not in content
    assert "<strong>bold</strong>" in content


def test_before_the_solve_no_comment_on_the_key_is_taken_or_offered(client, contributor, reviewer):
    pipeline = make_pipeline({"reviews_needed": 2, "is_blind": True})
    made = make_draft(contributor, make_benchmark(pipeline), solution="Its energy: 8462046.")
    blind = submit(made, contributor)
    client.force_login(reviewer)
    content = client.get(page_of(blind)).content.decode()
    assert "part=STATEMENT" in content
    assert "part=SOLUTION" not in content
    assert "part=ANSWER" not in content
    address = reverse("curation:talk", args=[blind.pk])
    for part in ("SOLUTION", "ANSWER"):
        for end in range(1, 30, 7):
            asked = {"part": part, "start": "0", "end": str(end), "text": "?", "quote": "8462046"}
            assert client.get(address, asked).status_code == 404
            answer = client.post(address, asked, headers=HTMX)
            assert answer.status_code == 404
            assert b"8462046" not in answer.content


def test_nobody_finds_a_thread_that_they_may_not_read(
    client, waiting, contributor, reviewer, participant
):
    thread = say(waiting, reviewer, "My verdict: 9573157.")
    for person in (contributor, participant, make_person(Role.REVIEWER, "second")):
        client.force_login(person)
        for name, sent in (("reply", {"text": "?"}), ("settle", {"resolved": "yes"})):
            address = reverse("curation:talk", args=[waiting.pk])
            for headers in ({}, HTMX):
                pressed = {"do": name, "thread": thread.pk, **sent}
                answer = client.post(address, pressed, headers=headers)
                assert answer.status_code == 404
                assert b"9573157" not in answer.content
    assert Comment.objects.count() == 1


def talk_over(waiting: ReviewRound, reviewer) -> Thread:
    """Let somebody comment, and the round be closed with a return."""
    thread = say(waiting, reviewer)
    review(waiting, reviewer, "REVISE")
    review(waiting, make_person(Role.REVIEWER, "second"), "REVISE")
    return thread


def test_the_author_answers_on_the_problems_page_and_never_reads_a_reviewers_name(
    client, waiting, problem, contributor, reviewer
):
    thread = talk_over(waiting, reviewer)
    client.force_login(contributor)
    content = client.get(problem.get_absolute_url()).content.decode()
    assert "Which height?" in content
    assert re.search(r"reviewer [A-Z]\b", content)
    assert reviewer.display_name not in content
    address, reply = (
        reverse("curation:talk", args=[waiting.pk]),
        {"do": "reply", "thread": thread.pk},
    )
    sent = {**reply, "text": "Above the ground.", "revision": "1"}
    answer = client.post(address, sent, headers=HTMX)
    content = answer.content.decode()
    assert "Above the ground." in content
    assert reviewer.display_name not in content
    answer = client.post(address, {"do": "settle", "thread": thread.pk, "resolved": "yes"})
    assert answer["Location"] == f"{problem.get_absolute_url()}#thread-{thread.pk}"
    content = client.get(problem.get_absolute_url()).content.decode()
    assert "Resolved by you" in " ".join(content.split())
    assert "Open it again" in content
    # The reviewer reads who answered: authors' names are no secret.
    client.force_login(reviewer)
    content = " ".join(client.get(problem.get_absolute_url()).content.decode().split())
    assert f"Resolved by {contributor.display_name}" in content


def test_one_reviewer_has_one_letter_in_all_rounds_of_a_page(client, contributor, reviewer):
    stages = [{"reviews_needed": 2}, {"reviews_needed": 2}, {}]
    benchmark = make_benchmark(make_pipeline(*stages))
    waiting = submit(make_draft(contributor, benchmark), contributor)
    second = make_person(Role.REVIEWER, "second")
    review(waiting, reviewer, comment="Of the one.")
    review(waiting, second, comment="Of the other.")
    problem = waiting.revision.problem
    following = open_round(problem)
    say(following, second, "Of the other.")
    review(following, second, comment="Of the other.")
    review(following, reviewer, comment="Of the one.")
    # A writer reads both; who had nothing to do with them but their own reviews is “you”.
    client.force_login(contributor)
    content = client.get(problem.get_absolute_url()).content.decode()
    found = re.findall(r"reviewer ([A-Z])\b|Of the (\w+)\.", content)
    letters = find_letters([problem.pk])
    one, other = letters[problem.pk, reviewer.pk], letters[problem.pk, second.pk]
    named = {said[1]: who[0] for who, said in pairwise(found) if who[0] and said[1]}
    assert named == {"one": one, "other": other}
    assert found.count((one, "")) == 2
    client.force_login(reviewer)
    content = client.get(problem.get_absolute_url()).content.decode()
    assert f"reviewer {other}" not in content


def test_a_reviewer_has_the_same_letter_in_reviews_and_messages_and_where_a_split_is_decided(
    client, waiting, problem, contributor, reviewer, admin
):
    second = make_person(Role.REVIEWER, "second")
    review(waiting, second, "REVISE", "Of the first to review.")
    say(waiting, reviewer)
    review(waiting, reviewer, "REVISE", "Of the second.")
    letters = find_letters([problem.pk])
    one, other = letters[problem.pk, second.pk], letters[problem.pk, reviewer.pk]
    client.force_login(contributor)
    content = client.get(problem.get_absolute_url()).content.decode()
    thread, reviews = content.split('<h2 id="reviews">')
    assert f"reviewer {other}" in thread
    assert f"reviewer {one}" not in thread
    assert re.findall(r"reviewer ([A-Z])\b|(Of the \w+)", reviews) == [
        (one, ""),
        ("", "Of the first"),
        (other, ""),
        ("", "Of the second"),
    ]
    client.force_login(admin)
    content = client.get(reverse("curation:decide", args=[waiting.pk])).content.decode()
    named = dict(re.findall(r"<h3>Reviewer ([A-Z])</h3>.*?(Of the \w+)", content, re.DOTALL))
    assert named == {one: "Of the first", other: "Of the second"}


def test_an_answer_that_is_none_says_so_in_its_place(client, waiting, problem, reviewer):
    thread = talk_over(waiting, reviewer)
    client.force_login(reviewer)
    address, reply = (
        reverse("curation:talk", args=[waiting.pk]),
        {"do": "reply", "thread": thread.pk},
    )
    answer = client.post(address, {**reply, "text": " "}, headers=HTMX)
    assert "Write something first." in answer.content.decode()
    answer = client.post(address, {**reply, "text": "x" * 5001}, headers=HTMX)
    content = answer.content.decode()
    assert 'role="alert"' in content
    assert "x" * 5001 in content
    page = client.post(address, {**reply, "text": ""}, follow=True)
    assert "Write something first." in page.content.decode()
    assert Comment.objects.count() == 1


def test_a_comment_survives_an_edit_or_says_that_its_passage_is_gone(
    client, waiting, problem, contributor, reviewer
):
    say(waiting, reviewer, "Of which body?", quote="mass $m$")
    talk_over(waiting, reviewer)
    again = write_next(
        problem,
        contributor,
        statement="First: " + STATEMENT.replace("the height $h$", "the height $h$ above ground"),
    )
    client.force_login(reviewer)
    content = client.get(page_of(again)).content.decode()
    assert read_marks(content) == ["mass $m$", "the height $h$"]
    assert "no longer there" not in content
    review(again, reviewer, "REVISE")
    review(again, make_person(Role.REVIEWER, "third"), "REVISE")
    write_next(problem, contributor, statement=STATEMENT.replace("of mass", "that weighs"))
    content = client.get(problem.get_absolute_url()).content.decode()
    assert "About a passage of revision 1 that no longer exists:" in " ".join(content.split())
    assert read_marks(content) == ["the height $h$"]
    # Beside the text that they were written on they stand as they stood.
    content = client.get(problem.get_absolute_url(), {"revision": "1"}).content.decode()
    assert read_marks(content) == ["mass $m$", "the height $h$"]


def test_passages_that_overlap_are_both_marked(client, waiting, reviewer):
    say(waiting, reviewer, quote="ball of mass")
    say(waiting, reviewer, quote="mass $m$ is at")
    client.force_login(reviewer)
    content = client.get(page_of(waiting)).content.decode()
    assert read_marks(content) == ["ball of mass $m$ is at"]
    assert content.count('<article class="thread') == 2


def test_notes_to_admins_are_on_no_page_but_their_writers_and_the_admins(
    client, waiting, problem, contributor, reviewer, admin
):
    commenting.write_note(review_round=waiting, writer=reviewer, text="It is from a textbook.")
    second = make_person(Role.REVIEWER, "second")
    for person, reads in ((reviewer, True), (admin, True), (contributor, False), (second, False)):
        client.force_login(person)
        content = client.get(problem.get_absolute_url()).content.decode()
        assert ("from a textbook" in content) is reads


def test_the_pages_take_as_many_queries_for_three_threads_as_for_one(
    client, waiting, problem, reviewer, admin, django_assert_num_queries
):
    def fill() -> None:
        number = Comment.objects.count()
        thread = say(waiting, reviewer, f"Matter {number}.")
        commenting.reply(thread=thread, writer=reviewer, text="More.")
        commenting.settle(thread=thread, by=reviewer, is_resolved=True)
        commenting.write_note(review_round=waiting, writer=reviewer, text=f"Note {number}.")

    fill()
    # The key is shown once, and that is written down.
    client.force_login(reviewer)
    client.get(page_of(waiting))
    for person, address, queries in (
        (reviewer, page_of(waiting), 39),
        (admin, problem.get_absolute_url(), 30),
    ):
        client.force_login(person)
        client.get(address)
        with django_assert_num_queries(queries):
            client.get(address)
    fill()
    fill()
    for person, address, queries in (
        (reviewer, page_of(waiting), 39),
        (admin, problem.get_absolute_url(), 30),
    ):
        client.force_login(person)
        with django_assert_num_queries(queries):
            client.get(address)
