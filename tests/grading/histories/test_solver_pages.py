"""A model's page: who may know of it, what it tells to whom, and how it is described there."""

import csv

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.solvers import actions
from grading.solvers.models import Solver
from grading.submissions import publication
from phybench.people.models import Role, User
from tests.addresses import client_of, reverse_asked
from tests.conftest import make_person
from tests.grading.submissions.samples import grade_all
from tests.memory import remembered
from tests.organisations import publish
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def submission(problems, hand_in) -> Submission:
    made: Submission = hand_in((problems[0], "m g h"), (problems[1], "0"))
    grade_all(made)
    return made


@pytest.fixture
def solver(submission) -> Solver:
    return submission.solver


@pytest.fixture
def other() -> User:
    return make_person(Role.EVALUATOR, "other")


def describe(solver: Solver, by: User, **said: str) -> None:
    actions.describe(solver=solver, by=by, read=solver.descriptions.count(), **said)


def read(person: User | None, solver: Solver, name: str = "solver") -> str:
    answer = client_of(person).get(reverse(f"grading:{name}", args=[solver.pk]))
    assert answer.status_code == 200
    return answer.content.decode()


def read_rows(person: User | None, solver: Solver) -> list[dict[str, str]]:
    return list(csv.DictReader(read(person, solver, "solver_csv").splitlines()))


# --- Who may know of it ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["solver", "solver_csv"])
def test_that_there_is_an_unpublished_model_is_for_its_organisation_and_admins(
    solver, submission, evaluator, other, admin, name
):
    address = reverse(f"grading:{name}", args=[solver.pk])

    def ask() -> list[int]:
        people = (evaluator, admin, other, make_person(None, f"n{timezone.now():%f}"), None)
        return [client_of(one).get(address).status_code for one in people]

    assert ask() == [200, 200, 404, 404, 404]
    publish(submission)
    assert ask() == [200] * 5
    publication.withdraw(submission=submission, by=evaluator)
    assert ask() == [200] * 5


def test_a_person_has_no_page(participant, admin):
    person = Solver.objects.create(name="Person", kind=Solver.Kind.HUMAN, user=participant)
    for viewer in (participant, admin, None):
        address = reverse("grading:solver", args=[person.pk])
        assert client_of(viewer).get(address).status_code == 404


# --- What it tells --------------------------------------------------------------------------


def test_others_read_sums_of_what_is_published_and_no_more(
    solver, submission, problems, hand_in, evaluator, other
):
    describe(solver, evaluator, parameters=8_000_000_000)
    publish(submission)
    later = hand_in((problems[0], "0"), (problems[1], "0"))
    for viewer in (None, other):
        text = read(viewer, solver)
        assert "One published submission" in text
        assert "submission 1 of 2" in text
        assert "20.0" in text
        for address in (submission.get_absolute_url(), later.get_absolute_url()):
            assert f'"{address}"' not in text
        [row] = read_rows(viewer, solver)
        assert (row["number"], row["of"], row["accuracy"]) == ("1", "2", "20.00")


def test_its_organisation_reads_all_but_no_figures_that_are_not_everybodys(
    solver, submission, evaluator, admin
):
    for viewer in (evaluator, admin):
        text = read(viewer, solver)
        assert submission.get_absolute_url() in text
        assert "done, not published" in text
        [row] = read_rows(viewer, solver)
        assert (row["accuracy"], row["eed"], row["scored"]) == ("", "", "")
    publish(submission)
    [row] = read_rows(evaluator, solver)
    assert (row["accuracy"], row["scored"], row["on_the_board"]) == ("20.00", "2", "yes")


def test_what_is_withdrawn_keeps_its_line_and_shows_no_figures(solver, submission, evaluator):
    publish(submission)
    publication.withdraw(submission=submission, by=evaluator)
    text = read(None, solver)
    assert "withdrawn" in text
    [row] = read_rows(None, solver)
    assert (row["accuracy"], row["on_the_board"]) == ("", "no")


def test_one_that_another_took_the_place_of_keeps_its_figures(
    solver, submission, problems, hand_in
):
    publish(submission)
    later = hand_in((problems[0], "m g h"), (problems[1], "0"), (problems[2], "0"))
    grade_all(later)
    publish(later)
    text = read(None, solver)
    assert "no longer on the board" in text
    rows = read_rows(None, solver)
    assert [(row["number"], row["on_the_board"]) for row in rows] == [("2", "yes"), ("1", "no")]
    assert all(row["accuracy"] for row in rows)


def test_answers_that_wait_or_failed_are_counted(problems, hand_in, evaluator):
    made = hand_in((problems[0], "m g h"), (problems[1], "0"))
    assert "2 to go" in read(evaluator, made.solver)
    Attempt.objects.filter(revision__problem=problems[1]).update(
        status=Attempt.Status.FAILED, failure_reason="timeout"
    )
    grade_attempt(made.attempts.get(revision__problem=problems[0]).pk)
    assert "done, not published, 1 not graded" in " ".join(read(evaluator, made.solver).split())
    publish(made)
    assert "on the board</a>, 1 not graded" in read(None, made.solver)
    [row] = read_rows(None, made.solver)
    assert (row["scored"], row["ungraded"], row["missing"]) == ("1", "1", "3")


# --- What was said when ---------------------------------------------------------------------


def test_a_reader_sees_what_was_said_when_a_submission_was_published_and_what_is_now(
    solver, submission, problems, hand_in, evaluator
):
    describe(solver, evaluator, developer="said when published")
    publish(submission)
    describe(solver, evaluator, developer="said since")
    text = read(None, solver)
    assert text.index("said since") < text.index("Earlier descriptions")
    assert text.index("Earlier descriptions") < text.index("said when published")
    assert 'href="#description-1"' in text
    assert 'id="description-1"' in text
    [row] = read_rows(None, solver)
    assert row["described_developer"] == "said when published"


def test_where_nothing_was_said_when_it_was_published_the_page_says_so(
    solver, submission, evaluator
):
    publish(submission)
    assert "has not described this model yet" in read(None, solver)
    describe(solver, evaluator, developer="said since")
    assert "none yet" in read(None, solver)
    assert "said since" in read(None, solver)


def test_what_was_said_and_changed_before_anything_was_published_stays_with_the_organisation(
    solver, submission, evaluator
):
    describe(solver, evaluator, developer="code name")
    describe(solver, evaluator, parameters=8_000_000_000)
    publish(submission)
    assert "code name" in read(evaluator, solver)
    assert "code name" not in read(None, solver)
    assert "as it is now" in read(None, solver)


def test_who_wrote_a_description_is_told_to_the_organisation_alone(solver, submission, evaluator):
    describe(solver, evaluator, parameters=8_000_000_000)
    publish(submission)
    assert f"Written by {evaluator}" in read(evaluator, solver)
    assert "Written by" not in read(None, solver)


def test_what_is_said_is_text_and_its_link_leads_out_without_a_recommendation(
    solver, submission, evaluator
):
    describe(solver, evaluator, developer="<b>8B</b>", link='https://example.com/?a="><b>')
    publish(submission)
    text = read(None, solver)
    assert "&lt;b&gt;8B&lt;/b&gt;" in text
    assert 'href="https://example.com/?a=&quot;&gt;&lt;b&gt;" rel="nofollow noopener"' in text


# --- Describing it --------------------------------------------------------------------------


def test_a_model_is_described_on_its_page(solver, evaluator):
    address = reverse("grading:describe_solver", args=[solver.pk])
    assert address in read(evaluator, solver)
    client = client_of(evaluator)
    given = {"read": "0", "kind": "REASONING", "parameters": "8B", "released_on": "2026-05-28"}
    led = client.post(address, given, follow=True)
    assert led.redirect_chain == [(solver.get_absolute_url(), 302)]
    text = led.content.decode()
    assert "Saved: this is the description from now on." in text
    assert "Change the description" in text
    form = client.get(address).content.decode()
    assert 'value="2026-05-28"' in form
    assert '<input type="hidden" name="read" value="1">' in form


def test_what_is_wrong_is_told_at_its_field_and_what_was_typed_is_kept(solver, evaluator):
    address = reverse("grading:describe_solver", args=[solver.pk])
    refused = client_of(evaluator).post(
        address, {"read": "0", "parameters": "8B", "link": "http://example.com"}
    )
    assert refused.status_code == 400
    text = refused.content.decode()
    assert "begins with https://." in text.partition('id="id_link_error"')[2]
    assert 'value="8B"' in text
    assert not solver.descriptions.exists()


def test_who_comes_second_is_shown_what_the_first_wrote_and_may_then_save(solver, evaluator, admin):
    address = reverse("grading:describe_solver", args=[solver.pk])
    describe(solver, admin, developer="what the admin wrote")
    refused = client_of(evaluator).post(address, {"read": "0", "parameters": "8B"})
    assert refused.status_code == 400
    text = refused.content.decode()
    assert "what the admin wrote" in text
    assert 'value="8B"' in text
    assert '<input type="hidden" name="read" value="1">' in text
    assert client_of(evaluator).post(address, {"read": "1", "parameters": "8B"}).status_code == 302
    assert solver.descriptions.count() == 2


def test_others_find_no_form_and_post_nothing(solver, submission, other):
    address = reverse("grading:describe_solver", args=[solver.pk])
    assert client_of(other).get(address).status_code == 404
    publish(submission)
    assert client_of(other).post(address, {"read": "0", "parameters": "8B"}).status_code == 403
    assert client_of(None).post(address, {"read": "0", "parameters": "8B"}).status_code == 302
    assert address not in read(other, solver)
    assert not solver.descriptions.exists()


def test_who_publishes_is_told_what_readers_will_find(solver, submission, evaluator):
    address = reverse_asked("grading:submission?do=publish", args=[submission.pk])
    client = client_of(evaluator)
    assert "has no description yet" in client.get(address).content.decode()
    describe(solver, evaluator, parameters=8_000_000_000)
    assert "read the description of this model" in client.get(address).content.decode()


def test_the_board_links_a_model_to_its_page(solver, submission):
    publish(submission)
    text = Client().get(reverse("board")).content.decode()
    assert f'<a href="{solver.get_absolute_url()}">A model</a>' in text


# --- Queries --------------------------------------------------------------------------------


def test_a_page_takes_as_many_queries_for_three_submissions_as_for_one(
    problems, hand_in, evaluator, django_assert_num_queries
):
    readers = ((client_of(None), 12), (client_of(evaluator), 16))

    def add(number: int) -> Solver:
        made = hand_in((problems[0], f"{number} m g h"), (problems[1], "0"))
        grade_all(made)
        describe(made.solver, evaluator, parameters=1 + number)
        publish(made)
        return made.solver

    address = add(0).get_absolute_url()
    for client, _queries in readers:
        client.get(address)  # what is looked up once a process
    for number in (1, 3):
        if number == 3:
            add(1)
            add(2)
        for client, queries in readers:
            with django_assert_num_queries(queries):
                assert client.get(address).content.decode().count('<th scope="row">') == number
