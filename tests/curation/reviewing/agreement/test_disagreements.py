import csv
import io

import pytest
from django.db import IntegrityError, ProgrammingError, transaction
from django.urls import reverse

from curation.problems.models import Event
from curation.reviewing.agreement.actions import adjudicate, count_heard
from curation.reviewing.agreement.evidence import fetch_voices, list_disagreements
from curation.reviewing.agreement.models import Adjudication
from curation.reviewing.discussion.threads import find_letters
from curation.reviewing.rounds.models import ReviewRound, RoundDisagreement
from curation.texts.workflow import NotAllowedNow, Status, Step, measure, measure_questions
from phybench.people.models import Role
from tests.conftest import make_draft, make_person, submit
from tests.curation.at_once import list_refusals
from tests.curation.reviewing.discussion.talk import say
from tests.curation.reviewing.place import of_splits
from tests.curation.reviewing.rounds.opened import make_benchmark, make_pipeline, review, solve
from tests.memory import remembered

KINDS = {"a": "YES_NO", "b": "SCALE", "c": "YES_NO"}
ASKED = {"kind": "YES_NO", "is_required": False}


@pytest.mark.parametrize(
    ("said", "apart"),
    [
        (["ACCEPT"], 0),
        (["ACCEPT", "ACCEPT"], 0),
        (["ACCEPT", "REVISE"], 50),
        (["REJECT", "ACCEPT"], 100),
        (["ACCEPT", "REVISE", "REJECT"], 200 / 3),
    ],
)
def test_recommendations_are_as_far_apart_as_their_pairs_on_average(said, apart):
    assert measure(said, [], [], {})["recommendations"] == pytest.approx(apart)


def test_answers_are_compared_where_two_gave_one():
    given = [{"a": True, "b": 1, "c": True}, {"a": False, "b": 5}, {"a": True, "b": 3}]
    found = measure_questions(given, KINDS)
    assert found == {"a": pytest.approx(200 / 3), "b": pytest.approx(200 / 3)}
    # "c" was answered once, and says nothing.
    assert measure([], given, [], KINDS)["answers"] == pytest.approx(200 / 3)


@pytest.mark.parametrize(
    ("solves", "apart"),
    [
        ([], 0),
        (["NOT_TOLD", "NO_ANSWER"], 0),
        (["AGREES", "NOT_TOLD"], 0),
        (["AGREES", "DISAGREES", "NO_ANSWER"], 50),
        (["DISAGREES"], 100),
    ],
)
def test_solves_count_where_they_could_be_told(solves, apart):
    assert measure([], [], solves, {})["solves"] == apart


@pytest.fixture
def panel(db):
    return [make_person(Role.REVIEWER, f"panel-{number}") for number in range(4)]


@pytest.fixture
def three(contributor):
    """A benchmark whose one stage is blind and waits for four reviews."""
    pipeline = make_pipeline({"rule": "UNANIMOUS", "reviews_needed": 4, "is_blind": True})
    pipeline.stages.get().questions.create(place=1, text="Is it clear?", **ASKED)
    return make_benchmark(pipeline)


@pytest.fixture
@remembered
def disputed(three, contributor, panel) -> ReviewRound:
    return dispute(three, contributor, panel)


def dispute(benchmark, author, panel, title="Disputed") -> ReviewRound:
    review_round = submit(make_draft(author, benchmark, title=title), author)
    question = review_round.version.questions.all()[0].key
    for person, answer, said, clear in (
        (panel[0], "m g h", "ACCEPT", True),
        (panel[1], "2 m g h", "REJECT", False),
    ):
        solve(review_round, person, answer)
        review(review_round, person, said, f"Says {said}.", answers={question: clear})
    return review_round


pytestmark = pytest.mark.django_db


def test_a_round_is_measured_as_reviews_and_solves_come_in(disputed):
    found = RoundDisagreement.objects.get()
    assert (found.recommendations, found.answers, found.solves, found.total) == (100, 100, 50, 250)
    assert (found.accept, found.revise, found.reject) == (1, 0, 1)
    assert (found.agreeing, found.differing) == (1, 1)


def test_a_changed_review_counts_as_it_is_now(disputed, panel):
    question = disputed.version.questions.all()[0].key
    review(disputed, panel[1], "ACCEPT", "After all.", answers={question: True}, replaces=1)
    found = RoundDisagreement.objects.get()
    assert (found.recommendations, found.answers, found.solves) == (0, 0, 50)


def test_what_is_agreed_on_is_not_listed(three, contributor, panel):
    review_round = submit(make_draft(contributor, three), contributor)
    for person in panel[:2]:
        solve(review_round, person)
        review(review_round, person)
    assert RoundDisagreement.objects.get().total == 0
    assert not list_disagreements().exists()


def test_letters_stay_and_do_not_follow_the_order_in_which_people_came(
    three, contributor, panel, settings
):
    orders = set()
    for number in range(8):
        dispute(three, contributor, panel, title=f"Number {number}")
    rounds = list(ReviewRound.objects.all())
    found = fetch_voices(rounds)
    for one in rounds:
        letters = {voice.review.reviewer_id: voice.name for voice in found[one.pk]}
        assert list(letters.values()) == sorted({*letters.values()})
        orders.add(letters[panel[0].pk] < letters[panel[1].pk])
        # Whoever speaks later takes another one.
        say(one, panel[2], "Which height?")
        again = fetch_voices([ReviewRound.objects.get(pk=one.pk)])[one.pk]
        assert {voice.review.reviewer_id: voice.name for voice in again} == letters
    # Of eight, all in one order would be a chance of one in 128, and the key of tests is fixed.
    assert len(orders) == 2


def test_the_pages_and_the_file_hide_names_and_show_what_was_said(client, admin, disputed, panel):
    client.force_login(admin)
    pages = [
        client.get(of_splits()),
        client.get(reverse("curation:decide", args=[disputed.pk])),
        client.get(of_splits() + "&as=csv"),
    ]
    for page in pages:
        text = page.content.decode()
        assert "Disputed" in text
        assert not any(str(person) in text or person.email in text for person in panel)
    assert "Says REJECT." in pages[1].content.decode()
    rows = list(csv.DictReader(io.StringIO(pages[2].content.decode("utf-8-sig"))))
    assert {row["reviewer"] for row in rows} == {
        *find_letters([disputed.revision.problem_id]).values()
    }
    assert {row["recommendation"] for row in rows} == {"ACCEPT", "REJECT"}
    assert {row["disagreement"] for row in rows} == {"250.0"}


def test_the_list_is_sorted_and_filtered(client, admin, three, contributor, panel):
    far = dispute(three, contributor, panel, "Far apart")
    near = submit(make_draft(contributor, three, title="Near", domain="OPTICS"), contributor)
    question = near.version.questions.all()[0].key
    for person, said in ((panel[0], "ACCEPT"), (panel[1], "REVISE")):
        solve(near, person)
        review(near, person, said, answers={question: True})
    client.force_login(admin)

    def listed(query: str = "") -> list[int]:
        page = client.get(f"{of_splits()}&{query}").context["page"]
        return [one.round_id for one in page]

    assert listed() == [far.pk, near.pk]
    assert listed("sort=total") == [near.pk, far.pk]
    assert listed("sort=nonsense") == [far.pk, near.pk]
    assert listed("domain=OPTICS") == [near.pk]
    assert listed(f"stage={near.version.stage_id}&state=open") == [far.pk, near.pk]
    assert listed("state=closed") == []
    adjudicate(
        review_round=near,
        admin=admin,
        step="",
        reason="So it is.",
        known=0,
        heard=0,
    )
    assert listed("adjudicated=yes") == [near.pk]
    assert listed("adjudicated=no") == [far.pk]


def test_the_list_takes_as_many_queries_for_three_rounds_as_for_one(
    client, admin, three, contributor, panel, django_assert_num_queries
):
    client.force_login(admin)
    for more in (1, 2):
        for number in range(more):
            dispute(three, contributor, panel, title=f"{more} {number}")
        address = of_splits()
        for query, queries in (("", 15), ("&as=csv", 11)):
            with django_assert_num_queries(queries):
                client.get(address + query)


def decide(client, review_round: ReviewRound, **sent: object):
    form = {
        "known": 0,
        "heard": count_heard(review_round),
        "step": "NOTE",
        "reason": "R.",
        **sent,
    }
    return client.post(reverse("curation:decide", args=[review_round.pk]), form)


def test_an_adjudication_may_decide_an_open_round(client, admin, disputed):
    client.force_login(admin)
    decide(client, disputed, step="RETURN", reason="It says “speed”.")
    disputed.refresh_from_db()
    assert (disputed.decision, disputed.decided_by) == (Step.RETURN, admin)
    assert disputed.override_reason == "It says “speed”."
    assert Event.objects.filter(actor=admin, kind=Step.RETURN).count() == 1
    assert Adjudication.objects.get().step == Step.RETURN
    disputed.revision.problem.refresh_from_db()
    assert disputed.revision.problem.status == Status.RETURNED


def test_a_closed_round_takes_notes_only(client, admin, disputed):
    client.force_login(admin)
    decide(client, disputed, step="REJECT")
    page = decide(client, disputed, known=1, step="ACCEPT", reason="Learned.")
    assert page.status_code == 302
    disputed.refresh_from_db()
    assert disputed.decision == Step.REJECT
    assert [one.step for one in disputed.adjudications.order_by("number")] == ["REJECT", ""]
    with pytest.raises(NotAllowedNow, match="closed"):
        adjudicate(
            review_round=disputed,
            admin=admin,
            step="PASS",
            reason="r",
            known=2,
            heard=4,
        )


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ({"reason": ""}, "reason"),
        ({"step": "WITHDRAW"}, "step"),
        ({"step": ""}, "step"),
        ({"reason": "x" * 2001}, "reason"),
        ({"known": "many"}, "known"),
    ],
)
def test_bad_input_is_refused_at_its_field_and_what_was_typed_stays(
    client, admin, disputed, sent, error
):
    client.force_login(admin)
    page = decide(client, disputed, **{"reason": "Kept text", **sent})
    assert page.status_code == 200
    assert error in page.context["form"].errors
    assert not Adjudication.objects.exists()
    if error != "reason":
        assert "Kept text" in page.content.decode()


def test_sent_twice_it_is_one_and_who_did_not_read_the_first_is_told(client, admin, disputed):
    client.force_login(admin)
    decide(client, disputed)
    decide(client, disputed)
    assert Adjudication.objects.count() == 1
    other = make_person(Role.ADMIN, "other-admin")
    client.force_login(other)
    page = decide(client, disputed, reason="I say otherwise.")
    assert "Someone wrote here in the meantime" in page.content.decode()
    assert "I say otherwise." in page.content.decode()
    assert decide(client, disputed, known=1, reason="I say otherwise.").status_code == 302


def test_an_admin_with_a_part_in_the_problem_does_not_adjudicate_it(three, panel, client):
    author = make_person(Role.CONTRIBUTOR, "author")
    author.roles = [Role.CONTRIBUTOR, Role.ADMIN]
    author.save()
    review_round = dispute(three, author, panel)
    client.force_login(author)
    page = decide(client, review_round)
    assert "You contributed to this problem" in page.content.decode()
    assert not Adjudication.objects.exists()


def test_what_was_adjudicated_stays_on_the_list_though_all_agree_by_now(
    client, admin, three, contributor, panel
):
    review_round = submit(make_draft(contributor, three), contributor)
    question = review_round.version.questions.all()[0].key
    for person, said in ((panel[0], "ACCEPT"), (panel[1], "REVISE")):
        solve(review_round, person)
        review(review_round, person, said, answers={question: True})
    client.force_login(admin)
    decide(client, review_round, reason="A misunderstanding.")
    review(review_round, panel[1], "ACCEPT", answers={question: True}, replaces=1)
    assert RoundDisagreement.objects.get().total == 0
    assert list_disagreements().get().round == review_round
    page = client.get(reverse("curation:decide", args=[review_round.pk]))
    assert "A misunderstanding." in page.content.decode()


def test_nothing_of_an_adjudication_can_be_changed(admin, disputed):
    one = adjudicate(review_round=disputed, admin=admin, step="", reason="r", known=0, heard=0)
    for change in (
        lambda: Adjudication.objects.filter(pk=one.pk).update(reason="Other"),
        lambda: one.delete(),
    ):
        with (
            pytest.raises(ProgrammingError, match="Cannot update or delete"),
            transaction.atomic(),
        ):
            change()


def test_the_database_takes_no_adjudication_without_a_reason(admin, disputed):
    with pytest.raises(IntegrityError, match="adjudication_says_what_and_why"):
        disputed.adjudications.create(number=1, by=admin, reason="")


@pytest.mark.django_db(transaction=True)
def test_of_two_admins_at_once_one_decides_and_the_other_is_told(disputed):
    admins = [make_person(Role.ADMIN, f"admin-{number}") for number in range(2)]

    def decide_so(person, step):
        return lambda: adjudicate(
            review_round=disputed,
            admin=person,
            step=step,
            reason="r",
            known=0,
            heard=4,
        )

    said = list_refusals(decide_so(admins[0], "PASS"), decide_so(admins[1], "REJECT"))
    assert sorted(map(bool, said)) == [False, True]
    assert "in the meantime" in max(said)
    assert Adjudication.objects.count() == 1
    assert Event.objects.filter(actor__in=admins).count() == 1
