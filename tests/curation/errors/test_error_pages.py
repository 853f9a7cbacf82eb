import csv
import io
import json

import pytest
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.problems import actions as problems_actions
from curation.problems.benchmarks.models import Benchmark
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from curation.reports import actions as reporting
from curation.reports.models import ErrorReport
from curation.texts.workflow import NotAllowedNow, Status
from curation.versions.exchange import dataset
from grading.answers import actions as grading
from grading.answers.actions import CannotAnswer
from tests.addresses import reverse_asked
from tests.conftest import make_draft
from tests.curation.errors.reports import (
    WRONG,
    accept_correction,
    decide,
    report_error,
    submit_correction,
)
from tests.organisations import organisation_of
from tests.versions import hand_in, publish_version
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db


@pytest.fixture
def report(accepted_problem, participant) -> ErrorReport:
    return report_error(accepted_problem, participant, own_answer="2 m g h")


def page_of(name: str, row) -> str:
    return reverse(f"curation:{name}", args=[row.pk])


def get(client, person, address: str) -> str:
    client.force_login(person)
    response = client.get(address)
    assert response.status_code == 200, address
    return " ".join(response.content.decode().split())


def test_whoever_reads_it_reports_an_error_and_sees_no_answer(
    client, participant, accepted_problem
):
    address = page_of("new_report", accepted_problem)
    assert address in get(client, participant, accepted_problem.get_absolute_url())
    page = client.post(
        address,
        {"kind": "ANSWER", "text": "It is *twice* that.", "own_answer": "2 m g h"},
        follow=True,
    )
    report = ErrorReport.objects.get()
    assert page.redirect_chain == [(report.get_absolute_url(), 302)]
    content = page.content.decode()
    assert "<em>twice</em>" in content
    assert "An admin will decide" in content
    assert "Its energy above the ground" not in content
    assert 'data-tex="m g h"' not in content
    assert not Exposure.objects.of_key().filter(person=participant).exists()


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        ({}, {"kind", "text"}),
        ({"kind": "NOTHING", "text": "So."}, {"kind"}),
        ({"kind": "ANSWER", "text": "x" * 5001}, {"text"}),
        ({"kind": "ANSWER", "text": " \n"}, {"text"}),
        ({"kind": "ANSWER", "text": "So.\x00"}, {"text"}),
        ({"kind": "ANSWER", "text": "So.", "own_answer": "m" * 4097}, {"own_answer"}),
    ],
)
def test_what_can_not_be_taken_is_said_at_its_field_and_kept(
    client, participant, accepted_problem, sent, wrong
):
    client.force_login(participant)
    page = client.post(page_of("new_report", accepted_problem), sent)
    assert (page.status_code, set(page.context["form"].errors)) == (400, wrong)
    assert not ErrorReport.objects.exists()
    if sent.get("own_answer"):
        assert sent["own_answer"] in page.content.decode()


def test_a_second_one_of_a_kind_is_refused_in_words(client, report, participant, accepted_problem):
    client.force_login(participant)
    sent = {"kind": "ANSWER", "text": "Something else."}
    page = client.post(page_of("new_report", accepted_problem), sent)
    assert page.status_code == 400
    assert "add to that report" in page.content.decode()
    assert "Something else." in page.content.decode()


def test_open_reports_are_shown_first_their_words_only_to_who_may_read_them(
    client, report, participant, evaluator, contributor, accepted_problem
):
    address = page_of("new_report", accepted_problem)
    for person in (participant, contributor):
        page = get(client, person, address)
        assert WRONG in page
        assert report.get_absolute_url() in page
    page = get(client, evaluator, address)
    assert "Reported already" in page
    assert "The answer, revision 1" in page
    assert WRONG not in page
    assert report.get_absolute_url() not in page


def test_what_is_no_more_in_use_or_not_yet_is_not_reported(
    client, participant, accepted_problem, admin, contributor, benchmark
):
    new = make_draft(contributor, benchmark)
    client.force_login(contributor)
    assert client.get(page_of("new_report", new)).status_code == 404
    problems_actions.retire(problem=accepted_problem, admin=admin, note="Old.")
    client.force_login(participant)
    page = client.get(page_of("new_report", accepted_problem), follow=True)
    assert page.redirect_chain == [(accepted_problem.get_absolute_url(), 302)]


def test_people_are_named_to_admins_alone(client, report, contributor, reviewer, admin):
    for person in (contributor, reviewer, admin):
        reporting.reply(report=report, person=person, text="So?")
    address = report.get_absolute_url()
    names = [
        name
        for _reply, name in (client.force_login(report.reporter), client.get(address))[1].context[
            "replies"
        ]
    ]
    assert names == ["an author", "a reviewer", "an admin"]
    page = get(client, contributor, address)
    assert "the reporter" in page
    assert not [name for name in ("Reviewer", "Participant", "Admin,") if name in page]
    assert "Participant" in get(client, admin, address)


def test_who_may_see_the_key_sees_it_beside_the_report(client, report, contributor, participant):
    assert "Reference answer" in get(client, contributor, report.get_absolute_url())
    assert "Reference answer" not in get(client, participant, report.get_absolute_url())


def test_a_discussion_goes_to_and_fro(client, report, contributor, participant):
    for person, text in ((contributor, "Which factor?"), (participant, "Two.")):
        client.force_login(person)
        client.post(report.get_absolute_url(), {"text": text})
    assert client.post(report.get_absolute_url(), {"text": ""}).status_code == 400
    assert [one.text for one in report.replies.all()] == ["Which factor?", "Two."]


def test_an_admin_decides_on_its_page(client, report, admin, contributor, accepted_problem):
    client.force_login(admin)
    address = page_of("decide_report", report)
    page = client.post(address, {"outcome": "KEY_FIXED"})
    assert (page.status_code, set(page.context["decision"].errors)) == (400, {"reason"})
    page = client.post(address, {"outcome": "KEY_FIXED", "reason": WRONG}, follow=True)
    assert "The problem is reopened" in page.content.decode()
    again = client.post(address, {"outcome": "NO_ERROR", "reason": "So."}, follow=True)
    assert "Admin has already decided it" in again.content.decode()
    accepted_problem.refresh_from_db()
    assert accepted_problem.status == Status.RETURNED


def test_what_people_see_while_it_is_corrected(
    client, report, admin, contributor, participant, reviewer, accepted_problem
):
    decide(report, admin, "KEY_FIXED")
    address = accepted_problem.get_absolute_url()
    page = get(client, contributor, address)
    assert "Please correct this problem" in page
    assert reverse("curation:edit", args=[accepted_problem.pk]) in page
    assert "2 m g h" not in get(client, participant, address)
    assert "is being corrected" in get(client, participant, address)
    page = get(client, participant, reverse("grading:answer", args=[accepted_problem.pk]))
    assert "Come back later" in page
    assert "<textarea" not in page
    listed = get(
        client, participant, reverse("curation:problems", args=["test"]) + "?show=accepted"
    )
    assert accepted_problem.title in listed
    # In review, the correction is its reviewers': others read what was accepted.
    accepted_problem.refresh_from_db()
    revised = actions.save_draft(
        problem=accepted_problem,
        author=contributor,
        saved_at="",
        statement="A ball falls from the height $h$ in a vacuum. Its mass is $m$.",
        reason="It fell in air.",
    )
    submit_correction_again(accepted_problem, contributor)
    assert revised.statement not in get(client, participant, address)
    assert "vacuum" not in get(client, participant, address + "?language=en")
    assert client.get(address + "?revision=2").status_code == 404
    assert "vacuum" in get(client, contributor, address)


def submit_correction_again(problem: Problem, author) -> None:
    from tests.certificates import give_certificate
    from tests.conftest import submit

    give_certificate(problem)
    submit(problem, author)


def test_an_admin_corrects_in_the_editor_and_that_shows_the_key(
    client, report, admin, accepted_problem
):
    decide(report, admin, "KEY_FIXED")
    client.force_login(admin)
    page = client.get(reverse("curation:edit", args=[accepted_problem.pk]))
    assert page.status_code == 200
    seen = Exposure.objects.filter(person=admin, reason="EDIT").values_list("part", flat=True)
    assert set(seen) == {"STATEMENT", "ANSWER", "SOLUTION"}
    assert "Submit for review" in page.content.decode()


@pytest.mark.parametrize(("name", "value"), [("benchmark", "other"), ("language", "zh")])
def test_a_correction_moves_nothing_that_is_read_meanwhile(
    report, admin, contributor, accepted_problem, name, value
):
    decide(report, admin, "KEY_FIXED")
    if name == "benchmark":
        value = Benchmark.objects.create(name="Other", slug="other")
    with pytest.raises(NotAllowedNow, match="can’t be changed"):
        actions.save_draft(
            problem=accepted_problem, author=contributor, saved_at="", **{name: value}
        )


def test_home_and_the_list_tell_the_author_to_correct_it(client, report, admin, contributor):
    decide(report, admin, "KEY_FIXED")
    assert "An error was found in" in get(client, contributor, reverse("inbox"))
    assert "correct it: an error" in get(
        client, contributor, reverse("curation:problems", args=["test"])
    )


def test_an_erratum_is_on_the_page_in_exports_and_on_grades(
    client, report, admin, contributor, reviewer, participant, evaluator, accepted_problem
):
    content = b'[{"id": "%s", "model": "A model", "model_answer": "m g h"}]'
    [submission] = hand_in(
        organisation=organisation_of(evaluator),
        benchmark=accepted_problem.benchmark,
        uploaded_by=evaluator,
        file_name="answers.json",
        content=content % accepted_problem.identifier.encode(),
    )
    attempt = submission.attempts.get()
    grade_attempt(attempt.pk)
    before = get(client, evaluator, attempt.get_absolute_url())
    assert "corrected later" not in before
    decide(report, admin, "KEY_FIXED")
    fixed = accept_correction(accepted_problem, contributor, reviewer)

    page = get(client, participant, accepted_problem.get_absolute_url())
    assert "Correction of revision 1, made in revision 2" in page
    assert WRONG in page
    for address in (attempt.get_absolute_url(), submission.get_absolute_url()):
        assert "a reference answer that was corrected later" in get(client, evaluator, address)
    table = (
        client.get(reverse_asked("grading:submission?as=csv", args=[submission.pk]))
        .getvalue()
        .decode()
    )
    [row] = csv.DictReader(io.StringIO(table))
    assert (row["verdict"], row["key_corrected_since"]) == ("CORRECT", "yes")

    client.force_login(participant)
    sent = {"format": "JSON", "columns": ["revision", "errata"]}
    response = client.post(reverse("curation:export", args=["test"]) + "?show=accepted", sent)
    [exported] = json.loads(b"".join(response))
    assert exported["revision"] == fixed.number
    [erratum] = exported["errata"]
    assert (erratum["revision"], erratum["corrected_by"], erratum["text"]) == (1, 2, WRONG)
    publish_version(accepted_problem.benchmark)
    made = dataset.make(accepted_problem.benchmark, with_answers=True)
    assert f"| {accepted_problem.identifier} | 1 | 2 | yes | {WRONG} |" in made.card


def test_who_answered_before_the_correction_has_had_their_try(
    client, report, admin, contributor, reviewer, participant, accepted_problem
):
    attempt = grading.answer(revision=report.revision, person=participant, response="m g h")
    decide(report, admin, "KEY_FIXED")
    fixed = accept_correction(accepted_problem, contributor, reviewer)
    client.force_login(participant)
    page = client.get(reverse("grading:answer", args=[accepted_problem.pk]))
    assert (page.status_code, page["Location"]) == (302, attempt.get_absolute_url())
    with pytest.raises(CannotAnswer, match="answered this problem already"):
        grading.answer(revision=fixed, person=participant, response="2 m g h")


def test_a_dataset_holds_what_is_accepted_while_it_is_corrected(
    report, admin, contributor, accepted_problem
):
    publish_version(accepted_problem.benchmark)
    decide(report, admin, "KEY_FIXED")
    submit_correction(accepted_problem, contributor, "9 m g h")
    made = dataset.make(accepted_problem.benchmark, with_answers=True, person=admin)
    [row] = map(json.loads, made.lines)
    assert row["answer"] == "m g h"


def test_a_correction_is_given_up_after_asking(client, report, admin, accepted_problem):
    client.force_login(admin)
    address = page_of("leave", accepted_problem) + "?do=keep"
    assert client.get(address).status_code == 302
    decide(report, admin, "KEY_FIXED")
    assert client.get(address).status_code == 200
    assert client.post(address, {"reason": ""}).status_code == 400
    page = client.post(address, {"reason": "It was right."}, follow=True)
    assert "The accepted revision stays in use" in page.content.decode()
    assert "to be decided" in get(client, admin, report.get_absolute_url())


@pytest.mark.parametrize(("own_answer", "is_set"), [(r"\frac{m}{2}", True), ("sqrt(2*g*h)", False)])
def test_an_answer_typed_as_on_paper_is_not_set_as_if_it_were_latex(
    client, accepted_problem, participant, own_answer, is_set
):
    report = report_error(accepted_problem, participant, own_answer=own_answer)
    client.force_login(participant)
    page = client.get(report.get_absolute_url()).content.decode()
    assert (f'<span data-tex="{own_answer}">' in page) == is_set
    assert f"<code>{own_answer}</code>" in page
