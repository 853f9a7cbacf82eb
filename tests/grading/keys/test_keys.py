"""Keys in doubt: found from grades, shown to admins, gone from the list once decided."""

import pgtrigger
import pytest
from django.urls import reverse

from grading.answers.models import Attempt
from grading.disputes.keys import scan
from grading.disputes.keys.models import KeyCheck
from grading.disputes.keys.tasks import scan_keys
from tests.memory import remembered
from tests.work import grade_attempt, grade_together

pytestmark = pytest.mark.django_db


@pytest.fixture
def answer(hand_in):
    """Hand in answers of a model to problems, and grade them."""

    def give(model: str, *rows) -> None:
        submission = hand_in(*rows, model=model)
        grade_together(submission.attempts.all())

    return give


@pytest.fixture
@remembered
def doubted(problems, answer) -> KeyCheck:
    for model in ("A", "B", "C"):
        answer(model, (problems[0], "2 m g h"))
    answer("D", (problems[0], "m g"))
    scan_keys()
    return KeyCheck.objects.get()


def test_a_key_beside_which_another_answer_leads_is_found_with_its_evidence(doubted):
    assert doubted.doubts == ["OTHER_LEADS", "NOBODY_RIGHT"]
    assert [(one["solvers"], one["is_key"]) for one in doubted.groups] == [
        (["A", "B", "C"], False),
        (["D"], False),
        ([], True),
    ]


def test_a_key_that_solvers_get_is_in_no_doubt(problems, answer):
    for model in ("A", "B", "C"):
        answer(model, (problems[0], "m g h"))
    scan_keys()
    assert KeyCheck.objects.get().doubts == []
    assert not KeyCheck.objects.doubted().exists()


def test_only_what_has_new_answers_is_checked_again(problems, answer, doubted):
    assert scan_keys() == 0
    answer("E", (problems[0], "m g h"))
    assert scan_keys() == 1
    doubted.refresh_from_db()
    assert doubted.solvers == 5


def test_what_was_withdrawn_or_can_not_be_read_is_no_evidence(problems, hand_in, answer):
    answer("A", (problems[0], "{"))
    withdrawn = hand_in((problems[0], "m g"), model="B")
    grade_attempt(withdrawn.attempts.get().pk)
    type(withdrawn).objects.filter(pk=withdrawn.pk).update(withdrawn_at=withdrawn.created_at)
    scan_keys()
    check = KeyCheck.objects.get()
    assert (check.solvers, check.unread, len(check.groups)) == (1, 1, 1)


def test_answers_that_can_not_be_grouped_in_time_are_counted_and_not_lost(
    problems, answer, settings
):
    settings.KEY_CHECK_DEADLINE_SECONDS = 0.05
    slow = "+".join(rf"\sin(\frac{{a^{n}}}{{b + {n}}})\arctan(b-{n}a)" for n in range(2, 60))
    for model in ("A", "B", "C", "D"):
        answer(model, (problems[0], f"{slow} + {ord(model)}"))
    scan_keys()
    check = KeyCheck.objects.get()
    assert check.unread == 4
    assert check.doubts == ["NOBODY_RIGHT"]


def test_what_an_admin_decided_leaves_the_list_and_new_answers_bring_it_back(
    client, admin, problems, answer, doubted
):
    client.force_login(admin)
    page = client.get(reverse("grading:keys")).content.decode()
    assert problems[0].title in page
    evidence = reverse("grading:key", args=[doubted.pk])
    assert (
        "no solver has given the reference answer" in client.get(evidence).content.decode().lower()
    )

    refused = client.post(evidence, {"choice": "KEY_RIGHT", "note": " "})
    assert refused.status_code == 400
    client.post(evidence, {"choice": "KEY_RIGHT", "note": "All three forgot the factor."})
    assert problems[0].title not in client.get(reverse("grading:keys")).content.decode()
    assert problems[0].title in client.get(reverse("grading:keys") + "?show=all").content.decode()

    answer("E", (problems[0], "m g h"))
    scan_keys()
    assert problems[0].title in client.get(reverse("grading:keys")).content.decode()


def test_the_csv_has_the_figures(client, admin, doubted):
    client.force_login(admin)
    lines = client.get(reverse("grading:keys_csv")).content.decode("utf-8-sig").splitlines()
    assert lines[1].endswith("OTHER_LEADS NOBODY_RIGHT,4,0,3,,,0,,,,,")


def test_asking_again_has_the_worker_do_it(client, admin, problems, answer):
    answer("A", (problems[0], "m g"))
    client.force_login(admin)
    page = client.post(reverse("grading:look_again"), follow=True)
    assert "The worker checks" in page.content.decode()


def test_the_list_takes_as_many_queries_for_three_rows_as_for_one(
    client, admin, problems, answer, settings, django_assert_num_queries
):
    settings.MOST_SUBMISSIONS_A_DAY, settings.FIRST_UPLOADS = 12, 0
    client.force_login(admin)
    for count in (1, 3):
        for model in ("A", "B", "C"):
            answer(f"{model} {count}", *((problem, "q") for problem in problems[:count]))
        scan_keys()
        client.get(reverse("grading:keys"))
        with django_assert_num_queries(20):
            client.get(reverse("grading:keys"))


def test_scanning_costs_one_fetch_however_many_problems_were_answered(
    problems, answer, benchmark, django_assert_max_num_queries
):
    for problem in problems[:3]:
        answer(f"A {problem.pk}", (problem, "m g h"))
    scan.scan(benchmark)
    with django_assert_max_num_queries(4):
        assert scan.scan(benchmark) == 0


def test_a_key_with_two_readings_is_listed_with_both(problems, answer, client, admin):
    revision = problems[0].accepted_revision
    # As an imported one may be: at authoring it is refused.
    with pgtrigger.ignore("curation.Revision:submitted_revision_is_frozen"):
        type(revision).objects.filter(pk=revision.pk).update(answer=r"a \ln x^2")

    answer("A", (problems[0], r"a (\ln x)^2"))
    scan_keys()

    assert Attempt.objects.get().failure_reason == "reference_ambiguous"
    check = KeyCheck.objects.get()
    assert check.doubts == ["TWO_READINGS"]
    assert check.groups[0]["readings"] == [
        r"a\,\ln\left(x^{2}\right)",
        r"a\,\left(\ln\left(x\right)\right)^{2}",
    ]
    client.force_login(admin)
    page = client.get(reverse("grading:key", args=[check.pk])).content.decode()
    assert r"\left(\ln\left(x\right)\right)^{2}" in page
