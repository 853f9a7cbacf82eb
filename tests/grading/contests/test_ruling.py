"""Ruling on a contested grade: who may, once, and what follows from it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core import mail
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from curation.problems.models import Problem
from curation.reports.models import ErrorReport
from grading.answers import actions as answering
from grading.answers.models import Attempt
from grading.answers.runs.models import Override, hash_key
from grading.disputes.contests.actions import take_back
from grading.disputes.contests.models import Contest
from grading.disputes.contests.permissions import can_rule_contest, list_contests
from grading.disputes.contests.ruling import CannotRule, describe_seen
from grading.disputes.regrades import actions as regrades
from grading.disputes.regrades.work import grade_left
from grading.solvers.actions import merge
from grading.solvers.models import Membership
from phybench.people.models import Role, User
from phybench_grader.numbers.sentences import Sentence
from tests.conftest import make_person
from tests.grading.answers.test_views import grade_all
from tests.grading.concurrency import hold, meanwhile
from tests.grading.conftest import HandIn
from tests.grading.contests.conftest import ANSWER, REFERENCE, TELLTALE, TEXT, WHY, contest, decide
from tests.organisations import join, organisation_of
from tests.work import send_mails

pytestmark = pytest.mark.django_db

# --- Who may --------------------------------------------------------------------------------


def give(person: User, *roles: Role) -> User:
    person.roles = [*person.roles, *roles]
    person.save()
    return person


def test_admins_and_evaluators_who_write_the_problem_rule_and_others_find_nothing(
    contested: Contest, contributor: User, admin: User, participant: User, reviewer: User
) -> None:
    stranger = make_person(Role.EVALUATOR, "stranger")
    for person in (contributor, stranger, participant, reviewer):
        assert not can_rule_contest(person, contested)
        with pytest.raises(CannotRule):
            decide(contested, person)
    assert can_rule_contest(admin, contested)
    assert can_rule_contest(give(contributor, Role.EVALUATOR), contested)


def test_who_contested_does_not_rule_and_is_told_who_can(
    attempt: Attempt, admin: User, other_admin: User
) -> None:
    made = contest(attempt, admin)
    with pytest.raises(CannotRule, match=r"Ask another admin: Other-admin\."):
        decide(made, admin)
    other_admin.is_active = False
    other_admin.save()
    with pytest.raises(CannotRule, match="In the back office, give the admin role to a person"):
        decide(made, admin)


@pytest.mark.parametrize("left", [False, True])
def test_who_was_of_the_organisation_since_it_was_handed_in_does_not_rule(
    contested: Contest, evaluator: User, admin: User, left: bool
) -> None:
    membership = join(organisation_of(evaluator), admin)
    if left:
        Membership.objects.filter(pk=membership.pk).update(left_at=timezone.now())
    assert not can_rule_contest(admin, contested)


def test_who_was_of_an_organisation_that_was_merged_since_does_not_rule(
    contested: Contest, evaluator: User, admin: User, other_admin: User
) -> None:
    own = organisation_of(evaluator)
    membership = join(own, admin)
    Membership.objects.filter(pk=membership.pk).update(left_at=timezone.now())
    into = organisation_of(make_person(Role.EVALUATOR, "rival"))
    merge(organisation=own, into=into, by=other_admin)
    assert not can_rule_contest(admin, contested)
    assert can_rule_contest(other_admin, contested)


def test_who_was_of_an_organisation_that_was_merged_twice_since_does_not_rule(
    contested: Contest, evaluator: User, admin: User, other_admin: User
) -> None:
    own = organisation_of(evaluator)
    membership = join(own, admin)
    Membership.objects.filter(pk=membership.pk).update(left_at=timezone.now())
    for name in ("rival", "last"):
        into = organisation_of(make_person(Role.EVALUATOR, name))
        merge(organisation=own, into=into, by=other_admin)
        own = into
    assert not can_rule_contest(admin, contested)
    assert can_rule_contest(other_admin, contested)


def test_who_left_before_it_was_handed_in_rules(contested: Contest, admin: User) -> None:
    before = contested.attempt.created_at - timedelta(days=1)
    Membership.objects.create(
        organisation=contested.organisation,
        person=admin,
        joined_at=before,
        left_at=before,
        accepted_by=admin,
    )
    assert can_rule_contest(admin, contested)


def test_who_has_a_part_in_an_answer_in_the_same_words_does_not_rule(
    contested: Contest, problem: Problem, hand_in: HandIn, admin: User
) -> None:
    rival = make_person(Role.EVALUATOR, "rival")
    hand_in((problem, ANSWER), model="Rival", by=rival)
    assert can_rule_contest(admin, contested)
    join(organisation_of(rival), admin)
    assert not can_rule_contest(admin, contested)


def test_who_wrote_the_problem_does_not_rule_on_whether_its_key_is_wrong(
    attempt: Attempt, contributor: User, evaluator: User, admin: User
) -> None:
    made = contest(attempt, evaluator, reason="KEY_WRONG")
    assert not can_rule_contest(give(contributor, Role.EVALUATOR), made)
    assert can_rule_contest(admin, made)


def test_who_ruled_on_an_answer_rules_on_it_no_second_time_nor_learns_whose_it_is(
    contested: Contest, evaluator: User, admin: User, other_admin: User
) -> None:
    decide(contested, admin, "CANT_TELL")
    again = contest(contested.attempt, evaluator, text="For another reason.")
    assert not can_rule_contest(admin, again)
    assert can_rule_contest(other_admin, again)
    assert contested not in list_contests(other_admin)


def test_a_ruling_on_a_grade_that_was_replaced_meanwhile_is_refused(
    contested: Contest, admin: User
) -> None:
    seen = describe_seen(contested.attempt)
    run = regrades.begin(benchmark=contested.attempt.revision.problem.benchmark)
    assert list(grade_left(run, processes=1))
    regrades.adopt(run=run)
    with pytest.raises(CannotRule, match="has been graded again"):
        decide(contested, admin, "GRADER", kind="RIGHT", seen=seen)
    assert not Override.objects.exists()


def test_a_second_ruling_that_says_something_else_is_not_taken_for_the_first(
    contested: Contest, admin: User
) -> None:
    decide(contested, admin, "GRADER", kind="RIGHT")
    decide(contested, admin, "GRADER", kind="RIGHT")
    with pytest.raises(CannotRule, match="has already ruled on it"):
        decide(contested, admin, "GRADER", kind="READ_AS", read_as="m g h")


def test_who_answered_does_not_rule(problem: Problem, participant: User, admin: User) -> None:
    revision = problem.revisions.get()
    own = answering.answer(revision=revision, person=participant, response="m g h")
    grade_all()
    own.refresh_from_db()
    made = contest(own, participant)
    assert not can_rule_contest(give(participant, Role.ADMIN), made)
    assert can_rule_contest(admin, made)


# --- What follows ---------------------------------------------------------------------------


def test_that_the_grader_is_at_fault_makes_a_ruling_on_these_words_by_this_key(
    contested: Contest, attempt: Attempt, admin: User
) -> None:
    decide(contested, admin, "GRADER", kind="RIGHT")
    override = Override.objects.get()
    assert (override.contest, override.kind, override.read_as) == (contested, "RIGHT", "")
    assert (override.revision, override.response) == (attempt.revision, attempt.response)
    assert override.key_sha256 == hash_key(attempt.revision)
    assert (override.why, override.ruled_by) == (WHY, admin)
    # It counts with the next run, not before.
    assert attempt.grades.get().verdict == "PARTIAL"


def test_another_reading_is_kept_if_the_grader_can_grade_it(
    contested: Contest, admin: User
) -> None:
    with pytest.raises(CannotRule, match="can’t grade this reading"):
        decide(contested, admin, "GRADER", kind="READ_AS", read_as=r"\frac{m")
    assert Contest.objects.open().get() == contested
    decide(contested, admin, "GRADER", kind="READ_AS", read_as=r"\frac{2 m g h}{\sin l}")
    assert Override.objects.get().read_as == r"\frac{2 m g h}{\sin l}"


@pytest.mark.parametrize(("which", "kind"), [("right", "RIGHT"), ("attempt", "WRONG")])
def test_what_the_grade_says_already_is_no_fault_of_the_grader(
    request: pytest.FixtureRequest, evaluator: User, admin: User, which: str, kind: str
) -> None:
    made = contest(request.getfixturevalue(which), evaluator)
    with pytest.raises(CannotRule, match="already"):
        decide(made, admin, "GRADER", kind=kind)


@pytest.mark.parametrize("kind", ["RIGHT", "WRONG"])
def test_of_what_could_not_be_graded_a_person_says_either(
    unread: Attempt, evaluator: User, admin: User, kind: str
) -> None:
    decide(contest(unread, evaluator), admin, "GRADER", kind=kind)
    assert Override.objects.get().kind == kind


def test_that_the_key_is_at_fault_opens_an_error_report_filled_in(
    contested: Contest, admin: User
) -> None:
    ruled = decide(contested, admin, "KEY")
    report = ErrorReport.objects.get()
    assert ruled.report == report
    assert (report.kind, report.reporter) == ("ANSWER", admin)
    assert (report.message, report.text) == (Sentence("found_while_ruling"), WHY)
    assert report.own_answer == contested.grade.answer_read  # type: ignore[union-attr]
    assert not Override.objects.exists()


def test_of_an_open_report_of_theirs_a_second_ruling_says_more(
    contested: Contest, right: Attempt, evaluator: User, admin: User
) -> None:
    first = decide(contested, admin, "KEY")
    second = decide(contest(right, evaluator, "KEY_WRONG"), admin, "KEY", why="This shows it too.")
    assert second.report == first.report
    assert "This shows it too." in ErrorReport.objects.get().replies.get().text


def test_of_a_problem_out_of_use_no_report_opens(contested: Contest, admin: User) -> None:
    Problem.objects.update(status="RETIRED")
    assert decide(contested, admin, "KEY").report is None


@pytest.mark.parametrize("fault", ["MODEL", "CANT_TELL"])
def test_otherwise_nothing_changes(contested: Contest, admin: User, fault: str) -> None:
    decide(contested, admin, fault)
    assert not Override.objects.exists()
    assert not ErrorReport.objects.exists()


def test_a_ruling_sent_twice_is_one_and_the_second_person_is_told(
    contested: Contest, admin: User, other_admin: User
) -> None:
    decide(contested, admin, "GRADER", kind="RIGHT")
    decide(contested, admin, "GRADER", kind="RIGHT")
    assert Override.objects.count() == 1
    with pytest.raises(CannotRule, match="Admin has already ruled on it: the grader is at fault"):
        decide(contested, other_admin, "MODEL")


def test_what_was_taken_back_is_not_ruled_on(
    contested: Contest, evaluator: User, admin: User
) -> None:
    take_back(contest=contested, by=evaluator)
    with pytest.raises(CannotRule, match="was withdrawn, so there is nothing to rule on"):
        decide(contested, admin)


OVERRIDE = """
    INSERT INTO grading_override
        (revision_id, response, kind, read_as, key_sha256, why, ruled_by_id, ruled_at)
    SELECT revision_id, response, 'RIGHT', '', '0', 'x', %(person)s, now()
    FROM grading_attempt WHERE id = %(attempt)s RETURNING id
"""
RULING = """
    UPDATE grading_contest SET fault = '{}', why = 'x', ruled_by_id = %(person)s, ruled_at = now(),
        override_id = {} WHERE id = %(contest)s
"""
COPIED = (
    "attempt_id, reason, text, contested_by_id, contested_at, fault, why, ruled_by_id, ruled_at, "
    "override_id"
)
MADE = "(SELECT max(id) FROM grading_override)"
REFUSED = {
    "words get a ruling without a contest": (OVERRIDE, "override_is_a_contests"),
    "nothing counts where the grader is at fault": (
        RULING.format("GRADER", "NULL"),
        "contest_has_an_override_where_the_grader_is_at_fault",
    ),
    "something counts where the answer is at fault": (
        f"{OVERRIDE}; {RULING.format('MODEL', MADE)}",
        "contest_has_an_override_where_the_grader_is_at_fault",
    ),
    "a contest rules on other words than were contested": (
        f"{OVERRIDE.replace('attempt)', 'other)')}; {RULING.format('GRADER', MADE)}",
        "override_is_of_its_contest",
    ),
    "what counts by a ruling is changed": (
        f"{OVERRIDE}; {RULING.format('GRADER', MADE)}; {OVERRIDE}; "
        f"UPDATE grading_contest SET override_id = {MADE} WHERE id = %(contest)s",
        "contest_is_ruled_on_once",
    ),
    "two contests have one ruling": (
        f"{OVERRIDE}; {RULING.format('GRADER', MADE)}; INSERT INTO grading_contest ({COPIED}) "
        f"SELECT {COPIED} FROM grading_contest WHERE id = %(contest)s",
        "grading_contest_override_id_key",
    ),
}


@pytest.mark.parametrize(("statements", "rule"), REFUSED.values(), ids=list(REFUSED))
def test_the_database_refuses_that(
    contested: Contest, right: Attempt, admin: User, statements: str, rule: str
) -> None:
    keys = {"contest": contested.pk, "attempt": contested.attempt_id, "person": admin.pk}
    keys |= {"other": right.pk}
    cursor = connection.cursor()
    with pytest.raises(DatabaseError, match=rule), transaction.atomic():
        cursor.execute(f"{statements}; SET CONSTRAINTS ALL IMMEDIATE", keys)


# --- At once --------------------------------------------------------------------------------

LOCK = "select 1 from grading_contest where id = %s for no key update"


def tell(function: Callable[[], object]) -> Callable[[], str]:
    def told() -> str:
        try:
            function()
        except CannotRule as refused:
            return str(refused)
        return "done"

    return told


@pytest.mark.django_db(transaction=True)
def test_of_two_who_rule_at_once_one_does_and_the_other_is_told(
    contested: Contest, admin: User, other_admin: User
) -> None:
    with (
        hold(LOCK, contested.pk) as let_go,
        meanwhile(tell(lambda: decide(contested, admin, "GRADER", kind="RIGHT"))) as first,
        meanwhile(tell(lambda: decide(contested, other_admin, "MODEL"))) as second,
    ):
        let_go()
    said = sorted([first.result(), second.result()], key=lambda one: one != "done")
    assert said[0] == "done"
    assert "has already ruled on it" in said[1]
    assert Contest.objects.ruled().count() == 1


# --- Told by e-mail -------------------------------------------------------------------------


def test_who_contested_is_told_by_e_mail_once_and_nothing_of_the_key(
    contested: Contest, evaluator: User, admin: User
) -> None:
    decide(contested, admin, "KEY", why=f"It is {TELLTALE}.")
    mail.outbox.clear()
    send_mails()
    send_mails()
    # Others are told of other things, and they that their answers are graded.
    [message] = [one for one in mail.outbox if "was ruled on" in one.body]
    assert message.to == [evaluator.email]
    assert "The reference answer is being checked." in message.body
    assert contested.attempt.get_absolute_url() in message.body
    assert [one for one in (TELLTALE, str(admin), TEXT, REFERENCE) if one in message.body] == []
