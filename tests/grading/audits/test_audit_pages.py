"""The pages of a sample: fast and blind for who labels, everything in the end for admins."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from curation.problems.exposures.models import Exposure
from grading.samples.audits import actions
from grading.samples.audits.drawing import draw
from grading.samples.audits.label_views import find_end
from grading.samples.audits.models import AuditSample
from grading.samples.labelling.served import seal
from tests.addresses import client_of
from tests.grading.audits.conftest import label, label_all

pytestmark = pytest.mark.django_db

TELLING = (
    "A model",
    "Another",
    "Organisation of",
    "secret-model-name",
    "EED",
    "correct",
    "partial",
)
VERDICTS = ("CORRECT", "PARTIAL", "INCORRECT", "UNREADABLE", "ACCEPTED", "REJECTED")


def open_label_page(client: Client, sample: AuditSample) -> str:
    answer = client.get(reverse("grading:label_audit", args=[sample.pk]))
    assert answer.status_code == 200
    return answer.content.decode()


def send(client: Client, sample: AuditSample, choice: str = "RIGHT", **more: object):
    page = open_label_page(client, sample)
    item = re.search(r'name="item" value="([\w-]+)"', page)
    sent = {"item": item[1], "choice": choice, **more}
    return client.post(reverse("grading:label_audit", args=[sample.pk]), sent)


@pytest.fixture
def asked(sample, reviewer, admin) -> Client:
    actions.ask(sample=sample, person=reviewer, by=admin)
    return client_of(reviewer)


def test_no_screen_tells_the_verdict_nor_whose_answer_it_is(asked, sample):
    for _number in range(sample.items.count()):
        page = open_label_page(asked, sample)
        main = page.partition("<main")[2].partition("</main>")[0]
        assert [one for one in (*TELLING, *VERDICTS) if one in main] == []
        assert "m g h" in main
        send(asked, sample)
    assert "No answer of this sample awaits your label" in open_label_page(asked, sample)


def test_after_a_label_the_next_answer_comes_and_progress_is_counted(asked, sample):
    assert "0 of 8" in open_label_page(asked, sample)
    answer = send(asked, sample, "WRONG", note="A factor.")
    assert answer.url == reverse("grading:label_audit", args=[sample.pk])
    assert "1 of 8" in open_label_page(asked, sample)
    first = sample.items.get(place=1)
    assert [(one.choice, one.note) for one in first.labels.all()] == [("WRONG", "A factor.")]


def test_undo_brings_the_last_answer_back(asked, sample):
    before = open_label_page(asked, sample)
    send(asked, sample)
    asked.post(reverse("grading:take_back_label", args=[sample.pk]))
    after = open_label_page(asked, sample)
    item = re.compile(r'name="item" value="[\w-]+"')
    assert item.search(before)[0] == item.search(after)[0]
    assert "0 of 8" in after


def test_a_form_without_a_choice_says_what_to_do(asked, sample):
    answer = send(asked, sample, "")
    assert answer.status_code == 400
    assert "with one of the buttons" in answer.content.decode()
    assert not sample.items.get(place=1).labels.exists()


def test_one_cannot_label_an_answer_that_one_was_not_served(asked, sample, reviewer, admin):
    item = sample.items.get(place=5)
    of_another = seal(item, person=admin, step="label")
    of_another_step = seal(item, person=reviewer, step="adjudicate")
    for sent in ("", "x", item.pk, of_another, of_another_step):
        address = reverse("grading:label_audit", args=[sample.pk])
        assert asked.post(address, {"item": sent, "choice": "RIGHT"}).status_code == 404
    assert not item.labels.exists()


def test_a_form_that_is_sent_twice_gives_one_label(asked, sample):
    page = open_label_page(asked, sample)
    item = re.search(r'name="item" value="([\w-]+)"', page)[1]
    address = reverse("grading:label_audit", args=[sample.pk])
    for _again in range(2):
        assert asked.post(address, {"item": item, "choice": "RIGHT"}).status_code == 302
    assert "1 of 8" in open_label_page(asked, sample)


def test_what_a_labeller_is_shown_is_written_down(asked, sample, reviewer):
    open_label_page(asked, sample)
    revision = sample.items.get(place=1).revision
    shown = Exposure.objects.filter(person=reviewer, reason="AUDIT")
    assert {(one.revision, one.part) for one in shown} == {
        (revision, "STATEMENT"),
        (revision, "ANSWER"),
    }


def test_of_a_long_answer_the_end_is_shown_from_the_beginning_of_a_line():
    assert find_end("short") == ""
    assert find_end("a" * 4_000 + "\nIt is $x$.") == "It is $x$."
    assert len(find_end("a" * 9_000)) == 3_000


def test_where_two_differ_the_two_labels_are_shown_without_names(
    sample, asked, admin, reviewer, other_admin
):
    item, *others = sample.items.all()
    label(item, {admin: "RIGHT", reviewer: "WRONG"})
    for other in others:
        label(other, {other_admin: "RIGHT"})
    client = client_of(other_admin)
    address = reverse("grading:adjudicate_audit", args=[sample.pk])
    page = client.get(address).content.decode().partition("<main")[2]
    assert "right" in page
    assert "wrong" in page
    assert "Reviewer" not in page
    sealed = seal(item, person=other_admin, step="adjudicate")
    refused = client.post(address, {"item": sealed, "choice": "RIGHT", "reason": " "})
    assert refused.status_code == 400
    client.post(address, {"item": sealed, "choice": "RIGHT", "reason": "The same."})
    item.refresh_from_db()
    assert item.outcome == "RIGHT"


# --- The sample's page ----------------------------------------------------------------------


def open_sample(client: Client, sample: AuditSample) -> str:
    answer = client.get(sample.get_absolute_url())
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_a_labeller_s_pages_never_count_hidden_answers(
    with_hidden, version, admin, other_admin, reviewer
):
    sample = draw(version=version, by=admin, size=40)
    actions.ask(sample=sample, person=reviewer, by=admin)
    for item in sample.items.exclude(hidden_answer=None):
        label(item, {admin: "RIGHT"})
    client = client_of(reviewer)
    assert "You have labelled 0 of 9" in open_sample(client, sample)
    assert '<td class="number" data-label="Labels">2' not in open_sample(client, sample)
    assert "hidden answer" not in open_sample(client, sample)
    assert 'data-label="Labels"' not in open_sample(client, sample)
    listed = client.get(reverse("grading:audits")).content.decode()
    assert not re.search(r"\d of \d", listed)
    assert client.get(reverse("grading:audits_csv")).content.decode().count(",,,OPEN") == 1
    label_all(sample, admin, other_admin, lambda one: "RIGHT")
    # As on the board, by then.
    assert client.get(reverse("grading:audits_csv")).content.decode().count(",11,11,COMPLETE") == 1


def test_no_count_that_rises_where_two_agree_is_told_to_who_has_still_to_label(
    sample, asked, admin, other_admin, reviewer
):
    client = client_of(other_admin)
    first, second, *others = sample.items.all()
    before = open_sample(client, sample)
    label(first, {admin: "RIGHT", reviewer: "RIGHT"})
    label(second, {admin: "RIGHT", reviewer: "WRONG"})
    page = open_sample(client, sample)
    for one in (before, page):
        assert "are decided" not in one
        assert "adjudicate" not in one
    for address in ("audits", "audits_csv"):
        listed = client.get(reverse(f"grading:{address}")).content.decode()
        assert not re.search(r"\d of \d|,\d,8,OPEN", listed)
    assert "adjudicate" not in open_label_page(client, sample)
    adjudicating = reverse("grading:adjudicate_audit", args=[sample.pk])
    assert 'name="reason"' not in client.get(adjudicating).content.decode()
    for item in others:
        label(item, {other_admin: "RIGHT"})
    page = open_sample(client, sample)
    assert "1 of 8 answers are decided." in page
    assert "Adjudicate one answer" in page
    assert "are decided" not in open_sample(asked, sample)


def test_rates_are_told_once_complete_with_where_people_and_the_grader_differ(
    with_hidden, version, admin, other_admin, reviewer
):
    sample = draw(version=version, by=admin, size=40)
    actions.ask(sample=sample, person=reviewer, by=admin)
    client = client_of(admin)
    assert "Result" not in open_sample(client, sample)
    label_all(sample, admin, other_admin, lambda one: "WRONG")
    page = open_sample(client, sample)
    assert "Cohen’s kappa" not in page  # All said the same: it is undefined.
    accepted = sample.items.filter(stratum="ACCEPTED")
    for item in accepted.public():
        assert reverse("grading:attempt", args=[item.attempt_id]) in page
    assert page.count("hidden answer") == 1
    told = Exposure.objects.filter(person=admin, reason="AUDIT", part="VERDICT")
    assert told.count() == 1
    assert "Result" not in open_sample(client_of(reviewer), sample)


def test_the_file_tells_nothing_but_problems_of_a_sample_that_is_open_or_ended_early(
    sample, admin, other_admin
):
    client, address = client_of(admin), reverse("grading:audit_csv", args=[sample.pk])
    label(sample.items.get(place=1), {admin: "RIGHT", other_admin: "RIGHT"})
    asked_about = [
        f"{one.place},{one.revision.problem.identifier}" for one in sample.items.order_by("place")
    ]
    for _end in range(2):
        said = client.get(address).content.decode().lstrip("\ufeff")
        assert said.splitlines() == ["place,problem", *asked_about]
        if sample.is_open:
            actions.end(sample=sample, by=admin, why="The wrong version.")
            sample.refresh_from_db()
    assert "Only places and problems" in open_sample(client, sample)


def test_the_file_has_labels_and_verdicts_once_the_sample_is_complete(sample, admin, other_admin):
    client, address = client_of(admin), reverse("grading:audit_csv", args=[sample.pk])
    label_all(sample, admin, other_admin, lambda one: "WRONG")
    said = client.get(address).content.decode()
    assert len(said.splitlines()) == 17
    assert said.count("UNREADABLE") == 2
    assert Exposure.objects.filter(person=admin, reason="AUDIT", part="VERDICT").exists()


def test_an_admin_is_told_that_somebody_else_is_needed(sample, admin):
    page = open_sample(client_of(admin), sample)
    assert "8 answers need another labeller." in page
    assert "Ask somebody who never was a member of Organisation of Evaluator." in page


def test_an_admin_asks_somebody_takes_them_off_and_ends_the_sample(sample, admin, reviewer):
    client = client_of(admin)
    client.post(reverse("grading:ask_labeller", args=[sample.pk]), {"person": reviewer.pk})
    [asked] = sample.labellers.all()
    assert "Remove Reviewer" in open_sample(client, sample)
    client.post(reverse("grading:take_off_labeller", args=[sample.pk, asked.pk]))
    assert "Remove Reviewer" not in open_sample(client, sample)
    end = reverse("grading:end_audit", args=[sample.pk])
    assert "It was not ended" in client.post(end, {"why": ""}, follow=True).content.decode()
    client.post(end, {"why": "The wrong version."})
    sample.refresh_from_db()
    assert (sample.state, sample.why_ended) == ("ENDED", "The wrong version.")


# --- Drawing, the list, home ----------------------------------------------------------------


def test_the_page_to_draw_says_what_there_is_and_draws(version, submission, admin):
    client, address = client_of(admin), reverse("grading:new_audit")
    page = " ".join(client.get(address).content.decode().split())
    assert "There are 8 graded answers, by grader 2.1" in page
    assert '<dt>could not be read</dt> <dd class="number">1</dd>' in page
    assert client.post(address, {"version": version.pk, "size": 1}).status_code == 400
    client.post(address, {"version": version.pk, "size": 20, "why": "To see."})
    sample = AuditSample.objects.get()
    assert (sample.items.count(), sample.why, sample.drawn_by) == (8, "To see.", admin)
    refused = client.post(address, {"version": version.pk, "size": 20})
    assert "being labelled" in refused.content.decode()


@pytest.mark.parametrize("who", ["admin", "reviewer"])
def test_the_list_takes_as_many_queries_for_any_number(
    sample, version, asked, admin, reviewer, who, django_assert_max_num_queries
):
    client = client_of(admin) if who == "admin" else asked
    address = reverse("grading:audits")

    def count() -> int:
        with django_assert_max_num_queries(30) as found:
            assert client.get(address).status_code == 200
        return len(found)

    before = count()
    for _number in range(2):
        newest = AuditSample.objects.latest("pk")
        actions.end(sample=newest, by=admin, why="To have three.")
        another = draw(version=version, by=admin, size=4)
        actions.ask(sample=another, person=reviewer, by=admin)
    assert count() == before


def test_a_sample_s_page_takes_as_many_queries_for_any_number_of_answers_and_people(
    answer, problems, version, submission, admin, other_admin, reviewer,
    django_assert_max_num_queries,
):  # fmt: skip
    def count(sample: AuditSample) -> int:
        client = client_of(admin)
        # What it shows is written down where it was not before.
        client.get(sample.get_absolute_url())
        with django_assert_max_num_queries(40) as found:
            assert client.get(sample.get_absolute_url()).status_code == 200
        return len(found)

    counts = []
    for size in (2, 6):
        sample = draw(version=version, by=admin, size=size)
        actions.ask(sample=sample, person=reviewer, by=admin)
        is_open = count(sample)
        label_all(sample, admin, other_admin, lambda one: "WRONG")
        counts.append((is_open, count(sample)))
    assert counts[0] == counts[1]


def test_home_names_the_sample_that_waits_with_how_far_one_is(asked, sample, admin):
    send(asked, sample)
    address = reverse("grading:label_audit", args=[sample.pk])
    home = asked.get(reverse("inbox")).content.decode()
    assert "7 answers of check samples need your label." in home
    assert address in home
    actions.end(sample=sample, by=admin, why="Enough.")
    assert "need your label" not in asked.get(reverse("inbox")).content.decode()
