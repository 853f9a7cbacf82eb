"""The pages of a sample: blind for who labels, shares for everybody once it is complete."""

import csv
import io
import re

import pytest
from django.test import Client
from django.urls import reverse

from curation.problems.exposures.models import Exposure
from grading.board.first_errors.drawing import draw
from grading.samples.first_errors import actions
from grading.samples.first_errors.models import FirstErrorSample
from tests.addresses import client_of
from tests.grading.first_errors.conftest import PASSAGE, WRONG, label, label_all

pytestmark = pytest.mark.django_db

TELLING = ("Secret", "Organisation of", "secret-model-name", "incorrect", "partial")


def read(client: Client, name: str, *arguments: object) -> str:
    answer = client.get(reverse(f"grading:{name}", args=arguments))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def read_csv(client: Client, name: str, *arguments: object) -> list[dict[str, str]]:
    said = client.get(reverse(f"grading:{name}", args=arguments)).content.decode()
    return list(csv.DictReader(io.StringIO(said.lstrip("\ufeff"))))


def send(client: Client, sample: FirstErrorSample, **fields: object):
    page = read(client, "label_first_error", sample.pk)
    item = re.search(r'name="item" value="([\w-]+)"', page)[1]
    address = reverse("grading:label_first_error", args=[sample.pk])
    return client.post(address, {"item": item, **fields})


@pytest.fixture
def asked(sample, reviewer, admin) -> Client:
    actions.ask(sample=sample, person=reviewer, by=admin)
    return client_of(reviewer)


def mix(item) -> str:
    """Each kind once, in the order of places."""
    kinds = ("PERCEPTION", "SEMANTICS", "SYMBOLIC", "NO_ERROR", "KEY_WRONG", "CANT_TELL")
    return kinds[item.place - 1]


# --- Labelling ------------------------------------------------------------------------------


def test_a_labeller_reads_problem_key_and_response_and_not_whose_it_is(asked, sample):
    for _number in range(6):
        page = read(asked, "label_first_error", sample.pk)
        main = page.partition("<main")[2].partition("</main>")[0]
        assert [one for one in TELLING if one in main] == []
        assert "Its energy above the ground" in main
        assert "So the energy is" in main
        send(asked, sample, choice="CANT_TELL")
    assert "No answer of this sample awaits" in read(asked, "label_first_error", sample.pk)


def test_what_a_labeller_is_shown_is_written_down(asked, sample, reviewer):
    read(asked, "label_first_error", sample.pk)
    shown = Exposure.objects.filter(person=reviewer, reason="FIRST_ERROR")
    revision = sample.items.get(place=1).revision
    assert {(one.revision, one.part) for one in shown} == {
        (revision, "STATEMENT"),
        (revision, "ANSWER"),
        (revision, "SOLUTION"),
    }


def test_a_label_is_kept_with_its_passage_and_comment(asked, sample):
    answer = send(asked, sample, choice="SEMANTICS", passage="weight is", start="", comment="Two.")
    assert answer.status_code == 302
    [given] = sample.items.get(place=1).labels.all()
    assert (given.choice, given.passage, given.start, given.comment) == (
        "SEMANTICS",
        "weight is",
        4,
        "Two.",
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"choice": "SEMANTICS", "passage": "Its mass is"}, "These words are not in the response"),
        ({"choice": "SEMANTICS", "passage": "m g"}, "occur more than once"),
        ({"choice": "SEMANTICS", "passage": " "}, "Say where the error is"),
        ({"passage": PASSAGE}, "Choose one of the six"),
        ({"choice": "NO_ERROR", "passage": "elsewhere"}, "These words are not in the response"),
    ],
)
def test_a_label_that_lacks_its_place_is_refused_and_says_what_to_do(asked, sample, fields, said):
    answer = send(asked, sample, **fields)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not sample.items.filter(labels__isnull=False).exists()


def test_what_was_refused_stays_on_the_same_answer_with_what_was_typed(asked, sample):
    answer = send(asked, sample, choice="SEMANTICS", passage="not there", comment="Kept.")
    page = answer.content.decode()
    assert "not there</textarea>" in page
    assert "Kept.</textarea>" in page
    assert 'value="SEMANTICS" data-key="2" checked' in page


def test_one_cannot_label_an_answer_that_one_was_not_served(asked, sample):
    address = reverse("grading:label_first_error", args=[sample.pk])
    for sent in ("", "x", sample.items.get(place=5).pk):
        assert asked.post(address, {"item": sent, "choice": "NO_ERROR"}).status_code == 404


def test_who_finds_a_problem_wrong_is_led_to_report_it(asked, sample):
    send(asked, sample, choice="KEY_WRONG")
    problem = sample.items.get(place=1).revision.problem
    page = read(asked, "label_first_error", sample.pk)
    assert reverse("curation:new_report", args=[problem.pk]) in page


def test_who_settles_reads_both_labels_with_their_passages_and_no_names(
    sample, admin, other_admin, reviewer
):
    actions.ask(sample=sample, person=reviewer, by=admin)
    item, *others = sample.items.all()
    actions.label(item=item, by=admin, choice="CANT_TELL", comment="Too short.")
    actions.label(item=item, by=reviewer, choice="SYMBOLIC", passage="weight", start=4)
    for other in others:
        label(other, {other_admin: "CANT_TELL"})
    client = client_of(other_admin)
    page = read(client, "adjudicate_first_error", sample.pk).partition("<main")[2]
    for words in ("can’t tell", "robust reasoning: symbolic", "weight</pre>", "Too short."):
        assert words in page
    assert "Reviewer" not in page
    sealed = re.search(r'name="item" value="([\w-]+)"', page)[1]
    address = reverse("grading:adjudicate_first_error", args=[sample.pk])
    sent = {"item": sealed, "choice": "SYMBOLIC", "passage": "2 m g", "reason": "A factor."}
    assert client.post(address, sent).status_code == 400  # It occurs twice.
    assert client.post(address, {**sent, "start": 15}).status_code == 302
    item.refresh_from_db()
    assert (item.outcome, item.adjudication.passage) == ("SYMBOLIC", "2 m g")


def test_home_names_the_sample_that_waits(asked, sample):
    send(asked, sample, choice="CANT_TELL")
    home = asked.get(reverse("inbox")).content.decode()
    assert "Label the first errors of 5 answers." in home


# --- What came of it ------------------------------------------------------------------------


def test_nobody_is_told_shares_before_a_sample_is_complete(sample, admin, other_admin):
    label(sample.items.get(place=1), {admin: "PERCEPTION", other_admin: "PERCEPTION"})
    for client in (Client(), client_of(admin)):
        assert "Kinds of first errors" not in read(client, "first_error_sample", sample.pk)
        assert "1 of 6 answers are decided" not in read(client, "first_error_sample", sample.pk)
    assert read_csv(Client(), "first_error_sample_csv", sample.pk) == [
        {"solver": "Secret Alpha"},
        {"solver": "Secret Beta"},
    ]
    [first, *_others] = read_csv(client_of(admin), "first_error_labels_csv", sample.pk)
    assert set(first) == {"place", "problem"}


def test_everybody_reads_the_shares_of_a_complete_sample_and_no_answer(
    sample, admin, other_admin, problems
):
    label_all(sample, admin, other_admin, mix)
    page = read(Client(), "first_error_sample", sample.pk)
    assert "Kinds of first errors" in page
    assert "Krippendorff’s alpha" in page
    assert "Cohen’s kappa" in page
    assert PASSAGE not in page
    assert WRONG not in page
    assert "Next steps" not in page
    assert not any(one.identifier in page for one in problems)


def test_the_table_counts_what_people_said(sample, admin, other_admin):
    label_all(sample, admin, other_admin, mix)
    *solvers, pooled = read_csv(Client(), "first_error_sample_csv", sample.pk)
    assert [one["solver"] for one in solvers] == ["Secret Alpha", "Secret Beta"]
    assert (solvers[0]["accuracy"], solvers[0]["problems"]) == ("25.0", "4")
    assert {
        name: pooled[name]
        for name in ("labelled", "errors", "no_error", "key_wrong", "cant_tell", "perception_n")
    } == {
        "labelled": "6",
        "errors": "3",
        "no_error": "1",
        "key_wrong": "1",
        "cant_tell": "1",
        "perception_n": "1",
    }
    assert (pooled["perception"], pooled["semantic_of_reasoning"]) == ("33.33", "50.0")
    assert sum(int(one["errors"]) for one in solvers) == 3


def test_the_picture_says_what_the_table_says_once_the_sample_is_complete(
    sample, admin, other_admin
):
    address = reverse("grading:first_error_picture", args=[sample.pk])
    assert Client().get(address).status_code == 404
    label_all(sample, admin, other_admin, lambda item: "SYMBOLIC" if item.place > 2 else mix(item))
    for layout in ("", "narrow"):
        drawn = Client().get(address, {"layout": layout}).content.decode()
        assert "Secret Alpha" in drawn
        assert "Total has 6 first errors: 1 of physical perception" in drawn
        assert drawn.count('class="axis whisker"') == 3
    assert address in read(Client(), "first_error_sample", sample.pk)


def test_a_sample_without_any_error_has_shares_of_nothing_and_no_picture(
    sample, admin, other_admin
):
    label_all(sample, admin, other_admin, lambda item: "CANT_TELL")
    page = read(Client(), "first_error_sample", sample.pk)
    assert "Kinds of first errors" in page
    assert "undefined: all labels are the same" in page
    assert "<figure" not in page


def test_what_people_found_right_or_wrong_leads_on_for_admins(sample, admin, other_admin):
    label_all(sample, admin, other_admin, mix)
    page = read(client_of(admin), "first_error_sample", sample.pk)
    right, wrong = sample.items.get(outcome="NO_ERROR"), sample.items.get(outcome="KEY_WRONG")
    assert reverse("grading:new_contest", args=[right.attempt_id]) in page
    assert reverse("curation:new_report", args=[wrong.revision.problem_id]) in page
    told = Exposure.objects.filter(person=admin, reason="FIRST_ERROR", part="VERDICT")
    assert {one.revision_id for one in told} == {right.revision_id, wrong.revision_id}


def test_the_file_of_labels_has_each_with_its_passage(sample, admin, other_admin):
    label_all(sample, admin, other_admin, mix)
    rows = read_csv(client_of(admin), "first_error_labels_csv", sample.pk)
    assert len(rows) == 12
    assert rows[0]["passage"] == PASSAGE
    assert {one["label"] for one in rows} == {one["outcome"] for one in rows}


def test_a_sample_that_ended_early_stays_listed_with_its_reason(sample, admin):
    client = client_of(admin)
    end = reverse("grading:end_first_errors", args=[sample.pk])
    assert "It was not ended" in client.post(end, {"why": ""}, follow=True).content.decode()
    client.post(end, {"why": "The wrong solvers."})
    assert "ended early" in read(Client(), "first_errors")
    assert "The wrong solvers." in read(Client(), "first_error_sample", sample.pk)


def test_an_admin_asks_somebody_and_takes_them_off(sample, admin, reviewer):
    client = client_of(admin)
    client.post(reverse("grading:ask_for_first_errors", args=[sample.pk]), {"person": reviewer.pk})
    [asked] = sample.labellers.all()
    assert "Remove Reviewer" in read(client, "first_error_sample", sample.pk)
    client.post(reverse("grading:take_off_first_errors", args=[sample.pk, asked.pk]))
    assert "Remove Reviewer" not in read(client, "first_error_sample", sample.pk)


def test_the_page_to_draw_offers_the_board_and_draws(submissions, version, admin):
    client, address = client_of(admin), reverse("grading:new_first_error_sample")
    page = read(client, "new_first_error_sample")
    assert page.index("Secret Alpha") < page.index("Secret Beta")
    assert page.count(" checked") >= 2
    numbers = [one.pk for one in submissions]
    sent = {"version": version.pk, "submissions": numbers, "size": 5}
    assert client.post(address, {**sent, "submissions": []}).status_code == 400
    assert client.post(address, {**sent, "size": 1}).status_code == 400
    client.post(address, {**sent, "why": "For the paper."})
    sample = FirstErrorSample.objects.get()
    assert (sample.items.count(), sample.why) == (6, "For the paper.")
    assert "being labelled" in client.post(address, sent).content.decode()


# --- As many queries for any number ---------------------------------------------------------


def test_the_list_takes_as_many_queries_for_any_number(
    sample, submissions, version, admin, django_assert_max_num_queries
):
    clients = [client_of(admin), Client()]

    def count() -> list[int]:
        counts = []
        for client in clients:
            with django_assert_max_num_queries(30) as found:
                read(client, "first_errors")
            counts.append(len(found))
        return counts

    before = count()
    for _number in range(2):
        newest = FirstErrorSample.objects.latest("pk")
        actions.end(sample=newest, by=admin, why="To have three.")
        draw(version=version, by=admin, submissions=[submissions[0].pk], size=5)
    assert count() == before


def test_a_sample_s_page_takes_as_many_queries_for_any_number_of_answers(
    submissions, version, admin, other_admin, reviewer, django_assert_max_num_queries
):
    def count(sample: FirstErrorSample) -> list[int]:
        counts = []
        for person in (admin, None):
            client = client_of(person)
            with django_assert_max_num_queries(40) as found:
                read(client, "first_error_sample", sample.pk)
            counts.append(len(found))
        return counts

    counts = []
    for chosen, size in ((submissions[:1], 1), (submissions, 3)):
        sample = draw(version=version, by=admin, submissions=[one.pk for one in chosen], size=size)
        actions.ask(sample=sample, person=reviewer, by=admin)
        is_open = count(sample)
        label_all(sample, admin, other_admin, lambda item: "KEY_WRONG")
        counts.append((is_open, count(sample)))
    assert counts[0] == counts[1]
