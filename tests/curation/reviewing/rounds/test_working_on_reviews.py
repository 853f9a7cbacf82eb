"""The reading of a blind answer, notes, what is put off, what comes next, what changed since."""

import pytest
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.problems.models import Problem
from curation.reviewing.discussion.models import AdminNote
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.solves.models import BlindSolve, ReviewDraft
from phybench.people.models import Role
from tests.conftest import STATEMENT, make_draft, make_person, submit
from tests.curation.reviewing.discussion.talk import write_next
from tests.curation.reviewing.place import of_room
from tests.curation.reviewing.rounds.opened import (
    decide_round,
    make_benchmark,
    make_pipeline,
    open_round,
    review,
    solve,
)

pytestmark = pytest.mark.django_db
SKIP = {"do": "skip"}

HTMX = {"HX-Request": "true"}


def address(name: str, review_round: ReviewRound) -> str:
    return reverse(f"curation:{name}", args=[review_round.pk])


def reading(review_round: ReviewRound) -> str:
    return reverse("grading:read_as", args=[review_round.pk]) + "?of=review"


def wait_blind(contributor, slug: str = "three", **fields) -> ReviewRound:
    pipeline = make_pipeline({"reviews_needed": 2, "is_blind": True})
    return submit(make_draft(contributor, make_benchmark(pipeline), **fields), contributor)


# --- The reading of a blind answer ----------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", ""),
        ("m g h", "Read as"),
        ("sqrt(2*g*h)", r"\sqrt{"),
        (r"\frac{m", "bracket"),
        ("x" * 10_000, "notice warn"),
    ],
)
def test_a_blind_answer_is_read_while_it_is_typed(client, contributor, reviewer, answer, said):
    blind = wait_blind(contributor)
    client.force_login(reviewer)
    content = client.post(reading(blind), {"answer": answer}).content.decode()
    assert said in content
    assert not BlindSolve.objects.exists()


def test_the_reading_is_the_same_whatever_the_key_is(client, contributor, reviewer):
    """The symbol table is filled from the key as well: what only that names is not told."""
    blind = wait_blind(contributor, symbols=[])
    other = blind.revision.problem
    revision = blind.revision
    told = {"latex": "m", "meaning": "mass", "unit": "kg", "sign": "", "low": "", "high": ""}
    client.force_login(reviewer)
    said = []
    for only_in_key in (["E_k"], ["Ra", "x_{12}"], []):
        made = Problem.objects.create(
            benchmark=other.benchmark, author=contributor, title="Twin", status="IN_REVIEW"
        )
        rows = [{**told, "latex": latex, "meaning": "", "unit": ""} for latex in only_in_key]
        twin = made.revisions.create(
            number=1,
            statement=STATEMENT,
            answer=" + ".join(["m g h", *only_in_key]),
            symbols=[told, *rows],
            submitted_at=revision.submitted_at,
        )
        waiting = twin.rounds.create(version=blind.version, reviews_needed=2)
        said.append(
            [
                client.post(reading(waiting), {"answer": answer}).content
                for answer in ("Ra", "E_k", "x_{12}", "x_12", "m g h", "mgh")
            ]
        )
    assert said[0] == said[1] == said[2]


def test_the_reading_is_for_who_may_review_it(client, contributor, reviewer, admin):
    blind = wait_blind(contributor)
    for person, status in ((contributor, 403), (admin, 404)):
        client.force_login(person)
        answer = client.post(reading(blind), {"answer": "m g h"})
        assert answer.status_code == status
    client.force_login(reviewer)
    assert client.get(reading(blind)).status_code == 405


# --- Notes, putting off, going on -----------------------------------------------------------


def test_a_note_alone_is_sent_and_the_rest_of_the_form_stays(client, contributor, reviewer):
    waiting = submit(
        make_draft(contributor, make_benchmark(make_pipeline({"reviews_needed": 2}))), contributor
    )
    client.force_login(reviewer)
    sent = {"draft_of": "REVIEW", "replaces": "0", "comment": "Half.", "note": "I know them."}
    page = client.post(address("review", waiting), {"do": "note", **sent}, follow=True)
    assert page.context["form"]["comment"].value() == "Half."
    assert page.context["form"]["note"].value() == ""
    assert "I know them." in page.content.decode()
    assert AdminNote.objects.get().text == "I know them."
    page = client.post(address("review", waiting), {"do": "note", "note": "  "}, follow=True)
    assert "Write the note first." in page.content.decode()


def test_a_note_that_is_too_long_is_refused_and_kept(client, contributor, reviewer):
    waiting = submit(
        make_draft(contributor, make_benchmark(make_pipeline({"reviews_needed": 2}))), contributor
    )
    client.force_login(reviewer)
    sent = {"draft_of": "REVIEW", "replaces": "0", "note": "x" * 5001}
    page = client.post(address("review", waiting), {"do": "note", **sent}, follow=True)
    assert "The note was not sent" in page.content.decode()
    assert page.context["form"]["note"].value() == "x" * 5001
    assert not AdminNote.objects.exists()


def test_a_note_with_a_blind_solve_reaches_the_admins(client, contributor, reviewer):
    blind = wait_blind(contributor)
    client.force_login(reviewer)
    sent = {"kind": "ANSWER", "answer": "m g h", "note": "I had this in an exam."}
    client.post(address("review", blind) + "?do=solve", sent)
    assert BlindSolve.objects.exists()
    assert AdminNote.objects.get().text == "I had this in an exam."


@pytest.fixture
def three(contributor) -> list[ReviewRound]:
    benchmark = make_benchmark(make_pipeline({"reviews_needed": 2}))
    return [
        submit(make_draft(contributor, benchmark, title=f"Number {number}"), contributor)
        for number in range(3)
    ]


def skip(client, review_round: ReviewRound, **sent: str) -> str:
    return client.post(address("review", review_round), {"do": "skip", **(sent or {})})["Location"]


def test_what_is_put_off_comes_last_and_the_place_is_kept(client, three, reviewer):
    client.force_login(reviewer)
    first, second, third = three
    # From the middle on, not from the top again.
    assert skip(client, second) == address("review", third)
    assert skip(client, third) == address("review", first)
    # Then those that were put off, in that order.
    assert skip(client, first) == address("review", second)
    assert skip(client, second) == address("review", third)
    # It is no more than putting off: all still wait.
    assert len(client.get(of_room("queue")).context["rounds"]) == 3


def test_after_a_review_the_next_comes_and_what_was_put_off_last(client, three, reviewer):
    client.force_login(reviewer)
    first, second, third = three
    skip(client, first)
    sent = {"recommendation": "ACCEPT", "replaces": "0"}
    assert client.post(address("review", second), sent)["Location"] == address("review", third)
    assert client.post(address("review", third), sent)["Location"] == address("review", first)
    assert client.post(address("review", first), sent)["Location"] == of_room("queue")


def test_putting_off_keeps_what_was_typed(client, three, reviewer):
    client.force_login(reviewer)
    skip(client, three[0], draft_of="REVIEW", comment="Half.", replaces="0")
    assert ReviewDraft.objects.get().fields["comment"] == "Half."


def test_where_nothing_else_waits_it_says_so(client, three, reviewer):
    client.force_login(reviewer)
    review(three[1], reviewer)
    review(three[2], reviewer)
    page = client.post(address("review", three[0]), SKIP, follow=True)
    assert "Nothing else is waiting for you." in page.content.decode()


def test_the_next_takes_as_many_queries_in_a_long_queue(
    client, contributor, reviewer, three, django_assert_num_queries
):
    client.force_login(reviewer)
    client.post(address("review", three[0]), SKIP)
    with django_assert_num_queries(14):
        client.post(address("review", three[1]), SKIP)
    for number in range(3):
        made = make_draft(contributor, three[0].revision.problem.benchmark, title=f"More {number}")
        submit(made, contributor)
    with django_assert_num_queries(14):
        client.post(address("review", three[2]), SKIP)


def test_the_page_says_how_far_one_is(client, three, reviewer):
    client.force_login(reviewer)
    review(three[0], reviewer)
    content = " ".join(client.get(address("review", three[1])).content.decode().split())
    assert "2 problems wait for you, 1 of 3 reviewed" in content
    assert "0 of 2 reviews are in" in content
    for key in ("n", "m", "j", "1"):
        assert f'data-key="{key}"' in content
        assert f">{key}</kbd>" in content


# --- What changed since ---------------------------------------------------------------------


def test_a_later_revision_shows_on_the_page_what_changed_since_ones_own_review(
    client, contributor, reviewer, benchmark
):
    problem = make_draft(contributor, benchmark)
    review(submit(problem, contributor), reviewer, "REVISE", "Which $g$?")
    again = write_next(
        problem, contributor, statement=STATEMENT + " Here $g$ is gravity.", answer="g m h"
    )
    client.force_login(reviewer)
    page = client.get(address("review", again))
    content = page.content.decode()
    assert "What changed since your review of revision 1" in content
    assert "<ins> Here $g$ is gravity.</ins>" in content.replace("</ins><ins>", "")
    assert "Written differently, but the same expression" in content
    assert "that review does not count for it" in content
    assert page.context["before_holds"] is False


def test_who_reviewed_nothing_earlier_is_shown_no_comparison(
    client, contributor, reviewer, benchmark
):
    problem = make_draft(contributor, benchmark)
    review(submit(problem, contributor), make_person(Role.REVIEWER, "first"), "REVISE", "More.")
    again = write_next(problem, contributor, solution="More.")
    client.force_login(reviewer)
    assert "What changed since" not in client.get(address("review", again)).content.decode()


def test_a_stage_that_is_not_asked_again_says_that_what_it_passed_holds(
    client, contributor, reviewer
):
    pipeline = make_pipeline({"asks_again": False, "reviews_needed": 1}, {"reviews_needed": 1})
    problem = make_draft(contributor, make_benchmark(pipeline))
    review(submit(problem, contributor), reviewer)
    review(open_round(problem), make_person(Role.REVIEWER, "second"), "REVISE", "More.")
    again = write_next(problem, contributor, solution="More.")
    assert again.number == 2
    client.force_login(reviewer)
    page = client.get(address("review", again))
    assert page.context["before_holds"] is True
    assert "That stage remains passed" in page.content.decode()


def test_who_solved_an_earlier_revision_blind_is_not_asked_to_solve_the_next(
    client, contributor, reviewer
):
    blind = wait_blind(contributor)
    solve(blind, reviewer)
    review(blind, reviewer, "REVISE", "More.")
    admin = make_person(Role.ADMIN, "chief")
    decide_round(blind, admin, "RETURN", "Mend it.")
    problem = blind.revision.problem
    problem.refresh_from_db()
    actions.save_draft(
        problem=problem, author=contributor, saved_at="", reason="More.", solution="More."
    )
    again = submit(problem, contributor)
    client.force_login(reviewer)
    page = client.get(address("review", again), follow=True)
    assert page.redirect_chain[-1][0] == of_room("queue")
    assert page.context["rounds"].count() == 0
