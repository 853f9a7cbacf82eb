"""What a reviewer types is kept until it is submitted, survives a second tab, and is theirs."""

import pytest
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.reviewing.discussion.models import AdminNote
from curation.reviewing.reviews import drafts
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.reviewing.rounds.solves.models import ReviewDraft
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.at_once import at_once
from tests.curation.reviewing.place import of_room
from tests.curation.reviewing.rounds.opened import make_benchmark, make_pipeline, review, solve
from tests.memory import remembered

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
TYPED = {"draft_of": "REVIEW", "recommendation": "REVISE", "comment": "Half a sen", "replaces": "0"}


@pytest.fixture
@remembered
def waiting(contributor) -> ReviewRound:
    pipeline = make_pipeline({"reviews_needed": 2})
    return submit(make_draft(contributor, make_benchmark(pipeline)), contributor)


def address(name: str, review_round: ReviewRound) -> str:
    return reverse(f"curation:{name}", args=[review_round.pk])


def keep(review_round: ReviewRound, reviewer: User, text: str, saved_at: str = "") -> ReviewDraft:
    return drafts.save(
        review_round=review_round,
        reviewer=reviewer,
        kind="REVIEW",
        fields={"comment": text, "replaces": "0"},
        saved_at=saved_at,
    )


def test_what_is_typed_is_there_again_and_is_no_review(client, waiting, reviewer):
    client.force_login(reviewer)
    client.get(address("review", waiting))
    sent = {**TYPED, "note": "For admins.", "comment": "Half\r\na sen"}
    answer = client.post(address("review_draft", waiting), sent, headers=HTMX)
    assert "data-saved" in answer.content.decode()
    assert not Review.objects.exists()
    assert not AdminNote.objects.exists()
    form = client.get(address("review", waiting)).context["form"]
    assert form["recommendation"].value() == "REVISE"
    assert form["comment"].value() == "Half\na sen"
    assert form["note"].value() == "For admins."
    assert form["draft_saved_at"].value() == ReviewDraft.objects.get().saved_at.isoformat()


def test_it_goes_when_the_review_is_submitted_and_the_note_reaches_the_admins(
    client, waiting, reviewer
):
    client.force_login(reviewer)
    client.get(address("review", waiting))
    client.post(address("review_draft", waiting), TYPED, headers=HTMX)
    sent = {**TYPED, "comment": "Whole.", "note": "I know the author."}
    client.post(address("review", waiting), sent)
    assert not ReviewDraft.objects.exists()
    assert Review.objects.get().comment == "Whole."
    assert AdminNote.objects.get().text == "I know the author."
    # A window that did not know of it keeps nothing of what it began with.
    late = client.post(address("review_draft", waiting), TYPED, headers=HTMX)
    assert "submitted or deleted in another window" in late.content.decode()
    assert not ReviewDraft.objects.exists()
    # To change the review is another matter.
    client.post(address("review_draft", waiting), {**TYPED, "replaces": "1"}, headers=HTMX)
    assert ReviewDraft.objects.get().fields["replaces"] == "1"


def test_the_older_of_two_tabs_is_refused_with_both_shown_and_can_be_kept_instead(
    client, waiting, reviewer
):
    client.force_login(reviewer)
    save = address("review_draft", waiting)
    client.post(save, {**TYPED, "comment": "From the first tab."}, headers=HTMX)
    second = {**TYPED, "comment": "From the second tab."}
    answer = client.post(save, second, headers=HTMX)
    content = answer.content.decode()
    assert "From the first tab." in content
    assert "data-saved" not in content
    assert 'id="id_draft_saved_at"' not in content  # the next letter would be taken then
    page = client.post(save, second)
    assert page.templates[0].name == "curation/review_draft.html"
    for words in ("From the first tab.", "From the second tab."):
        assert words in page.content.decode()
    assert ReviewDraft.objects.get().fields["comment"] == "From the first tab."
    stored = ReviewDraft.objects.get().saved_at.isoformat()
    client.post(save, {**second, "saved_over": stored})
    assert ReviewDraft.objects.get().fields["comment"] == "From the second tab."


def test_of_a_closed_round_it_is_still_there_for_its_writer_who_can_delete_it(
    client, waiting, reviewer
):
    keep(waiting, reviewer, "Half a sentence.")
    for name in ("second", "third"):
        review(waiting, make_person(Role.REVIEWER, name), "REVISE")
    client.force_login(reviewer)
    queue = client.get(of_room("queue")).content.decode()
    assert address("review_draft", waiting) in queue
    assert "the stage is closed" in queue
    page = client.get(address("review", waiting), follow=True)
    assert page.redirect_chain[-1][0] == address("review_draft", waiting)
    assert "Half a sentence." in page.content.decode()
    # Who is in the middle of a sentence can end it.
    stored = ReviewDraft.objects.get().saved_at.isoformat()
    sent = {**TYPED, "comment": "A whole one.", "draft_saved_at": stored}
    client.post(address("review_draft", waiting), sent, headers=HTMX)
    assert "A whole one." in client.get(address("review_draft", waiting)).content.decode()
    client.post(address("review_draft", waiting), {"do": "drop", "draft_of": "REVIEW"})
    assert not ReviewDraft.objects.exists()
    assert client.get(address("review_draft", waiting)).status_code == 404


@pytest.mark.parametrize("is_kept_before", [True, False])
def test_what_is_submitted_too_late_is_rescued(client, waiting, reviewer, is_kept_before):
    client.force_login(reviewer)
    sent = {**TYPED, "comment": "All my words."}
    if is_kept_before:
        stored = keep(waiting, reviewer, "All my")
        sent["draft_saved_at"] = stored.saved_at.isoformat()
    for name in ("second", "third"):
        review(waiting, make_person(Role.REVIEWER, name), "REVISE")
    page = client.post(address("review", waiting), sent, follow=True)
    assert page.redirect_chain[-1][0] == address("review_draft", waiting)
    assert "All my words." in page.content.decode()
    assert not Review.objects.filter(reviewer=reviewer).exists()


def test_a_review_sent_twice_that_closed_its_round_leaves_no_draft(client, waiting, reviewer):
    review(waiting, make_person(Role.REVIEWER, "second"), "REVISE")
    client.force_login(reviewer)
    for _ in range(2):
        client.post(address("review", waiting), {**TYPED, "comment": "All my words."})
    assert Review.objects.filter(reviewer=reviewer).count() == 1
    assert not ReviewDraft.objects.exists()


def test_nobody_else_ever_sees_it(client, waiting, contributor, reviewer, admin):
    keep(waiting, reviewer, "My verdict: 9573157.")
    admin.roles = [Role.ADMIN, Role.REVIEWER]
    admin.save()
    for person in (contributor, admin, make_person(Role.REVIEWER, "second")):
        client.force_login(person)
        for name in ("review", "review_draft"):
            for method in (client.get, client.post):
                assert b"9573157" not in method(address(name, waiting), follow=True).content
        assert b"9573157" not in client.get(waiting.revision.problem.get_absolute_url()).content
    assert ReviewDraft.objects.filter(fields__comment="My verdict: 9573157.").exists()


def test_a_blind_solve_is_kept_too_until_it_is_given(client, contributor, reviewer):
    pipeline = make_pipeline({"reviews_needed": 2, "is_blind": True})
    blind = submit(make_draft(contributor, make_benchmark(pipeline)), contributor)
    client.force_login(reviewer)
    sent = {"draft_of": "SOLVE", "kind": "ANSWER", "answer": "m g"}
    client.post(address("review_draft", blind), sent, headers=HTMX)
    page = client.get(address("review", blind))
    assert page.context["phase"] == "solve"
    assert page.context["form"]["answer"].value() == "m g"
    solve(blind, reviewer)
    assert not ReviewDraft.objects.exists()
    late = client.post(address("review_draft", blind), sent, headers=HTMX)
    assert "submitted or deleted" in late.content.decode()


@pytest.mark.parametrize(
    "sent", [{**TYPED, "comment": "x" * 20_001}, {**TYPED, "comment": "a\x00b"}]
)
def test_what_can_not_be_kept_is_refused_in_words(client, waiting, reviewer, sent):
    client.force_login(reviewer)
    answer = client.post(address("review_draft", waiting), sent, headers=HTMX)
    assert "Not saved: it is too long" in answer.content.decode()
    assert not ReviewDraft.objects.exists()


def test_what_is_no_form_of_ours_is_not_found_and_other_fields_are_not_kept(
    client, waiting, reviewer
):
    client.force_login(reviewer)
    save = address("review_draft", waiting)
    assert client.post(save, {}).status_code == 404
    assert client.post(save, {"draft_of": "PROBLEM"}).status_code == 404
    client.post(save, {**TYPED, "is_admin": "yes", "csrfmiddlewaretoken": "x"}, headers=HTMX)
    assert set(ReviewDraft.objects.get().fields) == {
        "comment",
        "note",
        "recommendation",
        "replaces",
    }


def test_who_may_not_review_it_begins_no_draft(waiting, contributor, participant):
    for person in (contributor, participant):
        with pytest.raises(NotAllowedNow):
            keep(waiting, person, "Mine.")
    actions.withdraw(problem=waiting.revision.problem, author=contributor)
    with pytest.raises(NotAllowedNow):
        keep(waiting, make_person(Role.REVIEWER, "late"), "Mine.")


# --- At once: each thread has a connection of its own ---------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_two_tabs_that_save_at_once_one_is_told(waiting, reviewer):
    first = [lambda: keep(waiting, reviewer, "One."), lambda: keep(waiting, reviewer, "Two.")]
    assert sorted(at_once(*first)) == ["done", "refused"]
    stored = ReviewDraft.objects.get().saved_at.isoformat()
    later = [
        lambda: keep(waiting, reviewer, "Three.", stored),
        lambda: keep(waiting, reviewer, "Four.", stored),
    ]
    assert sorted(at_once(*later)) == ["done", "refused"]


@pytest.mark.django_db(transaction=True)
def test_a_save_and_the_submission_at_once_leave_no_draft_behind(waiting, reviewer):
    keep(waiting, reviewer, "Half a sen")
    stored = ReviewDraft.objects.get().saved_at.isoformat()
    at_once(
        lambda: keep(waiting, reviewer, "Half a sentence.", stored),
        lambda: review(waiting, reviewer, "REVISE", "Half a sentence."),
    )
    assert Review.objects.get().comment == "Half a sentence."
    assert not ReviewDraft.objects.exists()
