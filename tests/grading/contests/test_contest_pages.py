"""The pages of contested grades: what they show, to whom, and what they keep to themselves."""

import re

import pytest
from django.urls import reverse

from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from grading.answers import actions as answering
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun, Override
from grading.disputes.contests.models import Contest
from grading.disputes.regrades import actions as regrades
from grading.disputes.regrades.work import grade_left
from phybench.people.models import Role, User
from tests.addresses import client_of
from tests.conftest import make_person
from tests.grading.answers.test_views import HTMX, count_queries, grade_all, read
from tests.grading.concurrency import double_click
from tests.grading.conftest import HandIn
from tests.grading.contests.conftest import ANSWER, TELLTALE, TEXT, WHY, contest, decide
from tests.grading.contests.test_contesting import adopt_another_run
from tests.organisations import join, organisation_of

pytestmark = pytest.mark.django_db

LIST = "/contests/"
TO_RULE = "/contests/to-rule/"


# --- Contesting -----------------------------------------------------------------------------


def test_a_grade_is_contested_from_the_page_of_its_answer(
    attempt: Attempt, evaluator: User
) -> None:
    client = client_of(evaluator)
    address = reverse("grading:new_contest", args=[attempt.pk])
    assert address in read(client, attempt.get_absolute_url())
    form = read(client, address)
    assert "partial" in form
    assert TELLTALE not in form
    told = Exposure.objects.filter(person=evaluator, part=Exposure.Part.VERDICT)
    assert told.filter(revision=attempt.revision).exists()
    sent = client.post(address, {"reason": "MISREAD", "text": "<b>No.</b>"}, follow=True)
    page = sent.content.decode()
    assert "This grade is contested and awaits a ruling." in page
    assert "&lt;b&gt;No.&lt;/b&gt;" in page
    assert address not in page
    assert "already contested" in read(client, address)


def test_a_form_that_is_not_filled_in_says_what_is_missing_and_keeps_the_rest(
    attempt: Attempt, evaluator: User
) -> None:
    address = reverse("grading:new_contest", args=[attempt.pk])
    answer = client_of(evaluator).post(address, {"text": "x" * 4001})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert page.count('class="errorlist"') == 2
    assert "x" * 4001 in page
    assert not Contest.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_clicks_contest_once(attempt: Attempt, evaluator: User) -> None:
    address = reverse("grading:new_contest", args=[attempt.pk])
    organisation = organisation_of(evaluator)
    sent = {"reason": "MISREAD", "text": TEXT}
    led_to = double_click("grading_organisation", organisation.pk, address, evaluator, sent)
    assert led_to == attempt.get_absolute_url()
    assert Contest.objects.count() == 1


@pytest.mark.parametrize("role", [*sorted(set(Role) - {Role.ADMIN})])
def test_others_find_no_such_page(contested: Contest, attempt: Attempt, role: Role) -> None:
    client = client_of(make_person(role, "stranger"))
    for name, pk in (("new_contest", attempt.pk), ("take_back_contest", contested.pk)):
        status = client.get(reverse(f"grading:{name}", args=[pk])).status_code
        assert status == (404 if role in (Role.EVALUATOR, Role.PARTICIPANT) else 403)
    assert client.get(contested.get_absolute_url()).status_code in (403, 404)


def test_it_is_taken_back_after_asking(contested: Contest, evaluator: User) -> None:
    client = client_of(evaluator)
    address = reverse("grading:take_back_contest", args=[contested.pk])
    assert address in read(client, contested.attempt.get_absolute_url())
    assert "Withdraw the contest?" in read(client, address)
    page = client.post(address, follow=True).content.decode()
    assert "Withdrawn. The grade is kept." in page
    assert "Contest this grade" in page


# --- Ruling, blind --------------------------------------------------------------------------

EVIDENCE = (TELLTALE, TEXT, "answer-tree-title", "reference-tree-title", "graded-part", "partial:")


def list_whose(contested: Contest) -> list[str]:
    """List what would tell whose answer it is."""
    attempt = contested.attempt
    submission = attempt.submission
    assert submission
    return [
        attempt.solver.name,
        str(contested.organisation),
        str(contested.contested_by),
        contested.contested_by.email,
        submission.file_name,
        submission.get_absolute_url(),
        attempt.get_absolute_url(),
    ]


def test_who_rules_sees_all_evidence_and_nothing_of_whose_answer_it_is(
    contested: Contest, attempt: Attempt, admin: User
) -> None:
    client = client_of(admin)
    pages = [
        read(client, contested.get_absolute_url()),
        read(client, TO_RULE),
        read(client, reverse("grading:contests_to_rule_csv")),
    ]
    assert [one for one in EVIDENCE if one not in pages[0]] == []
    ruled = client.post(
        contested.get_absolute_url(), {"fault": "MODEL", "why": WHY}, follow=True
    ).content.decode()
    assert WHY in ruled
    assert "Ruling saved." in ruled
    for page in (*pages, ruled):
        assert [one for one in list_whose(contested) if one in page] == []
        assert f"attempts/{attempt.pk}" not in page


def test_values_at_points_stand_beside_each_other(contested: Contest, admin: User) -> None:
    # The page asks for them: they take time.
    address = reverse("grading:contest_values", args=[contested.pk])
    assert address in read(client_of(admin), contested.get_absolute_url())
    page = read(client_of(admin), address)
    table = page.partition('class="data values"')[2].partition("</table>")[0]
    assert table.count("<tr>") == 1 + 5
    assert len(re.findall(r"h = \d", table)) == 5


def test_what_is_shown_is_written_down(contested: Contest, admin: User) -> None:
    read(client_of(admin), contested.get_absolute_url())
    parts = Exposure.objects.filter(
        person=admin, reason="RULE", revision=contested.attempt.revision
    )
    assert set(parts.values_list("part", flat=True)) == {
        "STATEMENT",
        "ANSWER",
        "SOLUTION",
        "VERDICT",
    }


def test_another_reading_is_tried_before_it_is_ruled(contested: Contest, admin: User) -> None:
    address = reverse("grading:read_as", args=[contested.pk]) + "?of=contest"

    def post(text: str) -> str:
        answer = client_of(admin).post(address, {"read_as": text}, headers=HTMX)
        assert answer.status_code == 200
        return answer.content.decode()

    tried = post(rf"\frac{{{TELLTALE} m g h}}{{\sin l}}")
    assert "Verdict of the grader:" in tried
    assert "correct" in tried
    assert "partial:" in post(r"\frac{2 m g h}{\sin l}")
    assert "no partner" in post(r"\frac{m")
    assert post(" ").strip() == ""


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ({}, "This field is required."),
        ({"fault": "GRADER", "why": "x"}, "Say what the answer is."),
        (
            {"fault": "GRADER", "kind": "READ_AS", "why": "x"},
            "Write how the answer should be read.",
        ),
        ({"fault": "GRADER", "kind": "WRONG", "why": "x"}, "already “wrong”"),
        (
            {"fault": "GRADER", "kind": "READ_AS", "read_as": r"\frac{", "why": "x"},
            "The grader can’t grade this reading",
        ),
    ],
)
def test_a_ruling_that_does_not_fit_is_not_given(
    contested: Contest, admin: User, sent: dict[str, str], error: str
) -> None:
    answer = client_of(admin).post(contested.get_absolute_url(), sent)
    assert answer.status_code == 400
    assert error in answer.content.decode()
    assert Contest.objects.open().exists()


def test_what_stands_beside_another_choice_is_no_part_of_a_ruling(
    contested: Contest, admin: User
) -> None:
    sent = {"fault": "GRADER", "kind": "RIGHT", "read_as": r"\frac{", "why": "x"}
    client_of(admin).post(contested.get_absolute_url(), sent)
    assert Override.objects.get().read_as == ""


def test_the_second_of_two_rulers_is_told_what_was_ruled_and_by_whom(
    contested: Contest, admin: User, other_admin: User
) -> None:
    decide(contested, admin)
    sent = {"fault": "GRADER", "kind": "RIGHT", "why": "x"}
    answer = client_of(other_admin).post(contested.get_absolute_url(), sent, follow=True)
    assert "Admin has already ruled on it: the answer is at fault" in answer.content.decode()


def test_an_admin_with_a_part_in_it_is_told_who_rules(
    contested: Contest, evaluator: User, admin: User, other_admin: User
) -> None:
    join(organisation_of(evaluator), admin)
    answer = client_of(admin).get(contested.get_absolute_url())
    assert answer.status_code == 403
    assert "Ask another admin: Other-admin." in answer.content.decode()
    assert TELLTALE not in answer.content.decode()


def test_the_next_that_waits_is_offered(
    contested: Contest, right: Attempt, evaluator: User, admin: User
) -> None:
    second = contest(right, evaluator)
    page = (
        client_of(admin)
        .post(contested.get_absolute_url(), {"fault": "MODEL", "why": WHY}, follow=True)
        .content.decode()
    )
    assert f'href="{second.get_absolute_url()}"' in page
    assert "Rule on the next one" in page


def test_that_the_key_is_at_fault_leads_to_its_report(contested: Contest, admin: User) -> None:
    page = (
        client_of(admin)
        .post(contested.get_absolute_url(), {"fault": "KEY", "why": WHY}, follow=True)
        .content.decode()
    )
    contested.refresh_from_db()
    assert contested.report
    assert contested.report.get_absolute_url() in page


# --- The outcome ----------------------------------------------------------------------------


def test_the_outcome_is_told_with_its_reason_and_without_a_name(
    contested: Contest, evaluator: User, admin: User
) -> None:
    decide(contested, admin, "GRADER", kind="RIGHT")
    home = read(client_of(evaluator), reverse("inbox"))
    assert "1 grade that you contested was ruled on" in home
    page = read(client_of(evaluator), contested.attempt.get_absolute_url())
    assert "The grader is at fault: the answer is right." in page
    assert "It counts once an admin adopts a regrade that includes it." in page
    assert WHY in page
    assert "Ruled by a person" in page
    assert "Ruled by Admin" in read(client_of(admin), contested.attempt.get_absolute_url())
    assert "was ruled on" not in read(client_of(evaluator), reverse("inbox"))


def test_others_reading_the_answer_leave_the_outcome_unread(
    contested: Contest, evaluator: User, admin: User
) -> None:
    decide(contested, admin)
    read(client_of(admin), contested.attempt.get_absolute_url())
    read(client_of(admin), f"{LIST}?show=ruled")
    assert Contest.objects.untold().exists()
    read(client_of(evaluator), f"{LIST}?show=ruled")
    assert not Contest.objects.untold().exists()


def test_of_a_wrong_key_who_may_not_see_it_learns_only_that_it_is_looked_at(
    contested: Contest, evaluator: User, admin: User
) -> None:
    decide(contested, admin, "KEY", why=f"It is {TELLTALE}.")
    contested.refresh_from_db()
    assert contested.report
    for page in (
        read(client_of(evaluator), contested.attempt.get_absolute_url()),
        read(client_of(evaluator), f"{LIST}?show=ruled"),
        read(client_of(evaluator), "/contests.csv?show=all"),
    ):
        assert "The reference answer is being checked." in page
        assert TELLTALE not in page
        assert contested.report.get_absolute_url() not in page
    page = read(client_of(admin), contested.attempt.get_absolute_url())
    assert contested.report.get_absolute_url() in page


def test_who_may_rule_is_not_told_whose_contest_waits(contested: Contest, admin: User) -> None:
    assert TEXT not in read(client_of(admin), contested.attempt.get_absolute_url())
    for address in (LIST, f"{LIST}?show=all", "/contests.csv?show=all"):
        assert "Secretive" not in read(client_of(admin), address)
    decide(contested, admin)
    assert "Secretive" in read(client_of(admin), f"{LIST}?show=all")


def test_a_grade_that_goes_by_a_ruling_says_what_the_grader_said(
    contested: Contest, attempt: Attempt, evaluator: User, admin: User
) -> None:
    decide(contested, admin, "GRADER", kind="RIGHT")
    adopt_overruled(attempt)
    page = read(client_of(evaluator), attempt.get_absolute_url())
    assert "A person ruled: right." in page
    assert "The grader said: partial (EED " in page
    assert "The grade follows this ruling." in page
    assert "same value as the reference" not in page
    assert "Ruled by Admin" not in page


def test_who_gave_the_same_words_is_told_the_ruling_and_not_its_reason(
    contested: Contest, problem: Problem, hand_in: HandIn, admin: User
) -> None:
    theirs = make_person(Role.EVALUATOR, "another")
    same = hand_in((problem, ANSWER), model="Another", by=theirs).attempts.get()
    grade_all()
    decide(contested, admin, "GRADER", kind="RIGHT")
    adopt_overruled(contested.attempt)
    page = read(client_of(theirs), same.get_absolute_url())
    assert "A person ruled: right." in page
    assert WHY not in page
    assert TEXT not in page


def adopt_overruled(attempt: Attempt) -> GradingRun:
    """Grade anew with the ruling, and adopt that."""
    run = regrades.begin(benchmark=attempt.revision.problem.benchmark)
    assert list(grade_left(run, processes=1))
    regrades.adopt(run=run)
    return run


def test_a_participant_finds_the_outcome_on_their_answer_and_their_list(
    problem: Problem, participant: User, admin: User
) -> None:
    revision = problem.revisions.get()
    own = answering.answer(revision=revision, person=participant, response="m g h")
    grade_all()
    own.refresh_from_db()
    decide(contest(own, participant), admin)
    client = client_of(participant)
    assert "was ruled on" in read(client, reverse("inbox"))
    assert "the grade is kept" in read(client, f"{LIST}?show=ruled")
    assert WHY in read(client, own.get_absolute_url())
    assert client.get(TO_RULE).status_code == 403


def test_a_new_grade_is_contested_anew_and_the_old_outcome_stays(
    contested: Contest, attempt: Attempt, evaluator: User, admin: User
) -> None:
    decide(contested, admin)
    assert "Contest this grade" not in read(client_of(evaluator), attempt.get_absolute_url())
    assert "A person has ruled on this grade" in read(
        client_of(evaluator), reverse("grading:new_contest", args=[attempt.pk])
    )
    adopt_another_run(attempt)
    assert "Contest this grade" in read(client_of(evaluator), attempt.get_absolute_url())
    page = read(client_of(evaluator), reverse("grading:new_contest", args=[attempt.pk]))
    assert 'name="reason"' in page
    assert WHY in read(client_of(evaluator), attempt.get_absolute_url())


# --- Lists ----------------------------------------------------------------------------------


def test_lists_are_narrowed_by_tab_reason_and_ruling(
    contested: Contest, right: Attempt, evaluator: User, admin: User
) -> None:
    contest(right, evaluator, "KEY_WRONG")
    client = client_of(evaluator)
    both = read(client, LIST)
    assert "Secretive-7B" in both
    assert "Right" in both
    assert "Secretive-7B" not in read(client, f"{LIST}?reason=KEY_WRONG")
    decide(contested, admin)
    assert "Secretive-7B" not in read(client, LIST)
    assert "Secretive-7B" in read(client, f"{LIST}?show=ruled&fault=MODEL")
    assert "No contested grade matches" in read(client, f"{LIST}?show=ruled&fault=KEY")
    written = read(client, "/contests.csv?show=all").splitlines()
    assert len(written) == 3
    assert "Secretive-7B" not in read(client_of(make_person(Role.EVALUATOR, "other")), LIST)


def test_a_page_takes_as_many_queries_for_three_contests_as_for_one(
    problem: Problem, hand_in: HandIn, evaluator: User, admin: User, other_admin: User
) -> None:
    pages = {
        evaluator: [f"{LIST}?show=all", "/contests.csv?show=all", "/inbox/"],
        admin: [TO_RULE, "/contests/to-rule.csv", f"{LIST}?show=all", "/inbox/"],
    }

    def add(number: int) -> None:
        for name in ("M", "N"):
            hand_in((problem, f"{number} m"), model=f"{name}{number}")
        grade_all()
        ruled, waiting = Attempt.objects.order_by("-pk")[:2]
        decide(contest(ruled, evaluator), other_admin)
        contest(waiting, evaluator)

    def count() -> list[tuple[str, str, int]]:
        return [
            (str(person), address, count_queries(client_of(person), address))
            for person, addresses in pages.items()
            for address in addresses
        ]

    add(1)
    counted = count()
    add(2)
    add(3)
    assert count() == counted


def count_ruling(contested: Contest, admin: User) -> int:
    return count_queries(client_of(admin), contested.get_absolute_url())


def test_the_page_of_a_ruling_takes_as_many_queries_however_many_wait(
    contested: Contest, right: Attempt, evaluator: User, admin: User
) -> None:
    before = count_ruling(contested, admin)
    contest(right, evaluator)
    assert count_ruling(contested, admin) == before
