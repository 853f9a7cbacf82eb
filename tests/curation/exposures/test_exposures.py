import csv
import io
from datetime import timedelta

import pytest
from django.db import ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import SLOT
from curation.problems.exposures.models import Exposure, has_seen_key
from curation.problems.models import Revision
from curation.reviewing.reviews import actions as reviewing
from curation.reviewing.rounds.permissions import can_review
from curation.versions.permissions import list_to_answer, may_answer
from grading.answers import actions as grading
from grading.answers.actions import CannotAnswer
from phybench.people.models import Role, User
from tests.conftest import accept, make_draft, make_person, submit
from tests.curation.reviewing.rounds.opened import make_benchmark, open_round, pass_first_stages
from tests.grading.conftest import make_file
from tests.organisations import organisation_of
from tests.versions import hand_in
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db
REFUSED_BY_A_TRIGGER = ProgrammingError
Part, Reason = Exposure.Part, Exposure.Reason


@pytest.fixture
def revision(accepted_problem) -> Revision:
    return accepted_problem.accepted_revision


@pytest.mark.parametrize("count", [1, 3])
def test_it_takes_one_query_and_what_is_new_one_statement_however_much_is_shown(
    contributor, reviewer, participant, benchmark, count, monkeypatch, django_assert_num_queries
):
    shown = [
        accept(make_draft(contributor, benchmark), contributor, reviewer).accepted_revision
        for _ in range(count)
    ]
    # The slot may end between two of them.
    monkeypatch.setattr(ledger, "SLOT", timedelta(days=36_500))
    with django_assert_num_queries(2):
        ledger.record(participant, Reason.EXPORT, *shown, parts=ledger.ALL)
    assert participant.exposures.count() == 3 * count
    with django_assert_num_queries(1):
        ledger.record(participant, Reason.EXPORT, *shown, parts=ledger.ALL)
    assert participant.exposures.count() == 3 * count


def test_the_same_within_ten_minutes_is_one_row_and_later_another(
    client, participant, revision, monkeypatch
):
    client.force_login(participant)
    for _ in range(3):
        client.get(revision.problem.get_absolute_url())
    # The slot may end between two of them.
    assert 1 <= participant.exposures.count() <= 2
    before = participant.exposures.count()
    later = timezone.now() + SLOT
    monkeypatch.setattr(ledger.timezone, "now", lambda: later)
    client.get(revision.problem.get_absolute_url())
    client.get(revision.problem.get_absolute_url())
    assert participant.exposures.count() == before + 1
    newest = participant.exposures.latest("at")
    assert (newest.part, newest.reason, newest.revision) == ("STATEMENT", "READ", revision)
    assert newest.slot <= newest.at < newest.slot + SLOT


def test_the_same_for_another_reason_is_another_row(participant, revision):
    for reason in (Reason.READ, Reason.ANSWER):
        ledger.record(participant, reason, revision)
    assert participant.exposures.filter(part=Part.STATEMENT).count() == 2


def test_what_is_written_down_stays(participant, revision):
    ledger.record(participant, Reason.READ, revision)
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        participant.exposures.update(reason=Reason.EXPORT)
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        participant.exposures.all()._raw_delete("default")


def test_a_draft_is_left_out(draft, contributor):
    ledger.record(contributor, Reason.EDIT, draft.revisions.get(), parts=ledger.ALL)
    assert not Exposure.objects.exists()


# --- Who may solve, and answer --------------------------------------------------------------


@pytest.mark.parametrize("part", [Part.ANSWER, Part.SOLUTION])
@pytest.mark.parametrize("reason", [Reason.READ, Reason.EXPORT, Reason.BACK_OFFICE, Reason.GRADE])
def test_who_saw_the_key_for_whatever_reason_neither_solves_blind_nor_answers(
    contributor, reviewer, part, reason
):
    problem = make_draft(contributor, make_benchmark())
    submit(problem, contributor)
    other = make_person(Role.REVIEWER, "early")
    blind = pass_first_stages(problem, other)
    assert can_review(reviewer, blind)
    ledger.record(reviewer, reason, blind.revision, parts=[part])
    assert has_seen_key(reviewer, problem)
    assert not can_review(reviewer, blind)
    with pytest.raises(reviewing.NotAllowedNow, match="seen the answer"):
        reviewing.solve_blind(
            review_round=open_round(problem), reviewer=reviewer, kind="ANSWER", answer="m g h"
        )


def test_an_admin_who_was_and_is_none_any_more_has_still_seen_the_key(client, admin, revision):
    client.force_login(admin)
    client.get(revision.problem.get_absolute_url())
    admin.roles = [Role.PARTICIPANT]
    admin.save()
    assert not may_answer(admin, revision)
    assert revision.problem not in list_to_answer(admin)


def test_the_page_says_so_before_anything_is_typed(client, participant, revision):
    client.force_login(participant)
    address = reverse("grading:answer", args=[revision.problem_id])
    assert "You can answer this problem once." in client.get(address).content.decode()
    ledger.record(participant, Reason.EXPORT, revision, parts=[Part.SOLUTION])
    page = client.get(address).content.decode()
    assert "you have seen its reference answer" in page
    assert "exported it as a file" in page
    assert "<textarea" not in page
    with pytest.raises(CannotAnswer, match="have seen its reference answer"):
        grading.answer(revision=revision, person=participant, response="m g h")


def test_a_correct_answer_of_a_model_is_as_good_as_the_key(client, revision, evaluator):
    evaluator.roles = [Role.EVALUATOR, Role.PARTICIPANT]
    evaluator.save()
    client.force_login(evaluator)
    attempts = {}
    for model, text in (("right", "m g h"), ("wrong", "m g")):
        file = make_file((revision.problem, text), model=model)
        [submission] = hand_in(
            organisation=organisation_of(evaluator),
            benchmark=revision.problem.benchmark,
            uploaded_by=evaluator,
            file_name="answers.json",
            content=file,
        )
        attempts[model] = submission.attempts.get()
        grade_attempt(attempts[model].pk)
    assert may_answer(evaluator, revision)
    for model, shown in (("wrong", {"STATEMENT", "VERDICT"}), ("right", {"ANSWER"})):
        before = list_parts(evaluator)
        client.get(attempts[model].get_absolute_url())
        assert list_parts(evaluator) - before == shown
        # With tries enough a verdict tells as much.
        assert not may_answer(evaluator, revision)


def list_parts(person) -> set[str]:
    return set(Exposure.objects.filter(person=person).values_list("part", flat=True))


# --- Pages ----------------------------------------------------------------------------------


def test_the_problem_says_how_many_have_seen_what(client, participant, evaluator, revision):
    ledger.record(participant, Reason.READ, revision)
    ledger.record(participant, Reason.ANSWER, revision)
    ledger.record(evaluator, Reason.READ, revision, parts=ledger.ALL)
    client.force_login(participant)
    page = client.get(revision.problem.get_absolute_url())
    # The reviewer who accepted it has seen the key, by a review without its page.
    assert page.context["seen_by"] == {"statement": 2, "key": 2}
    content = " ".join(page.content.decode().split())
    assert "2 people have read the statement, 2 people have seen the reference answer" in content
    assert reverse("curation:records") not in content


@pytest.fixture
def seen(participant, evaluator, revision, reviewer) -> Revision:
    ledger.record(participant, Reason.READ, revision)
    ledger.record(evaluator, Reason.EXPORT, revision, parts=ledger.ALL)
    return revision


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", 6),
        ("?part=STATEMENT", 2),
        ("?part=KEY", 4),
        ("?part=SOLUTION&reason=EXPORT", 1),
        ("?person=evalu", 3),
        ("?person=participant@test.example", 1),
        ("?q=falling", 6),
        ("?q=C0", 0),
        ("?since=2001-01-01", 6),
        ("?since=2999-01-01", 0),
        # What is not understood narrows nothing.
        ("?part=nonsense&since=yesterday&page=x&sort=-nothing", 6),
        ("?q=C99999999999999999999", 0),
        ("?sort=person&page=9", 6),
    ],
)
def test_admins_find_who_saw_what(client, admin, seen, query, count):
    client.force_login(admin)
    page = client.get(reverse("curation:records") + query)
    assert page.context["page"].paginator.count == count
    assert len(read_csv(client, query)) == count


def read_csv(client, query: str = "") -> list[dict[str, str]]:
    response = client.get(f"{reverse('curation:records')}{query or '?'}&as=csv")
    return list(csv.DictReader(io.StringIO(b"".join(response).decode())))


def test_the_file_says_of_each_row_what_the_list_says(client, admin, seen):
    User.objects.filter(email="participant@test.example").update(display_name="")
    client.force_login(admin)
    listed = client.get(reverse("curation:records") + "?sort=person").context["page"]
    assert read_csv(client, "?sort=person") == [
        {
            "at": one.at.isoformat(timespec="seconds"),
            "person": str(one.person),
            "email": one.person.email,
            "problem": one.revision.problem.identifier,
            "title": one.revision.problem.title,
            "revision": str(one.revision.number),
            "part": one.part,
            "reason": one.reason,
        }
        for one in listed
    ]


def test_the_file_is_written_without_fetching_a_text(client, admin, seen):
    """Of tens of thousands of rows, the statements and solutions took most of the time."""
    client.force_login(admin)
    with CaptureQueriesContext(connection) as queries:
        assert len(read_csv(client)) == 6
    fetched = [one["sql"] for one in queries if "curation_exposure" in one["sql"]]
    assert fetched
    assert not any(name in sql for sql in fetched for name in ("statement", "solution", "symbols"))


def test_the_list_can_be_turned_round_and_paged(client, admin, seen, monkeypatch):
    monkeypatch.setattr("curation.problems.exposures.views.A_PAGE", 4)
    client.force_login(admin)
    address = reverse("curation:records")
    newest = client.get(address).context["page"]
    assert (len(newest), newest.has_next()) == (4, True)
    oldest = client.get(address + "?sort=at").context["page"]
    assert oldest[0].at <= oldest[1].at
    assert newest[0].at >= newest[1].at
    assert oldest[0] != newest[0]


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_as_many_queries_for_three_rows_as_for_one(
    client, admin, revision, count, django_assert_num_queries
):
    for number in range(count):
        ledger.record(make_person(None, f"reader-{number}"), Reason.READ, revision)
    client.force_login(admin)
    with django_assert_num_queries(13):
        client.get(reverse("curation:records") + "?part=STATEMENT")


@pytest.mark.parametrize("count", [1, 3])
def test_the_file_is_sent_while_it_is_read_with_as_many_queries_for_three_rows_as_for_one(
    client, admin, revision, count, django_assert_num_queries
):
    for number in range(count):
        ledger.record(make_person(None, f"reader-{number}"), Reason.READ, revision)
    client.force_login(admin)
    with django_assert_num_queries(3):
        answer = client.get(reverse("curation:records") + "?as=csv&part=STATEMENT")
        assert answer.streaming
        assert b"".join(answer).count(b"\n") == count + 1


@pytest.mark.parametrize("count", [1, 3])
def test_a_page_of_a_problem_writes_down_with_one_statement(
    client, participant, contributor, reviewer, benchmark, count, django_assert_num_queries
):
    for _ in range(count):
        problem = accept(make_draft(contributor, benchmark), contributor, reviewer)
        ledger.record(participant, Reason.EXPORT, problem.accepted_revision, parts=ledger.ALL)
    client.force_login(participant)
    with django_assert_num_queries(16) as queries:
        client.get(problem.get_absolute_url())
    inserts = [one for one in queries.captured_queries if "curation_exposure" in one["sql"]]
    assert sum(one["sql"].startswith("INSERT") for one in inserts) == 1
