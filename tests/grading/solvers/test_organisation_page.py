"""An organisation's page: its models, what it handed in, and what is left of its day."""

import csv

import pytest
from django.urls import reverse

from curation.reviewing.pipelines.shipped import find_pipeline
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.solvers import actions
from grading.submissions import publication
from phybench.people.models import Role
from tests.addresses import client_of
from tests.conftest import make_benchmark, make_person
from tests.grading.submissions.samples import grade_all
from tests.memory import remembered
from tests.organisations import join, organisation_of, publish

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def organisation(evaluator):
    return organisation_of(evaluator)


@pytest.fixture
def other():
    return make_person(Role.EVALUATOR, "other")


def read(person, address: str) -> str:
    answer = client_of(person).get(address)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def read_rows(person, address: str) -> list[dict[str, str]]:
    return list(csv.DictReader(client_of(person).get(address).content.decode().splitlines()))


def test_before_anything_is_handed_in_it_says_what_will_be_here(organisation, evaluator):
    text = read(evaluator, organisation.get_absolute_url())
    assert "A model is listed here from its first submission on." in text
    assert "Nothing has been submitted yet." in text
    assert "30 of 30 submissions are left." in text
    assert "64 of 64 answers to one problem are left." in text
    assert "The next one is free:" not in text


def test_its_models_stand_there_with_what_is_said_of_them(
    organisation, evaluator, problems, hand_in
):
    for model in ("Alpha", "Alpha", "Beta"):
        made = hand_in((problems[0], "m g h"), model=model)
    actions.describe(
        solver=made.solver, by=evaluator, read=0, kind="REASONING", parameters=8_000_000_000
    )
    text = read(evaluator, organisation.get_absolute_url())
    assert f'<a href="{made.solver.get_absolute_url()}">Beta</a>' in text
    rows = read_rows(evaluator, reverse("grading:solvers_csv", args=[organisation.pk]))
    assert [(row["model"], row["kind"], row["parameters"], row["submissions"]) for row in rows] == [
        ("Beta", "REASONING", "8000000000", "1"),
        ("Alpha", "", "", "2"),
    ]
    address = reverse("grading:solvers_csv", args=[organisation.pk]) + "?sort=-submissions"
    assert [row["model"] for row in read_rows(evaluator, address)] == ["Alpha", "Beta"]


def test_its_newest_submissions_stand_there_with_their_numbers_and_how_far_they_are(
    organisation, evaluator, problems, hand_in
):
    made = [hand_in((problems[0], "m g h")) for _number in range(3)]
    publication.withdraw(submission=made[0], by=evaluator)
    grade_all(made[1])
    text = read(evaluator, organisation.get_absolute_url())
    for submission, words in zip(made, ("1 of 3", "2 of 3", "3 of 3"), strict=True):
        assert f'href="{submission.get_absolute_url()}"' in text
        assert f">{words}</td>" in text
    for state in ("withdrawn", "done, not published", "1 to go"):
        assert state in text
    assert f"{reverse('grading:submissions')}?organisation={organisation.pk}" in text


def test_ten_are_shown_and_the_list_has_all(organisation, evaluator, problems, hand_in, settings):
    settings.MOST_SUBMISSIONS_A_DAY, settings.FIRST_UPLOADS = 11, 0
    for _number in range(11):
        hand_in((problems[0], "m g h"))
    text = read(evaluator, organisation.get_absolute_url())
    assert "The newest 10" in text
    assert ">2 of 11</td>" in text
    assert ">1 of 11</td>" not in text


def test_what_is_left_of_the_day_stands_there_with_when_there_is_more(
    organisation, evaluator, problems, hand_in
):
    hand_in((problems[0], "m g h"))
    text = read(evaluator, organisation.get_absolute_url())
    assert "29 of 30 submissions are left. The next one is free: <time" in text
    assert "63 of 64 answers to one problem are left. The next one is free: <time" in text


def test_models_and_submissions_are_for_members_and_admins(
    organisation, evaluator, other, admin, problems, hand_in
):
    hand_in((problems[0], "m g h"), model="Secret model")
    models = reverse("grading:solvers_csv", args=[organisation.pk])
    for person, status in ((evaluator, 200), (admin, 200), (other, 403)):
        text = read(person, organisation.get_absolute_url())
        assert ("Secret model" in text) is (status == 200)
        assert client_of(person).get(models).status_code == status


# --- The list of submissions ----------------------------------------------------------------


def test_the_list_and_its_file_are_narrowed_to_one_organisation(
    organisation, evaluator, other, problems, hand_in
):
    second = organisation_of(other)
    join(second, evaluator)
    ours = hand_in((problems[0], "m g h"), model="Alpha")
    theirs = hand_in((problems[0], "m g h"), model="Beta", by=other)
    grade_all(ours)
    publish(ours)
    file = reverse("grading:submissions_csv")
    assert {row["model"] for row in read_rows(evaluator, file)} == {"Alpha", "Beta"}
    [row] = read_rows(evaluator, f"{file}?organisation={organisation.pk}")
    assert (row["submission"], row["model"], row["organisation"], row["number"], row["of"]) == (
        str(ours.pk), "Alpha", organisation.name, "1", "1",
    )  # fmt: skip
    assert row["published_at"]
    assert not row["withdrawn_at"]
    page = f"{reverse('grading:submissions')}?organisation={second.pk}"
    text = read(evaluator, page)
    assert theirs.get_absolute_url() in text
    assert ours.get_absolute_url() not in text
    # Others' are not to be chosen, nor found by who writes the address.
    assert {row["model"] for row in read_rows(other, f"{file}?organisation={organisation.pk}")} == {
        "Beta"
    }


def test_where_nothing_matches_the_filters_the_list_says_so(
    organisation, evaluator, other, problems, hand_in, benchmark
):
    hand_in((problems[0], "m g h"))
    make_benchmark("Second", pipeline=find_pipeline(benchmark))
    text = read(evaluator, f"{reverse('grading:submissions')}?benchmark=second")
    assert "No submission matches these filters." in text


# --- Queries --------------------------------------------------------------------------------


def test_it_takes_as_many_queries_for_three_rows_as_for_one(
    organisation, evaluator, problems, hand_in, django_assert_num_queries
):
    client = client_of(evaluator)
    pages = {
        organisation.get_absolute_url(): 16,
        reverse("grading:solvers_csv", args=[organisation.pk]): 5,
        reverse("grading:submissions"): 12,
    }

    def add(number: int) -> Submission:
        made: Submission = hand_in((problems[0], "m g h"), model=f"Model {number}")
        actions.describe(solver=made.solver, by=evaluator, read=0, parameters=1 + number)
        join(organisation, make_person(Role.EVALUATOR, f"a{number}"))
        asking = make_person(Role.EVALUATOR, f"asks{number}")
        actions.ask_to_join(organisation=organisation, person=asking)
        return made

    add(0)
    for asked in pages:
        client.get(asked)  # what is looked up once a process
    for number in (1, 3):
        if number == 3:
            add(1)
            add(2)
        assert Attempt.objects.count() == number
        for asked, queries in pages.items():
            with django_assert_num_queries(queries):
                client.get(asked)
