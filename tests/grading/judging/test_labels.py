"""Labels from a file: what each row would do, doing it once, and what they are worth."""

import json
from functools import partial

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, transaction
from django.urls import reverse

from grading.answers.models import Attempt
from grading.judging.calibration.collecting import collect
from grading.judging.calibration.people import compare_rulings
from grading.judging.rulings.waiting import list_waiting
from grading.samples.labels import actions as labels
from grading.samples.labels import rulings
from grading.samples.labels.actions import Outcome
from grading.samples.labels.files import parse
from grading.samples.labels.models import LabelFile, Ruling
from grading.samples.labels.rulings import Source
from grading.submissions import publication
from phybench.files.problem_files import Refused
from phybench.people.models import Role
from tests.addresses import client_of
from tests.conftest import make_person
from tests.grading.concurrency import post_in_turn
from tests.grading.judging.judging import grade_all, judge_answers, judge_well
from tests.grading.trials.trials import make_endpoint
from tests.memory import remembered

pytestmark = pytest.mark.usefixtures("commits")
ORIGIN = "R. Hooke, last May, by the group's rubric."


@pytest.fixture
@remembered
def submission(problems, hand_in):
    made = hand_in(
        (problems[0], "m g h or m g; it is right"), (problems[1], "x"), (problems[2], "y")
    )
    grade_all(made)
    return made


def write(*rows: dict[str, object]) -> bytes:
    return json.dumps([{"labeller": "R. Hooke", "label": "right", **row} for row in rows]).encode()


def bring(by, content: bytes, origin: str = ORIGIN) -> LabelFile:
    return labels.bring(by=by, file_name="labels.json", content=content, origin=origin)


def tell(file: LabelFile) -> list[tuple[str, str]]:
    return [(one.outcome, one.message) for one in labels.plan(file)]


# --- Reading --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"label": "right"}, "names no answer"),
        ({"id": "C1", "label": "right"}, "names no answer"),
        ({"attempt": 1}, "no label"),
        ({"attempt": 1, "label": "maybe"}, "“maybe” is not valid"),
        ({"attempt": 1, "label": "right", "labeller": ""}, "who labelled"),
        ({"attempt": "first", "label": "right"}, "“attempt” must be an integer"),
        ({"attempt": True, "label": "right"}, "“attempt” must be an integer"),
        ({"attempt": 1, "repeat_index": -1, "label": "right"}, "“repeat_index” must be"),
        ({"attempt": 10**20, "label": "right"}, "“attempt” must be an integer"),
        ({"attempt": 1, "label": "right", "labeller": "x" * 121}, "longer than 120"),
        ({"attempt": 1, "label": "right", "note": "x" * 4001}, "longer than 4000"),
    ],
)
def test_a_row_that_is_no_label_says_why(row, fault):
    [good, bad] = parse(json.dumps([{"attempt": 5, "label": "right", "labeller": "A"},
                                    {"labeller": "R. Hooke", **row}]).encode())  # fmt: skip
    assert good.fault == ""
    assert fault in bad.fault


@pytest.mark.parametrize(
    ("word", "choice"),
    [
        ("right", "RIGHT"), ("Correct", "RIGHT"), ("TRUE", "RIGHT"), (True, "RIGHT"), (1, "RIGHT"),
        ("wrong", "WRONG"), ("incorrect", "WRONG"), (False, "WRONG"), ("0", "WRONG"),
        ("can't tell", "CANT_TELL"), ("can’t tell", "CANT_TELL"),
    ],
)  # fmt: skip
def test_a_label_is_written_in_several_ways(word, choice):
    [row] = parse(json.dumps([{"attempt": 1, "label": word, "labeller": "A"}]).encode())
    assert (row.choice, row.fault) == (choice, "")


@pytest.mark.parametrize(
    "content",
    [
        b'[{"attempt": 7, "label": "wrong", "labeller": "A", "note": "the sign"}]',
        b'{"attempt": 7, "label": "wrong", "labeller": "A", "note": "the sign"}\n',
        b"attempt,label,labeller,note\n7,wrong,A,the sign\n",
        "\ufeffattempt;label;labeller;note\r\n7;wrong;A;the sign\r\n".encode(),
    ],
)
def test_a_file_is_json_json_lines_or_csv(content):
    [row] = parse(content)
    assert (row.attempt, row.choice, row.labeller, row.note) == (7, "WRONG", "A", "the sign")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"[]", "holds no labels"),
        (b"hello", "neither JSON nor a table of labels"),
        (b"attempt,labeller\n1,A\n", "has a “label”"),
        (b"\xff\xfeab", "UTF-16"),
        (b'[{"attempt": 1', "cut off"),
    ],
)
def test_a_file_that_is_none_is_refused_in_a_sentence(content, says):
    with pytest.raises(Refused, match=says):
        parse(content)


def test_the_second_of_two_rows_by_one_labeller_on_one_answer_is_left_out():
    rows = parse(write({"attempt": 1}, {"attempt": 1, "label": "wrong"}, {"attempt": 2}))
    assert [row.fault for row in rows] == [
        "", "row 1 is about the same answer, by the same labeller", "",
    ]  # fmt: skip


def test_samples_count_from_1_as_on_pages_and_published_indexes_from_0():
    content = write(
        {"id": "C1", "model": "A model", "sample": 2},
        {"id": "C2", "model": "A model", "repeat_index": 1},
        {"id": "C3", "model": "A model"},
    )
    assert [one.sample for one in parse(content)] == [2, 2, None]


# --- Planning and taking --------------------------------------------------------------------


def test_answers_are_found_by_number_or_by_problem_and_model(admin, submission, problems):
    first, second, third = submission.attempts.order_by("pk")
    content = write(
        {"attempt": first.pk},
        {"id": problems[1].identifier, "model": "A model", "repeat_index": 0},
        {"id": problems[2].identifier, "model": "A model", "submission": submission.pk},
        {"id": problems[0].identifier, "attempt": second.pk},
        {"id": problems[3].identifier, "model": "A model"},
        {"id": problems[1].identifier, "model": "Another"},
        {"attempt": 10**9},
    )
    planned = labels.plan(bring(admin, content))
    assert [one.attempt for one in planned] == [first.pk, second.pk, third.pk, *[None] * 4]
    assert {one.message for one in planned[3:]} == {"no answer that you may rule on matches"}


def test_of_several_that_are_alike_the_row_has_to_say_which(admin, submission, problems, hand_in):
    again = hand_in((problems[0], "m g h"))
    named = {"id": problems[0].identifier, "model": "A model"}
    which = write(named, {**named, "submission": again.pk, "labeller": "Boyle"})
    [both, one] = labels.plan(bring(admin, which))
    assert "2 answers match: say which one by" in both.message
    assert one.attempt == again.attempts.get().pk
    publication.withdraw(submission=again, by=admin)
    [both, _one] = labels.plan(bring(admin, which))
    assert both.outcome is Outcome.NEW, "what was withdrawn is not meant by its name"


def test_a_file_is_taken_once_and_a_second_time_changes_nothing(admin, submission):
    first, second, _third = submission.attempts.order_by("pk")
    content = write({"attempt": first.pk}, {"attempt": second.pk, "label": "wrong", "note": "No."})
    file = bring(admin, content)
    assert not Ruling.objects.exists(), "it was only looked at"
    assert bring(admin, content) == file
    assert labels.take(file) == 2
    kept = Ruling.objects.order_by("pk").values_list(
        "attempt", "choice", "labeller", "reason", "ruled_by", "label_file"
    )
    assert list(kept) == [
        (first.pk, "RIGHT", "R. Hooke", "", admin.pk, file.pk),
        (second.pk, "WRONG", "R. Hooke", "No.", admin.pk, file.pk),
    ]
    file.refresh_from_db()
    assert tell(file) == [(Outcome.TAKEN, "")] * 2, "it says what the file did"
    assert labels.take(file) == 0
    again = bring(admin, content)
    assert again != file
    assert tell(again) == [(Outcome.SAME, "")] * 2
    assert labels.take(again) == 0
    assert Ruling.objects.count() == 2


def test_who_labelled_otherwise_before_is_told_so_and_the_first_stays(admin, submission):
    [first] = submission.attempts.order_by("pk")[:1]
    labels.take(bring(admin, write({"attempt": first.pk})))
    other = bring(admin, write({"attempt": first.pk, "label": "wrong"}))
    assert tell(other) == [
        (Outcome.REFUSED, "this labeller gave this answer another label before, which is kept")
    ]
    second = bring(admin, write({"attempt": first.pk, "label": "wrong", "labeller": "Boyle"}))
    assert labels.take(second) == 1


def test_one_labels_only_what_one_may_rule_on(evaluator, contributor, admin, submission):
    content = write({"attempt": submission.attempts.first().pk})
    other = make_person(Role.EVALUATOR, "other")
    for person in (evaluator, other):
        assert labels.take(bring(person, content)) == 0, "theirs, or without the key"
    contributor.roles.append(Role.EVALUATOR)
    contributor.save()
    assert labels.take(bring(contributor, content)) == 1


@pytest.mark.django_db(transaction=True)
def test_what_is_discarded_at_the_same_moment_is_not_there_to_be_taken(admin, submission):
    file = bring(admin, write({"attempt": submission.attempts.first().pk}))
    posts = [
        partial(client_of(admin).post, reverse(f"grading:{name}", args=[file.pk]))
        for name in ("discard_labels", "discard_labels", "take_labels")
    ]
    assert post_in_turn("grading_labelfile", file.pk, *posts) == [302, 302, 404]


def test_a_file_that_was_taken_stays_and_is_never_changed(admin, submission):
    file = bring(admin, write({"attempt": submission.attempts.first().pk}))
    with pytest.raises(DatabaseError), transaction.atomic():
        LabelFile.objects.update(rows=[])
    labels.take(file)
    assert labels.discard(file) is False
    with pytest.raises(DatabaseError), transaction.atomic():
        LabelFile.objects.update(taken_at=None)
    unwanted = bring(admin, write({"attempt": 5}))
    assert labels.discard(unwanted) is True
    assert LabelFile.objects.get() == file


# --- What they are worth --------------------------------------------------------------------


def label(admin, attempt: Attempt, **by_whom: str) -> None:
    rows = [
        {"attempt": attempt.pk, "label": said, "labeller": who} for who, said in by_whom.items()
    ]
    labels.take(bring(admin, write(*rows)))


def test_the_majority_of_labels_counts_and_a_ruling_on_a_page_goes_before(admin, submission):
    first, second, third = submission.attempts.order_by("pk")
    label(admin, first, a="right", b="wrong", c="right")
    label(admin, second, a="right", b="wrong")
    label(admin, third, a="wrong", b="can't tell")
    assert rulings.settled() == {first.pk: True, third.pk: False}
    rulings.rule(attempt=first, by=admin, choice="WRONG", reason="Looked at it myself.")
    assert rulings.settled() == {first.pk: False, third.pk: False}
    assert rulings.settled(Source.PAGES) == {first.pk: False}
    assert rulings.settled(Source.FILES) == {first.pk: True, third.pk: False}


def test_what_was_labelled_waits_for_nobody_and_can_be_ruled_on(admin, submission, serve):
    judge_answers(submission, make_endpoint(serve(judge_well)))
    waiting = list(list_waiting(admin))
    assert waiting
    label(admin, waiting[0], a="wrong")
    assert waiting[0] not in list_waiting(admin)
    rulings.rule(attempt=waiting[0], by=admin, choice="WRONG", reason="It is.")


def test_judges_are_calibrated_on_labels(client, admin, submission, serve):
    judge_answers(submission, make_endpoint(serve(judge_well)))
    first, second, _third = submission.attempts.order_by("pk")
    label(admin, first, a="right")
    label(admin, second, a="right")
    [(_configuration, found)] = collect()
    assert (found.errors.true_accepts, found.errors.false_rejects, found.ruled) == (1, 1, 2)
    [(_configuration, found)] = collect(source=Source.PAGES)
    assert found.ruled == 0
    client.force_login(admin)
    page = client.get(reverse("grading:calibration") + "?against=files")
    assert page.context["rows"][0].found.ruled == 2


def test_how_far_people_agree_is_counted_over_answers_that_several_could_tell_of(
    client, admin, submission
):
    first, second, third = submission.attempts.order_by("pk")
    label(admin, first, a="right", b="right")
    label(admin, second, a="right", b="wrong")
    label(admin, third, a="wrong", b="can't tell")
    assert compare_rulings().unanimous.count == 2
    assert compare_rulings().unanimous.value == 50.0
    rulings.rule(attempt=third, by=admin, choice="WRONG", reason="Looked at it myself.")
    found = compare_rulings()
    assert (found.unanimous.count, round(found.unanimous.value, 1)) == (3, 66.7)
    assert compare_rulings(Source.FILES).unanimous.count == 2
    assert compare_rulings(Source.PAGES).unanimous.count == 0
    client.force_login(admin)
    text = client.get(reverse("grading:calibration")).content.decode()
    assert "Agreement among people" in text
    assert "Krippendorff’s alpha" in text


# --- The pages ------------------------------------------------------------------------------


def send(client, content: bytes, origin: str = ORIGIN):
    sent = {"file": SimpleUploadedFile("labels.csv", content), "origin": origin}
    return client.post(reverse("grading:label_files"), sent)


def test_a_file_is_looked_at_taken_and_listed(client, admin, submission):
    client.force_login(admin)
    attempt = submission.attempts.first()
    content = f"attempt,label,labeller\n{attempt.pk},wrong,=R. Hooke\n7777777,right,B\n".encode()
    answer = send(client, content)
    file = LabelFile.objects.get()
    assert answer["Location"] == file.get_absolute_url()
    page = client.get(file.get_absolute_url())
    text = page.content.decode()
    assert "One label would be accepted." in text
    assert "no answer that you may rule on matches" in text
    assert ORIGIN.replace("'", "&#x27;") in text
    rows = client.get(reverse("grading:label_file_csv", args=[file.pk])).content.decode()
    assert rows.splitlines()[1] == f"1,2,NEW,,{attempt.pk},,,WRONG,'=R. Hooke"
    page = client.get(file.get_absolute_url() + "?show=REFUSED")
    assert [one.label.row for one in page.context["page"]] == [2]
    narrowed = reverse("grading:label_file_csv", args=[file.pk]) + "?show=REFUSED"
    assert narrowed in page.content.decode()
    rows = client.get(narrowed).content.decode().splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == ["2"]
    page = client.post(reverse("grading:take_labels", args=[file.pk]), follow=True)
    assert "1 label was accepted." in page.content.decode()
    assert [(one, n) for one, _words, n in page.context["counts"]] == [
        ("TAKEN", 1), ("SAME", 0), ("REFUSED", 1)
    ]  # fmt: skip
    page = client.post(reverse("grading:discard_labels", args=[file.pk]), follow=True)
    assert "so the file is kept" in page.content.decode()
    assert client.get(reverse("grading:label_files")).context["page"][0].count == 1
    given = client.get(reverse("grading:rulings_given") + "?origin=file").content.decode()
    assert "=R. Hooke" in given


def test_a_file_that_can_not_be_read_says_what_to_do(client, admin):
    client.force_login(admin)
    page = send(client, b"nothing")
    assert page.status_code == 400
    assert "neither JSON nor a table of labels" in page.content.decode()
    assert send(client, write({"attempt": 1}), origin="").status_code == 400
    assert not LabelFile.objects.exists()


def test_only_who_brought_a_file_takes_it_and_others_find_none(client, admin, evaluator):
    file = bring(evaluator, write({"attempt": 1}))
    client.force_login(make_person(Role.EVALUATOR, "other"))
    for name in ("label_file", "label_file_csv"):
        assert client.get(reverse(f"grading:{name}", args=[file.pk])).status_code == 404
    for name in ("take_labels", "discard_labels"):
        assert client.post(reverse(f"grading:{name}", args=[file.pk])).status_code == 404
    client.force_login(admin)
    assert client.get(file.get_absolute_url()).status_code == 200
    assert client.post(reverse("grading:take_labels", args=[file.pk])).status_code == 404


def test_the_pages_ask_as_many_queries_for_one_row_as_for_three(
    client, admin, submission, django_assert_num_queries
):
    client.force_login(admin)
    attempts = list(submission.attempts.order_by("pk"))
    for count in (1, 3):
        content = write(*[{"attempt": one.pk, "labeller": f"L{count}"} for one in attempts[:count]])
        file = bring(admin, content)
        with django_assert_num_queries(17):
            client.get(file.get_absolute_url())
        with django_assert_num_queries(15):
            client.get(reverse("grading:label_files"))
